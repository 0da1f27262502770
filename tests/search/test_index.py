"""The index against the plainest possible reference: the same answers, whatever happened before."""

import math
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import mnemic
from mnemic import Draft, Query, Scope, StorageError, parse_filter
from mnemic.language.tokens import index_terms, query_terms
from mnemic.opening import OpenMemory
from mnemic.records.memory import Payload
from mnemic.search.arrays.members import Members
from mnemic.search.arrays.runs import Runs
from mnemic.search.arrays.sketches import BitSketches
from mnemic.search.field import Field
from mnemic.search.scoring import WordScores
from mnemic.storage.rows import payload_rows

WORDS = ["red", "cup", "door", "table", "robot", "grip", "杯子", "红色", "force", "9n"]
TEXTS = st.lists(st.sampled_from(WORDS), min_size=1, max_size=6).map(" ".join)


def bm25(query: str, texts: dict[int, str]) -> dict[int, float]:
    """Score every text by the textbook."""
    counted = {number: index_terms(text) for number, text in texts.items()}
    lengths = {number: sum(terms.values()) for number, terms in counted.items()}
    mean = sum(lengths.values()) / len(lengths)
    scores: dict[int, float] = dict.fromkeys(texts, 0.0)
    for term, weight in query_terms(query).items():
        holders = [number for number, terms in counted.items() if term in terms]
        rarity = math.log(1 + (len(texts) - len(holders) + 0.5) / (len(holders) + 0.5))
        for number in holders:
            count = counted[number][term]
            held_back = 1.2 * (1 - 0.75 + 0.75 * lengths[number] / mean)
            scores[number] += weight * rarity * 2.2 * count / (count + held_back)
    return {number: score for number, score in scores.items() if score}


def found_by_words(memory: OpenMemory, text: str) -> list[str]:
    hits = memory.recall(Query(text, mode="bm25_only")).hits
    return [hit.memory.content for hit in hits]


@pytest.fixture
def store() -> Iterator[OpenMemory]:
    with mnemic.open(":memory:", embedder="hashing", durability="off") as memory:
        yield memory


@given(data=st.data())
@settings(max_examples=25, deadline=None)
def test_scores_are_exact_after_any_mix_of_changes(data: st.DataObject) -> None:
    with mnemic.open(":memory:", embedder="hashing", durability="off") as memory:
        kitchen, garage = Scope("collection", "kitchen"), Scope("collection", "garage")
        texts: dict[int, str] = {}
        for _ in range(data.draw(st.integers(1, 12))):
            step = data.draw(st.sampled_from(["add", "add", "elsewhere", "revise", "forget"]))
            if step in ("add", "elsewhere"):
                text = data.draw(TEXTS)
                scope = kitchen if step == "add" else garage
                stored = memory.remember(Draft(text, scope=scope, dedup=False)).memory
                if step == "add":
                    texts[stored.id] = text
            elif texts:
                chosen = data.draw(st.sampled_from(sorted(texts)))
                if step == "revise":
                    texts[chosen] = data.draw(TEXTS)
                    memory.revise(chosen, texts[chosen])
                else:
                    del texts[chosen]
                    memory.forget(chosen, reason="wrong")
            query = data.draw(TEXTS)
            hits = memory.recall(Query(query, scopes=(kitchen,), limit=50, mode="bm25_only")).hits
            expected = bm25(query, texts) if texts else {}
            assert {hit.memory.id: hit.bm25_score for hit in hits} == pytest.approx(expected)


@given(data=st.data())
@settings(max_examples=25, deadline=None)
def test_what_a_run_passes_on_is_exact_after_any_mix_of_changes(data: st.DataObject) -> None:
    """Half and 0.3 of a score go to the next two, 0.2 and 0.1 to the two before."""
    with mnemic.open(":memory:", embedder="none", durability="off") as memory:
        runs = [memory.start_episode()[0].id for _ in range(2)]
        order: dict[str | None, list[int]] = {None: [], **{run: [] for run in runs}}
        texts: dict[int, str] = {}
        for _ in range(data.draw(st.integers(2, 16))):
            if texts and data.draw(st.integers(0, 4)) == 0:
                gone = data.draw(st.sampled_from(sorted(texts)))
                del texts[gone]
                memory.forget(gone, reason="wrong")
                continue
            run = data.draw(st.sampled_from([None, *runs]))
            text = data.draw(TEXTS)
            stored = memory.remember(Draft(text, episode_id=run, dedup=False)).memory
            texts[stored.id] = text
            order[run].append(stored.id)
        if not texts:
            return
        query = data.draw(TEXTS)
        own = bm25(query, texts)
        expected: dict[int, float] = {one: own.get(one, 0.0) for one in order[None] if one in texts}
        for run in runs:
            alive = [one for one in order[run] if one in texts]
            for at, one in enumerate(alive):
                parts = [(at, 1.0), (at - 1, 0.5), (at - 2, 0.3), (at + 1, 0.2), (at + 2, 0.1)]
                expected[one] = sum(
                    weight * own.get(alive[near], 0.0)
                    for near, weight in parts
                    if 0 <= near < len(alive)
                )

        hits = memory.recall(Query(query, limit=50, mode="bm25_only")).hits

        found = {hit.memory.id: hit.bm25_score for hit in hits}
        assert found == pytest.approx({one: score for one, score in expected.items() if score})


