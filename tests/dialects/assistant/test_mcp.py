"""Promises of the assistant's tools over MCP, kept to the SDK's own client."""

import json
import logging
import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import anyio
import jsonschema
import pytest
from jsonschema import Draft202012Validator
from mcp import Client, MCPError, StdioServerParameters
from mcp_types import CallToolResult

from mnemic.dialects.assistant import catalog
from mnemic.dialects.assistant.catalog import PROFILES
from mnemic.mcp.mcp_server import build_server
from mnemic.mcp.profiles import toolboxes
from mnemic.opening import OpenMemory
from tests.conftest import Clock
from tests.mcp import mcp_calling
from tests.mcp.mcp_calling import MODES, data_of, envelope_of, problem_of, tools_of

Call = Callable[..., CallToolResult]
CONTRACT = Path(__file__).parents[2] / "contracts" / "assistant_tools.json"
FOUR = ["memory_add", "memory_search", "memory_chat", "memory_get_profile"]
NO_PICTURE = "data:image/png;base64,bm8gcGljdHVyZQ=="


@pytest.fixture(params=MODES)
def call(request: pytest.FixtureRequest, memory: OpenMemory) -> Call:
    """Call a tool with and without a handshake."""

    def one(tool: str, **arguments: object) -> CallToolResult:
        return mcp_calling.call(memory, request.param, tool, arguments)

    return one


def test_the_default_profile_is_exactly_the_four_tools(memory: OpenMemory) -> None:
    assert [tool.name for tool in tools_of(memory, "assistant")] == FOUR


def test_the_extended_profile_adds_seven(memory: OpenMemory) -> None:
    names = [tool.name for tool in tools_of(memory, "assistant-extended")]

    assert names[:4] == FOUR
    assert names[4:] == [
        *("memory_update", "memory_delete", "memory_list"),
        *("conversation_list", "conversation_get", "conversation_delete", "memory_erase"),
    ]


def test_names_parameters_and_defaults_are_as_agreed(memory: OpenMemory) -> None:
    """A change here is a change of the contract: clients out there have to follow it."""
    found = {
        profile: {
            tool.name: {
                name: "(required)"
                if name in tool.input_schema.get("required", ())
                else schema.get("default")
                for name, schema in tool.input_schema["properties"].items()
            }
            for tool in tools_of(memory, profile)
        }
        for profile in PROFILES
    }

    assert found == json.loads(CONTRACT.read_text("utf-8"))


def test_every_tool_and_parameter_is_described(memory: OpenMemory) -> None:
    for tool in tools_of(memory, "assistant-extended"):
        assert tool.description
        assert tool.title
        Draft202012Validator.check_schema(tool.input_schema)
        for name, schema in tool.input_schema["properties"].items():
            assert schema["description"], f"{tool.name}.{name}"
            assert "default" not in schema or name not in tool.input_schema.get("required", ())


def test_a_client_is_told_what_only_reads_and_what_destroys(memory: OpenMemory) -> None:
    hints = {
        tool.name: tool.annotations
        for tool in tools_of(memory, "assistant-extended")
        if tool.annotations
    }

    assert len(hints) == 11
    assert {name for name, hint in hints.items() if hint.read_only_hint} == {
        *("memory_search", "memory_get_profile", "memory_list"),
        *("conversation_list", "conversation_get"),
    }
    assert {name for name, hint in hints.items() if hint.destructive_hint} == {
        *("memory_delete", "conversation_delete", "memory_erase"),
    }
    assert {name for name, hint in hints.items() if hint.open_world_hint} == {"memory_chat"}


def test_every_answer_and_every_error_is_as_its_schema_says(memory: OpenMemory, call: Call) -> None:
    schemas = {tool.name: tool.answers for tool in catalog.tools_of("assistant-extended")}
    shown = {tool.name: tool.output_schema for tool in tools_of(memory, "assistant-extended")}

    def check(tool: str, **arguments: object) -> dict[str, Any]:
        envelope = envelope_of(call(tool, **arguments))
        schema, short = schemas[tool], shown[tool]
        assert short is not None
        jsonschema.validate(envelope, schema, Draft202012Validator)
        jsonschema.validate(envelope, short, Draft202012Validator)
        # A schema that lets everything pass would prove nothing.
        keys = schema["properties"]
        assert set(envelope) <= set(keys)
        if envelope["success"]:
            assert set(envelope["data"]) <= set(keys["data"]["properties"])
        return envelope.get("data", {})

    added = check("memory_add", content="我喜欢乌龙茶", memory_type="core", context={"a": 1})
    check("memory_add", content="我喜欢乌龙茶", memory_type="core")
    check("memory_search", query="乌龙茶")
    check("memory_chat", message="我喜欢喝什么？", conversation_id="茶")
    check("memory_get_profile")
    check("memory_update", memory_id=added["memory_id"], content="我喜欢绿茶")
    check("memory_list", limit=1)
    check("conversation_list")
    check("conversation_get", conversation_id="茶")
    check("conversation_delete", conversation_id="茶")
    check("memory_delete", memory_id=added["memory_id"])
    check("memory_erase", memory_id=added["memory_id"], dry_run=True)
    check("memory_erase", everything=True)
    for tool in schemas:
        assert check(tool, user_id="") == {}


