"""Promises of `mnemic mcp`: all tools by default, many at once on one file, and no silence."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import anyio
from anyio.streams.buffered import BufferedByteReceiveStream
from mcp import Client, StdioServerParameters
from mcp_types import INVALID_REQUEST, PARSE_ERROR, CallToolResult

import mnemic
from tests.mcp.mcp_http_calling import greeting

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


def asked(number: int, tool: str, arguments: str) -> str:
    """Return a call as a line, with arguments exactly as they are written."""
    params = f'{{"name":"{tool}","arguments":{arguments}}}'
    return f'{{"jsonrpc":"2.0","id":{number},"method":"tools/call","params":{params}}}'


def test_every_line_is_answered_also_one_that_is_no_plain_message(tmp_path: Path) -> None:
    lines = [
        json.dumps(greeting()),
        # What JavaScript sends when a text was cut in the middle of an emoji.
        asked(2, "learn", r'{"insight":"\ud83d"}'),
        asked(3, "memory_add", r'{"content":"\ud83d","memory_type":"core"}'),
        asked(4, "recall", f'{{"query":"cup","n":{"9" * 5_000}}}'),
        "garbage",
        "[" * 100_000,
        "[]",
        r'"\ud83d"',
        asked(5, "learn", r'{"insight":"Keep left","\ud83d":1}'),
        asked(6, "learn", '{"insight":"Keep left"}'),
    ]
    answers: list[Any] = []

    async def tell() -> int:
        started = command(tmp_path / "memory.db")
        words = [started.command, *started.args]
        with anyio.fail_after(120):
            async with await anyio.open_process(words, env=started.env, stderr=None) as server:
                assert server.stdin is not None
                assert server.stdout is not None
                await server.stdin.send("".join(f"{one}\n" for one in lines).encode())
                said = BufferedByteReceiveStream(server.stdout)
                received = [await said.receive_until(b"\n", 100_000) for _ in lines]
                answers.extend(json.loads(one) for one in received)
                await server.stdin.aclose()
                return await server.wait()

    assert anyio.run(tell) == 0
    by_id = {one["id"]: one for one in answers}
    assert set(by_id) == {1, 2, 3, 4, 5, 6, None}
    assert "insight: it holds a NUL or half of a" in by_id[2]["result"]["content"][0]["text"]
    assert by_id[3]["result"]["structuredContent"]["error"]["code"] == "INVALID_CONTENT"
    assert "n: " in by_id[4]["result"]["content"][0]["text"]
    nameless = [one["error"]["code"] for one in answers if one["id"] is None]
    assert nameless == [PARSE_ERROR, PARSE_ERROR, INVALID_REQUEST, INVALID_REQUEST]
    assert "no such parameter" in by_id[5]["result"]["content"][0]["text"]
    assert by_id[6]["result"]["isError"] is False


def test_a_client_that_is_gone_when_its_answer_comes_leaves_no_traceback(tmp_path: Path) -> None:
    started = command(tmp_path / "memory.db")
    with subprocess.Popen(
        [started.command, *started.args],
        env=started.env,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as server:
        assert server.stdin is not None
        assert server.stdout is not None
        assert server.stderr is not None
        server.stdout.close()
        server.stdin.write(json.dumps(greeting()).encode() + b"\n")
        server.stdin.close()
        assert server.stderr.read() == b""
        assert server.wait() == 0