def test_the_best_are_as_many_as_asked_for_whatever_the_sample_says() -> None:
    # Every third place is sampled, and only sampled ones score high: too few for all that is asked.
    width, limit = 60_000, 100
    members = Members()
    members.extend(0, np.ones(width, np.int64), np.full(width, 10, np.uint16))
    own = np.ones(width, np.float32)
    own[: 70 * 3 : 3] = 9.0
    field = Field.of([1], members, Runs())
    scores = WordScores(field, own, np.empty(0, np.uint32), [], np.empty(0))

    best = scores.best(limit)

    assert len(best) == limit
    assert (own[best[:70]] == 9.0).all()


def test_sketches_name_the_true_closest_vectors_of_a_large_set() -> None:
    chance = np.random.default_rng(7)
    centres = chance.normal(size=(50, 512))
    vectors = centres[chance.integers(0, 50, 5000)] + chance.normal(size=(5000, 512))
    vectors = (vectors / np.linalg.norm(vectors, axis=1, keepdims=True)).astype(np.float32)
    sketches = BitSketches(512)
    sketches.extend(np.arange(5000, dtype=np.uint32), np.ones(5000, np.int64), vectors)
    found = 0
    for query in vectors[::500]:
        true = np.argsort(-(vectors @ query))[:10]
        found += len(set(true.tolist()) & set(sketches.closest(query, 100, [1]).tolist()))

    assert found >= 98


def test_sketches_keep_to_what_may_be_found() -> None:
    sketches = BitSketches(8)
    scopes = np.array([1, 2, 2, 3], np.int64)
    sketches.extend(np.arange(4, dtype=np.uint32), scopes, np.eye(4, 8, dtype=np.float32))
    wanted, allowed = np.ones(8, np.float32), np.array([0, 2], np.uint32)

    assert sorted(sketches.closest(wanted, 10, [2, 3]).tolist()) == [1, 2, 3]
    assert sorted(sketches.closest_among(wanted, 10, allowed).tolist()) == [0, 2]
    sketches.retire(3)
    assert sorted(sketches.closest(wanted, 10, [2, 3]).tolist()) == [1, 2]


def test_what_was_rolled_back_is_never_found(
    store: OpenMemory, monkeypatch: pytest.MonkeyPatch
) -> None:
    store.remember_many([Draft(f"cup number{number}") for number in range(50)])
    before = [hit.memory.id for hit in store.recall(Query("cup", limit=90)).hits]
    sensed = Draft("a picture of a cup", payload=Payload("{}"))

    def pull_the_plug(*_: object) -> None:
        raise StorageError

    monkeypatch.setattr(payload_rows, "put", pull_the_plug)
    with pytest.raises(StorageError):
        store.remember_many([Draft("a cup that never was"), Draft("another cup"), sensed])

    assert [hit.memory.id for hit in store.recall(Query("cup", limit=90)).hits] == before
    assert store.remember(Draft("a cup that never was")).duplicate is None


def test_a_recall_in_another_thread_does_not_keep_what_is_rolled_back(
    store: OpenMemory, monkeypatch: pytest.MonkeyPatch
) -> None:
    store.remember(Draft("the first cup"))

    def look_from_elsewhere_and_break(*_: object) -> None:
        with ThreadPoolExecutor(1) as pool:
            pool.submit(store.recall, Query("cup")).result()
        raise StorageError

    monkeypatch.setattr(payload_rows, "put", look_from_elsewhere_and_break)
    with pytest.raises(StorageError):
        store.remember_many(
            [Draft("a cup that never was"), Draft("another cup", payload=Payload("{}"))]
        )

    store.remember_many([Draft("a lamp"), Draft("a door")])
    assert found_by_words(store, "lamp") == ["a lamp"]
    assert found_by_words(store, "door") == ["a door"]
    assert found_by_words(store, "never another") == []


def test_small_scopes_in_a_large_store_are_searched_exactly(store: OpenMemory) -> None:
    small = Scope("collection", "small")
    store.remember_many([Draft(f"cup number{number}", dedup=False) for number in range(2000)])
    store.remember_many(
        [Draft(f"cup item{number}", scope=small, dedup=False) for number in range(9)]
    )

    hits = store.recall(Query("cup item3", scopes=(small,), limit=50)).hits

    assert len(hits) == 9
    assert hits[0].memory.content == "cup item3"


def test_a_filter_never_changes_a_score(store: OpenMemory) -> None:
    store.remember_many(
        [
            Draft(
                f"cup number{number} on the table", context={"rare": number % 40 == 0}, dedup=False
            )
            for number in range(800)
        ]
    )
    plain = store.recall(Query("cup table number40", limit=1, mode="bm25_only")).hits[0]
    rare = parse_filter({"rare": True})

    filtered = store.recall(Query("cup table number40", filter=rare, mode="bm25_only")).hits

    assert filtered[0].memory.id == plain.memory.id
    assert filtered[0].bm25_score == pytest.approx(plain.bm25_score)
