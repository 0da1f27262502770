"""How a command ends that is told to."""

import signal
import sys
from collections.abc import Callable, Generator
from contextlib import contextmanager, suppress
from types import FrameType


@contextmanager
def tidying_up() -> Generator[None]:
    """Let SIGTERM end a command as Ctrl-C does: what is half written is not left behind."""

    def leave(number: int, _: FrameType | None) -> None:
        sys.exit(128 + number)

    with _at_sigterm(leave):
        yield


@contextmanager
def ending_in_order() -> Generator[None]:
    """Let SIGTERM and Ctrl-C end a command that runs on, from its first moment, as its own end
    would: everything is closed, and all is well.
    """
    with _at_sigterm(signal.default_int_handler), suppress(KeyboardInterrupt):
        yield


@contextmanager
def _at_sigterm(handler: Callable[[int, FrameType | None], object]) -> Generator[None]:
    before = signal.signal(signal.SIGTERM, handler)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)
