"""Routes that are declared as FastAPI's are, and answered without its detours.

The signature of an endpoint says what it takes: `body` and `query` are models, everything else
stands in the path. FastAPI reads the OpenAPI document from that. A request is checked against the
same models here, strictly, and in a thread, where the endpoint may wait for the database. To
change threads costs more than to read or write a single item; with a file at hand that is done at
once, and only where another writer is at it, in a thread.
"""

import inspect
from collections.abc import Callable, Coroutine, Iterable, Mapping, MutableMapping
from copy import copy
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Any, ClassVar, Final, Self, TypeVar
from urllib.parse import parse_qsl

from fastapi import Request, Response
from fastapi.routing import APIRoute
from pydantic import BaseModel, TypeAdapter, ValidationError
from pydantic_core import to_json
from starlette.concurrency import run_in_threadpool
from starlette.requests import ClientDisconnect
from starlette.routing import BaseRoute

from mnemic.dialects.chat.answers import ErrorAnswer
from mnemic.dialects.chat.error_answers import (
    Detail,
    RefusedError,
    answer_to,
    body_details,
    flat_details,
    invalid,
)
from mnemic.engine.chat_verbs import ChatMemory
from mnemic.errors import BusyError
from mnemic.runtime.yielding import computed

MOST_BYTES: Final = 1024 * 1024
MOST_BULK_BYTES: Final = 16 * MOST_BYTES
"""What comes in bulk may be so long."""

Endpoint = Callable[..., Mapping[str, Any]]
ChatOf = Callable[[MutableMapping[str, Any]], ChatMemory]
"""Finds whose memory a request is about, by its ASGI scope."""
E = TypeVar("E", bound=Endpoint)

# What takes longer to read is read where nobody waits for it.
_QUICK_BYTES: Final = 4096

_LONGEST_NAME: Final = 100
_MARK: Final = "__operation__"
_DONE: Final = {200: "What was asked for.", 201: "It is kept."}
_REFUSALS: Final = {
    400: "A value is not allowed; `details` says which.",
    404: "There is nothing with that id.",
    409: "The state of things does not allow it.",
    413: "The body is larger than is allowed: 1 MiB, or 16 MiB for many turns.",
    415: "The body is not `application/json`.",
    502: "The language model could not answer.",
    500: "Something broke; the log has more under the request's id.",
    503: "The store stayed locked. Try again.",
}
_ANY: Final = (400, 500, 503)
_WITH_BODY: Final = (413, 415)


class ChatRoute(APIRoute):
    """A route whose endpoint gets checked values, and whose errors come in the envelope."""

    at_once: ClassVar[bool] = False

    def __init__(
        self, path: str, endpoint: Endpoint, *, chat_of: ChatOf, most_bytes: int, **said: Any
    ) -> None:
        self._chat_of = chat_of
        self._most_bytes = most_bytes
        super().__init__(path, endpoint, **said)

    def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
        """Return what answers a request."""
        call = _Call(self.endpoint, self.status_code or 200, self._chat_of)
        at_once, most = self.at_once, self._most_bytes

        async def handle(request: Request) -> Response:
            try:
                body = await json_body(request, most=most) if call.body is not None else b""
            except RefusedError as refused:
                return answer_to(refused)
            if at_once and len(body) <= _QUICK_BYTES:
                try:
                    return call.at_once(request.scope, body)
                except BusyError:
                    # Another writer is at it: wait for it where nobody else has to.
                    pass
            return await run_in_threadpool(computed, call, request.scope, body)

        return handle


class _QuickRoute(ChatRoute):
    """A route whose endpoint is quick, and need not wait for anybody."""

    at_once = True


class Endpoints:
    """Methods that answer requests from one account's memory."""

    def __init__(self, chat: ChatMemory) -> None:
        self.chat = chat

    def of(self, chat: ChatMemory) -> Self:
        """Return the same methods on the memory of another account."""
        other = copy(self)
        other.chat = chat
        return other


class _Call:
    """One endpoint with what checks its arguments, all made ready beforehand."""

    def __init__(self, endpoint: Endpoint, status: int, chat_of: ChatOf) -> None:
        signature = inspect.signature(endpoint, eval_str=True)
        kinds = {name: one.annotation for name, one in signature.parameters.items()}
        self._name = endpoint.__name__
        self._endpoints: Endpoints = endpoint.__self__  # pyright: ignore[reportFunctionMemberAccess]
        self._chat_of = chat_of
        self._status = status
        self.body: type[BaseModel] | None = kinds.pop("body", None)
        left_out = signature.parameters["body"].default if self.body is not None else None
        self._may_leave_out = isinstance(left_out, BaseModel)
        query: Any = kinds.pop("query", None)
        self._query: type[BaseModel] | None = None if query is None else query.__origin__
        self._path = {name: TypeAdapter[Any](kind) for name, kind in kinds.items()}

    def at_once(self, scope: MutableMapping[str, Any], body: bytes) -> Response:
        """Return the answer without waiting for anybody; raise BusyError where that cannot be."""
        return self._answered(scope, body, in_a_hurry=True)

    def __call__(self, scope: MutableMapping[str, Any], body: bytes) -> Response:
        try:
            return self._answered(scope, body, in_a_hurry=False)
        except BusyError as error:
            return answer_to(error)

    def _answered(
        self, scope: MutableMapping[str, Any], body: bytes, *, in_a_hurry: bool
    ) -> Response:
        try:
            given = self._arguments(scope, body)
            chat = self._chat_of(scope)
            endpoint: Endpoint = getattr(self._endpoints.of(chat), self._name)
            said = chat.at_once(lambda: endpoint(**given)) if in_a_hurry else endpoint(**given)
            answer = to_json(said)
        except BusyError:
            raise
        except Exception as error:
            # The edge: whatever it is, the client gets the envelope.
            return answer_to(error)
        return Response(answer, status_code=self._status, media_type="application/json")

    def _arguments(self, scope: Mapping[str, Any], body: bytes) -> dict[str, Any]:
        given: dict[str, Any] = {
            name: _checked(kind, name, scope["path_params"][name])
            for name, kind in self._path.items()
        }
        fields = {} if self._query is None else self._query.model_fields
        sent = _query(scope["query_string"], fields)
        if self._query is not None:
            try:
                given["query"] = self._query.__pydantic_validator__.validate_python(sent)
            except ValidationError as error:
                raise invalid(*flat_details(error)) from error
        if self.body is not None and (body or not self._may_leave_out):
            try:
                given["body"] = self.body.__pydantic_validator__.validate_json(body)
            except ValidationError as error:
                raise invalid(*body_details(error)) from error
        return given


