"""Times as the database keeps them: microseconds since the epoch, UTC."""

from datetime import UTC, datetime, timedelta
from typing import Final

_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND: Final = timedelta(microseconds=1)


def to_micros(moment: datetime) -> int:
    """Return an aware time as an integer, exactly."""
    return (moment - _EPOCH) // _MICROSECOND


def from_micros(micros: int) -> datetime:
    """Return the aware time, in UTC, that an integer stands for."""
    return _EPOCH + micros * _MICROSECOND
