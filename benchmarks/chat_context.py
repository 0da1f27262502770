"""How much of what answers a question gets into the block that a chat app injects?

    python benchmarks/chat_context.py [--data FOLDER] [--sets locomo,memdaily] [--budget 500]

Every conversation is fed twice. As *turns*, which the rules take in and compact, as a chat app
does it after installation; and as *items*, one hand-written summary for each message, of which
nothing is compacted. Every question is then asked with each strategy.

A message counts as represented where at least half of its telling words stand in the block.
"""

import argparse
import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, Final, get_args

import mnemic
from mnemic.items import NewItem
from mnemic.sessions import ContextQuery, Line, Strategy, branch_scope
from mnemic.text.dates import moment_of
from mnemic.text.tokens import index_terms, is_stop_word
from replay import embedding_once, patched
from reporting import REPOSITORY, conditions, progress, save, state, table
from retrieval import SETS, Unit, load

LAYOUTS: Final = ("turns", "items")
STRATEGIES: Final[tuple[Strategy, ...]] = get_args(Strategy)
BUDGET: Final = 500
REPRESENTED: Final = 0.5
_SETS: Final = ("locomo", "memdaily")
_MEASURES: Final = ("any", "all", "coverage", "tokens")
_BRANCH: Final = "main"


class Clock:
    """Tells the time at which the conversation stands."""

    def __init__(self) -> None:
        self.now = datetime(2020, 1, 1, tzinfo=UTC)

    def __call__(self) -> datetime:
        """Return it."""
        return self.now

    def go_to(self, moment: datetime | None) -> None:
        """Move on, by a second at least: no two turns are at one time, and none goes back."""
        self.now = max(self.now + timedelta(seconds=1), moment or self.now)


@dataclass(frozen=True, slots=True)
class Score:
    """What one block holds of the messages that answer its question, from 0 to 1."""

    category: str
    coverages: tuple[float, ...]
    tokens: int

    def measures(self) -> dict[str, float]:
        """Return whether one, and whether all are represented, how much of their words is there,
        and what the block costs.
        """
        there = [one >= REPRESENTED for one in self.coverages]
        mean = sum(self.coverages) / len(self.coverages)
        return {
            "any": float(any(there)),
            "all": float(all(there)),
            "coverage": mean,
            "tokens": float(self.tokens),
        }


def main(arguments: Sequence[str] | None = None) -> None:
    options = _options(arguments)
    run = conditions()
    state(run)
    result: dict[str, Any] = {"run": run, "budget": options.budget, "sets": {}}
    with embedding_once():
        for name in options.sets:
            units = load(name, options.data)
            result["sets"][name] = {
                layout: _measured(name, units, layout, options) for layout in options.layouts
            }
    complete = tuple(options.sets) == _SETS and tuple(options.layouts) == LAYOUTS
    save("chat_context" if complete else "chat_context-partial", result)


def _options(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0] if __doc__ else None)
    usual = os.environ.get("MNEMIC_DATA") or REPOSITORY.parent / "shared" / "data"
    parser.add_argument("--data", type=Path, default=Path(usual))
    parser.add_argument("--sets", type=lambda text: text.split(","), default=_SETS)
    parser.add_argument("--layouts", type=lambda text: text.split(","), default=LAYOUTS)
    parser.add_argument("--budget", type=int, default=BUDGET)
    parser.add_argument("--embedder", default="default")
    return parser.parse_args(arguments)


def _measured(
    name: str, units: Sequence[Unit], layout: str, options: argparse.Namespace
) -> dict[str, Any]:
    clock = Clock()
    with mnemic.open(
        ":memory:", embedder=options.embedder, durability="off", clock=clock
    ) as memory:
        for unit in units:
            progress(f"{name} as {layout}: {unit['unit']}")
            feed(memory, clock, unit, layout)
        memory.embed_missing()
        progress(f"{name} as {layout}: asking")
        scores = {
            strategy: ask(memory, units, strategy, budget=options.budget) for strategy in STRATEGIES
        }
    found = {strategy: _means(one) for strategy, one in scores.items()}
    _show(name, layout, found)
    return found


