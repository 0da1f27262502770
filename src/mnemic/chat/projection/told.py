"""What a turn says beyond its branch."""

from dataclasses import dataclass

from mnemic.chat.extraction.extraction import Fact
from mnemic.storage.chat_rows.session_rows import TurnOnPath


@dataclass(frozen=True, slots=True)
class Wide:
    """A fact for a wider scope, or what becomes of an item there: `target` is its id."""

    said: TurnOnPath
    extractor: str
    fact: Fact | None = None
    target: str | None = None
    value: str | None = None
    note: str | None = None
