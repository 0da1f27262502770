"""Promises of `mnemic mcp`: all tools by default, and many of them on one file at once."""

import os
import sys
from pathlib import Path

import anyio
from mcp import Client, StdioServerParameters
from mcp_types import CallToolResult

import mnemic

PROCESSES = 3
LESSONS = 6


def command(database: Path, *options: str) -> StdioServerParameters:
    """Return what a client app starts."""
    return StdioServerParameters(
        command=sys.executable,
        args=["-m", "mnemic.cli.main", "--database", str(database), "mcp", *options],
        env={**os.environ, "MNEMIC_EMBEDDER": "hashing"},
    )


def test_many_of_them_may_learn_and_recall_on_one_file_at_once(tmp_path: Path) -> None:
    database = tmp_path / "memory.db"
    tools: list[int] = []
    answers: list[CallToolResult] = []

    async def app(name: int) -> None:
        async with Client(command(database)) as client:
            tools.append(len((await client.list_tools()).tools))
            for number in range(LESSONS):
                lesson = {"insight": f"Robot {name} counted {number + 1} cups in bay {name}"}
                answers.append(await client.call_tool("learn", lesson))
                answers.append(await client.call_tool("recall", {"query": "cups"}))
                said = {"content": f"Note {number} of app {name}", "memory_type": "core"}
                answers.append(await client.call_tool("memory_add", said))

    async def all_at_once() -> None:
        async with anyio.create_task_group() as group:
            for name in range(PROCESSES):
                group.start_soon(app, name)

    anyio.run(all_at_once)

    assert tools == [11] * PROCESSES
    assert [one.content for one in answers if one.is_error] == []
    with mnemic.open(database, embedder="hashing") as memory:
        told = {one["content"] for one in memory.robot.list(n=100)}
        assert told == {
            f"Robot {name} counted {number + 1} cups in bay {name}"
            for name in range(PROCESSES)
            for number in range(LESSONS)
        }
        listed = memory.assistant.call("memory_list", {"limit": 100})["data"]["memories"]
        assert len({one["content"] for one in listed}) == PROCESSES * LESSONS
