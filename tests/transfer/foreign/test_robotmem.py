"""A robotmem database comes in whole: lessons, runs, sensor data, and what became of each."""

import sqlite3
from contextlib import closing
from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path

import pytest

from mnemic.errors import InvalidInputError
from mnemic.opening import OpenMemory
from mnemic.records.memory import Memory, Payload, Scope
from mnemic.transfer.foreign import detect, import_foreign
from tests.conftest import NOON, OpenIt

DEFAULT = Scope("collection", "default")


@pytest.fixture
def robotmem(tmp_path: Path) -> Path:
    path = tmp_path / "robotmem" / "memory.db"
    path.parent.mkdir()
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript((Path(__file__).parent / "robotmem.sql").read_text("utf-8"))
    return path


def by_text(memory: OpenMemory, scope: Scope = DEFAULT) -> dict[str, Memory]:
    return {one.content: one for one in memory.browse(scope, status=None)}


def day(day: int, hour: int, minute: int, second: float = 0) -> datetime:
    whole = int(second)
    micros = int((second - whole) * 1_000_000)
    return datetime(2025, 5, day, hour, minute, whole, micros, tzinfo=UTC)


def test_lessons_keep_what_they_say_and_their_times(store: OpenMemory, robotmem: Path) -> None:
    report = import_foreign(store, robotmem, "robotmem")

    assert (report.added, report.known, report.edges, report.episodes) == (8, 0, 1, 2)
    eggs = by_text(store)["Eggs break above five newtons"]
    assert eggs.created_at == day(1, 8, 10, 0.25)
    assert eggs.updated_at == day(1, 8, 20)
    assert eggs.accessed_at == NOON, "it ages from the day on which it came"
    assert (eggs.category, eggs.confidence, eggs.episode_id) == ("constraint", 0.75, "run-1")
    assert eggs.context == {
        "task": {"success": True},
        "tags": ["gripper", "鸡蛋"],
        "imported_from": {"format": "robotmem", "id": 1},
    }
    chinese = by_text(store)["抓取鸡蛋时力度不要超过五牛"]
    assert chinese.category == "constraint", "what robotmem found no category for gets one here"
    assert chinese.context["user_context"] == "在厨房里试过"
    assert store.robot.recall("鸡蛋 力度")["memories"][0]["content"] == chinese.content


def test_what_was_taken_out_of_use_stays_so_with_its_reason(
    memory: OpenMemory, robotmem: Path
) -> None:
    import_foreign(memory, robotmem, "robotmem")
    found = by_text(memory)

    door = found["The door of the lab opens inwards"]
    assert (door.status, door.status_reason) == ("invalidated", "it opens outwards")
    assert door.status_at == day(4, 10, 0)
    assert [(one.verb, one.at) for one in memory.history(door.id)] == [
        ("created", day(1, 8, 12)),
        ("forgotten", day(4, 10, 0)),
    ]
    merged = found["Pushing the cube twice works"]
    assert (merged.status, merged.status_reason) == (
        "superseded",
        "merged into memory 5 of robotmem",
    )
    assert memory.robot.recall("door of the lab")["memories"] == []
    assert memory.count(DEFAULT) == 5


def test_runs_and_sensor_data_come_too(store: OpenMemory, robotmem: Path) -> None:
    import_foreign(store, robotmem, "robotmem")
    found = by_text(store)

    force = found["Force while turning the valve"]
    assert (force.kind, force.perception_type, force.episode_id) == (
        "perception",
        "tactile",
        "run-2",
    )
    assert store.payload(force.id) == Payload('{"force": [1, 2, 3]}', '{"hz": 100}')
    picture = found["A picture of the valve"]
    assert store.payload(picture.id) == Payload("/wD+")
    assert picture.context["imported_from"]["data_encoding"] == "base64"
    with pytest.raises(Exception, match="already ended, at 2025-05-01 09:30"):
        store.end_episode("run-1")
    ended = store.end_episode("run-2", outcome_score=1.0)
    assert ended.episode.started_at == day(2, 8, 0)
    assert ended.memory_count == 2


