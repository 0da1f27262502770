"""What a store needs besides its jobs: vectors, maintenance, and an end to old jobs.

All of it is for every account, in portions that take a moment, so that no job waits long for it.
"""

from dataclasses import replace
from datetime import timedelta
from typing import Final

from mnemic.engine import maintaining
from mnemic.engine.embedding import Portion, embed_some
from mnemic.engine.workspace import Workspace
from mnemic.records import Scope
from mnemic.storage import jobs, scopes

KEPT_DAYS: Final = 30
"""For how many days it can be seen what became of a job."""

_JOBS: Final = 500


class Upkeep:
    """One store, seen by whoever looks after all of its accounts, which are told by number."""

    def __init__(self, workspace: Workspace) -> None:
        self._workspace = workspace

    def accounts(self) -> list[int]:
        """Return the numbers of all accounts."""
        return scopes.accounts(self._workspace.db.as_account(None))

    def own_account(self) -> int | None:
        """Return the number of the account as which this memory was opened."""
        everywhere = self._workspace.db.as_account(None)
        return scopes.account_named(everywhere, self._workspace.settings.account)

    def embed(self, account: int, *, after: int, limit: int, wait: bool) -> Portion | None:
        """Give vectors to some of an account's memories that have none; None where no embedder is
        there now, and `wait` does not wait for it to be loaded.
        """
        return embed_some(self._of(account), after=after, limit=limit, wait=wait)

    def ageing(self, account: int) -> list[Scope]:
        """Return the scopes of an account that hold something old and had no maintenance today."""
        return maintaining.due(self._of(account))

    def maintain(self, account: int, scope: Scope) -> None:
        """Line up the maintenance of a scope of an account."""
        maintaining.ask_for(self._of(account), scope)

    def forget_jobs(self, account: int) -> int:
        """Remove some of an account's jobs that were over 30 days ago; return how many, 0 where
        none is left.
        """
        workspace = self._of(account)
        before = workspace.clock() - timedelta(days=KEPT_DAYS)
        db = workspace.db
        return db.write(lambda: jobs.purge(db, before=before, limit=_JOBS))

    def _of(self, account: int) -> Workspace:
        return replace(self._workspace, db=self._workspace.db.as_account(account))
