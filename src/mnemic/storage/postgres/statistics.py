"""The planner's statistics: brought up to date after a bulk load, not when autovacuum comes."""

import logging

import psycopg

from mnemic.errors import MnemicError
from mnemic.storage.postgres.server import PostgresServer
from mnemic.storage.tables import TABLES

_LOG = logging.getLogger("mnemic")
_PATIENCE = "30s"


def analyze(server: PostgresServer) -> None:
    """Analyze the tables that bulk loads write to.

    The load is committed, so what goes wrong here is only a warning: autovacuum comes later.
    """
    names = [table.name for table in TABLES]
    try:
        with server.connect_once() as connection, connection.transaction():
            connection.execute("select set_config('lock_timeout', %s, true)", (_PATIENCE,))
            connection.execute("select mnemic_analyze(%s)", (names,))
    except psycopg.errors.InsufficientPrivilege:
        _LOG.warning(
            "%s: this role may not analyze tables, so queries may be slow until autovacuum has "
            "done it. Let the owner run `mnemic migrate --to URL --app-role ROLE`.",
            server.where,
        )
    except (psycopg.Error, MnemicError) as error:
        _LOG.warning("%s: the tables were not analyzed (%s).", server.where, error)
