"""Promises of `mnemic.assistant_tools`: the tools by their names, on one memory of the program."""

import asyncio
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import apsw
import pytest

import mnemic
from mnemic.assistant_tools import close_tools, execute_tool, initialize_tools
from mnemic.dialects.assistant.catalog import PROFILES
from tests.providers.chat_server import PICTURE


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The store that the settings name, where no test asks for another one."""
    path = tmp_path / "named-by-settings.db"
    monkeypatch.setenv("MNEMIC_DATABASE", str(path))
    monkeypatch.setenv("MNEMIC_EMBEDDER", "hashing")
    yield path
    close_tools()


async def add(content: str, memory_type: str = "core", **more: Any) -> dict[str, Any]:
    return await execute_tool(
        "memory_add", {"content": content, "memory_type": memory_type, **more}
    )


async def total() -> int:
    profile = await execute_tool("memory_get_profile")
    return profile["data"]["profile"]["total_memories"]


def test_a_call_opens_the_memory_that_the_settings_name(home: Path) -> None:
    added = asyncio.run(add("我喜欢乌龙茶"))

    assert added["success"]
    assert home.exists()
    close_tools()
    assert asyncio.run(total()) == 1


def test_initializing_names_a_memory_and_tells_the_tools(tmp_path: Path, home: Path) -> None:
    path = tmp_path / "mine.db"

    tools = initialize_tools(path, embedder="none")

    assert [tool["name"] for tool in tools] == list(PROFILES["assistant"])
    assert all(tool["description"] and tool["inputSchema"] for tool in tools)
    assert asyncio.run(add("I like tea"))["success"]
    assert not home.exists()
    close_tools()
    with mnemic.open(path, embedder="none") as memory:
        assert memory.assistant.call("memory_search", {"query": "tea"})["data"]["total_results"]


def test_initializing_may_be_awaited(tmp_path: Path) -> None:
    async def run() -> tuple[list[dict[str, Any]], int]:
        tools = await initialize_tools(tmp_path / "mine.db")
        await add("I like tea")
        return tools, await total()

    tools, counted = asyncio.run(run())

    assert len(tools) == 4
    assert counted == 1


def test_initializing_again_closes_the_former_memory(tmp_path: Path) -> None:
    first, second = tmp_path / "first.db", tmp_path / "second.db"
    initialize_tools(first)
    asyncio.run(add("in the first"))
    initialize_tools(second)

    assert asyncio.run(total()) == 0
    # The last to close a file takes its log along.
    assert not first.with_name("first.db-wal").exists()
    initialize_tools(first)
    assert asyncio.run(total()) == 1


def test_after_closing_the_next_call_opens_again() -> None:
    asyncio.run(add("I like tea"))
    close_tools()
    close_tools()

    assert asyncio.run(total()) == 1


def test_a_store_that_cannot_be_opened_is_an_error_that_is_told_and_not_raised(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "notes.txt"
    path.write_bytes(b"these are my notes, not a database" * 100)
    monkeypatch.setenv("MNEMIC_DATABASE", str(path))

    refused = asyncio.run(add("I like tea"))

    assert set(refused) == {"success", "error", "timestamp"}
    assert refused["error"]["code"] == "BACKEND_ERROR"
    path.unlink()
    assert asyncio.run(add("I like tea"))["success"]


def test_a_store_that_is_being_written_is_an_error_that_is_worth_a_retry(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MNEMIC_BUSY_SECONDS", "0")
    blocker: Any = apsw.Connection(str(home))
    blocker.execute("begin immediate; create table mine (id)")

    refused = asyncio.run(add("I like tea"))
    blocker.execute("rollback")
    blocker.close()

    assert refused["error"]["code"] == "BACKEND_ERROR"
    assert refused["error"]["retryable"] is True
    assert asyncio.run(add("I like tea"))["success"]


def test_initializing_what_cannot_be_opened_raises(tmp_path: Path) -> None:
    with pytest.raises(mnemic.StorageError):
        initialize_tools(tmp_path)


def test_a_name_that_is_no_tool_raises() -> None:
    with pytest.raises(mnemic.NotFoundError, match="memory_add"):
        asyncio.run(execute_tool("memory_ad", {"content": "x"}))


def test_many_calls_at_once_lose_nothing_and_mix_up_no_users() -> None:
    async def run() -> list[dict[str, Any]]:
        adds = [add(f"第 {number} 号柜子", user_id=f"user-{number % 5}") for number in range(50)]
        searches = [
            execute_tool("memory_search", {"query": "柜子", "user_id": f"user-{number % 5}"})
            for number in range(50)
        ]
        return await asyncio.gather(*adds, *searches)

    async def counts() -> list[int]:
        profiles = [
            await execute_tool("memory_get_profile", {"user_id": f"user-{number}"})
            for number in range(5)
        ]
        return [one["data"]["profile"]["total_memories"] for one in profiles]

    results = asyncio.run(run())

    assert all(one["success"] for one in results)
    assert len({one["data"]["memory_id"] for one in results[:50]}) == 50
    assert asyncio.run(counts()) == [10] * 5


def test_a_memory_with_a_context_is_found_by_its_types() -> None:
    async def run() -> tuple[dict[str, Any], dict[str, Any], dict[str, Any]]:
        added = await add("今天读完了第三章", "episodic", context="读书会")
        await add("我是一名护士")
        found = await execute_tool(
            "memory_search", {"query": "第三章", "memory_types": ["episodic", "core"], "limit": 3}
        )
        profile = await execute_tool("memory_get_profile", {"memory_types": ["core", "episodic"]})
        return added, found, profile

    added, found, profile = asyncio.run(run())

    assert added["data"]["context"] == "读书会"
    assert found["data"]["results"][0]["memory_id"] == added["data"]["memory_id"]
    counted = profile["data"]["profile"]
    assert set(counted["memory_types"]) == {"core", "episodic"}
    assert counted["total_memories"] == 2


def test_a_chat_may_be_kept_or_not_and_may_have_a_picture() -> None:
    async def run() -> list[dict[str, Any]]:
        return [
            await execute_tool("memory_chat", {"message": "外面冷吗？", "memorizing": False}),
            await execute_tool("memory_chat", {"message": "我想学编程"}),
            await execute_tool(
                "memory_chat", {"message": "What is in it?", "image_uris": [PICTURE]}
            ),
        ]

    unkept, kept, pictured = asyncio.run(run())

    assert [one["data"]["memorized"] for one in (unkept, kept, pictured)] == [False, True, True]
    assert all(one["data"]["response"] for one in (unkept, kept, pictured))
    assert unkept["data"]["conversation_id"] != kept["data"]["conversation_id"]


def test_a_loop_adds_one_after_the_other() -> None:
    async def run() -> list[bool]:
        wanted = [("一", "core"), ("二", "episodic"), ("三", "semantic")]
        return [(await add(content, kind))["success"] for content, kind in wanted]

    assert asyncio.run(run()) == [True, True, True]
    assert asyncio.run(total()) == 3


@pytest.mark.parametrize(
    ("content", "kind"), [("我叫小明", "core"), ("今天下雨", "episodic"), ("水会沸腾", "other")]
)
def test_a_wrapper_may_choose_the_type_by_itself(content: str, kind: str) -> None:
    async def add_by_words(content: str, context: str | None = None) -> dict[str, Any]:
        marks = {"core": ("我叫", "我的"), "episodic": ("今天", "昨天")}
        fitting = [name for name, words in marks.items() if any(one in content for one in words)]
        return await add(content, (fitting or ["knowledge_vault"])[0], context=context)

    chosen = asyncio.run(add_by_words(content))["data"]["memory_type"]

    assert chosen == (kind if kind != "other" else "knowledge_vault")


def test_a_search_and_a_chat_go_together() -> None:
    async def run() -> dict[str, Any]:
        await add("I like oolong tea")
        message = "What tea do I like?"
        found = await execute_tool("memory_search", {"query": message, "limit": 5})
        replied = await execute_tool("memory_chat", {"message": message})
        return {"related": found["data"]["results"], "reply": replied["data"]["response"]}

    both = asyncio.run(run())

    assert [one["content"] for one in both["related"]] == ["I like oolong tea"]
    assert both["reply"]


def test_a_wrapper_that_retries_sees_what_may_help() -> None:
    told: list[dict[str, Any]] = []

    async def insist(tool: str, params: dict[str, Any], attempts: int = 3) -> dict[str, Any]:
        for _ in range(attempts):
            result = await execute_tool(tool, params)
            if result["success"]:
                return result
            told.append(result["error"])
            if not result["error"]["retryable"]:
                break
        raise LookupError(tool)

    assert asyncio.run(insist("memory_get_profile", {}))["success"]
    with pytest.raises(LookupError):
        asyncio.run(insist("memory_add", {"content": "", "memory_type": "core"}))
    assert [one["code"] for one in told] == ["INVALID_CONTENT"]


def test_gathered_calls_may_return_their_exceptions() -> None:
    async def run() -> list[Any]:
        calls = [
            add("一条"),
            execute_tool("memory_search", {"query": "一条"}),
            execute_tool("no_such_tool", {}),
        ]
        return list(await asyncio.gather(*calls, return_exceptions=True))

    added, found, wrong = asyncio.run(run())

    assert added["success"]
    assert found["success"]
    assert isinstance(wrong, mnemic.NotFoundError)
