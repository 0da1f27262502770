"""Promises of the roles: an application changes rows of its own account, and nothing else."""

from collections.abc import Iterator
from typing import Any, LiteralString
from uuid import uuid4

import psycopg
import pytest
from psycopg import sql

import mnemic
from mnemic.opening import prepare_postgres
from mnemic.records.memory import DEFAULT_SCOPE, DEFAULT_USER
from mnemic.settings import Settings
from tests.conftest import Clock
from tests.postgres import Server
from tests.storage.stores import fill

Connection = psycopg.Connection[tuple[Any, ...]]

VIEWS = ("current_memory", "current_edge", "current_session", "current_scope_state", "current_job")

_TABLES = (
    "select relname, relrowsecurity, relispartition, exists (select from pg_policy"
    "   where polrelid = c.oid and polqual is not null and polcmd = '*')"
    "  from pg_class c where relkind in ('r', 'p') and relnamespace = 'public'::regnamespace"
    "   and exists (select from pg_attribute a"
    "                where a.attrelid = c.oid and a.attname = 'account_id')"
)


@pytest.fixture
def two_accounts(postgres_database: str, clock: Clock) -> str:
    """A database in which each of two accounts holds something in every table."""
    for account in ("first", "second"):
        fill(postgres_database, clock, account=account, lessons=5)
    return postgres_database


@pytest.fixture(scope="module")
def untouched(postgres: Server) -> Iterator[str]:
    """The same, for tests in which nothing is changed: they share it."""
    name = f"test_{uuid4().hex}"
    postgres.make_database(name, template="made")
    url = postgres.url(name, user="app")
    for account in ("first", "second"):
        fill(url, Clock(), account=account, lessons=5)
    yield url
    postgres.drop_database(name)


@pytest.fixture
def visitor(untouched: str) -> Iterator[Connection]:
    """A connection of an application that is not let do what it tries."""
    with psycopg.connect(untouched, autocommit=True) as connection:
        yield connection


@pytest.fixture
def app(two_accounts: str) -> Iterator[Connection]:
    """A connection of the application, for statements written by hand."""
    with psycopg.connect(two_accounts, autocommit=True) as connection:
        yield connection


def as_account(connection: Connection, name: str) -> int:
    row = connection.execute("select id from account where name = %s", (name,)).fetchone()
    assert row is not None
    connection.execute("select set_config('mnemic.account', %s, false)", (str(row[0]),))
    return row[0]


def tables(connection: Connection) -> list[str]:
    rows = connection.execute(_TABLES)
    return [name for name, _, is_partition, _ in rows if not is_partition and name != "migration"]


def accounts_in(connection: Connection, table: str) -> set[int]:
    query = sql.SQL("select distinct account_id from {}").format(sql.Identifier(table))
    return {number for (number,) in connection.execute(query)}


def test_every_table_with_an_account_has_the_second_wall(visitor: Connection) -> None:
    rows = visitor.execute(_TABLES).fetchall()

    assert len(rows) > 10
    assert [name for name, is_walled, *_ in rows if not is_walled] == []
    assert [name for name, _, is_partition, has in rows if not has and not is_partition] == []


def test_a_statement_that_forgets_its_account_sees_one_account_only(visitor: Connection) -> None:
    number = as_account(visitor, "first")

    assert {name: accounts_in(visitor, name) for name in tables(visitor)} == {
        name: {number} for name in tables(visitor)
    }
    for view in VIEWS:
        assert accounts_in(visitor, view) == {number}


def test_without_an_account_nothing_is_seen_but_who_waits_for_a_worker(visitor: Connection) -> None:
    seen = [name for name in (*tables(visitor), *VIEWS) if accounts_in(visitor, name)]

    # Workers serve all accounts: the line in which jobs wait is seen, never what they are about.
    assert seen == ["job_queue"]


def test_nothing_can_be_written_for_another_account(app: Connection) -> None:
    mine = as_account(app, "first")
    theirs = mine + 1
    assert as_account(app, "second") == theirs
    as_account(app, "first")

    for statement in (
        "insert into scope (account_id, kind, name, created_at) values (%s, 'collection', 'x', 0)",
        "update memory set account_id = %s",
        "insert into event (account_id, scope_id, verb, actor, at)"
        " select %s, id, 'created', 'x', 0 from scope limit 1",
    ):
        with pytest.raises(psycopg.errors.InsufficientPrivilege, match="row-level security"):
            app.execute(statement, (theirs,))
    changed = app.execute("update memory set summary = 'x' where account_id = %s", (theirs,))
    assert changed.rowcount == 0


@pytest.mark.parametrize(
    "statement",
    [
        "update account set name = 'mine'",
        "delete from api_key",
        "delete from tally",
        "update message set content = 'never said'",
    ],
)
def test_what_only_an_erasure_does_reaches_no_other_account(
    app: Connection, two_accounts: str, statement: LiteralString
) -> None:
    with mnemic.open(two_accounts, account="second", embedder="none") as memory:
        memory.keys.create("second's robot")
        before = _texts_of(memory)
    as_account(app, "first")

    app.execute(statement)

    with mnemic.open(two_accounts, account="second", embedder="none") as memory:
        assert _texts_of(memory) == before
        assert [key.name for key in memory.keys.listed()] == ["second's robot"]


