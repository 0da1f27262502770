"""Promises of memory_add."""

import json
from pathlib import Path
from typing import Any

import apsw
import pytest

import mnemic
from mnemic.language.memory_types import TYPES
from mnemic.opening import OpenMemory
from tests.conftest import Clock, OpenIt
from tests.dialects.calling import MOMENT, add, call, done, refused, search, total


def test_the_answer_has_the_keys_and_the_words_of_the_contract(memory: OpenMemory) -> None:
    envelope = call(
        memory, "memory_add", content="我是一名工程师", memory_type="core", context="自我介绍"
    )

    assert list(envelope) == ["success", "data", "message", "timestamp", "execution_time"]
    assert envelope["message"] == "记忆添加成功"
    assert envelope["timestamp"] == "2026-03-09T12:00:00Z"
    assert 0 < envelope["execution_time"] < 60
    data = dict(envelope["data"])
    assert data.pop("memory_id").startswith("mem_")
    assert data == {
        "content": "我是一名工程师",
        "memory_type": "core",
        "context": "自我介绍",
        "created_at": "2026-03-09T12:00:00Z",
        "user_id": "default_user",
    }


def test_messages_are_english_where_that_is_set(open_it: OpenIt) -> None:
    memory = open_it(locale="en")

    assert call(memory, "memory_add", content="x", memory_type="core")["message"] == "Memory added"
    problem = refused(memory, "memory_add", content="", memory_type="core")
    assert problem["message"] == "The content is empty or too long"
    assert problem["details"] == "content: it is empty; allowed: a text of 1 to 10000 characters"


@pytest.mark.parametrize("kind", TYPES)
def test_every_type_is_kept_as_it_was_given(memory: OpenMemory, kind: str) -> None:
    add(memory, "一条记忆", kind)

    found = done(memory, "memory_search", query="一条记忆", memory_types=[kind])
    assert [one["memory_type"] for one in found["results"]] == [kind]


@pytest.mark.parametrize("character", ["x", "记", "😀"])
def test_content_has_one_to_ten_thousand_characters(memory: OpenMemory, character: str) -> None:
    longest = character * 10_000

    assert done(memory, "memory_add", content=longest, memory_type="core")["content"] == longest
    assert done(memory, "memory_add", content=character, memory_type="core")["content"] == character
    problem = refused(memory, "memory_add", content=longest + character, memory_type="core")
    assert problem["code"] == "INVALID_CONTENT"
    assert "10001" in problem["details"]
    assert total(memory) == 2


@pytest.mark.parametrize("content", ["", " ", "\n\t　", None, 5, ["x"], {"text": "x"}, True])
def test_content_that_is_empty_or_no_text_is_refused(memory: OpenMemory, content: Any) -> None:
    problem = refused(memory, "memory_add", content=content, memory_type="core")

    assert problem["code"] == "INVALID_CONTENT"
    assert problem["retryable"] is False
    assert total(memory) == 0


@pytest.mark.parametrize("text", ["a\x00b", "half \ud83d"])
def test_a_text_that_nothing_can_hold_is_refused_in_an_answer_that_can_be_sent(
    memory: OpenMemory, text: str
) -> None:
    for tool, params in (
        ("memory_add", {"content": text, "memory_type": "core"}),
        ("memory_add", {"content": "x", "memory_type": text}),
        ("memory_add", {"content": "x", "memory_type": "core", "context": text}),
        ("memory_add", {"content": "x", "memory_type": "core", text: 1}),
        ("memory_search", {"query": text}),
        ("memory_search", {"query": "x", "user_id": text}),
        ("memory_chat", {"message": text}),
        ("memory_chat", {"message": "x", "conversation_id": text}),
        ("memory_chat", {"message": "x", "image_uris": [text]}),
    ):
        problem = refused(memory, tool, **params)
        assert problem["code"].startswith("INVALID_")
        json.dumps(problem, ensure_ascii=False).encode()
    assert total(memory) == 0


@pytest.mark.parametrize("kind", ["", "CORE", "fact", "perception", None, 3, ["core"], {}])
def test_another_type_is_refused_with_those_there_are(memory: OpenMemory, kind: Any) -> None:
    problem = refused(memory, "memory_add", content="x", memory_type=kind)

    assert problem["code"] == "INVALID_MEMORY_TYPE"
    assert "knowledge_vault, auto" in problem["details"]


def test_what_is_missing_is_refused_under_its_own_code(memory: OpenMemory) -> None:
    assert refused(memory, "memory_add", memory_type="core")["code"] == "INVALID_CONTENT"
    assert refused(memory, "memory_add", content="x")["code"] == "INVALID_MEMORY_TYPE"
    assert refused(memory, "memory_add")["code"] == "INVALID_CONTENT"


def test_of_several_wrong_parameters_the_first_is_told(memory: OpenMemory) -> None:
    wrong = {"content": "", "memory_type": "no", "context": 5, "user_id": "", "colour": 1}
    told: list[str] = []
    right = {"content": "x", "memory_type": "core", "context": "c", "user_id": "anna"}
    for name, value in right.items():
        told.append(refused(memory, "memory_add", **wrong)["code"])
        wrong[name] = value

    assert told == ["INVALID_CONTENT", "INVALID_MEMORY_TYPE", "INVALID_CONTEXT", "INVALID_USER_ID"]
    problem = refused(memory, "memory_add", **wrong)
    assert problem["code"] == "INVALID_PARAMETER"
    assert "colour" in problem["details"]


