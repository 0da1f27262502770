"""Tell a memory things as its users do, ask it, and say what is wrong with an answer."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from mnemic.opening import OpenMemory
from tests.conftest import Clock

UNKNOWN = ("don't know", "nothing on that", "no memories from", "不知道", "没有记忆", "没有这方面")
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
    matter. `history` are the messages before it in its conversation. `by_meaning` needs an
    embedder.
    """

    message: str
    must: tuple[str, ...] = ()
    never: tuple[str, ...] = ()
    unknown: bool | None = False
    history: tuple[str, ...] = ()
    by_meaning: bool = False
    memorizing: bool = False
    pictures: int = 0
    used: int | None = None

    @property
    def leaves_traces(self) -> bool:
        """Whether asking adds to what is known, so that it wants a user of its own."""
        return self.memorizing or bool(self.history)


class Tellings:
    """What some people told one memory. A case that leaves traces asks a copy of its person."""

    def __init__(
        self, memory: OpenMemory, clock: Clock, days: Mapping[str, Sequence[Kept]]
    ) -> None:
        self._memory = memory
        self._clock = clock
        self._days = days
        self._told: set[str] = set()

    def ask(self, name: str, case: Case) -> dict[str, Any]:
        """Return the data of the reply to a case, after the replies to what was said before."""
        user = name
        if case.leaves_traces:
            user = f"{name}: {' / '.join((*case.history, case.message, str(case.memorizing)))}"
        if user not in self._told:
            tell(self._memory, self._clock, self._days[name], user)
            self._told.add(user)
        return ask(self._memory, case, user)


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
    # What is marked as no answer may name what must not be given as one.
    claimed = "\n".join(line for line in text.splitlines() if not _is_marked(line))
    found = [f"misses {one!r}" for one in case.must if one.casefold() not in text]
    found += [f"says {one!r}" for one in case.never if one.casefold() in claimed]
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


def _is_marked(line: str) -> bool:
    return line.startswith(("the nearest i have", "最接近的一条"))


def _call(memory: OpenMemory, tool: str, /, **params: Any) -> dict[str, Any]:
    envelope = memory.assistant.call(tool, params)
    assert envelope["success"], envelope
    return envelope["data"]
