"""Promises of `mnemic audit`: what the commands did to a store, by whom, without what it holds."""

import getpass
from pathlib import Path
from typing import Any

import apsw
import pytest

from mnemic.storage.sqlite.schema_objects import migrations
from tests.cli.commanding import failed, run, told
from tests.conftest import Clock
from tests.storage.stores import opened

LESSON = "Grip force 12.5 N holds a mug"


@pytest.fixture
def store(database: str, monkeypatch: pytest.MonkeyPatch) -> str:
    """A store of each backend, which the commands use."""
    monkeypatch.setenv("MNEMIC_DATABASE", database)
    monkeypatch.setenv("MNEMIC_EMBEDDER", "none")
    monkeypatch.setenv("MNEMIC_DURABILITY", "off")
    return database


def acts(*words: str) -> list[tuple[str, str | None, str | None, dict[str, int]]]:
    """Return what the log tells, the oldest first."""
    found: list[dict[str, Any]] = told("audit", *words)
    return [(one["act"], one["account"], one["target"], one["counts"]) for one in found[::-1]]


def test_what_leaves_a_store_and_comes_in_is_written_down(store: str, tmp_path: Path) -> None:
    told("learn", LESSON)
    told("export", str(tmp_path / "mine.jsonl"))
    told("export", str(tmp_path / "all.jsonl"), "--all-accounts")
    told("import", str(tmp_path / "mine.jsonl"), "--account", "guests")
    (tmp_path / "notes.csv").write_text("content\nSlow down on wet floors\n", "utf-8")
    told("import", str(tmp_path / "notes.csv"), "--format", "csv")
    told("backup", str(tmp_path / "copy"))
    told("reindex")

    assert acts() == [
        ("export", "default", "mine.jsonl", {"memories": 1}),
        ("export", None, "all.jsonl", {"memories": 1}),
        ("import", "guests", "mine.jsonl", {"memories": 1}),
        ("import", "default", "notes.csv", {"memories": 1}),
        ("backup", None, "copy", {"memories": 3}),
        ("reindex", None, None, {"embedded": 0}),
    ]
    printed = run("audit", "--json").stdout
    assert {one["actor"] for one in told("audit")} == {getpass.getuser()}
    for hidden in (LESSON, "wet floors", str(tmp_path)):
        assert hidden not in printed


@pytest.mark.usefixtures("own_store")
def test_a_restored_store_says_that_it_was_restored(tmp_path: Path) -> None:
    told("learn", LESSON)
    told("backup", str(tmp_path / "copy.db"))
    told("export", str(tmp_path / "after.jsonl"))

    told("restore", str(tmp_path / "copy.db"), "--force")

    # Its log is that of the backup, which was made before the backup was written down.
    assert acts() == [("restore", None, "copy.db", {"memories": 1})]


@pytest.mark.usefixtures("own_store")
def test_a_backup_leaves_a_store_of_an_older_version_as_it_is(
    own_store: Path, tmp_path: Path
) -> None:
    older = len(migrations()) - 1
    db: Any = apsw.Connection(str(own_store))
    for step in migrations()[:older]:
        db.execute(step)
    db.pragma("user_version", older)
    db.close()

    told("backup", str(tmp_path / "before-the-upgrade.db"))

    db = apsw.Connection(str(own_store))
    assert db.pragma("user_version") == older
    db.close()


def test_postgresql_says_what_was_restored_into_it(
    postgres_database: str, tmp_path: Path, clock: Clock
) -> None:
    with opened(str(tmp_path / "robot.db"), clock) as memory:
        memory.robot.learn(LESSON)
    told(
        "--database",
        str(tmp_path / "robot.db"),
        "export",
        str(tmp_path / "all.jsonl"),
        "--all-accounts",
    )
    told("--database", postgres_database, "restore", str(tmp_path / "all.jsonl"))

    [restored] = told("--database", postgres_database, "audit")
    assert (restored["act"], restored["target"]) == ("restore", "all.jsonl")
    assert restored["counts"] == {"memories": 1}


def test_the_log_is_narrowed_down(store: str) -> None:
    told("keys", "create", "robot", "--account", "kitchen")
    told("keys", "create", "laptop")
    told("reindex")

    assert [act for act, *_ in acts("--act", "key.create")] == ["key.create"] * 2
    assert [account for _, account, *_ in acts("--account", "kitchen")] == ["kitchen"]
    assert len(acts("--since", "1h")) == 3
    assert acts("--since", "2999-01-01") == []
    assert [act for act, *_ in acts("--limit", "1")] == ["reindex"]
    assert "key.create" in failed("audit", "--act", "nothing", code=2)
    assert "12h" in failed("audit", "--since", "lately", code=2)
    shown = run("audit", "--limit", "2").stdout
    assert "reindex" in shown
    assert "1 more" in shown


def test_an_empty_log_says_so(store: str) -> None:
    assert "nothing was done" in run("audit").stdout
