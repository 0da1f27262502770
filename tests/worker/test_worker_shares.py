"""Promises about a worker's time: accounts take turns, however many jobs one of them has."""

from collections import Counter

from mnemic.memory.work_shares import WorkShares
from mnemic.opening import OpenMemory
from mnemic.records.conversation import Line
from mnemic.storage.chat_rows import job_rows
from mnemic.worker import Worker
from tests.conftest import Clock, OpenIt
from tests.storage.workers import KIND, LEASE, NOON, account, add, finish, open_store

SAID = [Line("user", "My name is Ann and I live in Oslo.")]


def tell(memory: OpenMemory, sessions: int) -> None:
    """Add turns that wait for a worker, each in a session of its own."""
    for number in range(sessions):
        memory.chat.create_session(f"session-{number}")
        memory.chat.add_turn(f"session-{number}", SAID, mode="async")


def test_the_job_of_a_quiet_account_does_not_wait_for_all_of_a_busy_one(
    memory: OpenMemory, clock: Clock
) -> None:
    busy, quiet = memory.of_account("busy"), memory.of_account("quiet")
    tell(busy, 10)
    clock.turn(minutes=1)
    tell(quiet, 1)
    taken: list[int] = []

    for _ in range(2):
        held = memory.chat.take_job("w")
        assert held is not None
        taken.append(held.claim.account_id)
        held.do()

    assert taken == [busy.upkeep.own_account(), quiet.upkeep.own_account()]


def test_all_jobs_of_all_accounts_are_done_in_the_end(open_it: OpenIt) -> None:
    memory = open_it()
    for name in ("a", "b", "c"):
        tell(memory.of_account(name), 3)

    assert Worker(memory).work_off() >= 9
    assert memory.chat.take_job("w") is None


def test_a_claim_goes_round_the_accounts(database: str) -> None:
    store = open_store(database)
    views = {name: account(store, name) for name in ("a", "b", "c")}
    for name, view in views.items():
        for number in range(3):
            add(view, f"{name}{number}")
    taken: list[str] = []
    after = 0
    for _ in range(9):
        held = job_rows.claim(store, kinds=[KIND], worker="w", now=NOON, lease=LEASE, after=after)
        assert held is not None
        after = held.account_id
        taken.append(held.job.id)
        finish(store, held)

    assert taken == ["a0", "b0", "c0", "a1", "b1", "c1", "a2", "b2", "c2"]
    store.close()


class Day:
    """A clock of seconds."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


def work(shares: WorkShares, day: Day, accounts: list[int], seconds: dict[int, float]) -> int:
    """Do the next job, and tell whose it was."""
    chosen = shares.in_order(accounts)[0]
    with shares.spending(chosen):
        day.now += seconds[chosen]
    return chosen


def test_time_counts_and_not_the_number_of_jobs() -> None:
    day = Day()
    shares = WorkShares(clock=day)

    done = Counter(work(shares, day, [1, 2], {1: 9.0, 2: 1.0}) for _ in range(100))

    assert done == {1: 10, 2: 90}


def test_who_was_away_gets_its_turn_at_once_and_saves_up_nothing() -> None:
    day = Day()
    shares = WorkShares(clock=day)
    cost = {1: 1.0, 2: 1.0}
    for _ in range(50):
        work(shares, day, [1], cost)

    back = [work(shares, day, [1, 2], cost) for _ in range(6)]

    assert 2 in back[:2]
    assert Counter(back) == {1: 3, 2: 3}


def test_who_adds_one_job_after_the_other_gets_no_more_than_its_share() -> None:
    day = Day()
    shares = WorkShares(clock=day)
    done: Counter[int] = Counter()
    for _ in range(100):
        # The second one has its next job ready only after a look without it.
        shares.in_order([1])
        done[work(shares, day, [1, 2], {1: 1.0, 2: 1.0})] += 1

    assert done == {1: 50, 2: 50}


def test_workers_of_one_process_are_not_all_busy_for_the_same_account() -> None:
    shares = WorkShares(clock=Day())

    with shares.spending(1):
        assert list(shares.in_order([1, 2])) == [2, 1]
        with shares.spending(2), shares.spending(2):
            assert list(shares.in_order([1, 2])) == [1, 2]
