"""Moments as people write them on a command line: so long from now, or a date."""

from datetime import UTC, datetime, timedelta
from typing import Final

from mnemic.errors import InvalidInputError
from mnemic.runtime.patterns import opening

_DURATION: Final = opening(r"(?P<number>\d{1,6})(?P<unit>[mhdw])")
_UNITS: Final = {"m": "minutes", "h": "hours", "d": "days", "w": "weeks"}
_DURATIONS: Final = "a duration such as 30m, 12h, 90d or 2w"
_ALLOWED: Final = f"{_DURATIONS}, or a date such as 2027-01-31"


def duration(parameter: str, given: str) -> timedelta:
    """Return how long a text such as 90d means."""
    parsed = _read_duration(given)
    if parsed is None:
        raise InvalidInputError(parameter, repr(given), _DURATIONS)
    return parsed


def future_moment(parameter: str, given: str, *, now: datetime) -> datetime:
    """Return the moment that a text means: so long after now, or a date in UTC."""
    return _moment(parameter, given, now=now, sign=1)


def past_moment(parameter: str, given: str, *, now: datetime) -> datetime:
    """Return the moment that a text means: so long before now, or a date in UTC."""
    return _moment(parameter, given, now=now, sign=-1)


def _moment(parameter: str, given: str, *, now: datetime, sign: int) -> datetime:
    parsed = _read_duration(given)
    try:
        if parsed is not None:
            return now + sign * parsed
        written = datetime.fromisoformat(given)
    except (OverflowError, ValueError) as error:
        raise InvalidInputError(parameter, repr(given), _ALLOWED) from error
    return written if written.tzinfo is not None else written.replace(tzinfo=UTC)


def _read_duration(given: str) -> timedelta | None:
    written = _DURATION.fullmatch(given)
    if written is None:
        return None
    return timedelta(**{_UNITS[written["unit"]]: int(written["number"])})
