"""The public data sets: LoCoMo, MemDaily and ALFRED as stores with questions, and lists of cases.

They are not part of the repository. A set that is missing is named, with where it was looked for.
"""

import gzip
import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Final

SETS: Final = {"locomo": "LoCoMo turns", "memdaily": "MemDaily (Chinese)", "alfred": "ALFRED"}
# In ALFRED a session is a scene, and its trials are not said one after the other.
CONVERSATIONS: Final = ("locomo", "memdaily")
HALVES: Final = ("even", "odd")

Unit = dict[str, Any]
"""One store: its `unit` (name), `docs` (texts) and `queries` (with the ids of right texts)."""
Ranking = tuple[dict[str, Any], list[str]]
"""A query with the ids of the texts that were found, best first."""


def load(name: str, data: Path) -> list[Unit]:
    """Return the stores of a set; the ids of their texts are made unique among all of them."""
    units = json.loads(_read(data / f"{name}.dev.json.gz"))["units"]
    for unit in units:
        for doc in unit["docs"]:
            doc["id"] = f"{unit['unit']}/{doc['id']}"
        for query in unit["queries"]:
            query["gold"] = [f"{unit['unit']}/{doc}" for doc in query["gold"]]
    return units


def load_lines(name: str, data: Path) -> list[dict[str, Any]]:
    """Return the cases of a file with one JSON object a line."""
    return [json.loads(line) for line in _read(data / name).splitlines()]


def context_of(doc: dict[str, Any]) -> dict[str, Any]:
    """Return what a caller would give as a text's context: its own, or who said it and when."""
    known = {key: doc[key] for key in ("ts", "session", "speaker") if doc.get(key)}
    return doc.get("context") or known


def halves(name: str, units: Sequence[Unit]) -> list[str]:
    """Return the half of each question, in order: a technique has to gain on both.

    Where there are many stores, a store is in one half; else every other question is.
    """
    return [
        HALVES[(at if name == "memdaily" else number) % 2]
        for at, unit in enumerate(units)
        for number in range(len(unit["queries"]))
    ]


def texts_of(units: Sequence[Unit]) -> Iterator[str]:
    """Return everything that has to be embedded: the texts, then the questions."""
    for unit in units:
        yield from (doc["text"] for doc in unit["docs"])
        yield from (query["q"] for query in unit["queries"])


def _read(path: Path) -> str:
    if not path.exists():
        raise SystemExit(
            f"The data set {path.name} is not in {path.parent}: get it as "
            "docs/how-to/measure-again.md says, and name its folder by --data or MNEMIC_DATA."
        )
    content = path.read_bytes()
    return (gzip.decompress(content) if path.suffix == ".gz" else content).decode("utf-8")
