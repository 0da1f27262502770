"""What a user of PostgreSQL writes by hand: one table, `ts_rank`, pgvector, and both ranks joined.

Words are looked for in one of two ways: `all` of them must be there, which is what
`websearch_to_tsquery` makes of a question, or `any` of them. PostgreSQL has no words for Chinese,
so Chinese is found by its vectors alone. It looks for no duplicates.
"""

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Final, Literal

import psycopg
from psycopg_pool import ConnectionPool

from harness.markdown import read_named
from harness.vectors import Vectors
from mnemic.providers.embedders.embedder import Embedder
from speed.recall_workload import TOP, Question, Row, embedding_text_of

Words = Literal["all", "any"]
Found = tuple[str, dict[str, Any]]
"""The text of a memory and its context."""

_BATCH: Final = 2_000
_SQL: Final = read_named(Path(__file__).with_suffix(".sql"))


class Baseline:
    """One table of notes. Threads may share it. `text_of` is what of a row is embedded."""

    def __init__(
        self,
        url: str,
        embedder: Embedder,
        *,
        words: Words,
        clients: int = 1,
        text_of: Callable[[Row], str] = embedding_text_of,
    ) -> None:
        self._embedder, self._text_of = embedder, text_of
        self._asked = _SQL[words]
        self._pool: ConnectionPool[Any] = ConnectionPool(
            url,
            kwargs={"autocommit": True},
            configure=_configure,
            min_size=1,
            max_size=clients,
            open=True,
        )

    def load(self, rows: Sequence[Row]) -> None:
        """Make the table, fill it, and then make its indexes."""
        self._run("table")
        for start in range(0, len(rows), _BATCH):
            self.insert_many(rows[start : start + _BATCH])
        self._run("indexes")

    def insert_many(self, rows: Sequence[Row]) -> None:
        with (
            self._pool.connection() as connection,
            connection.cursor().copy(_SQL["copy"].encode()) as copy,
        ):
            for values in self._values(rows):
                copy.write_row(values)

    def insert(self, row: Row, **_: bool) -> None:
        [values] = self._values([row])
        with self._pool.connection() as connection:
            connection.execute(_SQL["insert"].encode(), values, prepare=True)

    def recall(self, question: Question, *, limit: int = TOP) -> list[Found]:
        """Return the best by words and by meaning."""
        return self._find("hybrid", question, self._embedder.embed([question.text])[0], limit)

    def closest(self, question: Question, *, limit: int = TOP) -> tuple[list[Found], Vectors]:
        """Return the best by meaning alone, as `recall` sees them, and the question's vector."""
        vector = self._embedder.embed([question.text])[0]
        return self._find("closest", question, vector, limit), vector

    def close(self) -> None:
        self._pool.close()

    def _run(self, name: str) -> None:
        with self._pool.connection() as connection:
            connection.execute(_SQL[name].encode())

    def _find(self, name: str, asked: Question, vector: Vectors, limit: int) -> list[Found]:
        values = {"text": asked.text, "vector": _written(vector), "scope": asked.scope}
        filter = "and meta @> %(meta)s::jsonb" if asked.filter is not None else ""
        near = _SQL["near"].format(filter=filter)
        sql = _SQL[name].format(asked=self._asked, filter=filter, near=near).encode()
        more = {"limit": limit, "meta": json.dumps(asked.filter)}
        with self._pool.connection() as connection:
            return connection.execute(sql, {**values, **more}, prepare=True).fetchall()

    def _values(self, rows: Sequence[Row]) -> list[tuple[str, ...]]:
        vectors = self._embedder.embed([self._text_of(row) for row in rows])
        return [
            (row.scope, row.text, json.dumps(row.context), _written(vector))
            for row, vector in zip(rows, vectors, strict=True)
        ]


def _configure(connection: psycopg.Connection[Any]) -> None:
    connection.execute(_SQL["session"].encode())


def _written(vector: Vectors) -> str:
    return f"[{','.join(format(number, '.7g') for number in vector.tolist())}]"
