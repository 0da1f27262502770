"""The strict protocol: weights chosen on one half of the questions, judged on the other."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from evaluation.replay import Searched, patched, search
from evaluation.retrieval import means, open_memory, remember
from harness.datasets import HALVES, Ranking, Unit, halves
from harness.results import progress

RANKING: Final = "mnemic.memory.retrieval.ranking."
_SCORING: Final = "mnemic.search.scoring."
_MOST_PASSES: Final = 3

Neighbours = tuple[tuple[float, float], tuple[float, float]]
Settings = dict[str, Any]
Searches = dict[tuple[str, Neighbours], list[Searched]]

_NO_NEIGHBOURS: Final[Neighbours] = ((0.0, 0.0), (0.0, 0.0))
_NEIGHBOURS: Final[tuple[Neighbours, ...]] = (
    _NO_NEIGHBOURS,
    ((0.3, 0.0), (0.0, 0.0)),
    ((0.3, 0.0), (0.3, 0.0)),
    ((0.3, 0.15), (0.15, 0.05)),
    ((0.5, 0.3), (0.2, 0.1)),
    ((0.5, 0.3), (0.5, 0.3)),
)
# What each weight may be. The first value is where the search begins: it says nothing.
_GRID: Final[Mapping[str, Sequence[Any]]] = {
    "neighbours": _NEIGHBOURS,
    "word_weight": (0.5, 0.35, 0.45, 0.55, 0.65),
    "_RUN_WEIGHT": (0.0, 0.2, 0.4, 0.6),
    "_BEST_OF_RUN_WEIGHT": (0.0, 0.15, 0.3, 0.5),
    "_LIKE_THE_BEST_WEIGHT": (0.0, 0.1, 0.2, 0.4),
    "_SHORT": (0.0, -0.5, -1.0, -1.5),
    "_SPEAKER": (0.0, 0.25, 0.5, 1.0),
    "_DATE": (0.0, 0.5, 1.0, 2.0),
    "_ASKS": (0.0, -0.2, -0.4, -0.8),
    "_FIRST_PERSON": (0.0, 0.1, 0.2, 0.4),
}
_PUBLISHED: Final[Neighbours] = ((0.5, 0.3), (0.2, 0.1))


def both_ways(sets: Mapping[str, Sequence[Unit]], *, embedder: str) -> dict[str, Any]:
    """Return what each half chooses, and how neutral, chosen and published weights do on the
    other one.
    """
    searches = _searches(sets, embedder)
    half_of = {name: halves(name, units) for name, units in sets.items()}
    result: dict[str, Any] = {}
    for seen, unseen in (HALVES, HALVES[::-1]):
        judge, goal = (
            _Judge(searches, {name: [own == half for own in half_of[name]] for name in sets})
            for half in (unseen, seen)
        )
        neutral = {name: values[0] for name, values in _GRID.items()}
        chosen = _ascend(goal, neutral)
        scores = {
            "neutral": judge.scores(neutral),
            "chosen": judge.scores(chosen),
            "published": judge.scores({"neighbours": _PUBLISHED}),
        }
        result[unseen] = {"chosen": chosen, "scores": scores}
    return result


def neighbour_values(passed_on: Sequence[Sequence[float]]) -> dict[str, object]:
    """Return what to patch so that scores are passed on to following and previous neighbours."""
    return dict(zip((_SCORING + "TO_FOLLOWING", _SCORING + "TO_PREVIOUS"), passed_on, strict=True))


def _searches(sets: Mapping[str, Sequence[Unit]], embedder: str) -> Searches:
    """Search once for every way to pass scores on: these are in force before the ranking."""
    searches: Searches = {}
    for name, units in sets.items():
        with open_memory(embedder) as memory:
            progress(f"{name}: storing")
            texts = remember(memory, name, units)
            for neighbours in _NEIGHBOURS:
                if name == "alfred" and neighbours != _NO_NEIGHBOURS:
                    # Its trials stand in no runs, so that nothing is passed on.
                    searches[name, neighbours] = searches[name, _NO_NEIGHBOURS]
                    continue
                progress(f"{name}: searching with {neighbours}")
                with patched(neighbour_values(neighbours)):
                    searches[name, neighbours] = search(memory, units, texts)
    return searches


class _Judge:
    """Measures settings on some of the questions."""

    def __init__(self, searches: Searches, chosen: Mapping[str, Sequence[bool]]) -> None:
        self._searches = searches
        self._chosen = chosen

    def scores(self, settings: Settings) -> dict[str, dict[str, Any]]:
        values = {RANKING + key: value for key, value in settings.items() if key.startswith("_")}
        with patched(values):
            return {name: means(self._rankings(name, settings)) for name in self._chosen}

    def goal(self, settings: Settings) -> float:
        """Return what is to be as large as possible; every set counts the same."""
        scores = self.scores(settings).values()
        return sum(own["recall@5"] + own["recall@10"] for own in scores) / (2 * len(scores))

    def _rankings(self, name: str, settings: Settings) -> list[Ranking]:
        searched = self._searches[name, settings["neighbours"]]
        return [
            question.ranked(word_weight=settings.get("word_weight"))
            for question, chosen in zip(searched, self._chosen[name], strict=True)
            if chosen
        ]


def _ascend(judge: _Judge, settings: Settings) -> Settings:
    """Return settings where changing one alone, within the grid, gains nothing."""
    best = judge.goal(settings)
    for _ in range(_MOST_PASSES):
        before = best
        for name, values in _GRID.items():
            for value in values:
                if value == settings[name]:
                    continue
                score = judge.goal({**settings, name: value})
                if score > best:
                    best, settings = score, {**settings, name: value}
            progress(f"{name} = {settings[name]}: {best:.4f}")
        if best == before:
            break
    return settings
