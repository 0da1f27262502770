"""Promises about files of other programs that somebody made to do harm."""

import json
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from mnemic.errors import InvalidInputError, StorageError
from mnemic.opening import OpenMemory
from mnemic.records.memory import PAYLOAD_BYTES, Scope
from mnemic.transfer.foreign import detect, foreign_files, import_foreign

HERE = Scope("collection", "default")


def contents(memory: OpenMemory, scope: Scope = HERE) -> list[str]:
    return [one.content for one in memory.browse(scope, status=None)]


def test_records_with_a_nul_are_told_and_the_others_kept(store: OpenMemory, tmp_path: Path) -> None:
    path = tmp_path / "lessons.jsonl"
    deep: object = "x"
    for _ in range(70):
        deep = [deep]
    records = [
        {"text": "Brake early"},
        {"text": "Never\x00brake"},
        {"text": "Roads ice over", "place": "a\x00b"},
        {"text": "Roads dry up", "place": deep},
    ]
    path.write_text("\n".join(map(json.dumps, records)) + "\n" + "[" * 100_000, "utf-8")

    report = import_foreign(store, path, "jsonl")

    assert [one.where for one in report.skipped] == ["line 2", "line 3", "line 4", "line 5"]
    assert contents(store) == ["Brake early"]


def test_a_cell_with_a_nul_is_told_by_its_row(store: OpenMemory, tmp_path: Path) -> None:
    path = tmp_path / "lessons.csv"
    path.write_text("text\nBrake early\nNever\x00brake\n", "utf-8")

    report = import_foreign(store, path, "csv")

    assert [one.where for one in report.skipped] == ["row 3"]
    assert contents(store) == ["Brake early"]


@pytest.mark.parametrize(
    ("format", "first", "line"),
    [
        ("jsonl", '{"text": "Brake early"}\n', '{"text": "'),
        ("csv", "text\nBrake early\n", ""),
        ("mem0", '{"id": "1", "memory": "Brake early"}\n', '{"id": "2", "memory": "'),
        ("mcp-memory", '{"type": "entity", "name": "Bo", "observations": ["sails"]}\n', "{"),
    ],
)
def test_a_line_without_an_end_is_refused_before_anything_is_written(
    store: OpenMemory,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    format: str,
    first: str,
    line: str,
) -> None:
    monkeypatch.setattr("mnemic.transfer.foreign.foreign_files.LONGEST_LINE", 1_000)
    monkeypatch.setattr("mnemic.transfer.foreign.delimited.LONGEST_LINE", 1_000)
    path = tmp_path / "endless"
    path.write_text(first + line + "x" * 5_000, "utf-8")

    with pytest.raises(InvalidInputError, match=r"line \d has more than"):
        import_foreign(store, path, format)

    assert contents(store) == []


@pytest.mark.parametrize("format", ["jsonl", "csv"])
def test_a_line_of_exactly_the_most_bytes_comes_in(
    store: OpenMemory, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, format: str
) -> None:
    path = tmp_path / "long"
    line = json.dumps({"text": "x" * 500}) if format == "jsonl" else "x" * 500
    path.write_text(f"{line}\n" if format == "jsonl" else f"text\n{line}\n", "utf-8")
    monkeypatch.setattr("mnemic.transfer.foreign.foreign_files.LONGEST_LINE", len(line) + 1)
    monkeypatch.setattr("mnemic.transfer.foreign.delimited.LONGEST_LINE", len(line) + 1)

    import_foreign(store, path, format)

    assert contents(store) == ["x" * 500]


def test_a_document_that_is_too_large_is_refused(
    store: OpenMemory, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(foreign_files, "_LARGEST_DOCUMENT", 1_000)
    path = tmp_path / "mem0.json"
    records = [{"id": str(one), "memory": f"Shelf {one} is full"} for one in range(100)]
    path.write_text(json.dumps(records, indent=1), "utf-8")

    with pytest.raises(InvalidInputError, match="one JSON value of more than"):
        import_foreign(store, path, "mem0")


@pytest.fixture
def robotmem(tmp_path: Path) -> Path:
    path = tmp_path / "robotmem.db"
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript((Path(__file__).parent / "robotmem.sql").read_text("utf-8"))
    return path


@pytest.mark.parametrize(
    "sql",
    [
        "alter table memories rename to old; create view memories as select * from old",
        "drop table memories; create virtual table memories using fts5 (id, session_id,"
        " collection, type, content, context, category, perception_type, perception_data,"
        " perception_metadata, confidence, status, superseded_by, invalidated_reason,"
        " invalidated_at, created_at, updated_at)",
    ],
)
def test_a_view_or_a_virtual_table_is_no_table_of_robotmem(
    store: OpenMemory, robotmem: Path, sql: str
) -> None:
    with closing(sqlite3.connect(robotmem)) as connection:
        connection.executescript(sql)

    assert detect(robotmem) is None
    with pytest.raises(InvalidInputError, match="another SQLite file"):
        import_foreign(store, robotmem, "robotmem")


def test_a_column_that_is_computed_to_fill_the_memory_ends_in_an_error(
    store: OpenMemory, robotmem: Path
) -> None:
    with closing(sqlite3.connect(robotmem)) as connection:
        connection.execute("alter table memories add column scope_of text as (zeroblob(900000000))")

    with pytest.raises(StorageError, match="too big"):
        import_foreign(store, robotmem, "robotmem")

    assert contents(store) == []


@pytest.mark.parametrize(("more", "added"), [(0, 8), (1, 6)])
def test_sensor_data_over_its_limit_is_told_and_the_others_kept(
    store: OpenMemory, robotmem: Path, more: int, added: int
) -> None:
    with closing(sqlite3.connect(robotmem)) as connection, connection:
        connection.execute(
            "update memories set perception_data = :data where perception_data is not null",
            {"data": "x" * (PAYLOAD_BYTES + more)},
        )

    report = import_foreign(store, robotmem, "robotmem")

    assert report.added == added
    assert ("16777217 bytes" in str(report.skipped)) == bool(more)
