"""What is lost when many stores share one collection: nothing tells a question whose it is."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

import mnemic
from mnemic.records import Scope
from reporting import progress, table
from retrieval import SETS, Ranking, Unit, ask, load, means, remember

_POOL: Final = Scope("collection", "pool")
_MEASURES: Final = ("recall@5", "recall@10")


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
    columns = ["", "questions", *_MEASURES, *(f"{one}, same text counts" for one in _MEASURES)]
    rows = [
        [name, *(one[key] for key in ("questions", *_MEASURES))]
        + [one["same_text"][measure] for measure in _MEASURES]
        for name, one in result.items()
    ]
    table("One collection for many stores, hybrid, development half", columns, rows)
    return result


def _scores(
    sets: Mapping[str, Sequence[Unit]], embedder: str, *, pool: Scope | None
) -> dict[str, dict[str, Any]]:
    every = [doc for units in sets.values() for unit in units for doc in unit["docs"]]
    said = {doc["id"]: doc["text"] for doc in every}
    with mnemic.open(":memory:", embedder=embedder, durability="off") as memory:
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
        ({**query, "gold": [said[one] for one in query["gold"]]}, [said[one] for one in found])
        for query, found in rankings
    ]
