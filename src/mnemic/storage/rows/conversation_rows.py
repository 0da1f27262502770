"""Conversation rows: turns in order, what was said in each, and what was remembered of it."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime

from mnemic.records.memory import Conversation, Message, Scope, Utterance
from mnemic.storage.database import Database, Row
from mnemic.storage.timestamps import from_micros, to_micros


@dataclass(frozen=True, slots=True)
class SourceMessage:
    """Something said in a turn that a memory was made from."""

    turn_id: str
    conversation_id: str
    number: int
    scope: Scope
    role: str
    name: str | None
    content: str


def get(db: Database, scope_id: int, conversation_id: str) -> Conversation | None:
    """Return one of a scope's conversations."""
    row = db.one("conversation_get", scope_id=scope_id, id=conversation_id)
    return None if row is None else _conversation(row)


def latest(db: Database, scope_id: int) -> Conversation | None:
    """Return the conversation that was last used, or None when there is none."""
    row = db.one("conversation_latest", scope_id=scope_id)
    return None if row is None else _conversation(row)


def listed(db: Database, scope_id: int, *, limit: int, offset: int) -> list[Conversation]:
    """Return a page of a scope's conversations, the last used first."""
    rows = db.all("conversations_listed", scope_id=scope_id, limit=limit, offset=offset)
    return [_conversation(row) for row in rows]


def sources(db: Database, memory_id: int, *, limit: int) -> list[SourceMessage]:
    """Return what was said in the turns that a memory was made from, in order."""
    return [
        SourceMessage(
            turn_id=row["turn_id"],
            conversation_id=row["conversation_id"],
            number=row["number"],
            scope=Scope(row["scope_kind"], row["scope_name"]),
            role=row["role"],
            name=row["name"],
            content=row["content"],
        )
        for row in db.all("sources_of_memory", memory_id=memory_id, limit=limit)
    ]


def add_turn(
    db: Database,
    turn_id: str,
    messages: Sequence[tuple[str, Utterance]],
    *,
    scope_id: int,
    conversation_id: str,
    now: datetime,
) -> None:
    """Add a turn to a conversation, which begins with its first one; messages are given with
    their ids.
    """
    whose = {"scope_id": scope_id, "id": conversation_id, "now": to_micros(now)}
    db.run("conversation_add", **whose)
    number = db.only("conversation_grow", **whose)["turns"] - 1
    db.run(
        "turn_add",
        id=turn_id,
        scope_id=scope_id,
        conversation_id=conversation_id,
        number=number,
        idempotency_key=None,
        now=to_micros(now),
    )
    db.many(
        "message_add",
        [
            {
                "id": message_id,
                "turn_id": turn_id,
                "version": 0,
                "position": position,
                "role": said.role,
                "name": None,
                "content": said.content,
            }
            for position, (message_id, said) in enumerate(messages)
        ],
    )


def messages(
    db: Database, scope_id: int, conversation_id: str, *, first: int, turns: int
) -> list[Message]:
    """Return what was said in some turns of a conversation, from the first one on, in order."""
    rows = db.all(
        "messages_of_turns",
        scope_id=scope_id,
        conversation_id=conversation_id,
        first=first,
        after=first + turns,
    )
    return [
        Message(
            id=row["id"],
            role=row["role"],
            content=row["content"],
            turn=row["number"],
            created_at=from_micros(row["created_at"]),
        )
        for row in rows
    ]


def add_sources(db: Database, turn_id: str, memory_ids: Iterable[int]) -> None:
    """Write down that memories were made from a turn."""
    db.many(
        "source_add", [{"memory_id": memory_id, "turn_id": turn_id} for memory_id in memory_ids]
    )


def is_from_a_turn(db: Database, memory_id: int) -> bool:
    """Tell whether a memory was made from a conversation."""
    return db.one("source_find", memory_id=memory_id) is not None


def made_from(db: Database, scope_id: int, conversation_id: str) -> list[int]:
    """Return the memories that were made from this conversation and from no other one."""
    rows = db.all("memories_of_conversation", scope_id=scope_id, conversation_id=conversation_id)
    return [row["memory_id"] for row in rows]


def drop(db: Database, scope_id: int, conversation_id: str) -> None:
    """Delete a conversation with everything that was said in it."""
    db.run("conversation_drop", scope_id=scope_id, conversation_id=conversation_id)


def _conversation(row: Row) -> Conversation:
    return Conversation(
        id=row["id"],
        turns=row["turns"],
        created_at=from_micros(row["created_at"]),
        updated_at=from_micros(row["updated_at"]),
        opening=row.get("opening"),
    )
