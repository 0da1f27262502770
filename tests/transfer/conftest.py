"""Stores to exchange, on either backend, and what goes between them."""

import shutil
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest

from mnemic.settings import Settings
from mnemic.transfer.exchange import export_store, import_file
from mnemic.transfer.outcomes import Imported
from tests.conftest import Clock
from tests.postgres import Server
from tests.storage.stores import fill

NewStore = Callable[[str], str]
ExportIt = Callable[..., Path]


@pytest.fixture
def new_store(postgres: Server, tmp_path: Path) -> Iterator[NewStore]:
    """Return where an empty store of a backend may be made, as often as wanted."""
    made: list[str] = []

    def make(backend: str) -> str:
        name = f"exchange_{uuid4().hex}"
        if backend == "sqlite":
            return str(tmp_path / f"{name}.db")
        postgres.make_database(name, template="made")
        made.append(name)
        return postgres.url(name, user="app")

    yield make
    for name in made:
        postgres.drop_database(name)


@pytest.fixture
def export_it(tmp_path: Path, clock: Clock) -> ExportIt:
    """Export a store to a fresh file."""

    def export(database: str, *, account: str = "default", **wanted: Any) -> Path:
        path = tmp_path / f"{uuid4().hex}.jsonl"
        with path.open("wb") as out:
            export_store(_settings(database, account), out, now=clock(), **wanted)
        return path

    return export


@dataclass(frozen=True, slots=True)
class Sample:
    """A store in a file, and its export with vectors."""

    store: Path
    export: Path


@pytest.fixture(scope="session")
def full_sample(tmp_path_factory: pytest.TempPathFactory) -> Sample:
    """A store that holds something of everything."""
    return _sample(tmp_path_factory.mktemp("full"))


@pytest.fixture(scope="session")
def small_sample(tmp_path_factory: pytest.TempPathFactory) -> Sample:
    """A store without chats: their names cannot be two things at once."""
    return _sample(tmp_path_factory.mktemp("small"), lessons=6, chats=False)


@pytest.fixture
def full(full_sample: Sample, tmp_path: Path) -> Sample:
    """A store that holds something of everything, to be used up."""
    return _copied(full_sample, tmp_path / "full.db")


@pytest.fixture
def small(small_sample: Sample, tmp_path: Path) -> Sample:
    """A store without chats, to be used up."""
    return _copied(small_sample, tmp_path / "small.db")


@pytest.fixture
def clock() -> Clock:
    """The time at which the samples were filled."""
    clock = Clock()
    clock.turn(days=3)
    return clock


def _sample(folder: Path, **wanted: Any) -> Sample:
    clock = Clock()
    sample = Sample(folder / "store.db", folder / "export.jsonl")
    fill(sample.store, clock, **wanted)
    with sample.export.open("wb") as out:
        export_store(_settings(str(sample.store)), out, now=clock(), vectors=True)
    return sample


def _copied(sample: Sample, to: Path) -> Sample:
    shutil.copy(sample.store, to)
    return Sample(to, sample.export)


def _settings(database: str, account: str = "default") -> Settings:
    return Settings(database=database, account=account, embedder="hashing", durability="off")


def imported(database: str, path: Path, *, account: str | None = None, **more: Any) -> Imported:
    return import_file(_settings(database), path, account=account, **more)
