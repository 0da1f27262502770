"""One worker: it takes jobs one at a time, does them, and waits for more."""

import logging
import os
import socket
from itertools import count
from threading import Event, Lock
from time import monotonic
from typing import Final

from mnemic.chat.jobs.execute import LEASE, LeasedJob
from mnemic.errors import MnemicError
from mnemic.opening import OpenMemory
from mnemic.telemetry.request_ids import answering
from mnemic.worker.chores import Chores
from mnemic.worker.heartbeat import Heartbeat

_LOG: Final = logging.getLogger("mnemic.worker")
_HEARTBEAT_SECONDS: Final = LEASE.total_seconds() / 3
# Polling finds what nobody notifies: a job that is due, an expired lease, an item without a vector.
_LOOK_SECONDS: Final = 2.0
# The longest delay before a waiting worker notices that it is to stop.
_STOP_SECONDS: Final = 0.25
_FIRST_PAUSE: Final = 1.0
_LONGEST_PAUSE: Final = 30.0
_NUMBERS: Final = count(1)


class Worker:
    """Does the jobs of all accounts of a store, with any number of others beside it.

    `stopping` ends it; several workers may share one. `chores` is what it does while there is no
    job; the workers of a process share that too. `heartbeat_seconds` is how often the lease of
    a running job is extended.
    """

    def __init__(
        self,
        memory: OpenMemory,
        *,
        stopping: Event | None = None,
        chores: Chores | None = None,
        heartbeat_seconds: float = _HEARTBEAT_SECONDS,
    ) -> None:
        self.name = f"{socket.gethostname()}:{os.getpid()}:{next(_NUMBERS)}"
        self.stopping = stopping or Event()
        self._chat = memory.chat
        self._chores = chores or Chores(memory)
        self._heartbeat_seconds = heartbeat_seconds
        self._lock = Lock()
        self._held: LeasedJob | None = None
        self._mark = 0

    def work_off(self) -> int:
        """Do what is due now, chores too; return how many jobs were done, well or badly.

        A job that waits to be tried again is left, and what went wrong with the store is raised.
        """
        done = 0
        while not self.stopping.is_set():
            if self._do_next():
                done += 1
            elif not self._chores.do_some(wait=True):
                break
        return done

    def run(self) -> None:
        """Do jobs until it is told to stop; a store that is away for a while is waited for."""
        pause = _FIRST_PAUSE
        while not self.stopping.is_set():
            try:
                if not self._do_next() and not self._chores.do_some():
                    self._wait()
            except Exception as error:
                # One failure does not end a worker, and repeated failures back off.
                if self.stopping.is_set():
                    return
                known = isinstance(error, MnemicError)
                # The message of a foreign error may quote a memory.
                reason = str(error) if known else type(error).__name__
                _LOG.warning("%s pauses for %g s: %s", self.name, pause, reason, exc_info=not known)
                self.stopping.wait(pause)
                pause = min(_LONGEST_PAUSE, 2 * pause)
            else:
                pause = _FIRST_PAUSE

    def give_back(self) -> bool:
        """Give back the job that is being done, for another worker to take at once; tell whether
        there was one. Its result is not kept.
        """
        with self._lock:
            held = self._held
        return held is not None and held.release()

    def _do_next(self) -> bool:
        held = self._chat.take_job(self.name)
        if held is None:
            return False
        with self._lock:
            self._held = held
        try:
            with answering(), Heartbeat(held, seconds=self._heartbeat_seconds):
                status = held.do()
        finally:
            with self._lock:
                self._held = None
        _LOG.info("%s %s", held.job.id, "lost to another worker" if status == "leased" else status)
        self._chores.look_again(held.claim.account_id)
        return True

    def _wait(self) -> None:
        """Wait until there may be something to do, or it is time to look."""
        deadline = monotonic() + _LOOK_SECONDS
        while not self.stopping.is_set() and (left := deadline - monotonic()) > 0:
            mark = self._chat.wait_for_job(min(left, _STOP_SECONDS), since=self._mark)
            if mark != self._mark:
                self._mark = mark
                return
        self._chores.look_again()
