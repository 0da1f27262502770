"""`/memory/scopes`: how far the background work of each scope is, and how to set it going."""

from typing import Annotated, Final

from fastapi import Path, Query

from mnemic.dialects.chat import work_answers
from mnemic.dialects.chat.bodies import ScopeCompaction, ScopeMaintenance, ScopeRebuild
from mnemic.dialects.chat.body_fields import PathScopeId, ScopeName
from mnemic.dialects.chat.described import Json
from mnemic.dialects.chat.queries import ScopeList
from mnemic.dialects.chat.routing import Endpoints, operation
from mnemic.engine.chat_verbs import ChatMemory
from mnemic.errors import StateError
from mnemic.records.memory import Scope

# What is meant where a body is left out.
_REBUILD: Final = ScopeRebuild()
_COMPACT: Final = ScopeCompaction()
_MAINTAIN: Final = ScopeMaintenance()


class Scopes(Endpoints):
    """The endpoints of scope states."""

    def __init__(self, chat: ChatMemory, *, worker_enabled: bool = True) -> None:
        super().__init__(chat)
        self._worker_enabled = worker_enabled

    @operation("GET", "/memory/scopes", work_answers.ScopesAnswer, refuses=(400,))
    def list_memory_scopes(self, query: Annotated[ScopeList, Query()]) -> Json:
        """List the states of scopes."""
        page = self.chat.scope_states(
            scope_kind=query.scope,
            scope_name=query.scope_id,
            sort=query.sort_by,
            order=query.sort_order,
            limit=query.limit,
            offset=query.offset,
        )
        return work_answers.ScopeStateJson.listed(page, query)

    # A name may hold slashes: they are decoded before an address is compared.
    @operation(
        "POST",
        "/memory/scopes/{scope}/{scope_id:path}/rebuild",
        work_answers.QueuedAnswer,
        refuses=(404, 409),
    )
    def rebuild_memory_scope(
        self,
        scope: Annotated[ScopeName, Path()],
        scope_id: PathScopeId,
        body: ScopeRebuild = _REBUILD,
    ) -> Json:
        """Make a scope's memory again from its turns.

        The body may be left out. A rebuild that waits already is not enqueued twice.
        """
        self._check_worker()
        queued = self.chat.rebuild(
            Scope(scope, scope_id),
            trigger_floor_id=body.trigger_floor_id,
            force_compaction=body.force_compaction,
        )
        return work_answers.QueuedJson.single(queued)

    @operation(
        "POST",
        "/memory/scopes/{scope}/{scope_id:path}/compact",
        work_answers.CompactionAnswer,
        refuses=(404, 409),
    )
    def compact_memory_scope(
        self,
        scope: Annotated[ScopeName, Path()],
        scope_id: PathScopeId,
        body: ScopeCompaction = _COMPACT,
    ) -> Json:
        """Enqueue a compaction of a scope's micro summaries.

        The body may be left out. The same window again is the same job.
        """
        self._check_worker()
        compaction = self.chat.compact(
            Scope(scope, scope_id), trigger_floor_id=body.trigger_floor_id, force=body.force
        )
        return work_answers.CompactionJson.single(
            compaction, **work_answers.QueuedJson.of(compaction.queued)
        )

    @operation(
        "POST",
        "/memory/scopes/{scope}/{scope_id:path}/maintenance",
        work_answers.MaintenanceAnswer,
        refuses=(404, 409),
    )
    def maintain_memory_scope(
        self,
        scope: Annotated[ScopeName, Path()],
        scope_id: PathScopeId,
        body: ScopeMaintenance = _MAINTAIN,
    ) -> Json:
        """Deprecate and delete what has grown old in a scope, or only tell what would be.

        The body may be left out. Workers do the same every day by themselves.
        """
        where = Scope(scope, scope_id)
        if not body.dry_run:
            self._check_worker()
        due = self.chat.maintenance(where)
        queued = None if body.dry_run else self.chat.maintain(where)
        return work_answers.Maintenance.single(
            where,
            job_id=queued and queued.job_id,
            created=queued is not None and queued.created,
            actions=[work_answers.AgedItem.of(aged) for aged in due],
        )

    def _check_worker(self) -> None:
        if not self._worker_enabled:
            raise StateError("Background memory worker is not enabled")
