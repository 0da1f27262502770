"""Both sides of every number of the assistant's contract."""

from base64 import b64encode
from typing import Any

import pytest

from mnemic.opening import OpenMemory
from tests.conftest import Clock
from tests.dialects.calling import add, call, done

PNG = b"\x89PNG\r\n\x1a\n"
MEGABYTES_3 = 3 * 1024 * 1024


def picture(size: int) -> str:
    return "data:image/png;base64," + b64encode(PNG + bytes(size - len(PNG))).decode()


@pytest.mark.parametrize(
    ("tool", "params", "name", "most"),
    [
        ("memory_add", {"memory_type": "core"}, "content", 10_000),
        ("memory_search", {}, "query", 1_000),
        ("memory_chat", {}, "message", 5_000),
    ],
)
def test_a_text_has_so_many_characters_at_most(
    memory: OpenMemory, tool: str, params: dict[str, Any], name: str, most: int
) -> None:
    whole = call(memory, tool, **params, **{name: "雨" * most})
    longer = call(memory, tool, **params, **{name: "雨" * (most + 1)})

    assert whole["success"]
    assert longer["error"]["code"] == f"INVALID_{name.upper()}"


def test_a_search_returns_1_to_100(memory: OpenMemory) -> None:
    codes = {
        limit: call(memory, "memory_search", query="rain", limit=limit).get("error", {}).get("code")
        for limit in (0, 1, 100, 101)
    }

    assert codes == {0: "INVALID_LIMIT", 1: None, 100: None, 101: "INVALID_LIMIT"}


@pytest.mark.parametrize(
    ("pictures", "fine"),
    [
        ([picture(100)] * 10, True),
        ([picture(100)] * 11, False),
        ([picture(MEGABYTES_3)], True),
        ([picture(MEGABYTES_3 + 1)], False),
    ],
    ids=["10", "11", "3 MB", "more"],
)
def test_a_message_has_at_most_10_pictures_of_3_megabytes(
    memory: OpenMemory, pictures: list[str], fine: bool
) -> None:
    answer = call(memory, "memory_chat", message="Look", image_uris=pictures)

    assert answer["success"] is fine


def patterns(memory: OpenMemory) -> dict[str, Any]:
    return done(memory, "memory_get_profile")["profile"]["usage_patterns"]


def test_20_operations_in_7_days_are_high_10_medium_and_1_low(
    memory: OpenMemory, clock: Clock
) -> None:
    levels = [patterns(memory)["activity_level"]]
    for number in range(20):
        add(memory, f"Cat number {number}")
        levels.append(patterns(memory)["activity_level"])

    assert levels == ["inactive", *["low"] * 9, *["medium"] * 10, "high"]
    clock.turn(days=6, hours=23)
    assert patterns(memory)["activity_level"] == "high"
    clock.turn(hours=2)
    assert patterns(memory)["activity_level"] == "inactive"


def test_the_last_20_operations_are_told(memory: OpenMemory, clock: Clock) -> None:
    for number in range(21):
        clock.turn(seconds=1)
        add(memory, f"Cat number {number}")

    recent = done(memory, "memory_get_profile")["profile"]["recent_activity"]

    assert len(recent) == 20
