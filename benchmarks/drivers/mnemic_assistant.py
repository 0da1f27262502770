"""Mnemic through the assistant's tools. Arguments: the store's folder, the table of vectors."""

import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import mnemic
from harness import embedders
from harness.driver import Doc, serve_store
from harness.vectors import KnownVectors
from mnemic.providers.embedders.use_multilingual import MultilingualEncoder
from mnemic.records.memory import Draft, Scope


class MnemicAssistant:
    """The tools of the assistant, called by their names; a user per unit."""

    note = (
        "`memory_add`, `memory_search`, `memory_chat` and `memory_get_profile`, as installed: on "
        "disk, durability full, no language model. An add embeds the text, indexes its words, "
        "looks for the same text of the same type, and commits memory, vector, counters and "
        "activity in one transaction that is on the disk (fsync) when the call returns. A search "
        "joins words and vectors, and counts every match before the limit"
    )

    def __init__(self, folder: Path, vectors: KnownVectors) -> None:
        embedders.use(vectors)
        # What is measured is what is installed, not what whoever runs this has set.
        for name in [name for name in os.environ if name.startswith("MNEMIC_")]:
            del os.environ[name]
        self._memory = mnemic.open(folder / "memory.db")
        self._docs: dict[str, str] = {}

    def load(self, unit: str, docs: Sequence[Doc]) -> None:
        """Fill a user's store in bulk, with the kinds and the scope that the tool would use."""
        scope = Scope("user", unit)
        drafts = [Draft(doc["text"], scope, kind=doc["type"], dedup=False) for doc in docs]
        for stored, doc in zip(self._memory.remember_many(drafts), docs, strict=True):
            self._docs[f"mem_{stored.memory.id:010d}"] = doc["id"]

    def add(self, unit: str, docs: Sequence[Doc]) -> None:
        for doc in docs:
            given = {"content": doc["text"], "memory_type": doc["type"], "user_id": unit}
            self._docs[self._call("memory_add", given)["memory_id"]] = doc["id"]

    def search(self, unit: str, question: str, limit: int) -> list[str]:
        given = {"query": question, "limit": limit, "user_id": unit}
        hits = self._call("memory_search", given)["results"]
        return [self._docs[hit["memory_id"]] for hit in hits]

    def profile(self, unit: str) -> int:
        """Return how many memories the profile counts."""
        return self._call("memory_get_profile", {"user_id": unit})["profile"]["total_memories"]

    def chat(self, unit: str, message: str) -> int:
        """Return how many memories the reply was made from."""
        reply = self._call("memory_chat", {"message": message, "user_id": unit})
        return len(reply["used_memories"])

    def _call(self, tool: str, params: Mapping[str, Any]) -> Mapping[str, Any]:
        envelope = self._memory.assistant.call(tool, params)
        if not envelope["success"]:
            raise RuntimeError(f"{tool}: {envelope['error']}")
        return envelope["data"]


if __name__ == "__main__":
    serve_store(MnemicAssistant, packages=["mnemic"], encode=MultilingualEncoder().embed)
