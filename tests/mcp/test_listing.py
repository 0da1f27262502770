"""Promises of what a client is shown: short, valid, and true of every answer."""

import json
from collections.abc import Iterator
from typing import Any, cast

import anyio
import jsonschema
import pytest
from jsonschema import Draft202012Validator
from mcp import Client, MCPError
from mcp_types import (
    INVALID_PARAMS,
    CallToolResult,
    PromptReference,
    ResourceTemplateReference,
    Tool,
)

import mnemic
from mnemic.dialects.robot import catalog
from mnemic.mcp.mcp_server import build_server
from mnemic.mcp.profiles import PROFILES, toolboxes
from mnemic.mcp.resources import ResourceReader
from mnemic.opening import OpenMemory
from mnemic.records.memory import Draft
from tests.mcp.mcp_calling import tools_of

# On this listing a token of o200k_base had 4.23 characters on average, one of cl100k_base 4.36: it
# had 2,940 and 2,851 of them. A rule with less to spare, because no tokenizer comes with the tests.
_CHARACTERS_A_TOKEN = 4.15


@pytest.fixture
def memory() -> Iterator[OpenMemory]:
    """A memory of any kind: what is listed does not depend on the store."""
    with mnemic.open(":memory:", embedder="none") as opened:
        yield opened


def wire(tools: list[Tool]) -> list[dict[str, Any]]:
    """Return tools as they are sent."""
    return [one.model_dump(mode="json", by_alias=True, exclude_none=True) for one in tools]


def test_the_tools_of_both_dialects_cost_less_than_three_thousand_tokens(
    memory: OpenMemory,
) -> None:
    listed = wire(tools_of(memory, "all"))

    assert len(listed) == 11
    assert all("outputSchema" in one and "annotations" in one for one in listed)
    sent = json.dumps(listed, ensure_ascii=False, separators=(",", ":"))
    assert len(sent) / _CHARACTERS_A_TOKEN < 3_000


@pytest.mark.parametrize("profile", PROFILES)
def test_no_two_tools_of_a_profile_have_one_name(memory: OpenMemory, profile: Any) -> None:
    names = [tool.name for tool in tools_of(memory, profile)]

    assert len(names) == len(set(names))


def test_every_schema_is_valid_and_every_hint_is_given(memory: OpenMemory) -> None:
    for tool in wire(tools_of(memory, "extended")):
        assert tool["title"]
        assert set(tool["annotations"]) == {
            *("readOnlyHint", "destructiveHint", "idempotentHint", "openWorldHint"),
        }
        for schema in (tool["inputSchema"], tool["outputSchema"]):
            Draft202012Validator.check_schema(schema)
            assert schema["type"] == "object"
            assert not _lists_without_entries(schema)


def test_a_default_is_a_value_that_its_schema_allows(memory: OpenMemory) -> None:
    for tool in wire(tools_of(memory, "extended")):
        for schema in tool["inputSchema"]["properties"].values():
            if "default" in schema:
                jsonschema.validate(schema["default"], schema, Draft202012Validator)


def test_every_answer_of_the_robots_tools_is_as_its_schemas_say(memory: OpenMemory) -> None:
    long = {tool.name: tool.answers for tool in catalog.tools_of("robot-extended")}

    async def answers() -> set[str]:
        boxes = toolboxes(memory, "robot-extended")
        async with Client(build_server(boxes)) as client:
            shown = {one.name: one.output_schema for one in (await client.list_tools()).tools}

            async def call(tool: str, **arguments: object) -> Any:
                result: CallToolResult = await client.call_tool(tool, arguments)
                said, short = result.structured_content, shown.pop(tool, {})
                assert not result.is_error, result.content
                assert short is not None
                jsonschema.validate(said, short, Draft202012Validator)
                jsonschema.validate(said, long[tool], Draft202012Validator)
                return said

            session = (await call("start_session", context={"robot": {"id": 1}}))["session_id"]
            lesson = {"insight": "Grip force 9 N slips", "session_id": session}
            kept = (await call("learn", **lesson, context={"task": {"success": True}}))["memory_id"]
            await call("learn", insight="Grip force 9 N slips")
            await call("learn", insight="x" * 301, context="no JSON")
            await call("learn_many", insights=["Never run on ice", {"insight": "Keep left"}])
            seen = await call("save_perception", description="a cup", data=[1.5], metadata={"a": 1})
            await call("recall", query="grip force", explain=True)
            near = {"field": "spatial.position", "target": [1, 2]}
            await call("recall", query="cup", spatial_sort=near)
            await call("update", memory_id=kept, new_content="Grip force 11 N holds")
            await call("forget", memory_id=kept, reason="wrong scale")
            await call("undo", memory_id=kept)
            await call("get", memory_id=seen["memory_id"])
            await call("list")
            await call("history", memory_id=kept)
            await call("end_session", session_id=session, outcome_score=0.5)
            await call("erase", memory_id=kept, dry_run=True)
            await call("erase", collection="default")
            return set(shown)

    assert anyio.run(answers) == set()


@pytest.mark.parametrize("profile", ["robot", "assistant"])
def test_what_need_not_be_given_may_be_left_empty(memory: OpenMemory, profile: Any) -> None:
    """Some clients make every parameter a required one."""
    needed = {
        "description": "a red cup",
        "insight": "Keep left",
        "query": "cup",
        "message": "Hello",
        "content": "I like tea",
        "memory_type": "core",
    }
    for box in toolboxes(memory, profile):
        for tool in box.listed():
            properties = tool["inputSchema"]["properties"]
            if not set(tool["inputSchema"].get("required", ())) <= set(needed):
                continue
            given = {name: one.get("default", "") for name, one in properties.items()}
            given |= {name: text for name, text in needed.items() if name in properties}
            assert not box.call(tool["name"], given)["isError"], tool["name"]


