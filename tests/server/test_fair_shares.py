"""Promises to a quiet tenant: whatever another one sends, it is let in, and gets its turn."""

import asyncio
import socket
import sys
from collections.abc import Callable, Generator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from threading import Event
from typing import Any
from urllib.parse import urlsplit

import httpx2
import pytest

import mnemic
from mnemic.server.access.shares import (
    RECENT_SECONDS,
    ComputeTurn,
    Shares,
    ThreadClock,
    clock_of_this_thread,
)
from mnemic.server.running import run
from tests.providers.chat_server import HELLO, ChatServer, after
from tests.server.watched import samples
from tests.serving import serving
from tests.worker.gates import until

SECONDS = 60
MANY = 300
IN_FLIGHT = "mnemic_http_requests_in_flight"
CHAT = {"message": "Hello, 你好", "memorizing": False}


def keys_of(database: str) -> dict[str, str]:
    """Make keys: an admin's of the server's own account, and one for each of two tenants."""
    with mnemic.open(database, embedder="none") as memory:
        return {
            "admin": memory.keys.create("admin", right="admin")[1],
            "busy": memory.keys.create("busy", account="busy")[1],
            "quiet": memory.keys.create("quiet", account="quiet")[1],
        }


@contextmanager
def tenants(database: str, **settings: str) -> Generator[tuple[str, dict[str, httpx2.Client]]]:
    """Serve a store; give the address, and a client for each key."""
    keys = keys_of(database)
    with serving(Path("unused"), MNEMIC_DATABASE=database, **settings) as (_, url):
        clients = {
            name: httpx2.Client(base_url=url, headers={"x-api-key": key}, timeout=SECONDS)
            for name, key in keys.items()
        }
        try:
            yield url, clients
        finally:
            for client in clients.values():
                client.close()


def test_half_sent_bodies_of_one_tenant_keep_nobody_out(database: str) -> None:
    with tenants(database, MNEMIC_MAX_REQUESTS="16") as (url, clients):
        parts = urlsplit(url)
        head = (
            "POST /memories HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
            f"Content-Length: 5000\r\nx-api-key: {clients['busy'].headers['x-api-key']}\r\n\r\n"
        )
        begun = [
            socket.create_connection((parts.hostname, parts.port), timeout=SECONDS)
            for _ in range(MANY)
        ]
        for one in begun:
            one.sendall(head.encode() + b'{"content": "')
        until(lambda: samples(clients["admin"].get("/metrics").text)[IN_FLIGHT] > MANY)

        answers = [clients[name].get("/memories") for name in ("quiet", "busy", "quiet")]

        for one in begun:
            one.close()
    assert [answer.status_code for answer in answers] == [200, 200, 200]


def test_a_tenant_that_takes_every_place_is_refused_and_no_other(database: str) -> None:
    go_on = Event()
    with (
        ChatServer(after(go_on, HELLO)) as model,
        tenants(
            database,
            MNEMIC_MAX_REQUESTS="8",
            MNEMIC_LLM_URL=model.base,
            MNEMIC_LLM_MODEL="m",
        ) as (_, clients),
        ThreadPoolExecutor(8) as pool,
    ):
        chats = [
            pool.submit(clients["busy"].post, "/tools/memory_chat", json=CHAT) for _ in range(8)
        ]
        # All of them wait for the model, though an account computes one request at a time.
        until(lambda: len(model.asked) == 8)
        live = clients["busy"].get("/health/live")
        refused = clients["busy"].get("/memories")
        quiet = [clients["quiet"].get("/memories") for _ in range(3)]
        go_on.set()
        answered = [chat.result(SECONDS).status_code for chat in chats]

    assert live.status_code == 200
    assert refused.status_code == 429
    assert refused.headers["retry-after"] == "1"
    assert refused.json()["error"]["code"] == "too_many_requests"
    assert [answer.status_code for answer in quiet] == [200, 200, 200]
    assert answered == [200] * 8


class Visits:
    """Requests of several accounts that a test lets in and sends away."""

    def __init__(self, **given: Any) -> None:
        self.now = 0.0
        limits: dict[str, Any] = {
            "places": 16,
            "at_once": 4,
            "each": 1,
            "most_bytes": 1_000,
            **given,
        }
        self.shares = Shares(**limits, clock=lambda: self.now)

    def enter(self, account: str, number: int = 1) -> list[ComputeTurn]:
        """Let requests in; all of them get a place."""
        turns = [self.shares.enter(account) for _ in range(number)]
        assert None not in turns
        return [turn for turn in turns if turn is not None]


def trying(test: Callable[[], None]) -> None:
    """Run a test where there is an event loop."""

    async def run() -> None:
        test()

    asyncio.run(run())


def begun(turns: list[ComputeTurn]) -> list[bool]:
    return [turn.begun.is_set() for turn in turns]


