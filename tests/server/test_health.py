"""Promises of `/health/ready` and `/version`: whoever sends requests learns where they are
answered, and nothing else.
"""

from pathlib import Path
from typing import Any

import anyio
import httpx2
import psycopg
import pytest
from fastapi import FastAPI

import mnemic
from mnemic.opening import OpenMemory
from mnemic.server.health import health_routes
from mnemic.server.metrics import Metrics
from mnemic.version import __version__
from mnemic.worker import WorkerThread
from tests.conftest import OpenIt
from tests.dialects.chat_calling import Api
from tests.providers.scripted_server import Reply, ScriptedServer
from tests.server.watched import Holding, api_of


def checks(answer: httpx2.Response) -> dict[str, str]:
    return {name: one["status"] for name, one in answer.json()["checks"].items()}


def test_whoever_guesses_the_address_is_sent_to_where_the_answer_is(memory: OpenMemory) -> None:
    answer = api_of(memory).send("GET", "/health")

    assert answer.status_code == 308
    assert answer.headers["location"] == "/health/live"


def test_a_server_is_ready_when_store_embedder_and_worker_are(open_it: OpenIt) -> None:
    memory = open_it(embedder="hashing")
    memory.robot.learn("The cup is heavy")
    with WorkerThread(memory) as worker:
        answer = api_of(memory, worker=worker).send("GET", "/health/ready")

    assert answer.status_code == 200
    assert answer.json()["status"] == "ready"
    assert checks(answer) == {"store": "ok", "embedder": "ready", "worker": "running"}


def test_a_server_without_embedder_and_worker_is_ready(memory: OpenMemory) -> None:
    answer = api_of(memory).send("GET", "/health/ready")

    assert answer.status_code == 200
    assert answer.json()["status"] == "ready"
    assert checks(answer) == {"store": "ok", "embedder": "off", "worker": "off"}


def test_a_worker_that_stopped_makes_it_unavailable(memory: OpenMemory) -> None:
    with WorkerThread(memory) as worker:
        pass

    answer = api_of(memory, worker=worker).send("GET", "/health/ready")

    assert answer.status_code == 503
    assert answer.json()["status"] == "unavailable"
    assert checks(answer)["worker"] == "stopped"


def test_a_broken_embedder_makes_it_degraded_and_still_in_use(tmp_path: Path) -> None:
    path = tmp_path / "memory.db"
    with (
        ScriptedServer(lambda _: Reply(b'{"error": "secret"}', 404)) as server,
        mnemic.open(path, embedder="openai:secret", embedder_url=server.url) as memory,
    ):
        memory.robot.learn("The cup is heavy")
        answer = api_of(memory).send("GET", "/health/ready")

    assert answer.status_code == 200
    assert answer.json()["status"] == "degraded"
    assert "goes on with words" in answer.json()["checks"]["embedder"]["message"]
    assert "secret" not in answer.text


def test_a_store_that_cannot_be_read_makes_it_unavailable(memory: OpenMemory) -> None:
    api = api_of(memory)
    memory.close()

    answer = api.send("GET", "/health/ready")

    assert answer.status_code == 503
    assert checks(answer)["store"] == "unreadable"
    assert api.send("GET", "/health/live").status_code == 200


def test_a_file_that_is_gone_makes_it_unavailable(tmp_path: Path) -> None:
    path = tmp_path / "memory.db"
    with mnemic.open(path, embedder="none", durability="off") as memory:
        api = api_of(memory)
        path.unlink()
        answer = api.send("GET", "/health/ready")

    assert answer.status_code == 503
    assert checks(answer)["store"] == "unwritable"
    assert str(path) not in answer.text


def test_a_server_that_lets_nobody_write_makes_it_unavailable(postgres_database: str) -> None:
    with mnemic.open(postgres_database, embedder="none") as memory:
        memory.robot.learn("The cup is heavy")
    with psycopg.connect(postgres_database, autocommit=True) as connection:
        connection.execute("alter role current_user set default_transaction_read_only = on")
    try:
        with mnemic.open(postgres_database, embedder="none") as memory:
            answer = api_of(memory).send("GET", "/health/ready")
    finally:
        with psycopg.connect(postgres_database, autocommit=True) as connection:
            connection.execute("set default_transaction_read_only = off")
            connection.execute("alter role current_user reset default_transaction_read_only")

    assert answer.status_code == 503
    assert checks(answer)["store"] == "unwritable"


def test_a_store_that_hangs_is_not_waited_for(memory: OpenMemory) -> None:
    holding = Holding("store_check")
    app = FastAPI()
    held_up = memory.watched_by(holding)
    app.include_router(health_routes(held_up, Metrics(), store_seconds=0.01))

    async def ask() -> list[httpx2.Response]:
        transport = httpx2.ASGITransport(app=app)
        async with httpx2.AsyncClient(transport=transport, base_url="http://test") as client:
            answers = [await client.get("/health/ready") for _ in range(4)]
            answers.append(await client.get("/health/live"))
        holding.let_go.set()
        return answers

    *ready, live = anyio.run(ask)

    assert [one.status_code for one in ready] == [503] * 4
    assert {checks(one)["store"] for one in ready} == {"silent"}
    assert live.status_code == 200


@pytest.mark.parametrize("path", ["/health/live", "/health/ready", "/version"])
def test_what_anybody_may_ask_tells_no_names_and_no_counts(api: Api, path: str) -> None:
    told = api.send("GET", path).text

    assert "default" not in told
    assert ".db" not in told


def test_the_version_is_told(api: Api) -> None:
    told: Any = api.send("GET", "/version").json()

    assert told == {"version": __version__, "api": 1}
