"""Times as the database keeps them: microseconds since the epoch, UTC."""

from datetime import UTC, datetime, timedelta
from typing import Final

_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND: Final = timedelta(microseconds=1)


def to_micros(moment: datetime) -> int:
    """Return an aware time as an integer, exactly."""
    return (moment - _EPOCH) // _MICROSECOND


def maybe_micros(moment: datetime | None) -> int | None:
    """Return an aware time as an integer, and nothing for none."""
    return None if moment is None else to_micros(moment)


def from_micros(micros: int) -> datetime:
    """Return the aware time, in UTC, that an integer stands for."""
    return _EPOCH + micros * _MICROSECOND


def maybe_from_micros(micros: int | None) -> datetime | None:
    """Return the aware time that an integer stands for, and nothing for none."""
    return None if micros is None else from_micros(micros)
