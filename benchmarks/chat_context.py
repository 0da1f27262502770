"""How much of what answers a question gets into the block that a chat app injects?

    python benchmarks/chat_context.py [--data FOLDER] [--sets locomo,beam] [--budgets 250,500]

Every conversation is fed as turns, which the rules take in and compact, as a chat app does it after
installation. Every question is then asked with each strategy and budget. Two other ways stand
beside them: the newest messages as they are, and a summary of each turn, none of them compacted.

A question has its evidence where three quarters of the telling words of a message that answers it
stand in the block, or of one passage of such a message, where that is long.
"""

import argparse
import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, Final, get_args

import mnemic
from evaluation.retrieval import open_memory
from harness.datasets import HALVES, Unit, load
from harness.options import DEFAULT, Options
from harness.results import Result, conditions, progress, save
from mnemic.language.dates import moment_of
from mnemic.language.passage_spans import passages
from mnemic.language.token_counts import token_estimate
from mnemic.language.tokens import index_terms, is_stop_word
from mnemic.records.conversation import ContextQuery, Line, Strategy, branch_scope
from mnemic.records.item import ItemFilter, NewItem, Paging
from report import chat as report

_PUBLIC: Final = ("locomo", "realtalk", "beam", "memdaily")
_OWN: Final = ("english", "chinese")
SETS: Final = (*_PUBLIC, *_OWN)
_STRATEGIES: Final[tuple[Strategy, ...]] = get_args(Strategy)
_BUDGETS: Final = (250, 500, 1_000)
_EVIDENCE: Final = 0.75
_BRANCH: Final = "main"
_ROLEPLAY: Final = Path(__file__).parent / "roleplay"
_SMALL_TALK: Final = {
    "en": ("lol ok", "good morning!", "haha nice", "how are you?", "thanks!", "I'm back", "hmm"),
    "zh": ("哈哈好的", "早上好", "在吗", "谢谢", "嗯嗯", "晚安", "继续吧"),
}

Doc = dict[str, Any]
Way = Callable[[Unit, str, int], tuple[str, int]]
"""How a block is made for a question within a budget: its text, and what it costs."""


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
    """Whether a block holds the evidence for its question, in which half that is, and its cost."""

    half: str
    holds: bool
    tokens: int


def main(arguments: Sequence[str] | None = None) -> None:
    parser = Options(__doc__)
    parser.data()
    parser.names("--sets", SETS)
    parser.add_argument("--budgets", type=_numbers, default=list(_BUDGETS), help="by comma")
    parser.embedder()
    options = parser.parse_args(arguments)
    result: Result = {"run": conditions(), "budgets": options.budgets, "sets": {}}
    for name in options.sets:
        result["sets"][name] = _measure(name, options)
    print("\n".join(report.write_contexts(result)))
    everything = (tuple(options.sets), tuple(options.budgets)) == (SETS, _BUDGETS)
    save("chat_context", result, complete=everything and options.embedder == DEFAULT)


def _measure(name: str, options: argparse.Namespace) -> dict[str, Any]:
    units = load(name, options.data) if name in _PUBLIC else [roleplay(name)]
    clock = ConversationClock()
    with (
        open_memory(options.embedder, clock=clock) as memory,
        open_memory(options.embedder, clock=clock) as summaries,
    ):
        for unit in units:
            progress(f"{name}: {unit['unit']}")
            _feed_turns(memory, clock, unit)
            _feed_summaries(memory, summaries, unit)
        memory.embed_missing()
        summaries.embed_missing()
        ways: dict[str, Way] = {one: _asking(memory, one) for one in _STRATEGIES}
        ways["summaries"] = _asking(summaries, "relevance")
        ways["recency"] = newest
        found = {
            way: {str(budget): _means(_ask(units, make, budget)) for budget in options.budgets}
            for way, make in ways.items()
        }
        return {"ways": found, "small_talk": _small_talk(memory, name, units)}


def roleplay(name: str) -> Unit:
    """Return a role-play of our own as a store with questions."""
    told = json.loads((_ROLEPLAY / f"{name}.json").read_text("utf-8"))
    speakers = (told["user"], told["character"])
    docs = [
        {"id": f"{at}:{of}", "text": text, "speaker": speakers[of], "session": name, "ts": None}
        for at, turn in enumerate(told["turns"])
        for of, text in enumerate(turn)
    ]
    queries = [
        {"q": asked, "gold": [f"{turn}:{of}"], "cat": "roleplay"}
        for asked, turn, of in told["questions"]
    ]
    return {"unit": name, "docs": docs, "queries": queries, "small_talk": told["small_talk"]}


