"""One SQLite connection, set up for many processes on one file."""

import json
from collections.abc import Generator, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, Final, Protocol

import apsw

from mnemic.errors import BusyError, MnemicError, StorageError, UnusableStoreError
from mnemic.records.measurements import measurement_of
from mnemic.runtime.encryption import EncryptionKey
from mnemic.settings import Durability
from mnemic.storage.sqlite.copies import copy, remove, unused
from mnemic.storage.sqlite.driver import be_patient, open_file
from mnemic.storage.sqlite.schema_objects import SchemaDifferences, differences, listed, migrations

# After this step, what follows from contexts is worked out here: SQL does not know how.
_MEASURING: Final = "add column measurement"


class Cursor(Protocol):
    """What a statement answers. The driver's own types are incomplete, hence these two."""

    def fetchone(self) -> tuple[Any, ...] | None: ...  # noqa: D102
    def fetchall(self) -> list[tuple[Any, ...]]: ...  # noqa: D102
    def get_description(self) -> tuple[tuple[str, str], ...]: ...  # noqa: D102
    def __iter__(self) -> Iterator[tuple[Any, ...]]: ...


class Connection(Protocol):
    """The part of a driver's connection that we use."""

    in_transaction: bool

    def execute(self, statements: str, bindings: Mapping[str, Any] | None = None) -> Cursor: ...  # noqa: D102
    def executemany(  # noqa: D102
        self, statements: str, sequenceofbindings: Iterable[Mapping[str, Any]]
    ) -> Cursor: ...
    def changes(self) -> int: ...  # noqa: D102
    def config(self, option: int, value: int) -> int: ...  # noqa: D102
    def pragma(self, name: str) -> Any: ...  # noqa: D102
    def close(self) -> None: ...  # noqa: D102


@contextmanager
def translating(path: Path) -> Generator[None]:
    """Turn what SQLite raises into our own errors. The only place that knows both."""
    try:
        yield
    except (apsw.BusyError, apsw.LockedError) as error:
        raise BusyError from error
    except apsw.FullError as error:
        raise UnusableStoreError(f"The disk is full; nothing was changed in {path}.") from error
    except apsw.IOError as error:
        raise UnusableStoreError(
            f"{path} could not be read or written ({error}): is the disk full, or a limit for the "
            "size of files reached? Nothing was changed."
        ) from error
    except apsw.ReadOnlyError as error:
        raise UnusableStoreError(f"{path} cannot be written: it is read-only.") from error
    except (apsw.CantOpenError, OSError) as error:
        raise UnusableStoreError(
            f"{path} cannot be opened; may you write to its folder?"
        ) from error
    except (apsw.NotADBError, apsw.CorruptError) as error:
        raise UnusableStoreError(f"{path} is not a Mnemic database, or it is damaged.") from error
    except apsw.Error as error:
        raise StorageError(f"{path}: {error}") from error


def connect(
    path: Path, *, key: EncryptionKey | None, busy_seconds: float, durability: Durability
) -> Connection:
    """Open a connection that waits for other writers instead of failing at once."""
    connection: Connection = open_file(path, key=key)
    be_patient(connection, busy_seconds)
    # One plan per statement: else SQLite plans most of ours anew for every new value, which
    # costs more than running them.
    connection.config(apsw.SQLITE_DBCONFIG_ENABLE_QPSG, 1)
    connection.execute(f"pragma synchronous = {durability}")
    connection.execute("pragma foreign_keys = on")
    connection.execute("pragma temp_store = memory")
    connection.execute("pragma cache_size = -16000")
    return connection


def let_go(connection: Connection) -> None:
    """Close a connection. One that a thread is using closes itself when the thread lets go of it:
    nothing else can be done with it any more.
    """
    with suppress(apsw.ThreadingViolationError):
        connection.close()


