"""Accounts, and the scopes in which their memories are visible."""

from dataclasses import dataclass
from datetime import datetime

from mnemic.records import Scope, ScopeKind
from mnemic.storage.database import Database
from mnemic.storage.times import from_micros, to_micros


@dataclass(frozen=True, slots=True)
class DecayClock:
    """How far a scope's confidences have aged, and how fast."""

    at: datetime | None
    rate: float


def ensure_account(db: Database, name: str, *, now: datetime) -> int:
    """Return the account's number; it is made on first use."""
    row = db.one("account_find", name=name)
    if row is None:
        with db.writing():
            db.run("account_add", name=name, now=to_micros(now))
        row = db.only("account_find", name=name)
    return row["id"]


def find(db: Database, account_id: int, scope: Scope) -> int | None:
    """Return the scope's number, or None when nothing was ever put there."""
    row = db.one("scope_find", account_id=account_id, kind=scope.kind, name=scope.name)
    return row["id"] if row else None


def ensure(db: Database, account_id: int, scope: Scope, *, now: datetime) -> int:
    """Return the scope's number; it is made on first use. Call it inside a writing transaction."""
    found = find(db, account_id, scope)
    if found is not None:
        return found
    return db.only(
        "scope_add", account_id=account_id, kind=scope.kind, name=scope.name, now=to_micros(now)
    )["id"]


def counts(db: Database, account: str, kind: ScopeKind) -> dict[str, int]:
    """Return how many memories in use each of an account's scopes holds, by name."""
    found = db.one("account_find", name=account)
    if found is None:
        return {}
    rows = db.all("scope_counts", account_id=found["id"], kind=kind)
    return {row["name"]: row["memories"] for row in rows}


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
