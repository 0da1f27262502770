"""What the engine may rely on while an embedder loads, works or breaks."""

import logging
import subprocess
import sys
import threading
from collections.abc import Callable, Sequence

import numpy as np
import pytest
from numpy.typing import NDArray

from mnemic.errors import EmbedderError
from mnemic.providers import Embedder, EmbedderSource, LazyEmbedder
from mnemic.providers.embedders.hashing import HashingEmbedder

PATIENT = 10.0


class Moody(HashingEmbedder):
    """Fails while `broken` is set; counts how often it was asked and closed."""

    def __init__(self) -> None:
        self.broken = False
        self.asked = 0
        self.closed = 0

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        self.asked += 1
        if self.broken:
            raise EmbedderError("server is down")
        return super().embed(texts)

    def close(self) -> None:
        self.closed += 1


class Clock:
    """A monotonic clock that stands still until told otherwise."""

    def __init__(self) -> None:
        self.now = 1_000.0

    def __call__(self) -> float:
        return self.now


def source(load: Callable[[], Embedder], *, remote: bool = False) -> EmbedderSource:
    return EmbedderSource(spec="test", load=load, remote=remote)


def test_without_a_source_it_is_off() -> None:
    lazy = LazyEmbedder(None)

    lazy.start()

    assert lazy.state == "off"
    assert lazy.name is None
    assert lazy.ready(wait=True) is None
    assert lazy.embed(["text"], wait=True) is None
    lazy.close()


def test_it_answers_none_until_it_is_loaded_and_loads_meanwhile() -> None:
    go = threading.Event()

    def load() -> Embedder:
        assert go.wait(PATIENT)
        return HashingEmbedder()

    lazy = LazyEmbedder(source(load))
    assert lazy.state == "idle"
    assert lazy.embed(["text"], wait=False) is None
    assert lazy.state == "loading"
    assert lazy.name is None

    go.set()
    rows = lazy.embed(["text"], wait=True)

    assert rows is not None
    assert rows.shape == (1, 512)
    assert lazy.state == "ready"
    assert lazy.name == HashingEmbedder.name
    assert lazy.embed(["text"], wait=False) is not None


def test_it_loads_once_however_many_ask() -> None:
    loads: list[int] = []
    go = threading.Event()

    def load() -> Embedder:
        loads.append(1)
        assert go.wait(PATIENT)
        return HashingEmbedder()

    lazy = LazyEmbedder(source(load))
    found: list[Embedder | None] = []
    threads = [
        threading.Thread(target=lambda: found.append(lazy.ready(wait=True))) for _ in range(8)
    ]
    for thread in threads:
        thread.start()
    lazy.start()
    lazy.start()
    go.set()
    for thread in threads:
        thread.join()

    assert len(loads) == 1
    assert len(found) == 8
    assert len(set(map(id, found))) == 1
    assert found[0] is not None


@pytest.mark.parametrize("error", [EmbedderError("no such model"), RuntimeError("no such model")])
def test_a_load_that_fails_is_reported_once_and_not_repeated(error: Exception) -> None:
    warnings: list[str] = []
    loads: list[int] = []

    def load() -> Embedder:
        loads.append(1)
        raise error

    clock = Clock()
    lazy = LazyEmbedder(source(load), warn=warnings.append, monotonic=clock)

    assert lazy.ready(wait=True) is None
    clock.now += 1_000_000
    assert lazy.embed(["text"], wait=True) is None
    assert lazy.embed(["text"], wait=False) is None
    assert len(loads) == 1
    assert len(warnings) == 1
    assert "words only: no such model" in warnings[0]
    assert lazy.state == "broken: no such model"


def test_a_local_embedder_that_breaks_stays_off_with_one_warning() -> None:
    warnings: list[str] = []
    clock, model = Clock(), Moody()
    lazy = LazyEmbedder(source(lambda: model), warn=warnings.append, monotonic=clock)
    assert lazy.embed(["text"], wait=True) is not None

    model.broken = True
    assert lazy.embed(["text"], wait=True) is None
    model.broken = False
    clock.now += 1_000_000
    assert lazy.embed(["text"], wait=True) is None

    assert model.asked == 2
    assert len(warnings) == 1
    assert lazy.ready(wait=True) is None
    assert lazy.state == "broken: server is down"
    assert lazy.name == model.name


def test_a_remote_embedder_is_tried_again_after_the_cool_down() -> None:
    warnings: list[str] = []
    clock, model = Clock(), Moody()
    lazy = LazyEmbedder(source(lambda: model, remote=True), warn=warnings.append, monotonic=clock)
    model.broken = True
    assert lazy.embed(["text"], wait=True) is None

    clock.now += 59.9
    assert lazy.embed(["text"], wait=True) is None
    assert model.asked == 1

    clock.now += 0.1
    assert lazy.embed(["text"], wait=True) is None
    assert model.asked == 2
    assert lazy.embed(["text"], wait=True) is None
    assert model.asked == 2

    model.broken = False
    clock.now += 60.0
    assert lazy.embed(["text"], wait=True) is not None
    assert lazy.embed(["text"], wait=True) is not None
    assert lazy.state == "ready"
    assert len(warnings) == 1


