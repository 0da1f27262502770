"""How much of what answers a question gets into the block that a chat app injects?

    python benchmarks/chat_context.py [--data FOLDER] [--sets locomo,memdaily] [--budget 500]

Every conversation is fed twice. As *turns*, which the rules take in and compact, as a chat app
does it after installation; and as *items*, one hand-written summary for each message, of which
nothing is compacted. Every question is then asked with each strategy.

A message counts as represented where at least half of its content words stand in the block.
"""

import argparse
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any, Final, get_args

import mnemic
from evaluation.replay import embedding_once, patched
from evaluation.retrieval import open_memory
from harness.datasets import CONVERSATIONS, Unit, load
from harness.options import DEFAULT, Options
from harness.results import Result, conditions, progress, save
from mnemic.language.dates import moment_of
from mnemic.language.tokens import index_terms, is_stop_word
from mnemic.records.conversation import ContextQuery, Line, Strategy, branch_scope
from mnemic.records.item import NewItem
from report import chat as report

_LAYOUTS: Final = ("turns", "items")
_STRATEGIES: Final[tuple[Strategy, ...]] = get_args(Strategy)
_BUDGET: Final = 500
_REPRESENTED: Final = 0.5
_BRANCH: Final = "main"

Doc = dict[str, Any]


class ConversationClock:
    """The time at which the conversation stands."""

    def __init__(self) -> None:
        self._now = datetime(2020, 1, 1, tzinfo=UTC)

    def __call__(self) -> datetime:
        return self._now

    def advance(self, moment: datetime | None) -> None:
        """Move on, by a second at least: no two turns are at one time, and none goes back."""
        self._now = max(self._now + timedelta(seconds=1), moment or self._now)


@dataclass(frozen=True, slots=True)
class BlockScore:
    """What one block holds of the messages that answer its question, from 0 to 1."""

    category: str
    coverages: tuple[float, ...]
    tokens: int

    def measures(self) -> dict[str, float]:
        """Return whether one, and whether all are represented, how much of their words is there,
        and what the block costs.
        """
        represented = [coverage >= _REPRESENTED for coverage in self.coverages]
        return {
            "any": float(any(represented)),
            "all": float(all(represented)),
            "coverage": sum(self.coverages) / len(self.coverages),
            "tokens": float(self.tokens),
        }


def main(arguments: Sequence[str] | None = None) -> None:
    parser = Options(__doc__)
    parser.data()
    parser.names("--sets", CONVERSATIONS)
    parser.names("--layouts", _LAYOUTS)
    parser.add_argument("--budget", type=int, default=_BUDGET)
    parser.embedder()
    options = parser.parse_args(arguments)
    sets = {name: load(name, options.data) for name in options.sets}
    result: Result = {"run": conditions(), "budget": options.budget}
    with embedding_once():
        result["sets"] = {
            name: {layout: _measure(units, layout, options) for layout in options.layouts}
            for name, units in sets.items()
        }
    print("\n".join(report.write_contexts(result)))
    everything = (len(options.sets), len(options.layouts)) == (len(CONVERSATIONS), len(_LAYOUTS))
    save("chat_context", result, complete=everything and options.embedder == DEFAULT)


def _measure(units: Sequence[Unit], layout: str, options: argparse.Namespace) -> dict[str, Any]:
    clock = ConversationClock()
    with open_memory(options.embedder, clock=clock) as memory:
        for unit in units:
            progress(f"{unit['unit']} as {layout}")
            memory.chat.create_session(unit["unit"])
            (_feed_items if layout == "items" else _feed_turns)(memory, clock, unit)
        memory.embed_missing()
        progress(f"asking about {layout}")
        return {
            strategy: _means(_ask(memory, units, strategy, options.budget))
            for strategy in _STRATEGIES
        }


def _feed_items(memory: mnemic.OpenMemory, clock: ConversationClock, unit: Unit) -> None:
    scope = branch_scope(unit["unit"], _BRANCH)
    for doc in unit["docs"]:
        clock.advance(moment_of(doc["ts"]))
        memory.chat.create_item(
            NewItem(scope=scope, type="summary", tier="micro", content=doc["text"])
        )


def _feed_turns(memory: mnemic.OpenMemory, clock: ConversationClock, unit: Unit) -> None:
    for docs in exchanges(unit["docs"]):
        clock.advance(moment_of(docs[0]["ts"]))
        first = unit["docs"][0]["speaker"]
        memory.chat.add_turn(unit["unit"], [_line(doc, first) for doc in docs])
        while (job := memory.chat.take_job("benchmark")) is not None:
            job.do()


def exchanges(docs: Sequence[Doc]) -> Iterator[list[Doc]]:
    """Return messages by turns: what the first speaker says, and the other's reply to it."""
    waiting: list[Doc] = []
    for doc in docs:
        is_reply = (
            len(waiting) == 1
            and waiting[0]["speaker"] == docs[0]["speaker"] != doc["speaker"]
            and waiting[0]["session"] == doc["session"]
        )
        if waiting and not is_reply:
            yield waiting
            waiting = []
        waiting.append(doc)
    if waiting:
        yield waiting


def _line(doc: Doc, first: str) -> Line:
    speaker = doc["speaker"]
    role = "user" if speaker == first else "assistant"
    return Line(role, _message(doc), None if speaker == "user" else speaker)


def _message(doc: Doc) -> str:
    return doc["text"].removeprefix(f"{doc['speaker']}: ")


def _ask(
    memory: mnemic.OpenMemory, units: Sequence[Unit], strategy: Strategy, budget: int
) -> list[BlockScore]:
    """Return how each question fares; none leaves a trace that the next one would see."""
    scores: list[BlockScore] = []
    with patched({"mnemic.chat.context.item_rows.note_use": lambda *_, **__: None}):
        for unit in units:
            words = {doc["id"]: content_words(_message(doc)) for doc in unit["docs"]}
            for query in unit["queries"]:
                asked = ContextQuery(
                    session_id=unit["unit"], text=query["q"], token_budget=budget, strategy=strategy
                )
                block = memory.chat.context(asked)
                shown = content_words(block.text)
                wanted = [words[doc] for doc in query["gold"] if words[doc]]
                if wanted:
                    coverages = tuple(len(own & shown) / len(own) for own in wanted)
                    scores.append(BlockScore(query["cat"], coverages, block.token_count))
    return scores


def content_words(text: str) -> frozenset[str]:
    """Return the stems of a text's words that are no stop words."""
    return frozenset(term for term in index_terms(text) if not is_stop_word(term))


def _means(scores: Sequence[BlockScore]) -> dict[str, Any]:
    def mean(measured: Sequence[Mapping[str, float]]) -> dict[str, float]:
        return {key: sum(score[key] for score in measured) / len(measured) for key in measured[0]}

    categories = sorted({score.category for score in scores})
    return {
        **mean([score.measures() for score in scores]),
        "questions": len(scores),
        "categories": {
            category: mean([score.measures() for score in scores if score.category == category])
            for category in categories
        },
    }


if __name__ == "__main__":
    main()
