"""The chat's REST API as a router, to be mounted in any FastAPI app."""

from fastapi import APIRouter
from starlette.routing import BaseRoute

from mnemic.dialects.chat.edges import Edges
from mnemic.dialects.chat.jobs import Jobs
from mnemic.dialects.chat.memories import Memories
from mnemic.dialects.chat.routing import routes_of
from mnemic.dialects.chat.scopes import Scopes
from mnemic.dialects.chat.sessions import Sessions
from mnemic.engine.chat import ChatMemory


def chat_routes(chat: ChatMemory, *, worker_enabled: bool = True) -> list[BaseRoute]:
    """Return the routes of the chat's API, those that are called most at first. Where no worker is
    enabled, a rebuild or a compaction is refused.
    """
    return [
        *routes_of(Memories(chat), tag="memories"),
        *routes_of(Sessions(chat), tag="sessions"),
        *routes_of(Edges(chat), tag="memory-edges"),
        *routes_of(Jobs(chat), tag="memory-jobs"),
        *routes_of(Scopes(chat, worker_enabled=worker_enabled), tag="memory-scopes"),
    ]


def chat_router(chat: ChatMemory, *, worker_enabled: bool = True) -> APIRouter:
    """Return a router with the chat's API. Its errors come in its own envelope; what an app says
    of unknown addresses is up to the app.
    """
    return APIRouter(routes=chat_routes(chat, worker_enabled=worker_enabled))
