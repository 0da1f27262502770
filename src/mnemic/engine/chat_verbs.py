"""A chat's view of the engine: items, edges, sessions, background work and what to inject.

The functions of `mnemic.chat` are its methods.
"""

from collections.abc import Callable
from typing import TypeVar

from mnemic.administration.erasing.erase import erase, list_receipts
from mnemic.chat.context import context
from mnemic.chat.conversations import (
    create_branch,
    create_session,
    delete_branch,
    delete_session,
    get_session,
    list_branches,
    list_sessions,
)
from mnemic.chat.edges import change_edge, create_edge, delete_edge, get_edge, list_edges
from mnemic.chat.item_lists import item_stats, list_items
from mnemic.chat.items import (
    change_item,
    create_item,
    delete_item,
    delete_items,
    get_item,
    set_status,
)
from mnemic.chat.jobs.compact import request_compaction
from mnemic.chat.jobs.execute import take_job
from mnemic.chat.jobs.job_lists import cancel_job, get_job, list_jobs, retry_job, scope_states
from mnemic.chat.jobs.maintain import (
    planned_maintenance,
    request_all_maintenance,
    request_maintenance,
)
from mnemic.chat.jobs.rebuild import request_rebuild
from mnemic.chat.turns import add_turn, change_turn, delete_turn, get_turn, list_turns
from mnemic.engine.workspace_methods import HoldsWorkspace, Method

T = TypeVar("T")


class ChatMemory(HoldsWorkspace):
    """One account's memory as a chat app sees it. Safe to share between threads."""

    @property
    def is_at_hand(self) -> bool:
        """Whether the store is a file here: looking something up by its id never waits."""
        return not self._workspace.settings.is_postgres

    def at_once(self, work: Callable[[], T]) -> T:
        """Do work that writes a little, without waiting: BusyError where another writer is at it,
        and nothing was done then.
        """
        return self._workspace.db.at_once(work)

    erase = Method(erase)
    erasures = Method(list_receipts)

    create_item = Method(create_item)
    item = Method(get_item)
    items = Method(list_items)
    item_stats = Method(item_stats)
    change_item = Method(change_item)
    delete_item = Method(delete_item)
    delete_items = Method(delete_items)
    set_status = Method(set_status)

    create_edge = Method(create_edge)
    edge = Method(get_edge)
    edges = Method(list_edges)
    change_edge = Method(change_edge)
    delete_edge = Method(delete_edge)

    jobs = Method(list_jobs)
    job = Method(get_job)
    retry_job = Method(retry_job)
    cancel_job = Method(cancel_job)
    scope_states = Method(scope_states)
    rebuild = Method(request_rebuild)
    compact = Method(request_compaction)
    maintenance = Method(planned_maintenance)
    maintain = Method(request_maintenance)
    maintain_all = Method(request_all_maintenance)
    take_job = Method(take_job)

    def wait_for_job(self, seconds: float, *, since: int = 0) -> int:
        """Wait until there may be a new job; return the mark for the next wait."""
        return self._workspace.db.wait(seconds, since=since)

    create_session = Method(create_session)
    sessions = Method(list_sessions)
    session = Method(get_session)
    delete_session = Method(delete_session)
    branches = Method(list_branches)
    create_branch = Method(create_branch)
    delete_branch = Method(delete_branch)
    add_turn = Method(add_turn)
    turns = Method(list_turns)
    turn = Method(get_turn)
    change_turn = Method(change_turn)
    delete_turn = Method(delete_turn)
    context = Method(context)
