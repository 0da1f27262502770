"""The side of the program that is measured: its calls are made and timed in its own process.

One JSON line asks, one JSON line answers. Only the standard library is used, and numpy where
vectors are given: every peer runs this in an environment of its own. What a library prints goes to
stderr and never into an answer.
"""

import json
import os
import sys
from collections.abc import Callable, Sequence
from importlib import import_module
from importlib.metadata import version
from pathlib import Path
from time import process_time
from typing import TYPE_CHECKING, Any, Protocol

from harness.measure import EmbeddingTimes, folder_bytes, resident_mb, time_call

if TYPE_CHECKING:
    from harness.vectors import Encode, KnownVectors

Doc = dict[str, Any]


class Store(Protocol):
    """A program under comparison. A unit is one user's store; nothing is found across units.

    One whose `add` would take hours to fill a store also has a quicker `load`.
    """

    note: str
    """How it was set up, for the reader of the results."""

    def add(self, unit: str, docs: Sequence[Doc]) -> None:
        """Keep texts; each has an `id`, a `text`, and perhaps `ts`, `session`, `speaker`."""
        ...

    def search(self, unit: str, question: str, limit: int) -> list[str]:
        """Return the ids of the best texts, best first."""
        ...


def serve_store(
    make: "Callable[[Path, KnownVectors], Store]",
    *,
    packages: Sequence[str],
    embeds: bool = False,
    encode: "Encode | None" = None,
) -> None:
    """Serve a store over the vectors of a table. Arguments: the store's folder, the table.

    A program that `embeds` more than the known texts has the model from the start, so that the
    memory it takes is not counted as the store's.
    """
    answers, folder = _take_stdout(), Path(sys.argv[1])
    # Some drivers have no numpy and give no vectors.
    known = import_module("harness.vectors").KnownVectors
    vectors: KnownVectors = known(Path(sys.argv[2]), encode=encode)
    if embeds:
        vectors.load()
    before = resident_mb()
    store = make(folder, vectors)

    def state() -> dict[str, Any]:
        # Some programs keep in memory what they have not been asked to write.
        getattr(store, "flush", lambda: None)()
        return {
            "note": store.note,
            "rss_mb": resident_mb(),
            "rss_mb_of_store": resident_mb() - before,
            "bytes": folder_bytes(folder),
            "versions": {name: version(name) for name in packages},
        }

    calls = {"state": state, "load": getattr(store, "load", store.add)}
    _answer_all(answers, lambda name: calls.get(name) or getattr(store, name), vectors)


def serve(make: Callable[..., object]) -> None:
    """Make an object with the program's arguments, and let another process call its methods.

    An object that embeds has an `embedding`, whose time is told apart.
    """
    answers = _take_stdout()
    driver = make(*sys.argv[1:])
    calls = {"resident_mb": resident_mb, "cpu_ms": lambda: process_time() * 1000}
    embedding: EmbeddingTimes | None = getattr(driver, "embedding", None)
    _answer_all(answers, lambda name: calls.get(name) or getattr(driver, name), embedding)


def _answer_all(
    answers: Any, method: Callable[[str], Callable[..., Any]], embedding: EmbeddingTimes | None
) -> None:
    for line in sys.stdin:
        request = json.loads(line)
        call = method(request["call"])
        timed = [time_call(call, arguments, embedding) for arguments in request["each"]]
        answers.write(json.dumps(timed) + "\n")
        answers.flush()


def _take_stdout() -> Any:
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    return answers
