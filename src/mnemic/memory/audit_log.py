"""Who did what: the one place where an act is written to the audit log, and read from it."""

from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime
from typing import Final

from mnemic.memory.workspace import Workspace
from mnemic.records.audit_entry import Act, AuditEntry, Outcome
from mnemic.records.item import Page
from mnemic.records.memory import Scope
from mnemic.storage.rows import audit_rows
from mnemic.telemetry.request_ids import current_request

MOST_REFUSED: Final = 10_000
"""How many entries about refused keys are kept: strangers cause them, and must fill no disk."""


def record(
    workspace: Workspace,
    act: Act,
    *,
    target: str | Scope | None = None,
    counts: Mapping[str, int] | None = None,
    outcome: Outcome = "done",
    account: str | None = None,
    actor: str | None = None,
    address: str | None = None,
) -> None:
    """Write down an act, in the name of who works here unless another one is given.

    Call it inside of the writing transaction that does the act: both are kept, or neither.
    `target` is an id, a file or a scope: never a text of a memory, and nothing of a key but its id.
    """
    owner = None if workspace.key_id else workspace.settings.actor
    audit_rows.add(
        workspace.db,
        act,
        at=workspace.clock(),
        actor=actor or owner,
        key_id=workspace.key_id,
        outcome=outcome,
        account=account,
        target=target,
        counts=counts,
        request_id=current_request(),
        address=address,
    )
    if act == "key.refused":
        audit_rows.trim_refused(workspace.db, kept=MOST_REFUSED)


class AuditLog:
    """What was done to a store, and by whom."""

    def __init__(self, workspace: Workspace) -> None:
        self._workspace = workspace

    def add(
        self,
        act: Act,
        *,
        actor: str | None = None,
        account: str | None = None,
        target: str | None = None,
        counts: Mapping[str, int] | None = None,
        outcome: Outcome = "done",
        address: str | None = None,
    ) -> None:
        """Write down an act that has no transaction of its own here, such as an export. Without
        an account it is about the whole store.
        """
        everywhere = replace(self._workspace, db=self._workspace.db.as_account(None))
        everywhere.db.write(
            lambda: record(
                everywhere,
                act,
                actor=actor,
                account=account,
                target=target,
                counts=counts,
                outcome=outcome,
                address=address,
            )
        )

    def entries(
        self,
        *,
        of_all: bool = False,
        account: str | None = None,
        act: Act | None = None,
        since: datetime | None = None,
        limit: int = 50,
        offset: int = 0,
    ) -> Page[AuditEntry]:
        """Return a page of what was done to this account, the latest first; with `of_all`, to the
        whole store.
        """
        own = self._workspace.db
        db = own.as_account(None) if of_all else own
        rows, total = db.read(
            lambda: audit_rows.page(
                db, account=account, act=act, since=since, limit=limit, offset=offset
            )
        )
        return Page(tuple(self._named(*row) for row in rows), total)

    def _named(
        self, entry: AuditEntry, account_number: int | None, scope_id: int | None
    ) -> AuditEntry:
        target = entry.target or audit_rows.target_name(
            self._workspace.db, account_number, scope_id
        )
        return replace(entry, target=target)
