"""What PostgreSQL raises, in our own words. The only place that knows both."""

from collections.abc import Generator
from contextlib import contextmanager
from typing import Final

import psycopg
from psycopg_pool import PoolClosed, PoolTimeout

from mnemic.errors import BusyError, MnemicError, StateError, StorageError, UnusableStoreError

# Shutting down, crashed, starting up, standing by as a replica, out of connections, or tired of
# waiting for us: a moment later there is a server that takes the work.
_SERVER_LOST: Final = frozenset({"57P01", "57P02", "57P03", "57P05", "25006", "25P03", "53300"})
_CONNECTION_LOST: Final = "08"
# Two writers were in each other's way, and this one gave in; or two workers took jobs of one scope.
_CONFLICT: Final = frozenset({"40001", "40P01"})
_ONE_AT_A_TIME: Final = "job_one_at_a_time"
_LOCKED: Final = "55P03"
_DISK_FULL: Final = "53100"
_NOT_ALLOWED: Final = "42501"
_NO_TABLE: Final = "42P01"


class TryAgainError(Exception):
    """The same work may succeed when it is done again. Never leaves this backend.

    `lost` says that the server is gone or another one took over; `final` is what to raise when
    there is no more time.
    """

    def __init__(self, final: MnemicError, *, lost: bool) -> None:
        super().__init__(str(final))
        self.final = final
        self.lost = lost


@contextmanager
def translating(where: str) -> Generator[None]:
    """Turn what the driver raises into our own errors. No message holds values or passwords."""
    try:
        yield
    except PoolClosed as error:
        raise closed() from error
    except PoolTimeout as error:
        raise TryAgainError(unreachable(where), lost=True) from error
    except psycopg.Error as error:
        raise _translated(error, where) from error


def closed() -> StateError:
    """Say that there is no store any more."""
    return StateError("This memory is closed. Open it again with mnemic.open().")


class NoServerError(UnusableStoreError):
    """No server could be reached."""


def unreachable(where: str) -> StorageError:
    """Say that no server takes the work."""
    return NoServerError(
        f"{where} cannot be reached, or no server there takes writes. Nothing was changed."
    )


def unknown(where: str) -> StorageError:
    """Say that a commit was sent, and that nobody is left to tell whether it arrived."""
    return StorageError(
        f"{where} was lost during a commit and cannot be reached: whether the last change was kept "
        "is not known. Look before you repeat it."
    )


def _translated(error: psycopg.Error, where: str) -> Exception:
    state = error.sqlstate or ""
    said = error.diag.message_primary or type(error).__name__
    if state in _CONFLICT or error.diag.constraint_name == _ONE_AT_A_TIME:
        return TryAgainError(BusyError(), lost=False)
    if state == _LOCKED:
        return BusyError()
    if _is_lost(error):
        return TryAgainError(unreachable(where), lost=True)
    if state == _DISK_FULL:
        return UnusableStoreError(f"The disk of {where} is full; nothing was changed.")
    if state == _NOT_ALLOWED:
        return StorageError(
            f"{where}: {said}. Give this role its rights with `mnemic migrate --app-role`."
        )
    if state == _NO_TABLE:
        return StorageError(
            f"{where} holds no memory yet, or an older one ({said}). "
            "Let its owner run `mnemic migrate --to`."
        )
    return StorageError(f"{where}: {said}")


def _is_lost(error: psycopg.Error) -> bool:
    state = error.sqlstate
    if state is None:
        # Without a state, the server said nothing: the connection broke.
        return isinstance(error, psycopg.OperationalError)
    return state in _SERVER_LOST or state.startswith(_CONNECTION_LOST)
