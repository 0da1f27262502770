"""Files that are there when they are whole, and not before."""

import errno
import os
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO, Final

from mnemic.errors import InvalidInputError, UnusableStoreError
from mnemic.runtime.private_files import open_new

_NO_ROOM: Final = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)


@contextmanager
def written_whole(to: Path, *, force: bool) -> Generator[BinaryIO]:
    """Write a file under another name beside, and give it its own at the end, safely on the disk.
    One that is there is replaced only with `force`. Only its owner may read it.
    """
    if to.exists() and not force:
        raise InvalidInputError("file", f"{to} is there already", "another name, or --force")
    fresh = to.with_name(f"{to.name}.{os.getpid()}.part")
    try:
        with naming(str(to)):
            with open_new(fresh) as out:
                yield out
                out.flush()
                os.fsync(out.fileno())
            fresh.replace(to)
    finally:
        fresh.unlink(missing_ok=True)


@contextmanager
def naming(to: str) -> Generator[None]:
    """Say of what goes wrong with a file which one it is: the system does not, while it writes."""
    try:
        yield
    except BrokenPipeError:
        raise
    except OSError as error:
        if error.errno in _NO_ROOM:
            raise UnusableStoreError(f"There is no room for {to}; it was not written.") from error
        raise OSError(error.errno, error.strerror or str(error), to) from error
