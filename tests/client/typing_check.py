"""What a type checker knows of a client; pyright reads this, and nobody runs it."""

from typing import Any, assert_type

import mnemic
from mnemic import Query, Recalled
from mnemic.records.item import Item, ItemFilter, Page


def of_a_client(client: mnemic.Client) -> None:
    assert_type(client.robot.recall("x")["memories"][0]["content"], str)
    assert_type(client.recall(Query("x")), Recalled)
    assert_type(client.chat.items(ItemFilter()), Page[Item])
    assert_type(client.assistant.call("memory_search"), dict[str, Any])
    client.recall("x")  # pyright: ignore[reportArgumentType]
    client.robot.learn()  # pyright: ignore[reportCallIssue]
    client.robot.fly()  # pyright: ignore[reportAttributeAccessIssue, reportUnknownMemberType]


async def of_an_async_client(client: mnemic.AsyncClient) -> None:
    assert_type(await client.recall(Query("x")), Recalled)
    assert_type(await client.count(), int)
    assert_type((await client.robot.recall("x"))["memories"][0]["content"], str)
    assert_type(await client.chat.items(ItemFilter()), Page[Item])
    assert_type(await client.assistant.execute_tool("memory_search"), dict[str, Any])


def either(memory: mnemic.OpenMemory | mnemic.Client) -> int:
    return memory.count()
