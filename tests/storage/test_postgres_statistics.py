"""After a bulk load PostgreSQL's planner knows what came: nobody waits for autovacuum.

Autovacuum never analyzes a partitioned table as a whole, so its statistics tell who did.
"""

import json
import logging
from pathlib import Path

import psycopg
import pytest
from psycopg.conninfo import conninfo_to_dict

import mnemic
from mnemic.opening import missing_rights, move_to_postgres
from mnemic.records.memory import DEFAULT_SCOPE, Draft
from mnemic.settings import Settings
from mnemic.transfer.backup import back_up, restore
from mnemic.transfer.exchange import export_store, import_file
from mnemic.transfer.foreign import import_foreign
from tests.conftest import NOON, Clock
from tests.postgres import Server
from tests.storage.stores import fill, opened

BULK = 500


def rows_known(url: str, table: str = "memory") -> int:
    """Return how many rows the planner believes a table to have; -1 where it never looked."""
    with psycopg.connect(url) as connection:
        row = connection.execute(
            "select reltuples::bigint from pg_class where oid = %s::regclass", (table,)
        ).fetchone()
    assert row is not None
    return row[0]


def drafts(count: int) -> list[Draft]:
    texts = (f"part {number} fits shelf {number * 7}" for number in range(count))
    return [Draft(text, DEFAULT_SCOPE, dedup=False) for text in texts]


def exported(tmp_path: Path, clock: Clock) -> Path:
    """Return an export of a store that holds something of everything."""
    store = tmp_path / "memory.db"
    fill(store, clock, lessons=10)
    file = tmp_path / "export.jsonl"
    with file.open("wb") as out:
        export_store(Settings(database=str(store)), out, now=NOON)
    return file


def test_an_import_leaves_statistics_of_every_table_that_it_fills(
    postgres: Server, postgres_database: str, tmp_path: Path, clock: Clock
) -> None:
    file = exported(tmp_path, clock)

    import_file(Settings(database=postgres_database), file)

    assert rows_known(postgres_database) >= 10
    for table in ("event", "turn", "message", "item", "job", "scope"):
        assert rows_known(postgres_database, table) > 0, table
    name = conninfo_to_dict(postgres_database)["dbname"]
    with psycopg.connect(postgres.url(str(name))) as connection:
        row = connection.execute(
            "select count(*) from pg_statistic where starelid = 'memory'::regclass and stainherit"
        ).fetchone()
    assert row is not None
    assert row[0] > 10


def test_a_restore_leaves_statistics(postgres_database: str, tmp_path: Path, clock: Clock) -> None:
    file = tmp_path / "backup"
    store = Settings(database=str(tmp_path / "memory.db"))
    fill(tmp_path / "memory.db", clock, lessons=10, chats=False)
    with file.open("wb") as out:
        export_store(store, out, now=NOON, all_accounts=True, vectors=True)

    restore(Settings(database=postgres_database), file, now=NOON)

    assert rows_known(postgres_database) >= 10
    back_up(Settings(database=postgres_database), tmp_path / "again", now=NOON)


def test_a_file_of_another_program_leaves_statistics(
    postgres_database: str, tmp_path: Path
) -> None:
    file = tmp_path / "notes.jsonl"
    file.write_text("\n".join(json.dumps({"text": f"Shelf {n} holds tea"}) for n in range(7)))

    with mnemic.open(postgres_database, embedder="none") as memory:
        import_foreign(memory, file, "jsonl")

    assert rows_known(postgres_database) == 7


def test_a_move_leaves_statistics(
    postgres: Server, postgres_database: str, tmp_path: Path, clock: Clock
) -> None:
    store = tmp_path / "memory.db"
    fill(store, clock, lessons=10)
    name = conninfo_to_dict(postgres_database)["dbname"]

    move_to_postgres(store, Settings(database=postgres.url(str(name), user="owner")))

    assert rows_known(postgres_database) >= 10
    assert rows_known(postgres_database, "message") > 0


def test_many_memories_at_once_and_their_vectors_leave_statistics(
    postgres_database: str, clock: Clock
) -> None:
    with mnemic.open(postgres_database, embedder="none", clock=clock) as memory:
        memory.remember_many(drafts(BULK))

    assert rows_known(postgres_database) == BULK
    assert rows_known(postgres_database, "memory_vector") <= 0
    with opened(postgres_database, clock) as memory:
        assert memory.embed_missing() == BULK
    assert rows_known(postgres_database, "memory_vector") == BULK


def test_small_writes_analyze_nothing(postgres_database: str, clock: Clock) -> None:
    with mnemic.open(postgres_database, embedder="none", clock=clock) as memory:
        memory.robot.learn("the cup is red")
        memory.remember_many(drafts(BULK - 1))
        memory.robot.end_session(memory.robot.start_session()["session_id"])

    assert rows_known(postgres_database) == -1


def test_a_role_that_may_not_analyze_keeps_its_load_and_is_told(
    postgres: Server, postgres_database: str, caplog: pytest.LogCaptureFixture
) -> None:
    name = conninfo_to_dict(postgres_database)["dbname"]
    assert missing_rights(Settings(database=postgres_database)) == []
    postgres.run("revoke execute on function mnemic_analyze(text[]) from app", str(name))

    with (
        caplog.at_level(logging.WARNING, "mnemic"),
        mnemic.open(postgres_database, embedder="none") as memory,
    ):
        stored = memory.remember_many(drafts(BULK))

    assert len(stored) == BULK
    assert rows_known(postgres_database) == -1
    assert "mnemic migrate --to URL --app-role ROLE" in caplog.text
    needed = missing_rights(Settings(database=postgres_database))
    assert needed == ["execute on mnemic_analyze(text[])"]


def test_the_owners_function_analyzes_no_table_of_somebody_else(
    postgres: Server, postgres_database: str
) -> None:
    name = str(conninfo_to_dict(postgres_database)["dbname"])
    postgres.run("create table foreign_note as select 1 as a", name)

    with psycopg.connect(postgres_database) as connection:
        connection.execute("select mnemic_analyze(array['foreign_note', 'scope', 'no_table'])")

    assert rows_known(postgres_database, "foreign_note") == -1
    assert rows_known(postgres_database, "scope") == 0
