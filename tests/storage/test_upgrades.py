"""Stores of every earlier schema: upgraded, they hold what they held, and users and chats too."""

import resource
import sqlite3
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from importlib.resources import files
from pathlib import Path
from typing import Any, Final
from uuid import uuid4

import apsw
import psycopg
import pytest
from psycopg import sql
from psycopg.conninfo import conninfo_to_dict

from mnemic.errors import UnusableStoreError
from mnemic.opening import OpenMemory, prepare_postgres
from mnemic.records.item import ItemFilter
from mnemic.records.memory import Scope
from mnemic.settings import Settings
from mnemic.storage.sqlite.connection import connect
from tests.conftest import Clock
from tests.dialects.calling import add, done, search, total
from tests.postgres import Server
from tests.storage.chats import remember_chats
from tests.storage.stores import MEASURED, USERS, everything_of, fill, opened

# The schemas in which there were users, but no chats.
SQLITE_USERS: Final = 4
POSTGRES_USERS: Final = 3
# The first one did not know all that search goes by today.
SQLITE_SEARCH: Final = 2
COLLECTIONS: Final = ("default", "厨房")


def named_steps(backend: str) -> list[tuple[str, str]]:
    """Return the files that make the schema of a backend, in order, with their names."""
    folder = files(f"mnemic.storage.{backend}.migrations")
    found = [file for file in folder.iterdir() if file.name.endswith(".sql")]
    return sorted((file.name, file.read_text("utf-8")) for file in found)


def steps(backend: str) -> list[str]:
    """Return the files that make the schema of a backend, in order."""
    return [step for _, step in named_steps(backend)]


def held(memory: OpenMemory) -> list[Any]:
    """Return what robots see of a store: memories with their history."""
    robot = memory.robot
    listed = [one for name in COLLECTIONS for one in robot.list(name, status="all", n=100)]
    return [listed, [(robot.get(one["id"]), robot.history(one["id"])) for one in listed]]


def recalled(memory: OpenMemory) -> list[Any]:
    """Return what robots recall, with the scores."""
    found = [memory.robot.recall(one, n=10)["memories"] for one in ("force for a mug", "bottle")]
    return [[(hit["id"], round(hit["_rrf_score"], 6)) for hit in hits] for hits in found]


def tallies(memory: OpenMemory) -> list[Any]:
    """Return how many memories of each kind the collections hold, as their profiles count them."""
    profiles = [memory.profile(Scope("collection", name)) for name in COLLECTIONS]
    return [one.kinds if one else None for one in profiles]


def check_upgraded(
    memory: OpenMemory, like: OpenMemory, *, users: Sequence[str], searches_alike: bool = True
) -> None:
    """Compare an upgraded store with one that never was old, then let in who came since."""
    assert held(memory) == held(like)
    assert tallies(memory) == tallies(like)
    assert all(kinds for kinds in tallies(memory))
    if searches_alike:
        assert recalled(memory) == recalled(like)
    for user in users:
        assert everything_of(memory, user) == everything_of(like, user)

    # What was measured long ago is known as it is today.
    again: Any = memory.robot.learn(*MEASURED)
    assert (again["status"], again.get("method")) == ("duplicate", "exact")
    memory.robot.learn("Doors with a brass handle open inwards")
    memory.robot.forget(5, "wrong")
    for one in (memory.profile(Scope("collection", name)) for name in COLLECTIONS):
        assert one is not None
        name = one.scope.name
        kept = memory.robot.list(name, n=100)
        assert sum(kind.memories for kind in one.kinds.values()) == len(kept)
    add(memory, "我喜欢乌龙茶和绿茶", user_id="anna")
    done(memory, "memory_chat", message="My brother lives in Bergen", user_id="anna")
    assert "我喜欢乌龙茶和绿茶" in search(memory, "绿茶", user_id="anna")
    assert total(memory, user_id="anna") >= 2
    remember_chats(memory)
    [found] = memory.chat.items(ItemFilter(words="谈到了茶")).rows
    assert found.lifecycle == "compacted"


