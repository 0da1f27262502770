"""Promises of the MCP door, kept to the SDK's own client."""

import json
import logging
import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import anyio
import pytest
from jsonschema import Draft202012Validator
from mcp import Client, MCPError, StdioServerParameters
from mcp.server.lowlevel import Server
from mcp_types import CallToolResult, TextContent, Tool

from mnemic.dialects.robot.catalog import PROFILES, Profile
from mnemic.dialects.robot.toolbox import RobotToolbox
from mnemic.dialects.robot.tools import RobotTools
from mnemic.mcp.mcp_server import build_server
from mnemic.opening import OpenMemory

Call = Callable[..., CallToolResult]
CONTRACT = Path(__file__).parents[1] / "contracts" / "robot_tools.json"
SUCCESS = {"task": {"success": True}, "spatial": {"object_position": [1.0, 2.0]}}
FAILURE = {"task": {"success": False}, "spatial": {"object_position": [5.0, 2.0]}}


@pytest.fixture(params=["legacy", "auto"])
def call(request: pytest.FixtureRequest, memory: OpenMemory) -> Call:
    """Call a tool as a client of the SDK does, with and without a handshake."""

    def one(tool: str, **arguments: object) -> CallToolResult:
        return anyio.run(_call, memory.robot, request.param, tool, arguments)

    return one


def _server(robot: RobotTools, profile: Profile = "robot") -> Server:
    return build_server([RobotToolbox(robot, profile)])


async def _call(
    robot: RobotTools, mode: str, tool: str, arguments: dict[str, Any]
) -> CallToolResult:
    async with Client(_server(robot, "robot-extended"), mode=mode) as client:
        return await client.call_tool(tool, arguments)


async def _listed(robot: RobotTools, profile: Profile) -> list[Tool]:
    async with Client(_server(robot, profile)) as client:
        return (await client.list_tools()).tools


def tools_of(robot: RobotTools, profile: Profile = "robot-extended") -> list[Tool]:
    return anyio.run(_listed, robot, profile)


def said(result: CallToolResult) -> dict[str, Any]:
    assert not result.is_error, result.content
    return result.structured_content


def text_of(result: CallToolResult) -> str:
    [block] = result.content
    assert isinstance(block, TextContent)
    return block.text


def refusal(result: CallToolResult) -> str:
    assert result.is_error
    assert result.structured_content is None
    return text_of(result)


def test_the_profile_of_robots_is_exactly_the_seven_tools(robot: RobotTools) -> None:
    assert [tool.name for tool in tools_of(robot, "robot")] == [
        "learn",
        "recall",
        "save_perception",
        "forget",
        "update",
        "start_session",
        "end_session",
    ]


def test_the_extended_profile_adds_six(robot: RobotTools) -> None:
    names = [tool.name for tool in tools_of(robot)]

    assert names[7:] == ["get", "list", "history", "undo", "learn_many", "erase"]


def test_names_parameters_and_defaults_are_as_agreed(robot: RobotTools) -> None:
    """A change here is a change of the contract: clients out there have to follow it."""
    found = {
        profile: {
            tool.name: {
                name: "(required)"
                if name in tool.input_schema.get("required", ())
                else schema.get("default")
                for name, schema in tool.input_schema["properties"].items()
            }
            for tool in tools_of(robot, profile)
        }
        for profile in PROFILES
    }

    assert found == json.loads(CONTRACT.read_text("utf-8"))


def test_every_tool_and_parameter_is_described(robot: RobotTools) -> None:
    for tool in tools_of(robot):
        assert tool.description
        assert tool.title
        Draft202012Validator.check_schema(tool.input_schema)
        for name, schema in tool.input_schema["properties"].items():
            assert schema["description"], f"{tool.name}.{name}"
            assert "default" not in schema or name not in tool.input_schema.get("required", ())


def test_a_client_is_told_what_only_reads_and_that_only_erasing_destroys(robot: RobotTools) -> None:
    hints = {tool.name: tool.annotations for tool in tools_of(robot)}

    reading = {name for name, hint in hints.items() if hint and hint.read_only_hint}
    assert reading == {"recall", "get", "list", "history"}
    destroying = {name for name, hint in hints.items() if not hint or hint.destructive_hint}
    assert destroying == {"erase"}


