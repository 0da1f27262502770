"""Promises of the address: the password is shown nowhere, and TLS is as it was asked for."""

import logging
import socket
import threading
import traceback
from collections.abc import Iterator
from pathlib import Path

import pytest
from typer.testing import CliRunner

import mnemic
from mnemic.cli.command_line import app
from mnemic.errors import MnemicError
from mnemic.settings import read_settings
from tests.postgres import Server
from tests.tls import Door, tls_door

SECRET = "geheim"  # noqa: S105  what must be shown nowhere


@pytest.fixture(scope="module")
def locked(postgres: Server) -> Iterator[str]:
    """A role that needs a password, which is another one than ours."""
    access = postgres.folder / "data" / "pg_hba.conf"
    before = access.read_text("utf-8")
    postgres.run("create role locked login password 'another'")
    access.write_text(f"local all locked scram-sha-256\n{before}", "utf-8")
    postgres.run("select pg_reload_conf()")
    yield f"postgresql://locked:{SECRET}@/shared?host={postgres.folder}"
    access.write_text(before, "utf-8")
    postgres.run("select pg_reload_conf()")


@pytest.fixture
def closed_port() -> int:
    """A port that nobody listens on."""
    with socket.create_server(("127.0.0.1", 0)) as listening:
        return listening.getsockname()[1]


@pytest.fixture(scope="module")
def door(postgres: Server, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Door]:
    """The server, reached with TLS and a certificate of its own."""
    with tls_door(postgres.folder / ".s.PGSQL.5432", tmp_path_factory.mktemp("tls")) as door:
        yield door


def failing(url: str) -> MnemicError:
    """Return what opening an address raises."""
    with pytest.raises(MnemicError) as raised:
        mnemic.open(url, embedder="none", busy_seconds=0)
    return raised.value


def all_said(error: BaseException) -> str:
    """Return everything that a traceback tells of an error, its causes and contexts included."""
    told = "".join(traceback.format_exception(error))
    seen: BaseException | None = error
    while seen is not None:
        told += repr(seen) + str(seen)
        seen = seen.__cause__ or seen.__context__
    return told


BAD = [
    f"postgresql://user:{SECRET}@127.0.0.1:notaport/db",
    f"postgresql://user:{SECRET}@no-such-host.invalid/db",
    f"postgresql://user:{SECRET}@",
    f"postgresql://user:{SECRET}",
    f"postgresql://user:ge%zz{SECRET}@host/db",
    f"postgresql://user:x/{SECRET}@host/db",
    f"postgresql://user:x@{SECRET}@host/db",
    f"postgresql://user:x#{SECRET}@no-such-host.invalid/db",
    f"postgresql://user:x?{SECRET}@no-such-host.invalid/db",
    f"postgresql://user:{SECRET}@[::1/db",
    f"postgresql://user@no-such-host.invalid/db?password={SECRET}",
    f"postgresql://user@no-such-host.invalid/db?password={SECRET}&colour=red",
    f"postgresq://user:{SECRET}@host/db",
]


@pytest.mark.parametrize("url", BAD)
def test_the_password_is_in_no_error_and_no_log(url: str, caplog: pytest.LogCaptureFixture) -> None:
    for name in ("mnemic", "psycopg", "psycopg.pool"):
        caplog.set_level(logging.DEBUG, logger=name)

    error = failing(url)

    assert SECRET not in all_said(error)
    assert SECRET not in caplog.text
    assert SECRET not in repr(error.details)


def test_a_wrong_password_is_told_without_it(locked: str, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)

    error = failing(locked)

    assert "password authentication failed" in str(error)
    assert SECRET not in all_said(error) + caplog.text


def test_a_server_that_goes_away_is_told_without_the_password(
    postgres: Server, closed_port: int, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)

    error = failing(f"postgresql://app:{SECRET}@127.0.0.1:{closed_port}/shared")

    assert f"app@127.0.0.1:{closed_port}/shared" in str(error)
    assert SECRET not in all_said(error) + caplog.text


