"""Receipts of erasures, and the deletes that leave nothing of a memory or of a scope."""

import json
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from mnemic.records.erasure import REDACTED, Erasure
from mnemic.records.memory import Scope
from mnemic.storage.database import Database, Row
from mnemic.storage.timestamps import from_micros, to_micros

_PORTION: Final = 1_000
# Whatever knows the memories of a scope goes before them, and the runs they were made in after.
_OF_MEMORIES: Final = (
    *(("payloads", "payloads_purge"), ("edges", "edges_purge"), ("events", "events_purge")),
    *(("sources", "sources_purge"), ("items", "items_purge"), ("memories", "memories_purge")),
)
_OF_SCOPE: Final = (
    *(("documents", "documents_live_drop"), ("documents", "documents_retired_drop")),
    *(("episodes", "episodes_of_scope_drop"), ("messages", "messages_of_scope_drop")),
    *(("turns", "turns_of_scope_drop"), ("conversations", "conversations_of_scope_drop")),
    *(("activities", "activities_drop"), ("usage_hours", "usages_drop")),
)
_UNCOUNTED: Final = ("tallies_drop", "item_tallies_drop")
_OF_SCOPES: Final = ("scope_states_drop", "struck_drop")


@dataclass(frozen=True, slots=True)
class Begun:
    """An erasure as the store keeps it, with what is still to be erased."""

    erasure: Erasure
    account_id: int
    subject: dict[str, Any] | None


@dataclass(frozen=True, slots=True)
class MemoryMarks:
    """What a memory is recognised by in another copy of its store."""

    id: int
    scope: Scope
    kind: str
    created_at: datetime


@dataclass(frozen=True, slots=True)
class Reply:
    """One reply in a conversation, and where it stands."""

    turn_id: str
    version: int
    position: int
    content: str


def begin(db: Database, erasure: Erasure, subject: dict[str, Any]) -> bool:
    """Write down what is about to be erased; tell whether that is new."""
    row = db.one(
        "erasure_begin",
        id=erasure.id,
        kind=erasure.kind,
        account=erasure.account,
        mark=erasure.mark,
        made_at=to_micros(erasure.made_at),
        number=erasure.number,
        subject=json.dumps(subject, ensure_ascii=False),
        actor=erasure.actor,
        now=to_micros(erasure.erased_at),
    )
    return row is not None


def emptied(db: Database, erasure: Erasure, counts: Counter[str]) -> None:
    """Write down that the rows are gone, in the transaction that deletes them."""
    kept = json.dumps({name: number for name, number in sorted(counts.items()) if number})
    db.run("erasure_emptied", id=erasure.id, counts=kept)


def finish(db: Database, erasure_id: str, *, now: datetime) -> None:
    """Write down that the last traces are gone."""
    db.run("erasure_finish", id=erasure_id, now=to_micros(now))


def unfinished(db: Database) -> list[Begun]:
    """Return the erasures that were interrupted: on SQLite of every account, which share a file."""
    return [_begun(row) for row in db.all("erasures_unfinished")]


def get(db: Database, erasure_id: str) -> Begun | None:
    """Return one of the account's erasures."""
    row = db.one("erasure_get", id=erasure_id)
    return None if row is None else _begun(row)


def listed(db: Database) -> list[Begun]:
    """Return all erasures of the account, the oldest first."""
    return [_begun(row) for row in db.all("erasures_all")]


def memory_ids(db: Database, scope_id: int) -> Iterator[list[int]]:
    """Return the memories of a scope, whatever their status, in portions. They may be deleted
    meanwhile.
    """
    after = 0
    while rows := db.all("memory_ids_of_scope", scope_id=scope_id, after=after, limit=_PORTION):
        after = rows[-1]["id"]
        yield [row["id"] for row in rows]


def looks(db: Database) -> Iterator[MemoryMarks]:
    """Return what every memory of the account is recognised by."""
    after = 0
    while rows := db.all("memories_looks", after=after, limit=_PORTION):
        after = rows[-1]["id"]
        for row in rows:
            scope = Scope(row["scope_kind"], row["scope_name"])
            yield MemoryMarks(row["id"], scope, row["kind"], from_micros(row["created_at"]))


def purge_memories(db: Database, ids: Sequence[int]) -> Counter[str]:
    """Delete memories with all that knows them; their documents must be retired before."""
    counts: Counter[str] = Counter()
    db.run("memories_reinstate", ids=list(ids))
    for name, statement in _OF_MEMORIES:
        counts[name] += db.run(statement, ids=list(ids))
    return counts


def purge_scope(db: Database, scope_id: int) -> Counter[str]:
    """Delete everything in a scope. Of itself a number is left, which never means another one."""
    counts: Counter[str] = Counter()
    counts["jobs"] += db.run("jobs_of_scopes_drop", scope_ids=[scope_id])
    for ids in memory_ids(db, scope_id):
        counts += purge_memories(db, ids)
    if db.keeps_vectors:
        counts["vectors"] += db.run("vectors_of_scope_drop", scope_id=scope_id)
    for name, statement in _OF_SCOPE:
        counts[name] += db.run(statement, scope_id=scope_id)
    for statement in _UNCOUNTED:
        db.run(statement, scope_id=scope_id)
    for statement in _OF_SCOPES:
        db.run(statement, scope_ids=[scope_id])
    counts["scopes"] += db.run("scope_erase", scope_id=scope_id)
    return counts


