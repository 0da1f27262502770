"""What the figures of the assistant's tools rely on: the calls, the searches and the table."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.benchmarks.conftest import Loader


def test_the_tools_are_measured_through_their_own_calls(benchmark: Loader, results: Path) -> None:
    benchmark("assistant").main(["--sizes", "30", "--skip-peers", "--calls", "5"])

    # What leaves the peer out is never taken for the published run.
    [kept] = results.glob("*.json")
    assert kept.name == "assistant-partial.json"
    result = json.loads(kept.read_text("utf-8"))
    measured = result["costs"]["30"]["mnemic"]
    assert "stopped" not in measured
    assert measured["add"]["calls"] == measured["search"]["calls"] == 5
    assert measured["add"]["cpu_ms"] > measured["add"]["cpu_ms_rest"] > 0
    assert measured["search"]["hit_rate_English"] == measured["search"]["hit_rate_Chinese"] == 1
    assert measured["found_after_add"] == 1
    assert measured["profile"]["counted"] == 30 + 15
    assert measured["chat"]["calls"] == 1
    assert "memory_add" in result["programs"]["mnemic"]["note"]


def test_a_search_asks_with_words_of_the_memory_that_it_should_find(benchmark: Loader) -> None:
    workload = benchmark("assistant").make_workload(200, 3, adds=5, searches=20, messages=0)
    texts = {doc["id"]: doc["text"] for doc in workload.filled}

    assert [search.language for search in workload.searches] == ["English", "Chinese"] * 10
    for search in workload.searches:
        target = texts[search.target]
        assert len(search.text) < len(target)
        assert set(search.text) <= {*target, " "}
    assert not {doc["id"] for doc in workload.added} & texts.keys()


def test_a_program_that_stops_keeps_what_it_had_done_and_others_go_on(benchmark: Loader) -> None:
    assistant, process = benchmark("assistant"), benchmark("harness.process")
    workload = assistant.make_workload(20, 3, adds=12, searches=12, messages=11)
    trials = {
        name: assistant.Trial(_Program(process.DriverError, broken=broken), workload, is_own=False)
        for name, broken in (("mem0", "search"), ("mnemic", "nothing"))
    }

    costs = assistant.measure_in_turns(trials)

    assert costs["mem0"]["stopped"] == "too slow"
    assert costs["mem0"]["add"]["cpu_ms"] == 5.0
    assert costs["mem0"]["add"]["cpu_ms_rest"] == 2.0
    assert "search" not in costs["mem0"]
    assert costs["mnemic"]["search"]["calls"] == 2


class _Program:
    """Stands for a program: every call takes 5 ms of CPU, 3 of them embedding; one breaks it."""

    def __init__(self, error: type[Exception], *, broken: str) -> None:
        self._error = error
        self._broken = broken

    def call(self, _: str, *__: object) -> dict[str, Any]:
        return {"note": "", "versions": {}, "bytes": 2_000, "rss_mb_of_store": 1.0}

    def timed(self, name: str, each: list[Any]) -> list[dict[str, Any]]:
        if name == self._broken:
            raise self._error("too slow")
        cpu = {"cpu_ms": 5.0, "embedding_cpu_ms": 3.0}
        return [{"answer": [], **cpu, "wall_ms": 6.0, "embedding_wall_ms": 3.0} for _ in each]


@pytest.mark.parametrize(
    ("theirs", "verdicts"), [(250.0, [True, True, False, False]), (90.0, [False] * 4)]
)
def test_a_goal_is_judged_by_the_smaller_of_the_two_ratios(
    benchmark: Loader, theirs: float, verdicts: list[bool]
) -> None:
    keys = ("cpu_ms", "wall_ms", "cpu_ms_rest", "wall_ms_rest")
    ours = dict.fromkeys(keys, 10.0)
    # By CPU it is always a hundred times as fast.
    search = {**dict.fromkeys(keys, 1_000.0), "wall_ms": theirs, "wall_ms_rest": theirs}
    costs = {"mnemic": {"add": ours, "search": ours}, "mem0": {"add": ours, "search": search}}
    results = {"assistant": {"costs": {"10000": costs}}, "assistant-full": {}}

    *compared, profile = benchmark("report.assistant").goals(results)

    assert [goal.met for goal in compared] == verdicts
    assert (profile.measured, profile.verdict) == ("–", "not measured")
