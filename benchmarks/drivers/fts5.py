"""Plain SQLite FTS5 with its own BM25, two tables per unit. Arguments: the folder, the vectors."""

import re
import sqlite3
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from harness.driver import Doc, serve_store
from harness.vectors import KnownVectors

_WORDS: Final = re.compile(r"\w+")
_CHINESE: Final = re.compile(r"[\u3400-\u9fff]+")
_TOKENISERS: Final = {"words": "unicode61", "letters": "trigram"}


class Fts5:
    """What one gets without a memory engine: words for English, three letters for Chinese."""

    note = f"SQLite {sqlite3.sqlite_version}; any word counts; a commit per add; no vectors"

    def __init__(self, folder: Path, vectors: KnownVectors) -> None:
        self._database = sqlite3.connect(folder / "texts.db")
        self._database.execute("pragma journal_mode = wal")
        self._numbers: dict[str, int] = {}

    def add(self, unit: str, docs: Sequence[Doc]) -> None:
        """Insert each text into the table of its language, in one transaction."""
        number = self._number(unit)
        with self._database:
            for doc in docs:
                table = _table(doc["text"], number)
                row = (doc["text"], doc["id"])
                self._database.execute(f"insert into {table} values (?, ?)", row)  # noqa: S608

    def search(self, unit: str, question: str, limit: int) -> list[str]:
        """Match any of the question's words, or any three letters in a row."""
        table = _table(question, self._number(unit))
        if match := _match(question):
            # The name of the table is made of a number and a fixed word.
            rows = self._database.execute(
                f"select id from {table} where {table} match ? order by rank limit ?",  # noqa: S608
                (match, limit),
            )
            return [doc for (doc,) in rows]
        return []

    def flush(self) -> None:
        """Move everything from the log into the file."""
        self._database.execute("pragma wal_checkpoint(truncate)")

    def _number(self, unit: str) -> int:
        if unit not in self._numbers:
            number = self._numbers[unit] = len(self._numbers)
            for name, tokeniser in _TOKENISERS.items():
                self._database.execute(
                    f"create virtual table {name}_{number} "
                    f"using fts5(text, id unindexed, tokenize = '{tokeniser}')"
                )
        return self._numbers[unit]


def _table(text: str, number: int) -> str:
    return f"{'letters' if _CHINESE.search(text) else 'words'}_{number}"


def _match(question: str) -> str:
    if not _CHINESE.search(question):
        return " OR ".join(f'"{word}"' for word in dict.fromkeys(_WORDS.findall(question)))
    runs = _WORDS.findall(question)
    parts = dict.fromkeys(run[at : at + 3] for run in runs for at in range(len(run) - 2))
    return " OR ".join(f'"{part}"' for part in parts)


if __name__ == "__main__":
    serve_store(Fts5, packages=[])
