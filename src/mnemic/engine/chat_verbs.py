"""A chat's view of the engine: items, edges, sessions, background work and what to inject."""

from collections.abc import Callable, Sequence
from typing import Final, TypeVar

from mnemic.administration.erasing import erase as erasing
from mnemic.administration.erasing.erasure_targets import ErasureTarget
from mnemic.chat import context as contexts
from mnemic.chat import conversations, edges, item_lists, items, turns
from mnemic.chat.jobs import compact as compacting
from mnemic.chat.jobs import execute, job_lists
from mnemic.chat.jobs import maintain as maintaining
from mnemic.chat.jobs import rebuild as rebuilding
from mnemic.chat.jobs.enqueue import ingest_job_id
from mnemic.chat.jobs.execute import LeasedJob
from mnemic.chat.jobs.maintain import Aged
from mnemic.memory.workspace import Workspace
from mnemic.records.conversation import (
    MAIN,
    Branch,
    Compaction,
    ContextBlock,
    ContextQuery,
    Ingest,
    IngestMode,
    JobFilter,
    JobSort,
    Line,
    Queued,
    ScopeState,
    Session,
    SessionSort,
    StateSort,
    Turn,
    branch_scope,
)
from mnemic.records.erasure import ErasedKind, Erasure
from mnemic.records.item import (
    FIRST_PAGE,
    Edge,
    Item,
    ItemChange,
    ItemFilter,
    ItemStats,
    ItemStatus,
    NewItem,
    Order,
    Page,
    Paging,
    Relation,
)
from mnemic.records.memory import DEFAULT_USER, Job, Scope, ScopeKind

T = TypeVar("T")

_SYNC_WORKER: Final = "sync"


