"""What a server counts, in the words of Prometheus, in a registry of its own."""

from collections.abc import Callable, Iterable, Sequence
from contextlib import AbstractContextManager, nullcontext
from threading import Lock
from time import monotonic
from typing import Final

from prometheus_client import (
    CollectorRegistry,
    Counter,
    Gauge,
    Histogram,
    ProcessCollector,
    generate_latest,
)
from prometheus_client.core import GaugeMetricFamily, Metric
from prometheus_client.registry import Collector

from mnemic.administration.inspection import Inspection, StoreSize
from mnemic.errors import MnemicError
from mnemic.records.memory import JobStatus, Stage
from mnemic.telemetry.observer import Doing
from mnemic.telemetry.tracing import Spans
from mnemic.version import __version__
from mnemic.worker import WorkerThread

CONTENT_TYPE: Final = "text/plain; version=0.0.4; charset=utf-8"
_EMBEDDER_STATES: Final = ("off", "idle", "loading", "ready", "broken")
_KEPT_SECONDS: Final = 5.0
# From a list of a few items to a chat that waits for a language model.
_REQUEST_BUCKETS: Final = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10, 60)
_STAGE_BUCKETS: Final = (0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.1, 0.5, 2.5)
_JOB_BUCKETS: Final = (0.005, 0.025, 0.1, 0.5, 1, 2.5, 5, 10, 30, 60, 120)


class Metrics:
    """Counts what a server does; a watcher of its memory. Threads may share it.

    Labels are names of routes, stages and jobs: there are few of them, whatever is asked.
    """

    def __init__(self, spans: Spans | None = None) -> None:
        self.spans = spans
        self._registry = CollectorRegistry()
        self._children: dict[tuple[str, str, int], Counter] = {}
        self._timers: dict[tuple[str, str], Histogram] = {}
        self._stages: dict[str, Histogram] = {}
        self._make_request_metrics()
        self._make_work_metrics()
        ProcessCollector(registry=self._registry)
        about = Gauge("mnemic_build_info", "The version.", ["version"], registry=self._registry)
        about.labels(__version__).set(1)

    def _make_request_metrics(self) -> None:
        self._requests = Counter(
            "mnemic_http_requests",
            "Requests that were answered.",
            ["method", "route", "status"],
            registry=self._registry,
        )
        self._request_seconds = Histogram(
            "mnemic_http_request_seconds",
            "Time from a request to the end of its answer.",
            ["method", "route"],
            buckets=_REQUEST_BUCKETS,
            registry=self._registry,
        )
        self.in_flight = Gauge(
            "mnemic_http_requests_in_flight",
            "Requests that are being answered.",
            registry=self._registry,
        )

    def _make_work_metrics(self) -> None:
        self._recall_seconds = Histogram(
            "mnemic_recall_seconds",
            "Time of a recall.",
            buckets=_REQUEST_BUCKETS,
            registry=self._registry,
        )
        self._stage_seconds = Histogram(
            "mnemic_recall_stage_seconds",
            "Time of each stage of a recall.",
            ["stage"],
            buckets=_STAGE_BUCKETS,
            registry=self._registry,
        )
        self._jobs = Counter(
            "mnemic_jobs",
            "Jobs that were tried by this process, by how that went.",
            ["kind", "outcome"],
            registry=self._registry,
        )
        self._job_seconds = Histogram(
            "mnemic_job_seconds",
            "Time of one try of a job.",
            ["kind"],
            buckets=_JOB_BUCKETS,
            registry=self._registry,
        )

    @property
    def follows(self) -> bool:
        """Whether every step is told: only where spans are made of them."""
        return self.spans is not None

    def doing(self, kind: Doing, name: str) -> AbstractContextManager[None]:
        """Return what is entered while a step is being done."""
        return nullcontext() if self.spans is None else self.spans.doing(kind, name)

    def recalled(self, stages: Sequence[Stage], seconds: float) -> None:
        """Count a recall."""
        self._recall_seconds.observe(seconds)
        for stage in stages:
            timer = self._stages.get(stage.name)
            if timer is None:
                timer = self._stages[stage.name] = self._stage_seconds.labels(stage.name)
            timer.observe(stage.wall_ms / 1000)

    def worked(self, kind: str, outcome: JobStatus, seconds: float) -> None:
        """Count a job."""
        self._jobs.labels(kind, "lost" if outcome == "leased" else outcome).inc()
        self._job_seconds.labels(kind).observe(seconds)

    def answered(self, method: str, route: str, status: int, seconds: float) -> None:
        """Count a request."""
        key = (method, route, status)
        counter = self._children.get(key)
        if counter is None:
            counter = self._children[key] = self._requests.labels(method, route, str(status))
        counter.inc()
        timer = self._timers.get(key[:2])
        if timer is None:
            timer = self._timers[key[:2]] = self._request_seconds.labels(method, route)
        timer.observe(seconds)

    def tell_of(
        self,
        inspection: Inspection,
        *,
        worker: WorkerThread | None = None,
        clock: Callable[[], float] = monotonic,
    ) -> None:
        """Tell of a store too: it is looked at when somebody asks, at most every 5 seconds."""
        self._registry.register(_Store(inspection, worker, clock))

    def text(self) -> bytes:
        """Return everything as Prometheus reads it. It may wait for the store."""
        return generate_latest(_WithoutMoments(self._registry))


