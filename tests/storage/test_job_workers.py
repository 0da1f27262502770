"""Many workers and many accounts share one queue, on each backend."""

import multiprocessing
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from threading import Condition

from mnemic.records.memory import Scope
from mnemic.storage.chat_rows import job_rows
from mnemic.storage.database import Database
from tests.conftest import NOON
from tests.storage.workers import (
    KIND,
    account,
    add,
    cancel,
    finish,
    must_take,
    open_store,
    status,
    take,
    taken_id,
)


def test_accounts_do_not_see_each_others_jobs(store: Database) -> None:
    ours, theirs = account(store, "ours"), account(store, "theirs")
    add(ours, "j", payload={"whose": "ours"})
    add(theirs, "j", payload={"whose": "theirs"})

    assert [job.payload for job in job_rows.listed(ours)] == [{"whose": "ours"}]
    assert cancel(ours, "j")
    assert status(theirs, "j") == "pending"
    assert take(ours) is None
    assert taken_id(take(theirs)) == "j"


def test_a_worker_of_the_store_serves_every_account(store: Database) -> None:
    for name in ("ours", "theirs"):
        add(account(store, name), "j", payload={"whose": name})

    taken = [must_take(store), must_take(store)]
    for held in taken:
        finish(store, held)

    assert [held.job.payload["whose"] for held in taken] == ["ours", "theirs"]
    assert take(store) is None
    assert status(account(store, "theirs"), "j") == "succeeded"


def test_a_stale_holder_cannot_end_the_job_of_another_account(store: Database) -> None:
    ours, theirs = account(store, "ours"), account(store, "theirs")
    add(ours, "j")
    add(theirs, "j")
    held = must_take(ours)
    must_take(theirs)

    ours.write(lambda: job_rows.finish(ours, held, now=NOON))

    assert status(theirs, "j") == "leased"


def claim_all(database: str, worker: str) -> list[str]:
    """Run in a process of its own: take and finish until nothing is left."""
    store = open_store(database)
    taken: list[str] = []
    while (held := take(store, worker=worker)) is not None:
        finish(store, held)
        taken.append(held.job.id)
    store.close()
    return taken


def test_many_workers_take_each_job_exactly_once(database: str, db: Database) -> None:
    def add_all() -> None:
        for number in range(200):
            scope = Scope("collection", f"s{number}")
            job_rows.add(db, f"j{number}", scope=scope, kind=KIND, payload={}, now=NOON)

    db.write(add_all)

    context = multiprocessing.get_context("spawn")
    with context.Pool(8) as pool:
        taken = pool.starmap(claim_all, [(database, f"w{number}") for number in range(8)])

    times = Counter(job for of_worker in taken for job in of_worker)
    assert times == Counter(f"j{number}" for number in range(200))
    assert job_rows.counts(db) == {"succeeded": 200}


def test_many_workers_keep_the_order_within_each_scope(store: Database, db: Database) -> None:
    def add_all() -> None:
        for number in range(60):
            scope = Scope("collection", f"s{number % 3}")
            payload = {"scope": number % 3}
            job_rows.add(db, f"{number:02}", scope=scope, kind=KIND, payload=payload, now=NOON)

    db.write(add_all)
    done: list[tuple[int, str]] = []
    changed = Condition()

    def work(worker: int) -> None:
        while len(done) < 60:
            held = take(store, worker=f"w{worker}")
            with changed:
                if held is None:
                    assert len(done) == 60 or changed.wait(30)
                    continue
                done.append((held.job.payload["scope"], held.job.id))
            finish(store, held)
            with changed:
                changed.notify_all()

    with ThreadPoolExecutor(6) as pool:
        list(pool.map(work, range(6)))

    for scope in range(3):
        order = [job for of_scope, job in done if of_scope == scope]
        assert order == [f"{number:02}" for number in range(scope, 60, 3)]
