"""The promise of a client: a program moves from an open memory to a server by one line."""

import asyncio
from concurrent.futures import ThreadPoolExecutor
from typing import Any
from uuid import uuid4

import pytest

from mnemic import AsyncClient, Client, Query
from mnemic.opening import OpenMemory
from mnemic.rpc.verbs import VERBS
from tests.client.connecting import async_client_of, awaited_client_of, client_of
from tests.client.everything import everything, settled


@pytest.mark.parametrize("connected", [client_of, awaited_client_of])
def test_a_program_gets_the_same_from_a_server_as_from_a_memory_that_it_opened(
    twins: tuple[OpenMemory, OpenMemory], connected: Any
) -> None:
    opened, served = twins
    asked: set[str] = set()

    here = everything(opened)
    with connected(served, asked=asked) as client:
        there = everything(client)

    for one, other in zip(here, there, strict=True):
        assert other == one
    assert asked == {f"/sdk/{verb}" for verb in VERBS}, "the program uses every verb"


def test_an_async_client_gets_the_same_when_it_awaits_it(
    twins: tuple[OpenMemory, OpenMemory],
) -> None:
    opened, served = twins
    lessons = ["12 N holds a mug", "杯子在柜子里"]

    async def there() -> list[object]:
        async with async_client_of(served) as client:
            return [
                await client.robot.learn_many(lessons),
                await client.robot.recall("杯子"),
                await client.recall(Query("mug")),
                await client.assistant.execute_tool("memory_search", {"query": "杯子"}),
                await client.assistant.call("memory_add", {"content": "我住在成都"}),
                await client.chat.create_session("tea"),
                await client.chat.sessions(),
            ]

    here = [
        opened.robot.learn_many(lessons),
        opened.robot.recall("杯子"),
        opened.recall(Query("mug")),
        opened.assistant.call("memory_search", {"query": "杯子"}),
        opened.assistant.call("memory_add", {"content": "我住在成都"}),
        opened.chat.create_session("tea"),
        opened.chat.sessions(),
    ]
    assert [settled(one) for one in asyncio.run(there())] == [settled(one) for one in here]


def test_a_real_server_answers_many_threads_and_many_tasks_at_once(chat_server: str) -> None:
    group = f"many-{uuid4().hex}"

    def learn(at: int) -> str:
        return client.robot.learn(f"第{at}次：{at} N holds mug {at}", {"at": at}, group)["status"]

    async def look() -> list[str]:
        async with AsyncClient(chat_server) as asking:
            found = await asyncio.gather(
                *(asking.robot.recall("mug", group, context_filter={"at": at}) for at in range(16))
            )
            return [one["memories"][0]["content"] for one in found]

    with Client(chat_server) as client, ThreadPoolExecutor(8) as threads:
        assert set(threads.map(learn, range(16))) == {"created"}
        tool = asyncio.run(client.assistant.execute_tool("memory_search", {"query": group}))

    assert asyncio.run(look()) == [f"第{at}次：{at} N holds mug {at}" for at in range(16)]
    assert tool["success"]
