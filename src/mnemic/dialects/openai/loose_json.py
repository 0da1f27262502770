"""JSON that anybody may have written: what is of another kind than expected is empty."""

from collections.abc import Mapping, Sequence
from typing import Any, cast


def fields_in(value: object) -> Mapping[str, Any]:
    """Return the fields of an object."""
    return cast("Mapping[str, Any]", value) if isinstance(value, dict) else {}


def objects_in(value: object) -> Sequence[Mapping[str, Any]]:
    """Return the objects of a list."""
    entries = cast("list[object]", value) if isinstance(value, list) else []
    return [cast("Mapping[str, Any]", entry) for entry in entries if isinstance(entry, dict)]
