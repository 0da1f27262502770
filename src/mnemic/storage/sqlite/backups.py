"""Copies of a SQLite store: made while others write, checked, and put back."""

import os
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

import apsw

from mnemic.errors import BusyError, InvalidInputError, StateError, StorageError, UnusableStoreError
from mnemic.runtime.encryption import EncryptionKey
from mnemic.runtime.private_files import make_folder
from mnemic.storage.rows.payload_rows import unpack
from mnemic.storage.sqlite.connection import (
    Connection,
    refuse_differences,
    schema_versions,
    translating,
)
from mnemic.storage.sqlite.copies import (
    Progress,
    connected,
    copy,
    remove,
    remove_beside,
    silent,
    sync,
    unused,
)
from mnemic.storage.sqlite.driver import MAGIC, READ_WRITE, is_encrypted
from mnemic.storage.sqlite.schema_objects import differences


@dataclass(frozen=True, slots=True)
class Copied:
    """What a copy holds."""

    bytes: int
    schema: int
    memories: int


def is_sqlite(path: Path) -> bool:
    """Tell whether a file begins like one of SQLite, plain or encrypted."""
    with path.open("rb") as file:
        begins_so = file.read(len(MAGIC)) == MAGIC
    return begins_so or is_encrypted(path)


def check(path: Path, *, key: EncryptionKey | None, source: Path) -> Copied:
    """Open a copy, look at every page of it, and tell what it holds; an error that names its source
    where that is no store of Mnemic, damaged, or of a newer version.
    """
    with translating(source), connected(path, key=key) as connection:
        schema = connection.pragma("user_version")
        tables = connection.execute("select name from sqlite_schema").fetchall()
        if not 0 < schema <= schema_versions() or ("memory",) not in tables:
            raise UnusableStoreError(
                f"{source} is no store of Mnemic, or of a newer one (schema {schema}, this one "
                f"knows {schema_versions()})."
            )
        # First of all: what the schema defines is run by the checks that follow.
        refuse_differences(source, differences(connection, schema))
        if (verdict := connection.pragma("integrity_check")) != "ok":
            raise UnusableStoreError(f"{source} is damaged: {verdict}")
        [(memories,)] = connection.execute("select count(*) from memory").fetchall()
    return Copied(path.stat().st_size, schema, memories)


def back_up(
    source: Path,
    to: Path,
    *,
    key: EncryptionKey | None,
    force: bool,
    progress: Progress = silent,
) -> Copied:
    """Make a checked copy of a store; one that is there is replaced only with `force`."""
    if not source.exists():
        raise UnusableStoreError(f"{source} is not there, so there is nothing to back up.")
    if to.exists() and (not force or to.samefile(source)):
        raise InvalidInputError("file", f"{to} is there already", "another name, or --force")
    checked = to.with_name(f"{to.name}.{os.getpid()}.unchecked")
    try:
        with translating(to):
            _copy(source, checked, key, progress)
            copied = check(checked, key=key, source=source)
            checked.replace(to)
    finally:
        remove(checked)
    return copied


def put_back(
    copied: Path,
    path: Path,
    *,
    key: EncryptionKey | None,
    force: bool,
    moment: str,
    progress: Progress = silent,
) -> tuple[Copied, Path | None]:
    """Make a store what a copy holds; return that, and where the store that was there is now. Both
    have the same key.

    It is refused while anybody has the store open, and without `force` where it holds anything.
    """
    fresh = path.with_name(f"{path.name}.{os.getpid()}.restoring")
    if path.exists():
        # Before the copy, which may take long, and again when nobody can change it any more.
        with alone(path, key=key) as connection:
            _refuse_to_lose(path, connection, force=force)
    try:
        with translating(path):
            make_folder(path.parent)
            _copy(copied, fresh, key, progress)
        restored = check(fresh, key=key, source=copied)
        _refuse_contents(fresh, key=key, source=copied)
        if not path.exists():
            remove_beside(path)
            fresh.replace(path)
            return restored, None
        kept = unused(path, f"before-restore-{moment}")
        with alone(path, key=key) as connection:
            _refuse_to_lose(path, connection, force=force)
            _swap(path, fresh, kept)
        return restored, kept
    finally:
        remove(fresh)


