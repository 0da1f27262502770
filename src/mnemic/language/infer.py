"""What a lesson tells besides its words: the files it names, how sure it sounds, its gist."""

import re
from typing import Final

from mnemic.runtime.patterns import linear, opening

_LONGEST_SUMMARY: Final = 80
FIRST_CONFIDENCE: Final = 0.80
CONFIDENCE_PER_DETAIL: Final = 0.05
MOST_CONFIDENCE: Final = 0.95
SHORT_CONTEXT: Final = 20
"""So many characters of a context are no detail yet."""

# Without the list, "e.g.", "node.speed" and "12.5N" would all be files.
_ENDINGS = """
    py pyi ipynb js mjs ts tsx jsx vue css html htm json jsonl yaml yml toml ini cfg conf env lock
    properties gradle md rst txt tex csv tsv parquet xml xsd sql sh bash zsh bat ps1 c h cc cpp cxx
    hpp cu rs go java kt swift rb php lua proto msg srv action launch urdf xacro sdf srdf world rviz
    stl dae obj ply pcd bag db3 mcap log db sqlite pkl npy npz h5 hdf5 onnx pt pth ckpt safetensors
    gguf png jpg jpeg gif svg mp4 avi wav mp3 pdf doc docx xls xlsx pptx zip tar gz tgz exe dll so
    service cmake
"""
_EXTENSIONS = frozenset(_ENDINGS.split())
_NAMES = frozenset({"makefile", "dockerfile", "jenkinsfile", ".gitignore", ".env", ".bashrc"})
_PRODUCTS = frozenset({"node.js", "vue.js", "next.js", "three.js", "react.js", "express.js"})
# A file below one of these needs no extension. Others may be topics, such as /camera/image_raw.
_ROOTS = frozenset(
    ("etc", "dev", "usr", "var", "home", "opt", "tmp", "root", "mnt", "proc", "sys", "bin", "lib")
)

# Addresses hold pieces that look like files; \x21-\x7e because Chinese text follows unspaced.
_ADDRESS = linear(r"[a-z][a-z0-9+.-]{0,20}://[\x21-\x7e]*|www\.[\x21-\x7e]*", re.IGNORECASE)
_PATH = linear(r"(?<![A-Za-z0-9_.+~/\\@-])(?:[A-Za-z]:(?=[\\/]))?[A-Za-z0-9_.+~/\\-]++(?![(@])")
_DOMAIN = opening(r"[a-z0-9-]+\.(?:com|org|net|io|dev|cn|edu|gov)(?:\.[a-z]{2})?$")

_CODE = linear(
    r"`[^`]+`|(?<=[A-Za-z0-9_])\((?:\)|\d[^()]{0,60}\)|[^(),=_\"']{0,60}[,=_\"'][^()]{0,120}\))"
)
_CAUSAL = linear(
    r"(?<![a-z])(?:because|due to|owing to|caus(?:e[sd]?|ing)|leads? to|led to|results? in|resulted"
    r"|therefore|thus|hence|so that|as a result|reasons?|that's why|is why)(?![a-z])"
    r"|因为|由于|所以|因此|导致|引起|造成|原因|因而|从而|致使|源于|之所以|因為|由於|導致|從而"
)
_CONTROL = linear("[\x00-\x1f\x7f-\x9f\ud800-\udfff]")
_IN_A_WORD = linear("[A-Za-z0-9_'.-]")


_SEPARATOR: Final = linear(r"[\\/]")


def scope_files(text: str) -> tuple[str, ...]:
    """Return the files that the text names, sorted, each once and without a leading "/"."""
    without_addresses = _ADDRESS.sub(" ", text)
    words = (word.rstrip(".-+") for word in _PATH.findall(without_addresses))
    files = {word.removeprefix("./").lstrip("/") for word in words if _is_file(word)}
    return tuple(sorted(files))


def _is_file(word: str) -> bool:
    if "." not in word and "/" not in word and "\\" not in word:
        return word.lower() in _NAMES
    *folders, name = _SEPARATOR.split(word.lower().rstrip("/"))
    if not name or name in _PRODUCTS or (folders and _DOMAIN.match(folders[0])):
        return False
    stem, _, extension = name.rpartition(".")
    if stem and extension in _EXTENSIONS:
        # "see 2.c" is a list item.
        return len(extension) > 1 or not stem.isdecimal()
    if name in _NAMES or (folders and folders[0] in {".", "..", "~"}):
        return True
    return len(folders) > 1 and folders[0] == "" and folders[1] in _ROOTS


def confidence(text: str, *, context_length: int) -> float:
    """Return how far a lesson can be trusted at first: 0.80 to 0.95, more with each detail.

    Details are a file, a piece of code, a cause, and a context of more than 20 characters.
    """
    details = (
        bool(scope_files(text)),
        _CODE.search(text) is not None,
        _CAUSAL.search(text.lower()) is not None,
        context_length > SHORT_CONTEXT,
    )
    return min(MOST_CONFIDENCE, round(FIRST_CONFIDENCE + CONFIDENCE_PER_DETAIL * sum(details), 2))


def summary(text: str) -> str:
    """Return the text as one line of at most 80 characters; "…" stands for what was cut off."""
    line = " ".join(_CONTROL.sub(" ", text).split())
    if len(line) <= _LONGEST_SUMMARY:
        return line
    cut = _boundary(line, _LONGEST_SUMMARY - 1)
    return line[:cut].rstrip(" ,;:.、，；：。(（") + "…"


def _boundary(line: str, latest: int) -> int:
    """Return the last place up to `latest` that is not inside a word, or `latest` itself."""
    for cut in range(latest, latest // 2, -1):
        if not (_IN_A_WORD.match(line[cut - 1]) and _IN_A_WORD.match(line[cut])):
            return cut
    return latest
