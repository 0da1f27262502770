"""What the figures of the assistant's tools rely on: the calls, the searches and the table."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.benchmarks.conftest import Loader


def test_the_tools_are_measured_through_their_own_calls(
    benchmark: Loader, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assistant = benchmark("assistant")
    for module in ("reporting", "known_vectors"):
        monkeypatch.setattr(benchmark(module), "REPOSITORY", tmp_path)
    monkeypatch.setattr(benchmark("reporting"), "RESULTS", tmp_path)
    monkeypatch.setattr(benchmark("known_vectors"), "_HOME", tmp_path / "vectors")

    assistant.main(["--sizes", "30", "--skip-peers", "--calls", "5"])

    # What leaves the peer out is never taken for the published run.
    [kept] = tmp_path.glob("*.json")
    assert kept.name == "assistant-partial.json"
    measured = json.loads(kept.read_text("utf-8"))["costs"]["30"]["mnemic"]
    assert "stopped" not in measured
    assert measured["add"]["calls"] == measured["search"]["calls"] == 5
    assert measured["add"]["cpu_ms"] > measured["add"]["cpu_ms_rest"] > 0
    assert measured["search"]["hit_rate_English"] == measured["search"]["hit_rate_Chinese"] == 1
    assert measured["found_after_add"] == 1
    assert measured["profile"]["counted"] == 30 + 15
    assert measured["chat"]["calls"] == 1


def test_a_search_asks_with_words_of_the_memory_that_it_should_find(benchmark: Loader) -> None:
    given = benchmark("assistant_stock").stock(200, 3, adds=5, searches=20, messages=0)
    texts = {doc["id"]: doc["text"] for doc in given.filled}

    assert [one.language for one in given.searches] == ["English", "Chinese"] * 10
    for one in given.searches:
        target = texts[one.target]
        assert len(one.text) < len(target)
        assert set(one.text) <= {*target, " "}
    assert not {doc["id"] for doc in given.added} & texts.keys()


def test_a_program_that_stops_keeps_what_it_had_done(benchmark: Loader) -> None:
    assistant, conversing = benchmark("assistant"), benchmark("conversing")
    given = benchmark("assistant_stock").stock(20, 3, adds=12, searches=12, messages=0)
    trial = assistant.Trial("mem0", _BreaksAtSearch(conversing.StoppedError), given)

    for step in assistant._steps(given):
        trial.go_on(step)

    costs = trial.costs()
    assert costs["stopped"] == "too slow"
    assert costs["add"]["cpu_ms"] == 5.0
    assert "search" not in costs


class _BreaksAtSearch:
    """Stands for a program: every call takes 2 ms and 3 ms of embedding; it cannot search."""

    def __init__(self, error: type[Exception]) -> None:
        self._error = error

    def ask(self, do: str, **_: object) -> dict[str, Any]:
        if do == "search":
            raise self._error("too slow")
        timed = {"cpu_ms": 2.0, "embedding_cpu_ms": 3.0, "wall_ms": 6.0, "embedding_wall_ms": 3.0}
        about: dict[str, Any] = {"note": "", "versions": {}, "bytes": 2_000, "rss_mb_of_store": 1.0}
        return {"found": None, **timed, **about}


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

    *compared, profile = benchmark("tables_assistant").goals(results)

    assert [met for *_, met in compared] == verdicts
    assert profile[-2:] == (None, None)
