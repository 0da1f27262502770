"""`mnemic maintain` removes what is older than it may be kept, and counts it first if asked."""

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

import mnemic
from mnemic.records.memory import Draft, Scope
from tests.cli.commanding import failed, run, told

ADA = Scope("user", "ada")


@pytest.fixture
def store(tmp_path: Path) -> str:
    """A store in which one episodic memory is 40 days old, and another one new."""
    path = str(tmp_path / "memory.db")
    long_ago = datetime.now(UTC) - timedelta(days=40)
    with mnemic.open(path, embedder="none", clock=lambda: long_ago) as memory:
        memory.remember(Draft("Today I saw a heron", ADA, kind="episodic"))
    with mnemic.open(path, embedder="none") as memory:
        memory.remember(Draft("Today I saw a fox", ADA, kind="episodic"))
    return path


def contents(store: str) -> list[str]:
    with mnemic.open(store, embedder="none") as memory:
        return [one.content for one in memory.browse(ADA)]


def test_without_a_limit_nothing_goes(store: str) -> None:
    shown = run("--database", store, "maintain")

    assert shown.exit_code == 0
    assert "nothing is older than it may be kept" in shown.stdout
    assert len(contents(store)) == 2


def test_a_dry_run_counts_and_the_next_run_removes(
    store: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MNEMIC_EPISODIC_DAYS", "30")
    monkeypatch.setenv("MNEMIC_EVENT_DAYS", "30")
    due = {"episodic_memories": 1, "conversations": 0, "sessions": 0, "events": 1, "jobs": 0}

    assert told("--database", store, "maintain", "--dry-run") == {
        "dry_run": True,
        "removed": due,
        "ended": 0,
        "clean": True,
    }
    assert len(contents(store)) == 2
    shown = run("--database", store, "maintain", "--dry-run")
    assert "would be removed: 1 episodic memory, 1 event" in shown.stdout
    done = told("--database", store, "maintain")
    assert done == {"dry_run": False, "removed": due, "ended": 0, "clean": True}
    assert contents(store) == ["Today I saw a fox"]


def test_what_expired_is_taken_out_of_use(store: str) -> None:
    long_ago = datetime.now(UTC) - timedelta(days=40)
    draft = Draft("The lift is closed", ADA, expires_at=long_ago + timedelta(days=1))
    with mnemic.open(store, embedder="none", clock=lambda: long_ago) as memory:
        number = memory.remember(draft).memory.id

    shown = run("--database", store, "maintain", "--dry-run")
    assert "would be taken out of use because it expired: 1" in shown.stdout
    assert told("--database", store, "maintain")["ended"] == 1
    with mnemic.open(store, embedder="none") as memory:
        assert memory.get(number).status_reason == "expired"


def test_a_limit_that_is_no_number_of_days_is_refused(
    store: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MNEMIC_EPISODIC_DAYS", "-3")

    assert "episodic_days=-3: use 0 to 36500." in failed("--database", store, "maintain", code=1)
