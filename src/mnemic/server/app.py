"""The app of the server: every dialect that speaks HTTP, on one memory."""

from collections.abc import AsyncGenerator, MutableMapping
from contextlib import asynccontextmanager
from typing import Any, Final

from anyio.to_thread import current_default_thread_limiter
from fastapi import FastAPI
from starlette.middleware import Middleware
from starlette.middleware.cors import CORSMiddleware

from mnemic.dialects.assistant.http import tools_router
from mnemic.dialects.assistant.tools import AssistantTools
from mnemic.dialects.chat.http import chat_routes
from mnemic.dialects.sdk.http import sdk_routes
from mnemic.engine.chat import ChatMemory
from mnemic.keys import Right
from mnemic.opening import OpenMemory
from mnemic.server.callers import caller_of
from mnemic.server.docs_page import page_routes
from mnemic.server.errors import HANDLERS, METHODS, state_own_refusals_only
from mnemic.server.guard import Guard, wants_keys
from mnemic.server.health import health_routes
from mnemic.server.mcp_http import McpDoor
from mnemic.server.metrics import Metrics
from mnemic.server.watching import Watching
from mnemic.settings import ServerSettings
from mnemic.version import __version__
from mnemic.worker import WorkerThread

# Python computes in one thread at a time. More of them help only while they wait, for a language
# model or a database, and each keeps some ten megabytes.
_CALLS_AT_ONCE: Final = 16
_TITLE: Final = "Mnemic"
_ABOUT: Final = "One memory for agents: what a chat app, an assistant or a robot remembers."


def build_app(
    memory: OpenMemory,
    *,
    worker_enabled: bool = True,
    settings: ServerSettings | None = None,
    metrics: Metrics | None = None,
    worker: WorkerThread | None = None,
) -> FastAPI:
    """Return the app that serves a memory; whoever opened the memory closes it, and runs its
    worker. Without one, work that is asked for by hand is refused.

    Every error comes in the chat's envelope, except those of `/tools`, which has its own. Every
    request passes the guard, which finds out who makes it: see `server.callers`. `metrics` counts
    what is done with the memory that it watches; without it, the memory is watched from here on.
    `worker` is the one of this process, whose health is told.
    """
    chosen = settings or ServerSettings()
    if metrics is None:
        metrics = Metrics()
        memory = memory.watched_by(metrics)
    metrics.tell_of(memory.inspection, worker=worker)
    mcp = McpDoor(memory, chosen)
    app = FastAPI(
        title=_TITLE,
        version=__version__,
        description=_ABOUT,
        # Mounted flat: a router inside a router is looked through twice for each request.
        routes=[
            *sdk_routes(_memory_of, _may),
            *mcp.routes(),
            *chat_routes(memory.chat, worker_enabled=worker_enabled, chat_of=_chat_of),
        ],
        middleware=_way_in(memory, chosen, metrics),
        lifespan=lambda _: _running(mcp),
        redirect_slashes=False,
        # The pages that FastAPI would show here load their scripts from elsewhere.
        docs_url=None,
        redoc_url=None,
        exception_handlers=HANDLERS,
    )
    # They describe themselves at `GET /tools`, with schemas that are those of the MCP tools.
    tools = tools_router(memory.assistant, assistant_of=_assistant_of)
    app.include_router(tools, include_in_schema=False)
    app.include_router(health_routes(memory, metrics, worker=worker))
    app.include_router(page_routes(), include_in_schema=False)
    state_own_refusals_only(app)
    return app


@asynccontextmanager
async def _running(mcp: McpDoor) -> AsyncGenerator[None]:
    """Keep what lasts as long as the server does."""
    current_default_thread_limiter().total_tokens = _CALLS_AT_ONCE
    async with mcp.open():
        yield


def _way_in(memory: OpenMemory, settings: ServerSettings, metrics: Metrics) -> list[Middleware]:
    """Return what a request passes first: browsers ask for permission before they send a key."""
    pages = Middleware(
        CORSMiddleware,
        allow_origins=sorted(settings.origins),
        allow_methods=list(METHODS),
        allow_headers=["*"],
        expose_headers=["mcp-session-id", "retry-after", "x-request-id"],
    )
    return [
        Middleware(Watching, metrics=metrics),
        *([pages] if settings.origins else []),
        Middleware(
            Guard,
            memory=memory,
            settings=settings,
            wants_keys=wants_keys(memory, settings),
        ),
    ]


def _memory_of(scope: MutableMapping[str, Any]) -> OpenMemory:
    return caller_of(scope).memory


def _may(scope: MutableMapping[str, Any], right: Right) -> bool:
    return caller_of(scope).may(right)


def _chat_of(scope: MutableMapping[str, Any]) -> ChatMemory:
    return caller_of(scope).memory.chat


def _assistant_of(scope: MutableMapping[str, Any]) -> AssistantTools:
    return caller_of(scope).memory.assistant
