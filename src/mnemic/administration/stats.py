"""What an account holds, and what one memory is related to: for people who look."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from mnemic.memory.workspace import Workspace
from mnemic.records.memory import JobStatus, MemoryKind, MemoryStatus, ScopeKind
from mnemic.storage.chat_rows import job_rows as jobs
from mnemic.storage.rows import document_rows, edge_rows, tally_rows


@dataclass(frozen=True, slots=True)
class Linked:
    """A relation of one memory: which way it points, and what stands at the other end."""

    direction: Literal["to", "from"]
    relation: str
    memory_id: int
    status: MemoryStatus
    summary: str


@dataclass(frozen=True, slots=True)
class Filled:
    """A scope and how many memories it has in use."""

    kind: ScopeKind
    name: str
    memories: int


@dataclass(frozen=True, slots=True, kw_only=True)
class AccountStats:
    """What an account holds. What is in use is counted without reading a memory; `statuses` and
    `categories` read them all, about half a second for 100,000.
    """

    memories: int
    """How many are in use."""

    scope_kinds: Mapping[ScopeKind, int]
    """How many of them each kind of scope holds."""

    scopes: Mapping[ScopeKind, int]
    """How many scopes of each kind hold something."""

    fullest: tuple[Filled, ...]
    """The fullest scopes of each kind."""

    kinds: Mapping[MemoryKind, int]
    statuses: Mapping[MemoryStatus, int]
    categories: Mapping[str, int]
    """Of what is in use, by category."""

    vectors_missing: int | None
    """How many have no vector of any model; None where none are kept."""

    jobs: Mapping[JobStatus, int]


def stats(workspace: Workspace, *, scopes: int = 10) -> AccountStats:
    """Return what the account holds, with the fullest scopes of each kind."""
    db = workspace.db
    scope_kinds: Counter[ScopeKind] = Counter()
    kinds: Counter[MemoryKind] = Counter()
    for row in tally_rows.by_kind(db):
        scope_kinds[row["scope_kind"]] += row["memories"]
        kinds[row["kind"]] += row["memories"]
    fullest = tally_rows.by_scope(db, limit=scopes)
    statuses: Counter[MemoryStatus] = Counter()
    categories: Counter[str] = Counter()
    for row in tally_rows.by_category(db):
        statuses[row["status"]] += row["memories"]
        if row["status"] == "active":
            categories[row["category"]] += row["memories"]
    return AccountStats(
        memories=sum(kinds.values()),
        scope_kinds=dict(scope_kinds),
        scopes={row["scope_kind"]: row["scopes"] for row in fullest},
        fullest=tuple(
            Filled(row["scope_kind"], row["scope_name"], row["memories"]) for row in fullest
        ),
        kinds=dict(kinds),
        statuses=dict(statuses),
        categories=dict(categories.most_common()),
        vectors_missing=_vectors_missing(workspace),
        jobs=jobs.counts(db),
    )


def links(workspace: Workspace, memory_id: int, *, limit: int = 100) -> list[Linked]:
    """Return what a memory is related to, in both directions."""
    workspace.existing(memory_id)
    return [
        Linked("to", row["relation"], row["to_id"], row["status"], row["summary"])
        if row["from_id"] == memory_id
        else Linked("from", row["relation"], row["from_id"], row["status"], row["summary"])
        for row in edge_rows.around(workspace.db, memory_id, limit=limit)
    ]


def _vectors_missing(workspace: Workspace) -> int | None:
    if workspace.settings.embedder == "none" or not workspace.db.keeps_vectors:
        return None
    return document_rows.count_without_vectors(workspace.db)
