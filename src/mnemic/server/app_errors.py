"""What the app itself says of requests that reach no route, and of its own refusals."""

from collections.abc import Callable, Mapping
from typing import Any, Final

from fastapi import FastAPI
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Match

from mnemic.dialects.chat.error_answers import Detail, answer_to, code_of, envelope, invalid

METHODS: Final = ("DELETE", "GET", "PATCH", "POST", "PUT")
_TOLD: Final = {404: "There is no such address", 405: "This address does not take that method"}


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
                Detail(".".join(map(str, problem["loc"][1:])), problem["msg"], problem["type"])
                for problem in error.errors()
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
        for method in METHODS
        if any(route.matches({**asked, "method": method})[0] is Match.FULL for route in app.routes)
    ]


def state_own_refusals_only(app: FastAPI) -> None:
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


HANDLERS: Final[dict[int | type[Exception], Any]] = {
    HTTPException: _refused,
    RequestValidationError: _invalid,
    Exception: _failed,
}
"""Turns what is raised into answers in the chat's envelope."""
