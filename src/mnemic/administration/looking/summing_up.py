"""What an account holds and what lately happened to it, without reading a memory."""

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from typing import Final

from mnemic.administration.stats import Filled
from mnemic.memory.workspace import Workspace
from mnemic.records.memory import JobStatus, MemoryKind, ScopeKind, Verb
from mnemic.storage.chat_rows import job_rows
from mnemic.storage.rows import document_rows, edge_rows, event_rows, scope_rows, tally_rows
from mnemic.storage.selections import Where

# Of so many events the days are counted: some milliseconds.
_LATEST: Final = 20_000
_EPOCH: Final = date(1970, 1, 1)
_DAYS: Final = 30


@dataclass(frozen=True, slots=True)
class Summary:
    """What an account holds. `days` counts the events of each of the last 30 days, as far back as
    they were read.
    """

    memories: Mapping[ScopeKind, Mapping[MemoryKind, int]]
    scopes: Mapping[ScopeKind, int]
    fullest: tuple[Filled, ...]
    days: Mapping[date, Mapping[Verb, int]]
    days_are_whole: bool
    """Whether the events of all 30 days were read."""
    now: datetime


@dataclass(frozen=True, slots=True)
class Attention:
    """What somebody should look at."""

    conflicts: int
    """How many pairs of memories are known to contradict each other."""

    jobs: Mapping[JobStatus, int]
    vectors_missing: int | None
    """How many memories have no vector; None where none are kept."""


def summary(workspace: Workspace, *, scopes: int) -> Summary:
    """Return what the account holds, with the fullest scopes of each kind."""
    db, now = workspace.db, workspace.clock()
    days: dict[date, dict[Verb, int]] = defaultdict(dict)
    read = 0
    for row in event_rows.by_day(db, latest=_LATEST):
        days[_EPOCH + timedelta(days=row["day"])][row["verb"]] = row["events"]
        read += row["events"]
    first = now.astimezone(UTC).date() - timedelta(days=_DAYS - 1)
    return Summary(
        memories=tally_rows.of_account(db),
        scopes=scope_rows.numbers(db),
        fullest=tuple(
            Filled(row["scope_kind"], row["scope_name"], row["memories"])
            for row in tally_rows.by_scope(db, limit=scopes)
        ),
        days={day: events for day, events in days.items() if day >= first},
        days_are_whole=read < _LATEST or min(days) < first,
        now=now,
    )


def attention(workspace: Workspace) -> Attention:
    """Return what somebody should look at. Vectors that are missing are counted."""
    db = workspace.db
    keeps = workspace.settings.embedder != "none" and db.keeps_vectors
    return Attention(
        conflicts=edge_rows.count(db, [Where("e.relation", "=", "contradicts")]),
        jobs=job_rows.counts(db),
        vectors_missing=document_rows.count_without_vectors(db) if keeps else None,
    )
