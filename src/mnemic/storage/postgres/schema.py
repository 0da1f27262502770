"""The schema of a PostgreSQL database: what is there, and bringing it up to date."""

import json
from dataclasses import dataclass
from importlib.resources import files
from typing import Any, Final, Literal, LiteralString

import psycopg
from psycopg import sql

from mnemic.errors import StorageError, UnusableStoreError
from mnemic.records.measurements import measurement_of
from mnemic.storage.postgres.server import Connection, PostgresServer
from mnemic.storage.postgres.statistics import analyze
from mnemic.storage.statements import load_statements

VectorType = Literal["halfvec", "vector"]

# A graph needs to know its dimensions when it is made; these are those of common models. Vectors
# of other lengths are compared one by one.
GRAPHS: Final = (256, 384, 512, 768, 1024, 1536)

_MIGRATIONS: Final = "mnemic.storage.postgres.migrations"
# After this step, what follows from contexts is worked out here: SQL does not know how.
_MEASURING: Final = "_measurement.sql"
# Any number will do, as long as it is always the same one: two owners migrate one after the other.
_LOCK: Final = 7_077_001
# What the application does to each table. None of it reaches a partition directly, and the journal
# is never changed. What is erased is gone with its history; its receipt is never deleted. Locking a
# row counts as update.
_RIGHTS: Final[dict[str, LiteralString]] = {
    "mnemic_schema": "select",
    "account": "select, insert, update",
    "api_key": "select, insert, update, delete",
    "audit_entry": "select, insert, delete",
    "scope": "select, insert, update",
    "episode": "select, insert, update, delete",
    "memory": "select, insert, update, delete",
    "current_memory": "select",
    "payload": "select, insert, delete",
    "document": "select, insert, update, delete",
    "passage": "select, insert, delete",
    "model": "select, insert",
    "edge": "select, insert, update, delete",
    "event": "select, insert, delete",
    "tally": "select, insert, update, delete",
    "activity": "select, insert, update, delete",
    "usage": "select, insert, update, delete",
    "conversation": "select, insert, update, delete",
    "turn": "select, insert, update, delete",
    "message": "select, insert, update, delete",
    "source": "select, insert, delete",
    "item": "select, insert, update, delete",
    "item_tally": "select, insert, update, delete",
    "struck": "select, insert, delete",
    "scope_state": "select, insert, update, delete",
    "version": "select, insert, update, delete",
    "branch": "select, insert, delete",
    "path": "select, insert, delete",
    "erasure": "select, insert, update",
    "receipt": "select, insert, update, delete",
    "job": "select, insert, update, delete",
    "job_queue": "select, insert, update, delete",
    "current_job": "select",
    "current_edge": "select",
    "current_session": "select",
    "current_scope_state": "select",
    "memory_vector": "select, insert, update, delete",
}
# Only the owner may analyze a table; this function of the owner does it for the application.
_ANALYZE: Final = "mnemic_analyze(text[])"
_SEQUENCES: Final = (
    "account_number",
    "scope_number",
    "memory_number",
    "event_number",
    "edge_number",
    "change_number",
    "job_number",
    "audit_number",
)


@dataclass(frozen=True, slots=True)
class Schema:
    """What a database offers."""

    version: int
    vectors: VectorType | None
    """How vectors are kept; None where pgvector is missing."""

    goes_on: bool = False
    """Whether a walk through a graph goes on until a filter lets enough through."""


def look(connection: Connection) -> Schema:
    """Return what is there; version 0 is nothing."""
    row = connection.execute(
        "select to_regclass('mnemic_schema'), to_regclass('memory_vector'),"
        " (select atttypid::regtype::text from pg_attribute"
        "   where attrelid = to_regclass('memory_vector') and attname = 'data'),"
        " (select extversion from pg_extension where extname = 'vector')"
    ).fetchone()
    made, table, kept, extension = row or (None, None, None, None)
    if made is None:
        return Schema(0, None)
    try:
        counted = connection.execute("select version from mnemic_schema").fetchone()
    except psycopg.errors.InsufficientPrivilege as error:
        raise StorageError(
            "This role may not read the tables of Mnemic. Let their owner run "
            "`mnemic migrate --to URL --app-role ROLE`."
        ) from error
    version = counted[0] if counted else 0
    if table is None or extension is None:
        return Schema(version, None)
    release = tuple(int(number) for number in str(extension).split(".")[:2])
    return Schema(version, "halfvec" if kept == "halfvec" else "vector", release >= (0, 8))


