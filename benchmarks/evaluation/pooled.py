"""What is lost when many stores share one collection: nothing tells a question whose it is."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from evaluation.retrieval import ask, means, open_memory, remember
from harness.datasets import SETS, Ranking, Unit, load
from harness.results import progress
from mnemic.records.memory import Scope

_POOL: Final = Scope("collection", "pool")


def evaluate(data: Path, *, embedder: str) -> dict[str, Any]:
    """Return recall of each set in stores of its own, in one collection, and of all in one.

    ALFRED is one store already. A text that another user said as well is a miss; beside it stands
    the figure where whoever said the same counts.
    """
    sets = {name: load(name, data) for name in SETS}
    result: dict[str, Any] = {}
    for name, units in sets.items():
        own = {name: units}
        result[f"{name}, separate"] = _scores(own, embedder, pool=None)[name]
        if len(units) > 1:
            result[f"{name}, one collection"] = _scores(own, embedder, pool=_POOL)[name]
    mixed = {**sets, "memdaily": sets["memdaily"][:1]}
    first = {"memdaily": mixed["memdaily"]}
    result["memdaily, first store"] = _scores(first, embedder, pool=None)["memdaily"]
    for name, scores in _scores(mixed, embedder, pool=_POOL).items():
        result[f"{name}, mixed with the others"] = scores
    return result


def _scores(
    sets: Mapping[str, Sequence[Unit]], embedder: str, *, pool: Scope | None
) -> dict[str, dict[str, Any]]:
    docs = [doc for units in sets.values() for unit in units for doc in unit["docs"]]
    said = {doc["id"]: doc["text"] for doc in docs}
    with open_memory(embedder) as memory:
        texts: dict[int, str] = {}
        for name, units in sets.items():
            progress(f"pooled: storing {name}")
            texts |= remember(memory, name, units, pool=pool)
        scores: dict[str, dict[str, Any]] = {}
        for name, units in sets.items():
            progress(f"pooled: asking {name}")
            found = ask(memory, units, texts, pool=pool)
            scores[name] = {**means(found), "same_text": means(_by_text(found, said))}
    return scores


def _by_text(rankings: Sequence[Ranking], said: Mapping[str, str]) -> list[Ranking]:
    """Return the same rankings where the first hit with a wanted text counts as that one."""
    return [
        ({**query, "gold": [said[doc] for doc in query["gold"]]}, [said[doc] for doc in found])
        for query, found in rankings
    ]
