"""Promises of the log: it tells what happens, and holds no memory and no key."""

import json
import logging
from collections.abc import Iterator
from threading import Thread
from typing import Any, Final

import pytest

import mnemic
from mnemic.engine import memory_verbs
from mnemic.engine.chat_verbs import ChatMemory
from mnemic.errors import SettingsError
from mnemic.mcp.profiles import toolboxes
from mnemic.memory.retrieval import recall
from mnemic.opening import OpenMemory
from mnemic.settings import LogSettings, read_log_settings
from mnemic.storage.rows import memory_rows
from mnemic.telemetry.logs import logging_to_standard_error
from mnemic.telemetry.request_ids import answering
from mnemic.worker import Worker
from tests.dialects.chat_calling import Api
from tests.server.watched import api_of

MARK: Final = "zanzibar"
KEY: Final = "mk-very-secret-0123456789"
DEFAULTS: Final = [LogSettings(log_format="text"), LogSettings(log_format="json")]
HEADERS: Final = {
    "content-type": "application/json",
    "authorization": f"Bearer {KEY}",
    "x-api-key": KEY,
    "x-request-id": f"{KEY} {MARK}",
    "cookie": f"key={KEY}",
}
SAID: Final = [{"role": "user", "content": f"I live in {MARK}"}]
BODIES: Final[list[tuple[str, dict[str, Any]]]] = [
    ("/memories", {"scope": "chat", "scope_id": MARK, "type": "fact", "content": MARK}),
    ("/sessions", {"id": MARK}),
    (f"/sessions/{MARK}/turns", {"messages": SAID, "mode": "sync"}),
    (f"/sessions/{MARK}/turns", {"messages": SAID}),
    ("/tools/memory_add", {"content": f"I like {MARK}", "memory_type": "core"}),
    ("/tools/memory_search", {"query": MARK}),
    ("/tools/memory_chat", {"message": f"What of {MARK}?"}),
]


@pytest.fixture
def marked() -> Iterator[OpenMemory]:
    given: dict[str, Any] = {"embedder": "hashing", "llm_api_key": KEY, "embedder_api_key": KEY}
    with mnemic.open(":memory:", **given) as memory:
        yield memory


def use_everything(api: Api, memory: OpenMemory) -> None:
    """Send marked texts and keys through every route and every tool, well and badly formed."""
    for path, body in BODIES:
        api.send("POST", path, body, headers=HEADERS)
    Worker(memory).work_off()
    api.send("GET", f"/{MARK}", headers=HEADERS)
    api.send("GET", "/memories", headers=HEADERS, limit=MARK)
    api.send("POST", "/memories", raw=MARK.encode(), headers=HEADERS)
    for path, methods in api.send("GET", "/openapi.json").json()["paths"].items():
        # What is between braces is a parameter.
        address = "/".join(MARK if part[:1] == "{" else part for part in path.split("/"))
        for method, said in methods.items():
            asked = {"q": MARK, MARK: MARK, "sort_order": "asc"}
            api.send(method.upper(), address, headers=HEADERS, **asked)
            if "requestBody" in said:
                api.send(method.upper(), address, {MARK: MARK, "content": MARK}, headers=HEADERS)
    for tool in api.send("GET", "/tools").json()["tools"]:
        api.send("POST", f"/tools/{tool['name']}", {MARK: MARK, "content": MARK}, headers=HEADERS)
    for box in toolboxes(memory, "extended"):
        for tool in box.listed():
            given = dict.fromkeys(tool["inputSchema"]["properties"], MARK)
            box.call(tool["name"], given, None)


def break_down(*_: object, **__: object) -> None:
    raise ValueError(f"{MARK} {KEY}")


def test_no_memory_and_no_key_is_logged_by_default(
    marked: OpenMemory, capsys: pytest.CaptureFixture[str]
) -> None:
    with logging_to_standard_error(log_format="json", least=DEFAULTS[1].least):
        use_everything(api_of(marked), marked)

    told = capsys.readouterr().err
    assert "/memories/{memory_id}" in told
    assert MARK not in told
    assert KEY not in told