@pytest.fixture(params=range(1, len(steps("sqlite"))))
def version(request: pytest.FixtureRequest) -> int:
    """The schema of an old file."""
    return request.param


@pytest.fixture
def users(version: int) -> Sequence[str]:
    """Who could be in that file, besides robots."""
    return USERS if version >= SQLITE_USERS else ()


@pytest.fixture
def today(tmp_path: Path, clock: Clock, users: Sequence[str]) -> Path:
    """A store of today, filled by those who could fill the old one."""
    path = tmp_path / "today.db"
    fill(path, clock, users=users, chats=False)
    return path


@pytest.fixture
def old_file(tmp_path: Path, today: Path, version: int) -> Path:
    """The same in an earlier schema."""
    path = tmp_path / "old.db"
    db: Any = apsw.Connection(str(path))
    for step in steps("sqlite")[:version]:
        db.execute(step)
    db.execute("attach ? as today", (str(today),))
    names = db.execute("select name from main.sqlite_schema where type = 'table'").fetchall()
    for (name,) in names:
        if not name.startswith("sqlite_"):
            columns = ", ".join(row[1] for row in db.execute(f"pragma main.table_info({name})"))
            db.execute(f"delete from main.{name}")  # noqa: S608  the names of our own tables
            db.execute(
                f"insert into main.{name} ({columns}) select {columns} from today.{name}"  # noqa: S608
            )
    db.execute(f"pragma user_version = {version}")
    db.close()
    return path


def test_an_old_file_holds_what_it_held_and_takes_users_and_chats(
    old_file: Path, today: Path, clock: Clock, version: int, users: Sequence[str]
) -> None:
    with opened(old_file, clock) as memory, opened(today, clock) as like:
        alike = version >= SQLITE_SEARCH
        check_upgraded(memory, like, users=users, searches_alike=alike)
    with opened(old_file, clock) as again:
        assert search(again, "绿茶", user_id="anna")

    db = connect(old_file, key=None, busy_seconds=1, durability="off")
    assert db.pragma("user_version") == len(steps("sqlite"))
    assert db.pragma("integrity_check") == "ok"
    assert db.execute("pragma foreign_key_check").fetchall() == []
    db.close()
    older = sqlite3.connect(old_file)
    assert older.execute("pragma integrity_check").fetchall() == [("ok",)]
    older.close()


def test_before_an_upgrade_the_file_is_kept_as_it_was(
    old_file: Path, clock: Clock, version: int
) -> None:
    tables = ("memory", "document", "vector", "event", "edge", "payload")
    wanted = [rows_of(old_file, table) for table in tables]

    opened(old_file, clock).close()
    opened(old_file, clock).close()

    [kept] = old_file.parent.glob("old.db.*")
    assert kept.name == f"old.db.before-schema-{version}"
    assert rows_of(kept, "pragma_user_version") == [(version,)]
    assert [rows_of(kept, table) for table in tables] == wanted
    assert rows_of(kept, "pragma_integrity_check") == [("ok",)]


@pytest.mark.parametrize("version", [1], indirect=True)
def test_where_the_copy_cannot_be_made_the_old_file_stays_as_it_is(
    old_file: Path, clock: Clock, version: int
) -> None:
    rows = rows_of(old_file, "memory")
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    # Room for the log of the file, not for a copy of it.
    resource.setrlimit(resource.RLIMIT_FSIZE, (40_000, limits[1]))
    try:
        with pytest.raises(UnusableStoreError, match=r"older schema .* could not be made"):
            opened(old_file, clock)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)

    assert rows_of(old_file, "pragma_user_version") == [(version,)]
    assert rows_of(old_file, "memory") == rows
    assert list(old_file.parent.glob("old.db.*")) == []
    opened(old_file, clock).close()