def bring_up_to_date(server: PostgresServer, *, partitions: int) -> Schema:
    """Make the tables or change them, if need be and if this role may; return what is there."""
    steps = _steps()
    with server.connect_once() as connection:
        found = look(connection)
        if found.version > len(steps):
            raise UnusableStoreError(
                f"{server.where} was written by a newer Mnemic (schema {found.version}, this one "
                f"knows {len(steps)}). Upgrade Mnemic to open it."
            )
        if found.version == len(steps) and found.vectors:
            return found
        if found.version == len(steps) and not _may_change(connection):
            return found
        try:
            _change(connection, steps, partitions)
        except psycopg.errors.InsufficientPrivilege as error:
            raise UnusableStoreError(
                f"{server.where} has no tables of Mnemic, or older ones, and this role may not "
                "change that. Let the owner of the database run `mnemic migrate --to`."
            ) from error
        if found.version:
            # Rows that were there may have been rewritten.
            analyze(server)
        return look(connection)


def inspect(url: str) -> dict[str, Any]:
    """Tell what a server holds, without making anything there."""
    server = PostgresServer(url, pool_size=1)
    try:
        with server.connect_once() as connection:
            found = look(connection)
            release, size, extension = connection.execute(
                "select current_setting('server_version'), pg_database_size(current_database()),"
                " (select extversion from pg_extension where extname = 'vector')"
            ).fetchone() or ("", 0, None)
    finally:
        server.close()
    return {
        "database": server.where,
        "postgresql": release,
        "pgvector": extension or "not installed: memories are found by their words alone",
        "exists": found.version > 0,
        "bytes": size,
        "schema": found.version,
    }


def missing_rights(url: str) -> list[str]:
    """Return what this role may not do and an application must, such as "select on memory"."""
    server = PostgresServer(url, pool_size=1)
    try:
        with server.connect_once() as connection:
            vectors = look(connection).vectors
            needed = [
                (table, right)
                for table, rights in _RIGHTS.items()
                for right in rights.split(", ")
                if vectors or table != "memory_vector"
            ]
            rows = connection.execute(
                "select needed.name, needed.may from unnest(%s::text[], %s::text[])"
                " as needed (name, may)"
                " where not coalesce(has_table_privilege(to_regclass(name), may), false)",
                ([table for table, _ in needed], [right for _, right in needed]),
            ).fetchall()
            may_analyze = connection.execute(
                "select coalesce(has_function_privilege(to_regprocedure(%s), 'execute'), false)",
                (_ANALYZE,),
            ).fetchone()
    finally:
        server.close()
    missing = [f"{right} on {table}" for table, right in rows]
    return missing if may_analyze == (True,) else [*missing, f"execute on {_ANALYZE}"]


def grant(server: PostgresServer, role: str) -> None:
    """Give a role what the application needs and nothing else: rows, no tables.

    What it was given before on tables of Mnemic, and is not needed, is taken away.
    """
    with server.connect_once() as connection:
        try:
            with connection.transaction():
                for statement in _grants(connection, sql.Identifier(role)):
                    connection.execute(statement)
        except psycopg.errors.UndefinedObject as error:
            raise StorageError(f"{server.where} has no role {role}. Make it first.") from error
        except psycopg.errors.InsufficientPrivilege as error:
            raise StorageError(
                f"{server.where}: only the owner of the tables can give rights to {role}."
            ) from error