@pytest.mark.parametrize("settings", DEFAULTS, ids=["text", "json"])
def test_nor_when_everything_breaks(
    marked: OpenMemory,
    settings: LogSettings,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    api = api_of(marked)
    for part, name in (
        (recall, "_recalled"),
        (memory_verbs.Engine, "remember"),
        (ChatMemory, "items"),
        (ChatMemory, "create_item"),
        (memory_rows, "get"),
    ):
        monkeypatch.setattr(part, name, break_down)
    with logging_to_standard_error(log_format=settings.log_format, least=settings.least):
        use_everything(api, marked)

    told = capsys.readouterr().err
    assert "ValueError" in told
    assert "break_down" in told
    assert MARK not in told
    assert KEY not in told


def test_a_request_has_one_line_with_its_route_status_time_id_and_account(
    marked: OpenMemory, capsys: pytest.CaptureFixture[str]
) -> None:
    api = api_of(marked)
    with logging_to_standard_error(log_format="json", least="INFO"):
        api.send("GET", f"/memories/{MARK}", headers={"x-request-id": "mine"})

    [line] = [json.loads(one) for one in capsys.readouterr().err.splitlines()]
    assert line.pop("milliseconds") > 0
    assert line.pop("time").endswith("+00:00")
    assert line.pop("message").startswith("GET /memories/{memory_id} 404 ")
    assert line == {
        "level": "info",
        "logger": "mnemic.access",
        "method": "GET",
        "route": "/memories/{memory_id}",
        "status": 404,
        "account": "default",
        "key_id": None,
        "request_id": "mine",
    }


def test_what_is_told_while_a_request_is_answered_has_its_id(
    capsys: pytest.CaptureFixture[str],
) -> None:
    log = logging.getLogger("mnemic.worker")
    for log_format in ("text", "json"):
        with logging_to_standard_error(log_format=log_format), answering("r-7"):
            log.warning("%d jobs", 3)
    log.error("Nobody listens any more")

    text, line = capsys.readouterr().err.splitlines()
    assert text == "mnemic: 3 jobs [r-7]"
    assert json.loads(line)["request_id"] == "r-7"
    assert json.loads(line)["message"] == "3 jobs"


def test_what_libraries_and_threads_tell_is_told_by_its_place_and_kind(
    capsys: pytest.CaptureFixture[str],
) -> None:
    library = logging.getLogger("mcp.server.session")
    for least in ("INFO", "DEBUG"):
        with logging_to_standard_error(least=least):
            library.warning(f"Session {MARK} sent {KEY}")
            thread = Thread(target=break_down, name="a-thread")
            thread.start()
            thread.join()
        told = capsys.readouterr().err
        assert "ValueError" in told
        assert "a-thread" in told
        assert ("mcp.server.session" in told) == (least == "INFO")
        assert (MARK in told) == (least == "DEBUG")


def test_lines_for_people_are_few_and_lines_for_programs_tell_of_every_request() -> None:
    assert [one.least for one in DEFAULTS] == ["WARNING", "INFO"]
    chosen = read_log_settings({"MNEMIC_LOG_FORMAT": "text", "MNEMIC_LOG_LEVEL": "debug"})
    assert chosen.least == "DEBUG"


@pytest.mark.parametrize(
    "environment", [{"MNEMIC_LOG_FORMAT": "xml"}, {"MNEMIC_LOG_LEVEL": "loud"}]
)
def test_a_bad_setting_of_the_log_is_named_with_what_is_allowed(
    environment: dict[str, str],
) -> None:
    with pytest.raises(SettingsError, match=r"log_\w+=\w+: use .*(json|debug)"):
        read_log_settings(environment)


@pytest.mark.parametrize("chosen", DEFAULTS)
def test_what_a_library_adds_to_a_line_is_left_out(
    capsys: pytest.CaptureFixture[str], chosen: LogSettings
) -> None:
    with logging_to_standard_error(log_format=chosen.log_format, least="INFO"):
        logging.getLogger("somebody").warning("%s", MARK, extra={"body": MARK})
        logging.getLogger("mnemic.access").info("told", extra={"status": 200})

    told = capsys.readouterr().err
    assert MARK not in told
    assert "somebody has something to tell" in told
    assert chosen.log_format == "text" or '"status": 200' in told
