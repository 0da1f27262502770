"""The exports of ChatGPT and Claude: `conversations.json`, a list of conversations."""

from collections.abc import Iterator, Mapping
from datetime import datetime
from typing import Any, Final

from mnemic.records.conversation import ChatRole
from mnemic.transfer.chats.conversation_tree import ForeignChat, MessageNode
from mnemic.transfer.foreign import foreign_fields
from mnemic.transfer.foreign.foreign_fields import UnusableError, as_list, as_object
from mnemic.transfer.foreign.foreign_files import Looks

_ROLES: Final[Mapping[object, ChatRole]] = {
    "user": "user",
    "human": "user",
    "assistant": "assistant",
    "tool": "tool",
    "system": "system",
}


def is_chatgpt(looks: Looks) -> bool:
    """Tell whether a file holds conversations with a mapping."""
    return any("mapping" in one for one in _conversations(looks)[:1])


def is_claude(looks: Looks) -> bool:
    """Tell whether a file holds conversations with chat_messages."""
    return any("chat_messages" in one for one in _conversations(looks)[:1])


def chatgpt(looks: Looks) -> Iterator[ForeignChat]:
    """Return the conversations of ChatGPT: trees, with the message that is shown last."""
    for number, one in enumerate(_conversations(looks), 1):
        nodes: dict[str, MessageNode] = {}
        for name, value in as_object(one.get("mapping")).items():
            held = as_object(value)
            message = as_object(held.get("message"))
            parent = held.get("parent")
            hidden = as_object(message.get("metadata")).get("is_visually_hidden_from_conversation")
            nodes[name] = MessageNode(
                id=name,
                parent=parent if isinstance(parent, str) else None,
                role=_ROLES.get(as_object(message.get("author")).get("role"), "tool"),
                text="" if hidden else _text(as_object(message.get("content"))),
                at=_at(message.get("create_time")),
            )
        name = _id(one, "conversation_id", "id") or f"chatgpt-{number}"
        yield ForeignChat(name, nodes, _shown(nodes, one.get("current_node")))


def claude(looks: Looks) -> Iterator[ForeignChat]:
    """Return the conversations of Claude: lists of messages, which may name those they follow."""
    for number, one in enumerate(_conversations(looks), 1):
        nodes: dict[str, MessageNode] = {}
        last: str | None = None
        for at, value in enumerate(as_list(one.get("chat_messages"))):
            message = as_object(value)
            parent = message.get("parent_message_uuid")
            name = _id(message, "uuid") or str(at)
            nodes[name] = MessageNode(
                id=name,
                parent=parent if isinstance(parent, str) else last,
                role=_ROLES.get(message.get("sender"), "tool"),
                text=_text(message),
                at=_at(message.get("created_at")),
            )
            last = name
        name = _id(one, "uuid") or f"claude-{number}"
        current = one.get("current_leaf_message_uuid")
        yield ForeignChat(name, nodes, _shown(nodes, current))


def _conversations(looks: Looks) -> list[dict[str, Any]]:
    found = as_list(looks.document) if looks.kind == "document" else looks.objects()
    return [as_object(one) for one in found]


def _text(content: Mapping[str, Any]) -> str:
    """Return the text of a message: of its parts, or of its blocks, those that are texts."""
    parts: list[str] = []
    for part in as_list(content.get("parts") or content.get("content")):
        text = part if isinstance(part, str) else as_object(part).get("text")
        if isinstance(text, str) and text.strip():
            parts.append(text)
    whole = content.get("text")
    return "\n\n".join(parts) or (whole if isinstance(whole, str) else "")


def _shown(nodes: dict[str, MessageNode], current: object) -> str:
    """Return the last message of the line that is shown: without a word, that of the file."""
    return current if isinstance(current, str) and current in nodes else next(reversed(nodes), "")


def _id(held: Mapping[str, Any], *names: str) -> str | None:
    return next((one for name in names if isinstance(one := held.get(name), str) and one), None)


def _at(value: object) -> datetime | None:
    try:
        return foreign_fields.moment("time", value)
    except UnusableError:
        return None
