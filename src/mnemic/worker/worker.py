"""One worker: it takes jobs one at a time, does them, and waits for more."""

import logging
import os
import socket
from itertools import count
from threading import Event, Lock
from time import monotonic
from typing import Final

from mnemic.engine.working import LEASE, Held
from mnemic.errors import MnemicError
from mnemic.opening import OpenMemory
from mnemic.request_ids import answering
from mnemic.worker.chores import Chores
from mnemic.worker.pulse import Pulse

_LOG: Final = logging.getLogger("mnemic.worker")
_PULSE_SECONDS: Final = LEASE.total_seconds() / 3
# What nobody rings for: a job whose time has come, a lease that ran out, an item without a vector.
_LOOK_SECONDS: Final = 2.0
# So long it may take until a worker that waits hears that it is to end.
_STOP_SECONDS: Final = 0.25
_FIRST_PAUSE: Final = 1.0
_LONGEST_PAUSE: Final = 30.0
_NUMBERS: Final = count(1)


class Worker:
    """Does the jobs of all accounts of a store, with any number of others beside it.

    `stopping` ends it; several workers may share one. `chores` is what it does while there is no
    job; the workers of a process share that too. `pulse_seconds` is how often it tells that a job
    is still being done.
    """

    def __init__(
        self,
        memory: OpenMemory,
        *,
        stopping: Event | None = None,
        chores: Chores | None = None,
        pulse_seconds: float = _PULSE_SECONDS,
    ) -> None:
        self.name = f"{socket.gethostname()}:{os.getpid()}:{next(_NUMBERS)}"
        self.stopping = stopping or Event()
        self._chat = memory.chat
        self._chores = chores or Chores(memory)
        self._pulse_seconds = pulse_seconds
        self._lock = Lock()
        self._held: Held | None = None
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
                # A worker never dies of one mishap, nor does it race through a thousand.
                if self.stopping.is_set():
                    return
                known = isinstance(error, MnemicError)
                # The message of a foreign error may quote a memory.
                told = str(error) if known else type(error).__name__
                _LOG.warning("%s pauses for %g s: %s", self.name, pause, told, exc_info=not known)
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
            with answering(), Pulse(held, seconds=self._pulse_seconds):
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
