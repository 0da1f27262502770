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
CONVERSATIONS: Final = ("locomo", "memdaily")

HALVES: Final = ("even", "odd")
MEASURES: Final = ("recall@5", "recall@10", "recall@20", "mrr")

Unit = dict[str, Any]
Ranking = tuple[dict[str, Any], list[str]]


def load(name: str, data: Path) -> list[Unit]:
    """Return the stores of a set; the ids of their texts are made unique among all of them."""
    units = json.loads(gzip.decompress((data / f"{name}.dev.json.gz").read_bytes()))["units"]
    for unit in units:
        for doc in unit["docs"]:
            doc["id"] = f"{unit['unit']}/{doc['id']}"
        for query in unit["queries"]:
            query["gold"] = [f"{unit['unit']}/{one}" for one in query["gold"]]
    return units


def halves(name: str, units: Sequence[Unit]) -> list[str]:
    """Return the half of each question, in order: a technique has to gain on both.

    Where there are many stores, a store is in one half; else every other question is.
    """
    return [
        HALVES[(at if name == "memdaily" else number) % 2]
        for at, unit in enumerate(units)
        for number in range(len(unit["queries"]))
    ]


def evaluate(name: str, data: Path, *, embedder: str) -> dict[str, Any]:
    """Return recall@k and MRR of every mode on one set, over all and per category."""
    units = load(name, data)
    docs, queries = (sum(len(unit[key]) for unit in units) for key in ("docs", "queries"))
    progress(f"{name}: {len(units)} stores, {docs:,} texts, {queries:,} questions")
    modes: dict[str, dict[str, Any]] = {"plain BM25": _scores(plain(units))}
    with mnemic.open(":memory:", embedder=embedder, durability="off") as memory:
        texts = remember(memory, name, units)
        for mode in _MODES:
            progress(f"{name}: {mode}")
            started = process_time()
            rankings = ask(memory, units, texts, mode=mode)
            modes[mode] = _scores(rankings)
            modes[mode]["cpu_ms_per_question"] = (process_time() - started) * 1000 / queries
            modes[mode]["halves"] = by_half(rankings, halves(name, units))
    _show(name, modes)
    return {"half": "dev", "stores": len(units), "texts": docs, "questions": queries, **modes}


def plain(units: Sequence[Unit]) -> list[Ranking]:
    """Return what plain BM25 finds."""
    rankings: list[Ranking] = []
    for unit in units:
        index = PlainBm25([doc["text"] for doc in unit["docs"]])
        rankings += [
            (query, [unit["docs"][at]["id"] for at in index.best(query["q"], _DEPTH)])
            for query in unit["queries"]
        ]
    return rankings


def remember(
    memory: mnemic.OpenMemory, name: str, units: Sequence[Unit], *, pool: Scope | None = None
) -> dict[int, str]:
    """Store every unit in a scope of its own, or all in one; return which memory is which text."""
    ids: dict[int, str] = {}
    for unit in units:
        scope = pool or Scope("collection", unit["unit"])
        episodes = _episodes(memory, scope, unit["docs"]) if name in CONVERSATIONS else {}
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


def ask(
    memory: mnemic.OpenMemory,
    units: Sequence[Unit],
    texts: dict[int, str],
    *,
    mode: RecallMode = "hybrid",
    pool: Scope | None = None,
) -> list[Ranking]:
    """Return what each question finds in its unit's scope, or in the one that holds all."""
    rankings: list[Ranking] = []
    for unit in units:
        scopes = (pool or Scope("collection", unit["unit"]),)
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


def by_half(rankings: Sequence[Ranking], half_of: Sequence[str]) -> dict[str, dict[str, Any]]:
    """Return the means of each half."""
    return {
        half: means([one for one, own in zip(rankings, half_of, strict=True) if own == half])
        for half in HALVES
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
    rows = [
        [mode, *(one[measure] for measure in MEASURES), one.get("cpu_ms_per_question")]
        for mode, one in modes.items()
    ]
    rows += [
        [f"hybrid, {half} half", *(one[measure] for measure in MEASURES), None]
        for half, one in modes["hybrid"]["halves"].items()
    ]
    rows.append(["goal, on another half", *GOALS[name], None, None, None])
    table(f"{SETS[name]}, development half", ["", *MEASURES, "CPU ms"], rows)
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
