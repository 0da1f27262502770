"""Made-up robot experiences that behave like real ones: few repeats, Zipf-like word counts.

The words and templates stand in sentences.toml.
"""

import tomllib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate
from pathlib import Path
from random import Random
from typing import Any, Final

CHINESE_SHARE: Final = 0.25
_NAMES: Final = 20_000
_LONGEST: Final = 300

SOURCE: Final = Path(__file__).with_suffix(".toml")
_LANGUAGES: Final[dict[str, Any]] = tomllib.loads(SOURCE.read_text("utf-8"))
_ENGLISH, _CHINESE = _LANGUAGES["english"], _LANGUAGES["chinese"]
VOCABULARY: Final = " ".join(
    words for language in _LANGUAGES.values() for words in language["words"].values()
)


@dataclass(frozen=True, slots=True)
class Experience:
    """One lesson with its context, as a robot would give it to `learn`."""

    text: str
    context: dict[str, Any]


class _Pool:
    """Words of one kind, drawn with a chance of about one over their rank."""

    def __init__(self, words: Sequence[str]) -> None:
        self._words = words
        self._weights = list(accumulate(1 / (rank + 2) for rank in range(len(words))))

    def draw(self, rng: Random) -> str:
        return rng.choices(self._words, cum_weights=self._weights)[0]


class _Slots(dict[str, str]):
    """Fills a template: every slot is drawn anew."""

    def __init__(self, rng: Random, language: dict[str, Any]) -> None:
        super().__init__()
        self._rng = rng
        # Chinese texts use the same units.
        words = {"unit": _ENGLISH["words"]["unit"], **language["words"]}
        self._pools = {slot: _Pool(text.split()) for slot, text in words.items()}
        makers = language["makers"]
        self._pools["maker"] = _Pool(_names(rng, makers["parts"].split(), most=makers["most"]))

    def __getitem__(self, slot: str) -> str:
        rng = self._rng
        if slot == "number":
            return f"{rng.lognormvariate(2.5, 1.2):.{rng.choice((0, 0, 1, 1, 2))}f}"
        if slot == "count":
            return str(1 + int(rng.expovariate(0.08)))
        if slot == "code":
            return f"{rng.choice('ABCDEFGHJK')}{rng.randrange(1, 400)}"
        return self._pools[slot].draw(rng)


class Writer:
    """Writes experiences and questions; the same seed gives the same ones."""

    def __init__(self, seed: int, *, chinese_share: float = CHINESE_SHARE) -> None:
        self._rng = Random(seed)
        self._chinese_share = chinese_share
        self._seen: set[str] = set()
        self._english = _Slots(self._rng, _ENGLISH)
        self._chinese = _Slots(self._rng, _CHINESE)

    def experiences(self, count: int) -> Iterator[Experience]:
        """Write that many experiences, no text twice."""
        for text in self.texts(count):
            yield Experience(text, self._context())

    def texts(self, count: int) -> Iterator[str]:
        """Write that many texts, none twice."""
        for _ in range(count):
            text = self._text()
            while text in self._seen:
                text = self._text()
            self._seen.add(text)
            yield text

    def questions(self, count: int) -> list[str]:
        """Write that many questions; every fourth is Chinese, as among the experiences."""
        return [self.question(chinese=number % 4 == 3) for number in range(count)]

    def question(self, *, chinese: bool) -> str:
        """Write one question in one of the languages."""
        if chinese:
            return self._rng.choice(_CHINESE["questions"]).format_map(self._chinese)
        return self._rng.choice(_ENGLISH["questions"]).format_map(self._english)

    def _text(self) -> str:
        rng = self._rng
        middles = rng.choices((0, 1, 2), (5, 4, 1))[0]
        if rng.random() < self._chinese_share:
            parts = [rng.choice(_CHINESE["starts"])]
            parts += rng.sample(_CHINESE["middles"], middles)
            parts.append(rng.choice(_CHINESE["ends"]))
            return "".join(parts).format_map(self._chinese)[:_LONGEST]
        parts = [rng.choice(_ENGLISH["starts"]), *rng.sample(_ENGLISH["middles"], middles)]
        text = (" ".join(parts) + rng.choice(_ENGLISH["ends"])).format_map(self._english)
        return text[0].upper() + text[1:_LONGEST]

    def _context(self) -> dict[str, Any]:
        rng, words = self._rng, self._english
        return {
            "params": {
                words["parameter"]: {
                    "value": round(rng.lognormvariate(2, 1), 2),
                    "unit": words["unit"],
                }
            },
            "spatial": {
                "object_position": [round(rng.uniform(-2, 2), 3) for _ in range(3)],
                "frame": rng.choice(("base", "world", "camera")),
            },
            "robot": {"id": f"arm-{rng.randrange(40)}", "type": rng.choice(("UR5e", "Franka"))},
            "task": {"name": f"{words['verb']} {words['object']}", "success": rng.random() < 0.6},
            "env": {"sim_or_real": "real" if rng.random() < 0.3 else "sim"},
        }


def _names(rng: Random, parts: Sequence[str], *, most: int) -> list[str]:
    """Return distinct made-up names, short ones first."""
    names: dict[str, None] = {}
    for _ in range(_NAMES):
        length = rng.randint(2, most + len(names) // (_NAMES // 2))
        names["".join(rng.choice(parts) for _ in range(length)).capitalize()] = None
    return list(names)
