"""Copying a SQLite file while others write to it."""

import os
from collections.abc import Callable, Generator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, Final

from mnemic.runtime.encryption import EncryptionKey
from mnemic.storage.sqlite.driver import READ_WRITE, be_patient, open_file

# How much is copied, and how much there is, in pages.
Progress = Callable[[int, int], None]

# What may lie beside a file: its log, the memory that is shared over it, and the search index.
BESIDE: Final = ("-wal", "-shm", "-journal", "-index")
_PAGES: Final = 500
_BUSY_SECONDS: Final = 30.0


def silent(_done: int, _total: int) -> None:
    """Tell nobody how far it is."""


def copy(source: Path, to: Path, *, key: EncryptionKey | None, progress: Progress = silent) -> None:
    """Copy a file as it is at one moment, while others write. `to` is there when it is whole, and
    safely on the disk; until then it has another name. It has the key of the source. What goes
    wrong is raised as it is.
    """
    fresh = to.with_name(f"{to.name}.{os.getpid()}.part")
    try:
        with connected(source, key=key) as reading, connected(fresh, key=key) as writing:
            # One moment for all steps: else each change by others would begin the copy anew.
            reading.execute("begin")
            reading.execute("select count(*) from sqlite_schema").fetchall()
            with writing.backup("main", reading, "main") as steps:
                while not steps.done:
                    steps.step(_PAGES)
                    progress(steps.page_count - steps.remaining, steps.page_count)
            # One file without a log can be read from anywhere, also where nothing can be written.
            writing.execute("pragma journal_mode = delete").fetchall()
        sync(fresh)
        fresh.replace(to)
        sync(to.parent)
    finally:
        remove(fresh)


@contextmanager
def connected(path: Path, *, key: EncryptionKey | None, flags: int = READ_WRITE) -> Generator[Any]:
    """Open a file as it is: nothing about it is changed."""
    connection = open_file(path, key=key, flags=flags)
    try:
        be_patient(connection, _BUSY_SECONDS)
        yield connection
    finally:
        connection.close()


def unused(path: Path, ending: str) -> Path:
    """Return a name beside a file that nothing has yet."""
    name, number = f"{path.name}.{ending}", 1
    while path.with_name(name).exists():
        number += 1
        name = f"{path.name}.{ending}.{number}"
    return path.with_name(name)


def remove(path: Path) -> None:
    """Remove a file, if it is there, and what lies beside it."""
    path.unlink(missing_ok=True)
    remove_beside(path)


def remove_beside(path: Path) -> None:
    """Remove what lies beside a file and belongs to it."""
    for ending in BESIDE:
        path.with_name(path.name + ending).unlink(missing_ok=True)


def sync(path: Path) -> None:
    """Wait until a file or a folder is safely on the disk."""
    handle = os.open(path, os.O_RDONLY)
    try:
        # Some file systems know no such thing for folders.
        with suppress(OSError):
            os.fsync(handle)
    finally:
        os.close(handle)
