"""What every test may ask for: a memory, a clock it can turn, and ids it can foresee."""

from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest

import mnemic
from mnemic.dialects.robot.tools import RobotTools
from mnemic.opening import OpenMemory
from mnemic.storage.postgres.schema import bring_up_to_date, grant
from mnemic.storage.postgres.server import PostgresServer as DatabaseServer
from tests.postgres import Server, postgres_server
from tests.serving import served

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


@pytest.fixture(scope="session", autouse=True)
def own_cache(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Keep what is cached for a user away from the one who runs the tests."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_CACHE_HOME", str(tmp_path_factory.mktemp("cache")))
        # Days begin at the same moment wherever the tests run.
        patch.setenv("MNEMIC_TIME_ZONE", "UTC")
        yield


@pytest.fixture(scope="session")
def postgres() -> Iterator[Server]:
    """A server whose database `made` holds the tables: they belong to the role `owner`, who is no
    superuser, and the role `app` may use them.
    """
    with postgres_server() as server:
        server.run("create role app login")
        server.run("create role owner login")
        server.make_database("made")
        server.run("alter database made owner to owner")
        server.run("create extension vector", "made")
        owner = DatabaseServer(server.url("made", user="owner"), pool_size=1)
        bring_up_to_date(owner, partitions=2)
        grant(owner, "app")
        owner.close()
        # For tests that only want to get in: who is connected to `made` keeps it from being copied.
        server.make_database("shared", template="made")
        yield server


@pytest.fixture
def postgres_database(postgres: Server) -> Iterator[str]:
    """A fresh database with all tables, as an application sees it that may not change those."""
    name = f"test_{uuid4().hex}"
    postgres.make_database(name, template="made")
    yield postgres.url(name, user="app")
    postgres.drop_database(name)


@pytest.fixture(params=["sqlite", "postgres"])
def database(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """Where a fresh store may be made, on each backend in turn."""
    if request.param == "postgres":
        return request.getfixturevalue("postgres_database")
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


@pytest.fixture(scope="session")
def chat_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a server, for pages and examples that talk to one."""
    folder = tmp_path_factory.mktemp("server")
    with served(folder / "chat.db", MNEMIC_EMBEDDER="hashing") as address:
        yield address
