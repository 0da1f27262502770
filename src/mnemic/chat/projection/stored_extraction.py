"""What was found in a turn, as it is kept with the turn: items are called by references."""

from collections.abc import Callable, Mapping
from dataclasses import asdict, replace
from typing import Any

from mnemic.chat.extraction.extraction import Extraction, Fact, Resolution, Retirement, Update


def to_stored(found: Extraction) -> dict[str, Any]:
    """Return an extraction as JSON values."""
    return asdict(found)


def from_stored(kept: Mapping[str, Any]) -> Extraction:
    """Return an extraction as it was kept."""
    return Extraction(
        summary=kept["summary"],
        facts=tuple(Fact(**one) for one in kept["facts"]),
        updates=tuple(Update(**one) for one in kept["updates"]),
        retirements=tuple(Retirement(**one) for one in kept["retirements"]),
        loops=tuple(kept["loops"]),
        resolutions=tuple(Resolution(**one) for one in kept["resolutions"]),
        extractor=kept["extractor"],
        note=kept["note"],
    )


def renamed(found: Extraction, name: Callable[[str], str | None]) -> Extraction:
    """Return an extraction in which items are called otherwise; None leaves out what names them."""

    def known(entries: tuple[Any, ...]) -> tuple[Any, ...]:
        named = ((one, name(one.id)) for one in entries)
        return tuple(replace(one, id=new) for one, new in named if new is not None)

    return replace(
        found,
        updates=known(found.updates),
        retirements=known(found.retirements),
        resolutions=known(found.resolutions),
    )
