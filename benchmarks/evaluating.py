"""How much of what answers a question a compared program finds: LoCoMo, MemDaily, ALFRED."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Final

from conversing import Conversation
from retrieval import CONVERSATIONS, SETS, load, means

_DEPTH: Final = 10
_TOLD: Final = ("id", "text", "ts", "speaker", "context")

__all__ = ["SETS", "evaluate", "texts_of", "units_of"]


def units_of(name: str, data: Path) -> list[dict[str, Any]]:
    """Return the stores of one set, with what a program may be told of each text."""
    units = load(name, data)
    told = (*_TOLD, "session") if name in CONVERSATIONS else _TOLD
    for unit in units:
        unit["docs"] = [{key: doc[key] for key in told if doc.get(key)} for doc in unit["docs"]]
    return units


def texts_of(units: Sequence[dict[str, Any]]) -> Iterator[str]:
    """Return everything that has to be embedded: the texts, then the questions."""
    for unit in units:
        yield from (doc["text"] for doc in unit["docs"])
        yield from (query["q"] for query in unit["queries"])


def evaluate(program: Conversation, units: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """Fill one store per unit, ask its questions, and return recall@k."""
    rankings: list[tuple[dict[str, Any], list[str]]] = []
    for unit in units:
        program.ask("add", unit=unit["unit"], docs=unit["docs"])
    for unit in units:
        questions = [query["q"] for query in unit["queries"]]
        answered = program.ask("search", unit=unit["unit"], questions=questions, limit=_DEPTH)
        for query, one in zip(unit["queries"], answered["each"], strict=True):
            rankings.append((query, one["found"]))
    return means(rankings, depths=(5, 10))