@pytest.mark.parametrize("version", [4], indirect=True)
def test_many_that_open_an_old_file_at_once_keep_one_copy(old_file: Path, clock: Clock) -> None:
    with ThreadPoolExecutor(4) as pool:
        opening = [pool.submit(opened, old_file, clock) for _ in range(4)]
        for one in opening:
            one.result().close()

    assert [one.name for one in old_file.parent.glob("old.db.*")] == ["old.db.before-schema-4"]


@pytest.mark.parametrize("version", [4], indirect=True)
def test_where_a_step_fails_the_old_file_stays_as_it_is_with_one_copy(
    old_file: Path, clock: Clock
) -> None:
    db: Any = apsw.Connection(str(old_file))
    # In the way of the last step.
    db.execute("create table api_key (x text)")
    db.close()
    rows = rows_of(old_file, "memory")

    for _ in range(3):
        with pytest.raises(UnusableStoreError, match=r"schema of this Mnemic .* as it was"):
            opened(old_file, clock)

    assert rows_of(old_file, "pragma_user_version") == [(4,)]
    assert rows_of(old_file, "memory") == rows
    assert [one.name for one in old_file.parent.glob("old.db.*")] == ["old.db.before-schema-4"]


def test_a_new_file_needs_no_copy(tmp_path: Path, clock: Clock) -> None:
    opened(tmp_path / "new.db", clock).close()

    assert list(tmp_path.glob("new.db.*")) == []


def rows_of(path: Path, table: str) -> list[tuple[Any, ...]]:
    """Return what a file holds, as it lies there."""
    db: Any = apsw.Connection(str(path))
    rows = db.execute(f"select * from {table} order by 1").fetchall()  # noqa: S608  our own names
    db.close()
    return rows


def test_an_upgraded_file_has_the_schema_of_a_new_one(
    old_file: Path, today: Path, clock: Clock
) -> None:
    opened(old_file, clock).close()

    def schema(path: Path) -> list[tuple[Any, ...]]:
        db = connect(path, key=None, busy_seconds=1, durability="off")
        found = db.execute("select type, name, sql from sqlite_schema order by 1, 2").fetchall()
        db.close()
        return found

    assert schema(old_file) == schema(today)


@pytest.mark.parametrize(
    "statement",
    [
        "insert into scope (account_id, kind, name, created_at) values (1, 'planet', 'x', 0)",
        "update memory set kind = 'rumour'",
        "update event set verb = 'eaten'",
        "insert into conversation (scope_id, id, created_at, updated_at) values (1, 'c', 0, 0);"
        "insert into turn (id, scope_id, conversation_id, number, created_at, updated_at)"
        " values ('t', 1, 'c', 0, 0, 0);"
        "insert into message (turn_id, position, id, role, content)"
        " values ('t', 0, 'm', 'ghost', 'boo')",
        "insert into message (turn_id, position, id, role, content)"
        " values ('no such turn', 0, 'x', 'user', 'boo')",
        "insert into tally (scope_id, kind, memories, changed_at) values (1, 'x', -1, 0)",
    ],
)
def test_what_was_never_allowed_is_still_refused(
    old_file: Path, clock: Clock, statement: str
) -> None:
    opened(old_file, clock).close()
    db = connect(old_file, key=None, busy_seconds=1, durability="off")

    with pytest.raises(apsw.ConstraintError):
        db.execute(statement)
    db.close()


@pytest.fixture(params=range(1, len(steps("postgres"))))
def old_schema(request: pytest.FixtureRequest) -> int:
    """The schema of an old database."""
    return request.param


@pytest.fixture
def old_users(old_schema: int) -> Sequence[str]:
    """Who could be in that database, besides robots."""
    return USERS if old_schema >= POSTGRES_USERS else ()


