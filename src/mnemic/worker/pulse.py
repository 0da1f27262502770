"""The pulse of a job: a sign of life while it is being done, however long that takes."""

import logging
from threading import Event, Thread
from types import TracebackType
from typing import Final, Self

from mnemic.engine.working import Held, LeaseLostError
from mnemic.errors import MnemicError

_LOG: Final = logging.getLogger("mnemic.worker")


class Pulse:
    """Makes the lease of a job longer every so many seconds, from a thread of its own."""

    def __init__(self, held: Held, *, seconds: float) -> None:
        self._held = held
        self._seconds = seconds
        self._over = Event()
        self._thread = Thread(target=self._beat, name="mnemic-pulse", daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._over.set()
        self._thread.join()

    def _beat(self) -> None:
        while not self._over.wait(self._seconds):
            try:
                self._held.beat()
            except LeaseLostError as error:
                # Whoever does the job finds out when the work is to be kept; or it is over by now.
                if not self._over.is_set():
                    _LOG.info("%s", error)
                return
            except MnemicError as error:
                _LOG.warning("%s: no sign of life could be given: %s", self._held.job.id, error)