class ChatMemory:
    """One account's memory as a chat app sees it. Safe to share between threads."""

    def __init__(self, workspace: Workspace) -> None:
        self._workspace = workspace

    @property
    def is_at_hand(self) -> bool:
        """Whether the store is a file here: looking something up by its id never waits."""
        return not self._workspace.settings.is_postgres

    def at_once(self, work: Callable[[], T]) -> T:
        """Do work that writes a little, without waiting: BusyError where another writer is at it,
        and nothing was done then.
        """
        return self._workspace.db.at_once(work)

    def erase(
        self,
        kind: ErasedKind,
        name: str,
        *,
        user: str = DEFAULT_USER.name,
        dry_run: bool = False,
    ) -> Erasure:
        """Remove something with all that follows from it, for ever: see `Engine.erase`."""
        return erasing.erase(self._workspace, ErasureTarget(kind, name, user), dry_run=dry_run)

    def erasures(self, *, limit: int = 50, offset: int = 0) -> Page[Erasure]:
        """Return a page of the receipts of what was erased, the newest first."""
        found = erasing.receipts(self._workspace)[::-1]
        return Page(tuple(found[offset : offset + limit]), len(found))

    def create_item(self, new: NewItem) -> Item:
        """Store an item as it was written; return it once it is kept."""
        return items.create(self._workspace, new)

    def item(self, item_id: str) -> Item:
        """Return an item; a memory of a robot or a user, called `mem_…`, is shown as one."""
        return items.get(self._workspace, item_id)

    def items(self, wanted: ItemFilter, paging: Paging = FIRST_PAGE) -> Page[Item]:
        """Return a page of the items that a filter means, and how many those are in all."""
        return item_lists.listed(self._workspace, wanted, paging)

    def item_stats(self, wanted: ItemFilter) -> ItemStats:
        """Return what the items that a filter means come to."""
        return item_lists.stats(self._workspace, wanted)

    def change_item(self, item_id: str, wanted: ItemChange) -> Item:
        """Change what is named of an item; return it as it is then."""
        return items.change(self._workspace, item_id, wanted)

    def delete_item(self, item_id: str) -> None:
        """Delete an item, with its edges."""
        items.delete(self._workspace, item_id)

    def delete_items(self, ids: Sequence[str]) -> list[bool]:
        """Delete items, all in one transaction; tell of each whether it was there."""
        return items.delete_many(self._workspace, ids)

    def set_status(self, ids: Sequence[str], status: ItemStatus) -> list[Item | None]:
        """Give items a status, all in one transaction; None for what is not there."""
        return items.set_status(self._workspace, ids, status)

    def create_edge(self, from_id: str, to_id: str, relation: Relation) -> Edge:
        """Relate two memories, which may be the same one; return the edge once it is kept."""
        return edges.create(self._workspace, from_id, to_id, relation)

    def edge(self, edge_id: str) -> Edge:
        """Return an edge."""
        return edges.get(self._workspace, edge_id)

    def edges(
        self,
        *,
        from_id: str | None = None,
        to_id: str | None = None,
        relation: Relation | None = None,
        order: Order = "desc",
        limit: int = 50,
        offset: int = 0,
    ) -> Page[Edge]:
        """Return a page of the edges that begin, end or are called as asked, by time."""
        return edges.listed(
            self._workspace,
            from_id=from_id,
            to_id=to_id,
            relation=relation,
            order=order,
            limit=limit,
            offset=offset,
        )

    def change_edge(self, edge_id: str, relation: Relation) -> Edge:
        """Call an edge by another relation; return it."""
        return edges.change(self._workspace, edge_id, relation)

    def delete_edge(self, edge_id: str) -> None:
        """Delete an edge."""
        edges.delete(self._workspace, edge_id)

    def jobs(
        self,
        wanted: JobFilter,
        *,
        sort: JobSort = "created_at",
        order: Order = "desc",
        limit: int = 50,
        offset: int = 0,
    ) -> Page[Job]:
        """Return a page of the background work that a filter means."""
        page = (sort, order, limit, offset)
        return job_lists.listed(self._workspace, wanted, *page)

    def job(self, job_id: str) -> Job:
        """Return one job."""
        return job_lists.existing(self._workspace, job_id)

    def retry_job(self, job_id: str) -> Queued:
        """Enqueue a dead or cancelled job anew, with all its attempts."""
        return job_lists.retry(self._workspace, job_id)

    def cancel_job(self, job_id: str) -> Queued:
        """Cancel a job that waits."""
        return job_lists.cancel(self._workspace, job_id)

    def scope_states(
        self,
        *,
        scope_kind: ScopeKind | None = None,
        scope_name: str | None = None,
        sort: StateSort = "updated_at",
        order: Order = "desc",
        limit: int = 50,
        offset: int = 0,
    ) -> Page[ScopeState]:
        """Return a page of how far the background work of scopes is."""
        page = (sort, order, limit, offset)
        return job_lists.states(self._workspace, scope_kind, scope_name, *page)

    def rebuild(
        self,
        scope: Scope,
        *,
        trigger_floor_id: str | None = None,
        force_compaction: bool = True,
    ) -> Queued:
        """Enqueue the rebuilding of a scope from its turns."""
        return rebuilding.ask_for(
            self._workspace,
            scope,
            trigger_floor_id=trigger_floor_id,
            force_compaction=force_compaction,
        )

    def compact(
        self, scope: Scope, *, trigger_floor_id: str | None = None, force: bool = True
    ) -> Compaction:
        """Enqueue a compaction of a scope's summaries; refuse where there is nothing to compact."""
        return compacting.ask_for(
            self._workspace, scope, force=force, trigger_floor_id=trigger_floor_id
        )

    def maintenance(self, scope: Scope) -> list[Aged]:
        """Return what maintenance of a scope would do now, without doing it."""
        return maintaining.plan(self._workspace, scope)

    def maintain(self, scope: Scope) -> Queued:
        """Enqueue the maintenance of a scope."""
        return maintaining.ask_for(self._workspace, scope, by_hand=True)

    def maintain_all(self) -> int:
        """Enqueue the maintenance of every scope that needs it and had none today; return of how
        many.
        """
        due = maintaining.due(self._workspace)
        for scope in due:
            maintaining.ask_for(self._workspace, scope, by_hand=True)
        return len(due)

    def take_job(self, worker: str, *, scope: Scope | None = None) -> LeasedJob | None:
        """Take the oldest job that is due, of any account, or the next of one scope."""
        return execute.take(self._workspace, worker, scope=scope)

    def wait_for_job(self, seconds: float, *, since: int = 0) -> int:
        """Wait until there may be a new job; return the mark for the next wait."""
        return self._workspace.db.wait(seconds, since=since)

    def create_session(self, session_id: str | None = None) -> Session:
        """Begin a session, under an id of the caller's or a new one."""
        return conversations.create(self._workspace, session_id)

    def sessions(
        self,
        *,
        sort: SessionSort = "created_at",
        order: Order = "desc",
        limit: int = 50,
        offset: int = 0,
    ) -> Page[Session]:
        """Return a page of the sessions."""
        return conversations.listed(
            self._workspace, sort=sort, order=order, limit=limit, offset=offset
        )

    def session(self, session_id: str) -> Session:
        """Return one session."""
        return conversations.existing(self._workspace, session_id)

    def delete_session(self, session_id: str) -> None:
        """Delete a session with all that was said, is remembered and is to be done."""
        conversations.delete(self._workspace, session_id)

    def branches(
        self, session_id: str, *, order: Order = "asc", limit: int = 50, offset: int = 0
    ) -> Page[Branch]:
        """Return a page of a session's branches, by the time they were made."""
        found = conversations.branches(self._workspace, session_id)
        ordered = found[::-1] if order == "desc" else found
        return Page(tuple(ordered[offset : offset + limit]), len(found))

    def create_branch(
        self,
        session_id: str,
        branch_id: str,
        *,
        from_branch: str = MAIN,
        at_floor_no: int | None = None,
    ) -> Branch:
        """Fork a branch at a floor: it begins with the turns and the memory up to there."""
        return conversations.fork(
            self._workspace, session_id, branch_id, parent=from_branch, at=at_floor_no
        )

    def delete_branch(self, session_id: str, branch_id: str) -> None:
        """Delete a branch with its own turns, memory and jobs."""
        conversations.delete_branch(self._workspace, session_id, branch_id)

    def add_turn(
        self,
        session_id: str,
        lines: Sequence[Line],
        *,
        branch_id: str = MAIN,
        mode: IngestMode = "async",
        idempotency_key: str | None = None,
    ) -> tuple[Turn, Ingest]:
        """Add a turn; it is taken in by a worker, or, with `sync`, before this returns."""
        floor, job_id = turns.add(
            self._workspace,
            session_id,
            lines,
            branch_id=branch_id,
            idempotency_key=idempotency_key,
        )
        scope = branch_scope(session_id, branch_id)
        job_id = job_id or ingest_job_id(scope, floor.id, floor.version)
        return floor, self._ingested(mode, [Queued(job_id, created=True, scope=scope)])

    def turns(
        self,
        session_id: str,
        *,
        branch_id: str = MAIN,
        order: Order = "asc",
        limit: int = 50,
        offset: int = 0,
    ) -> Page[Turn]:
        """Return a page of a branch's turns, each with its active version."""
        return turns.listed(
            self._workspace,
            session_id,
            branch_id=branch_id,
            order=order,
            limit=limit,
            offset=offset,
        )

    def turn(self, session_id: str, floor_id: str) -> Turn:
        """Return one turn with its active version."""
        return turns.get(self._workspace, session_id, floor_id)

    def change_turn(
        self,
        session_id: str,
        floor_id: str,
        *,
        lines: Sequence[Line] | None = None,
        version: int | None = None,
        mode: IngestMode = "async",
    ) -> tuple[Turn, Ingest]:
        """Give a turn a new version, or make another one active. What came from the one before is
        gone at once.
        """
        floor, queued = turns.change(
            self._workspace, session_id, floor_id, lines=lines, version=version
        )
        return floor, self._ingested(mode, queued)

    def delete_turn(self, session_id: str, floor_id: str) -> None:
        """Delete a turn from every branch, with what came from it."""
        turns.delete(self._workspace, session_id, floor_id)

    def context(self, query: ContextQuery) -> ContextBlock:
        """Return what to inject for a query, with reasons; what is chosen counts as used."""
        return contexts.context(self._workspace, query)

    def _ingested(self, mode: IngestMode, queued: Sequence[Queued]) -> Ingest:
        """Tell how far the taking in of a turn is; with `sync`, do it first."""
        if not queued:
            return Ingest(mode, "succeeded", None)
        if mode == "sync":
            for one in queued:
                execute.work_off(self._workspace, one.job_id, one.scope, worker=_SYNC_WORKER)
        job = job_lists.existing(self._workspace, queued[0].job_id)
        return Ingest(mode, job.status, job.id, job.last_error)
