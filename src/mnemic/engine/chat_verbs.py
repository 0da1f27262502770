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
from mnemic.chat.turns import (
    add_turn,
    add_turns,
    change_turn,
    delete_turn,
    get_turn,
    list_turns,
    turn_versions,
)
from mnemic.engine.workspace_methods import HoldsWorkspace, method

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

    erase = method(erase)
    erasures = method(list_receipts)

    create_item = method(create_item)
    item = method(get_item)
    items = method(list_items)
    item_stats = method(item_stats)
    change_item = method(change_item)
    delete_item = method(delete_item)
    delete_items = method(delete_items)
    set_status = method(set_status)

    create_edge = method(create_edge)
    edge = method(get_edge)
    edges = method(list_edges)
    change_edge = method(change_edge)
    delete_edge = method(delete_edge)

    jobs = method(list_jobs)
    job = method(get_job)
    retry_job = method(retry_job)
    cancel_job = method(cancel_job)
    scope_states = method(scope_states)
    rebuild = method(request_rebuild)
    compact = method(request_compaction)
    maintenance = method(planned_maintenance)
    maintain = method(request_maintenance)
    maintain_all = method(request_all_maintenance)
    take_job = method(take_job)

    def wait_for_job(self, seconds: float, *, since: int = 0) -> int:
        """Wait until there may be a new job; return the mark for the next wait."""
        return self._workspace.db.wait(seconds, since=since)

    create_session = method(create_session)
    sessions = method(list_sessions)
    session = method(get_session)
    delete_session = method(delete_session)
    branches = method(list_branches)
    create_branch = method(create_branch)
    delete_branch = method(delete_branch)
    add_turn = method(add_turn)
    add_turns = method(add_turns)
    turns = method(list_turns)
    turn = method(get_turn)
    turn_versions = method(turn_versions)
    change_turn = method(change_turn)
    delete_turn = method(delete_turn)
    context = method(context)