def test_nothing_that_is_open_shows_its_password(
    postgres_database: str, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    url = postgres_database.replace("app@", f"app:{SECRET}@")

    with mnemic.open(url, embedder="none") as memory:
        memory.robot.learn("Doors open inwards")
        shown = repr(memory) + repr(vars(memory)) + repr(read_settings({"database": url}))
        shown += repr(memory._workspace)  # pyright: ignore[reportPrivateUsage]

    assert SECRET not in shown + caplog.text


@pytest.mark.parametrize("command", [["doctor"], ["list"], ["migrate"], ["recall", "doors"]])
@pytest.mark.parametrize("as_json", [[], ["--json"]])
def test_no_command_shows_the_password(
    postgres_database: str, command: list[str], as_json: list[str]
) -> None:
    good = postgres_database.replace("app@", f"app:{SECRET}@")
    for url in (good, BAD[0], BAD[1], BAD[-1]):
        environment = {
            "MNEMIC_DATABASE": url,
            "MNEMIC_EMBEDDER": "none",
            "MNEMIC_BUSY_SECONDS": "0",
        }
        result = CliRunner().invoke(app, [*command, *as_json], env=environment)

        assert SECRET not in result.output + result.stderr + repr(result.exception)
        assert (result.exit_code == 0) is (url is good)


def test_a_password_in_the_wrong_place_is_not_repeated(tmp_path: Path) -> None:
    given = ["migrate", "--from", f"postgresql://user:{SECRET}@host/db", "--to", "postgresql:///x"]

    result = CliRunner().invoke(app, given)

    assert result.exit_code == 2
    assert SECRET not in result.output + result.stderr


def test_a_password_with_signs_in_it_works_when_they_are_escaped(postgres: Server) -> None:
    postgres.run("alter role app password 'a@b/c:d?e#f'")
    url = postgres.url("shared", user="app:a%40b%2Fc%3Ad%3Fe%23f")

    with mnemic.open(url, embedder="none") as memory:
        assert memory.robot.recall("anything")["memories"] == []


def test_a_root_certificate_that_is_missing_is_named(postgres: Server, door: Door) -> None:
    url = f"postgresql://app@127.0.0.1:{door.port}/shared?sslmode=verify-full"

    error = failing(f"{url}&sslrootcert=/nowhere/root.crt")

    assert "/nowhere/root.crt" in str(error)


def test_a_server_without_tls_is_refused_where_tls_is_asked_for(postgres: Server) -> None:
    with socket.create_server(("127.0.0.1", 0)) as listening:
        port = listening.getsockname()[1]
        _refuse_tls(listening)
        error = failing(f"postgresql://app@127.0.0.1:{port}/shared?sslmode=require")

    assert "server does not support SSL" in str(error)


def test_a_certificate_that_nobody_vouches_for_is_refused(
    postgres: Server, door: Door, tmp_path: Path
) -> None:
    with tls_door(tmp_path / "nothing", tmp_path) as other:
        url = f"postgresql://app@127.0.0.1:{door.port}/shared?sslmode=verify-full"
        error = failing(f"{url}&sslrootcert={other.root}")

    assert "certificate verify failed" in str(error)


def test_every_option_of_the_address_reaches_the_driver(postgres: Server, door: Door) -> None:
    url = (
        f"postgresql://app@127.0.0.1:{door.port}/shared?sslmode=verify-full&sslrootcert={door.root}"
    )

    with mnemic.open(f"{url}&application_name=kitchen", embedder="none") as memory:
        assert memory.robot.recall("anything")["memories"] == []


def _refuse_tls(listening: socket.socket) -> None:
    def answer() -> None:
        client, _ = listening.accept()
        with client:
            client.recv(8)
            client.sendall(b"N")

    threading.Thread(target=answer, daemon=True).start()
