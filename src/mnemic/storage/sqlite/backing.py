"""Copies of a SQLite store: made while others write, checked, and put back."""

import os
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final, cast

import apsw

from mnemic.errors import BusyError, InvalidInputError, StateError, UnusableStoreError
from mnemic.storage.sqlite.connection import Connection, schema_versions, translating
from mnemic.storage.sqlite.copying import (
    Progress,
    connected,
    copy,
    remove,
    remove_beside,
    silent,
    sync,
    unused,
)

_MAGIC: Final = b"SQLite format 3\x00"


@dataclass(frozen=True, slots=True)
class Copied:
    """What a copy holds."""

    bytes: int
    schema: int
    memories: int


def is_sqlite(path: Path) -> bool:
    """Tell whether a file begins like one of SQLite."""
    with path.open("rb") as file:
        return file.read(len(_MAGIC)) == _MAGIC


def check(path: Path, *, source: Path) -> Copied:
    """Open a copy, look at every page of it, and tell what it holds; an error that names its source
    where that is no store of Mnemic, damaged, or of a newer version.
    """
    with translating(source), connected(path) as connection:
        if (found := connection.pragma("integrity_check")) != "ok":
            raise UnusableStoreError(f"{source} is damaged: {found}")
        schema = connection.pragma("user_version")
        tables = connection.execute("select name from sqlite_schema").fetchall()
        if not 0 < schema <= schema_versions() or ("memory",) not in tables:
            raise UnusableStoreError(
                f"{source} is no store of Mnemic, or of a newer one (schema {schema}, this one "
                f"knows {schema_versions()})."
            )
        [(memories,)] = connection.execute("select count(*) from memory").fetchall()
    return Copied(path.stat().st_size, schema, memories)


def back_up(source: Path, to: Path, *, force: bool, progress: Progress = silent) -> Copied:
    """Make a checked copy of a store; one that is there is replaced only with `force`."""
    if not source.exists():
        raise UnusableStoreError(f"{source} is not there, so there is nothing to back up.")
    if to.exists() and (not force or to.samefile(source)):
        raise InvalidInputError("file", f"{to} is there already", "another name, or --force")
    checked = to.with_name(f"{to.name}.{os.getpid()}.unchecked")
    try:
        with translating(to):
            _copy(source, checked, progress)
            found = check(checked, source=source)
            checked.replace(to)
    finally:
        remove(checked)
    return found


def put_back(
    copied: Path, path: Path, *, force: bool, moment: str, progress: Progress = silent
) -> tuple[Copied, Path | None]:
    """Make a store what a copy holds; return that, and where the store that was there is now.

    It is refused while anybody has the store open, and without `force` where it holds anything.
    """
    fresh = path.with_name(f"{path.name}.{os.getpid()}.restoring")
    if path.exists():
        # Before the copy, which may take long, and again when nobody can change it any more.
        with _alone(path) as connection:
            _refuse_to_lose(path, connection, force=force)
    try:
        with translating(path):
            path.parent.mkdir(parents=True, exist_ok=True)
            _copy(copied, fresh, progress)
        found = check(fresh, source=copied)
        if not path.exists():
            remove_beside(path)
            fresh.replace(path)
            return found, None
        kept = unused(path, f"before-restore-{moment}")
        with _alone(path) as connection:
            _refuse_to_lose(path, connection, force=force)
            _swap(path, fresh, kept)
        return found, kept
    finally:
        remove(fresh)


def _copy(source: Path, to: Path, progress: Progress) -> None:
    """Copy a file, and say of what is wrong with it that it is this one, not the copy."""
    with translating(source), connected(source) as connection:
        connection.execute("select count(*) from sqlite_schema").fetchall()
    try:
        copy(source, to, progress=progress)
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
def _alone(path: Path) -> Generator[Connection | None]:
    """Hold a store so that nobody else has it open, and nobody can open it; None stands for one
    that is too damaged to be held.

    SQLite gives up its log only for the last one who has a file open, and folds it into the file.
    """
    with translating(path), connected(path) as connection:
        connection.setbusytimeout(0)
        held = cast("Connection | None", connection)
        try:
            connection.execute("pragma journal_mode = delete").fetchall()
            connection.execute("begin exclusive")
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
