"""Reads the kept turns, runs the rules over them, and counts what was right.

A turn begins with `== kind`. `U:` and `A:` are what was said, with the speaker's name in brackets
where there is one; an indented row goes on with the one before. `fact KEY = PART` is expected, with
that part in its value; `maybe` is true but nobody misses it. `known ID KEY = VALUE` and `loop-known
ID = TEXT` were remembered before. `loop PART` is a loop that the turn opens (`maybe-loop` may),
`done ID` a loop that it closes (`maybe-done` may), `retired ID` a fact that no longer holds.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Final

from mnemic.chat.extraction.extraction import Extraction, Known, KnownFact, KnownLoop, TurnText
from mnemic.chat.extraction.rules import extract
from mnemic.records.conversation import Line

_LINE: Final = re.compile(r"(?P<role>[UA])(?:\((?P<name>[^)]*)\))?: (?P<text>.*)")
_CONTINUED: Final = re.compile(r"(?P<last>.)\n  ")
_KNOWN: Final = re.compile(r"known (?P<id>\S+) (?P<key>.+?) = (?P<value>.*)")
_LOOP_KNOWN: Final = re.compile(r"loop-known (?P<id>\S+) = (?P<text>.*)")


@dataclass(slots=True)
class Case:
    """One turn, what was known before it, and what a reader expects of it."""

    kind: str
    lines: list[Line] = field(default_factory=list[Line])
    facts: list[KnownFact] = field(default_factory=list[KnownFact])
    loops: list[KnownLoop] = field(default_factory=list[KnownLoop])
    wanted: dict[str, list[str]] = field(default_factory=dict[str, list[str]])

    def extraction(self) -> Extraction:
        return extract(TurnText(tuple(self.lines)), Known(tuple(self.facts), tuple(self.loops)))

    def of(self, word: str) -> list[str]:
        return self.wanted.get(word, [])


def cases(table: str) -> Iterator[Case]:
    """Return the turns of a table."""
    for block in table.split("== ")[1:]:
        kind, *rows = [row for row in _CONTINUED.sub(_joined, block).splitlines() if row]
        case = Case(kind)
        for row in rows:
            _add(case, row)
        yield case


def _joined(match: re.Match[str]) -> str:
    return match["last"] if match["last"] in "，。！？；”）" else f"{match['last']} "


def _add(case: Case, row: str) -> None:
    if said := _LINE.fullmatch(row):
        role = "user" if said["role"] == "U" else "assistant"
        case.lines.append(Line(role, said["text"].replace("\\n", "\n"), said["name"]))
    elif known := _KNOWN.fullmatch(row):
        case.facts.append(KnownFact(known["id"], known["key"], known["value"]))
    elif known := _LOOP_KNOWN.fullmatch(row):
        case.loops.append(KnownLoop(known["id"], known["text"]))
    else:
        word, _, rest = row.partition(" ")
        assert word in {"fact", "maybe", "loop", "maybe-loop", "done", "maybe-done", "retired"}, row
        case.wanted.setdefault(word, []).append(rest)


@dataclass(slots=True)
class Score:
    """How many were found, expected, and right, by what they are."""

    found: Counter[str] = field(default_factory=Counter[str])
    right: Counter[str] = field(default_factory=Counter[str])
    wanted: Counter[str] = field(default_factory=Counter[str])
    met: Counter[str] = field(default_factory=Counter[str])
    wrong: list[str] = field(default_factory=list[str])

    def precision(self, what: str) -> float:
        return self.right[what] / self.found[what] if self.found[what] else 1.0

    def recall(self, what: str) -> float:
        return self.met[what] / self.wanted[what] if self.wanted[what] else 1.0

    def row(self, what: str) -> str:
        return (
            f"{what:<12} precision {self.precision(what):.2f} ({self.right[what]}/"
            f"{self.found[what]})  recall {self.recall(what):.2f} "
            f"({self.met[what]}/{self.wanted[what]})"
        )

    def count(self, what: str, found: list[str], wanted: list[str], maybe: list[str]) -> None:
        """Count what was found against what was wanted; a part is met by what holds it."""
        self.found[what] += len(found)
        self.wanted[what] += len(wanted)
        for one in found:
            if any(_meets(one, part) for part in (*wanted, *maybe)):
                self.right[what] += 1
            else:
                self.wrong.append(f"{what} found: {one}")
        for part in wanted:
            if any(_meets(one, part) for one in found):
                self.met[what] += 1
            else:
                self.wrong.append(f"{what} missed: {part}")


def _meets(found: str, wanted: str) -> bool:
    key, equals, value = wanted.casefold().partition(" = ")
    if not equals:
        return key in found.casefold()
    have, _, told = found.casefold().partition(" = ")
    return have == key and value in told


WHATS: Final = ("facts", "loops", "resolutions", "retirements")


def score(read: Iterable[Case]) -> Score:
    """Run the rules over some turns."""
    result = Score()
    for case in read:
        got = case.extraction()
        before = len(result.wrong)
        facts = [f"{fact.key} = {fact.value}" for fact in got.facts]
        result.count("facts", facts, case.of("fact"), case.of("maybe"))
        result.count("loops", list(got.loops), case.of("loop"), case.of("maybe-loop"))
        result.count(
            "resolutions",
            [one.id for one in got.resolutions],
            case.of("done"),
            case.of("maybe-done"),
        )
        result.count("retirements", [one.id for one in got.retirements], case.of("retired"), [])
        if len(result.wrong) > before:
            said = " / ".join(line.content for line in case.lines)
            result.wrong.insert(before, f"-- {said}")
    return result