@dataclass(frozen=True, slots=True)
class _Operation:
    method: str
    path: str
    answers: type[BaseModel]
    status: int
    refuses: tuple[int, ...]
    at_once: bool
    most_bytes: int


def operation(
    method: str,
    path: str,
    answers: type[BaseModel],
    *,
    status: int = 200,
    refuses: tuple[int, ...] = (),
    at_once: bool = False,
    most_bytes: int = MOST_BYTES,
) -> Callable[[E], E]:
    """Say at which address a method of a class of endpoints answers, with what, and which errors
    it may tell of besides those of every route. `at_once` is for what reads or writes one item.
    """

    def mark(endpoint: E) -> E:
        setattr(
            endpoint, _MARK, _Operation(method, path, answers, status, refuses, at_once, most_bytes)
        )
        return endpoint

    return mark


def routes_of(endpoints: Endpoints, *, tag: str, chat_of: ChatOf) -> list[BaseRoute]:
    """Return the routes of a class of endpoints, in the order in which they stand there."""
    return [
        _route(getattr(endpoints, name), getattr(one, _MARK), tag, chat_of)
        for name, one in vars(type(endpoints)).items()
        if hasattr(one, _MARK)
    ]


def _route(endpoint: Endpoint, said: _Operation, tag: str, chat_of: ChatOf) -> ChatRoute:
    """Return the route of an endpoint; its name is the operation's, its docstring the words."""
    summary, _, description = (inspect.getdoc(endpoint) or "").partition("\n\n")
    has_body = "body" in inspect.signature(endpoint).parameters
    stated = sorted({*said.refuses, *_ANY, *(_WITH_BODY if has_body else ())})
    endpoints: Endpoints = endpoint.__self__  # pyright: ignore[reportFunctionMemberAccess]
    kind = _QuickRoute if said.at_once and endpoints.chat.is_at_hand else ChatRoute
    return kind(
        said.path,
        endpoint,
        chat_of=chat_of,
        most_bytes=said.most_bytes,
        methods=[said.method],
        response_model=said.answers,
        status_code=said.status,
        tags=[tag],
        summary=" ".join(summary.split()).rstrip("."),
        description=description or summary,
        response_description=_DONE[said.status],
        operation_id=endpoint.__name__,
        responses={code: {"model": ErrorAnswer, "description": _REFUSALS[code]} for code in stated},
    )


async def json_body(request: Request, *, most: int = MOST_BYTES) -> bytes:
    """Read what was sent, but no more than is allowed, and nothing that a form could send."""
    body = bytearray()
    try:
        async for part in request.stream():
            body += part
            if len(body) > most:
                raise RefusedError(413, f"The body has more than {most // 1024**2} MiB")
    except ClientDisconnect as error:
        raise invalid(Detail("body", "It did not arrive whole", "incomplete")) from error
    if body and not _is_json(request.headers.get("content-type", "")):
        # A page of another origin can send any other type without being asked by the browser.
        raise RefusedError(415, "Send the body as application/json")
    return bytes(body)


def _is_json(content_type: str) -> bool:
    media = content_type.partition(";")[0].strip().lower()
    return media == "application/json" or (
        media.startswith("application/") and media.endswith("+json")
    )


def _query(sent: bytes, known: Mapping[str, Any]) -> dict[str, str]:
    """Return the parameters, each of which must be known and stand there at most once."""
    if not sent:
        return {}
    try:
        pairs = parse_qsl(sent.decode("ascii"), keep_blank_values=True, errors="strict")
    except ValueError as error:
        raise invalid(Detail("query", "It is not percent-encoded UTF-8", "encoding")) from error
    given: dict[str, str] = {}
    for name, value in pairs:
        if name not in known:
            raise invalid(Detail(name, _unknown(name, known), "unknown_parameter"))
        if name in given:
            raise invalid(Detail(name, "It is given more than once", "repeated"))
        given[name] = value
    return given


def _unknown(name: str, known: Iterable[str]) -> str:
    """Return what to say of a parameter that is none: which one may be meant."""
    names = sorted(known)
    if not names:
        return "There is no such parameter; this address takes none"
    near = get_close_matches(name[:_LONGEST_NAME].lower(), names, n=1, cutoff=0.0)
    return f"There is no such parameter; the nearest is {near[0]}"


def _checked(kind: TypeAdapter[Any], name: str, value: str) -> Any:
    try:
        return kind.validate_python(value)
    except ValidationError as error:
        raise invalid(*flat_details(error, name)) from error
