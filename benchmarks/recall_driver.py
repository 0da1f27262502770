"""Mnemic's recall under trial, in a process of its own.

python recall_driver.py load FOLDER EMBEDDER SIZE SEED
python recall_driver.py measure|open|nearest|serve FOLDER EMBEDDER
python recall_driver.py rank FOLDER EMBEDDER usual|exact
"""

import json
import sys
from collections.abc import Iterator
from dataclasses import fields, replace
from pathlib import Path
from time import perf_counter, process_time
from typing import Any, Final

import mnemic
import nearest
from loading import BATCH, fill
from mnemic.engine.query import Query
from mnemic.filters import parse_filter, parse_near
from mnemic.records import Draft, Scope
from mnemic.settings import Settings
from recall_stock import EVERYWHERE, Question, questions, read_questions, write_questions
from reporting import percentile
from sentences import Writer
from trials import Costs, answer, folder_bytes, resident_mb
from watching import Watch

_UNCOUNTED: Final = 10
_LEARNS: Final = 60
_EXPLAINED: Final = 10
# A kind of question that is very slow is asked fewer times, but never less often than this.
_PATIENCE_SECONDS: Final = 60.0
_LEAST: Final = 5
_TOP: Final = 10
_DEPTH: Final = 100
_ROUNDING: Final = 1e-5


def load(folder: Path, embedder: str, size: int, seed: int) -> dict[str, Any]:
    """Fill a store in bulk, without looking for duplicates, and keep its questions beside it."""
    cpu, wall = process_time(), perf_counter()
    for stored in fill(folder / "memory.db", embedder, size, seed):
        if stored % (25 * BATCH) == 0:
            sys.stderr.write(f"    {stored:,} of {size:,}, {perf_counter() - wall:.0f} s\n")
    spent = {"cpu_s": process_time() - cpu, "wall_s": perf_counter() - wall}
    write_questions(questions(size, seed), folder / "questions.json")
    return {**spent, "bytes": folder_bytes(folder)}


def measure(folder: Path, embedder: str, watch: Watch) -> dict[str, Any]:
    """Return what every kind of question costs in one open store, and then one learn."""
    kinds = read_questions(folder / "questions.json")
    with mnemic.open(folder / "memory.db", embedder=embedder) as memory:
        measured = {kind: _asked(memory, asked, watch) for kind, asked in kinds.items()}
        stages = {kind: _stages(memory, asked) for kind, asked in kinds.items()}
        rss = resident_mb()
        learned = _learned(memory, watch)
    return {"kinds": measured, "stages": stages, "rss_mb": rss, "learn": learned}


def open_cold(folder: Path, embedder: str) -> dict[str, Any]:
    """Open a store and ask by words, then with vectors; the second includes the embedder."""
    [asked, *_] = read_questions(folder / "questions.json")["mixed"]
    words, vectors = Costs(), Costs()
    opened: list[mnemic.OpenMemory] = []

    def first() -> int:
        opened.append(mnemic.open(folder / "memory.db", embedder=embedder))
        return len(opened[0].recall(_query(replace(asked, mode="bm25_only"))).hits)

    words.time(first)
    vectors.time(lambda: len(opened[0].recall(_query(asked)).hits))
    rss = resident_mb()
    # What it keeps to open faster may be written here.
    opened[0].close()
    return {
        "words": {"cpu_ms": words.cpu[0], "wall_ms": words.wall[0]},
        "vectors": {"cpu_ms": vectors.cpu[0], "wall_ms": vectors.wall[0]},
        "rss_mb": rss,
    }


def rank(folder: Path, embedder: str, *, exact: bool) -> dict[str, Any]:
    """Return the best of some kinds of question; nothing where there is no exact search."""
    if exact and not any(field.name == "exact_search" for field in fields(Settings)):
        return {"kinds": None}
    settings: dict[str, Any] = {"exact_search": True} if exact else {}
    kinds = read_questions(folder / "questions.json")
    with mnemic.open(folder / "memory.db", embedder=embedder, **settings) as memory:
        found = {
            kind: [
                [hit.memory.id for hit in memory.recall(_query(one)).hits]
                for one in kinds[kind][_UNCOUNTED:]
            ]
            for kind in ("common words", "rare words", "mixed", "Chinese")
        }
    return {"kinds": found}


def found_by_cosine(folder: Path, embedder: str, watch: Watch) -> dict[str, Any]:
    """Return which share of the true best by cosine recall finds, over every stored vector."""
    asked = read_questions(folder / "questions.json")["vectors only"][_UNCOUNTED:]
    found: list[list[float]] = []
    vectors: list[Any] = []
    with mnemic.open(folder / "memory.db", embedder=embedder) as memory:
        for one in asked:
            # Signals move hits: what the channel of vectors found is told by its own ranks.
            recalled = memory.recall(replace(_query(one), limit=_DEPTH))
            if watch.last is not None:
                best = [hit for hit in recalled.hits if 0 < (hit.vector_rank or 0) <= _TOP]
                found.append([hit.cosine or 0.0 for hit in best])
                vectors.append(watch.last)
    if not found:
        return {"questions": 0, "recall": None}
    true = nearest.best(folder / "memory.db", vectors, scope=EVERYWHERE, limit=_TOP)
    # Of several that are equally close, any will do.
    shares = [
        sum(cosine >= best[-1] - _ROUNDING for cosine in one) / len(best)
        for one, best in zip(found, true, strict=True)
    ]
    return {"questions": len(shares), "recall": sum(shares) / len(shares)}


