"""Values from JSON, made by the types that a method or a record states."""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import fields, is_dataclass
from datetime import datetime
from functools import cache
from types import NoneType, UnionType
from typing import Any, Final, Literal, TypeVar, Union, cast, get_args, get_origin, get_type_hints

from mnemic.errors import InvalidInputError
from mnemic.records.filters import KIND, Condition, Near, Op, parse_filter, parse_near
from mnemic.records.item import Unset
from mnemic.records.memory import MemoryKind
from mnemic.rpc import call_limits

Read = Callable[[Any, str], Any]
"""Makes a value from JSON; the text says where it stands, for errors."""


@cache
def reader(hint: Any, *, strict: bool) -> Read:
    """Return what makes a value of a type from JSON, or raises InvalidInputError.

    A strict one is for a server: it refuses fields that it does not know, and keeps to the limits.
    One for a client leaves out what a newer server says besides.
    """
    if hint is Any:
        return lambda value, where: value
    if hint in _ATOMS:
        return _ATOMS[hint](strict=strict)
    origin = get_origin(hint)
    if origin in _SHAPES:
        return _SHAPES[origin](get_args(hint), strict=strict)
    kind = origin or hint
    if kind in _REBUILT:
        return _REBUILT[kind]
    if is_dataclass(kind):
        return _record(cast("type", kind), get_args(hint), strict=strict)
    raise TypeError(f"{hint} cannot be sent")


def _text(*, strict: bool) -> Read:
    def read(value: Any, where: str) -> Any:
        if not isinstance(value, str):
            raise _wrong(where, value, "a text")
        if strict:
            call_limits.check_text(where, value)
        return value

    return read


def _whole(*, strict: bool) -> Read:
    def read(value: Any, where: str) -> Any:
        if not isinstance(value, int) or isinstance(value, bool):
            raise _wrong(where, value, "a whole number")
        if strict:
            call_limits.check_number(where, value)
        return value

    return read


def _number(*, strict: bool) -> Read:
    def read(value: Any, where: str) -> Any:
        if not isinstance(value, int | float) or isinstance(value, bool):
            raise _wrong(where, value, "a number")
        return value

    return read


def _flag(*, strict: bool) -> Read:
    def read(value: Any, where: str) -> Any:
        if not isinstance(value, bool):
            raise _wrong(where, value, "true or false")
        return value

    return read


def _nothing(*, strict: bool) -> Read:
    def read(value: Any, where: str) -> None:
        if value is not None:
            raise _wrong(where, value, "null")

    return read


def _time(*, strict: bool) -> Read:
    def read(value: Any, where: str) -> datetime:
        try:
            return datetime.fromisoformat(value)
        except (TypeError, ValueError) as error:
            raise _wrong(where, value, "a time such as 2026-03-09T10:30:00+00:00") from error

    return read


def _choice(options: tuple[Any, ...], *, strict: bool) -> Read:
    known: set[tuple[type[Any], Any]] = {(type(option), option) for option in options}
    allowed = ", ".join(str(option) for option in options)

    def read(value: Any, where: str) -> Any:
        if not isinstance(value, str | int) or (type(value), value) not in known:
            raise InvalidInputError(where, f"{value!a:.60}", allowed)
        return value

    return read


def _union(members: tuple[Any, ...], *, strict: bool) -> Read:
    # What is not named in a change is not sent, so it never has to be read.
    ways = [reader(member, strict=strict) for member in members if member not in (NoneType, Unset)]
    may_be_none = NoneType in members

    def read(value: Any, where: str) -> Any:
        if value is None and may_be_none:
            return None
        for way in ways[:-1]:
            try:
                return way(value, where)
            except InvalidInputError:
                # Another member may fit; the last one tells what is wrong.
                continue
        return ways[-1](value, where)

    return read


def _several(members: tuple[Any, ...], *, strict: bool) -> Read:
    one = reader(members[0], strict=strict)

    def read(value: Any, where: str) -> list[Any]:
        if not isinstance(value, list):
            raise _wrong(where, value, "a list")
        entries = cast("list[Any]", value)
        if strict:
            call_limits.check_length(where, len(entries))
        return [one(entry, f"{where}.{at}") for at, entry in enumerate(entries)]

    return read


def _tuple(members: tuple[Any, ...], *, strict: bool) -> Read:
    if members[-1] is Ellipsis:
        several = _several(members, strict=strict)
        return lambda value, where: tuple(several(value, where))
    ways = [reader(member, strict=strict) for member in members]

    def read(value: Any, where: str) -> tuple[Any, ...]:
        entries = cast("list[Any]", value) if isinstance(value, list) else []
        if len(entries) != len(ways):
            raise InvalidInputError(where, "it is not whole", f"a list of {len(ways)}")
        return tuple(
            way(value, f"{where}.{at}")
            for at, (way, value) in enumerate(zip(ways, entries, strict=True))
        )

    return read


