"""Tell a memory things as its users do, ask it, and say what is wrong with an answer."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from mnemic.opening import OpenMemory
from tests.conftest import Clock

UNKNOWN = ("don't know", "no memories from", "不知道", "没有记忆")
# Said in a chat, not added.
CHAT: dict[str, Any] = {"conversation_id": "earlier"}
SECRET: dict[str, Any] = {"sensitivity": "high"}


@dataclass(frozen=True, slots=True)
class Kept:
    """One memory: the day it was made, its type, its text, and what was noted about it; CHAT for
    what was said in a chat.
    """

    day: str
    kind: str
    text: str
    context: Mapping[str, Any] | str = field(default_factory=dict[str, Any])


@dataclass(frozen=True, slots=True)
class Case:
    """A question and what its answer must and must not hold, in any case of letters.

    `unknown` says whether the answer must admit that it is not known, None that it does not
    matter. `history` are the messages before it in its conversation.
    """

    message: str
    must: tuple[str, ...] = ()
    never: tuple[str, ...] = ()
    unknown: bool | None = False
    history: tuple[str, ...] = ()
    memorizing: bool = False
    pictures: int = 0
    used: int | None = None


def tell(memory: OpenMemory, clock: Clock, day: Sequence[Kept], user: str) -> None:
    """Add what somebody told, each thing on its day."""
    now = clock.now
    for kept in sorted(day, key=lambda one: one.day):
        clock.now = datetime.fromisoformat(f"{kept.day}T08:00:00+00:00")
        if kept.context == CHAT:
            _call(memory, "memory_chat", message=kept.text, user_id=user, **CHAT)
            continue
        _call(
            memory,
            "memory_add",
            content=kept.text,
            memory_type=kept.kind,
            context=kept.context,
            user_id=user,
        )
    clock.now = now


def ask(memory: OpenMemory, case: Case, user: str) -> dict[str, Any]:
    """Return the data of the reply to a case, in a conversation of its own."""
    where = {"user_id": user, "conversation_id": "asking"}
    for said in case.history:
        _call(memory, "memory_chat", message=said, **where)
    pictures = [f"https://example.org/{at}.png" for at in range(case.pictures)]
    return _call(
        memory,
        "memory_chat",
        message=case.message,
        memorizing=case.memorizing,
        image_uris=pictures,
        **where,
    )


def faults(case: Case, reply: Mapping[str, Any]) -> list[str]:
    """Return what is wrong with a reply."""
    text = reply["response"].casefold()
    found = [f"misses {one!r}" for one in case.must if one.casefold() not in text]
    found += [f"says {one!r}" for one in case.never if one.casefold() in text]
    admits = any(one in text for one in UNKNOWN)
    if case.unknown is not None and admits != case.unknown:
        found.append("claims to know" if case.unknown else "claims not to know")
    used = [one["memory_id"] for one in reply["used_memories"]]
    if case.used is not None and len(used) != case.used:
        found.append(f"uses {len(used)} memories")
    cited = [one for one in used if f"[{one}]" in reply["response"]]
    if len(cited) != len(used) or text.count("[mem_") != len(cited):
        found.append("cites other memories than it uses")
    return found


def _call(memory: OpenMemory, tool: str, /, **params: Any) -> dict[str, Any]:
    envelope = memory.assistant.call(tool, params)
    assert envelope["success"], envelope
    return envelope["data"]
