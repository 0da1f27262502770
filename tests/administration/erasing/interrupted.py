"""Erase the user `ada` of a store, and be killed on the way: `interrupted.py DATABASE PLACE`."""

import os
import signal
import sys
from collections.abc import Callable
from typing import Any, NoReturn

import mnemic
from mnemic.administration.erasing import erase
from mnemic.storage.rows import erasure_rows
from mnemic.storage.sqlite import database as sqlite_database


def die(*_args: Any, **_kwargs: Any) -> NoReturn:
    """Leave no time to tidy up."""
    os.kill(os.getpid(), signal.SIGKILL)
    raise AssertionError("still alive")


def after(done: Callable[..., Any]) -> Callable[..., Any]:
    """Return what does something, and dies then."""

    def do(*args: Any, **kwargs: Any) -> NoReturn:
        done(*args, **kwargs)
        die()

    return do


# Where in the course of an erasure the process ends.
PLACES: dict[str, Callable[[], None]] = {
    "before anything is deleted": lambda: setattr(erase, "_delete", die),
    "before the commit": lambda: setattr(erasure_rows, "emptied", after(erasure_rows.emptied)),
    "after the commit": lambda: setattr(erase, "_scrub", die),
    "before the file is written anew": lambda: setattr(sqlite_database, "rewrite", die),
    "after the file is written anew": lambda: setattr(
        sqlite_database, "rewrite", after(sqlite_database.rewrite)
    ),
    "before the receipt is finished": lambda: setattr(erasure_rows, "finish", die),
}


def main(database: str, place: str) -> None:
    """Open the store, and erase."""
    memory = mnemic.open(database, embedder="hashing", durability="full")
    PLACES[place]()
    memory.erase("user", "ada")


if __name__ == "__main__":
    main(*sys.argv[1:])