def feed(memory: mnemic.OpenMemory, clock: Clock, unit: Unit, layout: str) -> None:
    """Give a conversation to a session of its own, in one of the two layouts."""
    memory.chat.create_session(unit["unit"])
    if layout == "items":
        for doc in unit["docs"]:
            clock.go_to(moment_of(doc["ts"]))
            memory.chat.create_item(
                NewItem(
                    scope=branch_scope(unit["unit"], _BRANCH),
                    type="summary",
                    tier="micro",
                    content=doc["text"],
                )
            )
        return
    for docs in exchanges(unit["docs"]):
        clock.go_to(moment_of(docs[0]["ts"]))
        first = unit["docs"][0]["speaker"]
        memory.chat.add_turn(unit["unit"], [_line(doc, first) for doc in docs])
        while (held := memory.chat.take_job("benchmark")) is not None:
            held.do()


def exchanges(docs: Sequence[dict[str, Any]]) -> Iterator[list[dict[str, Any]]]:
    """Return messages by turns: what the first speaker says, and the other's reply to it."""
    waiting: list[dict[str, Any]] = []
    for doc in docs:
        fits = (
            len(waiting) == 1
            and waiting[0]["speaker"] == docs[0]["speaker"] != doc["speaker"]
            and waiting[0]["session"] == doc["session"]
        )
        if waiting and not fits:
            yield waiting
            waiting = []
        waiting.append(doc)
    if waiting:
        yield waiting


def _line(doc: Mapping[str, Any], first: str) -> Line:
    speaker = doc["speaker"]
    name = None if speaker == "user" else speaker
    role = "user" if speaker == first else "assistant"
    return Line(role, doc["text"].removeprefix(f"{speaker}: "), name)


def ask(
    memory: mnemic.OpenMemory, units: Sequence[Unit], strategy: Strategy, *, budget: int
) -> list[Score]:
    """Return how each question fares; none leaves a trace that the next one would see."""
    scores: list[Score] = []
    with patched({"mnemic.engine.contexts.items.note_use": lambda *_, **__: None}):
        for unit in units:
            texts = {doc["id"]: telling(_said(doc)) for doc in unit["docs"]}
            for query in unit["queries"]:
                block = memory.chat.context(
                    ContextQuery(
                        session_id=unit["unit"],
                        text=query["q"],
                        token_budget=budget,
                        strategy=strategy,
                    )
                )
                held = telling(block.text)
                wanted = [texts[one] for one in query["gold"] if texts[one]]
                if wanted:
                    coverages = tuple(len(one & held) / len(one) for one in wanted)
                    scores.append(Score(query["cat"], coverages, block.token_count))
    return scores


def _said(doc: Mapping[str, Any]) -> str:
    return doc["text"].removeprefix(f"{doc['speaker']}: ")


def telling(text: str) -> frozenset[str]:
    """Return the words of a text, by their stems, that are no stop words."""
    return frozenset(term for term in index_terms(text) if not is_stop_word(term))


def _means(scores: Sequence[Score]) -> dict[str, Any]:
    categories = sorted({one.category for one in scores})
    return {
        **_mean(scores),
        "questions": len(scores),
        "categories": {
            category: _mean([one for one in scores if one.category == category])
            for category in categories
        },
    }


def _mean(scores: Sequence[Score]) -> dict[str, float]:
    measured = [one.measures() for one in scores]
    return {key: sum(one[key] for one in measured) / len(measured) for key in _MEASURES}


def _show(name: str, layout: str, found: Mapping[str, Mapping[str, Any]]) -> None:
    rows = [[strategy, *(one[key] for key in _MEASURES)] for strategy, one in found.items()]
    table(f"{SETS[name]}, as {layout}", ["", *_MEASURES], rows)


if __name__ == "__main__":
    main()
