"""What was to be reached, and whether it was."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Final, Literal

from harness.markdown import cell, table

Measured = float | None
Verdict = Literal["reached", "**missed**", "not measured"]


@dataclass(frozen=True, slots=True)
class Goal:
    """A goal with what was measured; `met` is None where nothing was."""

    what: str
    goal: str
    measured: str
    met: bool | None

    @property
    def verdict(self) -> Verdict:
        """Whether it was reached, in words."""
        return "not measured" if self.met is None else "reached" if self.met else "**missed**"


_SIGNS: Final = {"≤": float.__le__, "<": float.__lt__, "≥": float.__ge__, ">": float.__gt__}


def goal(
    what: str, sign: str, limit: float, measured: Measured, *, unit: str = "", form: Any = cell
) -> Goal:
    """Judge a figure by a limit. Without a figure there is no verdict."""
    met = None if measured is None else _SIGNS[sign](float(measured), float(limit))
    return Goal(what, f"{sign} {limit:,}{unit}", form(measured), met)


def ratio(over: Measured, under: Measured) -> Measured:
    """Return how many times one figure is another; None where one was not measured."""
    return over / under if over and under else None


def write(goals: Iterable[Goal]) -> str:
    """Return the table of all goals."""
    rows = [[goal.what, goal.goal, goal.measured, goal.verdict] for goal in goals]
    return "## Goals, and whether they were reached\n\n" + table(
        ["what", "goal", "measured", ""], rows
    )
