"""A large PostgreSQL store made from a small one: what one account holds is copied to others."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
import psycopg

_OWN: Final = {"account_id": "p.account_id", "scope_id": "p.scope_id"}
# Numbers are an account's own; copies within one account lie this far apart.
_APART: Final = 10_000_000
_SHIFTED: Final = ("id", "doc", "seq", "memory_id")
_NUMBERED: Final = {"document": "doc", "memory": "id", "event": "id", "memory_vector": "doc"}
_SEQUENCES: Final = ("memory_number", "event_number", "change_number")
_GRAPH: Final = "memory_vector_near_512"
_TALLIES: Final = (
    "insert into tally (account_id, scope_id, kind, memories, changed_at)"
    " select m.account_id, m.scope_id, m.kind, count(*) filter (where m.status = 'active'),"
    " max(m.updated_at) from memory m"
    " where (m.account_id, m.scope_id) in (select account_id, scope_id from place)"
    " group by m.account_id, m.scope_id, m.kind"
)


@dataclass(frozen=True, slots=True)
class Place:
    """Where a copy goes: one scope of an account, and how many of the first memories it gets.

    Copies to the same account are numbered.
    """

    account: str
    scope: str
    members: int
    copy: int = 0


def spread(url: str, source: str, places: Sequence[Place], *, vectors: bool, seed: int) -> None:
    """Copy an account's memories, those of all places in turn, as a fleet would have written them.

    Each copy's vectors are mirrored in its own way: close ones stay close, and no two are alike.
    """
    tables = [*_NUMBERED][: None if vectors else -1]
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute("set session_replication_role = replica; set work_mem = '256MB'")
        _make_places(connection, places, np.random.default_rng(seed))
        graph = _without_graph(connection) if vectors else None
        for table in ["episode", *tables]:
            _copy(connection, table, source)
        connection.execute(_TALLIES)
        if graph:
            connection.execute("set maintenance_work_mem = '1GB'")
            connection.execute(graph.encode())
        for name in _SEQUENCES:
            connection.execute("select setval(%s, %s)", (name, 100 * _APART))
        connection.execute("drop table place")
        connection.execute("vacuum (analyze)")
        connection.execute("checkpoint")


def _make_places(
    connection: psycopg.Connection[Any], places: Sequence[Place], rng: np.random.Generator
) -> None:
    connection.execute(
        "create table place (account_id bigint, scope_id bigint, members integer, copy integer,"
        " mirror halfvec)"
    )
    for place in places:
        connection.execute(
            "insert into account (name, created_at) values (%s, 0) on conflict do nothing",
            (place.account,),
        )
        connection.execute(
            "insert into scope (account_id, kind, name, created_at, seq)"
            " select id, 'collection', %s, 0, %s from account where name = %s"
            " on conflict do nothing",
            (place.scope, 100 * _APART, place.account),
        )
        mirror = rng.choice((-1, 1), 512).tolist()
        connection.execute(
            "insert into place select s.account_id, s.id, %s, %s, %s::text::halfvec from scope s"
            " join account a on a.id = s.account_id where a.name = %s and s.name = %s",
            (place.members, place.copy, str(mirror), place.account, place.scope),
        )


def _without_graph(connection: psycopg.Connection[Any]) -> str:
    """Drop the graph and return how it is made again: growing it by rows would take minutes."""
    [made] = connection.execute("select pg_get_indexdef(%s::regclass)", (_GRAPH,))
    connection.execute(f"drop index {_GRAPH}".encode())
    return str(made[0]).replace(" ONLY ", " ")


def _copy(connection: psycopg.Connection[Any], table: str, source: str) -> None:
    named = connection.execute(
        "select attname from pg_attribute where attrelid = %s::regclass and attnum > 0"
        " and not attisdropped order by attnum",
        (table,),
    )
    columns = [name for (name,) in named]
    values = ", ".join(_value(table, name) for name in columns)
    number = _NUMBERED.get(table, "started_at, id")
    connection.execute(
        f"insert into {table} ({', '.join(columns)}) select {values}"  # noqa: S608 - our own words
        f" from (select *, row_number() over (order by {number}) as n from {table}"
        " where account_id = (select id from account where name = %s)) t cross join place p"
        " where t.n <= p.members order by t.n, p.account_id, p.copy".encode(),
        (source,),
    )


def _value(table: str, column: str) -> str:
    if column in _OWN:
        return _OWN[column]
    if column in ("id", "episode_id") and (table == "episode" or column == "episode_id"):
        return f"t.{column} || '-' || p.copy"
    if column in _SHIFTED:
        return f"t.{column} + {_APART} * p.copy"
    if column == "thread":
        return "t.thread + p.copy"
    if column == "content_hash":
        return "sha256(t.content_hash || p.copy::text::bytea)"
    return "t.data * p.mirror" if (table, column) == ("memory_vector", "data") else f"t.{column}"
