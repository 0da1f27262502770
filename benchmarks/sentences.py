"""Made-up robot experiences that behave like real ones: few repeats, Zipf-like word counts."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate
from random import Random
from typing import Any, Final

from vocabulary import CHINESE, ENGLISH, NAME_CHARACTERS, SYLLABLES

CHINESE_SHARE: Final = 0.25
_NAMES: Final = 20_000

_ENGLISH_STARTS: Final = [
    "To {verb} the {adjective} {object} on the {place}, approach {adverb} with the {robot}",
    "The {robot} {outcome} when it tried to {verb} the {adjective} {object} near {place} {code}",
    "Every time the {place} is {state}, the {object} made by {maker} {outcome}",
    "{parameter}={number}{unit} works best for the {adjective} {maker} {object}",
    "Never {verb} a {adjective} {object} in the {place} while it is {state}",
    "After {count} trials the {robot} can {verb} the {object} at {place} {code}",
    "{person} asked to {verb} the {adjective} {object} from the {place} to bin {code}",
    "A {adjective} {maker} {object} {outcome} in the {place} because of {cause}",
    "The {maker} {object} needs more {parameter} than the {adjective} {object}",
    "When {cause} shows up in the {place}, {verb} the {object} {adverb}",
    "Use the {robot} rather than the {robot} to {verb} {adjective} {object}s",
    "Batch {code} of {adjective} {object}s {outcome} at {number} {unit}",
]
_ENGLISH_MIDDLES: Final = [
    "with {parameter} of {number} {unit}",
    "because of {cause} on the {adjective} {object}",
    "and keep {parameter} below {number} {unit}",
    "then {verb} it {adverb} onto the {place}",
    "although the {place} was {state} and {cause} was high",
    "so {parameter} had to go from {number} to {number} {unit}",
    "while {person} held the {object}",
    "using the {maker} {robot} {adverb}",
    "as {cause} and {cause} made the {robot} unreliable",
    "until the {object} {outcome}",
]
_ENGLISH_ENDS: Final = [
    "; it took {count} attempts.",
    ".",
    ", the result was stable.",
    "; {person} confirmed it in run {code}.",
    "; check the {robot} for {cause} first.",
    " and the {object} {outcome}.",
    ", seen in the {place} on shift {count}.",
]
_CHINESE_STARTS: Final = [
    "在{place}{verb}{adjective}{object}时，{robot}应{adverb}接近",
    "{robot}在{place}{verb}{maker}{object}时{outcome}",
    "每次{place}{state}，{adjective}{object}就会{outcome}",
    "{verb}{maker}{object}时{parameter}设为{number}{unit}最好",
    "不得在{place}{state}时{verb}{adjective}{object}",
    "试了{count}次后，{robot}可以{verb}{place}{code}的{object}",
    "{person}要求把{adjective}{object}从{place}搬到{code}号箱",
    "由于{cause}，{maker}{object}在{place}{outcome}",
]
_CHINESE_MIDDLES: Final = [
    "，{parameter}保持在{number}{unit}以下",
    "，因为{adjective}{object}有{cause}",
    "，然后{adverb}{verb}到{place}",
    "，{parameter}需要从{number}调到{number}{unit}",
    "，当时{person}扶着{object}",
    "，直到{object}{outcome}",
]
_CHINESE_ENDS: Final = [
    "。",
    "，共用了{count}次。",
    "，结果稳定。",
    "，{person}已确认。",
    "，先检查{robot}。",
]

_ENGLISH_QUESTIONS: Final = [
    "how to {verb} a {adjective} {object}",
    "{verb} the {object} on the {place}",
    "what {parameter} for the {adjective} {maker} {object}",
    "why does the {robot} slip when the {place} is {state}",
    "{object} {outcome} because of {cause}",
    "who asked to {verb} the {object} from the {place} and how did it go",
]
_CHINESE_QUESTIONS: Final = [
    "怎么{verb}{adjective}{object}",
    "{place}{state}时{object}会怎样",
    "{maker}{object}的{parameter}是多少",
    "{robot}{outcome}的原因",
]


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

    def __init__(self, rng: Random, pools: dict[str, _Pool]) -> None:
        super().__init__()
        self._rng = rng
        self._pools = pools

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
        units = _Pool(ENGLISH["unit"].split())
        english = {slot: _Pool(words.split()) for slot, words in ENGLISH.items()}
        chinese = {slot: _Pool(words.split()) for slot, words in CHINESE.items()}
        english["maker"] = _Pool(_names(self._rng, SYLLABLES.split(), most=3))
        chinese["maker"] = _Pool(_names(self._rng, NAME_CHARACTERS, most=2))
        chinese["unit"] = units
        self._english = _Slots(self._rng, english)
        self._chinese = _Slots(self._rng, chinese)

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
        return [self.question(chinese=at % 4 == 3) for at in range(count)]

    def _text(self) -> str:
        rng = self._rng
        middles = rng.choices((0, 1, 2), (5, 4, 1))[0]
        if rng.random() < self._chinese_share:
            parts = [rng.choice(_CHINESE_STARTS)]
            parts += rng.sample(_CHINESE_MIDDLES, middles)
            parts.append(rng.choice(_CHINESE_ENDS))
            return "".join(parts).format_map(self._chinese)[:300]
        parts = [rng.choice(_ENGLISH_STARTS), *rng.sample(_ENGLISH_MIDDLES, middles)]
        text = (" ".join(parts) + rng.choice(_ENGLISH_ENDS)).format_map(self._english)
        return text[0].upper() + text[1:300]

    def question(self, *, chinese: bool) -> str:
        """Write one question in one of the languages."""
        if chinese:
            return self._rng.choice(_CHINESE_QUESTIONS).format_map(self._chinese)
        return self._rng.choice(_ENGLISH_QUESTIONS).format_map(self._english)

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
