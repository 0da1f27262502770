"""What the figures of supersession rely on: the pairs, their halves, and a floor for the rules."""

import pytest

from tests.benchmarks.conftest import Loader


def test_there_are_enough_pairs_of_both_languages_and_both_halves(benchmark: Loader) -> None:
    supersession = benchmark("evaluation.supersession")
    halves = [supersession.pairs_of(half) for half in ("mended_against", "unseen")]

    assert sum(map(len, halves)) >= 300
    for pairs in halves:
        for lang in ("en", "zh"):
            labels = [pair["label"] for pair in pairs if pair["lang"] == lang]
            assert min(labels.count(0), labels.count(1)) >= 30
    texts = [(pair["older"], pair["newer"]) for pairs in halves for pair in pairs]
    assert len(set(texts)) == len(texts)


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_what_a_newer_memory_ends_is_told_with_precision_before_recall(
    benchmark: Loader, lang: str
) -> None:
    supersession = benchmark("evaluation.supersession")

    found = supersession.measures(supersession.pairs_of("mended_against"), embedder="none")[lang]

    assert found["precision"] >= 0.98
    assert found["recall"] >= 0.85
