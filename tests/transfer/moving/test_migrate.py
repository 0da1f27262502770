"""Promises of moving a store: everything arrives as it was, however often it is interrupted."""

import shutil
from pathlib import Path
from typing import Any, LiteralString

import pytest

from mnemic.errors import InvalidInputError, StorageError
from mnemic.opening import OpenMemory, move_to_postgres
from mnemic.settings import Settings
from tests.conftest import Clock
from tests.postgres import Server
from tests.storage.stores import FORCES, REPEATED, ask, everything, fill, found, opened
from tests.transfer.moving.conftest import Move, Run


class InterruptedMoveError(Exception):
    """Raised by a test in the middle of a move."""


def counted(report: dict[str, Any], what: str) -> int:
    return sum(table[what] for table in report["tables"].values())


def test_everything_arrives_as_it_was(
    move: Move, store: Path, there: OpenMemory, clock: Clock
) -> None:
    report = move()

    with opened(store, clock) as here:
        assert everything(there) == everything(here)
        assert found(there) == found(here)
    assert report["accounts"] == ["default"]
    assert {name: table["rows"] > 0 for name, table in report["tables"].items()} == {
        **dict.fromkeys(("episode", "memory", "payload", "document", "memory_vector"), True),
        **dict.fromkeys(("edge", "event", "scope", "tally", "activity", "usage"), True),
        **dict.fromkeys(("conversation", "turn", "message", "source"), True),
        **dict.fromkeys(("item", "item_tally", "struck", "scope_state"), True),
        **dict.fromkeys(("version", "branch", "path", "passage", "job"), True),
        **dict.fromkeys(("job_queue", "erasure"), True),
    }
    # Scopes are made before, and get their clocks last.
    scopes = report["tables"]["scope"]["rows"]
    assert counted(report, "added") == counted(report, "rows") - scopes


def test_a_moved_store_goes_on_with_fresh_numbers(move: Move, there: OpenMemory) -> None:
    move()
    robot = there.robot
    newest = max(record["id"] for record in robot.list(status="all", n=100))

    again = robot.learn(*REPEATED)
    fresh = robot.learn("Doors with a brass handle open inwards")

    assert again["status"] == "duplicate"
    assert again.get("existing_id") == 1
    assert fresh.get("memory_id", 0) > newest
    assert robot.recall("brass handle")["memories"][0]["id"] == fresh.get("memory_id")


def test_undo_and_readings_work_on_what_was_moved(move: Move, there: OpenMemory) -> None:
    move()
    robot = there.robot

    assert robot.undo(2)["content"] == "The plate at station 1 needs 1.5 N"
    assert robot.undo(3)["status"] == "active"
    [sensed] = [one for one in robot.list(n=100) if one["type"] == "perception"]
    assert robot.get(sensed["id"]).get("data") == FORCES


def test_a_second_move_changes_nothing(move: Move) -> None:
    first, second = move(), move()

    assert [counted(second, what) for what in ("added", "changed", "removed")] == [0, 0, 0]
    assert [table["checksum"] for table in second["tables"].values()] == [
        table["checksum"] for table in first["tables"].values()
    ]


@pytest.mark.parametrize("stop", [0, 5, 12, 16, 40])
def test_an_interrupted_move_goes_on_from_where_it_was(
    move: Move, store: Path, there: OpenMemory, clock: Clock, stop: int
) -> None:
    steps: list[tuple[str, str, int]] = []

    def interrupt(doing: str, table: str, done: int, _total: int) -> None:
        steps.append((doing, table, done))
        if len(steps) > stop:
            raise InterruptedMoveError

    with pytest.raises(InterruptedMoveError):
        move(progress=interrupt)
    kept = {table: done for doing, table, done in steps if (doing, table) != ("moving", "scope")}
    report = move()

    with opened(store, clock) as here:
        assert everything(there) == everything(here)
        assert found(there) == found(here)
    if steps[-1][0] == "moving":
        for name, done in kept.items():
            table = report["tables"][name]
            assert table["added"] == table["rows"] - done
    else:
        assert counted(report, "added") == 0


