"""The primary vanishes while eight clients write: nothing is lost, doubled or left to the caller.

Patroni, etcd and PostgreSQL from Debian's packages, on loopback: `make test-ha`.
"""

import time
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Final

import pytest

import mnemic
from mnemic.dialects.robot.answers import Record
from mnemic.dialects.robot.tools import RobotTools
from tests.ha.clients import Acknowledged, Clients, longest_gap
from tests.ha.cluster import Cluster
from tests.ha.node import Node
from tests.ha.writing import collection, told

pytestmark = pytest.mark.ha

CLIENTS: Final = 8
WRITES: Final = 20  # of each client before a kill, and again after it
PAGE: Final = 100


@dataclass(frozen=True, slots=True, kw_only=True)
class FailOver:
    """When the primary was killed, when another took its place, when every client went on.

    `etcd_too` says that etcd lost its leader with the machine.
    """

    killed_at: float
    promoted_at: float
    all_writing_at: float
    etcd_too: bool


@pytest.mark.parametrize("pooled", [False, True], ids=["direct", "pgbouncer"])
def test_no_acknowledged_write_is_lost_or_doubled_when_the_primary_is_killed_twice(
    pooled: bool, tmp_path: Path
) -> None:
    with Cluster() as cluster:
        url = cluster.url("mnemic", cluster.password, "mnemic", pooled=pooled)
        with mnemic.open(url, embedder="none"):
            pass  # The tables are made before the clients come.
        with Clients(url, tmp_path, count=CLIENTS) as clients:
            clients.wait_for_writes(WRITES)
            fail_overs = [
                _kill_and_bring_back(cluster, clients, kill=kill)
                for kill in (cluster.kill_primary, partial(cluster.kill_primary_amid_commits, 2))
            ]
            clients.stop()
            acknowledged = clients.acknowledged()
        _report(acknowledged, fail_overs)

        kept = _everything_kept(url)
        _check(acknowledged, kept)
        _check_every_node_has_it_all(cluster, len(kept))


def _kill_and_bring_back(
    cluster: Cluster, clients: Clients, *, kill: Callable[[], Node]
) -> FailOver:
    """Kill the primary; return once the clients write again and the killed node follows."""
    etcd_too = cluster.primary().leads_etcd()
    killed = kill()
    killed_at = time.monotonic()
    cluster.wait_for_primary(other_than=killed)
    promoted_at = time.monotonic()
    clients.wait_for_writes(WRITES, since=promoted_at)
    all_writing_at = time.monotonic()
    cluster.restart(killed)
    assert cluster.primary() is not killed
    clients.wait_for_writes(WRITES, since=time.monotonic())
    return FailOver(
        killed_at=killed_at,
        promoted_at=promoted_at,
        all_writing_at=all_writing_at,
        etcd_too=etcd_too,
    )


def _everything_kept(url: str) -> dict[int, tuple[int, int]]:
    """Each memory's id, with the client and the number of its lesson."""
    found: dict[int, tuple[int, int]] = {}
    with mnemic.open(url, embedder="none") as memory:
        for room in sorted({collection(client) for client in range(1, CLIENTS + 1)}):
            for one in _listed(memory.robot, room):
                assert one["id"] not in found
                found[one["id"]] = told(one["content"])
    return found


def _listed(robot: RobotTools, room: str) -> Iterator[Record]:
    before = None
    while page := robot.list(room, n=PAGE, before_id=before):
        yield from page
        before = page[-1]["id"]


def _check(acknowledged: list[Acknowledged], kept: dict[int, tuple[int, int]]) -> None:
    lost = [one for one in acknowledged if kept.get(one.memory_id) != (one.client, one.number)]
    doubled = [one for one, times in Counter(kept.values()).items() if times > 1]
    assert lost == []
    assert doubled == []
    assert len({one.memory_id for one in acknowledged}) == len(acknowledged)
    for client in range(1, CLIENTS + 1):
        # One that gave up on a write, or was left without an answer, would show as a hole.
        numbers = [one.number for one in acknowledged if one.client == client]
        assert numbers == list(range(1, len(numbers) + 1))


def _check_every_node_has_it_all(cluster: Cluster, count: int) -> None:
    cluster.wait_until_level()
    timelines = cluster.timelines()
    assert len(timelines) == 3
    assert len(set(timelines)) == 1, "a node has a history of its own"
    counted = "select count(*) from memory"
    assert [node.sql(counted, dbname="mnemic") for node in cluster.nodes] == [[(count,)]] * 3


def _report(acknowledged: list[Acknowledged], fail_overs: list[FailOver]) -> None:
    print(f"\n{len(acknowledged)} writes of {CLIENTS} clients were acknowledged")  # noqa: T201
    for one in fail_overs:
        print(_told(acknowledged, one))  # noqa: T201


def _told(acknowledged: list[Acknowledged], one: FailOver) -> str:
    span = {"start": one.killed_at, "end": one.all_writing_at}
    gap = longest_gap(acknowledged, **span)
    each = [
        longest_gap([write for write in acknowledged if write.client == client], **span).seconds
        for client in range(1, CLIENTS + 1)
    ]
    return (
        f"killed{' with the leader of etcd' if one.etcd_too else ''}: "
        f"new primary after {one.promoted_at - one.killed_at:.1f} s, "
        f"first write after {gap.after - one.killed_at:.1f} s; no write for {gap.seconds:.1f} s, "
        f"of each client for {' '.join(f'{seconds:.1f}' for seconds in each)} s"
    )
