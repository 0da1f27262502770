"""What whoever runs a server wants to know of a memory: whether it works, and how large it is.

It tells of the whole store and of no account by name, and changes nothing.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from threading import Lock
from typing import Final

from mnemic.memory.workspace import Workspace
from mnemic.records.memory import JobStatus, ScopeKind
from mnemic.storage import measures
from mnemic.storage.rows import scope_rows

# Counting takes a moment for each account, so a large store is counted in turns.
_ACCOUNTS: Final = 200


@dataclass(frozen=True, slots=True)
class StoreSize:
    """What a store holds. Of more than 200 accounts, the memories are counted in turns: the sum
    follows what is written some looks later.
    """

    bytes: int
    schema: int
    accounts: int
    memories: Mapping[ScopeKind, int]
    jobs: Mapping[tuple[str, JobStatus], int]
    """How many wait or are being done, by kind and status."""


class Inspection:
    """One store, seen by whoever looks after it. Threads may share it."""

    def __init__(self, workspace: Workspace) -> None:
        self._workspace = workspace
        self._lock = Lock()
        self._counted: dict[int, Mapping[ScopeKind, int]] = {}
        self._next = 0

    @property
    def embedder(self) -> str:
        """The state of the embedder: `off`, `idle`, `loading`, `ready` or `broken`."""
        return self._workspace.embedder.state.partition(":")[0]

    def check_store(self) -> str | None:
        """Return why nothing could be written, if anything is known to stand against it; else
        read a row, and raise where that fails. Nothing is written to find out.
        """
        everywhere = self._workspace.db.as_account(None)
        # First, because a file that is gone would be made anew by reading it.
        obstacle = everywhere.obstacle()
        if obstacle is None:
            measures.check(everywhere)
        return obstacle

    def measure(self) -> StoreSize:
        """Return how large the store is, and what waits in it."""
        everywhere = self._workspace.db.as_account(None)
        size = measures.size(everywhere)
        accounts = scope_rows.accounts(everywhere)
        return StoreSize(
            bytes=size.bytes,
            schema=size.schema,
            accounts=len(accounts),
            memories=self._memories(accounts),
            jobs=measures.unfinished_jobs(everywhere),
        )

    def _memories(self, accounts: list[int]) -> dict[ScopeKind, int]:
        with self._lock:
            first = self._next if self._next < len(accounts) else 0
            turn = (accounts[first:] + accounts[:first])[:_ACCOUNTS]
            self._next = first + len(turn)
            for account in turn:
                self._counted[account] = measures.memories(self._workspace.db.as_account(account))
            total: dict[ScopeKind, int] = {}
            for counted in self._counted.values():
                for kind, number in counted.items():
                    total[kind] = total.get(kind, 0) + number
            return total
