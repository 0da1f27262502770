"""Transactions that survive the loss of a server.

Each write leaves a receipt with a token of its own. When a connection breaks while a commit is
under way, nobody knows whether it happened; with the same token the work is tried again, and the
receipt tells. So it is done once, whatever is lost.
"""

import logging
import os
import time
from collections.abc import Callable
from contextlib import suppress
from secrets import token_bytes
from threading import local
from typing import Final, Generic, Protocol, TypeVar
from uuid import UUID

import psycopg

from mnemic.errors import StateError, StorageError
from mnemic.settings import Durability
from mnemic.storage.postgres.driver_errors import (
    NoServerError,
    TryAgainError,
    translating,
    unknown,
)
from mnemic.storage.postgres.server import Connection, PostgresServer
from mnemic.telemetry.request_ids import current_request

T = TypeVar("T")

_LOG = logging.getLogger("mnemic")

_FIRST_PAUSE: Final = 0.05
_LONGEST_PAUSE: Final = 1.0
_RECEIPTS_KEPT_MS: Final = 3_600_000
# So long at least a transaction may stand idle, whatever the patience.
_IDLE: Final = 1.0
_READ_ONLY: Final = "begin isolation level repeatable read read only"
_SETTINGS: Final = (
    "select set_config('mnemic.account', %s, true), set_config('lock_timeout', %s, true),"
    # A server that does not hear of a lost client lets go of what that one held, in time for the
    # client to do its work anew.
    " set_config('idle_in_transaction_session_timeout', %s, true),"
    " set_config('synchronous_commit', coalesce(%s, current_setting('synchronous_commit')), true),"
    # Whoever looks at the server sees for which request it works.
    " set_config('application_name', coalesce(%s, current_setting('application_name')), true)"
)
# The server cuts longer names off, and complains.
_LONGEST_NAME: Final = 63


class Undone(Protocol):
    """Is told that work came to nothing, and whether the server was lost."""

    def __call__(self, *, lost: bool) -> None:  # noqa: D102 - see the class
        ...


class Transactions:
    """Runs work in transactions, one a thread at a time, and again where a server was lost."""

    def __init__(
        self,
        server: PostgresServer,
        receipt: str,
        *,
        patience: float,
        durability: Durability,
    ) -> None:
        self._server = server
        self._receipt = receipt
        self._patience = patience
        self._loose = durability != "full"
        self._thread = local()

    @property
    def current(self) -> Connection | None:
        """The connection of this thread's open transaction."""
        if getattr(self._thread, "process", None) != os.getpid():
            return None
        return self._thread.connection

    @property
    def moment(self) -> object | None:
        """What stands for the moment that this thread's open transaction sees; None where it
        sees what others commit meanwhile.
        """
        return None if self.current is None else self._thread.moment

    def write(self, account_id: int | None, work: Callable[[], T], *, undone: Undone) -> T:
        """Do work in a transaction, once; `undone` is told each time it came to nothing."""
        if self.current is not None:
            raise StateError("A transaction is open already; they do not nest.")
        attempt = _Attempt[T](_new_token())

        def once() -> T:
            try:
                return tried()
            except TryAgainError:
                raise
            except BaseException:
                undone(lost=False)
                raise

        def tried() -> T:
            with self._server.connection() as connection, translating(self._server.where):
                if not self._begin(connection, account_id, attempt.token):
                    _roll_back(connection)
                    return attempt.result
                attempt.result = self._inside(connection, work, reads=False)
                attempt.was_sent = True
                _commit(connection)
                return attempt.result

        try:
            return self._until_it_works(once, undone)
        except NoServerError as error:
            raise unknown(self._server.where) if attempt.was_sent else error from error.__cause__

    def read(self, account_id: int | None, work: Callable[[], T], *, undone: Undone) -> T:
        """Do work in which every read sees the same moment."""
        if self.current is not None:
            return work()

        def once() -> T:
            with self._server.connection() as connection, translating(self._server.where):
                self._begin(connection, account_id, None)
                result = self._inside(connection, work, reads=True)
                connection.execute("commit")
                return result

        return self._until_it_works(once, undone)

    def _until_it_works(self, once: Callable[[], T], undone: Undone) -> T:
        deadline = time.monotonic() + self._patience
        pause = _FIRST_PAUSE
        while True:
            try:
                return once()
            except TryAgainError as reason:
                undone(lost=reason.lost)
                if reason.lost and pause == _FIRST_PAUSE:
                    _LOG.warning("%s was lost; looking for it again.", self._server.where)
                if time.monotonic() + pause > deadline:
                    raise reason.final from reason.__cause__
                if reason.lost:
                    self._server.drop_idle()
                time.sleep(pause)
                pause = min(_LONGEST_PAUSE, 2 * pause)

    def _begin(self, connection: Connection, account_id: int | None, token: UUID | None) -> bool:
        """Begin, in one round trip; tell whether the work is still to be done."""
        account = "" if account_id is None else str(account_id)
        patience = self._patience
        limits = (f"{max(1, int(s * 1000))}ms" for s in (patience, max(_IDLE, patience / 2)))
        added = None
        with connection.pipeline():
            connection.execute("begin" if token else _READ_ONLY)
            loose = "off" if self._loose else None
            connection.execute(_SETTINGS, (account, *limits, loose, _application_name()))
            if token is not None and account_id is not None:
                swept = _token_of(_now_ms() - _RECEIPTS_KEPT_MS, bytes(10))
                receipt = {"account_id": account_id, "token": token, "swept": swept}
                added = connection.execute(self._receipt.encode(), receipt)
        return added is None or added.fetchone() is not None

    def _inside(self, connection: Connection, work: Callable[[], T], *, reads: bool) -> T:
        self._thread.connection, self._thread.process = connection, os.getpid()
        self._thread.moment = object() if reads else None
        try:
            return work()
        except BaseException:
            _roll_back(connection)
            raise
        finally:
            self._thread.connection = None


class _Attempt(Generic[T]):
    """One piece of work, however often it is tried."""

    result: T

    def __init__(self, token: UUID) -> None:
        self.token = token
        self.was_sent = False


def _commit(connection: Connection) -> None:
    # What was aborted answers a commit with a rollback, without an error.
    if connection.execute("commit").statusmessage != "COMMIT":
        raise StorageError("The transaction could not be committed; nothing was changed.")


def _roll_back(connection: Connection) -> None:
    # On a broken connection there is nothing left to roll back.
    with suppress(psycopg.Error):
        connection.execute("rollback")


def _application_name() -> str | None:
    request_id = current_request()
    return None if request_id is None else f"mnemic:{request_id}"[:_LONGEST_NAME]


def _now_ms() -> int:
    return time.time_ns() // 1_000_000


def _new_token() -> UUID:
    return _token_of(_now_ms(), token_bytes(10))


def _token_of(milliseconds: int, rest: bytes) -> UUID:
    """Return a token that begins with the time."""
    return UUID(bytes=milliseconds.to_bytes(6, "big") + rest)
