"""Promises of keys: shown once, kept as hashes, each for one account, gone when revoked or over."""

import json
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from typer.testing import CliRunner

from mnemic.administration.keys import Keys
from mnemic.cli.command_line import app
from mnemic.errors import InvalidInputError, NotFoundError, StateError
from mnemic.opening import OpenMemory
from mnemic.records.access_key import Key
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
    secret = text[-20:]

    found = CliRunner().invoke(app, ["--database", database, "keys", "list", "--json"])

    assert found.exit_code == 0
    assert secret not in found.stdout
    assert set(json.loads(found.stdout)[0]) == {
        *("id", "name", "account", "right", "created_at", "revoked_at", "expires_at")
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


def test_a_key_ends_when_it_was_made_to_end(memory: OpenMemory, clock: Clock) -> None:
    end = clock.now + timedelta(days=90)
    key, text = memory.keys.create("robot", expires_at=end)

    clock.turn(days=89)
    assert memory.keys.opened_by(text) == key
    clock.turn(days=1)

    assert key.expires_at == end
    assert memory.keys.opened_by(text) is None
    assert memory.keys.check(text).fault == "expired"
    assert memory.keys.check(f"{text}x").fault == "unknown"
    # A server that is started now does not let everybody in because the only key ran out.
    assert memory.keys.in_use()


def test_a_key_that_would_never_work_is_not_made(memory: OpenMemory, clock: Clock) -> None:
    with pytest.raises(InvalidInputError, match="is over"):
        memory.keys.create("robot", expires_at=clock.now)
    assert memory.keys.listed() == []


def test_a_rotated_key_gives_way_to_one_like_it(memory: OpenMemory, clock: Clock) -> None:
    lasting = clock.now + timedelta(days=90)
    first, before = memory.keys.create("robot", account="kitchen", right="read", expires_at=lasting)
    clock.turn(days=80)

    old, new, after = memory.keys.rotate(first.id)

    assert (new.name, new.account, new.right) == ("robot", "kitchen", "read")
    assert new.id != old.id == first.id
    assert new.expires_at == clock.now + timedelta(days=90)
    assert memory.keys.opened_by(before) is None
    assert memory.keys.opened_by(after) == new


def test_a_key_that_lasts_to_the_end_of_the_calendar_is_rotated(
    memory: OpenMemory, clock: Clock
) -> None:
    last = datetime(9999, 12, 31, 23, 59, 59, tzinfo=UTC)
    first, _ = memory.keys.create("robot", expires_at=last)
    clock.turn(days=1)

    _, new, _ = memory.keys.rotate(first.id)

    assert new.expires_at is not None
    assert new.expires_at >= last


def test_a_rotated_key_works_as_long_as_it_is_given_to_be_replaced(
    memory: OpenMemory, clock: Clock
) -> None:
    first, before = memory.keys.create("robot")
    soon = clock.now + timedelta(hours=1)
    ending, _ = memory.keys.create("ending", expires_at=soon)

    old, new, after = memory.keys.rotate(first.id, grace=timedelta(hours=24))
    kept, _, _ = memory.keys.rotate(ending.id, grace=timedelta(hours=24))

    assert old.expires_at == clock.now + timedelta(hours=24)
    assert new.expires_at is None
    # It never gets longer than it was to last.
    assert kept.expires_at == soon
    clock.turn(hours=23)
    assert memory.keys.opened_by(before) == old
    clock.turn(hours=1)
    assert memory.keys.opened_by(before) is None
    assert memory.keys.opened_by(after) == new


def test_only_a_key_that_is_there_and_not_revoked_is_rotated(memory: OpenMemory) -> None:
    key, _ = memory.keys.create("robot")
    memory.keys.revoke(key.id)

    with pytest.raises(StateError, match="revoked"):
        memory.keys.rotate(key.id)
    with pytest.raises(NotFoundError, match="keys list"):
        memory.keys.rotate("nobody")
    with pytest.raises(InvalidInputError, match="grace"):
        memory.keys.rotate(key.id, grace=timedelta(seconds=-1))
    assert len(memory.keys.listed()) == 1


def test_the_commands_make_keys_that_end_and_rotate_them(database: str, open_it: OpenIt) -> None:
    def run(*words: str) -> Any:
        done = CliRunner().invoke(app, ["--database", database, "keys", *words, "--json"])
        assert done.exit_code == 0, done.output
        return json.loads(done.stdout)

    made = run("create", "robot", "--expires", "90d")
    rotated = run("rotate", made["id"], "--grace", "24h")
    shown = CliRunner().invoke(app, ["--database", database, "keys", "list"]).stdout

    lasts = timedelta(days=90)
    for key in (made, rotated):
        assert instant(key["expires_at"]) - instant(key["created_at"]) == pytest.approx(
            lasts, abs=timedelta(minutes=1)
        )
    assert rotated["replaces"]["id"] == made["id"]
    assert instant(rotated["replaces"]["expires_at"]) < instant(made["expires_at"])
    assert {key["id"] for key in run("list")} == {made["id"], rotated["id"]}
    assert "expires" in shown
    with open_it() as memory:
        assert memory.keys.opened_by(rotated["key"]) is not None


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["create", "robot", "--expires", "soon"], "90d"),
        (["create", "robot", "--expires", "2020-01-31"], "is over"),
        (["create", "robot", "--expires", "0d"], "is over"),
        (["rotate", "nobody"], "no key"),
        (["rotate", "nobody", "--grace", "-1h"], "12h"),
    ],
)
def test_an_end_that_cannot_be_is_refused(database: str, words: list[str], told: str) -> None:
    done = CliRunner().invoke(app, ["--database", database, "keys", *words])

    assert done.exit_code != 0
    assert "Traceback" not in done.output
    assert told in done.stderr


def instant(text: str) -> datetime:
    return datetime.fromisoformat(text)
