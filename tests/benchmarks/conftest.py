"""What the tests of the benchmarks share."""

import sys
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

Loader = Callable[[str], Any]


@pytest.fixture
def benchmark(monkeypatch: pytest.MonkeyPatch) -> Loader:
    """Import a module of the benchmarks, which are scripts and no package."""
    folder = Path(__file__).parent.parent.parent / "benchmarks"
    monkeypatch.setattr(sys, "path", [str(folder), str(folder / "compared"), *sys.path])
    return import_module


@pytest.fixture
def results(benchmark: Loader, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where a run in a test keeps what it measures."""
    reporting = benchmark("reporting")
    monkeypatch.setattr(reporting, "REPOSITORY", tmp_path)
    monkeypatch.setattr(reporting, "RESULTS", tmp_path / "results")
    return tmp_path / "results"
