"""What a client may send: each value is checked once, here, under the code that names it."""

import json
from collections.abc import Mapping
from datetime import datetime, tzinfo
from typing import Any, Final, cast

from mnemic.dialects.assistant.images import MOST_IMAGES, check_image
from mnemic.dialects.assistant.messages import LocalizedText
from mnemic.dialects.assistant.refusals import Refused
from mnemic.language.memory_types import TYPES, type_of
from mnemic.records.memory import DEFAULT_USER, MemoryKind, Scope
from mnemic.runtime.time_zones import read_moment, time_zone

CONTENT_CHARACTERS: Final = 10_000
QUERY_CHARACTERS: Final = 1_000
MESSAGE_CHARACTERS: Final = 5_000
ID_CHARACTERS: Final = 200
MAX_RESULTS: Final = 100
MAX_OFFSET: Final = 1_000_000
AUTO: Final = "auto"
# What a context may say of how secret its memory is.
_LEVELS: Final = ("high", "none")
_NUMBER_DIGITS: Final = 18

Params = Mapping[str, Any]


def text(params: Params, name: str, code: str, *, most: int) -> str:
    """Return a text of 1 to `most` characters, as it was written; white space alone is empty."""
    value = params.get(name)
    allowed = LocalizedText(
        f"允许 1 到 {most} 个字符的文本", f"allowed: a text of 1 to {most} characters"
    )
    if name not in params:
        raise _refused(code, name, LocalizedText("缺少此参数", "it is missing"), allowed)
    if not isinstance(value, str):
        raise _refused(code, name, _kind(value), allowed)
    if not value.strip():
        raise _refused(code, name, LocalizedText("内容为空", "it is empty"), allowed)
    if len(value) > most:
        problem = LocalizedText(f"有 {len(value)} 个字符", f"it has {len(value)} characters")
        raise _refused(code, name, problem, allowed)
    if "\x00" in value or value != _writable(value):
        problem = LocalizedText(
            "含有 NUL 或半个代理对", "it holds a NUL or half of a surrogate pair"
        )
        raise _refused(code, name, problem, allowed)
    return value


def content(params: Params) -> str:
    """Return what is to be remembered."""
    return text(params, "content", "INVALID_CONTENT", most=CONTENT_CHARACTERS)


def memory_type(params: Params, content: str) -> MemoryKind:
    """Return one of the six types; `auto` chooses it by the content's words."""
    value = params.get("memory_type")
    if value == AUTO:
        return type_of(content)
    return _type("INVALID_MEMORY_TYPE", "memory_type", value, given="memory_type" in params)


def memory_types(params: Params) -> tuple[MemoryKind, ...]:
    """Return the types that are asked for, each once; none at all means all six."""
    value = params.get("memory_types")
    if value is None:
        return TYPES
    if not isinstance(value, list | tuple):
        code, allowed = "INVALID_MEMORY_TYPES", _one_of_types()
        raise _refused(code, "memory_types", _kind(value), allowed)
    wanted = [
        _type("INVALID_MEMORY_TYPES", f"memory_types.{at}", entry, given=True)
        for at, entry in enumerate(cast("list[object]", value))
    ]
    return tuple(kind for kind in TYPES if kind in wanted) or TYPES


def context(params: Params) -> dict[str, Any] | None:
    """Return what was written about a memory as its context keeps it; None where nothing was.

    An object, or a text that is one, may mark the memory as sensitive, or as not.
    """
    value = params.get("context")
    if value is None or value == "":
        return None
    if not isinstance(value, str | Mapping):
        allowed = LocalizedText("允许文本或 JSON 对象", "allowed: a text or a JSON object")
        raise _refused("INVALID_CONTEXT", "context", _kind(value), allowed)
    kept: dict[str, Any] = {"note": value}
    level = _sensitivity(cast("str | Mapping[str, Any]", value))
    if level in _LEVELS:
        kept["sensitivity"] = level
    return kept


def limit(params: Params, *, default: int = 10) -> int:
    """Return how many results are wanted at most."""
    return _number(params, "limit", "INVALID_LIMIT", low=1, high=MAX_RESULTS, default=default)


