"""Jobs are kept until they are done, once, in order within each scope, on each backend."""

from datetime import timedelta

import pytest

from mnemic.errors import StateError
from mnemic.storage.chat_rows import job_rows
from mnemic.storage.database import Database
from tests.conftest import NOON
from tests.storage.workers import (
    GARDEN,
    KIND,
    KITCHEN,
    LEASE,
    SECOND,
    add,
    beat,
    cancel,
    fail,
    finish,
    must_take,
    status,
    take,
    taken_id,
)


def test_a_job_is_kept_as_it_was_added(db: Database) -> None:
    later = NOON + SECOND
    add(db, "j", payload={"问": ["一", 2.5, None]}, run_at=later, max_attempts=3)

    job = job_rows.get(db, "j")

    assert job is not None
    assert (job.scope, job.kind, job.status) == (KITCHEN, KIND, "pending")
    assert job.payload == {"问": ["一", 2.5, None]}
    assert (job.attempts, job.max_attempts, job.progress) == (0, 3, 0)
    assert (job.run_at, job.created_at, job.updated_at) == (later, NOON, NOON)
    assert (job.worker, job.lease_until, job.last_error, job.finished_at) == (None,) * 4


def test_the_id_is_an_idempotency_key(db: Database) -> None:
    assert add(db, "j", payload={"turn": 1})
    assert not add(db, "j", payload={"turn": 2})
    finish(db, must_take(db))

    assert not add(db, "j", payload={"turn": 3})
    assert [job.payload for job in job_rows.listed(db)] == [{"turn": 1}]
    assert take(db) is None


def test_adding_in_a_transaction_that_is_rolled_back_adds_nothing(db: Database) -> None:
    def add_and_break() -> None:
        job_rows.add(db, "j", scope=KITCHEN, kind=KIND, payload={}, now=NOON)
        raise RuntimeError

    with pytest.raises(RuntimeError):
        db.write(add_and_break)

    assert job_rows.get(db, "j") is None
    assert take(db) is None
    assert add(db, "j")


def test_a_claim_says_who_holds_it_and_how_long(db: Database) -> None:
    add(db, "j")

    job = must_take(db).job

    assert (job.status, job.attempts, job.worker) == ("leased", 1, "w")
    assert job.lease_until == NOON + LEASE
    assert job_rows.get(db, "j") == job


def test_a_job_goes_to_one_worker_until_its_lease_runs_out(db: Database) -> None:
    add(db, "j")

    first = must_take(db)
    meanwhile = take(db, NOON + LEASE)
    second = must_take(db, NOON + LEASE + SECOND)

    assert meanwhile is None
    assert second.job.attempts == 2
    with pytest.raises(StateError, match="no longer held"):
        finish(db, first)
    with pytest.raises(StateError, match="no longer held"):
        fail(db, first)
    assert beat(db, first) == "lost"
    finish(db, second)
    assert status(db, "j") == "succeeded"


def test_who_lost_the_lease_cannot_commit_its_work(db: Database) -> None:
    add(db, "j")
    first = must_take(db)
    must_take(db, NOON + LEASE + SECOND)

    def work() -> None:
        job_rows.add(db, "effect", scope=GARDEN, kind=KIND, payload={}, now=NOON)
        job_rows.finish(db, first, now=NOON)

    with pytest.raises(StateError):
        db.write(work)

    assert job_rows.get(db, "effect") is None


def test_who_is_late_but_was_not_replaced_may_still_finish(db: Database) -> None:
    add(db, "j")

    finish(db, must_take(db), NOON + 2 * LEASE)

    assert status(db, "j") == "succeeded"


def test_a_heartbeat_keeps_the_lease_and_tells_the_progress(db: Database) -> None:
    add(db, "j")
    held = must_take(db)

    assert beat(db, held, NOON + LEASE, progress=0.25) == "held"
    assert beat(db, held, NOON + LEASE) == "held"

    assert take(db, NOON + 2 * LEASE) is None
    job = job_rows.get(db, "j")
    assert job is not None
    assert (job.status, job.progress, job.updated_at) == ("running", 0.25, NOON + LEASE)
    assert must_take(db, NOON + 2 * LEASE + SECOND).job.attempts == 2


