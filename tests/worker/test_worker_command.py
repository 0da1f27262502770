"""`mnemic worker` and `mnemic serve`: workers as processes, and how they end."""

import os
import re
import signal
import subprocess
import sys
from collections.abc import Generator
from contextlib import contextmanager
from typing import Any

import httpx2
import pytest
from fastapi.testclient import TestClient

import mnemic
from mnemic.opening import OpenMemory
from mnemic.records.conversation import Line
from mnemic.server.app import build_app
from tests.worker.gates import SECONDS, until
from tests.worker.scenes import SCOPE, jobs, statuses

_ENVIRONMENT = {"MNEMIC_EMBEDDER": "none", "MNEMIC_DURABILITY": "off"}


@pytest.fixture
def memory(database: str) -> Generator[OpenMemory]:
    """The store by the clock on the wall, as the processes have it."""
    with mnemic.open(database, embedder="none", durability="off") as opened:
        opened.chat.create_session("s")
        yield opened


def command(database: str, *words: str) -> list[str]:
    return [sys.executable, "-m", "mnemic.cli.main", "--database", database, *words]


@contextmanager
def started(database: str, *words: str) -> Generator[subprocess.Popen[str]]:
    """Run a command beside a test."""
    process = subprocess.Popen(
        command(database, *words),
        env={**os.environ, **_ENVIRONMENT},
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        yield process
    finally:
        process.kill()
        process.communicate(timeout=SECONDS)


def add_turns(memory: OpenMemory, count: int = 2) -> list[str]:
    added = [
        memory.chat.add_turn("s", [Line("user", f"My name is Ann {n}.")]) for n in range(count)
    ]
    return [str(ingest.job_id) for _, ingest in added]


def first_line(process: subprocess.Popen[str]) -> str:
    assert process.stderr is not None
    return process.stderr.readline()


def test_once_does_what_is_due_and_leaves(memory: OpenMemory, database: str) -> None:
    lined_up = add_turns(memory)

    run = subprocess.run(
        command(database, "worker", "--once", "--workers", "2"),
        env={**os.environ, **_ENVIRONMENT},
        capture_output=True,
        text=True,
        timeout=SECONDS,
        check=False,
    )

    assert run.returncode == 0, run.stderr
    assert run.stdout == ""
    assert all(f"mnemic: {job} succeeded\n" in run.stderr for job in lined_up)
    assert run.stderr.endswith("mnemic: 2 jobs done\n")
    assert sorted(statuses(memory, "succeeded")) == sorted(lined_up)


@pytest.mark.parametrize("ending", [signal.SIGTERM, signal.SIGINT])
def test_a_worker_process_does_jobs_until_it_is_told_to_stop(
    ending: signal.Signals, memory: OpenMemory, database: str
) -> None:
    with started(database, "worker") as process:
        told = first_line(process)
        lined_up = add_turns(memory)
        until(lambda: len(statuses(memory, "succeeded")) == len(lined_up))
        process.send_signal(ending)
        _, rest = process.communicate(timeout=SECONDS)

    assert told == "mnemic: working with 1 worker\n"
    assert process.returncode == 0, rest
    # A job is kept before it is told, so its line may come after the signal.
    assert "mnemic: stopping\n" in rest
    assert rest.endswith("mnemic: stopped\n")


def test_a_store_that_cannot_be_opened_is_an_error_without_a_traceback(tmp_path: Any) -> None:
    (tmp_path / "memory.db").write_text("this is no database, however long one looks at it" * 50)

    run = subprocess.run(
        command(str(tmp_path / "memory.db"), "worker", "--once"),
        env={**os.environ, **_ENVIRONMENT},
        capture_output=True,
        text=True,
        timeout=SECONDS,
        check=False,
    )

    assert run.returncode == 4
    assert "Traceback" not in run.stderr


def test_a_server_does_the_jobs_of_its_store(memory: OpenMemory, database: str) -> None:
    with started(database, "serve", "--port", "0") as process:
        address = re.findall(r"http://\S+?(?=,)", first_line(process))[0]
        body = {"messages": [{"role": "user", "content": "我叫李雷。"}]}
        answer = httpx2.post(f"{address}/sessions/s/turns", json=body, timeout=SECONDS)
        job = answer.json()["data"]["memory"]["job_id"]
        until(lambda: memory.chat.job(job).status == "succeeded")
        process.send_signal(signal.SIGTERM)
        process.communicate(timeout=SECONDS)

    assert process.returncode == 0


def test_a_server_without_a_worker_leaves_its_jobs_to_others(
    memory: OpenMemory, database: str
) -> None:
    add_turns(memory)
    with started(database, "serve", "--port", "0", "--no-worker") as process:
        address = re.findall(r"http://\S+?(?=,)", first_line(process))[0]
        listed = httpx2.get(f"{address}/memory/jobs", timeout=SECONDS).json()
        process.send_signal(signal.SIGTERM)
        process.communicate(timeout=SECONDS)

    assert [one["status"] for one in listed["data"]] == ["pending", "pending"]


@pytest.mark.parametrize("verb", ["rebuild", "compact"])
def test_work_asked_for_by_hand_is_refused_where_no_worker_is_enabled(
    verb: str, memory: OpenMemory
) -> None:
    add_turns(memory)
    address = f"/memory/scopes/{SCOPE.kind}/x/{verb}"

    with TestClient(build_app(memory, worker_enabled=False), "http://localhost") as client:
        refused = client.post(address, json={})
    with TestClient(build_app(memory), "http://localhost") as client:
        other = client.post(address, json={})

    assert refused.status_code == 409
    assert refused.json() == {
        "error": {"code": "invalid_state", "message": "Background memory worker is not enabled"}
    }
    assert other.json() != refused.json()
    assert len(jobs(memory, status="pending")) == 2 + (other.status_code == 200)
