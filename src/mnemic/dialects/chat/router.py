"""The chat's REST API as a router, to be mounted in any FastAPI app."""

from fastapi import APIRouter
from starlette.routing import BaseRoute

from mnemic.dialects.chat.routes.edge_routes import Edges
from mnemic.dialects.chat.routes.erasure_routes import Erasures
from mnemic.dialects.chat.routes.item_routes import Memories
from mnemic.dialects.chat.routes.job_routes import Jobs
from mnemic.dialects.chat.routes.scope_routes import Scopes
from mnemic.dialects.chat.routes.session_routes import SessionEndpoints
from mnemic.dialects.chat.routing import ChatOf, routes_of
from mnemic.engine.chat_verbs import ChatMemory


def chat_routes(
    chat: ChatMemory, *, worker_enabled: bool = True, chat_of: ChatOf | None = None
) -> list[BaseRoute]:
    """Return the routes of the chat's API, those that are called most at first. Where no worker is
    enabled, a rebuild or a compaction is refused.

    `chat_of` finds whose memory a request is about; without it, it is always the one given.
    """
    groups = {
        "memories": Memories(chat),
        "sessions": SessionEndpoints(chat),
        "memory-edges": Edges(chat),
        "memory-jobs": Jobs(chat),
        "memory-scopes": Scopes(chat, worker_enabled=worker_enabled),
        "erasures": Erasures(chat),
    }
    find_chat: ChatOf = chat_of or (lambda _: chat)
    return [
        route
        for tag, endpoints in groups.items()
        for route in routes_of(endpoints, tag=tag, chat_of=find_chat)
    ]


def chat_router(chat: ChatMemory, *, worker_enabled: bool = True) -> APIRouter:
    """Return a router with the chat's API. Its errors come in its own envelope; what an app says
    of unknown addresses is up to the app.
    """
    return APIRouter(routes=chat_routes(chat, worker_enabled=worker_enabled))
