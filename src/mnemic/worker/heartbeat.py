"""The heartbeat of a job: it extends the lease while the job runs, however long that takes."""

import logging
from threading import Event, Thread
from types import TracebackType
from typing import Final, Self

from mnemic.chat.jobs.execute import LeasedJob, LeaseLostError
from mnemic.errors import MnemicError

_LOG: Final = logging.getLogger("mnemic.worker")


class Heartbeat:
    """Extends the lease of a job every `seconds`, from a thread of its own."""

    def __init__(self, job: LeasedJob, *, seconds: float) -> None:
        self._job = job
        self._seconds = seconds
        self._over = Event()
        self._thread = Thread(target=self._beat, name="mnemic-heartbeat", daemon=True)

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
                self._job.beat()
            except LeaseLostError as error:
                # The worker finds out when it commits its result; or the job is over by now.
                if not self._over.is_set():
                    _LOG.info("%s", error)
                return
            except MnemicError as error:
                _LOG.warning("%s: the lease could not be extended: %s", self._job.job.id, error)
