"""Promises of the audit log: who did what, for who looks after a store, without content or keys."""

import json
from typing import Any

import pytest

from mnemic.errors import NotFoundError, StateError
from mnemic.memory import audit_log
from mnemic.opening import OpenMemory
from mnemic.records.access_key import Right
from mnemic.records.memory import Scope
from mnemic.server.access.refused_keys import SECONDS, RefusedKeys
from mnemic.server.app import build_app
from mnemic.settings import ServerSettings
from tests.conftest import Clock, OpenIt
from tests.server.visiting import Visitor, code_of, guarded, visitor

CHAT = Scope("chat", "a-chat")


def entries(someone: Visitor, **wanted: Any) -> list[dict[str, Any]]:
    """Return what somebody reads at the route, the latest first."""
    answer = someone.get("/audit?" + "&".join(f"{name}={wanted[name]}" for name in wanted))
    assert answer.status_code == 200, answer.text
    return answer.json()["data"]


def refused(memory: OpenMemory, **wanted: Any) -> list[dict[str, int]]:
    """Return how often which keys were refused, as it was written down, the oldest first."""
    page = memory.audit.entries(of_all=True, act="key.refused", limit=1_000, **wanted)
    return [entry.counts for entry in reversed(page.rows)]


def rebuild(memory: OpenMemory) -> str:
    """Ask for the rebuilding of a scope that is there; return the job."""
    memory.chat.create_session(CHAT.name)
    return memory.chat.rebuild(CHAT).job_id


def test_what_is_done_to_keys_is_written_down(memory: OpenMemory, clock: Clock) -> None:
    key, text = memory.keys.create("robot", account="kitchen")
    _, new, again = memory.keys.rotate(key.id)
    memory.keys.revoke(new.id)

    found = memory.audit.entries(of_all=True)

    assert [(entry.act, entry.target) for entry in found.rows] == [
        ("key.revoke", new.id),
        ("key.create", new.id),
        ("key.rotate", key.id),
        ("key.create", key.id),
    ]
    assert {(entry.account, entry.at, entry.outcome) for entry in found.rows} == {
        ("kitchen", clock.now, "done")
    }
    for secret in (text, again):
        assert secret[-20:] not in repr(found)


def test_what_an_admin_does_over_http_is_written_down_with_the_key(memory: OpenMemory) -> None:
    key, text = memory.keys.create("anna's laptop", right="admin")
    anna = Visitor(guarded(memory), text)
    memory.chat.create_session("a-chat")
    about = "/memory/scopes/chat/a-chat"

    for act in ("rebuild", "maintenance"):
        answer = anna.send("POST", f"{about}/{act}", {}, **{"x-request-id": f"r-{act}"})
        assert answer.status_code in (200, 202), answer.text

    found = entries(anna)[:2]
    assert [(entry["act"], entry["request_id"]) for entry in found] == [
        ("scope.maintain", "r-maintenance"),
        ("scope.rebuild", "r-rebuild"),
    ]
    for entry in found:
        assert (entry["actor"], entry["key_id"]) == ("anna's laptop", key.id)
        assert (entry["account"], entry["target"]) == ("default", "chat/a-chat")


def test_retrying_and_cancelling_jobs_is_written_down(memory: OpenMemory) -> None:
    job = rebuild(memory)

    memory.chat.cancel_job(job)
    memory.chat.retry_job(job)

    found = memory.audit.entries().rows
    assert [(entry.act, entry.target) for entry in found[:2]] == [
        ("job.retry", job),
        ("job.cancel", job),
    ]


def test_an_act_that_was_not_done_leaves_no_entry(memory: OpenMemory) -> None:
    job = rebuild(memory)
    before = memory.audit.entries().total

    with pytest.raises(StateError):
        memory.chat.retry_job(job)
    with pytest.raises(NotFoundError):
        memory.chat.cancel_job("nothing")
    assert memory.audit.entries().total == before


@pytest.mark.parametrize("right", ["read", "write"])
def test_only_an_admin_reads_the_log(memory: OpenMemory, right: Right) -> None:
    someone = visitor(memory, guarded(memory), right=right)

    assert code_of(someone.get("/audit")) == "auth_insufficient_scope"


def test_an_account_reads_only_what_was_done_to_it(memory: OpenMemory) -> None:
    app = guarded(memory)
    mine = visitor(memory, app, right="admin")
    theirs = visitor(memory, app, account="guests", right="admin")
    memory.audit.add("restore", target="copy.db")

    assert {entry["account"] for entry in entries(mine)} == {"default", "guests", None}
    assert {entry["account"] for entry in entries(theirs)} == {"guests"}
    assert entries(theirs, account="default") == []
    assert {entry["account"] for entry in entries(mine, account="guests")} == {"guests"}


