"""Leaving nothing of deleted rows: neither in free pages nor in the log, nor beside the file."""

import os
from pathlib import Path
from typing import Final

from mnemic.errors import BusyError
from mnemic.storage.sqlite.connection import Connection
from mnemic.storage.sqlite.copies import BESIDE, remove

# Copies of the whole file that are kept when it is migrated or replaced.
_COPIES: Final = (".before-schema-", ".before-restore-")
# What a process that was killed leaves of a copy that it was making; its number stands before that.
_UNFINISHED: Final = (".part", ".restoring", ".unchecked", ".encrypting")


def copies_beside(path: Path) -> list[Path]:
    """Return the copies of a store that Mnemic itself keeps beside it."""
    return sorted(
        file
        for file in path.parent.iterdir()
        if any(file.name.startswith(path.name + kept) for kept in _COPIES)
        and not file.name.endswith(BESIDE)
    )


def clear_beside(path: Path) -> None:
    """Remove what lies beside a store and may hold what it no longer does."""
    for copied in copies_beside(path):
        remove(copied)
    for file in list(path.parent.iterdir()):
        is_index = file.name.startswith(f"{path.name}-index")
        if is_index or (file.name.startswith(f"{path.name}.") and _is_left_over(file)):
            remove(file)


def _is_left_over(file: Path) -> bool:
    """Tell whether a file is a copy whose maker is gone."""
    maker, ending = file.stem.rpartition(".")[2], file.suffix
    if ending not in _UNFINISHED or not maker.isdecimal():
        return False
    try:
        os.kill(int(maker), 0)
    except ProcessLookupError:
        return True
    except (PermissionError, OverflowError):
        return False
    return False


def rewrite(connection: Connection, *, in_memory: bool) -> None:
    """Write a file anew from its rows alone, and empty its log.

    Not `secure_delete`: what was deleted before it was switched on stays in free pages, and what a
    page split moved stays in the gaps of pages.
    """
    # In memory it takes as much of that as the file is large; beside an encrypted store there is no
    # place for a copy that is not.
    if not in_memory:
        connection.execute("pragma temp_store = file")
    connection.execute("vacuum")
    [(is_busy, *_)] = connection.execute("pragma wal_checkpoint(truncate)").fetchall()
    if is_busy:
        raise BusyError(
            "It is erased, but another process still reads the log that it stood in. Its last "
            "traces go when the store is next opened, or with the next erasure."
        )
