"""What does each kind of recall cost Mnemic as the store grows, and does it stay right?

    python benchmarks/recall.py [--sizes 10000,100000,1000000] [--embedder default] [--again]

A loaded store is kept in benchmarks/.stores and used again. A million texts would take the
default embedder the better part of an hour, so that size uses a stand-in (see standin.py): vectors
of the same length, but embedding a question costs next to nothing.
"""

import argparse
import json
import shutil
import subprocess
import sys
from pathlib import Path
from statistics import median
from typing import Any, Final

from kept_stores import drop_from_cache, loaded_store, loading_of, snapshots_of, working_copy
from reporting import conditions, name_for, progress, save_sizes, state, table
from standin import STAND_IN

_HERE: Final = Path(__file__).resolve().parent
_MOST_EMBEDDED: Final = 100_000
_COLD_STARTS: Final = 3
_FRESH: Final = 50
_TOP: Final = 10


def main() -> None:
    options = _options()
    state(conditions(seed=options.seed))
    for size in options.sizes:
        result = _measured(size, options)
        _show(size, result)
        save_sizes(name_for("recall", [size]), {size: result})


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0] if __doc__ else None)
    sizes = "10000, 100000 and 1000000 are published"
    parser.add_argument("--sizes", type=_numbers, default=[10_000], help=sizes)
    parser.add_argument("--embedder", help="above 100,000 a stand-in, unless named")
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--again", action="store_true", help="load the stores anew")
    return parser.parse_args()


def _numbers(text: str) -> list[int]:
    return [int(one) for one in text.split(",")]


def _measured(size: int, options: argparse.Namespace) -> dict[str, Any]:
    embedder = options.embedder or ("default" if size <= _MOST_EMBEDDED else STAND_IN)
    progress(f"{size:,}: loading, or finding the loaded store; embedder {embedder}")
    kept = loaded_store(
        size,
        embedder,
        options.seed,
        lambda folder: _run("load", folder, embedder, size, options.seed),
        again=options.again,
    )
    # The conditions of the measuring, not of a loading that may be days old.
    run = conditions(seed=options.seed)
    with working_copy(kept) as folder:
        progress(f"{size:,}: opening it cold")
        cold = _cold(folder, embedder)
        progress(f"{size:,}: comparing with the exact answers")
        agreement = _agreement(folder, embedder)
        cosine = _run("nearest", folder, embedder)
        progress(f"{size:,}: asking")
        measured = _run("measure", folder, embedder)
        progress(f"{size:,}: what another process learns")
        fresh = _freshness(folder, embedder)
    return {
        "run": run,
        "embedder": embedder,
        "loading": loading_of(kept),
        **measured,
        "cold": cold,
        "agreement": agreement,
        "cosine": cosine,
        "freshness": fresh,
    }


def _run(phase: str, *arguments: object) -> dict[str, Any]:
    command = [sys.executable, str(_HERE / "recall_driver.py"), phase, *map(str, arguments)]
    done = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True)
    return json.loads(done.stdout.splitlines()[-1])


def _cold(folder: Path, embedder: str) -> dict[str, Any]:
    """Measure the first answers of new processes, with and without an index snapshot."""
    _run("open", folder, embedder)
    snapshots = snapshots_of(folder)
    if not snapshots:
        return {"snapshot": None, "without": _cold_starts(folder, embedder, without=False)}
    return {
        "snapshot": {one.name: one.stat().st_size for one in snapshots if one.is_file()},
        "with": _cold_starts(folder, embedder, without=False),
        "without": _cold_starts(folder, embedder, without=True),
    }


