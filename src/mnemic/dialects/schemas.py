"""JSON Schemas of what tools answer, read off the types of the answers."""

import inspect
from collections.abc import Mapping
from types import NoneType, UnionType
from typing import (
    Any,
    Final,
    NotRequired,
    Union,
    cast,
    get_args,
    get_origin,
    get_type_hints,
    is_typeddict,
)

Schema = dict[str, Any]

_SIMPLE: Final[Mapping[object, str]] = {
    str: "string",
    int: "integer",
    float: "number",
    bool: "boolean",
    NoneType: "null",
}


def schema_of(kind: object) -> Schema:
    """Return the JSON Schema of what the answers' types are made of."""
    if kind in _SIMPLE:
        return {"type": _SIMPLE[kind]}
    if is_typeddict(kind):
        return _object_schema(cast("type", kind))
    origin, arguments = get_origin(kind), get_args(kind)
    if origin is NotRequired:
        return schema_of(arguments[0])
    if origin is list:
        return {"type": "array", "items": schema_of(arguments[0])}
    if origin is dict:
        return {"type": "object", "additionalProperties": schema_of(arguments[1])}
    if origin in (Union, UnionType):
        return {"anyOf": [schema_of(one) for one in arguments]}
    return {}


def _object_schema(kind: type) -> Schema:
    required = cast("frozenset[str]", getattr(kind, "__required_keys__", frozenset[str]()))
    hints = get_type_hints(kind)
    return {
        "type": "object",
        "description": inspect.cleandoc(kind.__doc__ or ""),
        "properties": {name: schema_of(one) for name, one in hints.items()},
        "required": [name for name in hints if name in required],
    }
