"""Stores in which one job waits, one scene for each kind of job, and what is in them at the end."""

from collections.abc import Callable
from itertools import count
from threading import Event
from typing import Any

from mnemic.opening import OpenMemory
from mnemic.records.conversation import JobFilter, Line, branch_scope
from mnemic.records.item import ItemFilter, NewItem, Paging
from mnemic.records.memory import JobStatus
from mnemic.worker import Worker
from tests.conftest import Clock

SESSION = "茶话会"
SCOPE = branch_scope(SESSION, "main")
_PATIENCE = 600

TOLD = (
    ("My name is Ann and I live in Oslo. city=Oslo name=Ann", "Nice to meet you, Ann."),
    ("我叫李雷,我住在上海。 城市=上海@chat", "你好,李雷。"),
    ("I will call the dentist tomorrow. todo=dentist", "I'll remind you tomorrow."),
    ("I moved to Lisbon last week. My favourite tea is oolong. city=Lisbon", "How is Lisbon?"),
    ("我最喜欢的颜色是蓝色。 颜色=蓝色", "蓝色很好看。"),
    ("I called the dentist. My dog is called Rex. done dog=Rex@global", "Good that it's done."),
    ("What should I cook? 我明天要去北京。 todo=北京", "Try a risotto."),
)
SWIPED = ("My name is Bea and I live in Rome. 城市=成都@chat name=Bea", "Welcome, Bea.")

Scene = Callable[[OpenMemory, Clock], None]


def ids() -> Callable[[], str]:
    """Return a source of ids that is the same each time."""
    numbers = count(1)
    return lambda: f"id-{next(numbers)}"


def lines(told: tuple[str, str]) -> list[Line]:
    return [Line("user", told[0], "Ann"), Line("assistant", told[1])]


def tell(memory: OpenMemory, clock: Clock, turns: int, *, waiting: int = 0) -> list[str]:
    """Add turns a minute apart; the last ones wait for a worker."""
    if not any(one.id == SESSION for one in memory.chat.sessions().rows):
        memory.chat.create_session(SESSION)
    floors: list[str] = []
    for number, told in enumerate(TOLD[:turns]):
        mode = "async" if number >= turns - waiting else "sync"
        floor, _ = memory.chat.add_turn(SESSION, lines(told), mode=mode)
        floors.append(floor.id)
        clock.turn(minutes=1)
    return floors


def append(memory: OpenMemory, clock: Clock) -> None:
    tell(memory, clock, 4, waiting=1)


def swipe(memory: OpenMemory, clock: Clock) -> None:
    floors = tell(memory, clock, 5)
    memory.chat.change_turn(SESSION, floors[1], lines=lines(SWIPED))


def compaction(memory: OpenMemory, clock: Clock) -> None:
    tell(memory, clock, 7)
    memory.chat.compact(SCOPE)


def maintenance(memory: OpenMemory, clock: Clock) -> None:
    memory.chat.create_item(
        NewItem(scope=SCOPE, type="fact", content="旧的事实 of old", status="deprecated")
    )
    tell(memory, clock, 4)
    clock.turn(days=100)
    memory.chat.maintain(SCOPE)


def rebuild(memory: OpenMemory, clock: Clock) -> None:
    tell(memory, clock, 7)
    memory.chat.rebuild(SCOPE)


SCENES: dict[str, Scene] = {
    "append": append,
    "swipe": swipe,
    "compaction": compaction,
    "maintenance": maintenance,
    "rebuild": rebuild,
}


def work_off(memory: OpenMemory) -> None:
    """Work until no job is left; a server may need a moment to let go of what a dead one held."""
    worker, pause = Worker(memory), Event()
    for _ in range(_PATIENCE):
        worker.work_off()
        if not any(statuses(memory, one) for one in ("pending", "leased", "running")):
            return
        pause.wait(0.05)
    raise AssertionError([(job.id, job.status, job.last_error) for job in jobs(memory)])


def jobs(memory: OpenMemory, **wanted: Any) -> list[Any]:
    found = memory.chat.jobs(JobFilter(**wanted), order="asc", limit=100)
    assert found.total <= 100
    return list(found.rows)


def statuses(memory: OpenMemory, status: JobStatus) -> list[str]:
    return [job.id for job in jobs(memory, status=status)]


def state_of(memory: OpenMemory) -> dict[str, Any]:
    """Return everything that a job may change, but for times and the numbers of rows."""
    chat = memory.chat
    items = sorted(chat.items(ItemFilter(), Paging(limit=100)).rows, key=lambda one: one.id)
    edges = chat.edges(limit=100).rows
    states = chat.scope_states(limit=100).rows
    stats = chat.item_stats(ItemFilter())
    return {
        "items": [_without_times(one) for one in items],
        "journal": {one.id: [e.verb for e in memory.history(one.memory_id)] for one in items},
        "edges": sorted((one.from_id, one.to_id, one.relation) for one in edges),
        "tallies": {one.scope: memory.count(one.scope) for one in states},
        "stats": stats,
        "found": chat.items(ItemFilter(words="Lisbon")).total,
        "jobs": sorted((one.id, one.kind, one.status, one.last_error) for one in jobs(memory)),
        "states": {
            one.scope: (
                one.revision,
                one.lease_owner,
                one.last_processed_floor,
                one.last_compaction_at is not None,
            )
            for one in states
        },
    }


def _without_times(item: Any) -> dict[str, Any]:
    numbered = ("memory_id", "created_at", "updated_at", "used_at")
    return {name: getattr(item, name) for name in item.__slots__ if name not in numbered}
