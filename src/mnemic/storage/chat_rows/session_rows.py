"""Session rows: branches, turns in order along each, and the versions of what was said there."""

import json
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache
from typing import Any, Final

from mnemic.records.conversation import Branch, Line, Session, SessionSort, Turn
from mnemic.records.item import Order
from mnemic.records.memory import Scope, ScopeKind
from mnemic.storage.database import Database, Row
from mnemic.storage.selections import Selection, Where
from mnemic.storage.timestamps import from_micros, to_micros

_LAST: Final = 2**62
_SESSIONS: Final = Selection(account="c.account_id", made="c.scope_id")


@dataclass(frozen=True, slots=True)
class Address:
    """Where a session is kept: the number of its scope, and its id."""

    scope_id: int
    id: str

    @property
    def values(self) -> dict[str, Any]:
        """What every statement about a session is given."""
        return {"scope_id": self.scope_id, "conversation_id": self.id}


@dataclass(frozen=True, slots=True)
class TurnOnPath:
    """One turn along a branch: its active version, and what was found in it, if anybody looked,
    as JSON.

    A turn keeps the time at which it was added; its version may have come much later, and have been
    said at any time.
    """

    number: int
    turn_id: str
    version: int
    added_at: datetime
    said_at: datetime
    found: str | None
    occurred_at: datetime | None = None

    @property
    def dated(self) -> datetime:
        """From when "tomorrow" is counted: an app may say when something was said; else it was when
        the turn was added, whichever version it is.
        """
        return self.occurred_at or self.added_at

    @property
    def is_read(self) -> bool:
        """Whether somebody looked for what is worth keeping."""
        return self.found is not None

    @property
    def extraction(self) -> dict[str, Any]:
        """What was found; nobody may change it."""
        return _parsed(self.found or "{}")


@lru_cache(maxsize=512)
def _parsed(found: str) -> dict[str, Any]:
    return json.loads(found)


def find(db: Database, scope_id: int) -> Session | None:
    """Return the session of a scope."""
    found = db.all("sessions_page", filter=_SESSIONS.having([_in(scope_id)]), limit=1, offset=0)
    return _session(found[0]) if found else None


def is_there(db: Database, session: Address, branch_id: str | None = None) -> bool:
    """Tell whether there is a session; with a branch, whether it has that."""
    if branch_id is None:
        return db.one("session_there", **session.values) is not None
    return db.one("branch_there", **session.values, branch_id=branch_id) is not None


def page(
    db: Database, *, sort: SessionSort, order: Order, limit: int, offset: int
) -> tuple[list[Session], int]:
    """Return a page of the account's sessions, and how many there are."""
    chosen = _SESSIONS.sorted_by(f"c.{sort}", order)
    rows = db.all("sessions_page", filter=chosen, limit=limit, offset=offset)
    return [_session(row) for row in rows], db.only("sessions_count", filter=_SESSIONS)["sessions"]


def begin(db: Database, session: Address, *, now: datetime) -> None:
    """Make a session where there is none."""
    db.run("conversation_add", scope_id=session.scope_id, id=session.id, now=to_micros(now))


def touch(db: Database, session: Address, *, now: datetime) -> None:
    """Write down that something happened in a session."""
    db.run("session_touch", **session.values, now=to_micros(now))


def drop(db: Database, session: Address) -> None:
    """Delete a session with its branches and everything that was said in it."""
    db.run("conversation_drop", **session.values)


def branches(db: Database, session: Address) -> list[Branch]:
    """Return the branches of a session, in the order in which they were made."""
    return [
        Branch(
            id=row["id"],
            session_id=session.id,
            parent=row["parent"],
            forked_at=row["forked_at"],
            floors=row["floors"],
            created_at=from_micros(row["created_at"]),
        )
        for row in db.all("branches_of_session", **session.values)
    ]


def add_branch(
    db: Database,
    session: Address,
    branch_id: str,
    *,
    parent: str | None,
    forked_at: int | None,
    now: datetime,
) -> bool:
    """Add a branch, which begins with its parent's turns; tell whether it is new."""
    made = db.one(
        "branch_add",
        **session.values,
        id=branch_id,
        parent=parent,
        forked_at=forked_at,
        now=to_micros(now),
    )
    if made is None:
        return False
    if parent is not None and forked_at is not None:
        db.run("path_fork", **session.values, branch_id=branch_id, from_branch=parent, at=forked_at)
    return True


