"""Files and folders that only their owner may read, whatever the umask."""

import os
from contextlib import suppress
from pathlib import Path
from typing import BinaryIO, Final

FILE_MODE: Final = 0o600
FOLDER_MODE: Final = 0o700


def create(path: Path) -> None:
    """Make an empty file where there is none. One that is there is not even opened: closing it
    would release the locks that SQLite holds on it in this process.
    """
    if not path.exists():
        # Resolved, because a link that leads nowhere yet counts as a file that is there.
        with suppress(FileExistsError):
            os.close(_exclusive(path.resolve()))


def open_new(path: Path) -> BinaryIO:
    """Open a new file for writing. What had its name is removed first, and never followed."""
    path.unlink(missing_ok=True)
    return os.fdopen(_exclusive(path), "wb")


def make_folder(path: Path) -> None:
    """Make a folder, and those above it that are missing."""
    if path.is_dir():
        return
    make_folder(path.parent)
    with suppress(FileExistsError):
        path.mkdir(mode=FOLDER_MODE)
        # The umask takes rights away from the owner, too, if it is told to.
        path.chmod(FOLDER_MODE)
    if not path.is_dir():
        raise NotADirectoryError(path)


def _exclusive(path: Path) -> int:
    flags = os.O_CREAT | os.O_EXCL | os.O_RDWR | getattr(os, "O_BINARY", 0)
    handle = os.open(path, flags, FILE_MODE)
    path.chmod(FILE_MODE)
    return handle
