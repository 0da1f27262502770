"""What was found in a turn, as it is kept with its version, and read again.

Of the rules it is what the version says by itself: held against what is known, it is anew in each
branch and after each change before it. Of a language model it is the answer, in which items are
called by references.
"""

from collections.abc import Callable, Mapping
from dataclasses import asdict, fields, is_dataclass, replace
from functools import lru_cache
from typing import Any, Final, cast, get_args, get_origin, get_type_hints

from mnemic.chat.extraction.extraction import (
    RULES,
    Extraction,
    Fact,
    Resolution,
    Retirement,
    Update,
)
from mnemic.chat.extraction.rules import TurnReading, asks, keys_named

_READING: Final = "reading"


def to_stored(found: Extraction) -> dict[str, Any]:
    """Return an extraction as JSON values."""
    return asdict(found)


def stored_reading(reading: TurnReading) -> dict[str, Any]:
    """Return what the rules read in a turn as JSON values."""
    return {
        "extractor": RULES,
        "asks": asks(reading),
        "keys": sorted(keys_named(reading)),
        _READING: _plain(reading),
    }


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


def reading_from(kept: Mapping[str, Any]) -> TurnReading | None:
    """Return what the rules read, as it was kept; None where other rules kept it."""
    try:
        return _built(TurnReading, kept[_READING])
    except (KeyError, TypeError, ValueError):
        return None


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


def _plain(value: Any) -> Any:
    if is_dataclass(value):
        return {one.name: _plain(getattr(value, one.name)) for one in fields(value)}
    if isinstance(value, frozenset):
        return sorted(cast("frozenset[str]", value))
    if isinstance(value, tuple):
        return [_plain(one) for one in cast("tuple[Any, ...]", value)]
    return value


def _built(shape: Any, value: Any) -> Any:
    """Return a value of a type from its JSON form; an error where it has another one."""
    if is_dataclass(shape):
        hints = _hints(shape)
        if value.keys() != hints.keys():
            raise ValueError(shape)
        return cast("Any", shape)(**{name: _built(hints[name], value[name]) for name in hints})
    kind: Any = get_origin(shape)
    if kind in (tuple, frozenset):
        inner = get_args(shape)[0]
        each: list[Any] = value if inner is str else [_built(inner, one) for one in value]
        return frozenset(each) if kind is frozenset else tuple(each)
    return value


@lru_cache
def _hints(shape: Any) -> dict[str, Any]:
    return get_type_hints(shape)
