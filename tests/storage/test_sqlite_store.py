"""The file itself: schema, statements, and what is refused."""

import re
from pathlib import Path

import pytest

import mnemic
from mnemic import StorageError
from mnemic.errors import UnusableStoreError
from mnemic.storage.sqlite.connection import connect
from mnemic.storage.statements import load_statements

STATEMENTS = load_statements("mnemic.storage.sqlite")


def test_a_newer_schema_is_refused_with_advice(tmp_path: Path) -> None:
    path = tmp_path / "memory.db"
    mnemic.open(path, embedder="none").close()
    connection = connect(path, key=None, busy_seconds=1, durability="off")
    connection.execute("pragma user_version = 99")
    connection.close()

    with pytest.raises(StorageError, match="newer Mnemic"):
        mnemic.open(path, embedder="none")


def test_a_file_that_is_no_database_is_refused_and_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "notes.txt"
    path.write_bytes(b"these are my notes, not a database" * 100)

    with pytest.raises(StorageError, match="not a Mnemic database"):
        mnemic.open(path, embedder="none")

    assert path.read_bytes().startswith(b"these are my notes")


@pytest.mark.parametrize("version", [0, 3, 75])
def test_a_database_of_another_program_is_refused_and_left_alone(
    tmp_path: Path, version: int
) -> None:
    path = tmp_path / "bookmarks.db"
    connection = connect(path, key=None, busy_seconds=1, durability="off")
    connection.execute(f"create table bookmark (url text); pragma user_version = {version}")
    connection.close()
    before = path.read_bytes()

    with pytest.raises(UnusableStoreError, match="another program"):
        mnemic.open(path, embedder="none")

    assert path.read_bytes() == before
    assert list(tmp_path.iterdir()) == [path]


def test_a_store_that_cannot_be_opened_says_which(tmp_path: Path) -> None:
    folder = tmp_path / "memory.db"
    folder.mkdir()

    with pytest.raises(StorageError, match=re.escape(str(folder))):
        mnemic.open(folder, embedder="none")


def test_the_store_checks_itself(tmp_path: Path) -> None:
    path = tmp_path / "memory.db"
    with mnemic.open(path, embedder="hashing", durability="off") as memory:
        memory.robot.learn("the cup is red", context={"a": 1})
        memory.robot.update(1, "the cup is blue")
        memory.robot.save_perception("a picture of a cup", data="[1, 2]")
    connection = connect(path, key=None, busy_seconds=1, durability="off")

    assert connection.pragma("integrity_check") == "ok"
    assert connection.execute("pragma foreign_key_check").fetchall() == []
    assert connection.pragma("journal_mode") == "wal"
    connection.close()


def test_every_statement_can_be_prepared_against_the_schema(tmp_path: Path) -> None:
    path = tmp_path / "memory.db"
    mnemic.open(path, embedder="none").close()
    connection = connect(path, key=None, busy_seconds=1, durability="off")
    for name, sql in STATEMENTS.items():
        plain = sql.replace("{filter}", "1")
        names = set(re.findall(r"(?<!:):(\w+)", re.sub(r"--.*", "", plain)))
        plan = connection.execute(
            "explain query plan " + re.sub(r"^(--.*\n)+", "", plain), dict.fromkeys(names, "1")
        )
        assert plan.fetchall() is not None, name
    connection.close()
