"""Promises about files that somebody made to do harm: refused as a whole, and never unpacked."""

import json
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import apsw
import pytest

import mnemic
from mnemic.errors import InvalidInputError, StorageError
from mnemic.records.memory import PAYLOAD_BYTES, Draft, Payload, Scope
from mnemic.transfer import file_format
from mnemic.transfer.file_format import LineWriter
from tests.cli.commanding import failed, told
from tests.conftest import Clock, OpenIt
from tests.storage.stores import opened
from tests.transfer.conftest import ExportIt, NewStore, Sample, imported

HERE: Final = Scope("collection", "default")


def changed(export: Path, to: Path, change: Callable[[dict[str, Any]], None]) -> Path:
    """Write an export anew, with a true footer and one memory or perception that differs."""
    lines = [json.loads(line) for line in export.read_text("utf-8").splitlines()]
    change(next(one for one in lines if one["kind"] == "perception"))
    with to.open("wb") as out:
        writer = LineWriter(out)
        for line in lines[:-1]:
            writer.write(line)
        writer.finish()
    return to


def nested(levels: int) -> list[Any]:
    value: list[Any] = []
    for _ in range(levels):
        value = [value]
    return value


HARMFUL: Final[dict[str, tuple[dict[str, Any], str]]] = {
    "a NUL in a text": ({"data": "newton\x00"}, "it holds a NUL"),
    "a NUL in a name": ({"new\x00ton": 1}, "it holds a NUL"),
    "a NUL deep inside": ({"context": {"a": ["b", {"c": "\x00"}]}}, "it holds a NUL"),
    "too deep": ({"context": nested(200)}, "nested deeper than 100 levels"),
    "too large": ({"data": "x" * (PAYLOAD_BYTES + 1)}, "16,777,217 bytes"),
}


@pytest.mark.parametrize("backend", ["sqlite", "postgres"])
@pytest.mark.parametrize("name", HARMFUL)
def test_an_import_refuses_what_mnemic_never_writes_and_writes_nothing(
    new_store: NewStore, small: Sample, tmp_path: Path, clock: Clock, backend: str, name: str
) -> None:
    change, problem = HARMFUL[name]
    path = changed(small.export, tmp_path / "hostile.jsonl", lambda line: line.update(change))
    there = new_store(backend)

    with pytest.raises(InvalidInputError, match=problem):
        imported(there, path)

    with opened(there, clock) as memory:
        assert memory.robot.list() == []


@pytest.mark.parametrize("backend", ["sqlite", "postgres"])
@pytest.mark.parametrize("name", HARMFUL)
def test_restoring_an_export_refuses_the_same(
    new_store: NewStore, small: Sample, tmp_path: Path, clock: Clock, backend: str, name: str
) -> None:
    change, problem = HARMFUL[name]
    path = changed(small.export, tmp_path / "hostile.jsonl", lambda line: line.update(change))
    there = new_store(backend)

    said = failed("--database", there, "restore", str(path), code=2)

    assert problem in said
    with opened(there, clock) as memory:
        assert memory.robot.list() == []


def test_what_only_looks_like_a_nul_comes_in(
    new_store: NewStore, small: Sample, tmp_path: Path, clock: Clock
) -> None:
    there = new_store("sqlite")

    def escape(line: dict[str, Any]) -> None:
        line["data"] = r'"\u0000"'

    imported(there, changed(small.export, tmp_path / "escaped.jsonl", escape))

    with opened(there, clock) as memory:
        held = [memory.payload(one["id"]) for one in memory.robot.list(n=100)]
    assert [one.data for one in held if one] == [r'"\u0000"']


