"""What every embedder promises, and the one place that checks what a model answered."""

from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from mnemic.errors import EmbedderError

# The default model takes 0.3 s of CPU for a Chinese text of this length, and OpenAI's limit of
# 8,192 tokens is never reached. Beyond it a single vector says little more about a text.
MAX_CHARACTERS = 4_000


class Embedder(Protocol):
    """Turns texts into vectors whose dot product says how close their meanings are."""

    @property
    def name(self) -> str:
        """Model and version. Vectors of different names never mix."""
        ...

    @property
    def dimensions(self) -> int:
        """The length of every vector."""
        ...

    @property
    def multilingual(self) -> bool:
        """Whether its vectors of Chinese texts mean anything, so that it may vote on them."""
        ...

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Return one row of length 1 per text, or raise EmbedderError.

        A blank text gets a row of zeros. Only the first 4,000 characters of a text count.
        """
        ...

    def close(self) -> None:
        """Let go of connections. An embedder that has none does nothing."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class EmbedderSource:
    """An embedder that was chosen but not loaded yet; `load` returns it ready for use.

    A `remote` one may come back after a failure, so it is worth trying again.
    """

    spec: str
    load: Callable[[], Embedder]
    remote: bool = False


def embed_rows(
    texts: Sequence[str],
    *,
    model: Callable[[list[str]], object],
    name: str,
    dimensions: int,
) -> NDArray[np.float32]:
    """Return one checked row per text, asking `model` only about texts that say something."""
    rows = np.zeros((len(texts), dimensions), dtype=np.float32)
    # Servers refuse a whole batch for one empty text, and a model's vector of nothing is noise.
    spoken = [position for position, text in enumerate(texts) if text.strip()]
    if spoken:
        answer = model([_presentable(texts[position]) for position in spoken])
        rows[spoken] = unit_rows(answer, name=name, count=len(spoken), dimensions=dimensions)
    return rows


def measure_dimensions(model: Callable[[list[str]], object], *, name: str) -> int:
    """Return how long the vectors of `model` are, by asking for one."""
    return unit_rows(model(["dimensions"]), name=name, count=1).shape[1]


def unit_rows(
    answer: object, *, name: str, count: int, dimensions: int | None = None
) -> NDArray[np.float32]:
    """Return `answer` as `count` rows of length 1, or raise EmbedderError. Zeros stay zeros."""
    try:
        rows = np.asarray(answer, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise EmbedderError(f"{name} answered with something else than vectors.") from error
    if rows.ndim != 2 or rows.shape[0] != count or rows.shape[1] == 0:
        raise EmbedderError(
            f"{name} answered with shape {rows.shape} where {count} vectors were asked for."
        )
    if dimensions is not None and rows.shape[1] != dimensions:
        raise EmbedderError(
            f"{name} answered with {rows.shape[1]} dimensions instead of {dimensions}. "
            "The model behind that name has changed."
        )
    if not np.isfinite(rows).all():
        raise EmbedderError(f"{name} answered with a vector that is not finite.")
    return _scaled_to_one(rows).astype(np.float32)


@contextmanager
def translated_errors(doing: str) -> Generator[None]:
    """Turn whatever a third-party model raises into an EmbedderError that says what failed."""
    try:
        yield
    except Exception as error:
        raise EmbedderError(f"{doing} ({type(error).__name__}: {error})") from error


def _presentable(text: str) -> str:
    # A lone surrogate, as broken JSON leaves behind, cannot be encoded by any of the models.
    return text[:MAX_CHARACTERS].encode("utf-8", "replace").decode("utf-8")


def _scaled_to_one(rows: NDArray[np.float64]) -> NDArray[np.float64]:
    # Dividing by the largest entry first keeps the squares inside the range of a float.
    largest = np.abs(rows).max(axis=1, keepdims=True)
    rows = rows / np.where(largest == 0.0, 1.0, largest)
    lengths = np.linalg.norm(rows, axis=1, keepdims=True)
    return rows / np.where(lengths == 0.0, 1.0, lengths)