def test_the_answer_is_the_envelope_structured_and_as_text(call: Call) -> None:
    result = call("memory_add", content="我喜欢乌龙茶", memory_type="core")

    envelope = envelope_of(result)
    assert list(envelope) == ["success", "data", "message", "timestamp", "execution_time"]
    assert "我喜欢乌龙茶" in str(result.content)
    assert envelope["message"] == "记忆添加成功"


def test_what_one_tool_keeps_the_others_know(call: Call, clock: Clock) -> None:
    added = data_of(call("memory_add", content="I like oolong tea", memory_type="core"))
    clock.turn(minutes=1)
    [found] = data_of(call("memory_search", query="oolong"))["results"]
    clock.turn(minutes=1)
    replied = data_of(call("memory_chat", message="What tea do I like?"))
    profile = data_of(call("memory_get_profile"))["profile"]

    assert found["memory_id"] == added["memory_id"]
    assert replied["mode"] == "extractive"
    assert profile["memory_types"]["core"]["count"] == 1
    assert [one["action"] for one in profile["recent_activity"]] == ["chat", "search", "add"]


@pytest.mark.parametrize(
    ("tool", "arguments", "code"),
    [
        ("memory_add", {}, "INVALID_CONTENT"),
        ("memory_add", {"memory_type": "core"}, "INVALID_CONTENT"),
        ("memory_add", {"content": 5, "memory_type": "core"}, "INVALID_CONTENT"),
        ("memory_add", {"content": None, "memory_type": "core"}, "INVALID_CONTENT"),
        ("memory_add", {"content": "x" * 10_001, "memory_type": "core"}, "INVALID_CONTENT"),
        ("memory_add", {"content": "half \ud83d", "memory_type": "core"}, "INVALID_CONTENT"),
        ("memory_add", {"content": "x"}, "INVALID_MEMORY_TYPE"),
        ("memory_add", {"content": "x", "memory_type": "fact"}, "INVALID_MEMORY_TYPE"),
        ("memory_add", {"content": "x", "memory_type": ["core"]}, "INVALID_MEMORY_TYPE"),
        ("memory_add", {"content": "x", "memory_type": "core", "context": 5}, "INVALID_CONTEXT"),
        ("memory_add", {"content": "x", "memory_type": "core", "colour": 1}, "INVALID_PARAMETER"),
        ("memory_add", {"content": "x", "memory_type": "core", "\ud83d": 1}, "INVALID_PARAMETER"),
        ("memory_search", {}, "INVALID_QUERY"),
        ("memory_search", {"query": ["x"]}, "INVALID_QUERY"),
        ("memory_search", {"query": "x" * 1_001}, "INVALID_QUERY"),
        ("memory_search", {"query": "x", "memory_types": "core"}, "INVALID_MEMORY_TYPES"),
        ("memory_search", {"query": "x", "memory_types": ["cores"]}, "INVALID_MEMORY_TYPES"),
        ("memory_search", {"query": "x", "limit": 0}, "INVALID_LIMIT"),
        ("memory_search", {"query": "x", "limit": 101}, "INVALID_LIMIT"),
        ("memory_search", {"query": "x", "limit": "ten"}, "INVALID_LIMIT"),
        ("memory_search", {"query": "x", "limit": True}, "INVALID_LIMIT"),
        ("memory_chat", {}, "INVALID_MESSAGE"),
        ("memory_chat", {"message": {"text": "x"}}, "INVALID_MESSAGE"),
        ("memory_chat", {"message": "x" * 5_001}, "INVALID_MESSAGE"),
        ("memory_chat", {"message": "x", "memorizing": "no"}, "INVALID_MEMORIZING"),
        ("memory_chat", {"message": "x", "image_uris": "file:///a"}, "INVALID_IMAGE_URI"),
        ("memory_chat", {"message": "x", "image_uris": ["file:///a"]}, "INVALID_IMAGE_URI"),
        ("memory_chat", {"message": "x", "image_uris": [NO_PICTURE]}, "INVALID_IMAGE_URI"),
        ("memory_get_profile", {"memory_types": 5}, "INVALID_MEMORY_TYPES"),
        ("memory_get_profile", {"user_id": "nobody"}, "PROFILE_NOT_FOUND"),
        ("memory_update", {"memory_id": 5, "content": "x"}, "NOT_FOUND"),
        ("memory_delete", {}, "NOT_FOUND"),
        ("conversation_get", {}, "INVALID_CONVERSATION_ID"),
        ("conversation_delete", {"conversation_id": "none"}, "NOT_FOUND"),
    ],
)
def test_wrong_arguments_come_back_as_the_envelope_with_their_code(
    call: Call, tool: str, arguments: dict[str, Any], code: str
) -> None:
    problem = problem_of(call(tool, **arguments))

    assert problem["code"] == code
    assert problem["message"]
    assert problem["details"]
    assert data_of(call("memory_get_profile"))["profile"]["total_memories"] == 0


