"""Promises of a store that cannot be used: a clear sentence, a code of its own, no traceback."""

import json
import os
import re
import resource
import shutil
import tempfile
from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import apsw
import pytest
from psycopg.conninfo import conninfo_to_dict
from typer.testing import CliRunner, Result

import mnemic
from mnemic.cli.command_line import app
from mnemic.errors import BusyError, UnusableStoreError
from tests.postgres import Server

NOBODY = 65_534
LESSON = "Shelves in the cellar are damp"
LOG = {"log": "damp " * 40_000}


@pytest.fixture
def store() -> Iterator[Path]:
    """A store with one lesson, in a folder that everybody may enter."""
    folder = Path(tempfile.mkdtemp(prefix="mnemic-"))
    folder.chmod(0o755)
    path = folder / "memory.db"
    with mnemic.open(path, embedder="none") as memory:
        memory.robot.learn("Grip force 12.5 N holds a mug")
    yield path
    shutil.rmtree(folder)


@contextmanager
def full_disk(largest: int = 60_000) -> Generator[None]:
    """Let no file become larger than the log of a small change, or than is said."""
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (largest, limits[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)


@contextmanager
def somebody_else() -> Generator[None]:
    """Be a user who owns nothing, where the tests are run by one who may do everything."""
    me = os.geteuid()
    if me == 0:
        os.seteuid(NOBODY)
    try:
        yield
    finally:
        os.seteuid(me)


@contextmanager
def read_only(store: Path) -> Generator[None]:
    store.chmod(0o444)
    store.parent.chmod(0o777)
    with somebody_else():
        yield


@contextmanager
def closed_folder(store: Path) -> Generator[None]:
    store.parent.chmod(0o500)
    with somebody_else():
        yield
    store.parent.chmod(0o700)


@contextmanager
def held(store: Path) -> Generator[None]:
    db: Any = apsw.Connection(str(store))
    db.execute("begin immediate")
    yield
    db.close()


@contextmanager
def newer(store: Path) -> Generator[None]:
    db: Any = apsw.Connection(str(store))
    db.execute("pragma user_version = 99")
    db.close()
    yield


@contextmanager
def damaged(store: Path) -> Generator[None]:
    store.write_bytes(b"no database " * 1_000)
    yield


@contextmanager
def full(_store: Path) -> Generator[None]:
    with full_disk():
        yield


TROUBLES = [
    (full, 4, "storage", "disk full", UnusableStoreError),
    (read_only, 4, "storage", "read-only", UnusableStoreError),
    (closed_folder, 4, "storage", "cannot be opened", UnusableStoreError),
    (newer, 4, "storage", "newer Mnemic (schema 99", UnusableStoreError),
    (damaged, 4, "storage", "is not a Mnemic database, or it is damaged", UnusableStoreError),
    (held, 3, "busy", "Try again", BusyError),
]


@pytest.mark.parametrize(
    ("trouble", "code", "kind", "words", "error"),
    TROUBLES,
    ids=[one[0].__name__ for one in TROUBLES],
)
def test_each_trouble_with_a_store_has_its_words_and_its_exit_code(
    store: Path,
    trouble: Callable[[Path], Any],
    code: int,
    kind: str,
    words: str,
    error: type[Exception],
) -> None:
    surroundings = {"MNEMIC_EMBEDDER": "none", "MNEMIC_BUSY_SECONDS": "0.05"}
    learn = ["--database", str(store), "learn", LESSON, "--context", json.dumps(LOG), "--json"]

    with trouble(store):
        result = CliRunner().invoke(app, learn, env=surroundings)
        with pytest.raises(error), mnemic.open(store, embedder="none", busy_seconds=0.05) as memory:
            memory.robot.learn(LESSON, LOG)

    assert result.exit_code == code, result.output
    told = json.loads(result.stderr)
    assert told["error"] == kind
    assert words in told["message"]
    assert "Traceback" not in result.output


def test_a_folder_that_is_missing_is_made_and_a_file_in_its_place_is_told(store: Path) -> None:
    def stats(database: Path) -> Result:
        return CliRunner().invoke(app, ["--database", str(database), "stats"])

    assert stats(store.parent / "new" / "folder" / "memory.db").exit_code == 0

    refused = stats(store / "memory.db")
    assert refused.exit_code == 4
    assert "may you write to its folder?" in refused.stderr


def test_what_failed_for_want_of_room_works_when_there_is_room_again(store: Path) -> None:
    with mnemic.open(store, embedder="none") as memory:
        with full_disk(), pytest.raises(UnusableStoreError):
            memory.robot.learn(LESSON, LOG)

        assert len(memory.robot.list()) == 1
        assert memory.robot.learn(LESSON, LOG)["status"] == "created"


def test_an_import_that_ran_out_of_room_says_how_much_of_it_is_kept(store: Path) -> None:
    rows = "\n".join(f"Shelf {number} is {'damp ' * 400}" for number in range(1_200))
    file = store.with_name("rows.csv")
    file.write_text(f"content\n{rows}\n", "utf-8")
    words = ["--database", str(store), "import", str(file)]
    surroundings = {"MNEMIC_EMBEDDER": "none", "MNEMIC_DURABILITY": "off"}

    with full_disk(4_000_000):
        result = CliRunner().invoke(app, words, env=surroundings)
    kept = CliRunner().invoke(app, ["--database", str(store), "stats", "--json"], env=surroundings)
    again = CliRunner().invoke(app, [*words, "--json"], env=surroundings)

    assert result.exit_code == 4, result.output
    [memories] = [int(told) for told in re.findall(r"(\d+) of 1,200 records are", result.stderr)]
    assert 0 < memories < 1_200
    assert json.loads(kept.stdout)["memories"] == memories + 1
    assert json.loads(again.stdout)["known"] == memories


def test_a_file_for_which_there_is_no_room_is_named(store: Path) -> None:
    words = ["--database", str(store), "learn", LESSON, "--context", json.dumps(LOG)]
    assert CliRunner().invoke(app, words, env={"MNEMIC_EMBEDDER": "none"}).exit_code == 0
    to = store.with_name("everything.jsonl")

    with full_disk():
        result = CliRunner().invoke(app, ["--database", str(store), "export", str(to)])

    assert result.exit_code == 4
    assert f"There is no room for {to}" in result.stderr
    assert not list(to.parent.glob(f"{to.name}*"))


def test_bad_input_ends_with_2_and_what_is_not_there_with_1(store: Path) -> None:
    def code(*words: str) -> int:
        return CliRunner().invoke(app, ["--database", str(store), *words]).exit_code

    assert code("list") == 0
    assert code("get", "99") == 1
    assert code("learn", " ") == 2


def test_a_database_of_a_newer_version_has_the_same_code(
    postgres: Server, postgres_database: str
) -> None:
    name = str(conninfo_to_dict(postgres_database)["dbname"])
    postgres.run("update mnemic_schema set version = 99", name)

    result = CliRunner().invoke(app, ["--database", postgres_database, "list"])

    assert result.exit_code == 4
    assert "newer Mnemic (schema 99" in result.stderr
