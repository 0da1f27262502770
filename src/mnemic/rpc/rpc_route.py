"""`POST /sdk/{verb}`: every verb of an open memory, for `mnemic.Client`."""

import json
from collections.abc import Callable, MutableMapping
from typing import Any, Final

from pydantic_core import to_json
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from mnemic.dialects.chat.error_answers import RefusedError, answer_to, envelope
from mnemic.dialects.chat.routing import json_body
from mnemic.errors import InvalidInputError, MnemicError
from mnemic.records.access_key import Right
from mnemic.rpc import call_limits
from mnemic.rpc.reading import reader
from mnemic.rpc.verbs import VERBS, Verb, form_of, right_of
from mnemic.rpc.wire import decoded, encoded
from mnemic.runtime.yielding import computed
from mnemic.version import __version__

Scope = MutableMapping[str, Any]
MemoryOf = Callable[[Scope], Any]
"""Finds whose memory a request is about, by its ASGI scope: an open memory with its parts."""

May = Callable[[Scope, Right], bool]
"""Tells whether whoever makes a request has a right."""

_JSON: Final = "application/json"
_INTERNAL: Final = 500


def sdk_routes(memory_of: MemoryOf, may: May) -> list[BaseRoute]:
    """Return the route that answers the clients of the Python SDK.

    The body is an object of the verb's arguments; the answer is `{"data": …}`, or an error in the
    chat's envelope with what a client needs to raise the same error.
    """

    async def answer(request: Request) -> Response:
        name = request.path_params["verb"]
        verb = VERBS.get(name)
        # As FastAPI's routes do: whoever counts requests names them by it.
        request.scope["route"] = named.get(name, route)
        if verb is None:
            told = f"This server, version {__version__}, has no verb {name[:60]!a}"
            return envelope(404, "unknown_verb", told)
        try:
            body = await json_body(request, most=call_limits.MOST_BYTES)
        except RefusedError as refused:
            return answer_to(refused)
        return await run_in_threadpool(
            computed, _answered, verb, body, request.scope, memory_of, may
        )

    # A plain route: FastAPI's own would list it among the chat's, and check the body a second time.
    # One for each verb would be looked through for every request to the server.
    route = Route("/sdk/{verb}", answer, methods=["POST"])
    named = {name: Route(f"/sdk/{name}", answer, methods=["POST"]) for name in VERBS}
    return [route]


def _answered(verb: Verb, body: bytes, scope: Scope, memory_of: MemoryOf, may: May) -> Response:
    try:
        sent = _object(body)
        needed = right_of(verb, sent)
        if not may(scope, needed):
            told = f"The key does not allow {verb.path}: it needs the right {needed}"
            return envelope(403, "auth_insufficient_scope", told)
        given = _arguments(verb, sent)
        memory = memory_of(scope)
        part = memory if verb.part == "engine" else getattr(memory, verb.part)
        answer = encoded({"data": getattr(part, verb.name)(**given)})
    except Exception as error:
        # The edge: whatever it is, the client gets the envelope.
        return _refusal(error)
    return Response(answer, media_type=_JSON)


def _object(body: bytes) -> dict[str, Any]:
    try:
        sent = decoded(body or b"{}")
    except (ValueError, RecursionError) as error:
        raise InvalidInputError("body", f"it is not JSON ({error})", "an object") from error
    if not isinstance(sent, dict):
        raise InvalidInputError("body", "it is not an object", "an object of arguments")
    return sent  # pyright: ignore[reportUnknownVariableType]


def _arguments(verb: Verb, sent: dict[str, Any]) -> dict[str, Any]:
    form = form_of(verb)
    form.check_names(verb, sent)
    if verb.part == "assistant":
        reader(str, strict=True)(sent["name"], "name")
    if verb.speaks_json:
        return sent
    return {
        name: reader(form.hints[name], strict=True)(value, name) for name, value in sent.items()
    }


def _refusal(error: Exception) -> Response:
    """Return an error as the chat tells it, and beside it what a client needs to raise the same."""
    said = answer_to(error)
    if not isinstance(error, MnemicError):
        return said
    told: dict[str, Any] = json.loads(bytes(said.body))
    told["error"]["kinds"] = [
        kind.__name__ for kind in type(error).__mro__ if issubclass(kind, MnemicError)
    ]
    headers = {name: said.headers[name] for name in ("x-request-id",) if name in said.headers}
    if said.status_code != _INTERNAL:
        told["error"] |= {"message": str(error), "details": error.details}
    content = to_json(told, fallback=str, inf_nan_mode="constants")
    return Response(content, said.status_code, headers, media_type=_JSON)
