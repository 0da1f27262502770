"""Whatever a client sends, it gets an answer or one of our errors, and never a broken store."""

import contextlib
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import mnemic
from mnemic import MnemicError
from mnemic.dialects.robot.tools import RobotTools

SCALARS = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text(st.characters(), max_size=40)
    | st.sampled_from(["", " ", "default", "{}", "[]", "null", '{"a":1}', "\x00", "\ud800", "杯子"])
)
ANYTHING = st.recursive(
    SCALARS,
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(st.text(max_size=8) | st.sampled_from(["$lt", "field", "target"]), inner)
    ),
    max_leaves=8,
)
TOOLS: dict[str, list[str]] = {
    "learn": ["insight", "context", "collection", "session_id"],
    "learn_many": ["insights", "collection", "session_id"],
    "recall": [
        "query",
        "collection",
        "n",
        "min_confidence",
        "session_id",
        "context_filter",
        "spatial_sort",
    ],
    "save_perception": ["description", "perception_type", "data", "metadata", "collection"],
    "forget": ["memory_id", "reason"],
    "update": ["memory_id", "new_content", "context"],
    "start_session": ["collection", "context"],
    "end_session": ["session_id", "outcome_score"],
    "get": ["memory_id"],
    "list": ["collection", "status", "category", "context_filter", "n", "before_id"],
    "history": ["memory_id"],
    "undo": ["memory_id"],
}
GOOD: dict[str, Any] = {
    "insight": "the cup is red",
    "insights": ["the cup is red"],
    "query": "cup",
    "description": "a red cup",
    "memory_id": 1,
    "reason": "wrong",
    "new_content": "the cup is blue",
    "session_id": "nowhere",
}


@pytest.fixture(scope="module")
def robot() -> Iterator[RobotTools]:
    with mnemic.open(":memory:", embedder="hashing", durability="off") as memory:
        memory.robot.learn("the cup is red", context={"a": 1, "b": [1, 2]})
        yield memory.robot


@given(data=st.data())
@settings(max_examples=400, deadline=None)
def test_no_exception_but_ours_reaches_a_caller(robot: RobotTools, data: st.DataObject) -> None:
    tool = data.draw(st.sampled_from(sorted(TOOLS)))
    wild = data.draw(st.sets(st.sampled_from(TOOLS[tool]), min_size=1, max_size=3))
    arguments = {
        name: data.draw(ANYTHING, label=name) if name in wild else GOOD[name]
        for name in TOOLS[tool]
        if name in wild or name in GOOD
    }

    with contextlib.suppress(MnemicError):
        getattr(robot, tool)(**arguments)

    assert robot.recall("cup")["query_ms"] >= 0


@given(insight=st.text(st.characters(), min_size=1, max_size=400))
@settings(max_examples=150, deadline=None)
def test_every_lesson_that_is_accepted_comes_back_as_it_was_written(
    robot: RobotTools, insight: str
) -> None:
    with contextlib.suppress(MnemicError):
        answer = robot.learn(insight, collection="fuzz")
        if answer["status"] == "created":
            stored = robot.get(answer.get("memory_id", 0))["content"]
            assert stored == insight.strip()[:300].rstrip()
