"""An MCP client over HTTP: what a host app does for its model, done by hand.

Start `mnemic serve` first; MNEMIC_URL says where it is, if not at its usual address.
"""

import asyncio
import json
import os
from typing import Any, cast

from mcp import Client
from mcp_types import CallToolResult, TextContent, TextResourceContents

HOST = os.environ.get("MNEMIC_URL", "http://127.0.0.1:7077")


def answer(result: CallToolResult) -> dict[str, Any]:
    return cast("dict[str, Any]", result.structured_content)


async def main() -> None:
    async with Client(f"{HOST}/mcp") as client:
        tools = (await client.list_tools()).tools
        print(len(tools), "tools:", ", ".join(tool.name for tool in tools))

        # What a model would call after a run that went wrong, and before the next one.
        lesson = {
            "insight": "A wet mug slips below 14 N of grip force",
            "context": {"params": {"grip_force": {"value": 14, "unit": "N"}}},
        }
        await client.call_tool("learn", lesson)
        found = await client.call_tool("recall", {"query": "grip a wet mug", "n": 1})
        print("recalled:", answer(found)["memories"][0]["content"])

        # What it would call when a person tells it something.
        told = {"content": "我对花生过敏", "memory_type": "core"}
        await client.call_tool("memory_add", told)
        known = await client.call_tool("memory_search", {"query": "花生"})
        print("known:", answer(known)["data"]["results"][0]["content"])

        # What an app reads without asking its model.
        [stats] = (await client.read_resource("memory://stats")).contents
        if isinstance(stats, TextResourceContents):
            print("memories in use:", json.loads(stats.text)["memories"])
        [taught] = (await client.get_prompt("use-memory", {"language": "en"})).messages
        if isinstance(taught.content, TextContent):
            print("taught:", taught.content.text.splitlines()[0])


asyncio.run(main())
