"""`mnemic worker`: do the background jobs of a memory, as a process of its own."""

import signal
from collections.abc import Generator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from threading import Event
from types import FrameType
from typing import Annotated, Final

import typer

from mnemic.cli.ending import at_signals, end_at_last
from mnemic.cli.reporting import announce, logging_as_set, reporting_errors, tracing
from mnemic.opening import OpenMemory, open_memory
from mnemic.startup.shared_heap import share_heap

_GRACE_SECONDS: Final = 10.0


def add_to(app: typer.Typer) -> None:
    """Add the command to an application."""
    app.command()(worker)


def worker(
    ctx: typer.Context,
    workers: Annotated[
        int, typer.Option(min=1, max=64, help="How many jobs may be done at the same time.")
    ] = 1,
    once: Annotated[bool, typer.Option("--once", help="Do what is due now, then leave.")] = False,
    database: Annotated[
        str | None,
        typer.Option(
            metavar="PATH or URL",
            help="The memory's file, or postgresql://….",
            show_default="as for mnemic",
        ),
    ] = None,
) -> None:
    """Do the memory's background jobs until told to stop. Several of these share the work.

    Each job that ends is told on standard error.

    Example: mnemic worker --workers 4
    """
    from mnemic.worker import WorkerThread  # noqa: PLC0415  slow, and only this command needs it

    share_heap()
    # Jobs are told by their ids, whatever the level; nothing that is remembered goes to the log.
    with (
        reporting_errors(),
        logging_as_set({"mnemic.worker": "INFO"}),
        _until_told_to_stop() as stop,
    ):
        with (
            suppress(KeyboardInterrupt),
            tracing() as spans,
            open_memory(ctx.obj if database is None else database) as opened,
        ):
            stop.is_awaited = True
            memory = opened if spans is None else opened.watched_by(spans)
            if once:
                announce(f"{_work_off(memory, workers, stop.asked_for)} jobs done")
                return
            with WorkerThread(memory, workers=workers, grace=_GRACE_SECONDS):
                announce(f"working with {workers} {'workers' if workers > 1 else 'worker'}")
                stop.asked_for.wait()
                announce("stopping")
        announce("stopped")


def _work_off(memory: OpenMemory, workers: int, stopping: Event) -> int:
    from mnemic.worker import Chores, Worker  # noqa: PLC0415  slow, as above

    chores = Chores(memory)
    crew = [Worker(memory, stopping=stopping, chores=chores) for _ in range(workers)]
    with ThreadPoolExecutor(workers) as pool:
        return sum(pool.map(Worker.work_off, crew))


class _Stop:
    """Whether the work is to end; until somebody waits for that, KeyboardInterrupt tells it."""

    def __init__(self) -> None:
        self.asked_for = Event()
        self.is_awaited = False

    def __call__(self, number: int, _: FrameType | None) -> None:
        self.asked_for.set()
        signal.signal(number, signal.SIG_DFL)
        end_at_last(_GRACE_SECONDS)
        if not self.is_awaited:
            raise KeyboardInterrupt


@contextmanager
def _until_told_to_stop() -> Generator[_Stop]:
    """Let SIGTERM and SIGINT end the work in order; a second one ends it at once."""
    stop = _Stop()
    with at_signals([signal.SIGTERM, signal.SIGINT], stop):
        yield stop
