"""Promises about the end of a server: what runs is finished, and what was told is kept."""

import os
import signal
import socket
import sqlite3
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path
from threading import Event
from urllib.parse import urlsplit

import httpx2
import pytest

import mnemic
from tests.providers.chat_server import HELLO, ChatServer, after
from tests.server.watched import api_of
from tests.serving import serving
from tests.worker.gates import until

SECONDS = 60


def is_refused(url: str) -> bool:
    parts = urlsplit(url)
    try:
        socket.create_connection((parts.hostname, parts.port), timeout=SECONDS).close()
    except ConnectionRefusedError:
        return True
    return False


def test_a_request_that_runs_is_finished_and_no_other_is_taken(tmp_path: Path) -> None:
    go_on = Event()
    with (
        ChatServer(after(go_on, HELLO)) as model,
        serving(tmp_path / "memory.db", MNEMIC_LLM_URL=model.base, MNEMIC_LLM_MODEL="m") as (
            process,
            url,
        ),
        ThreadPoolExecutor(1) as pool,
        httpx2.Client(base_url=url, timeout=SECONDS) as client,
    ):
        chat = pool.submit(client.post, "/tools/memory_chat", json={"message": "Hello, 你好"})
        until(lambda: bool(model.asked))
        process.send_signal(signal.SIGTERM)
        until(lambda: is_refused(url))
        assert process.poll() is None
        go_on.set()
        answer = chat.result(SECONDS)
        _, told = process.communicate(timeout=SECONDS)

    assert answer.status_code == 200
    assert answer.json()["data"]["response"] == "Hello."
    assert process.returncode == 0
    assert told == ""


def test_a_request_that_never_ends_does_not_keep_the_server_alive(tmp_path: Path) -> None:
    never = Event()
    with (
        ChatServer(after(never, HELLO)) as model,
        serving(
            tmp_path / "memory.db",
            MNEMIC_LLM_URL=model.base,
            MNEMIC_LLM_MODEL="m",
            MNEMIC_LLM_TIMEOUT="600",
            MNEMIC_GRACE_SECONDS="0.1",
        ) as (process, url),
        ThreadPoolExecutor(1) as pool,
        httpx2.Client(base_url=url, timeout=SECONDS) as client,
    ):
        chat = pool.submit(client.post, "/tools/memory_chat", json={"message": "Hello, 你好"})
        until(lambda: bool(model.asked))
        process.send_signal(signal.SIGTERM)
        try:
            process.communicate(timeout=SECONDS)
        finally:
            never.set()
        assert process.returncode == 0
        assert chat.exception(SECONDS) is not None or chat.result().status_code >= 500


def test_a_server_that_a_shell_started_in_the_background_ends_at_once(tmp_path: Path) -> None:
    usual = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        with serving(tmp_path / "memory.db") as (process, _):
            # It has said where it will be, and is still making itself ready.
            process.send_signal(signal.SIGINT)
            _, told = process.communicate(timeout=SECONDS)
    finally:
        signal.signal(signal.SIGINT, usual)

    assert (process.returncode, told) == (0, "")


@pytest.mark.parametrize("command", ["serve", "worker"])
def test_a_signal_is_heard_while_the_store_is_locked(tmp_path: Path, command: str) -> None:
    path = tmp_path / "memory.db"
    mnemic.open(path, embedder="none").close()
    with closing(sqlite3.connect(path)) as other:
        # Whoever opens the store now waits for as long as it is told to.
        other.execute("pragma locking_mode = exclusive")
        other.execute("begin exclusive")
        given = {"MNEMIC_DATABASE": str(path), "MNEMIC_EMBEDDER": "none"}
        with subprocess.Popen(
            [sys.executable, "-c", _SIGNALLED, command],
            env={**os.environ, **given, "MNEMIC_BUSY_SECONDS": "600"},
            stderr=subprocess.PIPE,
            text=True,
        ) as process:
            try:
                _, told = process.communicate(timeout=SECONDS)
            finally:
                process.kill()

    assert process.returncode == 0, told


_SIGNALLED = """
import os, signal, sys, threading
from mnemic.cli.main import main
from mnemic.storage.sqlite import driver

# The first pause means that it waits.
pause, waits = driver.sleep, threading.Event()
def look(seconds):
    if not waits.is_set():
        waits.set()
        os.kill(os.getpid(), signal.SIGTERM)
    pause(seconds)
driver.sleep = look
main()
"""


def test_what_was_told_as_kept_is_there_after_a_crash(tmp_path: Path) -> None:
    path = tmp_path / "memory.db"
    item = {"scope": "chat", "scope_id": "s", "type": "fact", "content": "Mira fears thunder"}
    kept: list[str] = []

    def write(client: httpx2.Client) -> None:
        """Write until the server is gone."""
        try:
            while True:
                kept.append(client.post("/memories", json=item).json()["data"]["id"])
        except httpx2.HTTPError:
            return

    with (
        serving(path) as (process, url),
        ThreadPoolExecutor(4) as pool,
        httpx2.Client(base_url=url, timeout=SECONDS) as client,
    ):
        writers = [pool.submit(write, client) for _ in range(4)]
        until(lambda: len(kept) >= 40)
        process.kill()
        for one in writers:
            one.result(SECONDS)

    with mnemic.open(path, embedder="none") as memory:
        api = api_of(memory)
        assert api.send("GET", "/health/ready").json()["status"] == "ready"
        found = [one for one in kept if api.send("GET", f"/memories/{one}").status_code == 200]
        total = api.ok("GET", "/memories", q="thunder", limit=1)["meta"]["total"]
        assert api.item("It goes on")["status"] == "active"

    assert len(kept) >= 40
    assert found == kept
    # Of each writer, one more may have been kept before it could be told.
    assert len(kept) <= total <= len(kept) + 4