@pytest.fixture
def old_database(
    postgres: Server,
    postgres_database: str,
    clock: Clock,
    monkeypatch: pytest.MonkeyPatch,
    old_schema: int,
    old_users: Sequence[str],
) -> Iterator[str]:
    """The name of a database in an earlier schema, filled as `postgres_database` is."""
    fill(postgres_database, clock, users=old_users, chats=False)
    name = f"old_{uuid4().hex}"
    postgres.make_database(name)
    with psycopg.connect(postgres.url(name), autocommit=True) as superuser:
        belong = sql.SQL("alter database {} owner to owner").format(sql.Identifier(name))
        superuser.execute(belong)
        superuser.execute("create extension vector")
    with monkeypatch.context() as old:
        before = named_steps("postgres")[:old_schema]
        old.setattr("mnemic.storage.postgres.schema._steps", lambda: before)
        prepare_postgres(Settings(database=postgres.url(name, user="owner"), partitions=3))
    with psycopg.connect(postgres.url(name, user="owner"), autocommit=True) as owner:
        owner.execute("grant select on mnemic_schema to app")
    copy_rows(postgres, str(conninfo_to_dict(postgres_database)["dbname"]), name)
    yield name
    postgres.drop_database(name)


def copy_rows(postgres: Server, here: str, there: str) -> None:
    """Copy what two databases have room for."""
    tables = (
        "select relname from pg_class where relkind in ('r', 'p') and not relispartition"
        " and relnamespace = 'public'::regnamespace and relname not like 'mnemic%'"
    )
    numbers = "select sequencename, last_value from pg_sequences where last_value is not null"
    with (
        psycopg.connect(postgres.url(here), autocommit=True) as source,
        psycopg.connect(postgres.url(there), autocommit=True) as target,
    ):
        target.execute("set session_replication_role = replica")
        for (name,) in target.execute(tables).fetchall():
            table = sql.Identifier(name)
            found = target.execute(sql.SQL("select * from {} limit 0").format(table)).description
            columns = sql.SQL(", ").join(sql.Identifier(one.name) for one in found or ())
            rows = sql.SQL("copy (select {} from {}) to stdout").format(columns, table)
            into = sql.SQL("copy {} ({}) from stdin").format(table, columns)
            with source.cursor().copy(rows) as reading, target.cursor().copy(into) as writing:
                for part in reading:
                    writing.write(part)
        for name, last in source.execute(numbers).fetchall():
            target.execute("select setval(to_regclass(%s), %s)", (name, last))


def test_an_old_database_holds_what_it_held_and_takes_users_and_chats(
    postgres: Server,
    postgres_database: str,
    old_database: str,
    old_users: Sequence[str],
    clock: Clock,
) -> None:
    owner = Settings(database=postgres.url(old_database, user="owner"), partitions=5)

    told = prepare_postgres(owner, app_role="app")

    assert told["schema"] == len(steps("postgres"))
    app = postgres.url(old_database, user="app")
    with opened(app, clock) as memory, opened(postgres_database, clock) as like:
        check_upgraded(memory, like, users=old_users)
    with psycopg.connect(postgres.url(old_database)) as connection:
        parts = connection.execute(
            "select distinct count(*) from pg_inherits join pg_class c on c.oid = inhparent"
            " where c.relkind = 'p' group by inhparent"
        ).fetchall()
        unwalled = connection.execute(
            "select relname from pg_class where relkind in ('r', 'p') and not relrowsecurity"
            " and relnamespace = 'public'::regnamespace and exists (select from pg_attribute"
            "   where attrelid = pg_class.oid and attname = 'account_id')"
        ).fetchall()
    # As many as the tables before them have, whatever the setting says by now.
    assert parts == [(3,)]
    assert unwalled == []


def test_an_application_cannot_upgrade_and_is_told_who_can(
    postgres: Server, old_database: str, clock: Clock
) -> None:
    with pytest.raises(Exception, match="owner"):
        opened(postgres.url(old_database, user="app"), clock)
