"""How a chat app is told what went wrong: one envelope, and a status that says the same."""

import logging
import traceback
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from http import HTTPStatus
from typing import Any, Final

from pydantic import ValidationError
from pydantic_core import ErrorDetails, to_json
from starlette.responses import Response

from mnemic.errors import (
    AuthError,
    BusyError,
    ChatServiceError,
    ConflictError,
    EmbedderError,
    InvalidInputError,
    MnemicError,
    NotFoundError,
    OutOfTimeError,
    ServerError,
    SettingsError,
    StateError,
    StorageError,
    UnreachableError,
)
from mnemic.telemetry.request_ids import current_request, new_request_id

_LOG = logging.getLogger("mnemic.http")
_INTERNAL: Final = 500
_INVALID: Final = "Request validation failed"
_BODY: Final = "body"
_CONTENT: Final = 'Input should be a text of at least 1 character, or {"text": such a text}'

# A subclass has the status of its nearest parent here.
STATUS: Final[Mapping[type[MnemicError], int]] = {
    InvalidInputError: 400,
    NotFoundError: 404,
    StateError: 409,
    ConflictError: 409,
    OutOfTimeError: 422,
    BusyError: 503,
    ChatServiceError: 502,
    StorageError: _INTERNAL,
    EmbedderError: _INTERNAL,
    SettingsError: _INTERNAL,
    # What a client of another server is told; no engine raises these.
    UnreachableError: _INTERNAL,
    AuthError: _INTERNAL,
    ServerError: _INTERNAL,
    MnemicError: _INTERNAL,
}
_CODES: Final = {"busy": "resource_busy", "chat_service": "chat_service_error"}
_BY_STATUS: Final = {
    404: "not_found",
    405: "method_not_allowed",
    413: "payload_too_large",
    415: "unsupported_media_type",
}


@dataclass(frozen=True, slots=True)
class Detail:
    """One thing that is wrong with a request: where, what, and a word for programs."""

    path: str
    message: str
    code: str


class RefusedError(Exception):
    """A request that is refused before the engine sees it."""

    def __init__(self, status: int, message: str, details: Sequence[Detail] = ()) -> None:
        super().__init__(message)
        self.status = status
        self.details = details


def invalid(*details: Detail) -> RefusedError:
    """Return the refusal of values that are not allowed."""
    return RefusedError(400, _INVALID, details)


def flat_details(error: ValidationError, name: str | None = None) -> list[Detail]:
    """Return what is wrong with parameters of an address: the first problem of each."""
    details: dict[str, Detail] = {}
    for problem in error.errors(include_url=False, include_context=False, include_input=False):
        path = name or str(problem["loc"][0])
        details.setdefault(path, Detail(path, problem["msg"], problem["type"]))
    return list(details.values())


def body_details(error: ValidationError) -> list[Detail]:
    """Return what is wrong with a body, each thing once."""
    problems = error.errors(include_url=False, include_context=False, include_input=False)
    return list(dict.fromkeys(_told(problem) for problem in problems))


def _told(detail: ErrorDetails) -> Detail:
    where = detail["loc"]
    if where[:1] == ("content",):
        # A text may be written in two forms; one sentence tells of both.
        return Detail("content", _CONTENT, "invalid_content")
    return Detail(".".join(str(part) for part in where) or _BODY, detail["msg"], detail["type"])


def answer_to(error: Exception) -> Response:
    """Return the answer that tells of an error. What is our fault is logged under a number, and
    nothing but that number is told.
    """
    if isinstance(error, RefusedError):
        code = "validation_error" if error.status == 400 else code_of(error.status)
        return envelope(error.status, code, str(error), error.details)
    if isinstance(error, InvalidInputError):
        told = f"{error.problem}; allowed: {error.allowed}"
        wrong = Detail(error.parameter, told, "invalid_value")
        return envelope(400, "validation_error", _INVALID, [wrong])
    if isinstance(error, MnemicError):
        status = next(STATUS[kind] for kind in type(error).__mro__ if kind in STATUS)
        if status != _INTERNAL:
            return envelope(status, _CODES.get(error.code, error.code), str(error))
    return _internal(error)


def envelope(
    status: int,
    code: str,
    message: str,
    details: Sequence[Detail] = (),
    headers: Mapping[str, str] | None = None,
) -> Response:
    """Return an error as every route tells it."""
    told: dict[str, Any] = {"code": code, "message": message}
    if details:
        told["details"] = [asdict(detail) for detail in details]
    return Response(
        to_json({"error": told}),
        status_code=status,
        headers=None if headers is None else dict(headers),
        media_type="application/json",
    )


def code_of(status: int) -> str:
    """Return the word for a status that the engine knows nothing of."""
    return _BY_STATUS.get(status) or HTTPStatus(status).phrase.lower().replace(" ", "_")


def _internal(error: Exception) -> Response:
    request_id = current_request() or new_request_id()
    # The message of a foreign error may quote a memory; where it was raised says enough.
    told = str(error) if isinstance(error, MnemicError) else type(error).__name__
    trace = "".join(traceback.format_tb(error.__traceback__))
    _LOG.error("Request %s failed: %s\n%s", request_id, told, trace)
    return Response(
        to_json(
            {
                "error": {
                    "code": "internal_error",
                    "message": f"Internal error. The log has more under request {request_id}.",
                    "details": {"request_id": request_id},
                }
            }
        ),
        status_code=_INTERNAL,
        headers={"x-request-id": request_id},
        media_type="application/json",
    )
