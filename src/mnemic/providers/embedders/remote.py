"""An embedder that lives on a server."""

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from mnemic.providers.embedders.embedder import embed_rows, measure_dimensions
from mnemic.providers.embedders.endpoint import Endpoint

_BATCH = 64


class RemoteEmbedder:
    """Asks a server for vectors, at most 64 texts at a time. It owns and closes `endpoint`.

    Without `dimensions` it asks for one vector at once to learn them, so a server that cannot
    be used shows when the embedder is made.
    """

    def __init__(
        self,
        name: str,
        *,
        endpoint: Endpoint,
        ask: Callable[[list[str]], list[list[float]]],
        dimensions: int | None,
        multilingual: bool,
    ) -> None:
        self._endpoint = endpoint
        self._ask = ask
        self.multilingual = multilingual
        self.dimensions = dimensions or self._measure(name)
        self.name = f"{name}@{self.dimensions}"

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Return one row of length 1 per text, or raise EmbedderError when the server cannot."""
        return embed_rows(
            texts, model=self._ask_in_batches, name=self.name, dimensions=self.dimensions
        )

    def close(self) -> None:
        """Close the connections to the server."""
        self._endpoint.close()

    def _ask_in_batches(self, texts: list[str]) -> list[list[float]]:
        batches = (texts[start : start + _BATCH] for start in range(0, len(texts), _BATCH))
        return [vector for batch in batches for vector in self._ask(batch)]

    def _measure(self, name: str) -> int:
        try:
            return measure_dimensions(self._ask, name=name)
        except BaseException:
            self._endpoint.close()
            raise
