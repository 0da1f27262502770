"""The audit log, as the store keeps it: entries are added and read, never changed; only those
about refused keys go, when there are too many.
"""

import json
from collections.abc import Mapping
from datetime import datetime

from mnemic.records.audit_entry import Act, AuditEntry, Outcome
from mnemic.records.memory import Scope
from mnemic.storage.database import Database, Row
from mnemic.storage.rows import scope_rows
from mnemic.storage.timestamps import from_micros, to_micros


def add(
    db: Database,
    act: Act,
    *,
    at: datetime,
    actor: str | None,
    outcome: Outcome = "done",
    account: str | None = None,
    key_id: str | None = None,
    target: str | Scope | None = None,
    counts: Mapping[str, int] | None = None,
    request_id: str | None = None,
    address: str | None = None,
) -> None:
    """Write down one act, in the caller's transaction: of the account that sees this store, unless
    another one is named. Where there is no actor, the key is one.
    """
    scope_id = scope_rows.find(db, target) if isinstance(target, Scope) else None
    db.run(
        "audit_add",
        account=account,
        at=to_micros(at),
        actor=actor,
        key_id=key_id,
        act=act,
        target=None if isinstance(target, Scope) else target,
        scope_id=scope_id,
        counts=json.dumps(dict(counts or {}), sort_keys=True),
        outcome=outcome,
        request_id=request_id,
        address=address,
    )


def trim_refused(db: Database, *, kept: int) -> None:
    """Remove what was written of refused keys, but for the latest. Nothing else is ever removed."""
    db.run("audit_trim_refused", kept=kept)


def page(
    db: Database,
    *,
    account: str | None,
    act: Act | None,
    since: datetime | None,
    limit: int,
    offset: int,
) -> tuple[list[tuple[AuditEntry, int | None, int | None]], int]:
    """Return a page of what this view of the store sees, the latest first, and how many there
    are. With each entry come the numbers of its account and of the scope it is about.
    """
    wanted = {
        "account": account,
        "act": act,
        "since": None if since is None else to_micros(since),
    }
    rows = db.all("audit_page", **wanted, limit=limit, offset=offset)
    return [_entry(row) for row in rows], db.only("audit_count", **wanted)["entries"]


def target_name(db: Database, account_number: int | None, scope_id: int | None) -> str | None:
    """Return what a scope is called now: the name of an erased one is gone."""
    if account_number is None or scope_id is None:
        return None
    scope = scope_rows.named(db.as_account(account_number), scope_id)
    return None if scope is None else f"{scope.kind}/{scope.name}"


def _entry(row: Row) -> tuple[AuditEntry, int | None, int | None]:
    derived = ("at", "counts", "account_number", "scope_id")
    values = {name: value for name, value in row.items() if name not in derived}
    counts = json.loads(row["counts"])
    entry = AuditEntry(at=from_micros(row["at"]), counts=counts, **values)
    return entry, row["account_number"], row["scope_id"]
