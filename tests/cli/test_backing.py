"""Promises of `mnemic backup` and `mnemic restore`: a checked copy, and nothing lost on the way."""

import signal
import threading
from collections.abc import Callable, Generator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import apsw
import pytest

import mnemic
from mnemic.storage.sqlite.backups import back_up
from tests.cli.commanding import failed, told
from tests.conftest import Clock
from tests.storage.stores import everything, fill, found, opened

pytestmark = pytest.mark.usefixtures("own_store")


@pytest.fixture
def copied(tmp_path: Path) -> str:
    """A backup of a store that holds one lesson."""
    told("learn", "Grip force 12.5 N holds a mug")
    return told("backup", str(tmp_path / "copy.db"))["file"]


def test_a_backup_holds_everything(tmp_path: Path, clock: Clock) -> None:
    fill(tmp_path / "memory.db", clock)

    answer = told("backup", str(tmp_path / "copy.db"))

    with opened(tmp_path / "copy.db", clock) as copy, opened(tmp_path / "memory.db", clock) as like:
        assert everything(copy) == everything(like)
        assert found(copy) == found(like)
    assert answer["memories"] == 71
    assert {one.name for one in tmp_path.iterdir()} == {"memory.db", "copy.db"}


def test_a_backup_is_of_one_moment_while_others_write(tmp_path: Path) -> None:
    path = tmp_path / "memory.db"
    with mnemic.open(path) as memory:
        for number in range(5):
            memory.robot.learn(f"Shelf {number} is full", {"log": "jar " * 200_000})
        seen: list[int] = []

        def write(done: int, _total: int) -> None:
            seen.append(done)
            writer = threading.Thread(target=memory.robot.learn, args=(f"Meanwhile {done}",))
            writer.start()
            writer.join()

        found = back_up(path, tmp_path / "copy.db", key=None, force=False, progress=write)

    # It was copied in steps, each followed by a write, and none of these is in it.
    assert len(seen) > 1
    assert found.memories == 5
    with mnemic.open(tmp_path / "copy.db") as copy:
        assert copy.robot.recall("meanwhile", min_relevance=0.9)["memories"] == []


def test_a_file_that_is_there_is_replaced_only_by_force(tmp_path: Path, copied: str) -> None:
    told("learn", "湿滑的地面上转弯要慢。")

    assert "is there already" in failed("backup", copied, code=2)
    assert told("backup", copied, "--force")["memories"] == 2
    assert "is there already" in failed("backup", str(tmp_path / "memory.db"), "--force", code=2)


def test_a_store_that_holds_memories_is_kept_beside_when_another_takes_its_place(
    tmp_path: Path, copied: str
) -> None:
    told("learn", "湿滑的地面上转弯要慢。")
    (tmp_path / "memory.db-index").write_bytes(b"of another state")

    assert "holds memories" in failed("restore", copied, code=1)
    assert len(told("list")) == 2
    answer = told("restore", copied, "--force")

    assert [one["content"] for one in told("list")] == ["Grip force 12.5 N holds a mug"]
    assert len(told("--database", answer["kept"], "list")) == 2
    assert not (tmp_path / "memory.db-index").exists()
    assert told("restore", copied, "--force")["kept"] != answer["kept"]


def test_a_store_that_somebody_has_open_is_not_replaced(tmp_path: Path, copied: str) -> None:
    with mnemic.open(tmp_path / "memory.db") as memory:
        memory.robot.list()
        assert "open in another process" in failed("restore", copied, "--force", code=3)
        memory.robot.learn("Still the same file")
    assert len(told("list")) == 2


def test_an_empty_or_a_damaged_store_can_be_replaced(tmp_path: Path, copied: str) -> None:
    empty, damaged = tmp_path / "empty.db", tmp_path / "damaged.db"
    mnemic.open(empty).close()
    damaged.write_bytes(b"no database " * 1_000)

    assert told("--database", str(empty), "restore", copied)["memories"] == 1
    assert "damaged" in failed("--database", str(damaged), "restore", copied, code=1)
    answer = told("--database", str(damaged), "restore", copied, "--force")
    assert Path(answer["kept"]).read_bytes().startswith(b"no database")
    assert len(told("--database", str(damaged), "list")) == 1


def test_a_damaged_backup_is_refused_and_the_store_stays(tmp_path: Path, copied: str) -> None:
    whole = Path(copied).read_bytes()
    half, other = tmp_path / "half.db", tmp_path / "other.db"
    half.write_bytes(whole[: len(whole) // 2])
    db: Any = apsw.Connection(str(other))
    db.execute("create table something (else_ text)")
    db.close()

    assert f"{half} is not a Mnemic database, or it is damaged" in failed(
        "restore", str(half), "--force", code=4
    )
    assert f"{other} is no store of Mnemic" in failed("restore", str(other), "--force", code=4)
    assert f"{half} is not a Mnemic database, or it is damaged" in failed(
        "--database", str(half), "backup", str(tmp_path / "copy of half.db"), code=4
    )
    assert "is not there" in failed("restore", str(tmp_path / "missing"), code=2)
    assert "the store itself" in failed("restore", str(tmp_path / "memory.db"), code=2)
    assert len(told("list")) == 1
    assert not list(tmp_path.glob("*restor*"))
    assert not list(tmp_path.glob("copy of half*"))


def test_a_command_that_is_told_to_end_leaves_nothing_half_written(
    tmp_path: Path, copied: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    @contextmanager
    def ended() -> Generator[Callable[[str, str, int, int], None]]:
        def end(_doing: str, _what: str, _done: int, _total: int) -> None:
            signal.raise_signal(signal.SIGTERM)

        yield end

    before = {one.name for one in tmp_path.iterdir()}
    for module in ("backup_commands", "transfer_commands"):
        monkeypatch.setattr(f"mnemic.cli.commands.{module}.bars", ended)

    for command in ("backup", "export"):
        failed(command, str(tmp_path / "more"), code=128 + signal.SIGTERM)
    failed("restore", copied, "--force", code=128 + signal.SIGTERM)

    assert {one.name for one in tmp_path.iterdir()} == before
    assert len(told("list")) == 1


def test_postgresql_is_backed_up_and_restored_as_an_export(
    tmp_path: Path, postgres_database: str, clock: Clock
) -> None:
    with opened(postgres_database, clock) as memory:
        memory.robot.learn("Grip force 12.5 N holds a mug")
    answer = told("--database", postgres_database, "backup", str(tmp_path / "pg.jsonl"))

    assert answer["memories"] == 1
    assert "empty database" in failed(
        "--database", postgres_database, "restore", answer["file"], "--force", code=1
    )
    assert told("restore", answer["file"])["memories"] == 1
    assert [one["content"] for one in told("list")] == ["Grip force 12.5 N holds a mug"]
    told("backup", str(tmp_path / "copy.db"))
    refused = failed("--database", postgres_database, "restore", str(tmp_path / "copy.db"), code=2)
    assert "mnemic migrate --from" in refused
