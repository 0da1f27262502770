"""SillyTavern's chats: a header, then one message a line, each with all of its swipes."""

from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

from mnemic.records.conversation import ChatRole
from mnemic.runtime.patterns import opening
from mnemic.transfer.chats.conversation_tree import ForeignChat, MessageNode
from mnemic.transfer.foreign import foreign_fields, foreign_files
from mnemic.transfer.foreign.foreign_fields import UnusableError, as_list, as_object
from mnemic.transfer.foreign.foreign_files import Looks

_STAMP: Final = opening(
    r"(\d{4})-(\d{1,2})-(\d{1,2})\s?@\s?(\d{1,2})h\s?(\d{1,2})m\s?(\d{1,2})s(?:\s?(\d{1,3})ms)?$"
)
_WRITTEN: Final = ("%B %d, %Y %I:%M%p", "%B %d, %Y %I:%M %p")
_NOBODY: Final = ("you", "user")


def recognises(looks: Looks) -> bool:
    """Tell whether a file begins with the header of a chat, or with a message of one."""
    first = looks.objects()[:1]
    return any("character_name" in one or {"mes", "is_user"} <= one.keys() for one in first)


def chats(path: Path, name: str | None = None) -> Iterator[ForeignChat]:
    """Return the chat of a file, which is called as the file is where it gets no name."""
    nodes: dict[str, MessageNode] = {}
    current = ""
    for number, line in foreign_files.raw_lines(path):
        value, problem = foreign_files.parsed(line)
        record = as_object(value)
        if problem is not None or ("mes" not in record and number > 1):
            raise UnusableError(f"line {number}: {problem or 'it is no message with mes'}")
        if "mes" not in record:
            continue
        swipes = list(_swipes(number, current or None, record))
        nodes |= {node.id: node for node in swipes}
        chosen = _chosen(record)
        current = swipes[chosen if chosen < len(swipes) else 0].id
    yield ForeignChat(name or path.stem, nodes, current)


def _swipes(number: int, parent: str | None, record: Mapping[str, Any]) -> Iterator[MessageNode]:
    """Return a message with all of its wordings; the one that is shown may be newer than its
    swipe.
    """
    texts = [text for text in as_list(record.get("swipes")) if isinstance(text, str)]
    chosen = _chosen(record) if texts else 0
    told = [as_object(one) for one in as_list(record.get("swipe_info"))]
    for at, text in enumerate(texts or [record["mes"]]):
        is_shown = at == chosen and isinstance(record["mes"], str)
        stamp = told[at].get("send_date") if at < len(told) else None
        yield MessageNode(
            id=f"{number}.{at}",
            parent=parent,
            role=_role(record),
            text=record["mes"] if is_shown else text,
            name=_name(record),
            at=sent_at(stamp or record.get("send_date")),
        )


def _chosen(record: Mapping[str, Any]) -> int:
    chosen = record.get("swipe_id")
    return chosen if isinstance(chosen, int) and chosen >= 0 else 0


def _role(record: Mapping[str, Any]) -> ChatRole:
    kind = as_object(record.get("extra")).get("type")
    if kind == "narrator":
        return "narrator"
    if record.get("is_system") and kind is not None:
        return "system"
    return "user" if record.get("is_user") else "char"


def _name(record: Mapping[str, Any]) -> str | None:
    name = record.get("name")
    if not isinstance(name, str) or not name.strip():
        return None
    plain = " ".join(name.split())[:200]
    return None if record.get("is_user") and plain.lower() in _NOBODY else plain


def sent_at(stamp: object) -> datetime | None:
    """Return when a message was sent, in one of the forms in which SillyTavern wrote that; None
    where it is none of them. UTC is assumed.
    """
    if isinstance(stamp, str):
        if match := _STAMP.match(stamp):
            year, month, day, hour, minute, second, rest = (int(one or 0) for one in match.groups())
            try:
                return datetime(year, month, day, hour, minute, second, rest * 1000, UTC)
            except ValueError:
                return None
        for form in _WRITTEN:
            try:
                return datetime.strptime(stamp, form).replace(tzinfo=UTC)
            except ValueError:
                continue
    try:
        return foreign_fields.moment("send_date", stamp)
    except UnusableError:
        return None
