"""The tables in docs/explanation/scale.md: what was measured, and what a billion memories need."""

import json
import math
import re
from collections.abc import Callable
from typing import Any, Final

from pages import cell, day, table
from reporting import REPOSITORY, RESULTS

PAGE: Final = REPOSITORY / "docs" / "explanation" / "scale.md"
_RESULT: Final = "postgres-rows"
_BLOCK: Final = "(<!-- generated:{name} -->\n).*?(<!-- /generated -->)"
_VECTORS: Final = "memory_vector"
_GRAPH: Final = "memory_vector_near_512"

# What is assumed, and shown beside what was measured.
MEMORIES: Final = 1_000_000_000
ACCOUNTS: Final = 100_000
LEARNS: Final = 2_000
RECALLS: Final = 10_000
MEAN_LEARNS: Final = 50
MEAN_RECALLS: Final = 250
SPARE: Final = 0.3
HOT: Final = 0.1
COPIES: Final = 3
KEPT_DAYS: Final = 7
BUSY: Final = 0.5
# One server: its disk for data, its cores, its RAM.
DISK_TB: Final = 4
CORES: Final = 32
RAM_GB: Final = 256
_TB: Final = 1e12
_GB: Final = 1e9


def write() -> None:
    """Put the tables of the last result into the page."""
    PAGE.write_text(current(PAGE.read_text("utf-8")), "utf-8")


def current(page: str) -> str:
    """Return the page with the tables of the last result."""
    result = json.loads((RESULTS / f"{_RESULT}.json").read_text("utf-8"))
    for name, made in _TABLES.items():
        block = re.compile(_BLOCK.format(name=name), re.DOTALL)
        page = block.sub(lambda old, made=made: f"{old[1]}{made(result)}{old[2]}", page)
    return page


def _conditions(result: dict[str, Any]) -> str:
    run, server = result["run"], result["server"]
    return (
        f"Measured on {day(result)} by `benchmarks/postgres_rows.py`: {result['memories']:,}"
        f" memories, {result['partitions']} partitions, PostgreSQL {server['postgresql']}, pgvector"
        f" {server['pgvector']}, {run['cores']} cores ({run['cpu']}), which others used as well"
        f" (load {run['load'][0]}).\n"
    )


def _stored(result: dict[str, Any]) -> str:
    rows: list[list[object]] = []
    for name in sorted({one["table"] for one in result["stored"]}):
        own = [one for one in result["stored"] if one["table"] == name]
        [heap] = [one for one in own if not one["is_index"]] or [{"bytes": 0.0, "toast": 0.0}]
        rows.append([f"**{name}**", heap["bytes"], heap["toast"], sum(map(_indexed, own))])
        rows += [[one["name"], None, None, one["bytes"]] for one in own if one["is_index"]]
    sums = [
        ["**without vectors**", *_sum(result, lambda one: one["table"] != _VECTORS)],
        ["**vectors, and finding them by key**", *_sum(result, _is_vector)],
        ["**graph**", *_sum(result, lambda one: one["name"] == _GRAPH)],
        ["**all**", *_sum(result, lambda one: True)],
    ]
    return table(["", "rows", "out of line", "indexes"], [*rows, *sums])


def _indexed(one: dict[str, Any]) -> float:
    return one["bytes"] if one["is_index"] else 0.0


def _is_vector(one: dict[str, Any]) -> bool:
    return one["table"] == _VECTORS and one["name"] != _GRAPH


def _sum(result: dict[str, Any], chosen: Callable[[dict[str, Any]], bool]) -> list[float]:
    kept = [one for one in result["stored"] if chosen(one)]
    heap = sum(one["bytes"] for one in kept if not one["is_index"])
    return [heap, sum(one["toast"] for one in kept), sum(map(_indexed, kept))]


def _calls(result: dict[str, Any]) -> str:
    rows: list[list[object]] = [
        [
            f"{call}, {'words and vectors' if one['vectors'] else 'words'}",
            one["members"],
            one[call]["server_cpu_ms"],
            one[call]["client_cpu_ms"],
            one[call]["log_bytes"],
        ]
        for call in ("learn", "recall")
        for one in result["calls"]
    ]
    columns = ["", "memories in the scope", "server, CPU ms", "client, CPU ms", "log, bytes"]
    return table(columns, rows)


def _first(result: dict[str, Any]) -> str:
    rows: list[list[object]] = [
        [f"{one['members']:,}", one["wall_ms"], one["cpu_ms"], one["rss_mb"], _each_of(one)]
        for one in result["first"]
    ]
    columns = ["memories", "wall ms", "client, CPU ms", "RAM, MB", "RAM, bytes a memory"]
    return table(columns, rows)


def _each_of(look: dict[str, Any]) -> float:
    return look["rss_mb"] * 1024 * 1024 / look["members"]