def _feed_turns(memory: mnemic.OpenMemory, clock: ConversationClock, unit: Unit) -> None:
    memory.chat.create_session(unit["unit"])
    for docs in exchanges(unit["docs"]):
        clock.advance(moment_of(docs[0]["ts"]) if docs[0].get("ts") else None)
        first = unit["docs"][0]["speaker"]
        memory.chat.add_turn(unit["unit"], [_line(doc, first) for doc in docs])
        while (job := memory.chat.take_job("benchmark")) is not None:
            job.do()


def _feed_summaries(memory: mnemic.OpenMemory, summaries: mnemic.OpenMemory, unit: Unit) -> None:
    """Write the summary of each turn into a store of its own, where none is compacted."""
    summaries.chat.create_session(unit["unit"])
    scope = branch_scope(unit["unit"], _BRANCH)
    wanted = ItemFilter(scope_kind=scope.kind, scope_name=scope.name, type="summary", tier="micro")
    seen = 0
    while rows := memory.chat.items(wanted, Paging(order="asc", limit=100, offset=seen)).rows:
        seen += len(rows)
        for one in rows:
            new = NewItem(scope=scope, type="summary", tier="micro", content=one.content)
            summaries.chat.create_item(new)


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


def _asking(memory: mnemic.OpenMemory, strategy: Strategy) -> Way:
    def make(unit: Unit, text: str, budget: int) -> tuple[str, int]:
        block = memory.chat.context(
            ContextQuery(session_id=unit["unit"], text=text, token_budget=budget, strategy=strategy)
        )
        return block.text, block.token_count

    return make


def newest(unit: Unit, text: str, budget: int) -> tuple[str, int]:
    """Return the newest messages that fit a budget, whatever is asked."""
    del text
    shown: list[str] = []
    spent = 0
    for doc in reversed(unit["docs"]):
        price = token_estimate(f"{doc['text']}\n")
        if spent + price > budget:
            break
        shown.append(doc["text"])
        spent += price
    return "\n".join(reversed(shown)), spent


def _ask(units: Sequence[Unit], make: Way, budget: int) -> list[BlockScore]:
    scores: list[BlockScore] = []
    for unit in units:
        parts = {doc["id"]: parts_of(_message(doc)) for doc in unit["docs"]}
        for number, query in enumerate(unit["queries"]):
            text, tokens = make(unit, query["q"], budget)
            wanted = [words for doc in query["gold"] for words in parts[doc]]
            holds = holds_evidence(text, wanted)
            scores.append(BlockScore(HALVES[number % len(HALVES)], holds, tokens))
    return scores


def parts_of(text: str) -> list[frozenset[str]]:
    """Return the telling words of a text, of each of its passages where it is long."""
    return [words for span in passages(text) if (words := content_words(text[slice(*span)]))]


def holds_evidence(block: str, wanted: Sequence[frozenset[str]]) -> bool:
    """Tell whether a block holds three quarters of the words of any part that answers."""
    shown = content_words(block)
    return any(len(words & shown) >= _EVIDENCE * len(words) for words in wanted)


def content_words(text: str) -> frozenset[str]:
    """Return the stems of a text's words that are no stop words."""
    return frozenset(term for term in index_terms(text) if not is_stop_word(term))


def _means(scores: Sequence[BlockScore]) -> dict[str, Any]:
    def share(own: Sequence[BlockScore]) -> float:
        return sum(score.holds for score in own) / len(own)

    return {
        "questions": len(scores),
        "evidence": share(scores),
        "tokens": sum(score.tokens for score in scores) / len(scores),
        **{half: share([score for score in scores if score.half == half]) for half in HALVES},
    }


def _small_talk(memory: mnemic.OpenMemory, name: str, units: Sequence[Unit]) -> dict[str, Any]:
    """Return what small talk costs in each session."""
    make = _asking(memory, "relevance")
    usual = _SMALL_TALK["zh" if name in ("memdaily", "chinese") else "en"]
    costs = [
        make(unit, text, max(_BUDGETS))[1]
        for unit in units
        for text in (*usual, *unit.get("small_talk", ()))
    ]
    return {"messages": len(costs), "most": max(costs), "tokens": sum(costs) / len(costs)}


def _numbers(text: str) -> list[int]:
    return [int(number) for number in text.split(",")]


if __name__ == "__main__":
    main()