def _texts_of(memory: mnemic.OpenMemory) -> list[str]:
    told = [memory.profile(scope) for scope in (DEFAULT_USER, DEFAULT_SCOPE)]
    found = [hit.memory.content for hit in memory.recall(mnemic.Query("mug")).hits]
    said = [
        message.content
        for talk in memory.conversations(DEFAULT_USER)
        for message in memory.messages(DEFAULT_USER, talk.id)
    ]
    return [*map(repr, told), *found, *said]


@pytest.mark.parametrize(
    "statement",
    [
        "create table mine (id integer)",
        "create schema mine",
        "create function mine() returns integer language sql as 'select 1'",
        "alter table memory add column mine integer",
        "alter table memory disable row level security",
        "alter table memory_0 disable row level security",
        "drop policy own_account on memory",
        "drop table memory",
        "truncate memory",
        "truncate receipt",
        "truncate item",
        "delete from account",
        "delete from scope",
        "delete from erasure",
        "update source set turn_id = 'another'",
        "update struck set uid = 'another'",
        "update branch set parent = 'another'",
        "update path set number = number + 1",
        "update event set actor = 'nobody'",
        "update audit_entry set actor = 'nobody'",
        "update mnemic_schema set version = 99",
        "select * from migration",
        "select * from memory_0",
        "select * from message_0",
        "select * from item_0",
        "delete from item_0",
        "insert into memory_vector_1 select * from memory_vector",
        "select setval('memory_number', 1)",
        "set session authorization owner",
        "set role owner",
    ],
)
def test_an_application_cannot(visitor: Connection, statement: LiteralString) -> None:
    as_account(visitor, "first")

    with pytest.raises(
        (psycopg.errors.InsufficientPrivilege, psycopg.errors.InvalidParameterValue)
    ):
        visitor.execute(statement)


def test_of_the_audit_log_only_refused_keys_can_be_removed(app: Connection) -> None:
    number = as_account(app, "first")
    add = (
        "insert into audit_entry (account_number, at, actor, act, counts, outcome)"
        " values ((select id from account where name = %s), 0, 'x', %s, '{}', 'done')"
    )
    with pytest.raises(psycopg.errors.InsufficientPrivilege, match="row-level security"):
        app.execute(add, ("second", "export"))
    app.execute(add, ("first", "key.refused"))
    assert app.execute("delete from audit_entry").rowcount == 0
    app.execute("select set_config('mnemic.account', '', false)")
    app.execute(add, ("second", "export"))
    assert app.execute("delete from audit_entry").rowcount == 1

    app.execute("select set_config('mnemic.account', %s, false)", (str(number),))
    assert app.execute("select act from audit_entry where act <> 'erase'").fetchall() == []


def test_switching_row_security_off_is_an_error_and_not_a_way_around(visitor: Connection) -> None:
    as_account(visitor, "first")
    visitor.execute("set row_security = off")

    with pytest.raises(psycopg.errors.InsufficientPrivilege):
        visitor.execute("select * from memory")


def test_a_partition_is_closed_even_to_a_role_that_was_given_it(
    postgres: Server, two_accounts: str, app: Connection
) -> None:
    name = app.info.dbname
    with psycopg.connect(postgres.url(name), autocommit=True) as superuser:
        superuser.execute("grant select on memory_0, memory_1 to app")
    as_account(app, "first")

    assert accounts_in(app, "memory_0") | accounts_in(app, "memory_1") == set()


def test_rights_that_are_too_wide_are_taken_back(
    postgres: Server, two_accounts: str, app: Connection
) -> None:
    name = app.info.dbname
    with psycopg.connect(postgres.url(name), autocommit=True) as superuser:
        superuser.execute("grant all on all tables in schema public to app")
        superuser.execute("grant all on all sequences in schema public to app")
    prepare_postgres(Settings(database=postgres.url(name, user="owner")), app_role="app")

    rows = app.execute(
        "select relname from pg_class where relkind in ('r', 'p', 'v')"
        " and relnamespace = 'public'::regnamespace"
        " and has_table_privilege('app', oid, 'delete, truncate, references, trigger')"
    ).fetchall()
    assert {name for (name,) in rows} == {
        # What is erased is gone with all that was kept of it; its receipt stays.
        *("memory", "payload", "event", "edge", "source", "memory_vector", "passage"),
        *("item", "item_tally", "struck", "scope_state"),
        *("conversation", "turn", "message", "version", "branch", "path"),
        *("job", "job_queue", "receipt"),
        # Only refused keys, as its policy says.
        "audit_entry",
        *("episode", "document", "tally", "activity", "usage", "api_key"),
    }
    with mnemic.open(two_accounts, account="first", embedder="none") as memory:
        assert memory.robot.learn("Doors open inwards")["status"] == "created"


def test_a_role_that_is_not_there_is_named(
    postgres: Server, two_accounts: str, app: Connection
) -> None:
    owner = Settings(database=postgres.url(app.info.dbname, user="owner"))

    with pytest.raises(mnemic.StorageError, match="no role nobody_at_all"):
        prepare_postgres(owner, app_role="nobody_at_all")
    with pytest.raises(mnemic.StorageError, match="only the owner"):
        prepare_postgres(Settings(database=two_accounts), app_role="owner")
