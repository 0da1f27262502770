"""Promises of `mnemic --server`: the same commands, answered by a server."""

import json
from typing import Any
from uuid import uuid4

import pytest
from typer.testing import CliRunner

import mnemic
from mnemic.cli.command_line import app
from tests.cli.commanding import run


@pytest.fixture(autouse=True)
def surroundings(tmp_path: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MNEMIC_DATABASE", str(tmp_path / "memory.db"))
    monkeypatch.setenv("MNEMIC_EMBEDDER", "none")


def test_a_server_answers_the_commands_that_a_file_answers(
    chat_server: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    group = f"cli-{uuid4().hex}"
    learned = run("--server", chat_server, "learn", "左边的抽屉会卡住", "-c", group)
    monkeypatch.setenv("MNEMIC_URL", chat_server)
    found = run("recall", "抽屉", "-c", group, "--json")

    assert learned.exit_code == found.exit_code == 0, learned.output + found.output
    with mnemic.Client(chat_server) as client:
        (one,) = client.robot.list(group)
    assert json.loads(found.stdout)["memories"][0]["id"] == one["id"]


def test_what_a_server_lists_it_also_shows_and_counts(
    chat_server: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MNEMIC_URL", chat_server)
    group = f"cli-{uuid4().hex}"
    lessons = CliRunner().invoke(app, ["learn-many", "-", "-c", group], input="Keep left\n")
    (listed,) = json.loads(run("list", "-c", group, "--json").stdout)
    shown = json.loads(run("show", str(listed["id"]), "--json").stdout)
    counted = json.loads(run("stats", "--scopes", "1000", "--json").stdout)

    assert lessons.exit_code == 0, lessons.output
    assert shown["content"] == "Keep left"
    assert shown["scope"] == {"kind": "collection", "name": group}
    assert {"kind": "collection", "name": group, "memories": 1} in counted["fullest"]
    assert counted["database"] == chat_server


def test_a_file_that_is_named_with_the_command_is_nearer_than_a_server_of_the_environment(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("MNEMIC_URL", "http://127.0.0.1:9")

    assert run("--database", ":memory:", "list", "--json").stdout.strip() == "[]"


def test_a_command_that_needs_the_store_itself_refuses_a_server() -> None:
    refused = run("--server", "http://127.0.0.1:9", "reindex")

    assert refused.exit_code == 2
    assert "reindex works on the store itself" in " ".join(refused.output.split())


def test_an_address_that_is_none_is_an_error_of_one_line() -> None:
    failed = run("--server", "127.0.0.1", "list", "--json")

    assert failed.exit_code == 1
    assert json.loads(failed.stderr)["error"] == "settings"
