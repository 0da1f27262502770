"""What a billion memories need, from what one costs on PostgreSQL."""

import math
from collections.abc import Callable, Iterable
from typing import Any, Final

from harness.markdown import cell, columns, day, records, table

_VECTORS: Final = "memory_vector"
_GRAPH: Final = "memory_vector_near_512"

# What is assumed, and shown beside what was measured.
_MEMORIES: Final = 1_000_000_000
_RATES: Final = {"learn": 2_000, "recall": 10_000}
_MEAN_RATES: Final = {"learn": 50, "recall": 250}
_SPARE: Final = 0.3
_HOT: Final = 0.1
_COPIES: Final = 3
_KEPT_DAYS: Final = 7
_BUSY: Final = 0.5
# One server: its disk for data, its cores, its RAM.
_DISK_TB: Final = 4
_CORES: Final = 32
_RAM_GB: Final = 256
_TB: Final = 1e12
_GB: Final = 1e9

Relation = dict[str, Any]
"""A table or an index, with bytes per memory."""


def blocks(result: dict[str, Any]) -> dict[str, str]:
    """Return the tables of docs/explanation/scale.md by their names."""
    needs = _Needs(result)
    return {
        "conditions": _conditions(result),
        "stored": _stored(result["stored"]),
        "calls": _calls(result["calls"]),
        "first": _first(result["first"]),
        "disk": needs.disk(),
        "memory": needs.memory(),
        "work": needs.work(),
        "servers": needs.servers(),
    }


def write(result: dict[str, Any]) -> str:
    """Return what was measured, without what follows from it."""
    parts = (_stored(result["stored"]), _calls(result["calls"]), _first(result["first"]))
    return "\n".join(parts)


def _conditions(result: dict[str, Any]) -> str:
    run, server = result["run"], result["server"]
    return (
        f"Measured on {day(result)} by `benchmarks/postgres_rows.py`: {result['memories']:,}"
        f" memories, {result['partitions']} partitions, PostgreSQL {server['postgresql']}, pgvector"
        f" {server['pgvector']}, {run['cores']} cores ({run['cpu']}), which others used as well"
        f" (load {run['load'][0]}).\n"
    )


def _stored(relations: list[Relation]) -> str:
    rows: list[list[object]] = []
    for name in sorted({relation["table"] for relation in relations}):
        own = [relation for relation in relations if relation["table"] == name]
        rows.append([f"**{name}**", *_bytes(own)])
        rows += [[index["name"], None, None, index["bytes"]] for index in own if index["is_index"]]
    sums = {
        "without vectors": _is_plain,
        "vectors, and finding them by key": _is_vector,
        "graph": _is_graph,
        "all": lambda _: True,
    }
    rows += [[f"**{title}**", *_bytes(filter(chosen, relations))] for title, chosen in sums.items()]
    return table(["", "rows", "out of line", "indexes"], rows)


def _is_plain(relation: Relation) -> bool:
    return relation["table"] != _VECTORS


def _is_graph(relation: Relation) -> bool:
    return relation["name"] == _GRAPH


def _is_vector(relation: Relation) -> bool:
    return not _is_plain(relation) and not _is_graph(relation)


def _bytes(relations: Iterable[Relation]) -> list[float]:
    """Return the bytes of rows, of what lies out of line, and of indexes."""
    chosen = list(relations)
    return [
        sum(relation["bytes"] for relation in chosen if not relation["is_index"]),
        sum(relation["toast"] for relation in chosen),
        sum(relation["bytes"] for relation in chosen if relation["is_index"]),
    ]


def _calls(calls: list[dict[str, Any]]) -> str:
    rows = [
        (f"{call}, {'words and vectors' if run['vectors'] else 'words'}", {**run, **run[call]})
        for call in ("learn", "recall")
        for run in calls
    ]
    described = columns(
        {
            "memories in the scope": "members",
            "server, CPU ms": "server_cpu_ms",
            "client, CPU ms": "client_cpu_ms",
            "log, bytes": "log_bytes",
        }
    )
    return records("", described, rows)


def _first(openings: list[dict[str, Any]]) -> str:
    rows = [
        [f"{run['members']:,}", run["wall_ms"], run["cpu_ms"], run["rss_mb"], _ram_each(run)]
        for run in openings
    ]
    titles = ["memories", "wall ms", "client, CPU ms", "RAM, MB", "RAM, bytes a memory"]
    return table(titles, rows)


def _ram_each(opening: dict[str, Any]) -> float:
    return opening["rss_mb"] * 1024 * 1024 / opening["members"]


