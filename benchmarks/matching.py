"""What a matching query keeps of the right memories, and what it says where nothing is known.

    python benchmarks/matching.py [--data FOLDER]

Every text of LoCoMo and MemDaily is a memory of its own, outside of any run, as an assistant keeps
what it is told. A question is asked of its own store, of the next one of the same set, and of one
of the other set, which knows nothing of it and is in the other language.
"""

import argparse
import os
from collections.abc import Iterator, Sequence
from pathlib import Path
from statistics import mean, median
from typing import Any, Final

import mnemic
from abstention import told_there
from mnemic.engine.query import Query
from mnemic.records import Draft, Recalled, RecallMode, Scope
from reporting import REPOSITORY, conditions, progress, save, state, table
from retrieval import Unit, load

_SETS: Final = ("locomo", "memdaily")
_MODES: Final[tuple[RecallMode, ...]] = ("hybrid", "bm25_only")
_LIMIT: Final = 100
_FIRST: Final = 10

Asked = tuple[Unit, dict[str, Any]]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0] if __doc__ else None)
    usual = os.environ.get("MNEMIC_DATA") or REPOSITORY.parent / "shared" / "data"
    parser.add_argument("--data", type=Path, default=Path(usual))
    data = parser.parse_args().data
    run = conditions()
    state(run)
    result: dict[str, Any] = {"run": run}
    with mnemic.open(":memory:", embedder="default", durability="off") as memory:
        sets = {name: load(name, data) for name in _SETS}
        names = {name: _remember(memory, sets[name]) for name in _SETS}
        for mode in _MODES:
            for name, other in (_SETS, _SETS[::-1]):
                progress(f"{name}, {mode}")
                measured = _measured(memory, sets[name], sets[other], names[name], mode)
                result[f"{name}, {mode}"] = measured
    columns = list(next(one for key, one in result.items() if key != "run"))
    rows = [[key, *one.values()] for key, one in result.items() if key != "run"]
    table("Matching, development half", ["", *columns], rows)
    save("matching", result)


def _remember(memory: mnemic.OpenMemory, units: Sequence[Unit]) -> dict[int, str]:
    names: dict[int, str] = {}
    for unit in units:
        drafts = [Draft(doc["text"], _scope(unit), dedup=False) for doc in unit["docs"]]
        for one, doc in zip(memory.remember_many(drafts), unit["docs"], strict=True):
            names[one.memory.id] = doc["id"]
    return names


def _measured(
    memory: mnemic.OpenMemory,
    units: Sequence[Unit],
    others: Sequence[Unit],
    names: dict[int, str],
    mode: RecallMode,
) -> dict[str, Any]:
    def ask(text: str, unit: Unit, *, matching: bool = True) -> Recalled:
        query = Query(text, scopes=(_scope(unit),), limit=_LIMIT, mode=mode, matching=matching)
        return memory.recall(query)

    kept, wanted, totals = 0, 0, list[int]()
    answered, first = list[bool](), list[bool]()
    for unit, query in _questions(units):
        recalled, gold = ask(query["q"], unit), set(query["gold"])
        found = {names[hit.memory.id] for hit in recalled.hits}
        plain = ask(query["q"], unit, matching=False).hits[:_FIRST]
        kept, wanted = kept + len(found & gold), wanted + len(gold)
        totals.append(recalled.total or 0)
        answered.append(bool(found & gold))
        if gold & {names[hit.memory.id] for hit in plain}:
            first.append(bool(found & gold))
    following = dict(zip((unit["unit"] for unit in units), [*units[1:], units[0]], strict=True))
    beside = [
        not ask(query["q"], following[unit["unit"]]).total
        for unit, query in _questions(units)
        if not told_there(query, unit, following[unit["unit"]])
    ]
    apart = [
        not ask(query["q"], others[number % len(others)]).total
        for number, (_, query) in enumerate(_questions(units))
    ]
    return {
        "questions": len(answered),
        "right memories kept": kept / wanted,
        "questions with a right one": mean(answered),
        "of those with one in the first ten": mean(first),
        "median of matches": median(totals),
        "nothing, of the next store": mean(beside),
        "nothing, of another set": mean(apart),
    }


def _questions(units: Sequence[Unit]) -> Iterator[Asked]:
    for unit in units:
        for query in unit["queries"]:
            if query.get("cat") != "adversarial":
                yield unit, query


def _scope(unit: Unit) -> Scope:
    return Scope("collection", unit["unit"])


if __name__ == "__main__":
    main()
