"""How a command ends that is told to."""

import faulthandler
import logging
import os
import signal
import sys
import threading
from collections.abc import Callable, Generator, Iterable
from contextlib import contextmanager, suppress
from types import FrameType
from typing import Final

# After the requests and jobs that are being done had their time, and everything is closed.
_LAST_SECONDS: Final = 15.0


@contextmanager
def tidying_up() -> Generator[None]:
    """Let SIGTERM end a command as Ctrl-C does: what is half written is not left behind."""

    def leave(number: int, _: FrameType | None) -> None:
        sys.exit(128 + number)

    with at_signals([signal.SIGTERM], leave):
        yield


class CommandEnding:
    """Whether a command was told to end."""

    def __init__(self, grace: float) -> None:
        self._grace = grace
        self.is_asked_for = False

    def ask_for(self, number: int, frame: FrameType | None) -> None:
        """Take down a signal, and raise KeyboardInterrupt."""
        self.is_asked_for = True
        end_at_last(self._grace)
        signal.default_int_handler(number, frame)

    def check(self) -> None:
        """Raise KeyboardInterrupt where the command was told to end: what was raised at once may
        have been lost, as everything is that is raised while an object is being deleted.
        """
        if self.is_asked_for:
            raise KeyboardInterrupt


@contextmanager
def ending_in_order(*, grace: float) -> Generator[CommandEnding]:
    """Let SIGTERM and Ctrl-C end a command that runs on, from its first moment, as its own end
    would: everything is closed, and all is well. `grace` is how long that may take.

    A shell lets what it starts in the background ignore Ctrl-C: a server ends all the same.
    """
    ending = CommandEnding(grace)
    with at_signals([signal.SIGTERM, signal.SIGINT], ending.ask_for), suppress(KeyboardInterrupt):
        yield ending


def end_at_last(grace: float) -> None:
    """End the process some time after the grace, whatever it does then, also where it holds on to
    the interpreter; what it did is told on standard error.
    """
    if sys.__stderr__ is not None:
        seconds = grace + _LAST_SECONDS
        faulthandler.dump_traceback_later(seconds, exit=True, file=sys.__stderr__)


def leave_threads() -> None:
    """End the process, where threads are still at something that was given up: they would keep it
    alive until they are done.
    """
    ours = threading.current_thread()
    if any(not thread.daemon and thread is not ours for thread in threading.enumerate()):
        logging.shutdown()
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(0)


@contextmanager
def at_signals(
    numbers: Iterable[signal.Signals], handler: Callable[[int, FrameType | None], object]
) -> Generator[None]:
    """Handle signals so meanwhile."""
    before = {number: signal.signal(number, handler) for number in numbers}
    try:
        yield
    finally:
        for number, usual in before.items():
            signal.signal(number, usual)
