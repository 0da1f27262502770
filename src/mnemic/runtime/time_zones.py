"""Where somebody is: which days "yesterday" and "March 9" are, and what a bare time means."""

import os
from datetime import UTC, date, datetime, time, tzinfo
from functools import lru_cache
from pathlib import Path
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

_SYSTEM = Path("/etc/localtime")


@lru_cache(maxsize=64)
def time_zone(name: str) -> tzinfo:
    """Return the zone of an IANA name, or the system's for none; ValueError for an unknown one."""
    if not name:
        return _system_zone()
    if name == "UTC":
        return UTC
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError) as error:
        raise ValueError(f"{name!r:.60} is no time zone that this system knows") from error


def _system_zone() -> tzinfo:
    named = os.environ.get("TZ", "").removeprefix(":")
    if named:
        try:
            return ZoneInfo(named)
        except (ZoneInfoNotFoundError, ValueError, OSError):
            # POSIX rules, or a file: what the C library makes of it, as far as it is known now.
            return datetime.now().astimezone().tzinfo or UTC
    try:
        with _SYSTEM.open("rb") as file:
            return ZoneInfo.from_file(file, key=str(_SYSTEM))
    except (OSError, ValueError):
        return datetime.now().astimezone().tzinfo or UTC


def read_moment(text: str, zone: tzinfo, *, ends: bool = False) -> datetime:
    """Return the time that an ISO 8601 text stands for, in UTC; ValueError where it is none.

    Without an offset it is the zone's time. A date alone is the beginning of the day, or its last
    moment where `ends` says so.
    """
    try:
        if ends and (day := _date_alone(text)) is not None:
            last = datetime.combine(day, time.max, zone)
            return last.astimezone(UTC)
        moment = datetime.fromisoformat(text)
        return moment.replace(tzinfo=moment.tzinfo or zone).astimezone(UTC)
    except OverflowError as error:
        raise ValueError(str(error)) from error


def _date_alone(text: str) -> date | None:
    try:
        return date.fromisoformat(text)
    except ValueError:
        return None