def test_a_job_is_finished_once(db: Database) -> None:
    add(db, "j")
    held = must_take(db)
    finish(db, held)

    with pytest.raises(StateError):
        finish(db, held)
    assert beat(db, held) == "lost"


def test_jobs_of_one_scope_are_done_one_after_the_other(db: Database) -> None:
    for number in range(3):
        # Clocks of two adders may disagree; the order of adding counts.
        add(db, f"j{number}", now=NOON - number * SECOND)

    done: list[str] = []
    while (held := take(db)) is not None:
        assert take(db) is None
        finish(db, held)
        done.append(held.job.id)

    assert done == ["j0", "j1", "j2"]


def test_other_scopes_go_on_while_one_is_busy(db: Database) -> None:
    add(db, "kitchen1")
    add(db, "kitchen2")
    add(db, "garden1", GARDEN)

    assert [taken_id(take(db)) for _ in range(3)] == ["kitchen1", "garden1", None]


def test_a_job_for_later_waits_and_holds_up_nobody(db: Database) -> None:
    add(db, "later", run_at=NOON + SECOND)
    add(db, "now")

    assert taken_id(take(db)) == "now"
    assert take(db, NOON + SECOND) is None
    assert cancel(db, "now")
    assert taken_id(take(db, NOON + SECOND)) == "later"


def test_a_worker_gets_only_the_kinds_it_asks_for(db: Database) -> None:
    add(db, "j1", kind="embed")
    add(db, "j2")
    add(db, "g1", GARDEN)

    assert taken_id(take(db)) == "g1"
    assert take(db, kind="unknown") is None
    assert taken_id(take(db, kind="embed")) == "j1"


@pytest.mark.parametrize(("attempts", "seconds"), [(1, 1), (2, 2), (5, 16), (6, 30), (99, 30)])
def test_the_pause_doubles_up_to_half_a_minute(attempts: int, seconds: int) -> None:
    assert job_rows.back_off(attempts) == timedelta(seconds=seconds)


def test_a_failed_job_is_tried_again_after_a_pause_and_keeps_its_place(db: Database) -> None:
    add(db, "j1")
    add(db, "j2")

    assert fail(db, must_take(db)) == "retry_waiting"

    job = job_rows.get(db, "j1")
    assert job is not None
    assert (job.status, job.last_error, job.run_at) == ("retry_waiting", "no answer", NOON + SECOND)
    assert (job.worker, job.lease_until, job.finished_at) == (None, None, None)
    assert take(db) is None
    again = must_take(db, NOON + SECOND)
    assert (again.job.id, again.job.attempts) == ("j1", 2)


def test_the_caller_may_say_when_to_try_again(db: Database) -> None:
    add(db, "j")
    held = must_take(db)

    db.write(lambda: job_rows.fail(db, held, error="busy", now=NOON, retry_at=NOON + LEASE))

    assert take(db, NOON + LEASE - SECOND) is None
    assert taken_id(take(db, NOON + LEASE)) == "j"


def test_after_the_last_attempt_a_job_is_dead_and_holds_up_nobody(db: Database) -> None:
    add(db, "j1", max_attempts=2)
    add(db, "j2")
    fail(db, must_take(db))

    assert fail(db, must_take(db, NOON + SECOND), NOON + SECOND) == "dead_letter"

    job = job_rows.get(db, "j1")
    assert job is not None
    assert (job.attempts, job.last_error, job.finished_at) == (2, "no answer", NOON + SECOND)
    assert taken_id(take(db)) == "j2"