def test_what_changed_in_the_source_comes_with_the_next_move(
    move: Move, store: Path, there: OpenMemory, clock: Clock
) -> None:
    move()
    # What it knows of the words so far, it must know to be old afterwards.
    assert there.robot.recall("tray", min_relevance=1.0)["memories"] == []
    clock.turn(days=2)
    with opened(store, clock) as here:
        robot = here.robot
        session = robot.start_session(collection="走廊")["session_id"]
        robot.learn("走廊的地面潮湿，转弯要慢。", collection="走廊", session_id=session)
        robot.update(7, "The plate at station 6 needs 9 N after all")
        robot.forget(8, "wrong")
        robot.undo(3)
        robot.end_session(session, 0.5)
        robot.recall("tray")

    report = move()

    with opened(store, clock) as here:
        assert everything(there) == everything(here)
        assert found(there) == found(here)
        assert there.robot.list("走廊") == here.robot.list("走廊")
    assert report["tables"]["memory_vector"]["removed"] == 2
    assert 0 < counted(report, "added") < 20


def test_a_deleted_conversation_is_removed_by_the_next_move(
    move: Move, store: Path, there: OpenMemory, clock: Clock
) -> None:
    move()
    clock.turn(days=2)
    with opened(store, clock) as here:
        ask(here, "anna", "conversation_delete", conversation_id="茶")
        # Under the same id, another one begins.
        ask(here, "default_user", "conversation_delete", conversation_id="茶")
        clock.turn(minutes=1)
        ask(here, "default_user", "memory_chat", message="绿茶也好", conversation_id="茶")

    report = move()

    with opened(store, clock) as here:
        assert everything(there) == everything(here)
    assert report["tables"]["conversation"]["removed"] == 2
    [kept] = ask(there, "anna", "conversation_list")["conversations"]
    assert kept["conversation_id"] == "family"


def test_a_copy_that_stayed_behind_is_refused(
    move: Move, store: Path, tmp_path: Path, clock: Clock
) -> None:
    copy = tmp_path / "copy.db"
    shutil.copy(store, copy)
    with opened(store, clock) as memory:
        memory.robot.learn("Here it rains")
    move()

    with pytest.raises(StorageError, match="written to since"):
        move(copy)


def test_the_source_may_be_written_to_meanwhile(
    move: Move, store: Path, there: OpenMemory, clock: Clock
) -> None:
    with opened(store, clock) as here:

        def write(doing: str, table: str, done: int, _total: int) -> None:
            if (doing, table) == ("moving", "document") and not done:
                here.robot.learn("Sponges dry faster on the upper rack")

        report = move(progress=write)

        assert report["later"] == {"changes": 1, "anything": True}
        assert not there.robot.recall("sponges on the upper rack", min_relevance=0.5)["memories"]
        report = move()
        assert report["later"] == {"changes": 0, "anything": False}
        assert everything(there) == everything(here)


def test_two_robots_share_a_database_under_two_accounts(
    move: Move, store: Path, tmp_path: Path, postgres: Server, target: str, clock: Clock
) -> None:
    other = tmp_path / "other.db"
    fill(other, clock, lessons=5)

    assert move()["accounts"] == ["default"]
    assert move(other, account="second")["accounts"] == ["second"]

    for path, account in ((store, "default"), (other, "second")):
        with (
            opened(path, clock) as here,
            opened(postgres.url(target, user="app"), clock, account=account) as there,
        ):
            assert everything(there) == everything(here)
    fill(other, clock, account="another", lessons=5)
    with pytest.raises(InvalidInputError, match="2 accounts"):
        move(other, account="second")


def test_accounts_of_one_file_arrive_apart(
    move: Move, store: Path, postgres: Server, target: str, clock: Clock
) -> None:
    fill(store, clock, account="second", lessons=3)

    assert move()["accounts"] == ["default", "second"]

    for account in ("default", "second"):
        with (
            opened(store, clock, account=account) as here,
            opened(postgres.url(target, user="app"), clock, account=account) as there,
        ):
            assert everything(there) == everything(here)


def test_a_target_with_memories_of_its_own_is_refused(move: Move, there: OpenMemory) -> None:
    there.robot.learn("Something of my own")

    with pytest.raises(StorageError, match="memories of its own"):
        move()
    assert [one["content"] for one in there.robot.list()] == ["Something of my own"]


def test_a_target_that_was_moved_from_another_store_is_refused(
    move: Move, tmp_path: Path, clock: Clock
) -> None:
    move()
    clock.turn(seconds=1)
    other = tmp_path / "other.db"
    fill(other, clock, lessons=3)

    with pytest.raises(StorageError, match="another store"):
        move(other)


