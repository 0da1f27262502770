"""Promises about a server that works on the worst text there is: everybody else is answered."""

from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager
from typing import Any

import anyio
import httpx2
import pytest
from anyio import to_thread
from fastapi import FastAPI

from mnemic.opening import OpenMemory
from mnemic.worker import WorkerThread
from tests.conftest import OpenIt
from tests.memory.rule_clocks import SECONDS, HeldRule, SlowRules
from tests.server.visiting import HOME, guarded, visitor

WORST = "那就" * 28
TURN = {"messages": [{"role": "user", "content": WORST}], "mode": "sync"}


@asynccontextmanager
async def client_of(app: FastAPI, headers: dict[str, str]) -> AsyncGenerator[httpx2.AsyncClient]:
    transport = httpx2.ASGITransport(app=app, raise_app_exceptions=False)
    async with httpx2.AsyncClient(
        transport=transport, base_url=HOME, headers=headers, timeout=SECONDS
    ) as client:
        yield client


def opened(open_it: OpenIt, clock: Callable[[], float]) -> tuple[OpenMemory, FastAPI, Any, Any]:
    memory = open_it(rule_clock=clock, busy_seconds=1.0, locale="en")
    app = guarded(memory)
    loud, quiet = visitor(memory, app, "loud"), visitor(memory, app, "quiet")
    assert loud.send("POST", "/sessions", {"id": "p"}).status_code == 201
    added = {"content": "I keep bees", "memory_type": "core"}
    assert quiet.send("POST", "/tools/memory_add", added).status_code == 200
    return memory, app, loud, quiet


@pytest.mark.parametrize(
    ("path", "body", "function"),
    [
        ("/sessions/p/turns", TURN, "read"),
        ("/tools/memory_chat", {"message": WORST}, "gather"),
        ("/tools/memory_add", {"content": WORST, "memory_type": "core"}, "compose"),
    ],
)
def test_others_are_answered_while_the_worst_text_is_read(
    open_it: OpenIt, path: str, body: dict[str, Any], function: str
) -> None:
    rule = HeldRule()
    _, app, loud, quiet = opened(open_it, rule)
    rule.function = function
    answers: list[int] = []

    async def send() -> None:
        async with client_of(app, loud.headers) as client:
            answers.append((await client.post(path, json=body)).status_code)

    async def look() -> list[httpx2.Response]:
        said: list[httpx2.Response] = []
        async with anyio.create_task_group() as tasks, client_of(app, quiet.headers) as client:
            tasks.start_soon(send)
            try:
                assert await to_thread.run_sync(rule.reached.wait, SECONDS)
                said.append(await client.get("/health/live"))
                query = {"query": "bees"}
                said.append(await client.post("/tools/memory_search", json=query))
                more = {"content": "I brew tea", "memory_type": "core"}
                said.append(await client.post("/tools/memory_add", json=more))
                assert answers == []
            finally:
                rule.may_go_on.set()
        return said

    live, found, kept = anyio.run(look)

    assert live.json() == {"status": "ok"}
    assert [hit["content"] for hit in found.json()["data"]["results"]] == ["I keep bees"]
    assert (kept.status_code, answers[0] in (200, 201)) == (200, True)


def test_others_are_answered_while_the_worker_reads_the_worst_text(open_it: OpenIt) -> None:
    rule = HeldRule()
    memory, _, loud, quiet = opened(open_it, rule)
    rule.function = "read"
    with WorkerThread(memory):
        sent = loud.send("POST", "/sessions/p/turns", TURN | {"mode": "async"})
        try:
            assert rule.reached.wait(SECONDS)
            live = quiet.get("/health/live").json()
            found = quiet.send("POST", "/tools/memory_search", {"query": "bees"}).json()
        finally:
            rule.may_go_on.set()

    assert sent.status_code == 201
    assert live == {"status": "ok"}
    assert [hit["content"] for hit in found["data"]["results"]] == ["I keep bees"]


def test_who_asks_is_told_that_the_time_is_over(open_it: OpenIt) -> None:
    rules = SlowRules()
    _, _, loud, _ = opened(open_it, rules)
    rules.slow = True
    turn = loud.send("POST", "/sessions/p/turns", TURN).json()["data"]["memory"]
    learned = loud.send("POST", "/sdk/robot.learn", {"insight": "The gripper slips on tiles"})

    assert (turn["status"], "job_seconds" in turn["error"]) == ("dead_letter", True)
    assert (learned.status_code, learned.json()["error"]["code"]) == (422, "out_of_time")
