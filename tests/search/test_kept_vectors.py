"""Vectors that stay in memory once they were read never change an answer."""

import numpy as np
import pytest

from mnemic import Draft, Query
from mnemic.opening import OpenMemory
from mnemic.search.placed import KeptVectors, Placed
from mnemic.storage.sqlite import vectors
from tests.conftest import OpenIt

QUESTIONS = ("a red cube", "blue box on a shelf", "cup number 17", "where is the green lamp")


def _answers(memory: OpenMemory) -> list[list[tuple[int, float | None]]]:
    found = [memory.recall(Query(text, limit=20)).hits for text in QUESTIONS]
    return [[(hit.memory.id, hit.cosine) for hit in hits] for hits in found]


@pytest.mark.parametrize("most", [0, 300, 700, 2_000])
def test_answers_are_the_same_however_few_vectors_are_kept(
    open_it: OpenIt, monkeypatch: pytest.MonkeyPatch, most: int
) -> None:
    memory = open_it(embedder="hashing")
    words = ("red cube", "blue box", "green lamp", "grey cup", "white shelf")
    drafts = [Draft(f"the {words[at % 5]} number {at}", dedup=False) for at in range(2_500)]
    memory.remember_many(drafts)
    expected = _answers(memory)
    monkeypatch.setattr(vectors, "_KEPT", most)

    again = open_it(embedder="hashing")

    assert _answers(again) == expected
    assert _answers(again) == expected


def test_the_last_read_are_kept_and_another_model_starts_anew() -> None:
    kept = KeptVectors(most=3)
    numbers = np.array([0, 5, 9], np.uint32)
    kept.rows_of(numbers, 1)
    kept.add(numbers[:2], np.array([[1, 2], [3, 4]], np.float16))

    assert kept.rows_of(numbers, 1).tolist() == [0, 1, -1]
    assert kept.take(np.array([1, 0], np.int32)).tolist() == [[3, 4], [1, 2]]
    kept.add(np.array([9, 7], np.uint32), np.array([[5, 6], [7, 8]], np.float16))
    assert kept.rows_of(numbers, 1).tolist() == [-1, -1, 0]
    assert kept.rows_of(numbers, 2).tolist() == [-1, -1, -1]


def test_places_without_a_vector_get_zeros_and_say_so() -> None:
    one = Placed(np.array([2, 7], np.uint32), np.array([[1, 0], [0, 1]], np.float32))
    other = Placed(np.array([4], np.uint32), np.array([[3, 3]], np.float32))

    rows, there = one.joined(other).at(np.array([1, 2, 4, 9], np.uint32))

    assert rows.tolist() == [[0, 0], [1, 0], [3, 3], [0, 0]]
    assert there.tolist() == [False, True, True, False]
