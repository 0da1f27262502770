"""How a route of an account is declared, and how its errors are told."""

from collections.abc import Callable, Mapping
from datetime import datetime
from functools import wraps
from typing import Annotated, Any, Final, Literal, get_args

from fastapi import APIRouter, Depends, Request
from pydantic import BaseModel, Field
from pydantic_core import to_json
from starlette.exceptions import HTTPException
from starlette.responses import Response

from mnemic.dialects.chat.answers import ErrorAnswer
from mnemic.dialects.chat.body_fields import Name, to_milliseconds
from mnemic.dialects.chat.error_answers import answer_to
from mnemic.records.memory import Scope, ScopeKind

_REFUSALS: Final[Mapping[int, str]] = {
    400: "A value is not allowed; `details` says which.",
    403: "The key does not allow it.",
    404: "There is nothing with that id.",
    409: "The state of things does not allow it.",
    413: "The body has more than the server takes.",
    415: "The body is not `application/json`.",
    422: "A text took longer to read than a call may.",
    500: "Something broke; the log has more under the request's id.",
    503: "The store stayed locked. Try again.",
}
_ALWAYS: Final = (400, 500, 503)
_WITH_BODY: Final = (413, 415)

AnyScopeKind = Literal["collection", "user", "global", "chat", "branch", "floor", "resting", "said"]
assert get_args(AnyScopeKind) == get_args(ScopeKind)  # noqa: S101  pydantic needs it spelled out
ScopeText = Annotated[Name, Field(description="Its name; with `scope_kind`.")]


def add_route(
    router: APIRouter,
    method: str,
    path: str,
    endpoint: Callable[..., Mapping[str, Any]],
    answers: type[BaseModel],
    *,
    tag: str,
    status: int = 200,
    refuses: tuple[int, ...] = (),
) -> None:
    """Add a route whose endpoint returns its answer; its docstring is what the document says."""
    summary, _, description = (endpoint.__doc__ or "").partition("\n\n")
    said = " ".join(summary.split()).rstrip(".")
    has_body = "body" in endpoint.__annotations__
    stated = sorted({*_ALWAYS, *refuses, *(_WITH_BODY if has_body else ())})
    answering = _answering(endpoint, status)
    router.add_api_route(
        path,
        answering,
        dependencies=[Depends(_takes_json)] if has_body else None,
        methods=[method],
        tags=[tag],
        status_code=status,
        operation_id=endpoint.__name__,
        summary=said,
        description="\n".join(line.strip() for line in description.splitlines()).strip() or said,
        response_model=answers,
        responses={code: {"model": ErrorAnswer, "description": _REFUSALS[code]} for code in stated},
    )


async def _takes_json(request: Request) -> None:
    """Refuse what a form could send: a page of another origin may do that without being asked."""
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind != "application/json":
        raise HTTPException(415, "Send the body as application/json")


def _answering(endpoint: Callable[..., Mapping[str, Any]], status: int) -> Callable[..., Response]:
    @wraps(endpoint)
    def answered(*given: Any, **named: Any) -> Response:
        try:
            body = to_json(endpoint(*given, **named))
        except Exception as error:
            # The edge: whatever it is, the client gets the envelope.
            return answer_to(error)
        return Response(body, status, media_type="application/json")

    answered.__annotations__ = {**endpoint.__annotations__, "return": Response}
    return answered


def scope_of(kind: ScopeKind | None, name: str | None) -> Scope | None:
    """Return the scope that two parameters name, None where they name none."""
    return None if kind is None or name is None else Scope(kind, name)


def maybe_milliseconds(moment: datetime | None) -> int | None:
    """Return a time as it is told, None for none."""
    return None if moment is None else to_milliseconds(moment)
