"""What the tests of the benchmarks share."""

import gzip
import json
import sys
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

Loader = Callable[[str], Any]

BENCHMARKS = Path(__file__).parent.parent.parent / "benchmarks"
_MESSAGES = [
    ("Mira", "I moved to Lisbon in March and rent a flat near the river."),
    ("Tom", "My daughter Ada collects old fountain pens."),
    ("Mira", "Work keeps me busy, the bakery opens at five every morning."),
    ("Tom", "We are saving money for a sailing course next summer."),
]


@pytest.fixture
def benchmark(monkeypatch: pytest.MonkeyPatch) -> Loader:
    """Import a module of the benchmarks, which are scripts with packages beside them."""
    monkeypatch.setattr(sys, "path", [str(BENCHMARKS), *sys.path])
    return import_module


@pytest.fixture
def results(benchmark: Loader, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where a run in a test keeps what it measures."""
    monkeypatch.setattr(benchmark("harness.results"), "RESULTS", tmp_path / "results")
    monkeypatch.setattr(benchmark("harness.vectors"), "CACHE", tmp_path / "vectors")
    return tmp_path / "results"


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """Two small conversations and a trial of a robot in place of the data sets."""
    folder = tmp_path / "data"
    folder.mkdir()
    for name in ("locomo", "memdaily", "alfred"):
        units = {"units": [_unit(f"{name}-{number}") for number in range(2)]}
        path = folder / f"{name}.dev.json.gz"
        path.write_bytes(gzip.compress(json.dumps(units).encode()))
    return folder


def _unit(name: str) -> dict[str, Any]:
    docs = [
        {
            "id": f"D1:{at}",
            "text": f"{speaker}: {text} ({name})",
            "ts": "4:04 pm on 20 January, 2023",
            "session": "session_1",
            "speaker": speaker,
        }
        for at, (speaker, text) in enumerate(_MESSAGES)
    ]
    asked = [("Where did Mira move?", 0), ("What does Ada collect?", 1)]
    queries = [
        {"id": f"q{at}", "q": text, "gold": [f"D1:{at}"], "cat": "single-hop"} for text, at in asked
    ]
    return {"unit": name, "docs": docs, "queries": queries}