def test_a_lesson_that_another_collection_learned_in_the_run_names_it_in_its_context(
    store: OpenMemory, robotmem: Path
) -> None:
    import_foreign(store, robotmem, "robotmem")

    cup = by_text(store, Scope("collection", "kitchen"))["The blue cup slips when wet"]
    assert cup.episode_id is None
    assert cup.context == {
        "user_context": "not an object",
        "imported_from": {
            "format": "robotmem",
            "id": 6,
            "session_id": "run-1",
            "category": "gossip",
        },
    }


def test_what_cannot_be_taken_in_is_told(store: OpenMemory, robotmem: Path) -> None:
    report = import_foreign(store, robotmem, "robotmem")

    assert report.read == 11 == report.added + report.known + len(report.skipped)
    assert [(one.where, one.reason.split(" (")[0]) for one in report.skipped] == [
        ("session 3", "it has no external_id, or no time; no memory can name it"),
        ("session 4", "context: it is not JSON"),
        ("memory 7", "status: 'archived' is not known here"),
    ]


def test_a_second_import_adds_nothing_also_not_of_what_is_out_of_use(
    memory: OpenMemory, robotmem: Path
) -> None:
    import_foreign(memory, robotmem, "robotmem")
    first = {scope: by_text(memory, scope) for scope in (DEFAULT, Scope("collection", "kitchen"))}
    forgotten = by_text(memory)["Eggs break above five newtons"]
    memory.forget(forgotten.id, reason="it was chicken")

    again = import_foreign(memory, robotmem, "robotmem")

    assert (again.added, again.known, again.edges, again.episodes) == (0, 8, 0, 0)
    for scope, found in first.items():
        assert len(memory.browse(scope, status=None)) == len(found)
    assert memory.get(forgotten.id).status == "invalidated"


def test_a_collection_that_is_given_takes_everything_beside_an_import_without_one(
    store: OpenMemory, robotmem: Path
) -> None:
    import_foreign(store, robotmem, "robotmem")

    report = import_foreign(store, robotmem, "robotmem", collection="旧机器人")

    old = by_text(store, Scope("collection", "旧机器人"))
    assert (report.added, len(old), report.episodes) == (8, 8, 2)
    # An id belongs to one run: in the other collection the run has got another one.
    run = old["Eggs break above five newtons"].episode_id
    assert run not in (None, "run-1")
    cup = old["The blue cup slips when wet"]
    assert (cup.episode_id, cup.context["imported_from"]["collection"]) == (run, "kitchen")


def test_two_accounts_may_import_the_same_file(open_it: OpenIt, robotmem: Path) -> None:
    import_foreign(open_it(), robotmem, "robotmem")
    other = open_it(account="other")

    report = import_foreign(other, robotmem, "robotmem")

    assert (report.added, report.episodes) == (8, 2)
    assert by_text(other)["Eggs break above five newtons"].episode_id is not None


def test_the_file_is_not_touched_and_may_be_in_use(store: OpenMemory, robotmem: Path) -> None:
    before = sha256(robotmem.read_bytes()).hexdigest()
    assert detect(robotmem) == "robotmem"
    assert [one.name for one in robotmem.parent.iterdir()] == ["memory.db"]
    assert sha256(robotmem.read_bytes()).hexdigest() == before

    with closing(sqlite3.connect(robotmem)) as in_use:
        in_use.execute("pragma journal_mode = wal")
        in_use.execute("insert into memories (content, created_at) values ('now', '2025-06-01')")
        in_use.commit()
        import_foreign(store, robotmem, "robotmem")
    assert "now" in by_text(store), "what stands in the write-ahead log counts"


def test_a_user_cannot_be_given(store: OpenMemory, robotmem: Path) -> None:
    with pytest.raises(InvalidInputError, match="keeps collections"):
        import_foreign(store, robotmem, "robotmem", user="alice")
