"""JSON Schemas of what tools answer, read off the types of the answers, and their short forms.

A model pays for every word of a tool's description, so clients of MCP are shown short forms.
"""

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
_LONGEST_NAME: Final = 200
_SET_ONCE: Final = frozenset({"time_zone"})
_TIMES: Final = frozenset(
    {"occurred_at", "valid_until", "expires_at", "superseded_by", "supersedes"}
)
_ASKED_FOR: Final = frozenset({"conversations", "memories", "messages", "result", "results"})


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
        return {"anyOf": [schema_of(argument) for argument in arguments]}
    return {}


def short_input(schema: Schema) -> Schema:
    """Return the schema of what a tool takes in fewer words, and with one type for each parameter:
    several are not understood by every client. Whoever sends another one that the long schema
    allows, or null for what need not be given, is still understood. What a setting says as well is
    left out.
    """
    properties = {
        name: _short_parameter(parameter)
        for name, parameter in schema["properties"].items()
        if name not in _SET_ONCE
    }
    required = {"required": schema["required"]} if schema["required"] else {}
    return {"type": "object", "properties": properties, **required}


def short_answer(schema: Schema, *, depth: int) -> Schema:
    """Return the schema of what a tool answers as types alone: every answer that fits the long one
    fits it. Objects in objects are spelt out down to a depth, and the entries of those lists that
    answer what was asked; of others it is only said that they are objects. What may be anything,
    how an answer was ranked, and the times that few memories have, is left out.
    """
    return _brief(schema, depth)


def _short_parameter(schema: Schema) -> Schema:
    first: Schema = schema["anyOf"][0] if "anyOf" in schema else {}
    short = {**first, **{name: value for name, value in schema.items() if name != "anyOf"}}
    # What goes without saying: nothing is the default, a text is not empty, a name is not long.
    for name, usual in (("default", None), ("minLength", 1), ("maxLength", _LONGEST_NAME)):
        if name in short and short[name] == usual:
            del short[name]
    return short


def _brief(schema: Schema, depth: int) -> Schema:
    if "anyOf" in schema:
        shapes = [_brief(option, depth) for option in schema["anyOf"]]
        if all(shape.keys() == {"type"} for shape in shapes):
            return {"type": [shape["type"] for shape in shapes]}
        return {"anyOf": shapes}
    if "properties" in schema and depth >= 0:
        inner = {
            name: _brief(field, depth if name in _ASKED_FOR else depth - 1)
            for name, field in schema["properties"].items()
            if field and not name.startswith("_") and name not in _TIMES
        }
        return {"type": "object", "properties": inner}
    if "items" in schema:
        return {"type": "array", "items": _brief(schema["items"], depth)}
    return {"type": schema["type"]}


def _object_schema(kind: type) -> Schema:
    required = cast("frozenset[str]", getattr(kind, "__required_keys__", frozenset[str]()))
    hints = get_type_hints(kind)
    return {
        "type": "object",
        "description": inspect.cleandoc(kind.__doc__ or ""),
        "properties": {name: schema_of(hint) for name, hint in hints.items()},
        "required": [name for name in hints if name in required],
    }
