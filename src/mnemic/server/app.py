"""The app of the server: every dialect that speaks HTTP, on one memory."""

from collections.abc import Callable, Mapping
from typing import Any, Final

from fastapi import FastAPI
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Match

from mnemic.dialects.assistant.http import tools_router
from mnemic.dialects.chat.errors import Detail, answer_to, code_of, envelope, invalid
from mnemic.dialects.chat.http import chat_routes
from mnemic.opening import OpenMemory
from mnemic.version import __version__

_METHODS: Final = ("DELETE", "GET", "PATCH", "POST", "PUT")
_TOLD: Final = {404: "There is no such address", 405: "This address does not take that method"}


def build_app(memory: OpenMemory, *, worker_enabled: bool = True) -> FastAPI:
    """Return the app that serves a memory; whoever opened the memory closes it, and runs its
    worker. Without one, work that is asked for by hand is refused.

    Every error comes in the chat's envelope, except those of `/tools`, which has its own.
    """
    app = FastAPI(
        title="Mnemic",
        version=__version__,
        description="One memory for agents: what a chat app, an assistant or a robot remembers.",
        # Mounted flat: a router inside a router is looked through twice for each request.
        routes=chat_routes(memory.chat, worker_enabled=worker_enabled),
        redirect_slashes=False,
        # The pages that FastAPI would show here load their scripts from elsewhere.
        docs_url=None,
        redoc_url=None,
        exception_handlers={
            HTTPException: _refused,
            RequestValidationError: _invalid,
            Exception: _failed,
        },
    )
    # They describe themselves at `GET /tools`, with schemas that are those of the MCP tools.
    app.include_router(tools_router(memory.assistant), include_in_schema=False)
    app.add_api_route(
        "/health/live", _live, methods=["GET"], tags=["health"], summary="Tell that it is running"
    )
    _state_own_refusals_only(app)
    return app


async def _live() -> dict[str, str]:
    """Answer as long as the process can answer at all."""
    return {"status": "ok"}


async def _refused(request: Request, error: Exception) -> Response:
    """Tell of an address or a method that is not known."""
    if not isinstance(error, HTTPException):
        raise error
    headers = dict(error.headers or {})
    if error.status_code == 405:
        headers["Allow"] = ", ".join(_allowed(request.app, request.scope))
    told = _TOLD.get(error.status_code, error.detail)
    return envelope(error.status_code, code_of(error.status_code), told, headers=headers)


async def _invalid(_: Request, error: Exception) -> Response:
    """Tell what FastAPI itself found wrong, on routes that leave the checking to it."""
    if not isinstance(error, RequestValidationError):
        raise error
    return answer_to(
        invalid(
            *(
                Detail(".".join(map(str, one["loc"][1:])), one["msg"], one["type"])
                for one in error.errors()
            )
        )
    )


async def _failed(_: Request, error: Exception) -> Response:
    return answer_to(error)


def _allowed(app: FastAPI, scope: Mapping[str, Any]) -> list[str]:
    """Return the methods that an address takes; several routes may share it."""
    plain = {"type", "path", "root_path", "headers"}
    asked = {name: value for name, value in scope.items() if name in plain}
    return [
        method
        for method in _METHODS
        if any(one.matches({**asked, "method": method})[0] is Match.FULL for one in app.routes)
    ]


def _state_own_refusals_only(app: FastAPI) -> None:
    """Keep out of the OpenAPI document what FastAPI would say of bodies that it checks itself."""
    made: Callable[[], dict[str, Any]] = app.openapi

    def openapi() -> dict[str, Any]:
        if app.openapi_schema is None:
            document = made()
            for operations in document["paths"].values():
                for operation in operations.values():
                    operation["responses"].pop("422", None)
            for name in ("HTTPValidationError", "ValidationError"):
                document["components"]["schemas"].pop(name, None)
        return made()

    app.openapi = openapi
