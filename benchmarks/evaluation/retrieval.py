"""How much of what answers a question is found: LoCoMo, MemDaily and ALFRED."""

import math
import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from time import process_time
from typing import Any, Final

import mnemic
from harness.datasets import CONVERSATIONS, HALVES, Ranking, Unit, context_of, halves, load
from harness.results import progress
from mnemic.records.memory import Draft, RecallMode, Scope
from mnemic.records.query import Query

_MODES: Final[tuple[RecallMode, ...]] = ("hybrid", "bm25_only", "vec_only")
_DEPTH: Final = 20
# Of plain BM25.
_K1: Final = 1.2
_B: Final = 0.75
_WORDS: Final = re.compile(r"[^\W_\u3400-\u9fff]+|[\u3400-\u9fff]+")


def open_memory(embedder: str, **options: Any) -> mnemic.OpenMemory:
    """Return an empty memory that is gone when it is closed."""
    return mnemic.open(":memory:", embedder=embedder, durability="off", **options)


def scope_of(unit: Unit) -> Scope:
    """Return the scope of a unit."""
    return Scope("collection", unit["unit"])


def evaluate(name: str, data: Path, *, embedder: str) -> dict[str, Any]:
    """Return recall@k and MRR of every mode on one set, over all and per category."""
    units = load(name, data)
    docs, queries = (sum(len(unit[key]) for unit in units) for key in ("docs", "queries"))
    progress(f"{name}: {len(units)} stores, {docs:,} texts, {queries:,} questions")
    modes: dict[str, dict[str, Any]] = {"plain BM25": _scores(plain(units))}
    with open_memory(embedder) as memory:
        texts = remember(memory, name, units)
        for mode in _MODES:
            progress(f"{name}: {mode}")
            started = process_time()
            rankings = ask(memory, units, texts, mode=mode)
            cpu_ms = (process_time() - started) * 1000 / queries
            modes[mode] = {
                **_scores(rankings),
                "cpu_ms_per_question": cpu_ms,
                "halves": by_half(rankings, halves(name, units)),
            }
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
        scope, docs = pool or scope_of(unit), unit["docs"]
        began = {doc["session"]: doc["ts"] for doc in reversed(docs)}
        episodes = {
            session: memory.start_episode(scope, context={"began": moment})[0].id
            for session, moment in began.items()
            if name in CONVERSATIONS
        }
        drafts = [
            Draft(
                doc["text"],
                scope,
                context=context_of(doc),
                episode_id=episodes.get(doc["session"]),
                dedup=False,
            )
            for doc in docs
        ]
        for stored, doc in zip(memory.remember_many(drafts), docs, strict=True):
            ids[stored.memory.id] = doc["id"]
    return ids


def ask(
    memory: mnemic.OpenMemory,
    units: Sequence[Unit],
    texts: Mapping[int, str],
    *,
    mode: RecallMode = "hybrid",
    pool: Scope | None = None,
) -> list[Ranking]:
    """Return what each question finds in its unit's scope, or in the one that holds all."""
    rankings: list[Ranking] = []
    for unit in units:
        scopes = (pool or scope_of(unit),)
        for query in unit["queries"]:
            hits = memory.recall(Query(query["q"], scopes=scopes, limit=_DEPTH, mode=mode)).hits
            rankings.append((query, [texts[hit.memory.id] for hit in hits]))
    return rankings


def _scores(rankings: Sequence[Ranking]) -> dict[str, Any]:
    categories = sorted({query["cat"] for query, _ in rankings if query.get("cat")})
    return {
        **means(rankings),
        "categories": {
            category: means([ranking for ranking in rankings if ranking[0]["cat"] == category])
            for category in categories
        },
    }


def by_half(rankings: Sequence[Ranking], half_of: Sequence[str]) -> dict[str, dict[str, Any]]:
    """Return the means of each half."""
    halved = list(zip(rankings, half_of, strict=True))
    return {
        half: means([ranking for ranking, own in halved if own == half])
        for half in HALVES
        if half in half_of
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
    return next((1 / rank for rank, doc in enumerate(found, 1) if doc in gold), 0.0)


class PlainBm25:
    """One store's texts, ranked by shared words alone: no stems, no stop words, no vectors."""

    def __init__(self, texts: Sequence[str]) -> None:
        self._counts = [Counter(_tokens(text)) for text in texts]
        self._lengths = [counts.total() for counts in self._counts]
        self._mean = sum(self._lengths) / max(1, len(texts))
        spread = Counter(token for counts in self._counts for token in counts)
        self._weights = {
            token: math.log(1 + (len(texts) - many + 0.5) / (many + 0.5))
            for token, many in spread.items()
        }

    def best(self, question: str, limit: int) -> list[int]:
        """Return the places of the best texts; those that share no word are left out."""
        asked = set(_tokens(question)) & self._weights.keys()
        scores = [self._score(asked, at) for at in range(len(self._counts))]
        found = [at for at, score in enumerate(scores) if score > 0]
        return sorted(found, key=lambda at: (-scores[at], at))[:limit]

    def _score(self, asked: set[str], at: int) -> float:
        counts = self._counts[at]
        norm = _K1 * (1 - _B + _B * self._lengths[at] / self._mean)
        return sum(
            self._weights[token] * count * (_K1 + 1) / (count + norm)
            for token in asked
            if (count := counts.get(token))
        )


def _tokens(text: str) -> list[str]:
    """Return lower-case words, and Chinese as pairs of characters."""
    tokens: list[str] = []
    for word in _WORDS.findall(text.lower()):
        if word[0] < "\u3400" or len(word) == 1:
            tokens.append(word)
        else:
            tokens += [word[at : at + 2] for at in range(len(word) - 1)]
    return tokens
