"""Does `relevance` tell a question that the memory can answer from one that it cannot?"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np

import mnemic
from mnemic.engine.query import Query
from mnemic.records import RecallMode, Scope
from reporting import progress, table
from retrieval import HALVES, Unit, halves, load, remember

FLOORS: Final = (0.10, 0.12, 0.15, 0.20)
_MODES: Final[tuple[RecallMode, ...]] = ("hybrid", "bm25_only")
_BINS: Final = 10
_LOOKED_AT: Final = 10


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


@dataclass(frozen=True, slots=True)
class Asking:
    """A question, the half it is in, and the scope that it is asked of."""

    text: str
    scope: Scope
    half: str
    gold: frozenset[str] = frozenset()


def evaluate(data: Path, *, embedder: str) -> dict[str, Any]:
    """Return, for each kind of unanswerable question, how well they are told apart."""
    result: dict[str, Any] = {}
    with mnemic.open(":memory:", embedder=embedder, durability="off") as memory:
        store = _Store(memory, data)
        for mode in _MODES:
            for name, (answerable, not_answerable) in store.pairs(mode).items():
                result[f"{name}, {mode}"] = _measured(answerable, not_answerable)
    _show(result)
    return result


class _Store:
    """Every set in one memory, each unit in a scope of its own."""

    def __init__(self, memory: mnemic.OpenMemory, data: Path) -> None:
        self._memory = memory
        self._units: dict[str, list[Unit]] = {}
        self._texts: dict[int, str] = {}
        for name in ("locomo", "memdaily", "alfred"):
            progress(f"abstention: storing {name}")
            self._units[name] = load(name, data)
            self._texts |= remember(memory, name, self._units[name])

    def pairs(self, mode: RecallMode) -> dict[str, tuple[list[Answer], list[Answer]]]:
        """Return answers to questions that can be answered, and to such that cannot."""
        progress(f"abstention: asking, {mode}")
        locomo = self._questions("locomo")
        talked = self._answers(locomo, mode)
        daily = self._questions("memdaily")
        trials = self._answers(self._questions("alfred"), mode)
        elsewhere = self._elsewhere("locomo")
        robot = _scope(self._units["alfred"][0])
        return {
            "LoCoMo, of another conversation": (talked, self._answers(elsewhere, mode)),
            "LoCoMo, there with its names": (
                talked,
                self._answers(self._elsewhere("locomo", renamed=True), mode),
            ),
            "MemDaily, of another user": (
                self._answers(daily, mode),
                self._answers(self._elsewhere("memdaily"), mode),
            ),
            "ALFRED, without its trials": (trials, self._without_gold(mode)),
            "ALFRED, asked LoCoMo's questions": (
                trials,
                self._answers([Asking(one.text, robot, one.half) for one in locomo], mode),
            ),
        }

    def _questions(self, name: str) -> list[Asking]:
        return [
            Asking(query["q"], _scope(unit), half, frozenset(query["gold"]))
            for unit, query, half in self._listed(name)
        ]

    def _elsewhere(self, name: str, *, renamed: bool = False) -> list[Asking]:
        """Return a set's questions, each asked of the next unit if that holds no right text."""
        units = self._units[name]
        following = {
            unit["unit"]: other for unit, other in zip(units, units[1:] + units[:1], strict=True)
        }
        askings: list[Asking] = []
        for unit, query, half in self._listed(name):
            other = following[unit["unit"]]
            if told_there(query, unit, other):
                continue
            text = _renamed(query["q"], unit, other) if renamed else query["q"]
            askings.append(Asking(text, _scope(other), half))
        return askings

    def _listed(self, name: str) -> Iterable[tuple[Unit, dict[str, Any], str]]:
        """Return a set's questions but those that name the wrong person: they have no answer."""
        units = self._units[name]
        asked = [(unit, query) for unit in units for query in unit["queries"]]
        for (unit, query), half in zip(asked, halves(name, units), strict=True):
            if query.get("cat") != "adversarial":
                yield unit, query, half

    def _without_gold(self, mode: RecallMode) -> list[Answer]:
        """Ask ALFRED's questions while their own trials are forgotten."""
        ids = {name: number for number, name in self._texts.items()}
        groups: dict[frozenset[str], list[Asking]] = {}
        for one in self._questions("alfred"):
            groups.setdefault(one.gold, []).append(one)
        answers: list[Answer] = []
        for gold, askings in groups.items():
            for name in gold:
                self._memory.forget(ids[name], reason="to ask without it")
            answers += self._answers(askings, mode)
            for name in gold:
                self._memory.undo(ids[name])
        return answers

    def _answers(self, askings: Iterable[Asking], mode: RecallMode) -> list[Answer]:
        return [self._answer(one, mode) for one in askings]

    def _answer(self, asking: Asking, mode: RecallMode) -> Answer:
        query = Query(asking.text, scopes=(asking.scope,), limit=_LOOKED_AT, mode=mode)
        hits = self._memory.recall(query).hits
        return Answer(
            asking.half,
            tuple(hit.relevance for hit in hits),
            tuple(self._texts[hit.memory.id] in asking.gold for hit in hits),
        )


