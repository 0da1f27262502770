"""Mnemic, one scope per unit. Arguments: the store's folder, the table of vectors."""

from collections.abc import Sequence
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray
from speaking import DIMENSIONS, Doc, Encoder, serve

import mnemic
from mnemic import opening
from mnemic.engine.query import Query
from mnemic.providers.embedder import EmbedderSource
from mnemic.records import Draft, Scope

_TOLD: Final = ("ts", "session", "speaker")


class _Given:
    """The vectors that every program gets; a cleaned question is embedded by the same model."""

    name = "given"
    dimensions = DIMENSIONS
    multilingual = True

    def __init__(self, encoder: Encoder) -> None:
        self._encoder = encoder

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Return one row per text."""
        return self._encoder.embed(texts)

    def close(self) -> None:
        """Do nothing."""


class Mnemic:
    """The engine's own calls, on disk, as safe as it is by default."""

    note = "words and vectors, on disk, durability full; not looking for duplicates"

    def __init__(self, folder: Path, encoder: Encoder) -> None:
        given = EmbedderSource(spec="given", load=lambda: _Given(encoder))
        opening.choose_embedder = lambda *_, **__: given
        self._memory = mnemic.open(folder / "memory.db")
        self._ids: dict[int, str] = {}
        self._episodes: dict[tuple[str, str], str] = {}

    def add(self, unit: str, docs: Sequence[Doc]) -> None:
        """Remember the texts with who said them and when, as far as that is known."""
        drafts = [
            Draft(
                doc["text"],
                Scope("collection", unit),
                context=doc.get("context") or {key: doc[key] for key in _TOLD if doc.get(key)},
                episode_id=self._episode(unit, doc),
                dedup=False,
            )
            for doc in docs
        ]
        for one, doc in zip(self._memory.remember_many(drafts), docs, strict=True):
            self._ids[one.memory.id] = doc["id"]

    def search(self, unit: str, question: str, limit: int) -> list[str]:
        """Recall from the unit's scope."""
        scopes = (Scope("collection", unit),)
        found = self._memory.recall(Query(question, scopes=scopes, limit=limit))
        return [self._ids[hit.memory.id] for hit in found.hits]

    def settle(self) -> None:
        """Do nothing: it writes as it goes."""

    def _episode(self, unit: str, doc: Doc) -> str | None:
        if not (session := doc.get("session")):
            return None
        key = (unit, session)
        if key not in self._episodes:
            began = {"began": doc.get("ts")}
            started = self._memory.start_episode(Scope("collection", unit), context=began)
            self._episodes[key] = started[0].id
        return self._episodes[key]


if __name__ == "__main__":
    serve(Mnemic, packages=["mnemic"], embeds=True)
