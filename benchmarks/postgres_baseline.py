"""What a user of PostgreSQL writes by hand: one table, `ts_rank`, pgvector, and both ranks joined.

Words are looked for in one of two ways: `all` of them must be there, which is what
`websearch_to_tsquery` makes of a question, or `any` of them. PostgreSQL has no words for Chinese,
so Chinese is found by its vectors alone.
"""

import json
from collections.abc import Sequence
from typing import Any, Final, Literal

import numpy as np
import psycopg
from numpy.typing import NDArray
from psycopg_pool import ConnectionPool

Words = Literal["all", "any"]
Vector = NDArray[np.float32]
Note = tuple[str, str, dict[str, Any], Vector]
"""Scope, content, meta, vector."""

_TABLE: Final = """
create extension if not exists vector;
create table note (
    id        bigint generated always as identity primary key,
    scope     text not null,
    content   text not null,
    meta      jsonb not null,
    tsv       tsvector generated always as (to_tsvector('english', content)) stored,
    embedding vector(512) not null
);
"""
# Made after the first load, as everybody does: a graph is built faster than it grows.
_INDEXES: Final = """
create index on note using gin (tsv);
create index on note (scope);
create index on note using gin (meta jsonb_path_ops);
create index on note using hnsw (embedding vector_cosine_ops);
analyze note;
"""
_COPY: Final = b"copy note (scope, content, meta, embedding) from stdin"
_INSERT: Final = b"""
insert into note (scope, content, meta, embedding) values (%s, %s, %s::jsonb, %s::vector)
"""
# What the user writes once per connection. Custom plans know how many rows a scope has.
_SESSION: Final = (
    "set hnsw.ef_search = 100",
    "set hnsw.iterative_scan = relaxed_order",
    "set plan_cache_mode = force_custom_plan",
)
_ANY: Final = "replace(plainto_tsquery('english', %(text)s)::text, '&', '|')::tsquery"
_ALL: Final = "websearch_to_tsquery('english', %(text)s)"
_NEAR: Final = """
select id, embedding <=> %(vector)s::vector as distance from note
 where scope = %(scope)s {filter}
 order by embedding <=> %(vector)s::vector limit 50
"""
_HYBRID: Final = """
with asked as (select {asked} as query),
by_words as (
    select id, row_number() over (order by rank desc) as place
      from (select id, ts_rank(tsv, query) as rank from note, asked
             where tsv @@ query and scope = %(scope)s {filter}
             order by rank desc limit 50) matched
),
by_meaning as (
    select id, row_number() over (order by distance) as place from ({near}) closest
),
joined as (
    select id, sum(1.0 / (60 + place)) as score
      from (select * from by_words union all select * from by_meaning) both_ways
     group by id order by score desc limit %(limit)s
)
select note.id, note.content, note.meta from joined join note using (id) order by score desc
"""
_CLOSEST: Final = """
with closest as ({near})
select note.id, note.content, note.meta from closest join note using (id)
 order by distance limit %(limit)s
"""


class Baseline:
    """One table of notes. Threads may share it."""

    def __init__(self, url: str, *, words: Words, clients: int = 1) -> None:
        self._asked = _ANY if words == "any" else _ALL
        self._pool: ConnectionPool[Any] = ConnectionPool(
            url,
            kwargs={"autocommit": True},
            configure=_configured,
            min_size=1,
            max_size=clients,
            open=True,
        )

    def make(self) -> None:
        """Make the table, without its indexes."""
        with self._pool.connection() as connection:
            connection.execute(_TABLE)

    def index(self) -> None:
        """Make the indexes over what was loaded."""
        with self._pool.connection() as connection:
            connection.execute(_INDEXES)

    def load(self, notes: Sequence[Note]) -> None:
        """Add many notes in one go."""
        with self._pool.connection() as connection, connection.cursor().copy(_COPY) as copy:
            for scope, content, meta, vector in notes:
                copy.write_row((scope, content, json.dumps(meta), _written(vector)))

    def add(self, note: Note) -> None:
        """Add a note."""
        scope, content, meta, vector = note
        values = (scope, content, json.dumps(meta), _written(vector))
        with self._pool.connection() as connection:
            connection.execute(_INSERT, values, prepare=True)

    def search(
        self, text: str, vector: Vector, *, scope: str, where: dict[str, Any] | None, limit: int
    ) -> list[tuple[int, str, dict[str, Any]]]:
        """Return the best by words and by meaning: id, content and meta."""
        values = {"text": text, "vector": _written(vector), "scope": scope, "limit": limit}
        return self._found(_HYBRID, values, where)

    def closest(
        self, vector: Vector, *, scope: str, where: dict[str, Any] | None, limit: int
    ) -> list[tuple[int, str, dict[str, Any]]]:
        """Return the best by meaning alone, as the search by both sees them."""
        values = {"vector": _written(vector), "scope": scope, "limit": limit}
        return self._found(_CLOSEST, values, where)

    def close(self) -> None:
        """Close every connection."""
        self._pool.close()

    def _found(
        self, statement: str, values: dict[str, Any], where: dict[str, Any] | None
    ) -> list[tuple[int, str, dict[str, Any]]]:
        filter = ""
        if where is not None:
            filter, values["meta"] = "and meta @> %(meta)s::jsonb", json.dumps(where)
        near = _NEAR.format(filter=filter)
        sql = statement.format(asked=self._asked, filter=filter, near=near)
        with self._pool.connection() as connection:
            return connection.execute(sql.encode(), values, prepare=True).fetchall()


def _configured(connection: psycopg.Connection[Any]) -> None:
    for statement in _SESSION:
        connection.execute(statement.encode())


def _written(vector: Vector) -> str:
    return f"[{','.join(format(one, '.7g') for one in vector.tolist())}]"
