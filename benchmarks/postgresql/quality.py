"""How much of what answers a question is found: Mnemic on PostgreSQL and the hand-written baseline.

The baseline gets the text of each turn and the vector of that text, from the same model.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

import mnemic
from evaluation.retrieval import ask, means, remember
from harness.datasets import CONVERSATIONS, Ranking, Unit, load, texts_of
from harness.results import progress
from harness.vectors import KnownVectors, table_of
from postgresql.baseline import Baseline, Words
from postgresql.contestants import ALL_WORDS, ANY_WORD, POSTGRES
from postgresql.server import Server
from speed.recall_workload import Question, Row

_NAMES: Final[dict[Words, str]] = {"any": ANY_WORD, "all": ALL_WORDS}


def evaluate(data: Path, server: Server) -> dict[str, Any]:
    """Return recall@k and MRR of each on the development halves."""
    sets = {name: load(name, data) for name in CONVERSATIONS}
    return {name: _evaluate(name, units, server) for name, units in sets.items()}


def _evaluate(name: str, units: list[Unit], server: Server) -> dict[str, Any]:
    progress(f"{name}: Mnemic on PostgreSQL")
    database = f"quality_{name}"
    with mnemic.open(server.make_database(database), durability="off") as memory:
        rankings = {POSTGRES: ask(memory, units, remember(memory, name, units))}
    server.drop_database(database)
    progress(f"{name}: baseline")
    rankings |= _by_hand(units, server)
    found = {contestant: means(ranked, depths=(5, 10)) for contestant, ranked in rankings.items()}
    return {"half": "dev", "texts": sum(len(unit["docs"]) for unit in units), **found}


def _by_hand(units: Sequence[Unit], server: Server) -> dict[str, list[Ranking]]:
    embedder = KnownVectors(table_of(texts_of(units)))
    url = server.make_database("quality_baseline")
    stores = {
        name: Baseline(url, embedder, words=words, text_of=lambda row: row.text)
        for words, name in _NAMES.items()
    }
    stores[ANY_WORD].load(
        [
            Row(doc["text"], unit["unit"], {"id": doc["id"]})
            for unit in units
            for doc in unit["docs"]
        ]
    )
    rankings: dict[str, list[Ranking]] = {}
    for name, store in stores.items():
        asked = [
            (query, Question(query["q"], unit["unit"]))
            for unit in units
            for query in unit["queries"]
        ]
        found = [(query, store.recall(question)) for query, question in asked]
        rankings[name] = [(query, [meta["id"] for _, meta in notes]) for query, notes in found]
        store.close()
    server.drop_database("quality_baseline")
    return rankings
