"""Where most imports of these tests go."""

from collections.abc import Iterator
from pathlib import Path

import pytest

import mnemic
from mnemic.opening import OpenMemory
from tests.conftest import Clock


@pytest.fixture
def clock() -> Clock:
    """A clock of its own: no sample was filled before."""
    return Clock()


@pytest.fixture
def store(tmp_path: Path, clock: Clock) -> Iterator[OpenMemory]:
    """A memory in a file, for promises that do not depend on the backend."""
    path = tmp_path / "store" / "memory.db"
    path.parent.mkdir()
    with mnemic.open(path, clock=clock, embedder="none", durability="off") as memory:
        yield memory
