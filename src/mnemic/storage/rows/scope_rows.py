"""Accounts, and the scopes in which their memories are visible."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from mnemic.errors import StateError
from mnemic.records.memory import Scope, ScopeKind
from mnemic.storage.database import Database
from mnemic.storage.timestamps import from_micros, maybe_from_micros, to_micros


@dataclass(frozen=True, slots=True)
class DecayClock:
    """How far a scope's confidences have aged, and how fast."""

    at: datetime | None
    rate: float


@dataclass(frozen=True, slots=True)
class ListedScope:
    """A scope, how many memories it has in use, since when it is there, and when one of its
    memories last changed; None where it never had one.
    """

    name: str
    memories: int
    created_at: datetime
    changed_at: datetime | None


def ensure_account(db: Database, name: str, *, now: datetime) -> int:
    """Return the account's number; it is made on first use."""
    row = db.one("account_find", name=name)
    if row is None:
        db.write(lambda: db.run("account_add", name=name, now=to_micros(now)))
        row = db.only("account_find", name=name)
    return row["id"]


def account_named(db: Database, name: str) -> int | None:
    """Return an account's number, or None when there is none."""
    row = db.one("account_find", name=name)
    return row["id"] if row else None


def accounts(db: Database) -> list[int]:
    """Return the numbers of all accounts of the store."""
    return [row["id"] for row in db.all("accounts_all")]


def find(db: Database, scope: Scope) -> int | None:
    """Return the scope's number, or None when nothing was ever put there."""
    row = db.one("scope_find", kind=scope.kind, name=scope.name)
    return row["id"] if row else None


def find_at(db: Database, scope: Scope, moment: datetime) -> tuple[int, bool] | None:
    """Return the scope's number, and whether something in it expired by a moment and was not taken
    out yet; None when nothing was ever put there.
    """
    row = db.one("scope_find_at", kind=scope.kind, name=scope.name, moment=to_micros(moment))
    return (row["id"], bool(row["overdue"])) if row else None


def named(db: Database, scope_id: int) -> Scope | None:
    """Return the scope that has a number, or None when it is another account's."""
    row = db.one("scope_named", scope_id=scope_id)
    return Scope(row["kind"], row["name"]) if row else None


def hold(db: Database, scope: Scope, *, now: datetime) -> int:
    """Return the scope's number; it is made on first use. Until the end of the transaction nobody
    else changes what is in it: what is read from here on is what will be changed.
    """
    values = {"kind": scope.kind, "name": scope.name}
    row = db.one("scope_hold", **values) or db.one("scope_add", **values, now=to_micros(now))
    # Made by another writer in between.
    row = row or db.one("scope_hold", **values)
    if row is None:
        raise StateError("This account was erased while its memory was open. Open it anew.")
    return row["id"]


def made_at(db: Database, scope_id: int | None) -> datetime:
    """Return since when a scope is there, or, for None, the account."""
    if scope_id is None:
        return from_micros(db.only("account_made")["created_at"])
    return from_micros(db.only("scope_made", scope_id=scope_id)["created_at"])


def counts(db: Database, kind: ScopeKind) -> dict[str, int]:
    """Return how many memories in use each of the account's scopes holds, by name."""
    rows = db.all("scope_counts", kind=kind)
    return {row["name"]: row["memories"] for row in rows}


def page(
    db: Database, kind: ScopeKind, *, part: str | None, after: str, limit: int
) -> list[ListedScope]:
    """Return a page of the account's scopes of a kind whose name has a part, by name."""
    rows = db.all("scopes_page", kind=kind, part=part, after=after, limit=limit)
    return [
        ListedScope(
            row["name"],
            row["memories"],
            from_micros(row["created_at"]),
            maybe_from_micros(row["changed_at"]),
        )
        for row in rows
    ]


def numbers(db: Database) -> dict[ScopeKind, int]:
    """Return how many scopes of each kind the account has."""
    return {row["kind"]: row["scopes"] for row in db.all("scope_numbers")}


def of_kinds(db: Database, kinds: Sequence[ScopeKind]) -> dict[int, Scope]:
    """Return the account's scopes of some kinds, by number."""
    rows = db.all("scopes_of_kinds", kinds=list(kinds))
    return {row["id"]: Scope(row["kind"], row["name"]) for row in rows}


def decay_clock(db: Database, scope_id: int) -> DecayClock:
    """Return how far a scope has aged."""
    row = db.only("scope_decay", scope_id=scope_id)
    at = row["decayed_at"]
    return DecayClock(None if at is None else from_micros(at), row["decay_rate"])


def set_decay_clock(db: Database, scope_id: int, *, now: datetime, rate: float) -> int:
    """Age a scope to `now` and return how many of its memories lost confidence."""
    moment = to_micros(now)
    decaying = db.only("scope_decaying", scope_id=scope_id, now=moment)["decaying"]
    db.run("scope_set_decay", scope_id=scope_id, now=moment, rate=rate)
    return decaying
