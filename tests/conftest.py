"""What every test may ask for: a memory, a clock it can turn, and ids it can foresee."""

from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

import mnemic
from mnemic.dialects.robot.tools import RobotTools
from mnemic.opening import OpenMemory

NOON = datetime(2026, 3, 9, 12, 0, tzinfo=UTC)

OpenIt = Callable[..., OpenMemory]


class Clock:
    """A clock that stands still until it is turned."""

    def __init__(self) -> None:
        self.now = NOON

    def __call__(self) -> datetime:
        return self.now

    def turn(self, **delta: float) -> None:
        """Move on by that much time."""
        self.now += timedelta(**delta)


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture(params=["sqlite"])
def database(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """Where a fresh store may be made, on each backend in turn."""
    assert request.param == "sqlite"
    return str(tmp_path / "memory.db")


@pytest.fixture
def open_it(database: str, clock: Clock) -> Iterator[OpenIt]:
    """Open the test's store, as often as wanted; everything is closed at the end."""
    opened: list[OpenMemory] = []

    def open_again(**settings: object) -> OpenMemory:
        given: dict[str, Any] = {"embedder": "none", "durability": "off", **settings}
        memory = mnemic.open(database, clock=clock, **given)
        opened.append(memory)
        return memory

    yield open_again
    for memory in opened:
        memory.close()


@pytest.fixture
def memory(open_it: OpenIt) -> OpenMemory:
    """A memory that works with words only."""
    return open_it()


@pytest.fixture
def robot(memory: OpenMemory) -> RobotTools:
    """The robot's tools on words only."""
    return memory.robot


@pytest.fixture
def hybrid(open_it: OpenIt) -> RobotTools:
    """The robot's tools with vectors, from an embedder that needs no model."""
    return open_it(embedder="hashing").robot
