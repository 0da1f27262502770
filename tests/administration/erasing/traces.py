"""Looking for what was erased: in every byte of every file, and in every row of every table."""

import zlib
from collections.abc import Callable, Generator, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import apsw
import numpy as np
import psycopg

from mnemic.language.tokens import index_terms
from mnemic.search.terms import hash_term
from tests.postgres import Server

Traces = Callable[[], list[str]]

# A word that nothing else holds, in the cases in which the index may hold it.
MARKER = "Qzvorblatt"


def forms_of(marker: str = MARKER) -> set[bytes]:
    """Return the bytes that tell of a marker: its text, and the terms of the index and their
    hashes as documents and snapshots keep them.
    """
    terms = {marker, marker.lower(), *index_terms(marker)}
    texts = {one.encode() for one in terms if len(one) > 4} | {
        one.encode("utf-16-le") for one in terms if len(one) > 4
    }
    hashes = {np.array([hash_term(one)], "<u4").tobytes() for one in index_terms(marker)}
    return texts | hashes


def traces_in(folder: Path) -> list[str]:
    """Return the files of a folder in which a marker stands in any of its forms."""
    return sorted(
        file.name
        for file in folder.rglob("*")
        if file.is_file()
        for form in forms_of()
        if form in file.read_bytes()
    )


def rows_with(database: str, server: Server | None) -> set[str]:
    """Return the tables in which the marker stands, in whichever account, also compressed."""
    with _looking(database, server) as connection:
        listed = (
            "select name from sqlite_schema where type = 'table'"
            if server is None
            else "select tablename from pg_tables where schemaname = 'public'"
        )
        return {
            name
            for (name,) in connection.execute(listed).fetchall()
            for row in connection.execute(f"select * from {name}").fetchall()  # noqa: S608
            for value in row
            for data in _unpacked(value)
            for form in forms_of()
            if form in data
        }


def rows_of(database: str, server: Server | None, table: str) -> list[tuple[Any, ...]]:
    """Return every row of a table, of whichever account."""
    with _looking(database, server) as connection:
        return connection.execute(f"select * from {table}").fetchall()  # noqa: S608


@contextmanager
def _looking(database: str, server: Server | None) -> Generator[Any]:
    """Look at a store past its walls, at what is left of it after a vacuum."""
    if server is None:
        connection: Any = apsw.Connection(database)
    else:
        name = database.rsplit("/", 1)[-1].partition("?")[0]
        connection = psycopg.connect(server.url(name), autocommit=True)
        connection.execute("vacuum")
    with closing(connection):
        yield connection


def _unpacked(value: object) -> Iterator[bytes]:
    if isinstance(value, bytes):
        data = value
        yield data
        try:
            yield zlib.decompress(data)
        except zlib.error:
            return
    else:
        yield str(value).encode()
