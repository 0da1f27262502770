"""The one way to measure: CPU and wall time of calls, resident memory, bytes on disk.

Only the standard library is used: peers measure themselves in environments of their own.
"""

from collections.abc import Callable, Sequence
from pathlib import Path
from statistics import mean, median
from time import clock_gettime_ns, perf_counter, process_time
from typing import Any, Protocol

Timed = dict[str, Any]
"""The answer of a call, its CPU and wall milliseconds, and how much of them was embedding."""


class EmbeddingTimes(Protocol):
    """An embedder that counts its milliseconds."""

    cpu_ms: float
    wall_ms: float


def time_call(
    call: Callable[..., Any], arguments: Sequence[Any], embedding: EmbeddingTimes | None = None
) -> Timed:
    """Make a call and return its answer with its costs: all threads, user and system."""
    before = (embedding.cpu_ms, embedding.wall_ms) if embedding else (0.0, 0.0)
    wall, cpu = perf_counter(), process_time()
    answer = call(*arguments)
    cpu_ms, wall_ms = (process_time() - cpu) * 1000, (perf_counter() - wall) * 1000
    after = (embedding.cpu_ms, embedding.wall_ms) if embedding else (0.0, 0.0)
    costs = {"cpu_ms": cpu_ms, "wall_ms": wall_ms}
    spent = {"embedding_cpu_ms": after[0] - before[0], "embedding_wall_ms": after[1] - before[1]}
    return {"answer": answer, **costs, **spent}


def summary(timed: Sequence[Timed], *, warm_up: int = 0) -> dict[str, Any]:
    """Return medians and more over calls, and what is left of each without its embedding."""
    counted = timed[warm_up:]
    cpu, wall = ([call[key] for call in counted] for key in ("cpu_ms", "wall_ms"))
    return {
        "calls": len(counted),
        "cpu_ms": median(cpu),
        "cpu_ms_mean": mean(cpu),
        "cpu_ms_p95": percentile(cpu, 95),
        "cpu_ms_worst": max(cpu),
        "wall_ms": median(wall),
        "wall_ms_p95": percentile(wall, 95),
        "embedding_cpu_ms": median(call["embedding_cpu_ms"] for call in counted),
        "cpu_ms_rest": median(rest(counted, "cpu_ms")),
        "wall_ms_rest": median(rest(counted, "wall_ms")),
    }


def rest(timed: Sequence[Timed], key: str) -> list[float]:
    """Return the milliseconds of each call without its embedding."""
    return [max(0.0, call[key] - call[f"embedding_{key}"]) for call in timed]


def percentile(values: Sequence[float], percent: int) -> float:
    """Return the smallest value that so many percent of the values do not exceed."""
    ranked = sorted(values)
    return ranked[max(0, -(-len(ranked) * percent // 100) - 1)]


def process_cpu_ms(pid: int) -> float:
    """Return the CPU time of another process so far: all threads, user and system."""
    # Linux derives the id of a process's CPU clock from its pid.
    return clock_gettime_ns(~pid << 3 | 2) / 1_000_000


def resident_mb(pid: int | str = "self") -> float:
    """Return the resident memory of a process, by default of this one."""
    lines = Path(f"/proc/{pid}/status").read_text("utf-8").splitlines()
    [kilobytes] = [line.split()[1] for line in lines if line.startswith("VmRSS:")]
    return int(kilobytes) / 1024


def folder_bytes(folder: Path) -> int:
    """Return the size of all files in a folder."""
    return sum(file.stat().st_size for file in folder.rglob("*") if file.is_file())