def _mapping(members: tuple[Any, ...], *, strict: bool) -> Read:
    key, one = (reader(member, strict=strict) for member in members)
    as_it_is = members == (str, Any)

    def read(value: Any, where: str) -> dict[Any, Any]:
        if not isinstance(value, dict):
            raise _wrong(where, value, "an object")
        entries = cast("dict[str, Any]", value)
        if as_it_is:
            return entries
        return {key(name, where): one(held, f"{where}.{name}") for name, held in entries.items()}

    return read


def _record(kind: type, members: tuple[Any, ...], *, strict: bool) -> Read:
    meant = dict(zip(getattr(kind, "__parameters__", ()), members, strict=True))
    hints = get_type_hints(kind)
    ways = {
        field.name: reader(_filled_in(hints[field.name], meant), strict=strict)
        for field in fields(cast("Any", kind))
    }

    def read(value: Any, where: str) -> Any:
        if not isinstance(value, dict):
            raise _wrong(where, value, f"an object with {', '.join(ways)}")
        entries = cast("dict[str, Any]", value)
        if strict and (unknown := entries.keys() - ways.keys()):
            told = f"{kind.__name__} has no field {min(unknown)[:60]!a}"
            raise InvalidInputError(where, told, ", ".join(ways))
        given = {
            name: way(entries[name], f"{where}.{name}")
            for name, way in ways.items()
            if name in entries
        }
        try:
            return kind(**given)
        except TypeError as error:
            raise InvalidInputError(where, "a field is missing", ", ".join(ways)) from error

    return read


def _filled_in(hint: Any, meant: Mapping[Any, Any]) -> Any:
    """Return a hint of a generic record with what its parameters mean in one place."""
    if isinstance(hint, TypeVar):
        return meant[hint]
    free = getattr(hint, "__parameters__", ())
    return hint[tuple(meant[variable] for variable in free)] if free else hint


def _condition(value: Any, where: str) -> Condition:
    """Return a condition that the parser of filters made, and nothing else."""
    parts = _fields(value, where, "path", "op", "value")
    path = tuple(reader(tuple[str, ...], strict=True)(parts["path"], f"{where}.path"))
    op = reader(Op, strict=True)(parts["op"], f"{where}.op")
    wanted: Any = parts.get("value")
    if path == KIND:
        kinds = reader(tuple[MemoryKind, ...], strict=True)(wanted, f"{where}.value")
        return Condition(KIND, reader(Literal["in"], strict=True)(op, f"{where}.op"), kinds)
    (parsed,) = parse_filter({".".join(path): {f"${op}": wanted}}).conditions
    if parsed.path != path:
        raise InvalidInputError(f"{where}.path", "a name holds a dot", "names without a dot")
    return parsed


def _near(value: Any, where: str) -> Near:
    """Return a place that the parser of places made, and nothing else."""
    parts = _fields(value, where, "path", "target", "max_distance")
    path = reader(tuple[str, ...], strict=True)(parts["path"], f"{where}.path")
    rest = {name: part for name, part in parts.items() if name != "path"}
    parsed = parse_near({"field": ".".join(path), **rest})
    if parsed is None or parsed.path != path:
        raise InvalidInputError(f"{where}.path", "a name holds a dot", "names without a dot")
    return parsed


def _fields(value: Any, where: str, *names: str) -> dict[str, Any]:
    entries = cast("dict[str, Any]", value) if isinstance(value, dict) else {}
    if (
        not entries
        or entries.keys() - set(names)
        or names[0] not in entries
        or names[1] not in entries
    ):
        raise InvalidInputError(where, "it is not whole", f"an object with {', '.join(names)}")
    return entries


def _wrong(where: str, value: object, allowed: str) -> InvalidInputError:
    names: dict[type, str] = {
        NoneType: "null",
        bool: "true or false",
        str: "a text",
        list: "a list",
        dict: "an object",
    }
    return InvalidInputError(where, f"it is {names.get(type(value), 'a number')}", allowed)


_ATOMS: Final[Mapping[Any, Callable[..., Read]]] = {
    str: _text,
    int: _whole,
    float: _number,
    bool: _flag,
    NoneType: _nothing,
    datetime: _time,
}
_SHAPES: Final[Mapping[Any, Callable[..., Read]]] = {
    Literal: _choice,
    Union: _union,
    UnionType: _union,
    list: _several,
    Sequence: _several,
    Collection: _several,
    tuple: _tuple,
    dict: _mapping,
    Mapping: _mapping,
}
_REBUILT: Final[Mapping[Any, Read]] = {Condition: _condition, Near: _near}
