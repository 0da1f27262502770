"""Promises about schemas: what somebody put into a store's schema never changes what is learned."""

import json
import sqlite3
from pathlib import Path
from typing import Any, Final

import apsw
import pytest

import mnemic
from mnemic.errors import UnusableStoreError
from mnemic.storage.sqlite.schema_objects import differences, migrations
from tests.cli.commanding import failed, run, told
from tests.conftest import Clock
from tests.storage.stores import opened

STEAL: Final = (
    "create trigger steal after insert on memory begin"
    " update memory set content = 'Never brake' where id = new.id; end"
)
HARMFUL: Final = {
    "trigger steal": STEAL,
    "trigger sqlite_steal": "pragma writable_schema = on;"
    "insert into sqlite_schema (type, name, tbl_name, rootpage, sql) values"
    " ('trigger', 'sqlite_steal', 'memory', 0, 'create trigger sqlite_steal after insert on memory"
    " begin delete from memory; end')",
    "view current_memory": "drop view current_memory;"
    "create view current_memory as select *, 1 as account_id, 'collection' as scope_kind,"
    " 'default' as scope_name from memory",
    "table payload": "drop table payload; create table payload (memory_id integer, data, metadata)",
}
HARMLESS: Final = {
    "table diary": "create table diary (day text)",
    "view report": "create view report as select count(*) from memory",
    "index by_day": "create index by_day on memory (created_at)",
}


@pytest.fixture
def store(tmp_path: Path, clock: Clock) -> Path:
    path = tmp_path / "memory.db"
    with opened(path, clock) as memory:
        memory.robot.learn("Grip force 12.5 N holds a mug")
    return path


def tamper(path: Path, sql: str) -> None:
    connection: Any = apsw.Connection(str(path))
    connection.execute(sql)
    connection.close()


@pytest.mark.parametrize("named", HARMFUL)
def test_a_store_is_not_opened_with_what_might_change_memories(store: Path, named: str) -> None:
    tamper(store, HARMFUL[named])
    before = store.read_bytes()

    with pytest.raises(UnusableStoreError, match=named):
        mnemic.open(store, embedder="none")

    assert store.read_bytes() == before


@pytest.mark.parametrize("named", HARMLESS)
def test_a_store_is_opened_with_what_cannot(store: Path, clock: Clock, named: str) -> None:
    tamper(store, HARMLESS[named])

    with opened(store, clock) as memory:
        memory.robot.learn("湿滑的地面上转弯要慢。")
        assert len(memory.robot.list()) == 2


def test_what_statistics_leave_is_no_foreign_object(store: Path, clock: Clock) -> None:
    tamper(store, "analyze")

    with opened(store, clock) as memory:
        memory.robot.learn("湿滑的地面上转弯要慢。")
    assert told_schema(store)["status"] == "ok"


@pytest.mark.parametrize("named", [*HARMFUL, *HARMLESS])
def test_a_store_with_a_foreign_schema_is_neither_backed_up_nor_restored(
    store: Path, tmp_path: Path, clock: Clock, named: str
) -> None:
    copy = tmp_path / "copy.db"
    told("--database", str(store), "backup", str(copy))
    tamper(copy, (HARMFUL | HARMLESS)[named])

    assert named in failed("--database", str(copy), "backup", str(tmp_path / "new.db"), code=4)
    said = failed("--database", str(store), "restore", str(copy), "--force", code=4)

    assert named in said
    with opened(store, clock) as memory:
        assert len(memory.robot.list()) == 1
    assert {one.name for one in tmp_path.iterdir()} == {"memory.db", "copy.db"}


@pytest.mark.parametrize("named", ["trigger steal", "view report", "table diary"])
def test_a_store_with_a_foreign_schema_is_not_moved(
    store: Path, postgres_database: str, named: str
) -> None:
    tamper(store, (HARMFUL | HARMLESS)[named])

    said = failed(
        "migrate", "--from", f"sqlite:{store}", "--to", postgres_database, "--verify", code=4
    )

    assert named in said


def test_a_foreign_trigger_takes_no_part_in_an_upgrade(tmp_path: Path) -> None:
    path = tmp_path / "memory.db"
    tamper(path, f"{migrations()[0]}; pragma user_version = 1; {STEAL}")
    before = path.read_bytes()

    with pytest.raises(UnusableStoreError, match="trigger steal"):
        mnemic.open(path, embedder="none")

    assert connection_version(path) == 1
    assert len(before) == len(path.read_bytes())


@pytest.mark.parametrize(
    ("named", "status"), [("trigger steal", "problem"), ("table diary", "warning")]
)
def test_the_doctor_names_what_is_foreign(store: Path, named: str, status: str) -> None:
    tamper(store, (HARMFUL | HARMLESS)[named])

    found = told_schema(store)

    assert found["status"] == status
    assert named in found["found"]


def test_a_name_cannot_write_to_the_terminal(store: Path) -> None:
    tamper(store, STEAL.replace("steal", '"\x1b[2J\nsteal"'))

    with pytest.raises(UnusableStoreError) as refused:
        mnemic.open(store, embedder="none")

    assert str(refused.value).isprintable()


@pytest.mark.parametrize("version", range(1, len(migrations()) + 1))
def test_every_schema_is_its_own_also_where_another_sqlite_made_it(version: int) -> None:
    made = sqlite3.connect(":memory:")
    for step in migrations()[:version]:
        made.executescript(step)

    assert not differences(made, version)


def connection_version(path: Path) -> int:
    connection: Any = apsw.Connection(str(path))
    version: int = connection.pragma("user_version")
    connection.close()
    return version


def told_schema(store: Path) -> dict[str, Any]:
    said = json.loads(run("--database", str(store), "doctor", "--offline", "--json").stdout)
    return next(one for one in said["checks"] if one["name"] == "schema")