def _refuse_contents(path: Path, *, key: EncryptionKey | None, source: Path) -> None:
    """Refuse a store with what Mnemic never writes: NUL in a text, or a payload that unpacks to
    more than is allowed. It is looked for only in what comes from elsewhere.
    """
    with translating(source), connected(path, key=key) as connection:
        for table, columns in _text_columns(connection).items():
            nul = " or ".join(f"instr(cast({column} as blob), x'00')" for column in columns)
            sql = f"select exists (select 1 from {table} where {nul})"  # noqa: S608  our own names
            if connection.execute(sql).fetchall() == [(1,)]:
                raise UnusableStoreError(f"{source} is refused: {table} has a text with a NUL.")
        rows = connection.execute("select memory_id, data, metadata from payload")
        for memory_id, *cells in rows:
            for cell in cells:
                if cell is not None:
                    _refuse_payload(cell, memory_id, source)


def _refuse_payload(cell: bytes, memory_id: int, source: Path) -> None:
    try:
        unpack(cell)
    except StorageError as error:
        raise UnusableStoreError(f"{source} is refused: memory {memory_id}. {error}") from error


def _text_columns(connection: Any) -> dict[str, list[str]]:
    columns: dict[str, list[str]] = {}
    for table, column in connection.execute(
        "select m.name, c.name from sqlite_schema m, pragma_table_info(m.name) c"
        " where m.type = 'table' and lower(c.type) = 'text' and m.name not like 'sqlite%'"
    ):
        columns.setdefault(table, []).append(column)
    return columns


def _copy(source: Path, to: Path, key: EncryptionKey | None, progress: Progress) -> None:
    """Copy a file, and say of what is wrong with it that it is this one, not the copy."""
    with translating(source), connected(source, key=key) as connection:
        connection.execute("select count(*) from sqlite_schema").fetchall()
    try:
        copy(source, to, key=key, progress=progress)
    except (apsw.NotADBError, apsw.CorruptError) as error:
        raise UnusableStoreError(f"{source} is not a Mnemic database, or it is damaged.") from error


def _swap(path: Path, fresh: Path, kept: Path) -> None:
    """Put a fresh file in the place of another one, which is kept under another name."""
    try:
        # Both names lead to the old file until the new one takes the place of the first.
        kept.hardlink_to(path)
    except OSError:
        # A file system without links: for a moment there is no file.
        path.rename(kept)
    log = path.with_name(f"{path.name}-wal")
    if log.exists():
        # Only a damaged file still has one here; who mends the file may want it.
        log.rename(kept.with_name(f"{kept.name}-wal"))
    fresh.replace(path)
    remove_beside(path)
    sync(path.parent)


@contextmanager
def alone(path: Path, *, key: EncryptionKey | None) -> Generator[Connection | None]:
    """Hold a store so that nobody else has it open, and nobody can open it; None stands for one
    that is too damaged to be held.

    SQLite gives up its log only for the last one who has a file open, and folds it into the file.
    """
    # With addresses, a store can be written anew to one that names another key.
    flags = READ_WRITE | apsw.SQLITE_OPEN_URI
    with translating(path), connected(path, key=key, flags=flags) as connection:
        connection.setbusytimeout(0)
        held = cast("Connection | None", connection)
        try:
            connection.execute("pragma journal_mode = delete").fetchall()
            # From here on, the lock outlasts the transaction that takes it.
            connection.execute("pragma locking_mode = exclusive").fetchall()
            connection.execute("begin exclusive")
            connection.execute("commit")
        except apsw.BusyError as error:
            raise BusyError(
                f"{path} is open in another process. Stop what uses it, then try again; nothing "
                "was changed."
            ) from error
        except (apsw.NotADBError, apsw.CorruptError):
            held = None
        yield held


def _refuse_to_lose(path: Path, connection: Connection | None, *, force: bool) -> None:
    held = None if force else _held(connection)
    if held is not None:
        raise StateError(
            f"{path} {held}. With --force it is kept beside, and the backup takes its place."
        )


def _held(connection: Connection | None) -> str | None:
    """Say what would be lost; None where a store holds nothing."""
    if connection is None:
        return "is damaged, or no store"
    tables = connection.execute("select name from sqlite_schema where type = 'table'").fetchall()
    if ("scope",) not in tables:
        return "holds something else" if tables else None
    [(held,)] = connection.execute("select exists (select 1 from scope)").fetchall()
    return "holds memories" if held else None