def test_the_log_is_read_in_pages_by_act_and_time(memory: OpenMemory, clock: Clock) -> None:
    mine = visitor(memory, guarded(memory), right="admin")
    for number in range(5):
        clock.turn(minutes=1)
        memory.audit.add("export", target=f"{number}.jsonl", counts={"memories": number})
    since = int(clock.now.timestamp() * 1_000) - 60_000

    assert [one["target"] for one in entries(mine, limit=2)] == ["4.jsonl", "3.jsonl"]
    assert [one["target"] for one in entries(mine, limit=2, offset=2)] == ["2.jsonl", "1.jsonl"]
    assert [one["counts"]["memories"] for one in entries(mine, since=since)] == [4, 3]
    assert [one["act"] for one in entries(mine, act="key.create")] == ["key.create"]
    assert mine.get("/audit?act=nothing").status_code == 400


def test_refused_keys_are_written_down_without_the_key(memory: OpenMemory, clock: Clock) -> None:
    app = guarded(memory)
    mine = visitor(memory, app, right="admin")
    key, text = memory.keys.create("robot", account="guests")
    ending, ended = memory.keys.create("visitor", expires_at=clock.now.replace(hour=13))
    memory.keys.revoke(key.id)
    clock.turn(hours=1)

    wrong = f"mnm_{ending.id}_a-guessed-secret"
    answers = [Visitor(app, shown).get("/memories") for shown in (text, wrong, "hello", ended)]

    assert {answer.status_code for answer in answers} == {403}
    assert "expired" in answers[-1].text
    assert "expired" not in answers[1].text
    found = entries(mine, act="key.refused")
    assert [(one["counts"], one["target"], one["account"], one["actor"]) for one in found] == [
        ({"expired": 1}, ending.id, "default", "visitor"),
        ({"unknown": 1}, None, None, "unknown"),
        ({"unknown": 1}, ending.id, "default", "unknown"),
        ({"revoked": 1}, key.id, "guests", "robot"),
    ]
    assert {(one["outcome"], one["address"]) for one in found} == {("refused", "127.0.0.1")}
    for secret in (text, wrong, "hello", ended):
        assert secret[-20:] not in json.dumps(found)


def test_many_refused_keys_of_one_place_are_one_entry_in_ten_minutes(memory: OpenMemory) -> None:
    now = [0.0]
    keys = RefusedKeys(memory, clock=lambda: now[0])
    nobody = memory.keys.check("mnm_nobody_wrong")

    for second in range(int(SECONDS)):
        now[0] = float(second)
        keys.note(nobody, "192.0.2.1")
    assert refused(memory) == [{"unknown": 1}]
    now[0] = SECONDS
    keys.note(nobody, "192.0.2.1")

    assert refused(memory) == [{"unknown": 1}, {"unknown": SECONDS}]


def test_refused_keys_of_many_places_are_counted_together(memory: OpenMemory) -> None:
    keys = RefusedKeys(memory, clock=lambda: 0.0)
    nobody = memory.keys.check("mnm_nobody_wrong")

    for number in range(1_000):
        keys.note(nobody, f"2001:db8::{number:x}")
    keys.write()

    told = refused(memory)
    assert len(told) == 12
    assert sum(sum(counts.values()) for counts in told) == 1_000
    assert told[-1] == {"several": 989}


def test_strangers_cannot_grow_the_log_for_ever(
    memory: OpenMemory, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(audit_log, "MOST_REFUSED", 5)
    keys = RefusedKeys(memory)
    nobody = memory.keys.check("mnm_nobody_wrong")
    memory.audit.add("restore", target="copy.db")

    for number in range(20):
        keys.note(nobody, f"192.0.2.{number}")
        keys.write()

    kept = memory.audit.entries(of_all=True).rows
    assert [entry.address for entry in kept if entry.act == "key.refused"] == [
        f"192.0.2.{number}" for number in (19, 18, 17, 16, 15)
    ]
    # What the people of the store did stays.
    assert kept[-1].act == "restore"


def test_a_key_is_refused_also_where_the_log_cannot_be_written(
    open_it: OpenIt, caplog: pytest.LogCaptureFixture
) -> None:
    closed = open_it()
    keys = RefusedKeys(closed)
    nobody = closed.keys.check("mnm_nobody_wrong")
    closed.close()

    keys.note(nobody, "192.0.2.1")

    assert "could not be written to the audit log" in caplog.text


def test_without_keys_the_log_is_read_by_who_reaches_the_server(memory: OpenMemory) -> None:
    memory.audit.add("export", target="all.jsonl")

    anybody = Visitor(build_app(memory, settings=ServerSettings(auth="off")))

    assert [one["target"] for one in entries(anybody)] == ["all.jsonl"]
