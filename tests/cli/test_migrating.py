"""Promises of `mnemic migrate`: tables, rights and a moved store by one command each."""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from uuid import uuid4

import psycopg
import pytest
from typer.testing import CliRunner, Result

from mnemic.cli.command_line import app
from tests.conftest import Clock
from tests.postgres import Server
from tests.storage.stores import fill, opened


@pytest.fixture
def store(tmp_path: Path, clock: Clock) -> Path:
    path = tmp_path / "robot.db"
    fill(path, clock, lessons=5)
    return path


@pytest.fixture
def empty(postgres: Server) -> Iterator[str]:
    """The name of an empty database that belongs to a role that is no superuser."""
    name = f"empty_{uuid4().hex}"
    postgres.make_database(name)
    postgres.run("create extension vector", name)
    with psycopg.connect(postgres.url(), autocommit=True) as connection:
        connection.execute(f'alter database "{name}" owner to owner'.encode())
    yield name
    postgres.drop_database(name)


def run(*words: str, **environment: str) -> Result:
    return CliRunner().invoke(app, ["migrate", *words], env=environment)


def told(*words: str) -> Any:
    result = run(*words, "--json")
    assert result.exit_code == 0, result.output
    return json.loads(result.stdout)


def test_a_store_is_moved_by_one_command_and_used_by_the_application(
    postgres: Server, empty: str, store: Path, clock: Clock
) -> None:
    owner = postgres.url(empty, user="owner")
    roles = ("--app-role", "app", "--partitions", "2")

    answer = told("--from", f"sqlite:{store}", "--to", owner, *roles)

    assert answer["schema"] >= 1
    assert answer["verified"] is True
    assert answer["tables"]["memory"]["rows"] == answer["tables"]["memory"]["added"] > 5
    with opened(postgres.url(empty, user="app"), clock) as memory:
        assert memory.robot.get(1)["content"] == "The mug at station 0 needs 0.5 N"
        assert memory.robot.learn("Doors open inwards")["status"] == "created"
        [entry] = memory.audit.entries(of_all=True).rows
        rows = sum(table["rows"] for table in answer["tables"].values())
        assert (entry.act, entry.target, entry.counts) == ("migrate", store.name, {"rows": rows})
    with psycopg.connect(owner) as connection:
        parts = connection.execute("select count(*) from pg_class where relname ~ '^memory_[0-9]$'")
        assert parts.fetchone() == (2,)


def test_what_is_shown_tells_the_counts_and_what_is_still_to_do(
    postgres: Server, empty: str, store: Path
) -> None:
    url = postgres.url(empty, user="owner")
    first = run("--to", url, "--partitions", "1")
    # A path alone, and the address from the environment, will do.
    moved = run("--from", str(store), MNEMIC_DATABASE=url)
    again = run("--from", f"sqlite://{store}", "--to", url, "--verify")

    assert (first.exit_code, moved.exit_code, again.exit_code) == (0, 0, 0), moved.output
    assert ": schema " in first.stdout
    assert re.search(r"^event +\d+ +\d+ +0 +0 +[0-9a-f]{12}", moved.stdout, re.MULTILINE)
    assert "verified:" in moved.stdout
    assert "verified:" in again.stdout


def test_a_difference_ends_with_1_and_names_the_row(
    postgres: Server, empty: str, store: Path
) -> None:
    url = postgres.url(empty, user="owner")
    told("--from", str(store), "--to", url, "--partitions", "1")
    postgres.run("update memory set tags = '[\"other\"]' where id = 3", empty)

    result = run("--from", str(store), "--to", url, "--verify", "--json")

    assert result.exit_code == 1
    answer = json.loads(result.stderr)
    assert answer["error"] == "storage"
    assert "memory 3 of default has another tags" in answer["message"]


@pytest.mark.parametrize(
    ("words", "code", "named"),
    [
        (["--to", "memory.db"], 2, "to: it is not PostgreSQL"),
        (["--to", "postgresql:///x", "--verify"], 2, "--from as well"),
        (["--to", "postgresql:///x", "--from", "postgresql:///y"], 2, "from: it is not a file"),
        (["--to", "postgresql:///x", "--partitions", "0"], 1, "partitions=0"),
        (["--to", "postgresql://u@/x?host=/nowhere"], 4, "cannot be opened"),
    ],
)
def test_what_cannot_be_done_is_said(words: list[str], code: int, named: str) -> None:
    result = run(*words)

    assert result.exit_code == code
    assert named in result.stderr
    assert "Traceback" not in result.output
