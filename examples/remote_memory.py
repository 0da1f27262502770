"""One program, two places: a memory that is opened here, and one behind an address.

Start `mnemic serve` first; MNEMIC_URL says where it is, if not at its usual address, and
MNEMIC_API_KEY holds the key, if it wants one.
"""

import asyncio

import mnemic
from mnemic import AsyncClient, Client, OpenMemory, Query


def work(memory: OpenMemory | Client) -> None:
    memory.robot.learn("12.5 N holds a wet mug", {"task": {"success": True}})
    memory.robot.learn("湿度高时左边的抽屉会卡住", {"task": {"success": False}})
    for one in memory.robot.recall("抽屉", n=1)["memories"]:
        print(" ", one["content"], one["task"])

    best = memory.recall(Query("How hard to grip a mug?", limit=1)).hits[0]
    print(" ", best.memory.content, best.memory.created_at.tzinfo)

    memory.assistant.call("memory_add", {"content": "我住在成都", "memory_type": "core"})
    print(" ", memory.assistant.call("memory_search", {"query": "成都"})["success"])

    try:
        memory.get(10**9)
    except mnemic.NotFoundError as error:
        print(" ", error)


async def ask_at_once() -> None:
    async with AsyncClient() as memory:
        found = await asyncio.gather(
            memory.robot.recall("mug"), memory.robot.recall("抽屉"), memory.count()
        )
        print(" ", found[0]["total"] > 0, found[1]["total"] > 0, found[2] > 0)


print("opened here")
with mnemic.open() as memory:
    work(memory)

print("behind an address")
with mnemic.Client() as memory:  # The one line that changes.
    work(memory)

print("several questions at once")
asyncio.run(ask_at_once())

print("nobody there")
with mnemic.Client("http://127.0.0.1:9", retries=0) as nobody:
    try:
        nobody.robot.recall("mug")
    except mnemic.UnreachableError as error:
        print(" ", error)
