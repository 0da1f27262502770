"""`/events`: what happened to an account, page by page, and as it happens."""

import json
from collections import Counter
from collections.abc import AsyncGenerator
from typing import Annotated, Any, Final

from anyio import sleep, to_thread
from fastapi import APIRouter, Query, Request
from pydantic import BaseModel, BeforeValidator, Field
from pydantic.json_schema import SkipJsonSchema
from starlette.responses import Response, StreamingResponse

from mnemic.dialects.chat.body_fields import Limit, Moment, Parameters, to_moment
from mnemic.dialects.chat.error_answers import answer_to, envelope
from mnemic.errors import MnemicError
from mnemic.opening import OpenMemory
from mnemic.records.memory import Verb
from mnemic.server.access.callers import caller_of
from mnemic.server.account_routes.answering import AnyScopeKind, ScopeText, add_route, scope_of
from mnemic.server.account_routes.memory_shapes import EventShape, event_json

STREAM: Final = "/events/stream"
_SECONDS: Final = 1.0
# A comment every so often shows that somebody still listens.
_SILENT_LOOKS: Final = 15
_PORTION: Final = 200
# Then a follower comes again, with a key that still opens something.
_LOOKS: Final = 600
# Of one account: each looks at the store every second.
_MOST_STREAMS: Final = 32
_None = SkipJsonSchema[None]
_LARGEST: Final = 2**53 - 1


def _digits(value: object) -> object:
    return int(value) if isinstance(value, str) and value.isdecimal() and len(value) < 19 else value


EventId = Annotated[int, Field(ge=0, le=_LARGEST), BeforeValidator(_digits)]


class EventList(Parameters):
    """Which events; every parameter restricts."""

    before: Annotated[EventId | _None, Field(description="Only earlier ones than this.")] = None
    after: Annotated[
        EventId | _None, Field(description="Only later ones than this, in their order.")
    ] = None
    until: Annotated[
        Moment | _None, Field(description="Only what happened until then, in milliseconds.")
    ] = None
    verb: Annotated[Verb | _None, Field(description="Only one kind of change.")] = None
    scope_kind: Annotated[AnyScopeKind | _None, Field(description="Of one scope.")] = None
    scope: ScopeText | _None = None
    limit: Limit = 50


class EventsMeta(BaseModel):
    """Where the next page begins."""

    next_before: int | None = Field(description="Give it as `before`; null on the last page.")
    last: int = Field(description="The number of the last event of all.")


class EventsAnswer(BaseModel):
    """A page of events, the latest first."""

    data: list[EventShape]
    meta: EventsMeta


class Feed:
    """The endpoints of events."""

    def __init__(self) -> None:
        self._streams: Counter[str] = Counter()
        self._is_open = True

    def close(self) -> None:
        """Let every stream end at its next look: a server that ends does not wait for them."""
        self._is_open = False

    def routes(self) -> APIRouter:
        """Return the routes."""
        router = APIRouter()
        # Its answer never ends, which no schema can say.
        router.add_api_route(STREAM, self.stream_events, methods=["GET"], include_in_schema=False)
        add_route(router, "GET", "/events", list_events, EventsAnswer, tag="events")
        return router

    async def stream_events(
        self, request: Request, query: Annotated[EventList, Query()]
    ) -> Response:
        """Answer with server-sent events, each with the number of the event as its id and the event
        as `GET /events` tells it. It begins after `after`, or now; `Last-Event-ID` goes on where a
        connection broke. After ten minutes the server ends it, and a client comes again.
        """
        memory = caller_of(request.scope).memory
        if self._streams[memory.account] >= _MOST_STREAMS:
            told = f"This account follows {_MOST_STREAMS} streams already"
            return envelope(429, "too_many_requests", told, headers={"Retry-After": "10"})
        resumed = request.headers.get("last-event-id", "")
        try:
            start = query.after
            if resumed.isdecimal() and len(resumed) < 19:
                start = int(resumed)
            if start is None:
                start = await to_thread.run_sync(memory.view.last_event)
        except MnemicError as error:
            return answer_to(error)
        return StreamingResponse(
            self._following(memory, start, query),
            media_type="text/event-stream",
            headers={"cache-control": "no-store", "x-accel-buffering": "no"},
        )

    async def _following(
        self, memory: OpenMemory, start: int, query: EventList
    ) -> AsyncGenerator[bytes]:
        self._streams[memory.account] += 1
        silent = 0
        try:
            yield b": follows\n\n"
            for _ in range(_LOOKS):
                if not self._is_open:
                    break
                written, start = await to_thread.run_sync(_written_after, memory, start, query)
                silent = 0 if written else silent + 1
                if written or silent % _SILENT_LOOKS == 0:
                    yield written or b": still\n\n"
                await sleep(_SECONDS)
        finally:
            self._streams[memory.account] -= 1


def list_events(request: Request, query: Annotated[EventList, Query()]) -> dict[str, Any]:
    """List what happened to the account's memories, the latest first.

    With `after` the list goes the other way: what came after that event, in order. The page
    after this one is asked for with `before`, so that it stays the same while things happen.
    """
    view = caller_of(request.scope).memory.view
    found = view.events(
        before_id=query.before,
        until=to_moment(query.until),
        after_id=query.after,
        verb=query.verb,
        scope=scope_of(query.scope_kind, query.scope),
        limit=query.limit,
    )
    more = query.after is None and len(found) == query.limit
    return {
        "data": [event_json(event, hidden=view.hides(event)) for event in found],
        "meta": {"next_before": found[-1].id if more else None, "last": view.last_event()},
    }


def _written_after(memory: OpenMemory, start: int, query: EventList) -> tuple[bytes, int]:
    view = memory.view
    found = view.events(
        after_id=start,
        verb=query.verb,
        scope=scope_of(query.scope_kind, query.scope),
        limit=_PORTION,
    )
    written = "".join(
        f"id: {event.id}\ndata: {json.dumps(event_json(event, hidden=view.hides(event)))}\n\n"
        for event in found
    )
    return written.encode(), found[-1].id if found else start