def test_the_answer_is_the_same_structured_and_as_text(call: Call) -> None:
    call("learn", insight="夹爪力 12.5 N 最适合圆柱体", context=SUCCESS)

    result = call("recall", query="圆柱体")

    assert json.loads(text_of(result)) == said(result)
    assert "圆柱体" in text_of(result)
    [hit] = said(result)["memories"]
    assert hit["_rrf_score"] == 1.0
    assert hit["perception_type"] is None


def test_every_tool_answers_as_its_method_does(call: Call, robot: RobotTools) -> None:
    session = said(call("start_session", context={"robot": {"type": "UR5e"}}))["session_id"]
    first = said(call("learn", insight="Grip force 9 N slips", session_id=session))["memory_id"]
    said(call("learn_many", insights=["Never run on ice", {"insight": "Keep left"}]))
    said(call("update", memory_id=first, new_content="Grip force 11 N holds"))
    said(call("forget", memory_id=first, reason="wrong scale"))
    said(call("undo", memory_id=first))
    said(call("end_session", session_id=session, outcome_score=0.5))

    assert said(call("get", memory_id=first)) == robot.get(first)
    assert said(call("list")) == {"result": robot.list()}
    assert said(call("history", memory_id=first)) == {"result": robot.history(first)}


def test_a_filter_may_be_a_text_or_an_object(call: Call) -> None:
    call("learn", insight="The cup was lifted", context=json.dumps(SUCCESS))
    call("learn", insight="The cup was dropped", context=FAILURE)
    wanted = {"task.success": True}
    near = {"field": "spatial.object_position", "target": [1, 2]}

    as_object = said(call("recall", query="cup", context_filter=wanted, spatial_sort=near))
    as_text = said(
        call(
            "recall", query="cup", context_filter=json.dumps(wanted), spatial_sort=json.dumps(near)
        )
    )

    assert [hit["content"] for hit in as_object["memories"]] == ["The cup was lifted"]
    assert as_text["memories"] == as_object["memories"]
    assert as_text["memories"][0]["distance"] == 0.0


@pytest.mark.parametrize("insight", ["[1,2]", "123", "null", "true", '{"a": 1}', '"quoted"'])
def test_an_insight_that_looks_like_json_stays_a_text(call: Call, insight: str) -> None:
    learned = said(call("learn", insight=insight))

    assert said(call("get", memory_id=learned["memory_id"]))["content"] == insight


@pytest.mark.parametrize("data", ['{"b":1.0,  "a":[1e3]}', "[1.10]", "123", ' {"x": "力"} '])
def test_sensor_data_comes_back_byte_for_byte(call: Call, data: str) -> None:
    kept = said(call("save_perception", description="force curve", data=data, metadata=data))

    record = said(call("get", memory_id=kept["memory_id"]))

    assert record["data"] == data
    assert record["metadata"] == data


def test_sensor_data_may_be_an_object(call: Call) -> None:
    readings = {"newton": [1.5, 2.0], "note": "力"}
    kept = said(call("save_perception", description="force curve", data=readings))

    assert json.loads(said(call("get", memory_id=kept["memory_id"]))["data"]) == readings


def test_an_unknown_session_is_a_tool_error_that_names_it(call: Call) -> None:
    assert "no-such-run" in refusal(call("end_session", session_id="no-such-run"))


