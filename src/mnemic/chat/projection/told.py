"""Which turn says something, and what of it reaches beyond its branch."""

from dataclasses import dataclass
from datetime import datetime

from mnemic.chat.extraction.extraction import Fact


@dataclass(frozen=True, slots=True)
class TurnVersion:
    """One version of a turn, and where it stands: when it was said, and when the turn was added."""

    turn_id: str
    version: int
    number: int
    at: datetime
    added: datetime


@dataclass(frozen=True, slots=True)
class Wide:
    """What a turn says beyond its branch: a fact for a wider scope, or what becomes of an item
    there. `target` is the id of that item.
    """

    said: TurnVersion
    extractor: str
    fact: Fact | None = None
    target: str | None = None
    value: str | None = None
    note: str | None = None