def test_a_schema_refuses_an_answer_of_another_kind(memory: OpenMemory) -> None:
    schemas = {tool.name: tool.output_schema for tool in tools_of(memory, "all")}
    for tool, wrong in (
        ("learn", {"status": 5}),
        ("recall", {"memories": [{"id": "one"}]}),
        ("memory_search", {"success": True, "data": {"results": [{"content": 1}]}}),
        ("memory_add", {}),
    ):
        schema = schemas[tool]
        assert schema is not None
        with pytest.raises(jsonschema.ValidationError):
            jsonschema.validate(wrong, schema, Draft202012Validator)


def test_what_may_be_read_and_learned_is_listed(memory: OpenMemory) -> None:
    async def listed() -> tuple[list[str], list[str], list[str]]:
        server = build_server(toolboxes(memory, "all"), ResourceReader(memory))
        async with Client(server) as client:
            resources = (await client.list_resources()).resources
            templates = (await client.list_resource_templates()).resource_templates
            prompts = (await client.list_prompts()).prompts
            return (
                [str(one.uri) for one in resources],
                [one.uri_template for one in templates],
                [one.name for one in prompts],
            )

    assert anyio.run(listed) == (
        ["memory://stats", "memory://recent"],
        ["memory://memories/{id}"],
        ["use-memory"],
    )


@pytest.mark.parametrize(
    ("profile", "language", "there", "missing"),
    [
        ("all", "en", "memory_search", "记忆"),
        ("all", "zh", "recall", "You have"),
        ("robot", "zh", "recall", "memory_search"),
        ("assistant", "en", "memory_add", "start_session"),
    ],
)
def test_a_model_is_taught_about_the_tools_that_it_has(
    memory: OpenMemory, profile: Any, language: str, there: str, missing: str
) -> None:
    async def taught() -> str:
        async with Client(build_server(toolboxes(memory, profile))) as client:
            [said] = (await client.get_prompt("use-memory", {"language": language})).messages
            return str(said.content)

    text = anyio.run(taught)

    assert there in text
    assert missing not in text


@pytest.mark.parametrize(
    ("name", "given"),
    [("use-memory", {"language": "fr"}), ("use-memory", {"tongue": "en"}), ("teach", {})],
)
def test_a_prompt_or_a_language_that_is_not_there_is_refused(
    memory: OpenMemory, name: str, given: dict[str, str]
) -> None:
    async def ask() -> int:
        async with Client(build_server(toolboxes(memory, "all"))) as client:
            with pytest.raises(MCPError) as refused:
                await client.get_prompt(name, given)
            return refused.value.error.code

    assert anyio.run(ask) == INVALID_PARAMS


def test_ids_and_languages_are_completed(memory: OpenMemory) -> None:
    for number in range(12):
        memory.remember(Draft(f"Shelf {number} is full", dedup=False))

    async def complete() -> list[list[str]]:
        server = build_server(toolboxes(memory, "all"), ResourceReader(memory))
        one = ResourceTemplateReference(uri="memory://memories/{id}")
        prompt = PromptReference(name="use-memory")
        async with Client(server) as client:
            asked = [
                client.complete(one, {"name": "id", "value": "1"}),
                client.complete(prompt, {"name": "language", "value": "z"}),
                client.complete(PromptReference(name="x"), {"name": "language", "value": ""}),
            ]
            return [(await found).completion.values for found in asked]

    assert anyio.run(complete) == [["12", "11", "10", "1"], ["zh"], []]


@pytest.mark.parametrize(
    "uri", ["memory://memories/99", "memory://memories/one", "memory://memories/", "memory://all"]
)
@pytest.mark.parametrize(("mode", "code"), [("legacy", -32002), ("auto", INVALID_PARAMS)])
def test_what_is_not_there_is_an_error_of_the_protocol(
    memory: OpenMemory, uri: str, mode: str, code: int
) -> None:
    async def read() -> tuple[int, object]:
        server = build_server(toolboxes(memory, "all"), ResourceReader(memory))
        async with Client(server, mode=mode) as client:
            with pytest.raises(MCPError) as refused:
                await client.read_resource(uri)
            return refused.value.error.code, refused.value.error.data

    assert anyio.run(read) == (code, {"uri": uri})


def test_a_memory_is_read_with_its_versions(memory: OpenMemory) -> None:
    kept = memory.remember(Draft("Grip 9 N", context={"task": {"success": True}})).memory
    memory.revise(kept.id, "Grip 11 N")
    memory.forget(kept.id, reason="wrong scale")

    found = json.loads(ResourceReader(memory).read(f"memory://memories/{kept.id}"))

    assert found == json.loads(ResourceReader(memory).read("memory://memories/mem_0000000001"))
    assert (found["text"], found["status"], found["versions"]) == ("Grip 11 N", "invalidated", 2)
    assert found["context"] == {"task": {"success": True}}
    assert found["status_reason"] == "wrong scale"


def _lists_without_entries(schema: Any) -> list[Any]:
    """Return the schemas of lists that say nothing of their entries: some clients refuse them."""
    if isinstance(schema, list):
        entries = cast("list[Any]", schema)
        return [found for one in entries for found in _lists_without_entries(one)]
    if not isinstance(schema, dict):
        return []
    keys = cast("dict[str, Any]", schema)
    inner = [found for one in keys.values() for found in _lists_without_entries(one)]
    return [keys, *inner] if keys.get("type") == "array" and "items" not in keys else inner