@pytest.mark.parametrize(
    ("tool", "arguments", "parameter", "hint"),
    [
        ("learn", {}, "insight", "missing"),
        ("forget", {"memory_id": 1}, "reason", "missing"),
        ("learn", {"insight": "x", "colection": "a"}, "colection", "insight, context, collection"),
        ("learn", {"insight": 5}, "insight", "it is a number"),
        ("recall", {"query": "x", "n": 0}, "n", "1 to 100"),
        ("recall", {"query": "x", "n": "5"}, "n", "it is a text"),
        ("recall", {"query": "x", "min_confidence": True}, "min_confidence", "0.0 to 1.0"),
        ("recall", {"query": "x", "min_relevance": 10**400}, "min_relevance", "0.0 to 1.0"),
        ("recall", {"query": "x", "context_filter": "{"}, "context_filter", "not"),
        ("recall", {"query": "x", "context_filter": [1]}, "context_filter", "object"),
        ("recall", {"query": "x", "spatial_sort": {"target": [1]}}, "spatial_sort", "field"),
        ("list", {"before_id": "1"}, "before_id", "it is a text"),
        ("list", {"before_id": 0}, "before_id", "over 0"),
        ("learn_many", {"insights": ["x", {"insight": 5}]}, "insights.1.insight", "it is a number"),
        ("learn_many", {"insights": ["x"], "collection": 5}, "collection", "it is a number"),
        ("save_perception", {"description": "abc"}, "description", "at least 5"),
        ("save_perception", {"description": "a scene", "perception_type": "smell"}, "p", "tactile"),
        ("save_perception", {"description": "a scene", "data": "{"}, "data", "JSON"),
        ("forget", {"memory_id": 0, "reason": "x"}, "memory_id", "over 0"),
        ("update", {"memory_id": "1", "new_content": "x"}, "memory_id", "it is a text"),
    ],
)
def test_a_wrong_argument_is_an_error_that_names_it(
    call: Call, tool: str, arguments: dict[str, Any], parameter: str, hint: str
) -> None:
    told = refusal(call(tool, **arguments))

    assert told.startswith(parameter)
    assert hint in told


def test_an_unknown_tool_is_refused_with_those_there_are(robot: RobotTools) -> None:
    async def misspell() -> str:
        async with Client(_server(robot)) as client:
            with pytest.raises(MCPError) as refused:
                await client.call_tool("lern", {"insight": "x"})
            return str(refused.value)

    told = anyio.run(misspell)

    assert "lern" in told
    assert "save_perception" in told


def test_a_bug_is_logged_but_not_shown_and_the_server_goes_on(
    call: Call, robot: RobotTools, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def break_down(**_: object) -> None:
        raise ZeroDivisionError("a secret of the inside")

    monkeypatch.setattr(robot, "learn", break_down)

    with caplog.at_level(logging.ERROR, logger="mnemic.mcp"):
        told = refusal(call("learn", insight="x"))

    assert "secret" not in told
    assert "a secret of the inside" in caplog.text
    assert said(call("recall", query="anything"))["memories"] == []


def test_half_of_a_surrogate_pair_does_no_harm(call: Call) -> None:
    assert "surrogate" in refusal(call("learn", insight="half \ud83d"))
    assert "no such parameter" in refusal(call("learn", insight="x", **{"half \ud83d": 1}))


def test_calls_at_once_are_all_answered(robot: RobotTools) -> None:
    async def learn_all() -> set[int]:
        found: set[int] = set()

        async with Client(_server(robot)) as client, anyio.create_task_group() as group:

            async def learn(number: int) -> None:
                result = await client.call_tool("learn", {"insight": f"Shelf {number} is full"})
                found.add(said(result)["memory_id"])

            for number in range(20):
                group.start_soon(learn, number)
        return found

    assert len(anyio.run(learn_all)) == 20


@pytest.mark.parametrize("mode", ["legacy", "auto"])
def test_the_installed_command_serves_a_client_and_keeps_what_it_learned(
    database: str, mode: str
) -> None:
    server = StdioServerParameters(
        command=sys.executable,
        args=["-m", "mnemic.cli.main", "--database", database, "mcp", "--profile", "robot"],
        env={**os.environ, "MNEMIC_EMBEDDER": "hashing"},
    )

    async def chat() -> tuple[list[str], CallToolResult]:
        async with Client(server, mode=mode) as client:
            names = [tool.name for tool in (await client.list_tools()).tools]
            await client.call_tool("learn", {"insight": "夹爪要先减速", "context": "{}"})
            return names, await client.call_tool("recall", {"query": "减速"})

    names, recalled = anyio.run(chat)

    assert names == list(PROFILES["robot"])
    assert [hit["content"] for hit in said(recalled)["memories"]] == ["夹爪要先减速"]
