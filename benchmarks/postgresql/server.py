"""A PostgreSQL of the benchmark's own, and what its processes cost."""

import os
import sys
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from harness.results import REPOSITORY

# The tests start the same server from the same wheel, with other settings.
sys.path.append(str(REPOSITORY))
from tests.postgres import Server, postgres_server

SETTINGS: Final = {
    "shared_buffers": "1GB",
    "effective_cache_size": "4GB",
    "maintenance_work_mem": "1GB",
    "max_wal_size": "4GB",
    "random_page_cost": "1.1",
    "fsync": "on",
    "synchronous_commit": "on",
    "full_page_writes": "on",
    "jit": "off",
}
_TICK_MS: Final = 1000 / os.sysconf("SC_CLK_TCK")


@contextmanager
def measured_server() -> Generator[tuple[Server, int]]:
    """Run a server that is set up like one that is used; return it with its process."""
    with postgres_server(**SETTINGS) as server:
        lines = (server.folder / "data" / "postmaster.pid").read_text("utf-8").splitlines()
        yield server, int(lines[0])


def cpu_ms(process: int) -> float:
    """Return the CPU time of a server and all of its processes, ended ones included; 0 for none."""
    if not process:
        return 0.0
    own, before = _ticks(process, ended=True), -1
    running = 0
    # A process that ends between the two looks would be in neither sum: then look again.
    while own != before:
        before = own
        running = sum(_ticks(child, ended=False) for child in _children(process))
        own = _ticks(process, ended=True)
    return (own + running) * _TICK_MS


def _children(process: int) -> list[int]:
    listed = Path("/proc", str(process), "task", str(process), "children").read_text("utf-8")
    return [int(child) for child in listed.split()]


def _ticks(process: int, *, ended: bool) -> int:
    """Return user and system time; with that of the children that have ended, if wanted."""
    try:
        text = Path("/proc", str(process), "stat").read_text("utf-8")
    except FileNotFoundError:
        return 0
    # The name in parentheses may hold spaces. After it, times are the 12th to the 15th word.
    times = [int(word) for word in text.rpartition(")")[2].split()[11:15]]
    return sum(times if ended else times[:2])
