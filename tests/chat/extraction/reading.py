"""Reads tables of turns, runs the rules over them, and counts what was right.

A turn begins with `==`. `U:` and `A:` are what was said, with the speaker's name in brackets where
there is one; an indented row goes on with the one before. `fact KEY = PART` is expected, with that
part in its value; `also` is right too, but nobody would miss it; `harmless` is clumsy or of little
use. What is found beyond these is wrong. `loop PART` is a loop that the turn opens,
`also-loop` may.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Final

from mnemic.chat.extraction.extraction import Extraction, Known, TurnText
from mnemic.chat.extraction.rules import extract
from mnemic.records.conversation import Line

THURSDAY: Final = datetime(2026, 11, 19, 12, tzinfo=UTC)
"""When the turns of the tables were said."""

_LINE: Final = re.compile(r"(?P<role>[UA])(?:\((?P<name>[^)]*)\))?: (?P<text>.*)")
_CONTINUED: Final = re.compile(r"\n  ")
_WORDS: Final = ("fact", "also", "harmless", "loop", "also-loop")


@dataclass(slots=True)
class Case:
    """One turn, and what a reader takes from it."""

    lines: list[Line] = field(default_factory=list[Line])
    judged: dict[str, list[str]] = field(
        default_factory=lambda: {word: list[str]() for word in _WORDS}
    )

    def extraction(self) -> Extraction:
        return extract(TurnText(tuple(self.lines), said_at=THURSDAY), Known())


def cases(table: str) -> Iterator[Case]:
    """Return the turns of a table."""
    for block in table.split("==\n")[1:]:
        case = Case()
        for row in filter(None, _CONTINUED.sub(" ", block).splitlines()):
            if said := _LINE.fullmatch(row):
                role = "user" if said["role"] == "U" else "assistant"
                case.lines.append(Line(role, said["text"].replace("\\n", "\n"), said["name"]))
            else:
                word, _, rest = row.partition(" ")
                case.judged[word].append(rest)
        yield case


@dataclass(slots=True)
class Score:
    """How many facts and loops were found, and what they are."""

    right: int = 0
    harmless: int = 0
    wrong: list[str] = field(default_factory=list[str])
    expected: int = 0
    met: int = 0

    @property
    def found(self) -> int:
        return self.right + self.harmless + len(self.wrong)

    @property
    def recall(self) -> float:
        return self.met / max(1, self.expected)

    def count(
        self, found: list[str], *, expected: list[str], also: list[str], dull: list[str]
    ) -> None:
        """Count what was found against what a reader took."""
        self.expected += len(expected)
        self.met += sum(any(_meets(one, part) for one in found) for part in expected)
        for one in found:
            if any(_meets(one, part) for part in dull):
                self.harmless += 1
            elif any(_meets(one, part) for part in (*expected, *also)):
                self.right += 1
            else:
                self.wrong.append(one)

    def row(self) -> str:
        return (
            f"{self.found} found: {self.right} right, {self.harmless} harmless, "
            f"{len(self.wrong)} wrong; {self.met} of {self.expected} expected"
        )


def _meets(found: str, wanted: str) -> bool:
    key, equals, value = wanted.partition(" = ")
    if not equals:
        return key in found
    have, _, told = found.partition(" = ")
    return have == key and value in told


def score(read: Iterable[Case]) -> tuple[Score, Score]:
    """Run the rules over some turns; return what became of facts, and of loops."""
    facts, loops = Score(), Score()
    for case in read:
        got, judged = case.extraction(), case.judged
        found = [f"{fact.key} = {fact.value}" for fact in got.facts]
        facts.count(found, expected=judged["fact"], also=judged["also"], dull=judged["harmless"])
        loops.count(list(got.loops), expected=judged["loop"], also=judged["also-loop"], dull=[])
    return facts, loops
