"""Promises of the script that cuts public data sets to what was measured."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.benchmarks.conftest import Loader


def test_locomo_is_cut_to_three_conversations_with_turns_that_answer(
    benchmark: Loader, tmp_path: Path
) -> None:
    cut = benchmark("cut_data")
    turns = [
        {"speaker": "Gina", "dia_id": "D1:1", "text": "Hello!"},
        {"speaker": "Jon", "dia_id": "D1:2", "text": "Look.", "blip_caption": "a shop"},
    ]
    talk = {"speaker_a": "Gina", "session_1_date_time": "noon", "session_1": turns}
    asked = {"question": "What has Jon?", "evidence": ["D:1:2"], "category": 1}
    names = ("conv-26", *cut.LOCOMO)
    source = tmp_path / "locomo10.json"
    source.write_text(
        json.dumps([{"sample_id": name, "conversation": talk, "qa": [asked]} for name in names])
    )

    units = cut.cut_locomo(source)

    assert [unit["unit"] for unit in units] == ["conv-30", "conv-43", "conv-48"]
    assert [doc["text"] for doc in units[0]["docs"]] == [
        "Gina: Hello!",
        "Jon: Look. [shares image: a shop]",
    ]
    assert units[0]["docs"][1]["ts"] == "noon"
    assert units[0]["queries"] == [
        {"id": "locomo_1_qa0", "q": "What has Jon?", "gold": ["D1:2"], "cat": "multi-hop"}
    ]


def test_memdaily_is_cut_to_stores_in_which_a_repeated_message_is_one_text(
    benchmark: Loader, tmp_path: Path
) -> None:
    cut = benchmark("cut_data")
    for name in cut.MEMDAILY:
        (tmp_path / f"{name.partition('@')[0]}.json").write_text(
            json.dumps([_trajectory(number) for number in range(300)]), "utf-8"
        )

    units = cut.cut_memdaily(tmp_path)

    assert len(units) == 20
    [first, *_] = units
    assert first["unit"] == "01_simple_events@50"
    assert [doc["id"] for doc in first["docs"]][:3] == ["50:0", "50:1", "51:1"]
    assert len(first["docs"]) == 26
    assert first["queries"][1] == {
        "id": "01_simple_events:51:0",
        "q": "去哪儿？",
        "gold": ["51:1", "50:0"],
        "cat": "simple",
    }


def test_a_source_that_is_not_there_is_named(benchmark: Loader, tmp_path: Path) -> None:
    with pytest.raises(SystemExit, match=r"missing\.json is not there"):
        benchmark("cut_data").cut_locomo(tmp_path / "missing.json")


def _trajectory(number: int) -> dict[str, Any]:
    said = ["早上好。", f"我去第{number}站。"]
    messages = [{"mid": mid, "message": text, "time": "九点"} for mid, text in enumerate(said)]
    asked = {"question": "去哪儿？", "target_step_id": [1, 0]}
    return {"tid": number, "message_list": messages, "question_list": [asked]}