def offset(params: Params) -> int:
    """Return how many results or turns are left out first."""
    return _number(params, "offset", "INVALID_OFFSET", low=0, high=MAX_OFFSET, default=0)


def flag(params: Params, name: str, code: str, *, default: bool) -> bool:
    """Return true or false."""
    value = params.get(name)
    if value is None:
        return default
    if not isinstance(value, bool):
        raise _refused(
            code, name, _kind(value), LocalizedText("允许 true 或 false", "allowed: true, false")
        )
    return value


def moment(params: Params, name: str, zone: tzinfo, *, ends: bool = False) -> datetime | None:
    """Return a time, or None when none is named; without an offset it is the zone's."""
    value = params.get(name)
    # Some clients make a model fill in every parameter, and it writes nothing there.
    if value is None or value == "":
        return None
    allowed = LocalizedText(
        "允许 ISO 8601 时间，例如 2026-03-09T10:30:00Z",
        "allowed: an ISO 8601 time such as 2026-03-09T10:30:00Z",
    )
    if not isinstance(value, str):
        raise _refused("INVALID_TIME", name, _kind(value), allowed)
    try:
        return read_moment(value.strip(), zone, ends=ends)
    except ValueError as error:
        problem = LocalizedText(f"{value!a:.60} 不是时间", f"{value!a:.60} is no time")
        raise _refused("INVALID_TIME", name, problem, allowed) from error


def end(params: Params, zone: tzinfo, *, now: datetime) -> datetime | None:
    """Return when a memory goes out of use by itself, or None where it stays."""
    until = moment(params, "expires_at", zone)
    if until is not None and until <= now:
        problem = LocalizedText("已经过去", "it is over")
        allowed = LocalizedText("允许将来的时间", "allowed: a time to come")
        raise _refused("INVALID_TIME", "expires_at", problem, allowed)
    return until


def zone_named(params: Params) -> str | None:
    """Return where the user is, or None where the setting says so."""
    value = params.get("time_zone")
    if value is None or value == "":
        return None
    allowed = LocalizedText(
        "允许 IANA 时区名，例如 Asia/Shanghai", "allowed: an IANA name such as Asia/Shanghai"
    )
    if not isinstance(value, str):
        raise _refused("INVALID_TIME_ZONE", "time_zone", _kind(value), allowed)
    try:
        _ = time_zone(value)
    except ValueError as error:
        problem = LocalizedText(f"{value!a:.60} 不是已知时区", f"{value!a:.60} is no known zone")
        raise _refused("INVALID_TIME_ZONE", "time_zone", problem, allowed) from error
    return value


def images(params: Params) -> tuple[str, ...]:
    """Return the pictures that go with a message."""
    value = params.get("image_uris")
    if value is None:
        return ()
    code, name = "INVALID_IMAGE_URI", "image_uris"
    allowed = LocalizedText(
        f"允许最多 {MOST_IMAGES} 个 URI 的列表", f"allowed: at most {MOST_IMAGES} URIs"
    )
    if not isinstance(value, list | tuple):
        raise _refused(code, name, _kind(value), allowed)
    listed = cast("list[object]", value)
    if len(listed) > MOST_IMAGES:
        problem = LocalizedText(f"有 {len(listed)} 个", f"there are {len(listed)} of them")
        raise _refused(code, name, problem, allowed)
    for at, uri in enumerate(listed):
        if not isinstance(uri, str):
            raise _refused(
                code, f"{name}.{at}", _kind(uri), LocalizedText("允许文本", "allowed: a text")
            )
    return tuple(check_image(at, uri) for at, uri in enumerate(cast("list[str]", listed)))


def user(params: Params) -> Scope:
    """Return the scope of the user who is meant."""
    if params.get("user_id") is None:
        return DEFAULT_USER
    name = text(params, "user_id", "INVALID_USER_ID", most=ID_CHARACTERS)
    if not name.isprintable() or name != name.strip():
        allowed = LocalizedText(
            "允许可打印字符，首尾无空格", "allowed: printable, no space at the ends"
        )
        problem = LocalizedText("含有不允许的字符", "it holds characters that are not allowed")
        raise _refused("INVALID_USER_ID", "user_id", problem, allowed)
    return Scope("user", name)


