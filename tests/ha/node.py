"""One machine of the cluster: etcd, PgBouncer, Patroni, and the PostgreSQL that Patroni runs."""

import json
import subprocess
from contextlib import closing
from http import HTTPStatus
from http.client import HTTPConnection, HTTPException
from pathlib import Path
from typing import Any, Final

import psycopg

from tests.ha import processes
from tests.ha.pooling import prepare_pgbouncer
from tests.ha.processes import ADDRESS

TEMPLATE: Final = Path(__file__).parents[2] / "deploy" / "patroni" / "node.yml"

# Fewer than the clients: PgBouncer has to share them.
_POOL: Final = 5


class Node:
    """A node that can be started, asked, and made to vanish."""

    def __init__(self, name: str, folder: Path, *, ports: list[int], password: str) -> None:
        self.name = name
        self._folder = folder / name
        self._password = password
        self._running: list[subprocess.Popen[bytes]] = []
        self.port, self.pooled_port, self._rest, self._etcd, self._peer = ports
        self._folder.mkdir()
        processes.give(self._folder)

    def prepare(self, cluster: list["Node"]) -> None:
        """Write the node's configuration from the template that the how-to is about."""
        values = {
            "NODE": self.name,
            "ADDRESS": ADDRESS,
            "NETWORK": f"{ADDRESS}/32",
            "PG_PORT": self.port,
            "POOL_PORT": self.pooled_port,
            "REST_PORT": self._rest,
            "ETCD_HOSTS": ",".join(f"{ADDRESS}:{node._etcd}" for node in cluster),
            "BIN": processes.newest_postgres(),
            "DATA": self._folder,
            "RUN": self._folder,
            "SUPERUSER_PASSWORD": self._password,
            "REPLICATION_PASSWORD": self._password,
            # A watchdog would reset the machine that the test runs on when Patroni is killed.
            "WATCHDOG": "off",
        }
        processes.fill_in(TEMPLATE, values, to=self._folder / "node.yml")
        self._pgbouncer = prepare_pgbouncer(
            self._folder,
            port=self.pooled_port,
            server_port=self.port,
            password=self._password,
            server_connections=_POOL,
        )
        self._members = ",".join(f"{one.name}={_http(one._peer)}" for one in cluster)

    def start(self) -> None:
        """Start etcd, PgBouncer and Patroni, which starts PostgreSQL when it is due."""
        self._running = []
        for name, command in {
            "etcd": self._etcd_command(),
            "pgbouncer": self._pgbouncer,
            "patroni": ["/usr/bin/patroni", str(self._folder / "node.yml")],
        }.items():
            self._running.append(processes.start(command, log=self._folder / f"{name}.log"))

    def kill(self) -> None:
        """End everything on this node with SIGKILL, as if the machine had lost its power."""
        for process in reversed(self._running):
            processes.kill(process)
        self._running = []
        processes.kill_postmaster(self._folder / "postgres")

    def members(self) -> dict[str, dict[str, Any]]:
        """What Patroni on this node knows of all nodes, by name; empty if it does not answer."""
        _, answer = _ask(self._rest, "GET", "/cluster")
        return {one["name"]: one for one in answer.get("members", ())}

    def leads(self) -> bool:
        """Whether Patroni says that this node is the primary, and its PostgreSQL takes writes."""
        status, _ = _ask(self._rest, "GET", "/primary")
        if status != HTTPStatus.OK:
            return False
        try:
            return self.sql("select pg_is_in_recovery()") == [(False,)]
        except psycopg.OperationalError:
            return False

    def leads_etcd(self) -> bool:
        """Whether the etcd of this node is the one that the others follow."""
        _, answer = _ask(self._etcd, "POST", "/v3/maintenance/status")
        return "leader" in answer and answer["leader"] == answer["header"]["member_id"]

    def sql(self, statement: str, *, dbname: str = "postgres") -> list[tuple[Any, ...]]:
        """The rows that the PostgreSQL of this very node answers to its superuser."""
        with psycopg.connect(
            host=ADDRESS,
            port=self.port,
            dbname=dbname,
            user="postgres",
            password=self._password,
            connect_timeout=5,
            autocommit=True,
        ) as connection:
            cursor = connection.execute(statement.encode())
            return cursor.fetchall() if cursor.description else []

    def _etcd_command(self) -> list[str]:
        options = {
            "name": self.name,
            "data-dir": self._folder / "etcd",
            "listen-client-urls": _http(self._etcd),
            "advertise-client-urls": _http(self._etcd),
            "listen-peer-urls": _http(self._peer),
            "initial-advertise-peer-urls": _http(self._peer),
            "initial-cluster": self._members,
            "initial-cluster-token": "mnemic",
            # Milliseconds; etcd's own 100 and 1000 are for disks that nobody else uses.
            "heartbeat-interval": 250,
            "election-timeout": 2500,
            "logger": "zap",
        }
        return ["/usr/bin/etcd", *(f"--{name}={value}" for name, value in options.items())]


def _ask(port: int, method: str, path: str) -> tuple[int, dict[str, Any]]:
    """The status and the answer, which is JSON; status 0 where nobody answers."""
    with closing(HTTPConnection(ADDRESS, port, timeout=5)) as connection:
        try:
            connection.request(method, path, body="{}" if method == "POST" else None)
            answer = connection.getresponse()
            return answer.status, json.loads(answer.read())
        except (OSError, HTTPException, ValueError):
            return 0, {}


def _http(port: int) -> str:
    return f"http://{ADDRESS}:{port}"
