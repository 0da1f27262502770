"""Whether a server can do its work, for whoever sends it requests."""

from collections.abc import Awaitable, Callable
from typing import Any, Final

from anyio import CapacityLimiter, move_on_after, to_thread
from fastapi import APIRouter
from fastapi.responses import JSONResponse, RedirectResponse
from pydantic import BaseModel
from starlette.responses import Response

from mnemic.errors import MnemicError
from mnemic.opening import OpenMemory
from mnemic.server.metrics import CONTENT_TYPE, Metrics
from mnemic.version import __version__
from mnemic.worker import WorkerThread

API_VERSION: Final = 1
_STORE_SECONDS: Final = 2.0
# A store that hangs must not use up the threads that answer requests.
_CHECKS_AT_ONCE: Final = 2
_DEGRADED: Final = "The embedder is broken. Recall goes on with words alone."


class Live(BaseModel):
    """That the process answers."""

    status: str


class Check(BaseModel):
    """How one part does, and in a sentence what that means where it is not well."""

    status: str
    message: str | None = None


class Checks(BaseModel):
    """The parts that are looked at."""

    store: Check
    embedder: Check
    worker: Check


class Readiness(BaseModel):
    """`ready`; `degraded`, which works with less; or `unavailable`."""

    status: str
    checks: Checks


class Version(BaseModel):
    """What is running."""

    version: str
    api: int


def health_routes(
    memory: OpenMemory,
    metrics: Metrics,
    *,
    worker: WorkerThread | None = None,
    store_seconds: float = _STORE_SECONDS,
) -> APIRouter:
    """Return the routes by which a server is watched. None but `/metrics` tells of counts or
    names. `worker` is the one of this process, if there is one.
    """
    health = _Health(memory, metrics, worker, _store_check(memory, store_seconds))
    router = APIRouter()

    def add(path: str, answers: Callable[..., Any], summary: str, **said: Any) -> None:
        named = {"operation_id": f"get_{answers.__name__}", "summary": summary}
        router.add_api_route(path, answers, methods=["GET"], tags=["health"], **named, **said)

    unavailable = {503: {"model": Readiness, "description": "Send requests elsewhere."}}
    add("/health", health.moved, "Go to `/health/live`", include_in_schema=False)
    add("/health/live", health.live, "Tell that it is running", response_model=Live)
    add(
        "/health/ready",
        health.ready,
        "Tell whether it can do its work",
        response_model=Readiness,
        responses=unavailable,
    )
    add("/version", health.version, "Tell which version it is", response_model=Version)
    add("/metrics", health.metrics, "Tell what was counted", include_in_schema=False)
    return router


class _Health:
    """Answers whoever watches a server."""

    def __init__(
        self,
        memory: OpenMemory,
        metrics: Metrics,
        worker: WorkerThread | None,
        check_store: Callable[[], Awaitable[Check]],
    ) -> None:
        self._memory = memory
        self._metrics = metrics
        self._worker = worker
        self._check_store = check_store

    async def live(self) -> dict[str, str]:
        """Answer as long as the process can answer at all. Nothing is read for it."""
        return {"status": "ok"}

    async def moved(self) -> RedirectResponse:
        """Send whoever guesses the address to where the answer is."""
        return RedirectResponse("/health/live", 308)

    async def ready(self) -> JSONResponse:
        """Tell whether requests can be answered: the store can be read and written, and the
        worker runs. A broken embedder is no reason to send requests elsewhere.
        """
        checks = Checks(
            store=await self._check_store(),
            embedder=_embedder(self._memory),
            worker=_at(self._worker),
        )
        works = checks.store.status == "ok" and checks.worker.status != "stopped"
        well = "degraded" if checks.embedder.status == "broken" else "ready"
        readiness = Readiness(status=well if works else "unavailable", checks=checks)
        return JSONResponse(readiness.model_dump(exclude_none=True), 200 if works else 503)

    async def version(self) -> dict[str, Any]:
        """Tell which version answers, and the number of its API: another number is another API."""
        return {"version": __version__, "api": API_VERSION}

    async def metrics(self) -> Response:
        """Tell what was counted, as Prometheus reads it."""
        text = await to_thread.run_sync(self._metrics.text)
        return Response(text, headers={"content-type": CONTENT_TYPE})


def _store_check(memory: OpenMemory, seconds: float) -> Callable[[], Awaitable[Check]]:
    limiter = CapacityLimiter(_CHECKS_AT_ONCE)

    def look() -> Check:
        try:
            obstacle = memory.inspection.check_store()
        except MnemicError:
            # Why stands in the log and in `mnemic doctor`; here anybody may ask.
            return Check(status="unreadable", message="The store cannot be read.")
        if obstacle is not None:
            return Check(status="unwritable", message=f"The store cannot be written: {obstacle}.")
        return Check(status="ok")

    async def check() -> Check:
        with move_on_after(seconds):
            return await to_thread.run_sync(look, abandon_on_cancel=True, limiter=limiter)
        return Check(status="silent", message=f"The store gave no answer in {seconds:g} s.")

    return check


def _embedder(memory: OpenMemory) -> Check:
    state = memory.inspection.embedder
    return Check(status=state, message=_DEGRADED if state == "broken" else None)


def _at(worker: WorkerThread | None) -> Check:
    if worker is None:
        return Check(status="off", message="Background work is left to other processes.")
    if worker.is_alive:
        return Check(status="running")
    return Check(status="stopped", message="Background work is not being done. Restart the server.")
