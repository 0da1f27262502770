"""What tests of commands share."""

from pathlib import Path

import pytest


@pytest.fixture
def own_store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A store of the test's own, which the commands use: a file, with words only."""
    path = tmp_path / "memory.db"
    monkeypatch.setenv("MNEMIC_DATABASE", str(path))
    monkeypatch.setenv("MNEMIC_EMBEDDER", "none")
    monkeypatch.setenv("MNEMIC_DURABILITY", "off")
    return path
