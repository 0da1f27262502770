"""Hearing of new jobs: one connection a process, beside the pool, that only listens.

To listen is state of a session, which a pooler does not keep. So it happens on a connection of its
own, straight to the server; through a pooler nothing is left behind, and workers look by the clock.
"""

import logging
import os
import select
import socket
from threading import Condition, Thread
from time import monotonic
from typing import Final

import psycopg

from mnemic.errors import StorageError
from mnemic.storage.postgres.address import without_password
from mnemic.storage.postgres.driver_errors import closed
from mnemic.storage.postgres.server import Connection, connect, connection_options

_LOG = logging.getLogger("mnemic")
_FIRST_PAUSE: Final = 0.1
_LONGEST_PAUSE: Final = 5.0
# While it connects, the thread cannot be woken; it ends by itself a moment later.
_LAST_SECONDS: Final = 1.0
# A server that is gone without a word is missed after this many seconds, not after hours.
_KEEPALIVE: Final = {"keepalives_idle": 10, "keepalives_interval": 5, "keepalives_count": 3}
_POOLED: Final = (
    "%s is behind a pooler, so new jobs are looked for by the clock. Set listen_url to the address "
    "of the server itself to hear of them at once."
)


class Listener:
    """Counts the news of one database. It connects at the first wait, and again by itself."""

    def __init__(self, url: str) -> None:
        self._where = without_password(url)
        self._options = {**_KEEPALIVE, **connection_options(url)}
        self._is_closed = False
        self._reset()

    def wait(self, seconds: float, *, since: int) -> int:
        """Wait until there is news beyond `since`; return the count of news."""
        if self._process != os.getpid():
            # A forked child has neither its parent's thread nor a lock it can trust.
            self._reset()
        deadline = monotonic() + seconds
        with self._news:
            if self._thread is None and not self._is_closed:
                self._start()
            while not self._is_closed and self._count == since:
                left = deadline - monotonic()
                if left <= 0 or not self._news.wait(left):
                    break
            if self._is_closed:
                raise closed()
            return self._count

    def close(self) -> None:
        """Wake everybody who waits, and let go of the connection. A second call does nothing."""
        if self._process != os.getpid():
            return
        with self._news:
            self._is_closed = True
            self._news.notify_all()
        if self._thread is not None and self._bell is not None:
            self._bell.close()
            self._thread.join(_LAST_SECONDS)

    def _reset(self) -> None:
        self._process = os.getpid()
        self._news = Condition()
        self._count = 0
        self._thread: Thread | None = None
        self._bell: socket.socket | None = None

    def _start(self) -> None:
        # Closing one end wakes the thread, whatever it waits for at the other.
        self._bell, ear = socket.socketpair()
        self._thread = Thread(target=self._listen, args=(ear,), name="mnemic-jobs", daemon=True)
        self._thread.start()

    def _listen(self, ear: socket.socket) -> None:
        with ear:
            self._until_closed(ear)

    def _until_closed(self, ear: socket.socket) -> None:
        pause = _FIRST_PAUSE
        while not self._is_closed:
            try:
                with connect(self._options, self._where) as connection:
                    if _is_pooled(connection):
                        _LOG.warning(_POOLED, self._where)
                        return
                    connection.execute("listen mnemic_jobs")
                    pause = _FIRST_PAUSE
                    self._hear(connection, ear)
            except (psycopg.Error, StorageError) as error:
                _LOG.info("%s: not listening for jobs, trying again: %s", self._where, error)
            select.select([ear], [], [], pause)
            pause = min(_LONGEST_PAUSE, 2 * pause)

    def _hear(self, connection: Connection, ear: socket.socket) -> None:
        """Count what comes until the connection breaks or the store is closed."""
        # Something may have come before this connection began to listen.
        self._tell()
        while not self._is_closed:
            select.select([connection, ear], [], [])
            if sum(1 for _ in connection.notifies(timeout=0)):
                self._tell()

    def _tell(self) -> None:
        with self._news:
            self._count += 1
            self._news.notify_all()


def _is_pooled(connection: Connection) -> bool:
    """Tell whether somebody stands between us and the server: it then has another number than the
    one we were told when we connected.
    """
    row = connection.execute("select pg_backend_pid()").fetchone()
    return row is None or row[0] != connection.info.backend_pid
