"""How much of what answers a question is found: Mnemic on PostgreSQL and the hand-written baseline.

The baseline gets the text of each turn and the vector of that text, from the same model.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

import mnemic
from evaluating import texts_of
from known_vectors import table_of
from postgres_baseline import Baseline, Words
from postgres_contestants import ALL_WORDS, ANY_WORD, POSTGRES
from postgres_server import Server
from postgres_stock import Known
from reporting import progress, table
from retrieval import Ranking, Unit, ask, load, means, remember

SETS: Final = ("locomo", "memdaily")
_DEPTH: Final = 10
_MEASURES: Final = ("recall@5", "recall@10", "mrr")
_NAMES: Final[dict[Words, str]] = {"any": ANY_WORD, "all": ALL_WORDS}


def evaluate(data: Path, server: Server) -> dict[str, Any]:
    """Return recall@k and MRR of each on the development halves."""
    return {name: _evaluated(name, load(name, data), server) for name in SETS}


def _evaluated(name: str, units: list[Unit], server: Server) -> dict[str, Any]:
    progress(f"{name}: Mnemic on PostgreSQL")
    database = f"quality_{name}"
    with mnemic.open(server.make_database(database), durability="off") as memory:
        rankings = {POSTGRES: ask(memory, units, remember(memory, name, units))}
    server.drop_database(database)
    progress(f"{name}: baseline")
    rankings |= _by_hand(units, server)
    found = {one: means(ranked, depths=(5, 10)) for one, ranked in rankings.items()}
    rows = [[one, *(scores[measure] for measure in _MEASURES)] for one, scores in found.items()]
    table(f"{name}, development half", ["", *_MEASURES], rows)
    return {"half": "dev", "texts": sum(len(unit["docs"]) for unit in units), **found}


def _by_hand(units: Sequence[Unit], server: Server) -> dict[str, list[Ranking]]:
    embedder = Known(table_of(texts_of(units)))
    url = server.make_database("quality_baseline")
    notes = {name: Baseline(url, words=words) for words, name in _NAMES.items()}
    notes[ANY_WORD].make()
    for unit in units:
        vectors = embedder.embed([doc["text"] for doc in unit["docs"]])
        rows = zip(unit["docs"], vectors, strict=True)
        notes[ANY_WORD].load(
            [(unit["unit"], doc["text"], {"id": doc["id"]}, vector) for doc, vector in rows]
        )
    notes[ANY_WORD].index()
    found = {name: _asked(store, units, embedder) for name, store in notes.items()}
    for store in notes.values():
        store.close()
    server.drop_database("quality_baseline")
    return found


def _asked(store: Baseline, units: Sequence[Unit], embedder: Known) -> list[Ranking]:
    rankings: list[Ranking] = []
    for unit in units:
        vectors = embedder.embed([query["q"] for query in unit["queries"]])
        for query, vector in zip(unit["queries"], vectors, strict=True):
            found = store.search(query["q"], vector, scope=unit["unit"], where=None, limit=_DEPTH)
            rankings.append((query, [meta["id"] for _, _, meta in found]))
    return rankings