def test_a_job_that_kills_its_workers_dies_too(db: Database) -> None:
    add(db, "killer", max_attempts=2)
    add(db, "next")
    must_take(db)
    must_take(db, NOON + 2 * LEASE)

    assert taken_id(take(db, NOON + 4 * LEASE)) == "next"

    job = job_rows.get(db, "killer")
    assert job is not None
    assert (job.status, job.attempts) == ("dead_letter", 2)
    assert job.last_error == "Each of its workers was lost before it was done."


def test_success_clears_the_error_of_earlier_attempts(db: Database) -> None:
    add(db, "j")
    fail(db, must_take(db))

    finish(db, must_take(db, NOON + SECOND), NOON + SECOND)

    job = job_rows.get(db, "j")
    assert job is not None
    assert (job.status, job.last_error, job.finished_at) == ("succeeded", None, NOON + SECOND)


def test_a_waiting_job_can_be_cancelled(db: Database) -> None:
    add(db, "j1")
    add(db, "j2")

    assert cancel(db, "j1")

    assert not cancel(db, "j1")
    assert not cancel(db, "missing")
    assert status(db, "j1") == "cancelled"
    assert taken_id(take(db)) == "j2"


def test_a_running_job_can_be_cancelled_and_its_worker_hears_of_it(db: Database) -> None:
    add(db, "j")
    held = must_take(db)
    beat(db, held)

    assert cancel(db, "j")

    assert beat(db, held) == "cancelled"
    with pytest.raises(StateError):
        finish(db, held)
    assert status(db, "j") == "cancelled"


def test_a_caller_may_cancel_only_what_still_waits(db: Database) -> None:
    add(db, "j")
    must_take(db)

    assert not db.write(lambda: job_rows.cancel(db, "j", now=NOON, among=job_rows.WAITING))
    assert status(db, "j") == "leased"


def test_a_dead_or_cancelled_job_can_be_lined_up_again(db: Database) -> None:
    add(db, "dead", max_attempts=1)
    held = must_take(db)
    fail(db, held)
    add(db, "cancelled", GARDEN)
    cancel(db, "cancelled")

    assert db.write(lambda: job_rows.retry(db, "dead", now=NOON))
    assert db.write(lambda: job_rows.retry(db, "cancelled", now=NOON))
    assert not db.write(lambda: job_rows.retry(db, "dead", now=NOON))
    assert not db.write(lambda: job_rows.retry(db, "missing", now=NOON))

    job = job_rows.get(db, "dead")
    assert job is not None
    assert (job.status, job.attempts, job.last_error) == ("retry_waiting", 0, None)
    assert (job.finished_at, job.lease_until) == (None, None)
    assert taken_id(take(db)) == "dead"
    # Its first worker held the first attempt too, but not this one.
    assert beat(db, held) == "lost"


def test_jobs_are_listed_and_counted_by_status(db: Database) -> None:
    for number in range(4):
        add(db, f"j{number}", kind=f"kind{number % 2}")
    cancel(db, "j1")

    assert [job.id for job in job_rows.listed(db)] == ["j3", "j2", "j1", "j0"]
    assert [job.id for job in job_rows.listed(db, limit=2, offset=1)] == ["j2", "j1"]
    assert [job.id for job in job_rows.listed(db, statuses=["cancelled"])] == ["j1"]
    assert [job.id for job in job_rows.listed(db, statuses=job_rows.WAITING, kinds=["kind1"])] == [
        "j3"
    ]
    assert job_rows.counts(db) == {"pending": 3, "cancelled": 1}


def test_only_what_was_over_long_ago_is_purged(db: Database) -> None:
    for number in range(3):
        add(db, f"j{number}")
        finish(db, must_take(db), NOON + number * SECOND)
    add(db, "waiting", now=NOON - LEASE)

    assert db.write(lambda: job_rows.purge(db, before=NOON + 2 * SECOND, limit=1)) == 1
    assert db.write(lambda: job_rows.purge(db, before=NOON + 2 * SECOND)) == 1

    assert [job.id for job in job_rows.listed(db)] == ["waiting", "j2"]
    assert add(db, "j0")
