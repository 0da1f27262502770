"""Workers as threads of a program, for as long as a `with` lasts."""

import logging
from threading import Event, Thread
from time import monotonic
from types import TracebackType
from typing import Final, Self

from mnemic.errors import MnemicError
from mnemic.opening import OpenMemory
from mnemic.worker.chores import Chores
from mnemic.worker.worker import Worker

_LOG: Final = logging.getLogger("mnemic.worker")
_GRACE_SECONDS: Final = 10.0
_LAST_SECONDS: Final = 1.0


class WorkerThread:
    """Does the background work of an open memory beside the program.

    At the end no job is taken any more, and what is being done may be finished within `grace`
    seconds. What takes longer is given back, so that another worker can take it at once.
    """

    def __init__(
        self, memory: OpenMemory, *, workers: int = 1, grace: float = _GRACE_SECONDS
    ) -> None:
        self._grace = grace
        self._stopping = Event()
        chores = Chores(memory)
        self._workers = [
            Worker(memory, stopping=self._stopping, chores=chores) for _ in range(workers)
        ]
        # Daemons: a program that ends does not wait for an answer that may never come.
        self._threads = [
            Thread(target=worker.run, name=f"mnemic-work-{number}", daemon=True)
            for number, worker in enumerate(self._workers)
        ]

    @property
    def alive(self) -> int:
        """How many of the workers are at work."""
        return sum(thread.is_alive() for thread in self._threads)

    @property
    def is_alive(self) -> bool:
        """Whether all of them are."""
        return self.alive == len(self._threads)

    def __enter__(self) -> Self:
        try:
            for thread in self._threads:
                thread.start()
        except BaseException:
            # Nobody else will: a signal may end a program that has only begun.
            self.stop()
            raise
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.stop()

    def stop(self) -> None:
        """End the workers; return once they are at rest, or what they held is given back."""
        self._stopping.set()
        deadline = monotonic() + self._grace
        for thread in self._threads:
            if thread.is_alive():
                thread.join(max(0.0, deadline - monotonic()))
        for worker, thread in zip(self._workers, self._threads, strict=True):
            if thread.is_alive():
                _give_back(worker)
        for thread in self._threads:
            if thread.is_alive():
                thread.join(_LAST_SECONDS)


def _give_back(worker: Worker) -> None:
    try:
        if worker.give_back():
            _LOG.info("%s gave its job back.", worker.name)
    except MnemicError as error:
        # The lease runs out by itself.
        _LOG.warning("%s could not give its job back: %s", worker.name, error)
