"""Who watches a memory at work: told what is being done, never what is remembered."""

from collections.abc import Sequence
from contextlib import AbstractContextManager
from typing import Literal, Protocol

from mnemic.records.memory import JobStatus, Stage

Doing = Literal["recall", "stage", "statement", "job"]


class Watcher(Protocol):
    """Is told what a memory does. It is quick, raises nothing, and threads share it."""

    @property
    def follows(self) -> bool:
        """Whether it wants to know of every step while it is being done. That costs something, so
        nobody asks `doing` where this is false.
        """
        ...

    def doing(self, kind: Doing, name: str) -> AbstractContextManager[None]:
        """Return what is entered while a step is being done. Names are those of stages, of
        statements and of kinds of job: few, and the same for everybody.
        """
        ...

    def recalled(self, stages: Sequence[Stage], seconds: float) -> None:
        """Hear of a recall that is over."""
        ...

    def worked(self, kind: str, outcome: JobStatus, seconds: float) -> None:
        """Hear of a job that is over, or that was tried; `leased` is one that was lost to another
        worker.
        """
        ...
