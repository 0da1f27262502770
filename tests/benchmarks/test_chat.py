"""What the figures of a chat rely on: the requests, the blocks and their tables."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.benchmarks.conftest import Loader


def test_requests_are_measured_at_a_server_of_their_own(
    benchmark: Loader, results: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(benchmark("speed.http_server"), "_LOOK_SECONDS", 0.05)

    benchmark("chat").main(
        ["--sizes", "60", "--requests", "20", "--rounds", "1", "--embedder", "none"]
    )

    # A short run is never taken for the published one.
    [kept] = results.glob("*.json")
    assert kept.name == "chat-partial.json"
    costs = json.loads(kept.read_text("utf-8"))["sizes"]["60"]["costs"]
    assert costs["list"]["rows"] == 50
    assert costs["get"]["rows"] == costs["create"]["rows"] == costs["stats"]["rows"] == 1
    assert costs["q"]["rows"] > 0
    assert costs["context"]["rows"] > 0
    # The server's clock counts in hundredths of a second.
    assert sum(one["cpu_ms"] for one in costs.values()) > 0


def test_changes_are_measured_until_their_jobs_are_done(benchmark: Loader, results: Path) -> None:
    benchmark("chat_edits").main(["--sizes", "30", "--rounds", "1"])

    [kept] = results.glob("*.json")
    assert kept.name == "chat_edits-partial.json"
    measured = json.loads(kept.read_text("utf-8"))["sizes"]["30"]
    assert {"add", "swipe", "edit", "fork"} <= measured["costs"].keys()
    assert measured["context"]["beside_p95_ms"] > 0


def test_every_strategy_is_asked_every_question(
    benchmark: Loader, results: Path, data: Path
) -> None:
    benchmark("chat_context").main(
        ["--data", str(data), "--sets", "locomo,chinese", "--embedder", "none"]
    )

    kept = json.loads((results / "chat_context-partial.json").read_text("utf-8"))
    found = kept["sets"]["locomo"]
    strategies = ["relevance", "importance", "balanced", "dual_summary"]
    assert list(found["ways"]) == [*strategies, "summaries", "recency"]
    for way in found["ways"].values():
        assert list(way) == ["250", "500", "1000"]
        assert all(one["questions"] == 4 for one in way.values())
        assert all(one["tokens"] <= int(budget) for budget, one in way.items())
    assert found["ways"]["relevance"]["500"]["evidence"] == 1
    assert kept["sets"]["chinese"]["small_talk"]["most"] <= 60


def test_a_turn_is_what_one_says_and_the_others_reply(benchmark: Loader) -> None:
    said = [("A", "1"), ("B", "1"), ("B", "1"), ("A", "1"), ("A", "2"), ("B", "3")]
    docs = [{"speaker": speaker, "session": session} for speaker, session in said]

    turns = list(benchmark("chat_context").exchanges(docs))

    assert [len(turn) for turn in turns] == [2, 1, 1, 1, 1]


def test_evidence_is_three_quarters_of_a_message_or_of_a_passage_of_it(
    benchmark: Loader,
) -> None:
    context = benchmark("chat_context")
    wanted = context.parts_of("The flat in Lisbon costs 900 euros")

    assert context.holds_evidence("Flats of LISBON: euros, 900", wanted)
    assert not context.holds_evidence("a flat in Lisbon", wanted)
    assert len(context.parts_of("A sentence of some words. " * 60)) > 1
    assert context.content_words("the flat in Lisbon") == context.content_words("Flats of LISBON")


@pytest.mark.parametrize(("large", "met"), [(4.0, True), (4.1, False)])
def test_a_list_may_cost_twice_as_much_at_a_hundred_times_the_size(
    benchmark: Loader, large: float, met: bool
) -> None:
    def at(cpu_ms: float) -> dict[str, Any]:
        return {"costs": {"list": {"cpu_ms": cpu_ms}}}

    chat = {"sizes": {"1000": at(2.0), "11000": at(3.0), "100000": at(large)}}
    goals = benchmark("report.chat").goals({"chat": chat, "chat_context": {}})
    judged = {goal.what: goal.met for goal in goals}

    grown = [verdict for what, verdict in judged.items() if "times the cost" in what]
    assert grown == [met, None, None]
    assert judged["`GET /memories`, 50 of one scope at 11,000 items, CPU ms"] is True