class _Needs:
    """The arithmetic, from the figures of one result."""

    def __init__(self, result: dict[str, Any]) -> None:
        self.plain = sum(_sum(result, lambda one: one["table"] != _VECTORS))
        self.vectors = sum(_sum(result, _is_vector))
        self.graph = sum(_sum(result, lambda one: one["name"] == _GRAPH))
        [calls] = [one for one in result["calls"] if one["vectors"] and one["members"] == 10_000]
        self.learn, self.recall = calls["learn"], calls["recall"]
        # An account's index is its own, words included: one of 10,000 costs more than a tenth of
        # one of 100,000.
        self.ram = _each_of(result["first"][1])
        self.tables_tb = MEMORIES * (self.plain + self.vectors) / _TB
        self.disk_tb = (self.tables_tb + MEMORIES * self.graph / _TB) * (1 + SPARE)
        self.log_of_learns = MEAN_LEARNS * 86_400 * self.learn["log_bytes"] / _TB
        self.log_of_recalls = MEAN_RECALLS * 86_400 * self.recall["log_bytes"] / _TB
        self.log_tb = self.log_of_learns + self.log_of_recalls
        self.cores = {
            side: LEARNS * self.learn[f"{side}_cpu_ms"] / 1000
            + RECALLS * self.recall[f"{side}_cpu_ms"] / 1000
            for side in ("server", "client")
        }
        self.hot_gb = HOT * MEMORIES * (self.plain + self.vectors) / _GB
        self.graph_gb = MEMORIES * self.graph / _GB


def _disk(result: dict[str, Any]) -> str:
    needs = _Needs(result)
    rows = [
        [
            "rows and their indexes",
            f"{needs.plain:,.0f} B × 10⁹",
            _tb(MEMORIES * needs.plain / _TB),
        ],
        ["vectors", f"{needs.vectors:,.0f} B × 10⁹", _tb(MEMORIES * needs.vectors / _TB)],
        ["graphs", f"{needs.graph:,.0f} B × 10⁹", _tb(MEMORIES * needs.graph / _TB)],
        ["room for vacuum and growth", f"{SPARE:.0%} of these", _tb(needs.disk_tb * SPARE / 1.3)],
        ["**one copy**", "sum", _tb(needs.disk_tb)],
        ["a primary and two standbys", f"{COPIES} × one copy", _tb(COPIES * needs.disk_tb)],
        [
            "log of a day's learns",
            f"{MEAN_LEARNS}/s × 86,400 s × {needs.learn['log_bytes']:,.0f} B",
            _tb(needs.log_of_learns),
        ],
        [
            "log of a day's recalls",
            f"{MEAN_RECALLS}/s × 86,400 s × {needs.recall['log_bytes']:,.0f} B",
            _tb(needs.log_of_recalls),
        ],
        [
            "backups",
            f"2 full ones, not compressed, and {KEPT_DAYS} days of log",
            _tb(2 * needs.disk_tb / (1 + SPARE) + KEPT_DAYS * needs.log_tb),
        ],
    ]
    return table(["disk", "how", "TB"], rows)


def _work(result: dict[str, Any]) -> str:
    needs = _Needs(result)
    rows: list[list[object]] = []
    for side in ("server", "client"):
        for call, rate in (("learn", LEARNS), ("recall", RECALLS)):
            each = getattr(needs, call)[f"{side}_cpu_ms"]
            how = f"{rate:,}/s × {cell(each)} ms"
            rows.append([f"{side}s, {call}", how, f"{rate * each / 1000:,.0f}"])
        both = needs.cores[side]
        rows.append([f"**{side}s, at most {BUSY:.0%} busy**", "sum ÷ 0.5", f"{both / BUSY:,.0f}"])
    return table(["cores", "how", "cores"], rows)


def _memory(result: dict[str, Any]) -> str:
    needs = _Needs(result)
    hot = HOT * MEMORIES
    rows = [
        [
            "servers: accounts that are in use",
            f"{HOT:.0%} of {needs.plain + needs.vectors:,.0f} B × 10⁹",
            f"{needs.hot_gb:,.0f}",
        ],
        [
            "servers: graphs, where they are kept",
            f"{needs.graph:,.0f} B × 10⁹",
            f"{needs.graph_gb:,.0f}",
        ],
        [
            "clients: the index of accounts that are in use",
            f"{HOT:.0%} of 10⁹ × {needs.ram:,.0f} B",
            f"{hot * needs.ram / _GB:,.0f}",
        ],
        [
            "one client with `cached_memories` = 1,000,000",
            f"10⁶ × {needs.ram:,.0f} B",
            f"{1e6 * needs.ram / _GB:,.1f}",
        ],
    ]
    return table(["RAM", "how", "GB"], rows)


def _servers(result: dict[str, Any]) -> str:
    needs = _Needs(result)
    wanted = {
        f"disk, {DISK_TB} TB each": needs.disk_tb / DISK_TB,
        f"cores, {CORES} each": needs.cores["server"] / BUSY / CORES,
        f"RAM, {RAM_GB} GB each, without graphs": needs.hot_gb / RAM_GB,
        f"RAM, {RAM_GB} GB each, with graphs": (needs.hot_gb + needs.graph_gb) / RAM_GB,
    }
    rows = [[name, f"{number:.1f}", math.ceil(number)] for name, number in wanted.items()]
    return table(["primaries by", "exactly", "rounded up"], rows)


def _billion(each: float) -> str:
    return f"{each:,.0f} B × 10⁹"


def _tb(value: float) -> str:
    return f"{value:,.2f}"


_TABLES: Final[dict[str, Callable[[dict[str, Any]], str]]] = {
    "conditions": _conditions,
    "stored": _stored,
    "calls": _calls,
    "first": _first,
    "disk": _disk,
    "memory": _memory,
    "work": _work,
    "servers": _servers,
}