def purge_account(db: Database) -> Counter[str]:
    """Delete the keys and the name of the account; its scopes must be gone before."""
    return Counter({"keys": db.run("keys_drop"), "accounts": db.run("account_erase")})


def purge_conversation(db: Database, scope_id: int, conversation_id: str) -> Counter[str]:
    """Delete a conversation with all that was said in it."""
    values = {"scope_id": scope_id, "conversation_id": conversation_id}
    said = db.run("messages_of_conversation_drop", **values)
    return Counter({"messages": said, "conversations": db.run("conversation_drop", **values)})


def redact_turns(db: Database, turn_ids: Sequence[str], *, extraction: str | None) -> Counter[str]:
    """Put a mark in the place of all that was said in turns, in every version of them."""
    given = list(turn_ids)
    db.run("versions_redact", turn_ids=given, instead=extraction)
    redacted = db.run("messages_redact", turn_ids=given, instead=REDACTED)
    return Counter({"messages_redacted": redacted})


def redact_quotes(db: Database, scope_id: int, text: str) -> Counter[str]:
    """Take a text out of what was said in a scope, and out of the journal of other memories."""
    said = db.run("messages_quoting", scope_id=scope_id, text=text, instead=REDACTED)
    return Counter({"messages_redacted": said, "events": drop_events(db, scope_id, text)})


def replies(db: Database, scope_id: int) -> list[Reply]:
    """Return all replies in the conversations of a scope that are not redacted yet."""
    rows = db.all("replies_of_scope", scope_id=scope_id)
    return [Reply(**row) for row in rows if row["content"] != REDACTED]


def redact_replies(db: Database, gone: Sequence[Reply]) -> int:
    """Put a mark in the place of replies; return how many that were."""
    for version in gone:
        values = {
            "turn_id": version.turn_id,
            "version": version.version,
            "position": version.position,
        }
        db.run("message_redact", **values, instead=REDACTED)
    return len(gone)


def drop_events(db: Database, scope_id: int, word: str) -> int:
    """Delete what the journal of a scope's memories tells with a word in it; return how much."""
    written = json.dumps(word, ensure_ascii=False)[1:-1]
    return db.run("events_quoting", scope_id=scope_id, text=written)


def forget_activity(db: Database, scope_id: int, ids: Sequence[int]) -> None:
    """Let what a user did last name no memory that is gone."""
    db.run("activities_forget", scope_id=scope_id, ids=list(ids))


def superseding(db: Database, ids: Sequence[int]) -> set[int]:
    """Return the memories that took the place of some, or whose place these took."""
    rows = db.all("edges_superseding", ids=list(ids))
    return {row[end] for row in rows for end in ("from_id", "to_id")}


def said_after(db: Database, asking: Sequence[int], *, ids: Sequence[int]) -> list[int]:
    """Return what was said in runs just after some of the memories that are to go."""
    rows = db.all("memories_said_after", asking=list(asking), ids=list(ids))
    return sorted(row["id"] for row in rows)


def turns_of(db: Database, ids: Sequence[int]) -> list[str]:
    """Return the turns that memories were made from."""
    return sorted(row["turn_id"] for row in db.all("turns_of_memories", ids=list(ids)))


def made_from_turns(db: Database, turn_ids: Sequence[str]) -> list[int]:
    """Return the memories that were made from turns."""
    rows = db.all("memories_of_turns", turn_ids=list(turn_ids))
    return sorted(row["memory_id"] for row in rows)


def home_of(db: Database, turn_id: str) -> tuple[int, str] | None:
    """Return the scope and the conversation that a turn was said in."""
    row = db.one("turn_home", turn_id=turn_id)
    return None if row is None else (row["scope_id"], row["conversation_id"])


def item_uids(db: Database, ids: Sequence[int]) -> list[str]:
    """Return the names of the items that memories are kept as."""
    return [row["uid"] for row in db.all("item_uids", ids=list(ids))]


def is_erased(scope: Scope) -> bool:
    """Tell whether of a scope nothing but its number is left."""
    return scope.kind == "resting" and scope.name.startswith("erased/")


def scopes_of_account(db: Database) -> dict[Scope, datetime]:
    """Return every scope of the account, and since when it is there."""
    return {
        Scope(row["kind"], row["name"]): from_micros(row["created_at"])
        for row in db.all("scopes_all")
    }


def conversations_of_account(db: Database) -> list[tuple[Scope, str, datetime]]:
    """Return every conversation of the account: whose it is, its name, and when it began."""
    return [
        (Scope(row["scope_kind"], row["scope_name"]), row["id"], from_micros(row["created_at"]))
        for row in db.all("conversations_all")
    ]


def items_of_account(db: Database) -> Iterator[str]:
    """Return the names of all items of the account."""
    after = 0
    while rows := db.all("item_uids_all", after=after, limit=_PORTION):
        after = rows[-1]["memory_id"]
        yield from (row["uid"] for row in rows)


def account_name(db: Database) -> str:
    """Return what the account is called."""
    return db.only("account_name")["name"]


def _begun(row: Row) -> Begun:
    finished = row["finished_at"]
    erasure = Erasure(
        id=row["id"],
        kind=row["kind"],
        account=row["account"],
        mark=row["mark"],
        made_at=from_micros(row["made_at"]),
        number=row["number"],
        counts=json.loads(row["counts"]),
        actor=row["actor"],
        erased_at=from_micros(row["erased_at"]),
        finished_at=None if finished is None else from_micros(finished),
    )
    subject = None if row["subject"] is None else json.loads(row["subject"])
    return Begun(erasure, row["account_id"], subject)