def serve(folder: Path, embedder: str) -> None:
    """Answer every line of the input: `learn TEXT` or `find TEXT`."""
    with mnemic.open(folder / "memory.db", embedder=embedder) as memory:
        for line in sys.stdin:
            verb, _, text = line.strip().partition(" ")
            started = process_time()
            if verb == "learn":
                scope = Scope("collection", EVERYWHERE)
                found = memory.remember(Draft(text, scope)).duplicate is None
            else:
                hits = memory.recall(_query(Question(text))).hits
                found = any(text in hit.memory.content for hit in hits)
            spent = (process_time() - started) * 1000
            sys.stdout.write(json.dumps({"found": found, "cpu_ms": spent}) + "\n")
            sys.stdout.flush()


def _query(one: Question, **more: Any) -> Query:
    return Query(
        one.text,
        scopes=(Scope("collection", one.scope),),
        limit=_TOP,
        filter=parse_filter(one.filter),
        near=parse_near(one.near),
        mode=one.mode,  # pyright: ignore[reportArgumentType]
        **more,
    )


def _asked(memory: mnemic.OpenMemory, asked: list[Question], watch: Watch) -> dict[str, Any]:
    costs, embedding = Costs(), watch.cpu_ms
    for one in _patiently(asked[:_UNCOUNTED]):
        memory.recall(_query(one))
    for one in _patiently(asked[_UNCOUNTED:]):
        if not costs.cpu:
            embedding = watch.cpu_ms
        query = _query(one)
        costs.time(lambda query=query: len(memory.recall(query).hits))
    return {
        "calls": len(costs.cpu),
        **spread_of(costs),
        "embedding_cpu_ms": (watch.cpu_ms - embedding) / len(costs.cpu),
        "nothing": costs.answers["nothing"],
    }


def spread_of(costs: Costs) -> dict[str, float]:
    """Return the median and the 95th percentile of both times."""
    summary = costs.summary()
    return {
        "cpu_ms": summary["cpu_ms"],
        "cpu_ms_p95": percentile(costs.cpu, 95),
        "wall_ms": summary["wall_ms"],
        "wall_ms_p95": percentile(costs.wall, 95),
    }


def _patiently(asked: list[Question]) -> Iterator[Question]:
    started = perf_counter()
    for at, one in enumerate(asked):
        if at >= _LEAST and perf_counter() - started > _PATIENCE_SECONDS:
            return
        yield one


def _stages(memory: mnemic.OpenMemory, asked: list[Question]) -> dict[str, float]:
    """Return the mean CPU time of each stage, as the engine explains it; empty if it does not."""
    if not any(field.name == "explain" for field in fields(Query)):
        return {}
    spent: dict[str, float] = {}
    explained = [
        memory.recall(_query(one, explain=True)) for one in _patiently(asked[-_EXPLAINED:])
    ]
    for recalled in explained:
        for stage in getattr(getattr(recalled, "explanation", None), "stages", ()):
            spent[stage.name] = spent.get(stage.name, 0.0) + stage.cpu_ms
    return {name: total / len(explained) for name, total in spent.items()}


def _learned(memory: mnemic.OpenMemory, watch: Watch) -> dict[str, Any]:
    costs, embedding = Costs(), 0.0
    lessons = list(Writer(4_711).experiences(_LEARNS + _UNCOUNTED))
    for at, one in enumerate(lessons):
        draft = Draft(one.text, Scope("collection", EVERYWHERE), context=one.context)
        if at < _UNCOUNTED:
            memory.remember(draft)
            embedding = watch.cpu_ms
        else:
            costs.time(lambda draft=draft: memory.remember(draft) is not None)
    each = (watch.cpu_ms - embedding) / len(costs.cpu)
    return {"calls": len(costs.cpu), **spread_of(costs), "embedding_cpu_ms": each}


def main() -> None:
    phase, store, embedder, *rest = sys.argv[1:]
    folder, watch = Path(store), Watch()
    if phase == "load":
        answer(load(folder, embedder, int(rest[0]), int(rest[1])))
    elif phase == "measure":
        answer(measure(folder, embedder, watch))
    elif phase == "open":
        answer(open_cold(folder, embedder))
    elif phase == "rank":
        answer(rank(folder, embedder, exact=rest[0] == "exact"))
    elif phase == "nearest":
        answer(found_by_cosine(folder, embedder, watch))
    else:
        serve(folder, embedder)


if __name__ == "__main__":
    main()