class _WithoutMoments(Collector):
    """Leaves out when each counter was made: twice the lines, and nobody asks."""

    def __init__(self, registry: CollectorRegistry) -> None:
        self._registry = registry

    def collect(self) -> Iterable[Metric]:
        """Return everything else."""
        for family in self._registry.collect():
            family.samples = [
                sample for sample in family.samples if not sample.name.endswith("_created")
            ]
            yield family


class _Store(Collector):
    """Reads what a store holds when it is asked, and keeps it for a moment."""

    def __init__(
        self, inspection: Inspection, worker: WorkerThread | None, clock: Callable[[], float]
    ) -> None:
        self._inspection = inspection
        self._worker = worker
        self._clock = clock
        self._lock = Lock()
        self._kept: StoreSize | None = None
        self._looked_at: float | None = None

    def describe(self) -> Iterable[Metric]:
        """Say nothing beforehand: the store is not read when this is made known."""
        return []

    def collect(self) -> Iterable[Metric]:
        """Return what the store holds now."""
        measured = self._measured()
        yield _gauge("mnemic_store_up", "Whether the store could be read.", int(bool(measured)))
        state = self._inspection.embedder
        embedder = GaugeMetricFamily(
            "mnemic_embedder_state", "1 for the state of the embedder.", labels=["state"]
        )
        for one in _EMBEDDER_STATES:
            embedder.add_metric([one], int(one == state))
        yield embedder
        alive = 0 if self._worker is None else self._worker.alive
        yield _gauge("mnemic_worker_threads", "Workers of this process that are alive.", alive)
        if measured is not None:
            yield from _of_store(measured)

    def _measured(self) -> StoreSize | None:
        with self._lock:
            now = self._clock()
            if self._looked_at is None or now - self._looked_at >= _KEPT_SECONDS:
                try:
                    self._kept = self._inspection.measure()
                except MnemicError:
                    # That it cannot be read is what is told.
                    self._kept = None
                self._looked_at = now
            return self._kept


def _of_store(measured: StoreSize) -> Iterable[Metric]:
    yield _gauge("mnemic_store_bytes", "What the store takes up.", measured.bytes)
    yield _gauge("mnemic_schema_version", "The number of the store's schema.", measured.schema)
    yield _gauge("mnemic_accounts", "Accounts of the store.", measured.accounts)
    memories = GaugeMetricFamily(
        "mnemic_memories", "Memories in use, by the kind of their scope.", labels=["scope_kind"]
    )
    for kind, number in measured.memories.items():
        memories.add_metric([kind], number)
    yield memories
    jobs = GaugeMetricFamily(
        "mnemic_jobs_unfinished", "Jobs that wait or are being done.", labels=["kind", "status"]
    )
    for (kind, status), number in measured.jobs.items():
        jobs.add_metric([kind, status], number)
    yield jobs


def _gauge(name: str, told: str, value: float) -> Metric:
    return GaugeMetricFamily(name, told, value=value)
