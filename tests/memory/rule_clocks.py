"""Clocks for rules: they make a rule slow, or hold it up, without any time passing."""

import inspect
from threading import Event
from types import FrameType

SECONDS = 60


class SlowRules:
    """Counts the seconds that rules compute: none, or many at a time while they are slow."""

    def __init__(self) -> None:
        self.slow = False
        self._now = 0.0

    def __call__(self) -> float:
        self._now += 1000.0 * self.slow
        return self._now


class HeldRule:
    """Holds up the first rule that looks at it inside of a function, until it may go on."""

    def __init__(self) -> None:
        self.reached = Event()
        self.may_go_on = Event()
        self.function: str | None = None

    def __call__(self) -> float:
        if self.function is not None and not self.reached.is_set() and self._is_inside():
            self.reached.set()
            assert self.may_go_on.wait(SECONDS)
        return 0.0

    def _is_inside(self) -> bool:
        frame: FrameType | None = inspect.currentframe()
        while frame is not None and frame.f_code.co_qualname != self.function:
            frame = frame.f_back
        return frame is not None
