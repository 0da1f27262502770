"""What does each part of recall give? Each is taken away in turn, and the rest is measured.

    python benchmarks/ablation.py [--data FOLDER]     takes parts away
    python benchmarks/ablation.py --tune              chooses the weights on one half of the data

With --tune the weights of the ranking are found anew, from neutral ones, on one half of the
questions, and judged on the other half, which had no say. `tables.py` writes either result to its
table in docs/explanation/recall.md.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from time import perf_counter
from typing import Any, Final, Literal

from evaluation import tuning
from evaluation.replay import embedding_once, patched, search
from evaluation.retrieval import ask, by_half, means, open_memory, plain, remember
from harness.datasets import SETS, Ranking, Unit, halves, load
from harness.options import DEFAULT, Options
from harness.results import Result, conditions, progress, save
from mnemic.records.memory import RecallMode
from report import ablation as report


@dataclass(frozen=True, slots=True)
class _Variant:
    """Recall without one of its parts; `redo` says what has to be done again without it."""

    name: str
    values: Mapping[str, object] = field(default_factory=dict)
    redo: Literal["rank", "ask", "store"] = "rank"
    mode: RecallMode = "hybrid"


def _without(name: str, constant: str) -> _Variant:
    return _Variant(name, {tuning.RANKING + constant: 0.0})


def _neighbours(name: str, *passed_on: Sequence[float]) -> _Variant:
    return _Variant(name, tuning.neighbour_values(passed_on), "ask")


_VARIANTS: Final = (
    _Variant(report.FULL),
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
        {"mnemic.memory.texts.passage_documents.words_in": lambda _: ""},
        "store",
    ),
    _Variant(
        "question and context in what is embedded",
        {"mnemic.memory.texts.passage_documents.embedding_text": lambda content, *_: content},
        "store",
    ),
    _Variant(
        "cleaning of the embedded question",
        {"mnemic.memory.retrieval.recall._telling": lambda text, _: text},
        "ask",
    ),
    _Variant("vectors", redo="ask", mode="bm25_only"),
    _Variant("words", redo="ask", mode="vec_only"),
)


def main(arguments: Sequence[str] | None = None) -> None:
    parser = Options(__doc__)
    parser.data()
    parser.embedder()
    parser.add_argument("--tune", action="store_true", help="choose weights on one half")
    options = parser.parse_args(arguments)
    sets = {name: load(name, options.data) for name in SETS}
    run, started = conditions(), perf_counter()
    with embedding_once():
        if options.tune:
            measured = tuning.both_ways(sets, embedder=options.embedder)
        else:
            measured = {name: _scores(name, sets[name], options.embedder) for name in SETS}
    result: Result = {"run": run, "embedder": options.embedder, **measured}
    result["seconds"] = round(perf_counter() - started, 1)
    print((report.write_tuning if options.tune else report.write)(result))
    save("tuning" if options.tune else "ablation", result, complete=options.embedder == DEFAULT)


def _scores(name: str, units: Sequence[Unit], embedder: str) -> dict[str, Any]:
    """Return the scores of every variant on one set: all questions, and each half."""
    half_of = halves(name, units)
    rankings = {**dict(_rankings(name, units, embedder)), "all but plain BM25": plain(units)}
    return {
        variant: {"all": means(found), **by_half(found, half_of)}
        for variant, found in rankings.items()
    }


def _rankings(
    name: str, units: Sequence[Unit], embedder: str
) -> Iterator[tuple[str, list[Ranking]]]:
    progress(f"{name}: storing")
    with open_memory(embedder) as memory:
        texts = remember(memory, name, units)
        searched = search(memory, units, texts)
        for variant in _VARIANTS:
            progress(f"{name}: without {variant.name}")
            with patched(variant.values):
                if variant.redo == "rank":
                    yield variant.name, [question.ranked() for question in searched]
                elif variant.redo == "ask":
                    yield variant.name, ask(memory, units, texts, mode=variant.mode)
                else:
                    with open_memory(embedder) as anew:
                        yield variant.name, ask(anew, units, remember(anew, name, units))


if __name__ == "__main__":
    main()