class _Needs:
    """The arithmetic, from the figures of one result."""

    def __init__(self, result: dict[str, Any]) -> None:
        def each(chosen: Callable[[Relation], bool]) -> float:
            return sum(_bytes(filter(chosen, result["stored"])))

        self._plain, self._vectors, self._graph = map(each, (_is_plain, _is_vector, _is_graph))
        [calls] = [run for run in result["calls"] if run["vectors"] and run["members"] == 10_000]
        self._calls = calls
        # An account's index is its own, words included: one of 10,000 costs more than a tenth of
        # one of 100,000.
        self._ram = _ram_each(result["first"][1])
        self._hot_gb = _HOT * _MEMORIES * (self._plain + self._vectors) / _GB
        self._graph_gb = _MEMORIES * self._graph / _GB
        self._copy_tb = _billion_tb(self._plain + self._vectors + self._graph) * (1 + _SPARE)

    def disk(self) -> str:
        """Return the disk of one copy, of all copies, of the log and of backups."""
        copy_tb, spare_tb = self._copy_tb, self._copy_tb * _SPARE / (1 + _SPARE)
        parts = {"rows and their indexes": self._plain, "vectors": self._vectors}
        parts["graphs"] = self._graph
        rows = [[title, _billion(each), _billion_tb(each)] for title, each in parts.items()]
        rows += [
            ["room for vacuum and growth", f"{_SPARE:.0%} of these", spare_tb],
            ["**one copy**", "sum", copy_tb],
            ["a primary and two standbys", f"{_COPIES} × one copy", _COPIES * copy_tb],
        ]
        log_tb = 0.0
        for call, rate in _MEAN_RATES.items():
            log_bytes = self._calls[call]["log_bytes"]
            log_tb += rate * 86_400 * log_bytes / _TB
            how = f"{rate}/s × 86,400 s × {log_bytes:,.0f} B"
            rows.append([f"log of a day's {call}s", how, rate * 86_400 * log_bytes / _TB])
        how = f"2 full ones, not compressed, and {_KEPT_DAYS} days of log"
        rows.append(["backups", how, 2 * (copy_tb - spare_tb) + _KEPT_DAYS * log_tb])
        return table(["disk", "how", "TB"], [[*row[:2], f"{row[2]:,.2f}"] for row in rows])

    def work(self) -> str:
        """Return the cores of servers and clients."""
        rows: list[list[object]] = []
        for side in ("server", "client"):
            for call, rate in _RATES.items():
                each = self._calls[call][f"{side}_cpu_ms"]
                how = f"{rate:,}/s × {cell(each)} ms"
                rows.append([f"{side}s, {call}", how, f"{rate * each / 1000:,.0f}"])
            cores = f"{self._cores(side) / _BUSY:,.0f}"
            rows.append([f"**{side}s, at most {_BUSY:.0%} busy**", "sum ÷ 0.5", cores])
        return table(["cores", "how", "cores"], rows)

    def memory(self) -> str:
        """Return the RAM of servers and clients."""
        hot, ram = f"{_HOT:.0%} of", f"{self._ram:,.0f} B"
        both = _billion(self._plain + self._vectors)
        clients_gb, client_gb = _HOT * _MEMORIES * self._ram / _GB, 1e6 * self._ram / _GB
        rows = [
            ["servers: accounts that are in use", f"{hot} {both}", f"{self._hot_gb:,.0f}"],
            [
                "servers: graphs, where they are kept",
                _billion(self._graph),
                f"{self._graph_gb:,.0f}",
            ],
            [
                "clients: the index of accounts that are in use",
                f"{hot} 10⁹ × {ram}",
                f"{clients_gb:,.0f}",
            ],
            ["one client with `cached_memories` = 1,000,000", f"10⁶ × {ram}", f"{client_gb:,.1f}"],
        ]
        return table(["RAM", "how", "GB"], rows)

    def servers(self) -> str:
        """Return how many primaries that makes, by each resource."""
        wanted = {
            f"disk, {_DISK_TB} TB each": self._copy_tb / _DISK_TB,
            f"cores, {_CORES} each": self._cores("server") / _BUSY / _CORES,
            f"RAM, {_RAM_GB} GB each, without graphs": self._hot_gb / _RAM_GB,
            f"RAM, {_RAM_GB} GB each, with graphs": (self._hot_gb + self._graph_gb) / _RAM_GB,
        }
        rows = [[name, f"{number:.1f}", math.ceil(number)] for name, number in wanted.items()]
        return table(["primaries by", "exactly", "rounded up"], rows)

    def _cores(self, side: str) -> float:
        return sum(
            rate * self._calls[call][f"{side}_cpu_ms"] / 1000 for call, rate in _RATES.items()
        )


def _billion(each: float) -> str:
    return f"{each:,.0f} B × 10⁹"


def _billion_tb(each: float) -> float:
    return _MEMORIES * each / _TB
