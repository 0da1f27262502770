"""One PostgreSQL, or several that stand in for each other, and the connections to it."""

import logging
import os
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from typing import Any, Final

import psycopg
from psycopg.conninfo import make_conninfo
from psycopg_pool import ConnectionPool

from mnemic.storage.postgres.address import options_of, without_password
from mnemic.storage.postgres.driver_errors import NoServerError, translating

Connection = psycopg.Connection[tuple[Any, ...]]

# While a server is away, the pool would say so several times a second; we say it once.
logging.getLogger("psycopg.pool").setLevel(logging.ERROR)
_APPLICATION: Final = "mnemic"
_CONNECT_SECONDS: Final = 5
# Of one look for a free or a new connection; who has more time looks again.
_LOOK_SECONDS: Final = 3.0


class PostgresServer:
    """The connections of one process. Nothing about a connection outlives a transaction, so a
    pooler between us and the server may hand each transaction another one.
    """

    def __init__(self, url: str, *, pool_size: int) -> None:
        self.where = without_password(url)
        self._options = connection_options(url)
        self._pool_size = pool_size
        self._process = os.getpid()
        self._inherited: list[object] = []
        self._pool = self._new_pool()

    @property
    def _has_stand_ins(self) -> bool:
        """Whether the address names several servers: one may be about to take over."""
        return "," in str(self._options.get("host", "")) + str(self._options.get("port", ""))

    @contextmanager
    def connection(self) -> Generator[Connection]:
        """Lend a connection; one that broke is not lent again."""
        pool = self._own_pool()
        with translating(self.where):
            lent = pool.getconn(timeout=_LOOK_SECONDS)
        try:
            yield lent
        finally:
            pool.putconn(lent)

    def may_come_up(self) -> bool:
        """Tell whether a server that could not be reached may only be starting: none answers at
        the address, or it takes nobody in yet. One that refuses this role or database never is.
        """
        if self._has_stand_ins:
            return True
        state = psycopg.pq.PGconn.ping(make_conninfo(**self._options).encode())
        return state in (psycopg.pq.Ping.REJECT, psycopg.pq.Ping.NO_RESPONSE)

    def connect_once(self) -> Connection:
        """Connect outside of the pool: it says at once, and exactly, what is wrong."""
        return connect(self._options, self.where)

    def drop_idle(self) -> None:
        """Let go of connections that nobody uses: the server behind them is gone."""
        self._own_pool().drain()

    def close(self) -> None:
        """Close every connection."""
        if self._process == os.getpid():
            self._pool.close()

    def _own_pool(self) -> ConnectionPool[Connection]:
        if self._process != os.getpid():
            # A forked child must neither use nor close its parent's connections.
            self._inherited.append(self._pool)
            self._process = os.getpid()
            self._pool = self._new_pool()
        return self._pool

    def _new_pool(self) -> ConnectionPool[Connection]:
        return ConnectionPool(
            make_conninfo(**self._options),
            kwargs={"autocommit": True, "prepare_threshold": None},
            min_size=0,
            max_size=self._pool_size,
            # After this long a failed look is begun anew by whoever still waits.
            reconnect_timeout=_LOOK_SECONDS,
            timeout=_LOOK_SECONDS,
            name=_APPLICATION,
            open=True,
        )


def connect(options: Mapping[str, Any], where: str) -> Connection:
    """Connect; say at once, and exactly, what is wrong."""
    try:
        return psycopg.connect(**options, autocommit=True, prepare_threshold=None)
    except psycopg.OperationalError as error:
        said = str(error).strip().splitlines()[0]
        raise NoServerError(f"{where} cannot be opened: {said}") from error


def connection_options(url: str) -> dict[str, Any]:
    """Return how to connect to an address; one that is none is refused."""
    options = options_of(url)
    options.setdefault("application_name", _APPLICATION)
    options.setdefault("connect_timeout", _CONNECT_SECONDS)
    if "," in str(options.get("host", "")) + str(options.get("port", "")):
        options.setdefault("target_session_attrs", "read-write")
    return options
