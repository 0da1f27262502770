"""Loaded stores, kept in benchmarks/.stores so that the next run need not load them again."""

import hashlib
import json
import os
import shutil
from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

from reporting import REPOSITORY

_HOME: Final = REPOSITORY / "benchmarks" / ".stores"
_SOURCES: Final = REPOSITORY / "src" / "mnemic"
_DATABASE: Final = ("memory.db", "memory.db-wal", "memory.db-shm", "questions.json")
_LOADED: Final = "loaded.json"


def loaded_store(
    size: int, embedder: str, seed: int, load: Callable[[Path], dict[str, Any]], *, again: bool
) -> Path:
    """Return the folder of a loaded store, loading it if there is none that was made alike."""
    name = f"{size}-{embedder.replace(':', '-').replace('/', '-')}-{seed}-{_made_by()}"
    folder = _HOME / name
    if again or not (folder / _LOADED).exists():
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        loaded = load(folder)
        (folder / _LOADED).write_text(json.dumps(loaded), "utf-8")
    return folder


def loading_of(folder: Path) -> dict[str, Any]:
    """Return what loading a store cost, whenever that was."""
    return json.loads((folder / _LOADED).read_text("utf-8"))


@contextmanager
def working_copy(folder: Path) -> Generator[Path]:
    """Return a copy that may be written to, and remove it afterwards."""
    copy = folder.with_name(f"{folder.name}.working")
    shutil.rmtree(copy, ignore_errors=True)
    try:
        shutil.copytree(folder, copy, ignore=shutil.ignore_patterns(_LOADED))
        yield copy
    finally:
        shutil.rmtree(copy, ignore_errors=True)


def snapshots_of(folder: Path) -> list[Path]:
    """Return what the product keeps beside its database to open faster."""
    return [one for one in folder.iterdir() if one.name not in (*_DATABASE, _LOADED)]


def drop_from_cache(folder: Path) -> None:
    """Ask the system to forget what it has read of a store, as after a start of the machine."""
    for file in folder.rglob("*"):
        if file.is_file():
            descriptor = os.open(file, os.O_RDONLY)
            os.fsync(descriptor)
            os.posix_fadvise(descriptor, 0, 0, os.POSIX_FADV_DONTNEED)
            os.close(descriptor)


def _made_by() -> str:
    """Return a mark of everything that decides what a loaded store holds."""
    digest = hashlib.blake2b(digest_size=4)
    for path in _deciding():
        digest.update(path.read_bytes())
    return digest.hexdigest()


def _deciding() -> Iterator[Path]:
    here = Path(__file__).resolve().parent
    yield from (
        here / f"{name}.py" for name in ("recall_stock", "sentences", "vocabulary", "standin")
    )
    yield from sorted((_SOURCES / "storage" / "sqlite" / "migrations").glob("*.sql"))
    yield _SOURCES / "storage" / "terms.py"
    yield _SOURCES / "text" / "tokens.py"
