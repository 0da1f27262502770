"""Three nodes on one machine that stand for three machines: Patroni, etcd and PostgreSQL."""

import secrets
from contextlib import ExitStack
from types import TracebackType
from typing import Final, Self

import psycopg

from tests.ha import processes
from tests.ha.node import Node

# The longest waits that are no failure yet; a free machine needs a fraction of them.
_MAKING: Final = 240
_ELECTING: Final = 120
_JOINING: Final = 180

_COMMITS_SENT: Final = """
    select count(*) from pg_stat_activity
     where wait_event = 'SyncRep' and backend_type = 'client backend'
       and (select min(sent_lsn) from pg_stat_replication) >= pg_current_wal_flush_lsn()
"""

# Two seconds for a node that does not answer, ten for one that falls silent.
OPTIONS: Final = (
    "target_session_attrs=read-write&connect_timeout=2"
    "&keepalives_idle=5&keepalives_interval=2&keepalives_count=3&tcp_user_timeout=10000"
)


class Cluster:
    """A running cluster of three nodes, gone without a trace when the block is left.

    It has an empty database `mnemic` that belongs to the user `mnemic` with `password`.

    Where the block fails, the logs of all nodes are kept, and the error says where.
    """

    def __enter__(self) -> Self:
        processes.need(["patroni", "etcd", "pgbouncer"])
        self.password = secrets.token_hex(12)
        with ExitStack() as closing:
            folder = closing.enter_context(processes.folder())
            self.nodes = [
                Node(f"node{number}", folder, ports=ports, password=self.password)
                for number, ports in enumerate(_ports_of_three(), start=1)
            ]
            for node in self.nodes:
                closing.callback(node.kill)
                node.prepare(self.nodes)
                node.start()
            self.wait_until_whole(seconds=_MAKING)
            self.primary().sql(f"create role mnemic login password '{self.password}'")
            self.primary().sql("create database mnemic owner mnemic")
            self._closing = closing.pop_all()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._closing.__exit__(kind, error, trace)

    def url(self, user: str, password: str, dbname: str, *, pooled: bool = False) -> str:
        """The address of whichever node takes writes, where wanted through its PgBouncer."""
        ports = [node.pooled_port if pooled else node.port for node in self.nodes]
        hosts = ",".join(f"{processes.ADDRESS}:{port}" for port in ports)
        return f"postgresql://{user}:{password}@{hosts}/{dbname}?{OPTIONS}"

    def primary(self) -> Node:
        """The node that takes writes now."""
        found = self._leader()
        if found is None:
            raise LookupError("no node takes writes")
        return found

    def wait_for_primary(self, other_than: Node | None = None) -> Node:
        """The primary, as soon as there is one that is not `other_than`."""
        what = "a primary" if other_than is None else f"a primary other than {other_than.name}"

        def look() -> Node | None:
            found = self._leader()
            return found if found is not other_than else None

        return processes.until(look, what, seconds=_ELECTING)

    def kill_primary(self) -> Node:
        """Let the primary's machine vanish, and return what is left of it."""
        node = self.primary()
        node.kill()
        return node

    def kill_primary_amid_commits(self, count: int) -> Node:
        """Let the primary's machine vanish when so many commits have reached a standby, but
        neither the primary nor the clients know it yet.
        """
        primary = self.primary()
        receivers = [
            row[0]
            for node in self.nodes
            if node is not primary
            for row in node.sql("select pid from pg_stat_wal_receiver")
        ]
        # What was sent waits for the standbys in their sockets, and outlives the sender.
        with processes.held(receivers):
            processes.until(
                lambda: primary.sql(_COMMITS_SENT)[0][0] >= count or None,
                f"{count} commits under way",
                seconds=_JOINING,
            )
            primary.kill()
        return primary

    def restart(self, node: Node) -> None:
        """Start a killed node again, and wait until it follows the primary."""
        node.start()
        self.wait_until_whole(seconds=_JOINING)

    def wait_until_whole(self, *, seconds: float = _JOINING) -> None:
        """Wait until both standbys stream the primary's timeline, and one is in line for it."""
        processes.until(lambda: self._whole() or None, "a whole cluster", seconds=seconds)

    def wait_until_level(self) -> None:
        """Wait until the standbys have replayed everything that the primary has written."""
        level = "select count(*) from pg_stat_replication where replay_lsn >= pg_current_wal_lsn()"
        others = len(self.nodes) - 1
        processes.until(
            lambda: self.primary().sql(level) == [(others,)] or None,
            "standbys that have caught up",
            seconds=_JOINING,
        )

    def timelines(self) -> list[int]:
        """The timeline that each node writes or streams; one that does neither is left out."""
        primary = self.primary()
        own = "select timeline_id from pg_control_checkpoint()"
        streamed = "select received_tli from pg_stat_wal_receiver where status = 'streaming'"
        return [
            row[0] for node in self.nodes for row in node.sql(own if node is primary else streamed)
        ]

    def _leader(self) -> Node | None:
        return next((node for node in self.nodes if node.leads()), None)

    def _whole(self) -> bool:
        primary = self._leader()
        if primary is None:
            return False
        roles = sorted(str(one.get("role")) for one in primary.members().values())
        if roles != ["leader", "replica", "sync_standby"]:
            return False
        try:
            timelines = self.timelines()
        except (psycopg.OperationalError, LookupError):
            return False
        return len(timelines) == len(self.nodes) and len(set(timelines)) == 1


def _ports_of_three() -> list[list[int]]:
    ports = processes.free_ports(15)
    return [ports[at : at + 5] for at in range(0, 15, 5)]
