"""What does each part of recall give? Each is taken away in turn, and the rest is measured.

    python benchmarks/ablation.py [--data FOLDER]     takes parts away
    python benchmarks/ablation.py --tune              chooses the weights on one half of the data

With --tune the weights of the ranking are found anew, from neutral ones, on one half of the
questions, and judged on the other half, which had no say. Either way the result is written to its
table in docs/explanation/recall.md.
"""

import argparse
import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from time import perf_counter
from typing import Any, Final, Literal

import mnemic
import tuning
from ablation_table import write
from mnemic.records import RecallMode
from replay import embedding_once, patched, search
from reporting import REPOSITORY, conditions, progress, save, state, table
from retrieval import SETS, Ranking, Unit, ask, by_half, halves, load, means, plain, remember

_RANKING: Final = "mnemic.engine.ranking."
_SCORING: Final = "mnemic.storage.index.scoring."
_FULL: Final = "everything"


@dataclass(frozen=True, slots=True)
class _Variant:
    """Recall without one of its parts; `anew` says what has to be done again without it."""

    name: str
    values: Mapping[str, object] = field(default_factory=dict)
    anew: Literal["rank", "ask", "store"] = "rank"
    mode: RecallMode = "hybrid"


def _without(name: str, constant: str) -> _Variant:
    return _Variant(name, {_RANKING + constant: 0.0})


def _neighbours(name: str, following: Sequence[float], previous: Sequence[float]) -> _Variant:
    values = {_SCORING + "TO_FOLLOWING": following, _SCORING + "TO_PREVIOUS": previous}
    return _Variant(name, values, "ask")


_VARIANTS: Final = (
    _Variant(_FULL),
    _without("BM25 of the whole run", "_RUN_WEIGHT"),
    _without("`best_of_run`", "_BEST_OF_RUN_WEIGHT"),
    _without("`like_the_best`", "_LIKE_THE_BEST_WEIGHT"),
    _without("`speaker`", "_SPEAKER"),
    _without("`asks`", "_ASKS"),
    _without("`first_person`", "_FIRST_PERSON"),
    _without("`short`", "_SHORT"),
    _without("`date`", "_DATE"),
    _without("`real_world`", "_REAL_WORLD"),
    _neighbours("second neighbours", (0.5,), (0.2,)),
    _neighbours("all neighbours", (), ()),
    _Variant(
        "the context's words as terms",
        {"mnemic.engine.embedding.words_in": lambda _: ""},
        "store",
    ),
    _Variant(
        "question and context in what is embedded",
        {"mnemic.engine.remember.embedding_text": lambda content, *_: content},
        "store",
    ),
    _Variant(
        "cleaning of the embedded question",
        {"mnemic.engine.recall._telling": lambda text, _: text},
        "ask",
    ),
    _Variant("vectors", anew="ask", mode="bm25_only"),
    _Variant("words", anew="ask", mode="vec_only"),
)


def main() -> None:
    options = _options()
    run = conditions()
    state(run)
    started = perf_counter()
    sets = {name: load(name, options.data) for name in SETS}
    with embedding_once():
        if options.tune:
            result = tuning.both_ways(sets, embedder=options.embedder)
        else:
            result = {name: _ablated(name, units, options.embedder) for name, units in sets.items()}
    result = {"run": run, "embedder": options.embedder, **result}
    result["seconds"] = round(perf_counter() - started, 1)
    name = "tuning" if options.tune else "ablation"
    save(name, result)
    write(name, result)
    print(f"{result['seconds']} s")


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0] if __doc__ else None)
    usual = os.environ.get("MNEMIC_DATA") or REPOSITORY.parent / "shared" / "data"
    parser.add_argument("--data", type=Path, default=Path(usual))
    parser.add_argument("--embedder", default="default")
    parser.add_argument("--tune", action="store_true", help="choose weights on one half")
    return parser.parse_args()


def _ablated(name: str, units: Sequence[Unit], embedder: str) -> dict[str, Any]:
    """Return the scores of every variant on one set: all questions, and each half."""
    half_of = halves(name, units)
    scores = {
        variant: _scored(rankings, half_of)
        for variant, rankings in _rankings(name, units, embedder)
    }
    scores["all but plain BM25"] = _scored(plain(units), half_of)
    columns = ["without", *(f"{k} {half}" for k in ("@5", "@10") for half in scores[_FULL])]
    rows = [
        [variant, *(one[f"recall{k}"] for k in ("@5", "@10") for one in halved.values())]
        for variant, halved in scores.items()
    ]
    table(f"{SETS[name]}, development half", columns, rows)
    return scores


def _scored(rankings: Sequence[Ranking], half_of: Sequence[str]) -> dict[str, Any]:
    return {"all": means(rankings), **by_half(rankings, half_of)}


def _rankings(
    name: str, units: Sequence[Unit], embedder: str
) -> Iterator[tuple[str, list[Ranking]]]:
    progress(f"{name}: storing")
    with mnemic.open(":memory:", embedder=embedder, durability="off") as memory:
        texts = remember(memory, name, units)
        searched = search(memory, units, texts)
        for variant in _VARIANTS:
            progress(f"{name}: without {variant.name}")
            with patched(variant.values):
                if variant.anew == "rank":
                    yield variant.name, [one.ranked() for one in searched]
                elif variant.anew == "ask":
                    yield variant.name, ask(memory, units, texts, mode=variant.mode)
                else:
                    yield variant.name, _stored_anew(name, units, embedder)


def _stored_anew(name: str, units: Sequence[Unit], embedder: str) -> list[Ranking]:
    with mnemic.open(":memory:", embedder=embedder, durability="off") as memory:
        return ask(memory, units, remember(memory, name, units))


if __name__ == "__main__":
    main()
