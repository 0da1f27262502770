"""What goes into an extractor, and what comes out: the same for rules and for a language model."""

from dataclasses import dataclass
from datetime import datetime
from typing import Final, Literal

from mnemic.records.conversation import Line

FactScope = Literal["global", "chat", "branch", "floor"]

RULES: Final = "rules"
"""The name of the extractor that works without a language model."""

BY_MODEL: Final = "model:"
"""What the name of every language model begins with, where it is an extractor."""

EXCERPT: Final = "excerpt"
"""The name that stands for an extractor where a turn took too long to read."""

_LONGEST_EXCERPT: Final = 2000


@dataclass(frozen=True, slots=True)
class KnownFact:
    """A fact in use that the turn may change. The id is what an extraction calls it by."""

    id: str
    key: str
    value: str
    importance: float = 0.5


@dataclass(frozen=True, slots=True)
class KnownLoop:
    """An open loop that the turn may resolve."""

    id: str
    text: str


@dataclass(frozen=True, slots=True)
class Known:
    """What was remembered before the turn, and may be shown to the extractor.

    Facts come by importance, loops and summaries with the newest first.
    """

    facts: tuple[KnownFact, ...] = ()
    loops: tuple[KnownLoop, ...] = ()
    summaries: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class TurnText:
    """What was said, in order, the text of the summary tags in it, and when it was said.

    `before` is the turn before this one, which only explains it.
    """

    lines: tuple[Line, ...]
    summaries: tuple[str, ...] = ()
    said_at: datetime | None = None
    before: tuple[Line, ...] = ()


@dataclass(frozen=True, slots=True)
class Fact:
    """Something to keep as `key: value`. The key is short, lower case, and the same whenever the
    same thing is told of the same subject, so that the newest value takes over.
    """

    key: str
    value: str
    scope: FactScope = "branch"
    importance: float = 0.6


@dataclass(frozen=True, slots=True)
class Update:
    """A new value for a known fact."""

    id: str
    value: str


@dataclass(frozen=True, slots=True)
class Retirement:
    """A known fact that no longer holds, and why."""

    id: str
    reason: str


@dataclass(frozen=True, slots=True)
class Resolution:
    """A known loop that is closed, and how."""

    id: str
    text: str


@dataclass(frozen=True, slots=True)
class Extraction:
    """What one turn adds to, changes in and takes from the memory.

    `note` tells what went wrong, where something did and the rest was still usable.
    """

    summary: str
    facts: tuple[Fact, ...] = ()
    updates: tuple[Update, ...] = ()
    retirements: tuple[Retirement, ...] = ()
    loops: tuple[str, ...] = ()
    resolutions: tuple[Resolution, ...] = ()
    extractor: str = RULES
    note: str | None = None


def excerpt_of(turn: TurnText) -> Extraction:
    """Return a turn as it was said, as far as a summary goes, read by nobody."""
    said: list[str] = []
    left = _LONGEST_EXCERPT
    for line in turn.lines:
        text = f"{line.name or line.role}: {' '.join(line.content[:left].split())}"
        said.append(text)
        left -= len(text)
        if left <= 0:
            break
    return Extraction(summary=" ".join(said)[:_LONGEST_EXCERPT], extractor=EXCERPT)