def _scope(unit: Unit) -> Scope:
    return Scope("collection", unit["unit"])


def told_there(query: dict[str, Any], unit: Unit, other: Unit) -> bool:
    right = {doc["text"] for doc in unit["docs"] if doc["id"] in query["gold"]}
    return not right.isdisjoint(doc["text"] for doc in other["docs"])


def _renamed(question: str, unit: Unit, other: Unit) -> str:
    """Return a question about one conversation's speakers, asked about another's."""
    theirs = dict(zip(_speakers(unit), _speakers(other), strict=True))
    either = "|".join(map(re.escape, theirs))
    return re.sub(rf"\b({either})\b", lambda name: theirs[name[1]], question)


def _speakers(unit: Unit) -> list[str]:
    return list(dict.fromkeys(doc["speaker"] for doc in unit["docs"]))


def _measured(answerable: Sequence[Answer], others: Sequence[Answer]) -> dict[str, Any]:
    both = {
        half: (
            [one for one in answerable if one.half in own],
            [one for one in others if one.half in own],
        )
        for half, own in {"all": HALVES, **{half: (half,) for half in HALVES}}.items()
    }
    return {
        "questions": [len(answerable), len(others)],
        "auroc": {half: _auroc(*pair) for half, pair in both.items()},
        "ece": {half: _calibration_error(*pair) for half, pair in both.items()},
        "floors": {
            f"{floor:.2f}": {half: _at_floor(*pair, floor) for half, pair in both.items()}
            for floor in FLOORS
        },
    }


def _at_floor(
    answerable: Sequence[Answer], others: Sequence[Answer], floor: float
) -> dict[str, float]:
    """Return the shares of questions that a floor leaves a right hit, and that it leaves nothing.

    `kept` cuts every hit by itself; `kept_whole` shows all hits where the best reaches the floor.
    """
    found = [one for one in answerable if any(one.right)]
    return {
        "kept": sum(_keeps(one, floor) for one in found) / len(found),
        "kept_whole": sum(one.best >= floor for one in found) / len(found),
        "silent": sum(one.best < floor for one in others) / len(others),
    }


def _auroc(answerable: Sequence[Answer], others: Sequence[Answer]) -> float:
    """Return how often an answerable question's best hit is the more relevant one."""
    high = np.array([one.best for one in answerable])[:, np.newaxis]
    low = np.array([one.best for one in others])
    return float(((high > low) + 0.5 * (high == low)).mean())


def _calibration_error(answerable: Sequence[Answer], others: Sequence[Answer]) -> float:
    """Return how far relevance is from the share of right hits, on average over all hits.

    Both kinds of questions weigh the same, however many there are.
    """
    errors = 0.0
    sides = [_hits(answerable), _hits(others)]
    weights = np.concatenate([np.full(len(said), 0.5 / max(1, len(said))) for said, _ in sides])
    said, right = (np.concatenate(column) for column in zip(*sides, strict=True))
    bins = np.minimum((said * _BINS).astype(int), _BINS - 1)
    for number in range(_BINS):
        own = bins == number
        errors += abs(float((weights[own] * (said[own] - right[own])).sum()))
    return errors / float(weights.sum())


def _hits(answers: Sequence[Answer]) -> tuple[np.ndarray[Any, Any], np.ndarray[Any, Any]]:
    return (
        np.array([value for one in answers for value in one.relevances]),
        np.array([float(value) for one in answers for value in one.right]),
    )


def _keeps(answer: Answer, floor: float) -> bool:
    hits = zip(answer.relevances, answer.right, strict=True)
    return any(right and relevance >= floor for relevance, right in hits)


def _show(result: Mapping[str, Any]) -> None:
    parts = ("all", *HALVES)
    columns = ["", *(f"AUROC {half}" for half in parts), *(f"ECE {half}" for half in parts)]
    rows = [[name, *one["auroc"].values(), *one["ece"].values()] for name, one in result.items()]
    table("Answerable or not, by the relevance of the best hit, development half", columns, rows)
    whats = ("kept", "kept_whole", "silent")
    columns = ["", *(f"{floor:.2f} {what}" for floor in FLOORS for what in whats)]
    rows = [
        [name, *(floor["all"][what] for floor in one["floors"].values() for what in whats)]
        for name, one in result.items()
    ]
    title = (
        "Questions that keep a right hit above a floor, hit by hit and if the best decides for all;"
        " unanswerable ones that are left unanswered"
    )
    table(title, columns, rows)
