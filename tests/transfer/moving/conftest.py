"""A store to be moved, and where it is moved to."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, LiteralString
from uuid import uuid4

import psycopg
import pytest

from mnemic.opening import OpenMemory, move_to_postgres
from mnemic.settings import Settings
from tests.conftest import Clock
from tests.postgres import Server
from tests.storage.stores import fill, opened

Move = Callable[..., dict[str, Any]]
Run = Callable[[LiteralString], list[tuple[Any, ...]]]


@pytest.fixture
def store(tmp_path: Path, clock: Clock) -> Path:
    """A store in a file that holds something of everything."""
    path = tmp_path / "robot.db"
    fill(path, clock)
    return path


@pytest.fixture
def target(postgres: Server) -> Iterator[str]:
    """The name of a fresh database with all tables."""
    name = f"move_{uuid4().hex}"
    postgres.make_database(name, template="made")
    yield name
    postgres.drop_database(name)


@pytest.fixture
def move(postgres: Server, target: str, store: Path) -> Move:
    """Move the store, or another one, as the owner of the tables."""

    def run(path: Path = store, **wanted: Any) -> dict[str, Any]:
        owner = Settings(database=postgres.url(target, user="owner"))
        return move_to_postgres(path, owner, portion=20, **wanted)

    return run


@pytest.fixture
def there(postgres: Server, target: str, clock: Clock) -> Iterator[OpenMemory]:
    """The moved store, as an application sees it that may change no table."""
    with opened(postgres.url(target, user="app"), clock) as memory:
        yield memory


@pytest.fixture
def run(postgres: Server, target: str) -> Run:
    def execute(statement: LiteralString) -> list[tuple[Any, ...]]:
        with psycopg.connect(postgres.url(target), autocommit=True) as connection:
            cursor = connection.execute(statement)
            return cursor.fetchall() if cursor.description else []

    return execute