def test_a_second_outage_is_reported_again() -> None:
    warnings: list[str] = []
    clock, model = Clock(), Moody()
    lazy = LazyEmbedder(source(lambda: model, remote=True), warn=warnings.append, monotonic=clock)
    for _ in range(2):
        model.broken = True
        assert lazy.embed(["text"], wait=True) is None
        model.broken = False
        clock.now += 60.0
        assert lazy.embed(["text"], wait=True) is not None

    assert len(warnings) == 2


def test_a_remote_embedder_that_could_not_be_loaded_is_loaded_after_the_cool_down() -> None:
    warnings: list[str] = []
    clock = Clock()
    answers: list[Embedder | None] = [None, None, HashingEmbedder()]

    def load() -> Embedder:
        embedder = answers.pop(0)
        if embedder is None:
            raise EmbedderError("connection refused")
        return embedder

    lazy = LazyEmbedder(source(load, remote=True), warn=warnings.append, monotonic=clock)

    assert lazy.embed(["text"], wait=True) is None
    assert lazy.embed(["text"], wait=True) is None
    clock.now += 60.0
    assert lazy.embed(["text"], wait=True) is None
    clock.now += 60.0
    assert lazy.embed(["text"], wait=True) is not None
    assert answers == []
    assert len(warnings) == 1


def test_while_one_caller_tries_a_broken_server_the_others_go_on() -> None:
    clock = Clock()
    warnings: list[str] = []
    trying, go = threading.Event(), threading.Event()

    class Slow(Moody):
        def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
            if not self.broken:
                trying.set()
                assert go.wait(PATIENT)
            return super().embed(texts)

    model = Slow()
    model.broken = True
    lazy = LazyEmbedder(source(lambda: model, remote=True), warn=warnings.append, monotonic=clock)
    assert lazy.embed(["text"], wait=True) is None
    model.broken = False
    clock.now += 60.0
    found: list[object] = []
    brave = threading.Thread(target=lambda: found.append(lazy.embed(["text"], wait=True)))
    brave.start()
    assert trying.wait(PATIENT)

    assert lazy.embed(["text"], wait=True) is None

    go.set()
    brave.join()
    assert found[0] is not None


def test_many_callers_of_an_embedder_that_breaks_cause_one_warning() -> None:
    warnings: list[str] = []
    together = threading.Barrier(8)

    class Falling(HashingEmbedder):
        def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
            together.wait(PATIENT)
            raise EmbedderError("out of memory")

    lazy = LazyEmbedder(source(Falling), warn=warnings.append)
    lazy.ready(wait=True)
    threads = [threading.Thread(target=lambda: lazy.embed(["x"], wait=True)) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert len(warnings) == 1


def test_a_mistake_in_our_own_code_is_not_hidden() -> None:
    class Mistaken(HashingEmbedder):
        def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
            raise KeyError("oops")

    lazy = LazyEmbedder(source(Mistaken))

    with pytest.raises(KeyError):
        lazy.embed(["text"], wait=True)


def test_warnings_go_to_the_log_of_mnemic(caplog: pytest.LogCaptureFixture) -> None:
    def load() -> Embedder:
        raise EmbedderError("100% broken")

    LazyEmbedder(source(load)).ready(wait=True)

    assert [(record.name, record.levelno) for record in caplog.records] == [
        ("mnemic", logging.WARNING)
    ]
    assert "100% broken" in caplog.text


def test_the_one_who_is_warned_may_ask_for_the_state() -> None:
    states: list[str] = []

    def load() -> Embedder:
        raise EmbedderError("gone")

    lazy = LazyEmbedder(source(load), warn=lambda _: states.append(lazy.state))
    lazy.ready(wait=True)

    assert states == ["broken: gone"]


def test_closing_closes_the_embedder_even_if_it_arrives_later() -> None:
    early = Moody()
    ready = LazyEmbedder(source(lambda: early))
    ready.ready(wait=True)
    go, arrived = threading.Event(), threading.Event()

    class Late(Moody):
        def close(self) -> None:
            super().close()
            arrived.set()

    late = Late()

    def load() -> Embedder:
        assert go.wait(PATIENT)
        return late

    loading = LazyEmbedder(source(load))
    loading.start()
    ready.close()
    ready.close()
    loading.close()
    go.set()

    assert arrived.wait(PATIENT)
    assert (early.closed, late.closed) == (1, 1)
    assert ready.state == loading.state == "off"
    assert ready.embed(["text"], wait=True) is None


def test_a_process_that_ends_while_loading_does_not_hang() -> None:
    code = (
        "import threading\n"
        "from mnemic.providers import EmbedderSource, LazyEmbedder\n"
        "started = threading.Event()\n"
        "def load():\n"
        "    started.set()\n"
        "    threading.Event().wait()\n"
        "lazy = LazyEmbedder(EmbedderSource(spec='t', load=load))\n"
        "lazy.start()\n"
        "started.wait()\n"
        "print(lazy.state)\n"
    )

    out = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=30
    )

    assert out.stdout.strip() == "loading"