def _grants(connection: Connection, role: sql.Identifier) -> list[sql.Composed]:
    owned = connection.execute(
        "select relname, relkind = 'S' from pg_class where relnamespace = 'public'::regnamespace"
        " and relkind in ('r', 'p', 'v', 'S')"
        " and relowner = (select relowner from pg_class where oid = 'memory'::regclass)"
    ).fetchall()
    taken = [
        sql.SQL("revoke all on {} {} from {}").format(
            sql.SQL("sequence" if is_sequence else "table"), sql.Identifier(name), role
        )
        for name, is_sequence in owned
    ]
    given = [
        sql.SQL("grant {} on {} to {}").format(sql.SQL(rights), sql.Identifier(name), role)
        for name, rights in _RIGHTS.items()
        if (name, False) in owned
    ]
    numbers = [
        sql.SQL("grant usage on sequence {} to {}").format(sql.Identifier(name), role)
        for name in _SEQUENCES
    ]
    return [
        *taken,
        sql.SQL("revoke create on schema public from {}").format(role),
        sql.SQL("grant usage on schema public to {}").format(role),
        *given,
        *numbers,
        sql.SQL("grant execute on function {} to {}").format(sql.SQL(_ANALYZE), role),
    ]


def _change(connection: Connection, steps: list[tuple[str, str]], partitions: int) -> None:
    with connection.transaction():
        connection.execute("select pg_advisory_xact_lock(%s)", (_LOCK,))
        connection.execute("select set_config('mnemic.partitions', %s, true)", (str(partitions),))
        version = look(connection).version
        if not version:
            connection.execute("create table mnemic_schema (version integer not null)")
            connection.execute("insert into mnemic_schema values (0)")
            connection.execute("create table mnemic_partitions (number integer not null)")
            connection.execute("insert into mnemic_partitions values (%s)", (partitions,))
        for name, step in steps[version:]:
            connection.execute(step.encode())
            if name.endswith(_MEASURING):
                _fill_in_measurements(connection)
        connection.execute("update mnemic_schema set version = %s", (len(steps),))
    with connection.transaction():
        connection.execute("select pg_advisory_xact_lock(%s)", (_LOCK,))
        if look(connection).vectors is None and (kind := _offered(connection)):
            _add_vectors(connection, kind)


def _offered(connection: Connection) -> VectorType | None:
    """Return how vectors can be kept; None where pgvector is not installed or not allowed."""
    try:
        with connection.transaction():
            connection.execute("create extension if not exists vector")
    except (psycopg.errors.FeatureNotSupported, psycopg.errors.UndefinedFile):
        return None
    except psycopg.errors.InsufficientPrivilege:
        return None
    row = connection.execute("select to_regtype('halfvec')").fetchone()
    return "halfvec" if row and row[0] else "vector"


def _add_vectors(connection: Connection, kind: VectorType) -> None:
    connection.execute(
        "select set_config('mnemic.partitions', number::text, true) from mnemic_partitions"
    )
    [statement] = [load_statements("mnemic.storage.postgres")["vectors_schema"]]
    connection.execute(statement.replace("{type}", kind).encode())
    for dimensions in GRAPHS:
        connection.execute(
            f"create index memory_vector_near_{dimensions} on memory_vector"
            f" using hnsw ((data::{kind}({dimensions})) {kind}_ip_ops)"
            f" where vector_dims(data) = {dimensions}".encode()
        )


def _may_change(connection: Connection) -> bool:
    row = connection.execute(
        "select pg_has_role(relowner, 'member') from pg_class where oid = to_regclass('memory')"
    ).fetchone()
    return bool(row and row[0])


def _steps() -> list[tuple[str, str]]:
    found = (file for file in files(_MIGRATIONS).iterdir() if file.name.endswith(".sql"))
    return [
        (file.name, file.read_text("utf-8")) for file in sorted(found, key=lambda one: one.name)
    ]


def _fill_in_measurements(connection: Connection) -> None:
    """Give the memories of an older store the fingerprints of what was measured with them."""
    last = (0, 0)
    while rows := connection.execute(
        "select account_id, id, context from memory where (account_id, id) > (%s, %s)"
        " and context <> '{}' order by account_id, id limit 1000",
        last,
    ).fetchall():
        last = (rows[-1][0], rows[-1][1])
        filled = [(*key, measurement_of(json.loads(context))) for *key, context in rows]
        accounts, numbers, measured = zip(*filled, strict=True)
        connection.execute(
            "update memory m set measurement = n.measurement"
            " from unnest(%s::bigint[], %s::bigint[], %s::bytea[]) as n (account, id, measurement)"
            " where m.account_id = n.account and m.id = n.id and n.measurement <> ''",
            (list(accounts), list(numbers), list(measured)),
        )
