"""A worker in a process of its own that kills itself, without a word, at a chosen point."""

import os
import signal
from collections.abc import Callable
from datetime import datetime
from functools import wraps
from multiprocessing import get_context
from typing import Any

import mnemic
from mnemic.chat.jobs import compact
from mnemic.chat.jobs.execute import LeasedJob
from mnemic.providers.chat_models.chat_model import ServedChatModel
from mnemic.storage.chat_rows import job_rows
from mnemic.storage.postgres.database import PostgresDatabase
from mnemic.storage.rows import scope_rows
from mnemic.storage.sqlite.database import SqliteDatabase
from mnemic.worker import Worker

# Forked from a process that has loaded everything, and has no threads: quick and safe.
_CONTEXT = get_context("forkserver")
_CONTEXT.set_forkserver_preload(["tests.worker.dying", "mnemic.providers.chat_models.openai_chat"])
_SECONDS = 60


def die_working(database: str, now: datetime, at: str, **settings: Any) -> int | None:
    """Work in another process until it dies; return how it ended, below 0 for a signal."""
    process = _CONTEXT.Process(target=_work, args=(database, now, at, settings), daemon=True)
    process.start()
    process.join(_SECONDS)
    assert process.exitcode is not None, "it neither died nor ended"
    return process.exitcode


def work_elsewhere(database: str, now: datetime, **settings: Any) -> Any:
    """Begin to work in another process until nothing is due; return the process."""
    process = _CONTEXT.Process(target=_work, args=(database, now, "never", settings), daemon=True)
    process.start()
    return process


def _work(database: str, now: datetime, at: str, settings: dict[str, Any]) -> None:
    given: dict[str, Any] = {"embedder": "none", "durability": "off", **settings}
    with mnemic.open(database, clock=lambda: now, **given) as memory:
        memory.chat.jobs  # noqa: B018 - loaded before anything is counted
        _POINTS.get(at.partition(":")[0], lambda _: None)(at.partition(":")[2])
        Worker(memory).work_off()


def _die() -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def _dying_after(call: Callable[..., Any]) -> Callable[..., Any]:
    @wraps(call)
    def last(*args: Any, **kwargs: Any) -> Any:
        result = call(*args, **kwargs)
        if result is not False:
            _die()
        return result

    return last


def _after(owner: Any, name: str) -> Callable[[str], None]:
    def patch(_: str) -> None:
        setattr(owner, name, _dying_after(getattr(owner, name)))

    return patch


def _after_the_claim(_: str) -> None:
    claim = job_rows.claim

    def last(*args: Any, **kwargs: Any) -> Any:
        taken = claim(*args, **kwargs)
        if taken is not None:
            _die()
        return taken

    job_rows.claim = last


def _before_a_statement(number: str) -> None:
    """Die before the statement of that number, counted from the first heartbeat on."""
    left = int(number)
    beaten = False
    beat = LeasedJob.beat

    def beating(self: LeasedJob, progress: float | None = None) -> None:
        nonlocal beaten
        beat(self, progress)
        beaten = True

    def counted(call: Callable[..., Any]) -> Callable[..., Any]:
        def run(*args: Any, **kwargs: Any) -> Any:
            nonlocal left
            left -= beaten
            if left < 0:
                _die()
            return call(*args, **kwargs)

        return run

    LeasedJob.beat = beating
    for kind in (SqliteDatabase, PostgresDatabase):
        for name in ("all", "run", "many"):
            setattr(kind, name, counted(getattr(kind, name)))


_POINTS: dict[str, Callable[[str], None]] = {
    "claimed": _after_the_claim,
    "beaten": _after(LeasedJob, "beat"),
    "answered": _after(ServedChatModel, "complete"),
    "summarised": _after(compact, "summarise"),
    "begun": _after(scope_rows, "hold"),
    "unkept": _after(job_rows, "finish"),
    "kept": _after(LeasedJob, "do"),
    "statement": _before_a_statement,
}