def _cold_starts(folder: Path, embedder: str, *, without: bool) -> dict[str, Any]:
    starts: list[dict[str, Any]] = []
    for _ in range(_COLD_STARTS):
        for one in snapshots_of(folder) if without else ():
            shutil.rmtree(one) if one.is_dir() else one.unlink()
        drop_from_cache(folder)
        starts.append(_run("open", folder, embedder))
    return {
        "rss_mb": median(one["rss_mb"] for one in starts),
        **{
            f"{kind}_{measure}": median(one[kind][measure] for one in starts)
            for kind in ("words", "vectors")
            for measure in ("cpu_ms", "wall_ms")
        },
    }


def _agreement(folder: Path, embedder: str) -> dict[str, Any] | None:
    """Compare the usual answers with the exact ones, where there is an exact search."""
    exact = _run("rank", folder, embedder, "exact")["kinds"]
    if exact is None:
        return None
    usual = _run("rank", folder, embedder, "usual")["kinds"]
    return {
        kind: {
            "same_place": _mean([_same_place(*one) for one in zip(usual[kind], true, strict=True)]),
            "same_set": _mean([_same_set(*one) for one in zip(usual[kind], true, strict=True)]),
        }
        for kind, true in exact.items()
    }


def _same_place(usual: list[int], true: list[int]) -> float:
    same = sum(one == other for one, other in zip(usual, true, strict=False))
    return same / max(len(usual), len(true)) if true or usual else 1.0


def _same_set(usual: list[int], true: list[int]) -> float:
    return len({*usual} & {*true}) / len(true) if true else float(not usual)


def _mean(values: list[float]) -> float:
    return sum(values) / len(values)


def _freshness(folder: Path, embedder: str) -> dict[str, Any]:
    """Let one process learn and another recall it at once; count what it does not find."""
    command = [sys.executable, str(_HERE / "recall_driver.py"), "serve", str(folder), embedder]
    with (
        subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        ) as writer,
        subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        ) as reader,
    ):
        _said(reader, "find nothing in particular")
        missed, cpu = 0, []
        for at in range(_FRESH):
            text = f"wordnobodyused{at} stands here"
            learned = _said(writer, f"learn {text}")
            found = _said(reader, f"find {text}")
            missed += not (learned["found"] and found["found"])
            cpu.append(found["cpu_ms"])
        for process in (writer, reader):
            process.communicate()
    return {"learned": _FRESH, "missed": missed, "cpu_ms": median(cpu)}


def _said(process: subprocess.Popen[str], line: str) -> dict[str, Any]:
    if process.stdin is None or process.stdout is None:
        raise RuntimeError("the process has no input or output")
    process.stdin.write(line + "\n")
    process.stdin.flush()
    return json.loads(process.stdout.readline())


def _show(size: int, result: dict[str, Any]) -> None:
    measures = ["cpu_ms", "cpu_ms_p95", "wall_ms", "wall_ms_p95", "embedding_cpu_ms"]
    rows = [
        [kind, one["calls"], *(one[measure] for measure in measures)]
        for kind, one in {**result["kinds"], "one learn": result["learn"]}.items()
    ]
    title = f"{size:,} memories, embedder {result['embedder']}, RSS {result['rss_mb']:,.0f} MB"
    table(title, ["", "calls", *measures], rows)
    for kind, stages in result["stages"].items():
        table(f"Stages, {kind}, CPU ms", list(stages), [list(stages.values())] if stages else [])
    cold = {key: result["cold"][key] for key in ("with", "without") if key in result["cold"]}
    rows = [[f"{key} a snapshot", *one.values()] for key, one in cold.items()]
    table("Opened cold, ms", ["", *next(iter(cold.values()))], rows)
    agreed = result["agreement"] or {}
    rows = [[kind, one["same_place"], one["same_set"]] for kind, one in agreed.items()]
    table(f"The first {_TOP} against the exact ones", ["", "same place", "same set"], rows)
    fresh = result["freshness"]
    print(
        f"True best by cosine found: {result['cosine']['recall']}; learned by another process and "
        f"not found at once: {fresh['missed']} of {fresh['learned']}\n"
    )


if __name__ == "__main__":
    main()
