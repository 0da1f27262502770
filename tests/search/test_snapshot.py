"""The index beside the store: a cache that saves time and can never change an answer."""

import shutil
from pathlib import Path

import numpy as np
import pytest

import mnemic
from mnemic import Draft, Query, Scope
from mnemic.opening import OpenMemory
from mnemic.records.memory import DEFAULT_SCOPE
from mnemic.search.arrays import array_file
from mnemic.search.arrays.array_file import Snapshot
from mnemic.search.documents import Catalog

# More than are worth a snapshot.
MANY = 2_500
QUESTIONS = ["cup number7", "red cup", "杯子 红色", "number2499", "a lamp", "door number12"]


def opened(path: Path) -> OpenMemory:
    return mnemic.open(path, embedder="hashing", durability="off")


def fill(memory: OpenMemory) -> None:
    run, _ = memory.start_episode()
    memory.remember_many(
        [
            Draft(
                f"{'red' if at % 3 else 'blue'} cup number{at} 杯子",
                Scope("collection", f"room{at % 7}") if at % 2 else DEFAULT_SCOPE,
                episode_id=run.id if at % 2 == 0 and at < 100 else None,
                dedup=False,
            )
            for at in range(MANY)
        ]
    )
    memory.recall(Query("cup"))


def answers(memory: OpenMemory) -> list[list[tuple[int, float, float | None]]]:
    rooms = [DEFAULT_SCOPE, *(Scope("collection", f"room{at}") for at in range(7))]
    return [
        [
            (hit.memory.id, round(hit.score, 9), hit.cosine)
            for hit in memory.recall(Query(question, scopes=(room,), limit=20)).hits
        ]
        for question in QUESTIONS
        for room in rooms
    ]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A store that was filled and closed, with its index beside it."""
    path = tmp_path / "memory.db"
    with opened(path) as memory:
        fill(memory)
    assert beside(path).exists()
    return path


def beside(path: Path) -> Path:
    return path.with_name(f"{path.name}-index")


def without_index(path: Path, tmp_path: Path) -> list[list[tuple[int, float, float | None]]]:
    """Answer from a copy of the store alone."""
    copy = tmp_path / "copy.db"
    shutil.copy(path, copy)
    with opened(copy) as memory:
        return answers(memory)


def rebuilds(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Count the documents that are read one by one."""
    read: list[int] = []
    append = Catalog._append  # pyright: ignore[reportPrivateUsage]

    def counting(self: Catalog, rows: list[tuple[object, ...]]) -> None:
        read.append(len(rows))
        append(self, rows)

    monkeypatch.setattr(Catalog, "_append", counting)
    return read


def test_an_index_from_a_snapshot_answers_as_one_read_anew(
    path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    expected = without_index(path, tmp_path)
    read = rebuilds(monkeypatch)

    with opened(path) as memory:
        assert answers(memory) == expected
    assert not read


def test_changes_after_the_snapshot_are_caught_up_with(path: Path, tmp_path: Path) -> None:
    kept = beside(path).read_bytes()
    with opened(path) as memory:
        run = memory.get(1).episode_id
        memory.forget(memory.recall(Query("number12")).hits[0].memory.id, reason="broken")
        memory.revise(memory.recall(Query("number14")).hits[0].memory.id, "a lamp")
        memory.remember(Draft("the door beside the lamp", episode_id=run))
        memory.remember(Draft("a fresh cup", Scope("collection", "room3")))
        memory.remember(Draft("the first cup", Scope("collection", "attic")))
        expected = answers(memory)
    assert beside(path).read_bytes() == kept, "so few changes are not worth a snapshot"

    with opened(path) as memory:
        assert answers(memory) == expected
    assert without_index(path, tmp_path) == expected


@pytest.mark.parametrize("damage", ["cut", "flipped", "emptied", "replaced", "grown"])
def test_a_damaged_snapshot_is_read_anew(path: Path, tmp_path: Path, damage: str) -> None:
    expected = without_index(path, tmp_path)
    data = bytearray(beside(path).read_bytes())
    if damage == "cut":
        data = data[: len(data) // 2]
    elif damage == "flipped":
        data[len(data) // 2] ^= 0xFF
    elif damage == "emptied":
        data = bytearray()
    elif damage == "replaced":
        data = bytearray(b"not an index")
    else:
        data += b"more"
    beside(path).write_bytes(data)

    with opened(path) as memory:
        assert answers(memory) == expected


def test_a_store_restored_from_a_backup_does_not_believe_a_newer_snapshot(
    path: Path, tmp_path: Path
) -> None:
    backup = tmp_path / "backup.db"
    shutil.copy(path, backup)
    with opened(path) as memory:
        memory.remember_many([Draft(f"a ghost number{at}", dedup=False) for at in range(MANY)])
        memory.recall(Query("ghost"))
    shutil.copy(backup, path)

    with opened(path) as memory:
        memory.remember_many([Draft(f"a lamp number{at}", dedup=False) for at in range(MANY)])
        assert not memory.recall(Query("ghost", mode="bm25_only")).hits
        assert len(memory.recall(Query("lamp", limit=50, mode="bm25_only")).hits) == 50


def test_a_snapshot_that_cannot_be_written_does_no_harm(tmp_path: Path) -> None:
    path = tmp_path / "memory.db"
    beside(path).mkdir()
    with opened(path) as memory:
        fill(memory)
        expected = answers(memory)

    with opened(path) as memory:
        assert answers(memory) == expected
    assert sorted(one.name for one in tmp_path.iterdir()) == ["memory.db", "memory.db-index"]


def test_a_store_that_is_gone_when_it_is_closed_takes_no_snapshot(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    written: list[Path] = []

    def note(path: Path, _: Snapshot) -> None:
        written.append(path)

    monkeypatch.setattr(array_file, "write", note)

    with mnemic.open(":memory:", embedder="hashing") as memory:
        fill(memory)

    assert written == []


def test_arrays_come_back_as_they_were(tmp_path: Path) -> None:
    arrays = {
        "numbers": np.arange(7, dtype=np.uint32),
        "table": np.arange(12, dtype=np.float32).reshape(3, 4),
        "nothing": np.empty(0, np.int64),
    }
    array_file.write(tmp_path / "one", Snapshot({"seq": 3}, arrays))

    found = array_file.read(tmp_path / "one")

    assert found is not None
    assert found.notes == {"seq": 3}
    for name, array in arrays.items():
        assert found.arrays[name].dtype == array.dtype
        assert np.array_equal(found.arrays[name], array)
