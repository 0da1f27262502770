"""The id of the request that is being answered, for logs, traces and the store."""

from collections.abc import Generator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Final
from uuid import uuid4

from mnemic.runtime.patterns import opening

_SANE: Final = opening(r"[A-Za-z0-9._-]{1,64}")
_CURRENT: Final[ContextVar[str | None]] = ContextVar("mnemic_request_id", default=None)


def new_request_id() -> str:
    """Return an id that nobody else has."""
    return uuid4().hex


def accepted(given: str | None) -> str:
    """Return an id that a client gave, or a new one where that is missing or odd: it is written
    into logs and headers as it is.
    """
    return given if given is not None and _SANE.fullmatch(given) else new_request_id()


def current_request() -> str | None:
    """Return the id of the request that is being answered here; None outside of one."""
    return _CURRENT.get()


def begin_request(request_id: str) -> None:
    """Say which request is being answered, until this task or thread is over."""
    _CURRENT.set(request_id)


@contextmanager
def answering(request_id: str | None = None) -> Generator[str]:
    """Say which request is being answered inside; without an id, a new one."""
    chosen = request_id or new_request_id()
    before = _CURRENT.set(chosen)
    try:
        yield chosen
    finally:
        _CURRENT.reset(before)
