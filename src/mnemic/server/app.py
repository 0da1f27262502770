"""The app of the server: every dialect that speaks HTTP, on one memory."""

import math
from collections.abc import AsyncGenerator, MutableMapping
from contextlib import asynccontextmanager
from typing import Any, Final

from anyio import CancelScope, create_task_group, sleep, to_thread
from anyio.to_thread import current_default_thread_limiter
from fastapi import APIRouter, FastAPI
from starlette.middleware import Middleware
from starlette.middleware.cors import CORSMiddleware

from mnemic.console.static_files import console_routes
from mnemic.dialects.assistant.router import tools_router
from mnemic.dialects.assistant.tools import AssistantTools
from mnemic.dialects.chat.router import chat_routes
from mnemic.engine.chat_verbs import ChatMemory
from mnemic.opening import OpenMemory
from mnemic.records.access_key import Right
from mnemic.rpc.rpc_route import sdk_routes
from mnemic.server.access.callers import caller_of
from mnemic.server.access.guard import Guard, wants_keys
from mnemic.server.access.refused_keys import SECONDS, RefusedKeys
from mnemic.server.access.shares import Shares
from mnemic.server.account_routes.account_routers import account_routers
from mnemic.server.account_routes.feed_routes import Feed
from mnemic.server.app_errors import HANDLERS, METHODS, state_own_refusals_only
from mnemic.server.docs_page import docs_routes
from mnemic.server.health import health_routes
from mnemic.server.mcp_http import McpEndpoint
from mnemic.server.metrics import Metrics
from mnemic.server.proxy.completion_proxy import CompletionProxy
from mnemic.server.request_observer import Watching
from mnemic.settings import ServerSettings
from mnemic.version import __version__
from mnemic.worker import WorkerThread

# Python computes in one thread at a time. More of them help only while they wait for a database,
# and each keeps some ten megabytes.
_CALLS_AT_ONCE: Final = 16
# So many of the largest bodies an account may have under way.
_LARGEST_BODIES: Final = 4
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
    mcp = McpEndpoint(memory, chosen)
    refused = RefusedKeys(memory)
    proxy = CompletionProxy(memory, chosen)
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
        middleware=_way_in(memory, chosen, metrics, refused),
        lifespan=lambda _: _running(mcp, refused, proxy),
        redirect_slashes=False,
        # The pages that FastAPI would show here load their scripts from elsewhere.
        docs_url=None,
        redoc_url=None,
        exception_handlers=HANDLERS,
    )
    feed = Feed()
    app.include_router(proxy.routes())
    _include(app, memory, feed, health_routes(memory, metrics, worker=worker))
    state_own_refusals_only(app)
    app.state.feed = feed
    return app


def _include(app: FastAPI, memory: OpenMemory, feed: Feed, health: APIRouter) -> None:
    """Add what is called less often than the chat's routes, and the pages."""
    for router in (health, *account_routers(memory.account, feed)):
        app.include_router(router)
    # The tools describe themselves at `GET /tools`, with schemas that are those of the MCP tools.
    tools = tools_router(memory.assistant, assistant_of=_assistant_of)
    for router in (tools, console_routes(), docs_routes()):
        app.include_router(router, include_in_schema=False)


@asynccontextmanager
async def _running(
    mcp: McpEndpoint, refused: RefusedKeys, proxy: CompletionProxy
) -> AsyncGenerator[None]:
    """Keep what lasts as long as the server does."""
    # How many calls compute is a matter of turns; those that wait for a model need threads, too.
    current_default_thread_limiter().total_tokens = math.inf
    async with mcp.open(), create_task_group() as tasks:
        tasks.start_soon(_writing, refused)
        try:
            yield
        finally:
            tasks.cancel_scope.cancel()
            with CancelScope(shield=True):
                await to_thread.run_sync(refused.write)
                await proxy.close()


async def _writing(refused: RefusedKeys) -> None:
    """Write down refused keys that were only counted, every ten minutes."""
    while True:
        await sleep(SECONDS)
        await to_thread.run_sync(refused.write)


def _way_in(
    memory: OpenMemory, settings: ServerSettings, metrics: Metrics, refused: RefusedKeys
) -> list[Middleware]:
    """Return what a request passes first: browsers ask for permission before they send a key."""
    pages = Middleware(
        CORSMiddleware,
        allow_origins=sorted(settings.origins),
        allow_methods=list(METHODS),
        allow_headers=["*"],
        expose_headers=["mcp-session-id", "retry-after", "x-mnemic-session", "x-request-id"],
    )
    return [
        Middleware(Watching, metrics=metrics),
        *([pages] if settings.origins else []),
        Middleware(
            Guard,
            memory=memory,
            settings=settings,
            wants_keys=wants_keys(memory, settings),
            refused=refused,
            shares=Shares(
                places=settings.max_requests,
                at_once=_CALLS_AT_ONCE,
                each=settings.account_calls,
                most_bytes=_LARGEST_BODIES * settings.max_body,
            ),
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
