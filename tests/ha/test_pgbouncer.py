"""Mnemic behind PgBouncer in transaction mode, with Debian's packages: `make test-ha`."""

from concurrent.futures import ThreadPoolExecutor
from functools import partial
from itertools import chain
from typing import Final

import pytest

import mnemic
from mnemic.opening import OpenMemory
from tests.ha import processes
from tests.ha.pooling import running_pgbouncer, running_server
from tests.ha.writing import lesson

pytestmark = pytest.mark.ha

THREADS: Final = 8
LESSONS: Final = 25
SERVER_CONNECTIONS: Final = 2


def test_eight_threads_learn_and_recall_over_two_server_connections() -> None:
    processes.need(["pgbouncer"])
    with (
        processes.folder() as folder,
        running_server(folder) as server,
        running_pgbouncer(folder, server, server_connections=SERVER_CONNECTIONS) as url,
        mnemic.open(url, embedder="none") as memory,
        ThreadPoolExecutor(THREADS) as threads,
    ):
        each = threads.map(partial(_learn_and_recall, memory), range(THREADS))
        learned = list(chain.from_iterable(each))

        assert len(set(learned)) == THREADS * LESSONS
        assert memory.count() == THREADS * LESSONS
        used = server.sql("select count(*) from pg_stat_activity where usename = 'mnemic'")
        assert used[0][0] <= SERVER_CONNECTIONS


def _learn_and_recall(memory: OpenMemory, client: int) -> list[int]:
    """Learn lessons, find each at once, and return their ids."""
    found: list[int] = []
    for number in range(1, LESSONS + 1):
        text = lesson(client, number)
        learned = memory.robot.learn(text)
        assert learned["status"] == "created"
        recalled = memory.robot.recall(text, n=1)["memories"]
        assert [one["content"] for one in recalled] == [text]
        found.append(recalled[0]["id"])
    return found