def migrate(connection: Connection, path: Path, *, key: EncryptionKey | None) -> None:
    """Bring the schema up to date, and keep a copy of the file as it was before.

    Processes that open one file at once do it only once. Where the copy cannot be made, or a step
    fails, the file stays as it is.
    """
    steps = migrations()
    _check_ours(connection, path)
    # The file remembers it, for the connections of other threads and processes too.
    connection.execute("pragma journal_mode = wal")
    if _is_current(connection, path, newest=len(steps)):
        return
    connection.execute("begin immediate")
    try:
        version = _version(connection)
        if version > len(steps):
            raise UnusableStoreError(
                f"{path} was written by a newer Mnemic (schema {version}, this one knows "
                f"{len(steps)}). Upgrade Mnemic to open it."
            )
        # Before the steps, which a foreign trigger would take part in.
        refuse_harmful(path, differences(connection, version))
        kept = _keep(path, version, key) if 0 < version < len(steps) else None
        with _unharmed(path, kept):
            for step in steps[version:]:
                connection.execute(step)
                if _MEASURING in step:
                    _fill_in_measurements(connection)
            connection.execute(f"pragma user_version = {len(steps)}")
            connection.execute("commit")
    except (apsw.Error, MnemicError, OSError):
        if connection.in_transaction:
            connection.execute("rollback")
        raise


def schema_versions() -> int:
    """Return how many schemas there are: the number of the newest."""
    return len(migrations())


def refuse_harmful(path: Path, schema_differences: SchemaDifferences) -> None:
    """Refuse a store in whose schema somebody put what would change memories unseen."""
    if schema_differences.harmful:
        raise UnusableStoreError(
            f"{path} is not opened, because its schema was changed and might change memories: "
            f"{listed(schema_differences.harmful)}. Drop what you put there, or restore a backup."
        )


def refuse_differences(path: Path, schema_differences: SchemaDifferences) -> None:
    """Refuse to copy or move a store whose schema is not exactly the one that Mnemic makes."""
    if schema_differences:
        raise UnusableStoreError(
            f"{path} is refused: its schema is not what Mnemic made ({schema_differences}). "
            "Nothing was changed. Drop what was put there, or take another file."
        )


def _is_current(connection: Connection, path: Path, *, newest: int) -> bool:
    """Tell whether a store has the newest schema; one that was tampered with is refused."""
    # One moment: else another process might change the schema between the two reads.
    connection.execute("begin")
    try:
        if is_current := _version(connection) == newest:
            refuse_harmful(path, differences(connection, newest))
        return is_current
    finally:
        connection.execute("rollback")


def _check_ours(connection: Connection, path: Path) -> None:
    """Refuse a file in which another program keeps its tables, before anything is changed."""
    # One statement: else another process might make the tables of a new file in between.
    [(version, tables, scopes)] = connection.execute(
        "select (select user_version from pragma_user_version), count(*), total(name = 'scope')"
        " from sqlite_schema where type = 'table'"
    ).fetchall()
    if not scopes if version else tables:
        raise UnusableStoreError(
            f"{path} is not a Mnemic database: another program keeps its tables there. Choose "
            "another file."
        )


@contextmanager
def _unharmed(path: Path, kept: Path | None) -> Generator[None]:
    """Say of a step that fails that the file is as it was, and keep no second copy of it: whoever
    tries again and again would fill the disk.
    """
    try:
        yield
    except apsw.Error as error:
        if kept is not None and kept.suffix[1:].isdigit():
            remove(kept)
        if isinstance(error, apsw.SQLError | apsw.ConstraintError):
            raise UnusableStoreError(
                f"{path} could not be brought to the schema of this Mnemic ({error}). It is as it "
                "was."
            ) from error
        raise


def _keep(path: Path, version: int, key: EncryptionKey | None) -> Path:
    """Copy a file before its schema changes. Others can write only after the change."""
    kept = unused(path, f"before-schema-{version}")
    try:
        with translating(kept):
            copy(path, kept, key=key)
    except MnemicError as error:
        raise UnusableStoreError(
            f"{path} has an older schema ({version}), and the copy that is kept before it is "
            f"changed could not be made: {error}"
        ) from error
    return kept


def _version(connection: Connection) -> int:
    version = connection.pragma("user_version")
    if not isinstance(version, int):
        raise StorageError(f"The schema version is unreadable: {version!r}.")
    return version


def _fill_in_measurements(connection: Connection) -> None:
    """Give the memories of an older store the fingerprints of what was measured with them."""
    last = 0
    while rows := connection.execute(
        "select id, context from memory where id > :last and context <> '{}'"
        " order by id limit 1000",
        {"last": last},
    ).fetchall():
        last = rows[-1][0]
        filled = ((number, measurement_of(json.loads(context))) for number, context in rows)
        connection.executemany(
            "update memory set measurement = :measurement where id = :id",
            [{"id": number, "measurement": measured} for number, measured in filled if measured],
        )
