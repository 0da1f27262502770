"""Whatever is done in whichever order: jobs behave like a list that fits on a page."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from uuid import uuid4

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, precondition, rule, run_state_machine_as_test

from mnemic.errors import StateError
from mnemic.records.memory import JobStatus, Scope
from mnemic.storage.chat_rows import job_rows
from mnemic.storage.chat_rows.job_rows import Claim
from mnemic.storage.database import Database
from tests.conftest import NOON
from tests.storage.workers import LEASE, account, add, beat, cancel, fail, finish, take

SCOPES = [Scope("collection", name) for name in ("kitchen", "garden")]
WAITING = ("pending", "retry_waiting")
HELD = ("leased", "running")


@dataclass
class Modelled:
    """A job as it should stand."""

    id: str
    scope: Scope
    number: int
    run_at: datetime
    max_attempts: int
    status: JobStatus = "pending"
    attempts: int = 0
    lease_until: datetime | None = None
    holder: Claim | None = None

    def let_go(self, status: JobStatus) -> None:
        self.status, self.lease_until, self.holder = status, None, None


def chosen_from(model: Sequence[Modelled], now: datetime) -> Modelled | None:
    """Return what the next worker should get."""

    def is_free(job: Modelled) -> bool:
        line = [other for other in model if other.scope == job.scope and other is not job]
        return not any(
            other.status in HELD
            or (other.status == "retry_waiting" and other.number < job.number)
            or (other.status == "pending" and other.number < job.number and other.run_at <= now)
            for other in line
        )

    def is_due(job: Modelled) -> bool:
        if job.status in HELD:
            return job.lease_until is not None and job.lease_until < now
        return job.status in WAITING and job.run_at <= now

    due = [job for job in model if is_due(job) and is_free(job)]
    return min(due, key=lambda job: (job.run_at, job.number), default=None)


class Jobs(RuleBasedStateMachine):
    """The store and the model, side by side, each run in an account of its own."""

    kept: Database

    def __init__(self) -> None:
        super().__init__()
        self.db = account(self.kept, uuid4().hex)
        self.model: list[Modelled] = []
        self.claims: list[Claim] = []
        self.now = NOON
        self.last = 0

    @rule(
        scope=st.sampled_from(SCOPES),
        later=st.sampled_from([0, 0, 0, 5]),
        attempts=st.integers(1, 2),
    )
    def add_one(self, scope: Scope, later: int, attempts: int) -> None:
        run_at = self.now + timedelta(seconds=later)
        self.last += 1
        job = Modelled(f"j{self.last}", scope, self.last, run_at, attempts)
        assert add(self.db, job.id, scope, now=self.now, run_at=run_at, max_attempts=attempts)
        self.model.append(job)

    @rule()
    def take_one(self) -> None:
        taken = take(self.db, self.now)
        expected = chosen_from(self.model, self.now)
        while expected is not None and expected.attempts == expected.max_attempts:
            expected.let_go("dead_letter")
            expected = chosen_from(self.model, self.now)
        assert (taken and taken.job.id) == (expected and expected.id)
        if taken is not None and expected is not None:
            expected.status, expected.holder = "leased", taken
            expected.attempts += 1
            expected.lease_until = self.now + LEASE
            self.claims.append(taken)
        self.compare()

    @precondition(lambda self: self.claims)
    @rule(data=st.data())
    def finish_one(self, data: st.DataObject) -> None:
        held = data.draw(st.sampled_from(self.claims))
        job = self.holding(held)
        try:
            finish(self.db, held, self.now)
        except StateError:
            assert job is None
        else:
            assert job is not None
            job.let_go("succeeded")

    @precondition(lambda self: self.claims)
    @rule(data=st.data())
    def fail_one(self, data: st.DataObject) -> None:
        held = data.draw(st.sampled_from(self.claims))
        job = self.holding(held)
        try:
            status = fail(self.db, held, self.now)
        except StateError:
            assert job is None
        else:
            assert job is not None
            is_last = job.attempts == job.max_attempts
            assert status == ("dead_letter" if is_last else "retry_waiting")
            job.run_at = job.run_at if is_last else self.now + job_rows.back_off(job.attempts)
            job.let_go(status)

    @precondition(lambda self: self.claims)
    @rule(data=st.data())
    def hear_from_one(self, data: st.DataObject) -> None:
        held = data.draw(st.sampled_from(self.claims))
        job = self.holding(held)
        said = beat(self.db, held, self.now)
        if job is not None:
            job.status, job.lease_until = "running", self.now + LEASE
        assert (said == "held") == (job is not None)

    @precondition(lambda self: self.model)
    @rule(data=st.data())
    def cancel_one(self, data: st.DataObject) -> None:
        job = data.draw(st.sampled_from(self.model))
        assert cancel(self.db, job.id) == (job.status in (*WAITING, *HELD))
        if job.status in (*WAITING, *HELD):
            job.let_go("cancelled")

    @precondition(lambda self: self.model)
    @rule(data=st.data())
    def retry_one(self, data: st.DataObject) -> None:
        job = data.draw(st.sampled_from(self.model))
        may = job.status in ("dead_letter", "cancelled")
        assert self.db.write(lambda: job_rows.retry(self.db, job.id, now=self.now)) == may
        if may:
            self.last += 1
            job.status, job.number = "retry_waiting", self.last
            job.attempts, job.run_at = 0, self.now

    @rule(seconds=st.sampled_from([1, 3, 121, 300]))
    def turn_the_clock(self, seconds: int) -> None:
        self.now += timedelta(seconds=seconds)

    def holding(self, held: Claim) -> Modelled | None:
        return next((job for job in self.model if job.holder is held), None)

    def compare(self) -> None:
        stand = {
            job.id: (job.status, job.attempts, job.run_at, job.lease_until)
            for job in job_rows.listed(self.db, limit=1000)
        }
        assert stand == {
            job.id: (job.status, job.attempts, job.run_at, job.lease_until) for job in self.model
        }

    def teardown(self) -> None:
        self.compare()


def test_jobs_behave_like_their_model(store: Database) -> None:
    machine = type("JobsOfThisStore", (Jobs,), {"kept": store})

    run_state_machine_as_test(
        machine,
        settings=settings(
            max_examples=30,
            stateful_step_count=30,
            deadline=None,
            suppress_health_check=[HealthCheck.too_slow],
        ),
    )
