"""Promises of `mnemic erase`: it shows what goes, asks, and leaves receipts that can be applied."""

import json
from pathlib import Path

import pytest

import mnemic
from tests.administration.erasing.traces import MARKER, traces_in
from tests.cli.commanding import failed, run, told

ADA = mnemic.Scope("user", "ada")


@pytest.fixture
def store(own_store: Path) -> Path:
    """A store in which two users told something."""
    with mnemic.open(own_store) as memory:
        for user in ("ada", "ben"):
            scope = mnemic.Scope("user", user)
            memory.remember(mnemic.Draft(f"{user} met {MARKER}", scope=scope, kind="episodic"))
    return own_store


def profiles(store: Path) -> list[bool]:
    with mnemic.open(store) as memory:
        return [memory.profile(mnemic.Scope("user", one)) is not None for one in ("ada", "ben")]


def test_it_shows_what_would_go_and_changes_nothing(store: Path) -> None:
    before = store.read_bytes()

    shown = run("erase", "user", "ada", "--dry-run")

    assert shown.exit_code == 0, shown.output
    assert "would erase a user" in shown.stdout
    assert "1 memories" in shown.stdout
    assert profiles(store) == [True, True]
    assert len(store.read_bytes()) == len(before)


def test_it_asks_first_and_a_no_changes_nothing(store: Path) -> None:
    refused = run("erase", "user", "ada", given="n\n")

    assert refused.exit_code == 1
    assert "1 memories" in refused.stderr
    assert "nothing was erased" in refused.stderr
    assert profiles(store) == [True, True]


def test_without_anybody_to_answer_it_erases_nothing(store: Path) -> None:
    assert run("erase", "user", "ada").exit_code != 0
    assert profiles(store) == [True, True]


def test_a_yes_erases_and_tells_the_receipt(store: Path) -> None:
    asked = run("erase", "user", "ada", given="y\n")
    answer = told("erase", "user", "ben", "--yes")

    assert asked.exit_code == 0, asked.output
    assert "receipt erasure_" in asked.stdout
    assert answer["kind"] == "user"
    assert answer["counts"]["memories"] == 1
    assert answer["finished"] is True
    assert profiles(store) == [False, False]
    assert traces_in(store.parent) == []


def test_receipts_are_applied_to_a_restored_store_and_to_a_backup(
    store: Path, tmp_path: Path
) -> None:
    kept = tmp_path / "kept"
    kept.mkdir()
    told("backup", str(kept / "backup.db"))
    assert run("export", str(kept / "export.jsonl")).exit_code == 0
    for user in ("ada", "ben"):
        told("erase", "user", user, "--yes")
    receipts = tmp_path / "receipts.jsonl"
    receipts.write_text(run("erase", "--receipts").stdout, "utf-8")
    told("restore", str(kept / "backup.db"), "--force")
    assert profiles(store) == [True, True]

    applied = told("erase", "--apply-receipts", str(receipts), "--yes")
    for copied in ("backup.db", "export.jsonl"):
        told("erase", "--apply-receipts", str(receipts), "--in", str(kept / copied), "--yes")

    assert [one["kind"] for one in applied] == ["user", "user"]
    assert profiles(store) == [False, False]
    assert traces_in(tmp_path) == []


def test_a_server_erases_too(chat_server: str) -> None:
    with mnemic.Client(chat_server) as client:
        learned = client.robot.learn("The lever of the press sticks", collection="press")
        number = learned.get("memory_id")
        answer = run("--server", chat_server, "erase", "memory", str(number), "--yes", "--json")

        assert json.loads(answer.stdout)["counts"]["memories"] == 1
        assert client.robot.list("press", status="all") == []
        assert client.erasures()[-1].number == number


@pytest.mark.parametrize(
    ("words", "code", "problem"),
    [
        (("erase",), 2, "kind: it is missing"),
        (("erase", "everything"), 2, "allowed: memory, conversation"),
        (("erase", "user"), 2, "name: it is missing"),
        (("erase", "user", "nobody", "--yes"), 1, "There is no user 'nobody'"),
        (("erase", "account", "nobody", "--yes"), 1, "There is no account 'nobody'"),
        (("erase", "--apply-receipts", "nowhere", "--yes"), 2, "cannot be read"),
    ],
)
def test_what_cannot_be_erased_is_named(
    store: Path, words: tuple[str, ...], code: int, problem: str
) -> None:
    assert problem in failed(*words, code=code)
    assert profiles(store) == [True, True]


def test_an_account_goes_with_its_name(store: Path) -> None:
    with mnemic.open(store) as memory:
        memory.of_account(MARKER).robot.learn(f"The {MARKER} valve leaks")

    assert told("erase", "account", MARKER, "--yes")["counts"]["accounts"] == 1

    told("erase", "account", "default", "--yes")
    assert traces_in(store.parent) == []