@pytest.mark.parametrize(
    ("content", "kind"),
    [
        ("我叫小明", "core"),
        ("我的爱好是爬山，今天去了", "core"),
        ("昨天去了医院", "episodic"),
        ("熵的定义是无序的程度", "semantic"),
        ("做蛋糕的步骤：先打蛋", "procedural"),
        ("这份文档讲部署", "resource"),
        ("水在一百度沸腾", "knowledge_vault"),
        ("I am a nurse", "core"),
        ("I’m left-handed", "core"),
        ("My sister lives in Oslo", "core"),
        ("Met Tom yesterday", "episodic"),
        ("The concept of entropy", "semantic"),
        ("How to bake bread", "procedural"),
        ("See https://example.org/a", "resource"),
        ("Water boils at 100 degrees", "knowledge_vault"),
        ("Enemy of the state", "knowledge_vault"),
    ],
)
def test_auto_chooses_the_type_by_the_words(memory: OpenMemory, content: str, kind: str) -> None:
    data = done(memory, "memory_add", content=content, memory_type="auto")

    assert data["memory_type"] == kind


def test_the_same_text_of_a_type_is_kept_once_and_answered_with_the_first_id(
    memory: OpenMemory, clock: Clock
) -> None:
    first = done(memory, "memory_add", content="我喜欢乌龙茶", memory_type="core", context="a")
    clock.turn(days=1)

    again = done(memory, "memory_add", content="我喜欢乌龙茶", memory_type="core", context="b")

    assert again == {**first, "duplicate": True}
    assert "duplicate" not in first
    assert total(memory) == 1


def test_another_type_another_case_and_other_words_are_other_memories(memory: OpenMemory) -> None:
    add(memory, "The code is AbC")
    add(memory, "The code is abc")
    add(memory, "The code is AbC", "knowledge_vault")
    add(memory, "the code really is AbC")

    assert total(memory) == 4


def test_a_text_that_was_deleted_can_be_added_again(memory: OpenMemory) -> None:
    first = add(memory, "I like tea")
    done(memory, "memory_delete", memory_id=first)

    assert add(memory, "I like tea") != first
    assert total(memory) == 1


@pytest.mark.parametrize("context", [None, "", "第5章", {"course": "deep learning", "unit": 5}])
def test_a_context_comes_back_as_it_was_given(memory: OpenMemory, context: Any) -> None:
    data = done(memory, "memory_add", content="x", memory_type="core", context=context)

    assert data["context"] == (context or None)


def test_a_memory_is_found_by_its_context_however_long_that_is(memory: OpenMemory) -> None:
    long_note = "from the lecture " + "and so on " * 300 + "about zebras"
    add(memory, "Stripes confuse flies", "semantic", context=long_note)
    add(memory, "反向传播", "semantic", context="深度学习课程")

    assert search(memory, "zebras") == ["Stripes confuse flies"]
    assert search(memory, "课程") == ["反向传播"]


def test_a_memory_that_is_added_again_as_a_secret_is_one_from_then_on(memory: OpenMemory) -> None:
    first = add(memory, "The safe's code is 4711", "knowledge_vault", context="cellar")

    again = done(
        memory,
        "memory_add",
        content="The safe's code is 4711",
        memory_type="knowledge_vault",
        context={"sensitivity": "high"},
    )

    assert (again["memory_id"], again["context"], again["duplicate"]) == (first, "cellar", True)
    told = done(memory, "memory_chat", message="What is the safe's code?")
    assert "4711" not in str(told)


@pytest.mark.parametrize("context", [5, ["a"], True])
def test_a_context_of_another_kind_is_refused(memory: OpenMemory, context: Any) -> None:
    problem = refused(memory, "memory_add", content="x", memory_type="core", context=context)

    assert problem["code"] == "INVALID_CONTEXT"


def test_a_store_that_cannot_be_written_is_a_backend_error_and_never_a_success(
    tmp_path: Path,
) -> None:
    path = tmp_path / "memory.db"
    with mnemic.open(path, embedder="none", busy_seconds=0) as memory:
        add(memory, "before")
        blocker: Any = apsw.Connection(str(path))
        blocker.execute("begin immediate")
        problem = refused(memory, "memory_add", content="meanwhile", memory_type="core")
        blocker.execute("rollback")
        blocker.close()

        assert problem["code"] == "BACKEND_ERROR"
        assert problem["retryable"] is True
        assert total(memory) == 1


def test_a_store_that_is_gone_is_a_backend_error_that_is_not_worth_a_retry(
    memory: OpenMemory,
) -> None:
    memory.close()

    for tool, params in {
        "memory_add": {"content": "x", "memory_type": "core"},
        "memory_search": {"query": "x"},
        "memory_chat": {"message": "x"},
        "memory_get_profile": {},
    }.items():
        problem = refused(memory, tool, **params)
        assert problem["code"] == "BACKEND_ERROR"
        assert problem["retryable"] is False


def test_a_name_that_is_no_tool_raises(memory: OpenMemory) -> None:
    with pytest.raises(mnemic.NotFoundError, match="memory_get_profile"):
        call(memory, "memory_ad")


@pytest.mark.parametrize("params", [["content"], "content", 5])
def test_parameters_that_are_no_object_are_refused(memory: OpenMemory, params: Any) -> None:
    envelope = memory.assistant.call("memory_add", params)

    assert envelope["error"]["code"] == "INVALID_PARAMETER"


def test_timestamps_are_utc_and_end_in_z(memory: OpenMemory, clock: Clock) -> None:
    clock.turn(hours=5)
    add(memory, "x")
    [found] = done(memory, "memory_search", query="x")["results"]

    assert found["created_at"] == found["updated_at"] == "2026-03-09T17:00:00Z"
    assert MOMENT.fullmatch(found["created_at"])
