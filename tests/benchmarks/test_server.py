"""What the figures of a server rely on: the requests that are sent, and their table."""

import json
from pathlib import Path

import pytest

from tests.benchmarks.conftest import Loader


def test_every_kind_is_asked_both_ways_on_all_connections(
    benchmark: Loader, results: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(benchmark("speed.http_server"), "_LOOK_SECONDS", 0.05)

    options = ["--size", "40", "--requests", "24", "--rounds", "1", "--embedder", "none"]
    benchmark("server").main(options)

    # A short run is never taken for the published one.
    [kept] = results.glob("*.json")
    assert kept.name == "server-partial.json"
    found = json.loads(kept.read_text("utf-8"))
    asked = {(one["way"], one["kind"], one["connections"]) for one in found["served"]}
    assert len(asked) == 2 * 3 * 3
    assert all(one["per_second"] > 0 for one in found["served"])
    assert set(found["engine"]) == {"recall", "learn", "list"}
    assert set(found["waiting"]) == {"1", "8"}
    page = benchmark("report.server")
    assert "`recall` over MCP" in page.write({"server": found})
    assert len(page.goals({"server": found})) == 7
    assert page.write({"server": {}}) == ""
