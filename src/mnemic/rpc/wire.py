"""Records as JSON, for both sides: `reading` makes records of it again.

A record is an object of its fields; a field that has its default is left out, so that a change
that does not name a field never names it on the way either. Texts, numbers and what a context
holds arrive as they were, also where they are wrong: the engine says so, as it does to callers in
its own process.
"""

import json
from collections.abc import Mapping
from dataclasses import MISSING, fields, is_dataclass
from datetime import datetime
from functools import cache
from typing import Any, Final, cast

_NO_DEFAULT: Final = object()


def encoded(value: object) -> bytes:
    """Return a value as JSON; raise TypeError or ValueError for what JSON cannot say."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"), default=_plain)
    # Half of a surrogate pair goes through: whoever reads it refuses it in the right words.
    return text.encode("utf-8", "surrogatepass")


def decoded(body: bytes) -> Any:
    """Return what JSON says; raise ValueError or RecursionError where it is none."""
    return json.loads(body)


def _plain(value: Any) -> object:
    if is_dataclass(value) and not isinstance(value, type):
        return {
            name: _with_names(one)
            for name, default in _defaults(type(value))
            if not _is_default(one := getattr(value, name), default)
        }
    if isinstance(value, datetime):
        return value.isoformat()
    if isinstance(value, Mapping):
        return dict(cast("Mapping[Any, Any]", value))
    raise TypeError(f"a {type(value).__name__} is not JSON")


def _with_names(value: Any) -> Any:
    """Return a value whose keys are texts, where it has keys."""
    if isinstance(value, Mapping):
        held = cast("Mapping[Any, Any]", value)
        return {
            key.isoformat() if isinstance(key, datetime) else key: value
            for key, value in held.items()
        }
    return value


@cache
def _defaults(kind: type) -> tuple[tuple[str, object], ...]:
    return tuple(
        (field.name, _NO_DEFAULT if field.default is MISSING else field.default)
        for field in fields(cast("Any", kind))
    )


def _is_default(value: object, default: object) -> bool:
    return value is default or (type(value) is type(default) and value == default)