def conversation(params: Params, *, required: bool = False) -> str | None:
    """Return the conversation that is meant, or None where it is the latest."""
    # Some clients make a model fill in every parameter, and it writes nothing there.
    if params.get("conversation_id") in (None, "") and not required:
        return None
    name = text(params, "conversation_id", "INVALID_CONVERSATION_ID", most=ID_CHARACTERS)
    if not name.isprintable():
        allowed = LocalizedText("允许可打印字符", "allowed: printable characters")
        problem = LocalizedText("含有控制字符", "it holds control characters")
        raise _refused("INVALID_CONVERSATION_ID", "conversation_id", problem, allowed)
    return name


def memory_number(params: Params, name: str = "memory_id") -> int | None:
    """Return the number behind a memory's id; None for what is no such id."""
    value = params.get(name)
    if not isinstance(value, str) or not value.startswith("mem_"):
        return None
    digits = value.removeprefix("mem_")
    known = digits.isascii() and digits.isdigit() and len(digits) <= _NUMBER_DIGITS
    return int(digits) or None if known else None


def only_known(tool: str, params: Params, known: Mapping[str, object]) -> None:
    """Refuse a parameter that a tool does not have: a misspelt one would do nothing."""
    for name in params:
        if name not in known:
            names = ", ".join(known)
            problem = LocalizedText(f"{tool} 没有此参数", f"{tool} has no such parameter")
            allowed = LocalizedText(f"允许 {names}", f"allowed: {names}")
            raise _refused("INVALID_PARAMETER", _writable(str(name))[:60], problem, allowed)


def _writable(text: str) -> str:
    """Return a text as it can be sent back: half of a surrogate pair cannot."""
    return text.encode("utf-8", "replace").decode("utf-8")


def _type(code: str, name: str, value: object, *, given: bool) -> MemoryKind:
    for kind in TYPES:
        if value == kind:
            return kind
    problem = LocalizedText(f"{value!r:.60} 不是记忆类型", f"{value!r:.60} is no memory type")
    missing = LocalizedText("缺少此参数", "it is missing")
    allowed = _one_of_types(AUTO) if name == "memory_type" else _one_of_types()
    raise _refused(code, name, problem if given else missing, allowed)


def _one_of_types(*more: str) -> LocalizedText:
    names = ", ".join((*TYPES, *more))
    return LocalizedText(f"允许 {names}", f"allowed: {names}")


def _number(params: Params, name: str, code: str, *, low: int, high: int, default: int) -> int:
    value = params.get(name)
    if value is None:
        return default
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    allowed = LocalizedText(
        f"允许 {low} 到 {high} 的整数", f"allowed: a whole number from {low} to {high}"
    )
    if not isinstance(value, int) or isinstance(value, bool):
        raise _refused(code, name, _kind(value), allowed)
    if not low <= value <= high:
        raise _refused(code, name, LocalizedText("超出范围", "it is out of range"), allowed)
    return value


def _sensitivity(value: str | Mapping[str, Any]) -> object:
    if isinstance(value, str):
        if not value.lstrip().startswith("{"):
            return None
        try:
            value = json.loads(value)
        except (ValueError, RecursionError):
            # A text that only looks like an object says nothing about secrets.
            return None
    return value.get("sensitivity") if isinstance(value, Mapping) else None


def _refused(code: str, name: str, problem: LocalizedText, allowed: LocalizedText) -> Refused:
    return Refused(
        code,
        LocalizedText(f"{name}：{problem.zh}；{allowed.zh}", f"{name}: {problem.en}; {allowed.en}"),
    )


def _kind(value: object) -> LocalizedText:
    names: dict[type, LocalizedText] = {
        type(None): LocalizedText("是 null", "it is null"),
        bool: LocalizedText("是布尔值", "it is true or false"),
        str: LocalizedText("是文本", "it is a text"),
        int: LocalizedText("是数字", "it is a number"),
        float: LocalizedText("是数字", "it is a number"),
        list: LocalizedText("是列表", "it is a list"),
        dict: LocalizedText("是对象", "it is an object"),
    }
    other = type(value).__name__
    return names.get(type(value), LocalizedText(f"是 {other}", f"it is a {other}"))
