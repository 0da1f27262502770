"""Promises of `mnemic serve`: it says where it is, ends in order, and stays on this machine."""

import signal
import socket
from pathlib import Path

import httpx2
import pytest
from typer.testing import CliRunner

from mnemic.cli.command_line import app
from tests.serving import serving

ITEM = {"scope": "chat", "scope_id": "s", "type": "fact", "content": "Mira fears thunder"}


def test_what_was_kept_before_a_signal_is_there_after_it(tmp_path: Path) -> None:
    path = tmp_path / "memory.db"
    with serving(path) as (process, url), httpx2.Client(base_url=url) as client:
        made = client.post("/memories", json=ITEM).json()["data"]
        assert client.get("/health/live").json() == {"status": "ok"}
        process.send_signal(signal.SIGTERM)
        _, said = process.communicate(timeout=60)
        assert process.returncode == 0
        assert said == ""
    with (
        serving(tmp_path / "other.db", "--no-worker", "--database", str(path)) as (process, url),
        httpx2.Client(base_url=url) as client,
    ):
        assert client.get(f"/memories/{made['id']}").json()["data"] == made
        assert client.get("/memories?q=thunder").json()["data"] == [made]
        process.send_signal(signal.SIGINT)
        _, said = process.communicate(timeout=60)
        assert process.returncode == 0
        assert said == ""
    assert not (tmp_path / "other.db").exists()


@pytest.mark.parametrize("ending", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_that_comes_before_it_answers_ends_it_in_order(
    tmp_path: Path, ending: signal.Signals
) -> None:
    with serving(tmp_path / "memory.db") as (process, _):
        # It has said where it will be, and is still making itself ready.
        process.send_signal(ending)
        _, said = process.communicate(timeout=60)

        assert process.returncode == 0
        assert said == ""


def test_a_client_that_listens_for_ever_does_not_keep_the_server_from_ending(
    tmp_path: Path,
) -> None:
    hello: dict[str, object] = {
        "jsonrpc": "2.0",
        "id": 1,
        "method": "initialize",
        "params": {
            "protocolVersion": "2025-11-25",
            "capabilities": {"sampling": {}},
            "clientInfo": {"name": "test", "version": "1"},
        },
    }
    accept = {"accept": "application/json, text/event-stream"}
    with (
        serving(tmp_path / "memory.db") as (process, url),
        httpx2.Client(base_url=url, headers=accept, timeout=60) as client,
    ):
        opened = client.post("/mcp", json=hello)
        session = {"mcp-session-id": opened.headers["mcp-session-id"]}
        with client.stream("GET", "/mcp", headers=session) as listening:
            assert listening.status_code == 200
            process.send_signal(signal.SIGTERM)
            _, said = process.communicate(timeout=60)
            assert process.returncode == 0
            assert said == ""


def test_both_dialects_are_served(tmp_path: Path) -> None:
    with serving(tmp_path / "memory.db") as (_, url), httpx2.Client(base_url=url) as client:
        added = client.post(
            "/tools/memory_add", json={"content": "我喜欢乌龙茶", "memory_type": "core"}
        )
        missing = client.get("/memories/nothing")
        document = client.get("/openapi.json").json()

    assert added.status_code == 200
    assert missing.json()["error"]["code"] == "not_found"
    assert {"/memories", "/sessions/{session_id}/turns"} <= set(document["paths"])


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "192.168.1.5", "example.org", ""])  # noqa: S104
@pytest.mark.usefixtures("own_store")
def test_an_address_that_others_can_reach_is_refused(host: str) -> None:
    result = CliRunner().invoke(app, ["serve", "--host", host])

    assert result.exit_code == 2
    assert "127.0.0.1" in result.stderr


def test_a_port_that_is_taken_is_told_without_a_traceback(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MNEMIC_DATABASE", str(tmp_path / "memory.db"))
    monkeypatch.setenv("MNEMIC_EMBEDDER", "none")
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        result = CliRunner().invoke(app, ["serve", "--port", port])

    assert result.exit_code == 1
    assert f"Port {port} of 127.0.0.1" in result.stderr
    assert "--port" in result.stderr
    assert "in use" in result.stderr
    assert "Traceback" not in result.stderr
