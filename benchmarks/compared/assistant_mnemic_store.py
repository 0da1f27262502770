"""Mnemic through the assistant's tools. Arguments: the store's folder, the table of vectors."""

import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from speaking import Doc, Encoder, serve

import mnemic
from mnemic import opening
from mnemic.providers.embedder import Embedder, EmbedderSource
from mnemic.providers.use_multilingual import MultilingualEncoder
from mnemic.records import Draft, Scope


class _Counted:
    """The embedder of the memory, with its cost told apart and known texts looked up."""

    def __init__(self, embedder: Embedder, encoder: Encoder) -> None:
        self._embedder = embedder
        self._encoder = encoder
        self.name = embedder.name
        self.dimensions = embedder.dimensions
        self.multilingual = embedder.multilingual

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Return one row per text."""
        if self._encoder.knows(texts):
            return self._encoder.embed(texts)
        return self._encoder.timed(lambda: self._embedder.embed(texts))

    def close(self) -> None:
        """Close the embedder."""
        self._embedder.close()


class Assistant:
    """The tools of the assistant, called by their names; a user per unit."""

    note = (
        "`memory_add`, `memory_search`, `memory_chat` and `memory_get_profile`, as installed: on "
        "disk, durability full, no language model. An add embeds the text, indexes its words, "
        "looks for the same text of the same type, and commits memory, vector, counters and "
        "activity in one transaction that is on the disk (fsync) when the call returns. A search "
        "joins words and vectors, and counts every match before the limit"
    )

    def __init__(self, folder: Path, encoder: Encoder, embedder: Embedder) -> None:
        source = EmbedderSource(spec="default", load=lambda: _Counted(embedder, encoder))
        opening.choose_embedder = lambda *_, **__: source
        # What is measured is what is installed, not what whoever runs this has set.
        for name in [one for one in os.environ if one.startswith("MNEMIC_")]:
            del os.environ[name]
        self._memory = mnemic.open(folder / "memory.db")
        self._docs: dict[str, str] = {}

    def load(self, unit: str, docs: Sequence[Doc]) -> None:
        """Fill a user's store in bulk, with the kinds and the scope that the tool would use."""
        scope = Scope("user", unit)
        drafts = [Draft(doc["text"], scope, kind=doc["type"], dedup=False) for doc in docs]
        for one, doc in zip(self._memory.remember_many(drafts), docs, strict=True):
            self._docs[f"mem_{one.memory.id:010d}"] = doc["id"]

    def add(self, unit: str, docs: Sequence[Doc]) -> None:
        """Add each text by a call of its own."""
        for doc in docs:
            asked = {"content": doc["text"], "memory_type": doc["type"], "user_id": unit}
            self._docs[self._call("memory_add", asked)["memory_id"]] = doc["id"]

    def search(self, unit: str, question: str, limit: int) -> list[str]:
        """Search everything that the user has."""
        asked = {"query": question, "limit": limit, "user_id": unit}
        found = self._call("memory_search", asked)["results"]
        return [self._docs[one["memory_id"]] for one in found]

    def profile(self, unit: str) -> int:
        """Return how many memories the profile counts."""
        return self._call("memory_get_profile", {"user_id": unit})["profile"]["total_memories"]

    def chat(self, unit: str, message: str) -> int:
        """Return how many memories the reply was made from."""
        return len(
            self._call("memory_chat", {"message": message, "user_id": unit})["used_memories"]
        )

    def settle(self) -> None:
        """Do nothing: it writes as it goes."""

    def _call(self, tool: str, params: Mapping[str, Any]) -> Mapping[str, Any]:
        envelope = self._memory.assistant.call(tool, params)
        if not envelope["success"]:
            raise RuntimeError(f"{tool}: {envelope['error']}")
        return envelope["data"]


def main() -> None:
    # Loaded before the store is opened, so that the memory it takes is not counted as the store's.
    embedder = MultilingualEncoder()
    serve(
        lambda folder, encoder: Assistant(folder, encoder, embedder),
        packages=["mnemic"],
    )


if __name__ == "__main__":
    main()
