"""Stores made before there were users: upgraded, they hold what they held, and users too."""

from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path
from typing import Any, Final
from uuid import uuid4

import apsw
import psycopg
import pytest
from psycopg import sql
from psycopg.conninfo import conninfo_to_dict

from mnemic.opening import OpenMemory, prepare_postgres
from mnemic.records import Scope
from mnemic.settings import Settings
from mnemic.storage.sqlite.connection import connect
from tests.conftest import Clock
from tests.dialects.calling import add, done, search, total
from tests.postgres import Server
from tests.storage.stores import fill, opened

SQLITE_BEFORE_USERS: Final = 3
POSTGRES_BEFORE_USERS: Final = 2
COLLECTIONS: Final = ("default", "厨房")


def steps(backend: str) -> list[str]:
    """Return the files that make the schema of a backend, in order."""
    folder = files(f"mnemic.storage.{backend}.migrations")
    found = [file for file in folder.iterdir() if file.name.endswith(".sql")]
    return [file.read_text("utf-8") for file in sorted(found, key=lambda file: file.name)]


def held(memory: OpenMemory) -> list[Any]:
    """Return what robots see of a store: memories with their history, and what is recalled."""
    robot = memory.robot
    listed = [one for name in COLLECTIONS for one in robot.list(name, status="all", n=100)]
    found = [robot.recall(one, n=10)["memories"] for one in ("force for a mug", "tall bottle")]
    return [
        listed,
        [(robot.get(one["id"]), robot.history(one["id"])) for one in listed],
        [[(hit["id"], round(hit["_rrf_score"], 6)) for hit in hits] for hits in found],
    ]


def tallies(memory: OpenMemory) -> list[Any]:
    """Return how many memories of each kind the collections hold, as their profiles count them."""
    profiles = [memory.profile(Scope("collection", name)) for name in COLLECTIONS]
    return [one.kinds if one else None for one in profiles]


def check_upgraded(memory: OpenMemory, like: OpenMemory) -> None:
    """Compare an upgraded store with one that never was old, then let a user in."""
    assert held(memory) == held(like)
    assert tallies(memory) == tallies(like)
    assert all(kinds for kinds in tallies(memory))

    memory.robot.learn("Doors with a brass handle open inwards")
    memory.robot.forget(5, "wrong")
    for one in (memory.profile(Scope("collection", name)) for name in COLLECTIONS):
        assert one is not None
        name = one.scope.name
        kept = memory.robot.list(name, n=100)
        assert sum(kind.memories for kind in one.kinds.values()) == len(kept)
    add(memory, "我喜欢乌龙茶", user_id="anna")
    done(memory, "memory_chat", message="My sister lives in Oslo", user_id="anna")
    assert "我喜欢乌龙茶" in search(memory, "乌龙茶", user_id="anna")
    assert total(memory) == 0
    assert total(memory, user_id="anna") >= 2


@pytest.fixture
def today(tmp_path: Path, clock: Clock) -> Path:
    """A store of today, as a robot alone fills it."""
    path = tmp_path / "today.db"
    fill(path, clock, users=())
    return path


@pytest.fixture
def old_file(tmp_path: Path, today: Path) -> Path:
    """The same in the schema of the time before users."""
    path = tmp_path / "old.db"
    db: Any = apsw.Connection(str(path))
    for step in steps("sqlite")[:SQLITE_BEFORE_USERS]:
        db.execute(step)
    db.execute("attach ? as today", (str(today),))
    names = db.execute("select name from sqlite_schema where type = 'table'").fetchall()
    for (name,) in names:
        if not name.startswith("sqlite_"):
            db.execute(f"delete from main.{name}")  # noqa: S608  the names of our own tables
            db.execute(f"insert into main.{name} select * from today.{name}")  # noqa: S608
    db.execute(f"pragma user_version = {SQLITE_BEFORE_USERS}")
    db.close()
    return path


