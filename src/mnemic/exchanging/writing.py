"""Files that are there when they are whole, and not before."""

import os
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

from mnemic.errors import InvalidInputError


@contextmanager
def written_whole(to: Path, *, force: bool) -> Generator[BinaryIO]:
    """Write a file under another name beside, and give it its own at the end, safely on the disk.
    One that is there is replaced only with `force`.
    """
    if to.exists() and not force:
        raise InvalidInputError("file", f"{to} is there already", "another name, or --force")
    fresh = to.with_name(f"{to.name}.{os.getpid()}.part")
    try:
        with fresh.open("wb") as out:
            yield out
            out.flush()
            os.fsync(out.fileno())
        fresh.replace(to)
    finally:
        fresh.unlink(missing_ok=True)