def test_a_target_that_was_used_since_is_not_overwritten(move: Move, there: OpenMemory) -> None:
    move()
    there.robot.update(5, "Written after the switch")

    with pytest.raises(StorageError, match="written to since"):
        move()
    assert there.robot.get(5)["content"] == "Written after the switch"


def test_a_copy_that_went_its_own_way_is_refused(
    move: Move, store: Path, tmp_path: Path, clock: Clock
) -> None:
    copy = tmp_path / "copy.db"
    shutil.copy(store, copy)
    for path, words in ((store, "Here it rains"), (copy, "Elsewhere the sun shines")):
        clock.turn(seconds=1)
        with opened(path, clock) as memory:
            memory.robot.learn(words)
    move()

    with pytest.raises(StorageError, match="written to since"):
        move(copy)


def test_verifying_names_a_row_that_is_not_as_it_should_be(move: Move, run: Run) -> None:
    move()
    run("update memory set content = content || '!' where id = 11")

    with pytest.raises(StorageError, match=r"memory 11 of default has another content"):
        move(verify_only=True)
    assert move()["tables"]["memory"]["changed"] == 1
    move(verify_only=True)


@pytest.mark.parametrize(
    ("damage", "named"),
    [
        ("delete from edge", "edge .* is not there"),
        ("update memory_vector set data = -1 * data where doc = 9", "memory_vector 9 .* data"),
        ("update payload set data = '\\x00'", "payload .* data"),
        ("update scope set seq = seq - 1", "scope .* seq"),
        ("update tally set memories = memories + 1", "tally .* memories"),
        ("update activity set action = 'chat'", "activity .* action"),
        ("update usage set operations = 99", "usage .* operations"),
        ("update conversation set turns = 0", "conversation .* turns"),
        ("update turn set created_at = 0", "turn .* created_at"),
        ("update message set content = content || '!'", "message .* content"),
        ("delete from source", "source .* is not there"),
        ("update item set importance = 0.5", "item .* importance"),
        ("update item_tally set tokens = tokens + 1", "item_tally .* tokens"),
        ("delete from struck", "struck .* is not there"),
        ("update scope_state set revision = 99", "scope_state .* revision"),
        ("update version set extraction = null", "version .* extraction"),
        ("update branch set forked_at = 0 where id = 'if'", "branch .* forked_at"),
        ("delete from path where number = 1", "path .* is not there"),
        ("update edge set uid = null", "edge .* uid"),
        ("update job set payload = '{}'", "job .* payload"),
        ("update job_queue set max_attempts = 9", "job_queue .* max_attempts"),
        ("insert into receipt select id, gen_random_uuid() from account", ""),
    ],
)
def test_verifying_looks_at_every_table(
    move: Move, run: Run, damage: LiteralString, named: str
) -> None:
    move()
    run(damage.replace("-1 * data", "(select data from memory_vector where doc = 10)"))

    if named:
        with pytest.raises(StorageError, match=named):
            move(verify_only=True)
    else:
        move(verify_only=True)


def test_damage_on_the_way_is_found_before_the_move_is_called_good(move: Move, run: Run) -> None:
    def damage(doing: str, table: str, _done: int, _total: int) -> None:
        if (doing, table) == ("verifying", "episode"):
            run("update memory set confidence = 0.123 where id = 6")

    with pytest.raises(StorageError, match=r"memory 6 .* confidence"):
        move(progress=damage)


def test_verifying_before_moving_says_so_and_makes_nothing(move: Move, run: Run) -> None:
    with pytest.raises(StorageError, match="was not moved"):
        move(verify_only=True)
    assert run("select count(*) from account") == [(0,)]


def test_without_pgvector_the_rest_is_moved(
    postgres: Server, target: str, store: Path, run: Run, move: Move
) -> None:
    run("drop extension vector cascade")
    run("drop table memory_vector")

    report = move()

    assert report["vectors_left_out"] > 40
    assert "memory_vector" not in report["tables"]
    assert report["tables"]["memory"]["rows"] > 40


def test_an_application_cannot_move_a_store(postgres: Server, target: str, store: Path) -> None:
    with pytest.raises(StorageError, match="as the owner"):
        move_to_postgres(store, Settings(database=postgres.url(target, user="app")))


def test_a_store_that_is_not_there_is_not_made(move: Move, tmp_path: Path) -> None:
    with pytest.raises(StorageError, match="nothing to move"):
        move(tmp_path / "missing.db")
    assert list(tmp_path.glob("missing*")) == []
