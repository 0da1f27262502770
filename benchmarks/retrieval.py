"""How much of what answers a question is found: LoCoMo, MemDaily and ALFRED."""

import gzip
import json
from collections.abc import Callable, Sequence
from pathlib import Path
from time import process_time
from typing import Any, Final

import mnemic
from baseline import PlainBm25
from mnemic.engine.query import Query
from mnemic.records import Draft, RecallMode, Scope
from reporting import progress, table

SETS: Final = {"locomo": "LoCoMo turns", "memdaily": "MemDaily (Chinese)", "alfred": "ALFRED"}
GOALS: Final = {"locomo": (0.72, 0.82), "memdaily": (0.50, 0.65), "alfred": (0.72, 0.86)}
_MODES: Final[tuple[RecallMode, ...]] = ("hybrid", "bm25_only", "vec_only")
_DEPTH: Final = 20
# In ALFRED a session is a scene, and its trials are not said one after the other.
_CONVERSATIONS: Final = ("locomo", "memdaily")

Ranking = tuple[dict[str, Any], list[str]]


def evaluate(name: str, data: Path, *, embedder: str) -> dict[str, Any]:
    """Return recall@k and MRR of every mode on one set, over all and per category."""
    units = json.loads(gzip.decompress((data / f"{name}.dev.json.gz").read_bytes()))["units"]
    docs, queries = (sum(len(unit[key]) for unit in units) for key in ("docs", "queries"))
    progress(f"{name}: {len(units)} stores, {docs:,} texts, {queries:,} questions")
    modes: dict[str, dict[str, Any]] = {"plain BM25": _scores(_plain(units))}
    with mnemic.open(":memory:", embedder=embedder, durability="off") as memory:
        texts = _remember(memory, name, units)
        for mode in _MODES:
            progress(f"{name}: {mode}")
            started = process_time()
            modes[mode] = _scores(_asked(memory, units, texts, mode))
            modes[mode]["cpu_ms_per_question"] = (process_time() - started) * 1000 / queries
    _show(name, modes)
    return {"half": "dev", "stores": len(units), "texts": docs, "questions": queries, **modes}


def _plain(units: Sequence[dict[str, Any]]) -> list[Ranking]:
    rankings: list[Ranking] = []
    for unit in units:
        index = PlainBm25([doc["text"] for doc in unit["docs"]])
        rankings += [
            (query, [unit["docs"][at]["id"] for at in index.best(query["q"], _DEPTH)])
            for query in unit["queries"]
        ]
    return rankings


def _remember(
    memory: mnemic.OpenMemory, name: str, units: Sequence[dict[str, Any]]
) -> dict[int, str]:
    """Store every unit in a scope of its own; return which memory is which text."""
    ids: dict[int, str] = {}
    for unit in units:
        scope = Scope("collection", unit["unit"])
        episodes = _episodes(memory, scope, unit["docs"]) if name in _CONVERSATIONS else {}
        drafts = [
            Draft(
                doc["text"],
                scope,
                context=doc.get("context") or _told(doc),
                episode_id=episodes.get(doc["session"]),
                dedup=False,
            )
            for doc in unit["docs"]
        ]
        stored = memory.remember_many(drafts)
        for one, doc in zip(stored, unit["docs"], strict=True):
            ids[one.memory.id] = doc["id"]
    return ids


def _episodes(
    memory: mnemic.OpenMemory, scope: Scope, docs: Sequence[dict[str, Any]]
) -> dict[str, str]:
    sessions = {doc["session"]: doc["ts"] for doc in reversed(docs)}
    return {
        session: memory.start_episode(scope, context={"began": began})[0].id
        for session, began in sessions.items()
    }


def _told(doc: dict[str, Any]) -> dict[str, str]:
    return {key: doc[key] for key in ("ts", "session", "speaker") if doc.get(key)}


def _asked(
    memory: mnemic.OpenMemory,
    units: Sequence[dict[str, Any]],
    texts: dict[int, str],
    mode: RecallMode,
) -> list[Ranking]:
    rankings: list[Ranking] = []
    for unit in units:
        scopes = (Scope("collection", unit["unit"]),)
        for query in unit["queries"]:
            found = memory.recall(Query(query["q"], scopes=scopes, limit=_DEPTH, mode=mode))
            rankings.append((query, [texts[hit.memory.id] for hit in found.hits]))
    return rankings


def _scores(rankings: Sequence[Ranking]) -> dict[str, Any]:
    categories = sorted({query["cat"] for query, _ in rankings if query.get("cat")})
    return {
        **means(rankings),
        "categories": {
            category: means([one for one in rankings if one[0]["cat"] == category])
            for category in categories
        },
    }


def means(rankings: Sequence[Ranking], *, depths: Sequence[int] = (5, 10, 20)) -> dict[str, Any]:
    """Return recall@k and MRR over rankings; nothing found counts as 0."""

    def mean(score: Callable[[set[str], list[str]], float]) -> float:
        return sum(score(set(query["gold"]), found) for query, found in rankings) / len(rankings)

    return {
        "questions": len(rankings),
        **{f"recall@{k}": mean(_recall_at(k)) for k in depths},
        "mrr": mean(_reciprocal_rank),
    }


def _recall_at(k: int) -> Callable[[set[str], list[str]], float]:
    return lambda gold, found: len(gold & set(found[:k])) / len(gold)


def _reciprocal_rank(gold: set[str], found: list[str]) -> float:
    return next((1 / rank for rank, one in enumerate(found, 1) if one in gold), 0.0)


def _show(name: str, modes: dict[str, dict[str, Any]]) -> None:
    measures = ["recall@5", "recall@10", "recall@20", "mrr"]
    rows = [
        [mode, *(one[measure] for measure in measures), one.get("cpu_ms_per_question")]
        for mode, one in modes.items()
    ]
    rows.append(["goal, on another half", *GOALS[name], None, None, None])
    table(f"{SETS[name]}, development half", ["", *measures, "CPU ms"], rows)
    columns = ["", "questions", *(f"{mode} @10" for mode in modes)]
    table(
        f"{SETS[name]} by category, development half",
        columns,
        [
            [category, one["questions"]]
            + [scores["categories"][category]["recall@10"] for scores in modes.values()]
            for category, one in modes["hybrid"]["categories"].items()
        ],
    )
