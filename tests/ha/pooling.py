"""One PostgreSQL server, and a PgBouncer before it."""

import secrets
import subprocess
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import psycopg

from tests.ha import processes
from tests.ha.processes import ADDRESS

TEMPLATE: Final = Path(__file__).parents[2] / "deploy" / "pgbouncer" / "pgbouncer.ini"

_STARTING: Final = 60


@dataclass(frozen=True, slots=True)
class Server:
    """A PostgreSQL server with a database `mnemic`, which its user `mnemic` owns."""

    port: int
    password: str

    def sql(self, statement: str) -> list[tuple[Any, ...]]:
        """The rows that the server answers to its superuser."""
        with psycopg.connect(
            host=ADDRESS,
            port=self.port,
            dbname="postgres",
            user="postgres",
            password=self.password,
            connect_timeout=5,
            autocommit=True,
        ) as connection:
            cursor = connection.execute(statement.encode())
            return cursor.fetchall() if cursor.description else []


@contextmanager
def running_server(folder: Path) -> Generator[Server]:
    """A new server in a folder, ended with everything of it at the end."""
    server = Server(processes.free_ports(1)[0], secrets.token_hex(12))
    programs, data = processes.newest_postgres(), folder / "postgres"
    _initialise(programs, data, server.password)
    options = {"listen_addresses": ADDRESS, "port": server.port, "unix_socket_directories": ""}
    process = processes.start(
        [str(programs / "postgres"), "-D", str(data), *_as_options(options)],
        log=folder / "postgres.log",
    )
    try:
        _wait_for(server.port, "postgres", server.password)
        server.sql(f"create role mnemic login password '{server.password}'")
        server.sql("create database mnemic owner mnemic")
        yield server
    finally:
        processes.kill_postmaster(data)
        processes.kill(process)


@contextmanager
def running_pgbouncer(folder: Path, server: Server, *, server_connections: int) -> Generator[str]:
    """The address of the database through a PgBouncer in transaction mode."""
    port = processes.free_ports(1)[0]
    command = prepare_pgbouncer(
        folder,
        port=port,
        server_port=server.port,
        password=server.password,
        server_connections=server_connections,
    )
    process = processes.start(command, log=folder / "pgbouncer.log")
    try:
        _wait_for(port, "mnemic", server.password)
        yield f"postgresql://mnemic:{server.password}@{ADDRESS}:{port}/mnemic"
    finally:
        processes.kill(process)


def prepare_pgbouncer(
    folder: Path, *, port: int, server_port: int, password: str, server_connections: int
) -> list[str]:
    """Write the configuration of a PgBouncer, and return the command that starts it."""
    users = folder / "users.txt"
    users.write_text(f'"mnemic" "{password}"\n')
    users.chmod(0o644)
    values = {
        "PG_PORT": server_port,
        "ADDRESS": ADDRESS,
        "POOL_PORT": port,
        "USERS": users,
        "RUN": folder,
        "SERVER_CONNECTIONS": server_connections,
    }
    processes.fill_in(TEMPLATE, values, to=folder / "pgbouncer.ini")
    return ["/usr/sbin/pgbouncer", str(folder / "pgbouncer.ini")]


def _initialise(programs: Path, data: Path, password: str) -> None:
    secret = data.parent / "password"
    secret.write_text(password)
    secret.chmod(0o644)
    command = [str(programs / "initdb"), "-D", str(data), "-U", "postgres", "--encoding=UTF8"]
    command += ["--auth=scram-sha-256", f"--pwfile={secret}", "--locale=C.UTF-8"]
    made = processes.start(command, log=data.parent / "initdb.log")
    if made.wait(timeout=_STARTING) != 0:
        raise subprocess.CalledProcessError(made.returncode, command)


def _as_options(options: Mapping[str, object]) -> list[str]:
    return [part for name, value in options.items() for part in ("-c", f"{name}={value}")]


def _wait_for(port: int, user: str, password: str) -> None:
    def look() -> bool | None:
        try:
            psycopg.connect(
                host=ADDRESS, port=port, user=user, password=password, dbname=user
            ).close()
        except psycopg.OperationalError:
            return None
        return True

    processes.until(look, f"a server on port {port}", seconds=_STARTING)
