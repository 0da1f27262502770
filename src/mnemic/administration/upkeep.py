"""What a store needs besides its jobs: vectors, maintenance, and an end to what is too old.

All of it covers every account, in short batches, so that no job waits long for it.
"""

from collections.abc import Iterator
from dataclasses import replace

from mnemic.administration.overdue import end_overdue, overdue
from mnemic.administration.retention import Counts, expire, expired
from mnemic.administration.splitting import split_texts, split_turns
from mnemic.chat.jobs import maintain as maintaining
from mnemic.errors import BusyError
from mnemic.memory.texts.embedding import EmbeddedBatch, embed_some
from mnemic.memory.workspace import Workspace
from mnemic.records.memory import Scope
from mnemic.storage.rows import scope_rows


class Upkeep:
    """One store, seen by whoever looks after all of its accounts, which are told by number."""

    def __init__(self, workspace: Workspace) -> None:
        self._workspace = workspace

    def accounts(self) -> list[int]:
        """Return the numbers of all accounts."""
        return scope_rows.accounts(self._workspace.db.as_account(None))

    def own_account(self) -> int | None:
        """Return the number of the account as which this memory was opened."""
        everywhere = self._workspace.db.as_account(None)
        return scope_rows.account_named(everywhere, self._workspace.settings.account)

    def split(self, account: int) -> Iterator[int]:
        """Give passages to an account's long texts and turns that have none; yield after each short
        transaction how many got some.
        """
        return split_texts(self._of(account))

    def split_turns(self, account: int) -> Iterator[int]:
        """Give passages to an account's turns that have none; yield as above."""
        return split_turns(self._of(account))

    def embed(self, account: int, *, after: int, limit: int, wait: bool) -> EmbeddedBatch | None:
        """Give vectors to some of an account's memories that have none; None where no embedder is
        there now, and `wait` does not wait for it to be loaded.
        """
        return embed_some(self._of(account), after=after, limit=limit, wait=wait)

    def ageing(self, account: int) -> list[Scope]:
        """Return the scopes of an account that hold something old and had no maintenance today."""
        return maintaining.due(self._of(account))

    def maintain(self, account: int, scope: Scope) -> None:
        """Enqueue the maintenance of a scope of an account."""
        maintaining.enqueue_maintenance(self._of(account), scope, audited=False)

    def expire(self, account: int) -> Iterator[Counts]:
        """Remove what an account may no longer keep; yield after each short transaction what
        went.
        """
        return expire(self._of(account))

    def end_overdue(self, account: int) -> Iterator[int]:
        """Take out of use what expired by itself; yield after each short transaction how much that
        was.
        """
        return end_overdue(self._of(account))

    def overdue(self, account: int) -> int:
        """Return how much `end_overdue` would take out of use now."""
        return overdue(self._of(account))

    def expired(self, account: int) -> Counts:
        """Return how much `expire` would remove now."""
        return expired(self._of(account))

    def scrub(self) -> bool:
        """Leave no trace of what was removed in the files of the store; False where somebody still
        reads them.
        """
        try:
            self._workspace.db.scrub()
        except BusyError:
            return False
        return True

    def _of(self, account: int) -> Workspace:
        return replace(self._workspace, db=self._workspace.db.as_account(account))
