"""Does `relevance` tell a question that the memory can answer from one that it cannot?"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np

import mnemic
from evaluation.retrieval import open_memory, remember, scope_of
from harness.datasets import HALVES, SETS, Unit, halves, load
from harness.results import progress
from mnemic.records.memory import RecallMode, Scope
from mnemic.records.query import Query

_FLOORS: Final = (0.10, 0.12, 0.15, 0.20)
_MODES: Final[tuple[RecallMode, ...]] = ("hybrid", "bm25_only")
_BINS: Final = 10
_DEPTH: Final = 10


@dataclass(frozen=True, slots=True)
class Answer:
    """The relevance of the first hits of a question, and which of them are right."""

    half: str
    relevances: tuple[float, ...]
    right: tuple[bool, ...]

    @property
    def best(self) -> float:
        """The relevance of the best hit; 0 where nothing was found."""
        return self.relevances[0] if self.relevances else 0.0

    def keeps(self, floor: float) -> bool:
        """Whether a right hit is at least so relevant."""
        hits = zip(self.relevances, self.right, strict=True)
        return any(right and relevance >= floor for relevance, right in hits)


@dataclass(frozen=True, slots=True)
class ScopedQuestion:
    """A question, the half it is in, and the scope that it is asked of."""

    text: str
    scope: Scope
    half: str
    gold: frozenset[str] = frozenset()


Answers = Sequence[Answer]


def evaluate(data: Path, *, embedder: str) -> dict[str, Any]:
    """Return, for each kind of unanswerable question, how well they are told apart."""
    with open_memory(embedder) as memory:
        store = _Store(memory, data)
        return {
            f"{name}, {mode}": _measures(answerable, unanswerable)
            for mode in _MODES
            for name, (answerable, unanswerable) in store.answers(mode).items()
        }


class _Store:
    """Every set in one memory, each unit in a scope of its own."""

    def __init__(self, memory: mnemic.OpenMemory, data: Path) -> None:
        self._memory = memory
        self._units = {name: load(name, data) for name in SETS}
        self._texts: dict[int, str] = {}
        for name, units in self._units.items():
            progress(f"abstention: storing {name}")
            self._texts |= remember(memory, name, units)

    def answers(self, mode: RecallMode) -> dict[str, tuple[list[Answer], list[Answer]]]:
        """Return answers to questions that can be answered, and to such that cannot."""
        progress(f"abstention: asking, {mode}")

        def ask(questions: Iterable[ScopedQuestion]) -> list[Answer]:
            return [self._answer(question, mode) for question in questions]

        locomo, alfred = (list(self._questions(name)) for name in ("locomo", "alfred"))
        talks, trials = ask(locomo), ask(alfred)
        robot = scope_of(self._units["alfred"][0])
        foreign = [ScopedQuestion(asked.text, robot, asked.half) for asked in locomo]
        renamed = self._elsewhere("locomo", renamed=True)
        days = (ask(self._questions("memdaily")), ask(self._elsewhere("memdaily")))
        return {
            "LoCoMo, of another conversation": (talks, ask(self._elsewhere("locomo"))),
            "LoCoMo, there with its names": (talks, ask(renamed)),
            "MemDaily, of another user": days,
            "ALFRED, without its trials": (trials, self._without_gold(alfred, mode)),
            "ALFRED, asked LoCoMo's questions": (trials, ask(foreign)),
        }

    def _questions(self, name: str) -> Iterator[ScopedQuestion]:
        for unit, query, half in self._listed(name):
            yield ScopedQuestion(query["q"], scope_of(unit), half, frozenset(query["gold"]))

    def _elsewhere(self, name: str, *, renamed: bool = False) -> Iterator[ScopedQuestion]:
        """Return a set's questions, each asked of the next unit if that holds no right text."""
        following = next_units(self._units[name])
        for unit, query, half in self._listed(name):
            other = following[unit["unit"]]
            if not holds_answer(other, query, unit):
                text = _renamed(query["q"], unit, other) if renamed else query["q"]
                yield ScopedQuestion(text, scope_of(other), half)

    def _listed(self, name: str) -> Iterator[tuple[Unit, dict[str, Any], str]]:
        units = self._units[name]
        asked = [(unit, query) for unit in units for query in unit["queries"]]
        for (unit, query), half in zip(asked, halves(name, units), strict=True):
            if is_answerable(query):
                yield unit, query, half

    def _without_gold(self, questions: Sequence[ScopedQuestion], mode: RecallMode) -> list[Answer]:
        """Ask while the right texts are forgotten."""
        ids = {name: number for number, name in self._texts.items()}
        answers: list[Answer] = []
        for gold in dict.fromkeys(question.gold for question in questions):
            for name in gold:
                self._memory.forget(ids[name], reason="to ask without it")
            answers += [self._answer(asked, mode) for asked in questions if asked.gold == gold]
            for name in gold:
                self._memory.undo(ids[name])
        return answers

    def _answer(self, question: ScopedQuestion, mode: RecallMode) -> Answer:
        query = Query(question.text, scopes=(question.scope,), limit=_DEPTH, mode=mode)
        hits = self._memory.recall(query).hits
        return Answer(
            question.half,
            tuple(hit.relevance for hit in hits),
            tuple(self._texts[hit.memory.id] in question.gold for hit in hits),
        )


