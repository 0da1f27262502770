"""Promises of keys: shown once, kept as hashes, each for one account, gone when revoked."""

import json
from datetime import timedelta

import pytest
from typer.testing import CliRunner

from mnemic.cli.app import app
from mnemic.engine.keys import Keys
from mnemic.errors import InvalidInputError, NotFoundError
from mnemic.keys import Key
from mnemic.opening import OpenMemory
from tests.conftest import Clock, OpenIt


def test_a_key_opens_its_account_with_the_right_it_was_given(
    memory: OpenMemory, clock: Clock
) -> None:
    key, text = memory.keys.create("厨房机器人", account="kitchen", right="read")

    assert memory.keys.opened_by(text) == key
    assert key == Key(key.id, "kitchen", "厨房机器人", "read", clock.now)


def test_keys_outlive_the_process_that_made_them(open_it: OpenIt) -> None:
    with open_it() as first:
        key, text = first.keys.create("robot")

    again = open_it()

    assert again.keys.listed() == [key]
    assert again.keys.opened_by(text) == key


def test_the_secret_is_nowhere_in_the_store(open_it: OpenIt, database: str) -> None:
    _, text = open_it().keys.create("robot")
    secret = text.rpartition("_")[2]

    found = CliRunner().invoke(app, ["--database", database, "keys", "list", "--json"])

    assert found.exit_code == 0
    assert secret not in found.stdout
    assert set(json.loads(found.stdout)[0]) == {
        *("id", "name", "account", "right", "created_at", "revoked_at")
    }


@pytest.mark.parametrize(
    "written",
    [
        *("{key}x", "{key} ", "mnm_{id}_", "mnm_{id}", "{key_in_capitals}", "mnm_0{id}_{secret}"),
        *("mnm_{id}_{other}", "xyz_{id}_{secret}", "{secret}", "", "mnm__", "mnm_x_钥匙"),
        *("mnm_\ud800_\ud800", "mnm_\x00_\x00"),
    ],
)
def test_what_is_not_quite_the_key_opens_nothing(memory: OpenMemory, written: str) -> None:
    key, text = memory.keys.create("robot")
    _, other = memory.keys.create("other")
    prefix = f"mnm_{key.id}_"

    shown = written.format(
        key=text,
        key_in_capitals=text.upper(),
        id=key.id,
        secret=text.removeprefix(prefix),
        other=other.split("_", 2)[2],
    )

    assert memory.keys.opened_by(text) == key
    assert memory.keys.opened_by(shown) is None


def test_a_revoked_key_opens_nothing_and_says_since_when(memory: OpenMemory, clock: Clock) -> None:
    key, text = memory.keys.create("robot")
    _, other = memory.keys.create("other")
    clock.turn(hours=1)

    revoked = memory.keys.revoke(key.id)
    clock.turn(hours=1)

    assert revoked.revoked_at == key.created_at + timedelta(hours=1)
    assert memory.keys.revoke(key.id).revoked_at == revoked.revoked_at
    assert memory.keys.opened_by(text) is None
    assert memory.keys.opened_by(other) is not None
    assert memory.keys.in_use()


def test_keys_are_in_use_until_the_last_is_revoked(memory: OpenMemory) -> None:
    assert not memory.keys.in_use()
    key, _ = memory.keys.create("robot")
    assert memory.keys.in_use()
    memory.keys.revoke(key.id)
    assert not memory.keys.in_use()


def test_a_key_that_is_not_there_cannot_be_revoked(memory: OpenMemory) -> None:
    with pytest.raises(NotFoundError, match="keys list"):
        memory.keys.revoke("nobody")


@pytest.mark.parametrize(
    ("wrong", "told"),
    [
        ({"name": " "}, "name"),
        ({"name": "x" * 201}, "name"),
        ({"account": ""}, "account"),
        ({"right": "root"}, "read, write, admin"),
    ],
)
def test_a_key_for_nobody_is_refused(memory: OpenMemory, wrong: dict[str, str], told: str) -> None:
    keys: Keys = memory.keys
    given: dict[str, str] = {"name": "robot", **wrong}

    with pytest.raises(InvalidInputError, match=told):
        keys.create(**given)  # pyright: ignore[reportArgumentType]  what a program may send
    assert keys.listed() == []


def test_the_commands_make_list_and_revoke_keys(database: str, open_it: OpenIt) -> None:
    def run(*words: str) -> str:
        done = CliRunner().invoke(app, ["--database", database, "keys", *words])
        assert done.exit_code == 0, done.output
        return done.stdout

    made = run("create", "robot", "--account", "kitchen", "--allow", "read").strip()
    [told] = json.loads(run("list", "--json"))
    listed = run("list")
    with open_it() as memory:
        assert memory.keys.opened_by(made) is not None
    run("revoke", told["id"])

    assert made.startswith(f"mnm_{told['id']}_")
    assert (told["account"], told["right"], told["revoked_at"]) == ("kitchen", "read", None)
    assert "kitchen" in listed
    assert "robot" in listed
    assert open_it().keys.opened_by(made) is None


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["create", "robot", "--allow", "everything"], "read, write, admin"),
        (["revoke", "nobody"], "no key"),
    ],
)
def test_a_wrong_command_says_what_is_allowed(database: str, words: list[str], told: str) -> None:
    done = CliRunner().invoke(app, ["--database", database, "keys", *words])

    assert done.exit_code != 0
    assert told in done.stderr
