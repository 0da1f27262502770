"""One thing that was checked."""

from dataclasses import dataclass
from typing import Literal

Status = Literal["ok", "warning", "problem"]


@dataclass(frozen=True, slots=True)
class DoctorCheck:
    """What was looked at, whether it is well, what was found, and how to mend it.

    A problem keeps Mnemic from working as it is configured; a warning does not.
    """

    name: str
    status: Status
    found: str
    mend: str | None = None


def well(name: str, found: str) -> DoctorCheck:
    """Return a check that found nothing wrong."""
    return DoctorCheck(name, "ok", found)


def warning(name: str, found: str, mend: str) -> DoctorCheck:
    """Return a check that found something to look after."""
    return DoctorCheck(name, "warning", found, mend)


def problem(name: str, found: str, mend: str) -> DoctorCheck:
    """Return a check that found something that does not work."""
    return DoctorCheck(name, "problem", found, mend)