def next_units(units: Sequence[Unit]) -> dict[str, Unit]:
    """Return the unit that follows each one, by name; the first follows the last."""
    return {unit["unit"]: units[(at + 1) % len(units)] for at, unit in enumerate(units)}


def is_answerable(query: dict[str, Any]) -> bool:
    """Return whether a question has an answer; those that name the wrong person have none."""
    return query.get("cat") != "adversarial"


def holds_answer(other: Unit, query: dict[str, Any], unit: Unit) -> bool:
    """Return whether another unit holds a text that answers a unit's question."""
    right = {doc["text"] for doc in unit["docs"] if doc["id"] in query["gold"]}
    return not right.isdisjoint(doc["text"] for doc in other["docs"])


def _renamed(question: str, unit: Unit, other: Unit) -> str:
    """Return a question about one conversation's speakers, asked about another's."""
    ours, others = ([doc["speaker"] for doc in talk["docs"]] for talk in (unit, other))
    theirs = dict(zip(dict.fromkeys(ours), dict.fromkeys(others), strict=True))
    either = "|".join(map(re.escape, theirs))
    return re.sub(rf"\b({either})\b", lambda name: theirs[name[1]], question)


def _measures(answerable: Answers, others: Answers) -> dict[str, Any]:
    parts = {
        part: [[hit for hit in side if part in ("all", hit.half)] for side in (answerable, others)]
        for part in ("all", *HALVES)
    }
    return {
        "questions": [len(answerable), len(others)],
        "auroc": {part: _auroc(*sides) for part, sides in parts.items()},
        "ece": {part: _calibration_error(*sides) for part, sides in parts.items()},
        "floors": {
            f"{floor:.2f}": {part: _at_floor(floor, *sides) for part, sides in parts.items()}
            for floor in _FLOORS
        },
    }


def _at_floor(floor: float, answerable: Answers, others: Answers) -> dict[str, float]:
    """Return the shares of questions that a floor leaves a right hit, and that it leaves nothing.

    `kept` cuts every hit by itself; `kept_whole` shows all hits where the best reaches the floor.
    """
    found = [answer for answer in answerable if any(answer.right)]
    return {
        "kept": sum(answer.keeps(floor) for answer in found) / len(found),
        "kept_whole": sum(answer.best >= floor for answer in found) / len(found),
        "silent": sum(answer.best < floor for answer in others) / len(others),
    }


def _auroc(answerable: Answers, others: Answers) -> float:
    """Return how often an answerable question's best hit is the more relevant one."""
    high = np.array([answer.best for answer in answerable])[:, np.newaxis]
    low = np.array([answer.best for answer in others])
    return float(((high > low) + 0.5 * (high == low)).mean())


def _calibration_error(answerable: Answers, others: Answers) -> float:
    """Return how far relevance is from the share of right hits, on average over all hits.

    Both kinds of questions weigh the same, however many there are.
    """
    errors = np.zeros(_BINS)
    total = 0.0
    for side in (answerable, others):
        said = np.array([value for answer in side for value in answer.relevances])
        right = np.array([float(value) for answer in side for value in answer.right])
        bins = np.minimum((said * _BINS).astype(int), _BINS - 1)
        errors += np.bincount(bins, said - right, _BINS) * 0.5 / max(1, len(said))
        total += 0.5 if len(said) else 0.0
    return float(np.abs(errors).sum()) / total
