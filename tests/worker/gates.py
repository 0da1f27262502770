"""What holds a worker up at a known place until a test lets it go on."""

from collections.abc import Callable, Generator
from contextlib import contextmanager
from threading import Event, Thread
from typing import Any

from mnemic.worker import Worker
from tests.providers.scripted_server import Reply
from tests.worker.model_server import reading

SECONDS = 60


class Gate:
    """A model that tells when it is asked, and answers only when it may: the first time, or
    whenever a request holds certain words.
    """

    def __init__(self, words: str | None = None) -> None:
        self.asked = Event()
        self.opened = Event()
        self._words = words

    def __call__(self, body: dict[str, Any]) -> Reply:
        is_first = not self.asked.is_set()
        held_up = self._words in body["messages"][-1]["content"] if self._words else is_first
        if held_up:
            self.asked.set()
            assert self.opened.wait(SECONDS)
        return reading(body)


@contextmanager
def running(*workers: Worker) -> Generator[None]:
    """Let workers run beside a test; at the end they stop."""
    threads = [Thread(target=worker.run, daemon=True) for worker in workers]
    for thread in threads:
        thread.start()
    try:
        yield
    finally:
        for worker in workers:
            worker.stopping.set()
        for thread in threads:
            thread.join(SECONDS)
        assert not any(thread.is_alive() for thread in threads)


@contextmanager
def working_off(worker: Worker) -> Generator[None]:
    """Let a worker do what is due beside a test, and wait for it at the end."""
    thread = Thread(target=worker.work_off, daemon=True)
    thread.start()
    yield
    thread.join(SECONDS)
    assert not thread.is_alive()


def until(holds: Callable[[], bool]) -> None:
    """Wait until something holds that other threads bring about."""
    pause = Event()
    for _ in range(100 * SECONDS):
        if holds():
            return
        pause.wait(0.01)
    raise AssertionError("it never came to be")