def test_an_account_alone_may_use_all_threads_and_one_in_company_its_share() -> None:
    def test() -> None:
        visits = Visits()
        busy = visits.enter("busy", 6)
        assert begun(busy) == [True] * 4 + [False] * 2

        [quiet] = visits.enter("quiet")
        for turn in busy[:3]:
            turn.leave()

        # The first that ends makes room for the other one, and then one at a time is enough.
        assert quiet.begun.is_set()
        assert begun(busy) == [True] * 4 + [False] * 2
        busy[3].leave()
        assert begun(busy) == [True] * 5 + [False]

    trying(test)


def test_accounts_take_turns_however_much_each_sends() -> None:
    def test() -> None:
        visits = Visits(at_once=1)
        turns = [(name, turn) for name in "abc" for turn in visits.enter(name, 3)]
        order: list[str] = []
        for _ in range(9):
            [(name, turn)] = [(name, turn) for name, turn in turns if turn.is_running]
            order.append(name)
            turn.leave()

        # The first one came while it was alone.
        assert order == ["a", *"abc", *"abc", *"bc"]

    trying(test)


def test_an_account_that_left_is_no_company_after_a_while() -> None:
    def test() -> None:
        visits = Visits()
        [quiet] = visits.enter("quiet")
        quiet.leave()

        first = visits.enter("busy", 4)
        assert begun(first) == [True, False, False, False]
        visits.now = RECENT_SECONDS + 1
        [last] = visits.enter("busy")

        assert begun([*first, last]) == [True] * 4 + [False]

    trying(test)


def test_who_waits_for_something_else_lets_the_next_one_compute() -> None:
    def test() -> None:
        visits = Visits(at_once=1)
        first, second, third = visits.enter("busy", 3)

        first.give_up()
        first.give_up()
        assert begun([second, third]) == [True, False]
        second.leave()
        assert third.is_running
        first.leave()
        third.leave()

        # All places are free again.
        assert len(visits.enter("busy", 16)) == 16

    trying(test)


def test_who_leaves_before_its_turn_is_passed_over() -> None:
    def test() -> None:
        visits = Visits(at_once=1)
        first, second, third = visits.enter("busy", 3)

        second.leave()
        first.leave()

        assert third.is_running
        assert not second.begun.is_set()

    trying(test)


def test_an_account_keeps_an_eighth_of_the_places_for_itself() -> None:
    def test() -> None:
        visits = Visits()
        visits.enter("busy", 16)

        assert visits.shares.enter("busy") is None
        for number in range(5):
            visits.enter(f"quiet {number}", 2)
        assert visits.shares.enter("quiet 0") is None

    trying(test)


def test_bodies_of_an_account_take_so_much_memory_and_no_more() -> None:
    visits = Visits()

    assert visits.shares.hold("busy", 900)
    assert not visits.shares.hold("busy", 200)
    assert visits.shares.hold("quiet", 1_000)
    visits.shares.let_go("busy", 900)
    assert visits.shares.hold("busy", 1_000)


@pytest.mark.parametrize(
    ("each_look", "goes_on"),
    [(0.0, True), (0.009, True), (0.02, False), (None, True)],
    ids=["waits", "waits and looks", "computes", "no system tells"],
)
def test_a_call_keeps_its_turn_as_long_as_it_computes(
    each_look: float | None, goes_on: bool
) -> None:
    looks: list[float] = []

    def look() -> float:
        assert each_look is not None
        looks.append(each_look * len(looks))
        return looks[-1]

    def thread_clock() -> ThreadClock | None:
        return None if each_look is None else look

    async def run() -> tuple[bool, bool]:
        shares = Shares(
            places=4,
            at_once=1,
            each=1,
            most_bytes=1,
            look_seconds=0.0,
            thread_clock=thread_clock,
        )
        first, second = shares.enter("busy"), shares.enter("busy")
        assert first is not None
        assert second is not None
        with first.computing():
            await first.wait()
            while len(looks) < 10 and not second.begun.is_set():
                await asyncio.sleep(0)
        return first.is_running, second.begun.is_set()

    assert asyncio.run(run()) == (not goes_on, goes_on)


def test_another_thread_sees_how_long_one_computed() -> None:
    seen: list[bool] = []

    def compute() -> None:
        clock = clock_of_this_thread()
        assert clock is not None
        with ThreadPoolExecutor(1) as pool:
            before = pool.submit(clock).result(SECONDS)
            until(lambda: pool.submit(clock).result(SECONDS) > before)
            seen.append(True)

    with ThreadPoolExecutor(1) as pool:
        pool.submit(compute).result(SECONDS)

    assert seen == [True]


def test_threads_of_a_server_take_turns_ten_times_as_often(tmp_path: Path) -> None:
    seen: list[float] = []

    async def app(_scope: object, _receive: object, _send: object) -> None:
        seen.append(sys.getswitchinterval())
        raise RuntimeError

    before = sys.getswitchinterval()
    with socket.create_server(("127.0.0.1", 0)) as listening, pytest.raises(SystemExit):
        run(app, listening)

    assert seen == [pytest.approx(before / 10)]
    assert sys.getswitchinterval() == before