def drop_branch(db: Database, session: Address, branch_id: str) -> list[str]:
    """Delete a branch; return the turns that stand in no other one, which are still there."""
    db.run("branch_drop", **session.values, id=branch_id)
    return [row["id"] for row in db.all("turns_orphaned", **session.values)]


def last_number(db: Database, session: Address, branch_id: str) -> int | None:
    """Return the number of a branch's last turn; None where it has none."""
    return db.only("path_last", **session.values, branch_id=branch_id)["number"]


def add_turn(
    db: Database,
    session: Address,
    turn_id: str,
    *,
    branch_id: str,
    number: int,
    idempotency_key: str | None,
    now: datetime,
) -> None:
    """Add a turn at the end of a branch; what is said in it comes as its versions."""
    db.run(
        "turn_add",
        **session.values,
        id=turn_id,
        number=number,
        idempotency_key=idempotency_key,
        now=to_micros(now),
    )
    db.run("path_add", **session.values, branch_id=branch_id, number=number, turn_id=turn_id)


def add_version(
    db: Database,
    turn_id: str,
    version: int,
    lines: Sequence[tuple[str, Line]],
    *,
    occurred_at: datetime | None = None,
    now: datetime,
) -> None:
    """Add a version of a turn and make it the active one; lines come with their ids."""
    when = None if occurred_at is None else to_micros(occurred_at)
    db.run("version_add", turn_id=turn_id, number=version, now=to_micros(now), occurred_at=when)
    db.many(
        "message_add",
        [
            {
                "turn_id": turn_id,
                "version": version,
                "position": position,
                "id": message_id,
                "role": line.role,
                "name": line.name,
                "content": line.content,
            }
            for position, (message_id, line) in enumerate(lines)
        ],
    )
    activate(db, turn_id, version, now=now)


def activate(db: Database, turn_id: str, version: int, *, now: datetime) -> None:
    """Make a version of a turn the one that counts."""
    db.run("turn_activate", id=turn_id, version=version, now=to_micros(now))


def drop_turns(db: Database, turn_ids: Sequence[str]) -> None:
    """Delete turns from every branch, with all that was said in them."""
    db.run("turns_drop", ids=list(turn_ids))


def turn_with_key(db: Database, session: Address, key: str) -> str | None:
    """Return the turn that was added under an idempotency key."""
    row = db.one("turn_by_key", **session.values, idempotency_key=key)
    return None if row is None else row["id"]


def turn_ids(db: Database, session: Address) -> list[str]:
    """Return all turns of a session, in whichever branch."""
    return [row["id"] for row in db.all("turns_of_session", **session.values)]


def places_of(db: Database, turn_id: str) -> dict[str, int]:
    """Return the branches in which a turn stands, and its number in each."""
    return {row["branch_id"]: row["number"] for row in db.all("branches_of_turn", turn_id=turn_id)}


def floor(db: Database, session: Address, turn_id: str) -> Turn | None:
    """Return a turn of a session with its active version."""
    row = db.one("floor_get", **session.values, id=turn_id)
    return None if row is None else _floors(db, session, [row])[0]


def floors(
    db: Database, session: Address, branch_id: str, *, order: Order, limit: int, offset: int
) -> list[Turn]:
    """Return a page of a branch's turns, each with its active version."""
    rows = db.all(
        "floors_of_branch",
        **session.values,
        branch_id=branch_id,
        descending=order == "desc",
        limit=limit,
        offset=offset,
    )
    return _floors(db, session, rows, branch_id=branch_id)


def path(
    db: Database, session: Address, branch_id: str, *, first: int = 0, last: int = _LAST
) -> list[TurnOnPath]:
    """Return the turns of a branch between two numbers, in order."""
    place = {**session.values, "branch_id": branch_id}
    rows = db.all("path_of_branch", **place, first=first, last=last)
    return [
        TurnOnPath(
            number=row["number"],
            turn_id=row["id"],
            version=row["version"],
            added_at=from_micros(row["added_at"]),
            said_at=from_micros(row["said_at"]),
            found=row["extraction"],
            occurred_at=_moment(row["occurred_at"]),
        )
        for row in rows
    ]