def test_a_line_without_an_end_is_refused_without_being_read(
    tmp_path: Path, small: Sample, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(file_format, "LONGEST_LINE", 100_000)
    header, *_ = small.export.read_bytes().splitlines(keepends=True)
    path = tmp_path / "endless.jsonl"
    path.write_bytes(header + b'{"kind": "memory", "content": "' + b"x" * 300_000)

    with pytest.raises(InvalidInputError, match="line 2: it has more than 100,000 bytes"):
        imported(str(tmp_path / "fresh.db"), path)
    said = failed("--database", str(tmp_path / "fresh.db"), "restore", str(path), code=2)
    assert "line 2: it has more than 100,000 bytes" in said
    assert not (tmp_path / "fresh.db").exists()


def test_a_line_of_exactly_the_most_bytes_comes_in(
    tmp_path: Path, small: Sample, monkeypatch: pytest.MonkeyPatch
) -> None:
    lines = small.export.read_bytes().splitlines(keepends=True)
    longest = max(map(len, lines))

    monkeypatch.setattr(file_format, "LONGEST_LINE", longest - 1)
    with pytest.raises(InvalidInputError, match=f"it has more than {longest - 1:,} bytes"):
        imported(str(tmp_path / "refused.db"), small.export)
    monkeypatch.setattr(file_format, "LONGEST_LINE", longest)

    assert imported(str(tmp_path / "taken.db"), small.export).accounts[0].added["memory"] > 0


def test_the_largest_payload_comes_back_whole(
    open_it: OpenIt, database: str, export_it: ExportIt, tmp_path: Path, clock: Clock
) -> None:
    # Each of these is written as six characters.
    data = "\x01" * PAYLOAD_BYTES
    with open_it() as memory:
        draft = Draft(content="A long reading", scope=HERE, payload=Payload(data, data))
        number = memory.remember(draft).memory.id
        assert memory.payload(number) == Payload(data, data)
        with pytest.raises(InvalidInputError, match="at most 16777216 bytes"):
            memory.remember(Draft(content="Too long", scope=HERE, payload=Payload(data + "x")))

    imported(str(tmp_path / "there.db"), export_it(database))

    with opened(tmp_path / "there.db", clock) as there:
        assert there.payload(number) == Payload(data, data)


@pytest.fixture
def perceived(tmp_path: Path) -> Path:
    """A store with one payload."""
    path = tmp_path / "perceived.db"
    with mnemic.open(path, embedder="none", durability="off") as memory:
        memory.robot.save_perception("Force while lifting a mug", "tactile", data='{"newton": 4}')
    return path


@pytest.fixture
def with_bomb(perceived: Path) -> Path:
    """A store with 64 KB of a payload that unpack to 64 MB."""
    data = zlib.compress(b" " * 64 * 1024 * 1024, 9)
    run_in(perceived, "update payload set data = :data", data=data)
    return perceived


def run_in(path: Path, sql: str, **values: object) -> None:
    connection: Any = apsw.Connection(str(path))
    connection.execute(sql, values)
    connection.close()


def test_a_payload_that_unpacks_over_its_limit_is_read_nowhere(
    with_bomb: Path, tmp_path: Path
) -> None:
    with (
        mnemic.open(with_bomb, embedder="none") as memory,
        pytest.raises(StorageError, match="more than 16,777,216 bytes"),
    ):
        memory.payload(1)
    said = failed("--database", str(with_bomb), "export", str(tmp_path / "out.jsonl"), code=1)
    assert "more than 16,777,216 bytes" in said
    assert not (tmp_path / "out.jsonl").exists()
    new = tmp_path / "new.db"
    assert "memory 1" in failed("--database", str(new), "restore", str(with_bomb), code=4)
    assert not new.exists()


@pytest.mark.parametrize("column", ["data", "metadata"])
def test_a_backup_is_restored_with_a_payload_of_the_most_bytes_and_no_more(
    perceived: Path, tmp_path: Path, column: str
) -> None:
    new = tmp_path / "new.db"
    sql = f"update payload set {column} = :data"  # noqa: S608  one of two names

    run_in(perceived, sql, data=zlib.compress(b" " * (PAYLOAD_BYTES + 1)))
    assert "memory 1" in failed("--database", str(new), "restore", str(perceived), code=4)
    run_in(perceived, sql, data=zlib.compress(b" " * PAYLOAD_BYTES))

    assert told("--database", str(new), "restore", str(perceived))["memories"] == 1


@pytest.mark.parametrize(
    "sql",
    [
        "update memory set content = 'Never ' || char(0) || ' brake'",
        "update account set name = 'def' || char(0) || 'ault'",
    ],
)
def test_a_backup_with_a_nul_in_a_text_is_not_restored(tmp_path: Path, sql: str) -> None:
    store, copy = tmp_path / "memory.db", tmp_path / "copy.db"
    told("--database", str(store), "learn", "Grip force 12.5 N holds a mug")
    told("--database", str(store), "backup", str(copy))
    run_in(copy, sql)

    said = failed("--database", str(store), "restore", str(copy), "--force", code=4)

    assert "a text with a NUL" in said
    assert told("--database", str(store), "list")[0]["content"] == "Grip force 12.5 N holds a mug"
