"""What tests of clients may ask for besides."""

from collections.abc import Callable, Iterator
from itertools import count
from pathlib import Path
from uuid import uuid4

import pytest

import mnemic
from mnemic.opening import OpenMemory
from tests.conftest import Clock
from tests.postgres import Server


@pytest.fixture
def twins(
    database: str, request: pytest.FixtureRequest, tmp_path: Path
) -> Iterator[tuple[OpenMemory, OpenMemory]]:
    """Two stores that know nothing of each other, and where the same things get the same ids."""
    if database.startswith("postgresql"):
        postgres: Server = request.getfixturevalue("postgres")
        name = f"twin_{uuid4().hex}"
        postgres.make_database(name, template="made")
        with _opened(database) as one, _opened(postgres.url(name, user="app")) as other:
            yield one, other
        postgres.drop_database(name)
    else:
        with _opened(database) as one, _opened(str(tmp_path / "twin.db")) as other:
            yield one, other


def _opened(database: str) -> OpenMemory:
    return mnemic.open(
        database, clock=Clock(), new_id=_counted(), embedder="none", durability="off"
    )


def _counted() -> Callable[[], str]:
    numbers = count(1)
    return lambda: f"id-{next(numbers)}"


@pytest.fixture
def small() -> Iterator[OpenMemory]:
    """A memory for tests that are about the way, and not about the store."""
    with _opened(":memory:") as memory:
        yield memory