def last_read(db: Database, session: Address, branch_id: str) -> int | None:
    """Return the number of the last turn of a branch that somebody looked into."""
    row = db.one("path_last_read", **session.values, branch_id=branch_id)
    return None if row is None else row["number"]


def next_naming(
    db: Database, session: Address, branch_id: str, names: Iterable[str], *, after: int
) -> int | None:
    """Return the number of the next turn of a branch in which a key or a reference was found."""
    written = [json.dumps(name, ensure_ascii=False) for name in names]
    place = {**session.values, "branch_id": branch_id}
    row = db.one("path_naming", **place, after=after, names=written)
    return None if row is None else row["number"]


def first_since(db: Database, session: Address, branch_id: str, moment: datetime) -> int | None:
    """Return the number of the first turn of a branch that was added at a moment or later."""
    row = db.one("path_since", **session.values, branch_id=branch_id, at=to_micros(moment))
    return None if row is None else row["number"]


def lines_of(db: Database, turn_ids: Iterable[str]) -> dict[str, tuple[Line, ...]]:
    """Return what was said in the active versions of turns."""
    said: defaultdict[str, list[Line]] = defaultdict(list)
    for row in db.all("messages_of_versions", ids=list(turn_ids)):
        said[row["turn_id"]].append(Line(row["role"], row["content"], row["name"], row["id"]))
    return {turn_id: tuple(lines) for turn_id, lines in said.items()}


def said_at_first(db: Database, turn_id: str) -> tuple[Line, ...]:
    """Return what was said in a turn before it was ever swiped."""
    rows = db.all("messages_at_first", turn_id=turn_id)
    return tuple(Line(row["role"], row["content"], row["name"], row["id"]) for row in rows)


def versions_of(db: Database, turn_id: str) -> dict[int, tuple[Line, ...]]:
    """Return what was said in each version of a turn, by its number."""
    said: defaultdict[int, list[Line]] = defaultdict(list)
    for row in db.all("messages_of_turn", turn_id=turn_id):
        said[row["version"]].append(Line(row["role"], row["content"], row["name"], row["id"]))
    return {version: tuple(lines) for version, lines in said.items()}


def keep_extraction(db: Database, turn_id: str, version: int, extraction: dict[str, Any]) -> None:
    """Keep what was found in a version."""
    db.run("version_keep", turn_id=turn_id, number=version, extraction=written(extraction))


def written(extraction: dict[str, Any]) -> str:
    """Return what was found in a version as it is stored."""
    return json.dumps(extraction, ensure_ascii=False)


def scopes_named(db: Database, kind: ScopeKind, names: Sequence[str]) -> dict[Scope, int]:
    """Return which of some scopes exist, with their numbers."""
    rows = db.all("scopes_named", kind=kind, names=list(names))
    return {Scope(row["kind"], row["name"]): row["id"] for row in rows}


def drop_work(db: Database, scope_ids: Sequence[int]) -> None:
    """Delete the jobs and the states of scopes that are gone."""
    for name in ("jobs_of_scopes_drop", "scope_states_drop", "struck_drop"):
        db.run(name, scope_ids=list(scope_ids))


def _in(scope_id: int) -> Where:
    return Where("c.scope_id", "=", scope_id)


def _session(row: Row) -> Session:
    return Session(
        id=row["id"],
        branches=row["branches"],
        floors=row["floors"],
        created_at=from_micros(row["created_at"]),
        updated_at=from_micros(row["updated_at"]),
    )


def _floors(
    db: Database, session: Address, rows: Sequence[Row], *, branch_id: str | None = None
) -> list[Turn]:
    said = lines_of(db, [row["id"] for row in rows])
    return [
        Turn(
            id=row["id"],
            session_id=session.id,
            number=row["number"],
            version=row["version"],
            versions=row["versions"],
            lines=said.get(row["id"], ()),
            created_at=from_micros(row["created_at"]),
            updated_at=from_micros(row["updated_at"]),
            given_at=_moment(row["occurred_at"]),
            branch_id=branch_id or min(places_of(db, row["id"]), key=_main_first),
        )
        for row in rows
    ]


def _moment(micros: int | None) -> datetime | None:
    return None if micros is None else from_micros(micros)


def _main_first(branch_id: str) -> tuple[bool, str]:
    return branch_id != "main", branch_id