def test_an_old_file_holds_what_it_held_and_takes_users(
    old_file: Path, today: Path, clock: Clock
) -> None:
    with opened(old_file, clock) as memory, opened(today, clock) as like:
        check_upgraded(memory, like)
    with opened(old_file, clock) as again:
        assert search(again, "乌龙茶", user_id="anna")

    db = connect(old_file, busy_seconds=1, durability="off")
    assert db.pragma("user_version") == len(steps("sqlite"))
    assert db.pragma("integrity_check") == "ok"
    assert db.execute("pragma foreign_key_check").fetchall() == []
    db.close()


def test_an_upgraded_file_has_the_schema_of_a_new_one(
    old_file: Path, today: Path, clock: Clock
) -> None:
    opened(old_file, clock).close()

    def schema(path: Path) -> list[tuple[Any, ...]]:
        db = connect(path, busy_seconds=1, durability="off")
        found = db.execute("select type, name, sql from sqlite_schema order by 1, 2").fetchall()
        db.close()
        return found

    assert schema(old_file) == schema(today)


@pytest.mark.parametrize(
    "statement",
    [
        "insert into scope (account_id, kind, name, created_at) values (1, 'planet', 'x', 0)",
        "update memory set kind = 'rumour'",
    ],
)
def test_what_was_never_allowed_is_still_refused(
    old_file: Path, clock: Clock, statement: str
) -> None:
    opened(old_file, clock).close()
    db = connect(old_file, busy_seconds=1, durability="off")

    with pytest.raises(apsw.ConstraintError):
        db.execute(statement)
    db.close()


@pytest.fixture
def old_database(
    postgres: Server, postgres_database: str, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> Iterator[str]:
    """The name of a database in the schema of the time before users, filled as `postgres_database`
    is.
    """
    fill(postgres_database, clock, users=())
    name = f"old_{uuid4().hex}"
    postgres.make_database(name)
    with psycopg.connect(postgres.url(name), autocommit=True) as superuser:
        belong = sql.SQL("alter database {} owner to owner").format(sql.Identifier(name))
        superuser.execute(belong)
        superuser.execute("create extension vector")
    with monkeypatch.context() as old:
        before = steps("postgres")[:POSTGRES_BEFORE_USERS]
        old.setattr("mnemic.storage.postgres.schema._steps", lambda: before)
        prepare_postgres(
            Settings(database=postgres.url(name, user="owner"), partitions=3), app_role="app"
        )
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
            rows = sql.SQL("copy (select * from {}) to stdout").format(table)
            with (
                source.cursor().copy(rows) as reading,
                target.cursor().copy(sql.SQL("copy {} from stdin").format(table)) as writing,
            ):
                for part in reading:
                    writing.write(part)
        for name, last in source.execute(numbers).fetchall():
            target.execute("select setval(%s, %s)", (name, last))


def test_an_old_database_holds_what_it_held_and_takes_users(
    postgres: Server, postgres_database: str, old_database: str, clock: Clock
) -> None:
    owner = Settings(database=postgres.url(old_database, user="owner"), partitions=5)

    told = prepare_postgres(owner, app_role="app")

    assert told["schema"] == len(steps("postgres"))
    app = postgres.url(old_database, user="app")
    with opened(app, clock) as memory, opened(postgres_database, clock) as like:
        check_upgraded(memory, like)
    with psycopg.connect(postgres.url(old_database)) as connection:
        parts = connection.execute(
            "select count(*) from pg_inherits where inhparent = 'turn'::regclass"
        ).fetchone()
        unwalled = connection.execute(
            "select relname from pg_class where relkind in ('r', 'p') and not relrowsecurity"
            " and relnamespace = 'public'::regnamespace and exists (select from pg_attribute"
            "   where attrelid = pg_class.oid and attname = 'account_id')"
        ).fetchall()
    # As many as the tables before them have, whatever the setting says by now.
    assert parts == (3,)
    assert unwalled == []


def test_an_application_cannot_upgrade_and_is_told_who_can(
    postgres: Server, old_database: str, clock: Clock
) -> None:
    with pytest.raises(Exception, match="owner"):
        opened(postgres.url(old_database, user="app"), clock)
