"""Around every request: its id, its numbers, its line in the log and its span."""

import logging
from contextlib import nullcontext
from time import perf_counter
from typing import Final

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from mnemic.server.access.callers import known_caller
from mnemic.server.metrics import Metrics
from mnemic.telemetry.request_ids import accepted, begin_request

_LOG: Final = logging.getLogger("mnemic.access")
_HEADER: Final = b"x-request-id"
_METHODS: Final = frozenset({"DELETE", "GET", "HEAD", "OPTIONS", "PATCH", "POST", "PUT"})
_OTHER: Final = "OTHER"
_NO_ROUTE: Final = "unmatched"
# What else is mounted has no route of its own to be named by.
_MOUNTED: Final = frozenset({"/mcp", "/messages", "/openapi.json", "/sse"})


class Watching:
    """Gives each request an id and tells how it went, by its route and never by its address: what
    is searched for stands there.

    It stands outside of the guard, so that what is refused is counted too.
    """

    def __init__(self, app: ASGIApp, *, metrics: Metrics) -> None:
        self._app = app
        self._metrics = metrics

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        one = _Request(scope)
        # It is not taken back: what answers to an error outside of here wants to know it too.
        begin_request(one.id)
        scope.setdefault("state", {})["request_id"] = one.id
        spans = self._metrics.spans
        self._metrics.in_flight.inc()
        try:
            with (
                nullcontext()
                if spans is None
                else spans.request(one.method, scope["headers"]) as span
            ):
                try:
                    await self._app(scope, receive, one.sending(send))
                finally:
                    one.end()
                    if span is not None:
                        span.tell(
                            one.method,
                            one.route,
                            one.status,
                            request_id=one.id,
                            account=one.account,
                            key_id=one.key_id,
                        )
        finally:
            self._metrics.in_flight.dec()
            self._metrics.answered(one.method, one.route, one.status, one.seconds)
            one.log()


class _Request:
    """One request, as it is told."""

    # Until something was answered, it counts as failed.
    status = 500
    seconds = 0.0
    route = _NO_ROUTE
    account: str | None = None
    key_id: str | None = None

    def __init__(self, scope: Scope) -> None:
        self._scope = scope
        self._started = perf_counter()
        self.method: str = scope["method"] if scope["method"] in _METHODS else _OTHER
        given = next((value for name, value in scope["headers"] if name == _HEADER), None)
        self.id = accepted(None if given is None else given.decode("latin-1"))

    def sending(self, send: Send) -> Send:
        """Return what sends an answer on, with the id in its head."""

        async def sent(message: Message) -> None:
            if message["type"] == "http.response.start":
                self.status = message["status"]
                headers = list(message.get("headers", ()))
                if not any(name == _HEADER for name, _ in headers):
                    headers.append((_HEADER, self.id.encode("ascii")))
                message = {**message, "headers": headers}
            await send(message)

        return sent

    def end(self) -> None:
        """Note how long it took, which route answered, and whom."""
        self.seconds = perf_counter() - self._started
        self.route = _route(self._scope)
        caller = known_caller(self._scope)
        if caller is not None:
            self.account, self.key_id = caller.memory.account, caller.key_id

    def log(self) -> None:
        """Write the line of the log."""
        if not _LOG.isEnabledFor(logging.INFO):
            return
        milliseconds = round(self.seconds * 1000, 2)
        said = {
            "method": self.method,
            "route": self.route,
            "status": self.status,
            "milliseconds": milliseconds,
            "account": self.account,
            "key_id": self.key_id,
            "request_id": self.id,
        }
        _LOG.info(
            "%s %s %d %.2f ms", self.method, self.route, self.status, milliseconds, extra=said
        )


def _route(scope: Scope) -> str:
    """Return the template of the route that answered, so that ids make no new names."""
    # Without the kinds of its parameters; what is mounted has a rest of an address at its end.
    template: str | None = getattr(scope.get("route"), "path_format", None)
    if template:
        return template.removesuffix("/{path}")
    first = "/" + scope["path"].split("/", 2)[1] if scope["path"].startswith("/") else ""
    return first if first in _MOUNTED else _NO_ROUTE
