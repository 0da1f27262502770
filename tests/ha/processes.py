"""Start programs of the system as an ordinary user, wait for what they do, and end them by id."""

import os
import pwd
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from string import Template
from typing import Final, TypeVar

PACKAGES: Final = "postgresql patroni etcd-server etcd-client pgbouncer"

ADDRESS: Final = "127.0.0.1"

# PostgreSQL and PgBouncer refuse to run as root; Debian's package makes this user.
OWNER: Final = "postgres" if os.geteuid() == 0 else None

_PAUSE: Final = 0.1
_ENVIRONMENT: Final = {"PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "LANG": "C.UTF-8"}

Found = TypeVar("Found")


def need(programs: Sequence[str]) -> None:
    """Say what to install where a program is missing."""
    missing = [one for one in programs if shutil.which(one, path=_ENVIRONMENT["PATH"]) is None]
    if missing:
        raise RuntimeError(f"{', '.join(missing)} not found: apt-get install {PACKAGES}")


def newest_postgres() -> Path:
    """The programs of the newest PostgreSQL that Debian's packages have put here."""
    found = sorted(
        Path("/usr/lib/postgresql").glob("*/bin/postgres"), key=lambda path: int(path.parts[4])
    )
    if not found:
        raise RuntimeError(f"PostgreSQL not found: apt-get install {PACKAGES}")
    return found[-1].parent


def give(folder: Path) -> None:
    """Hand a folder to the user that the servers run as."""
    folder.chmod(0o700)
    if OWNER is not None:
        shutil.chown(folder, OWNER, pwd.getpwnam(OWNER).pw_gid)


def fill_in(template: Path, values: Mapping[str, object], *, to: Path) -> None:
    """Write a configuration from a template; every name in it must have a value."""
    to.write_text(Template(template.read_text("utf-8")).substitute(values), "utf-8")
    to.chmod(0o644)


@contextmanager
def folder() -> Generator[Path]:
    """A new folder of the servers' user, gone at the end.

    Where the block fails, the logs in it are kept, and the error says where.
    """
    made = Path(tempfile.mkdtemp(prefix="mnemic-ha-"))
    give(made)
    # A test that is terminated would leave its servers running; as an interrupt it cleans up.
    usual = signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        yield made
    except BaseException as error:
        kept = Path(tempfile.mkdtemp(prefix="mnemic-ha-logs-"))
        for log in made.rglob("*.log"):
            shutil.copy(log, kept / "-".join(log.relative_to(made).parts))
        error.add_note(f"The servers' logs are kept in {kept}")
        raise
    finally:
        signal.signal(signal.SIGTERM, usual)
        shutil.rmtree(made)


def start(command: Sequence[str], *, log: Path) -> subprocess.Popen[bytes]:
    """Start a server; what it says goes to the end of `log`."""
    with log.open("ab") as out:
        return subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=out,
            stderr=subprocess.STDOUT,
            cwd=log.parent,
            env={**_ENVIRONMENT, "HOME": str(log.parent)},
            user=OWNER,
            group=None if OWNER is None else pwd.getpwnam(OWNER).pw_gid,
            extra_groups=None if OWNER is None else [],
            start_new_session=True,
        )


def free_ports(count: int) -> list[int]:
    """That many ports which nobody listens on now."""
    with ExitStack() as held:
        sockets = [held.enter_context(socket.socket()) for _ in range(count)]
        for one in sockets:
            one.bind((ADDRESS, 0))
        return [int(one.getsockname()[1]) for one in sockets]


def until(
    look: Callable[[], Found | None], what: str, *, seconds: float, pause: float = _PAUSE
) -> Found:
    """Look again and again until there is something to return, but not for ever."""
    end = time.monotonic() + seconds
    while True:
        found = look()
        if found is not None:
            return found
        if time.monotonic() > end:
            raise TimeoutError(f"{what}: not within {seconds:g} seconds")
        time.sleep(pause)


def kill(process: subprocess.Popen[bytes]) -> None:
    """End a program that we started at once, and wait until it is gone."""
    if process.poll() is None:
        process.kill()
    process.wait(timeout=30)


@contextmanager
def held(pids: Sequence[int]) -> Generator[None]:
    """Let processes of our servers stand still for the length of a block."""
    for pid in pids:
        _signal(pid, signal.SIGSTOP)
    try:
        yield
    finally:
        for pid in pids:
            _signal(pid, signal.SIGCONT)


def kill_postmaster(data: Path) -> None:
    """End the PostgreSQL server on a data directory at once, with every process of it."""
    pid = _postmaster(data)
    if pid is None:
        return
    # Stopped first, so that it can neither fork nor clean up while its children are counted.
    _signal(pid, signal.SIGSTOP)
    family = [*_children(pid), pid]
    for one in family:
        _signal(one, signal.SIGKILL)
    until(lambda: not any(map(_lives, family)) or None, f"the end of server {pid}", seconds=30)


def _postmaster(data: Path) -> int | None:
    """The server's process, if it runs: a stale file may name a process of somebody else."""
    try:
        pid = int((data / "postmaster.pid").read_text().split("\n", 1)[0])
        return pid if Path(f"/proc/{pid}/cwd").readlink() == data else None
    except (OSError, ValueError):
        return None


def _children(parent: int) -> list[int]:
    return [
        int(entry.name)
        for entry in Path("/proc").iterdir()
        if entry.name.isdecimal() and (_state(int(entry.name)) or ("", 0))[1] == parent
    ]


def _lives(pid: int) -> bool:
    state = _state(pid)
    return state is not None and state[0] != "Z"


def _state(pid: int) -> tuple[str, int] | None:
    """The state of a process and its parent; the name before them may hold spaces and brackets."""
    try:
        state, parent = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[:2]
    except (OSError, ValueError):
        return None
    return state, int(parent)


def _signal(pid: int, what: signal.Signals) -> None:
    try:
        os.kill(pid, what)
    except ProcessLookupError:
        return