@pytest.mark.parametrize("content", ["[1,2]", "123", "null", "true", '{"a": 1}', '"quoted"'])
def test_a_text_that_looks_like_json_stays_a_text(call: Call, content: str) -> None:
    added = data_of(
        call("memory_add", content=content, memory_type="knowledge_vault", context=content)
    )

    assert (added["content"], added["context"]) == (content, content)
    [kept] = data_of(call("memory_list"))["memories"]
    assert (kept["content"], kept["context"]) == (content, content)


def test_an_unknown_tool_is_refused_with_those_there_are(memory: OpenMemory) -> None:
    async def misspell() -> str:
        async with Client(build_server(toolboxes(memory, "assistant"))) as client:
            with pytest.raises(MCPError) as refused:
                await client.call_tool("memory_ad", {"content": "x"})
            return str(refused.value)

    told = anyio.run(misspell)

    assert "memory_ad" in told
    assert "memory_get_profile" in told


def test_a_tool_of_another_profile_is_not_there(memory: OpenMemory) -> None:
    async def reach() -> None:
        async with Client(build_server(toolboxes(memory, "assistant"))) as client:
            with pytest.raises(MCPError, match="memory_delete"):
                await client.call_tool("memory_delete", {"memory_id": "mem_0000000001"})

    anyio.run(reach)


def test_a_bug_is_an_envelope_that_is_logged_but_not_shown_and_the_server_goes_on(
    call: Call,
    memory: OpenMemory,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    def break_down(*_: object) -> None:
        raise ZeroDivisionError("a secret of the inside")

    monkeypatch.setattr(memory, "remember", break_down)

    with caplog.at_level(logging.ERROR, logger="mnemic.assistant_tools"):
        result = call("memory_add", content="x", memory_type="core")

    assert problem_of(result)["code"] == "INTERNAL_ERROR"
    assert "secret" not in str(result)
    assert "a secret of the inside" in caplog.text
    assert data_of(call("memory_search", query="anything"))["results"] == []


def test_calls_at_once_are_all_answered_and_mix_up_no_users(memory: OpenMemory) -> None:
    async def add_all() -> None:
        server = build_server(toolboxes(memory, "assistant"))
        async with Client(server) as client, anyio.create_task_group() as group:
            for number in range(20):
                arguments = {
                    "content": f"Shelf {number} is mine",
                    "memory_type": "core",
                    "user_id": f"user-{number % 4}",
                }
                group.start_soon(client.call_tool, "memory_add", arguments)

    anyio.run(add_all)

    for user in range(4):
        found = memory.assistant.call("memory_list", {"user_id": f"user-{user}"})["data"]
        wanted = {f"Shelf {number} is mine" for number in range(20) if number % 4 == user}
        assert {one["content"] for one in found["memories"]} == wanted


@pytest.mark.parametrize("mode", MODES)
def test_the_installed_command_serves_a_client_and_keeps_what_was_added(
    database: str, mode: str
) -> None:
    server = StdioServerParameters(
        command=sys.executable,
        args=["-m", "mnemic.cli.main", "--database", database, "mcp", "--profile", "assistant"],
        env={**os.environ, "MNEMIC_EMBEDDER": "hashing"},
    )

    async def chat() -> tuple[list[str], list[CallToolResult]]:
        async with Client(server, mode=mode) as client:
            names = [tool.name for tool in (await client.list_tools()).tools]
            added = {"content": "我喜欢乌龙茶 😀", "memory_type": "core"}
            return names, [
                await client.call_tool("memory_add", added),
                await client.call_tool("memory_search", {"query": "乌龙茶"}),
                await client.call_tool("memory_add", {**added, "half \ud83d": 1}),
                await client.call_tool("memory_chat", {"message": "我喜欢喝什么？"}),
            ]

    names, (added, found, refused, replied) = anyio.run(chat)

    assert names == FOUR
    assert data_of(added)["content"] == "我喜欢乌龙茶 😀"
    assert [one["content"] for one in data_of(found)["results"]] == ["我喜欢乌龙茶 😀"]
    assert problem_of(refused)["code"] == "INVALID_PARAMETER"
    assert data_of(replied)["memorized"] is True
