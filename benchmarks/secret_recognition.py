"""Are secrets in people's texts recognised, and nothing else?

    python benchmarks/secret_recognition.py [--only seen,unseen] [--faults] [--keep]

Each line of `benchmarks/secret_texts` is a text; what is secret in it stands between ⟦ and ⟧. Half
of the lines hold no secret, though they speak of passwords, codes and numbers. Keys are made up
here, `{a40}` is forty letters and digits, so that no file holds one. `unseen` was written after the
rules; after the first look at it the rules were mended where `seen` or a general fault said so.
*Recall*: the share of texts with a secret that were found to have one; *precision*: the share of
texts found that have one; *covered*: the share of secrets of which nothing is left once the text is
masked.
"""

import random
import re
import string
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Final

from harness.options import Options
from harness.results import REPOSITORY, conditions, save
from mnemic.language.secrets.recognising import masked, secrets_in
from mnemic.language.tokens import is_mostly_cjk

_SET: Final = REPOSITORY / "benchmarks" / "secret_texts"
_MADE_UP: Final = re.compile(r"\{([auhd])(\d+)\}")
_SIGNS: Final = {
    "a": string.ascii_letters + string.digits,
    "u": string.ascii_uppercase + string.digits,
    "h": "0123456789abcdef",
    "d": string.digits,
}
_SEED: Final = 17
_MARKED: Final = re.compile(r"⟦(.*?)⟧")


@dataclass(frozen=True, slots=True)
class Judged:
    """One text, what is secret in it, and what was made of it."""

    text: str
    secrets: tuple[str, ...]
    found: bool
    masked: str

    @property
    def covered(self) -> int:
        """How many secrets are no longer there."""
        return sum(secret not in self.masked for secret in self.secrets)

    @property
    def language(self) -> str:
        """The language of the text."""
        return "zh" if is_mostly_cjk(self.text) else "en"


def main(arguments: Sequence[str] | None = None) -> None:
    parser = Options(__doc__)
    parser.names("--only", ["seen", "unseen"])
    parser.add_argument("--faults", action="store_true", help="tell what was judged wrongly")
    parser.add_argument("--keep", action="store_true", help="write results/secret_recognition.json")
    options = parser.parse_args(arguments)
    result: dict[str, Any] = {"run": conditions(seed=_SEED)}
    for name in options.only:
        judged = judge(name)
        result[name] = figures(judged)
        print(f"{name}: {figures(judged)}")
        for language in ("en", "zh"):
            print(f"    {language}: {figures(one for one in judged if one.language == language)}")
        if options.faults:
            for one in judged:
                if one.found != bool(one.secrets) or one.covered < len(one.secrets):
                    print(f"    {'missed' if one.secrets else 'wrong'}: {one.masked}")
    if options.keep:
        save("secret_recognition", result)


def judge(name: str) -> list[Judged]:
    """Return every text of a half, and what was recognised in it."""
    chance = random.Random(_SEED)

    def made_up(match: re.Match[str]) -> str:
        return "".join(chance.choices(_SIGNS[match[1]], k=int(match[2])))

    judged: list[Judged] = []
    for line in (_SET / f"{name}.txt").read_text("utf-8").splitlines():
        marked = _MADE_UP.sub(made_up, line)
        text = marked.replace("⟦", "").replace("⟧", "")
        secrets = tuple(_MARKED.findall(marked))
        judged.append(Judged(text, secrets, bool(secrets_in(text)), masked(text)))
    return judged


def figures(judged: Iterable[Judged]) -> dict[str, Any]:
    """Return what is told of some texts."""
    texts = list(judged)
    secret = [one for one in texts if one.secrets]
    found = [one for one in texts if one.found]
    right = [one for one in found if one.secrets]
    return {
        "texts": len(texts),
        "secret": len(secret),
        "precision": round(len(right) / len(found), 3),
        "recall": round(len(right) / len(secret), 3),
        "covered": round(
            sum(one.covered for one in secret) / sum(len(one.secrets) for one in secret), 3
        ),
    }


if __name__ == "__main__":
    main()
