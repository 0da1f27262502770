"""A server that a test watches, and a watcher that holds a memory up."""

from collections.abc import Generator, Sequence
from contextlib import contextmanager
from threading import Event

from mnemic.opening import OpenMemory
from mnemic.records.memory import JobStatus, Stage
from mnemic.server.app import build_app
from mnemic.server.metrics import Metrics
from mnemic.telemetry.observer import Doing
from mnemic.worker import WorkerThread
from tests.dialects.chat_calling import Api


def api_of(
    memory: OpenMemory, *, metrics: Metrics | None = None, worker: WorkerThread | None = None
) -> Api:
    """Return the whole server on a memory, with the parts that it is watched by."""
    api = Api(memory)
    api.app = build_app(memory, metrics=metrics, worker=worker)
    return api


def samples(text: str) -> dict[str, float]:
    """Return every line of what Prometheus reads."""
    lines = [line for line in text.splitlines() if line and not line.startswith("#")]
    return {name: float(value) for name, _, value in (line.rpartition(" ") for line in lines)}


class Holding:
    """A watcher that holds up one statement until the test lets it go on."""

    follows = True

    def __init__(self, statement: str) -> None:
        self.let_go = Event()
        self._statement = statement

    @contextmanager
    def doing(self, kind: Doing, name: str) -> Generator[None]:
        if (kind, name) == ("statement", self._statement):
            assert self.let_go.wait(60)
        yield

    def recalled(self, stages: Sequence[Stage], seconds: float) -> None: ...

    def worked(self, kind: str, outcome: JobStatus, seconds: float) -> None: ...
