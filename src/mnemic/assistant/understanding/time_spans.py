"""The times that a question asks about and that a memory tells of, also those still to come."""

from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from functools import lru_cache
from typing import Final

from mnemic.language.dates import TimeWindow, windows
from mnemic.records.memory import Memory
from mnemic.runtime.patterns import linear

_DAYS: Final = (
    (linear(r"\bthe day after tomorrow\b|(?<!大)后天"), 2),
    (linear(r"(?<!after )\btomorrow\b|明[天日晚早]"), 1),
    (linear(r"大后天"), 3),
)
_NEXT: Final = linear(
    r"\bnext (?P<unit>week|weekend|month|year)\b|下个?(?P<zh>周末|周|星期|礼拜"
    r"|月)(?![一二三四五六日天末])"
)
_IN: Final = linear(
    r"\bin (?P<count>\d{1,2}|two|three|four) (?P<unit>day|week)s?\b|(?P<zh>\d{1,2}|两"
    r"|三)(?P<zhunit>天|周)后"
)
_COUNTS: Final = {"two": 2, "three": 3, "four": 4, "两": 2, "三": 3}
_WEEKDAY: Final = linear(
    r"\b(?P<which>next |this |on |by |every )?(?P<day>mon|tues|wednes|thurs|fri|satur|sun)day\b"
)
_NEXT_DAY: Final = linear(r"\bnext \w+day\b|下个?(?:周|星期|礼拜)[一二三四五六日天]")
_WEEKDAYS: Final = ("mon", "tues", "wednes", "thurs", "fri", "satur", "sun")
_CHINESE_WEEKDAY: Final = linear(
    r"(?P<which>下个?|这个?|本|上个?|每个?)?(?:周|星期|礼拜)(?P<day>[一二三四五六日天])"
)
_CHINESE_DAYS: Final = {name: at for at, name in enumerate("一二三四五六日")} | {"天": 6}
_PAST: Final = linear(
    r"\b(?:did|was|were|had|went|met|saw|bought|ate|last|ago|\w{2,}ed)\b|了|过|上个?(?:周|星期)|昨"
)
_LATELY: Final = linear(r"\b(?:recently|lately|these days)\b|最近|近来|这几天")
_LATELY_DAYS: Final = 14
_LENGTH: Final = {"day": 1, "week": 7, "month": 30, "year": 365}
# What is usual on some day of the week is asked by its name, not by its date.
_USUAL: Final = linear(
    r"\b(?:mon|tues|wednes|thurs|fri|satur|sun)days\b|\bevery \w+day\b"
    r"|\b(?:usually|normally|typically|generally)\b.{0,60}day\b"
    r"|每个?(?:周|星期|礼拜)|(?:周|星期|礼拜)[一二三四五六日天].{0,4}(?:一般|通常|平时|都)"
    r"|(?:一般|通常|平时).{0,4}(?:周|星期|礼拜)[一二三四五六日天]"
)
_RELATIVE: Final = linear(
    r"\b(?:yesterday|tomorrow|last night|the day (?:before|after) (?:yesterday|tomorrow))\b"
    r"|[昨明前后][天晚]"
)
_MONTHS: Final = (
    *("January", "February", "March", "April", "May", "June"),
    *("July", "August", "September", "October", "November", "December"),
)


def asked_windows(question: str, *, now: datetime) -> tuple[TimeWindow, ...]:
    """Return the times that a question asks about, past and to come."""
    plain = question.casefold()
    if _USUAL.search(plain):
        return ()
    if _LATELY.search(plain):
        start = now - timedelta(days=_LATELY_DAYS)
        return (TimeWindow(start, now + timedelta(days=1), "week", exact=False),)
    return _named(plain, now=now)


def told_windows(memory: Memory) -> tuple[TimeWindow, ...]:
    """Return the times that a memory tells of, as its author saw them."""
    return _told(memory.content, memory.occurred_at)


@lru_cache(maxsize=4_096)
def _told(content: str, made: datetime) -> tuple[TimeWindow, ...]:
    return _nearest(_named(content.casefold(), now=made), made)


def tells_relatively(text: str) -> bool:
    """Tell whether a text counts its days from when it was written."""
    return _RELATIVE.search(text.casefold()) is not None


def moment(memory: Memory) -> datetime:
    """Return when what a memory tells of happens, as far as it says so."""
    told = told_windows(memory)
    return told[0].start if told else memory.occurred_at


def overlaps(memory: Memory, asked: tuple[TimeWindow, ...]) -> bool:
    """Tell whether a memory tells of a time, or was made then and names no other."""
    told = told_windows(memory)
    return tells_of(memory, asked) if told else made_in(memory, asked)


def tells_of(memory: Memory, asked: tuple[TimeWindow, ...]) -> bool:
    """Tell whether a memory names a time within those that are asked about: who says "this year"
    tells of no day of it.
    """
    return any(
        one.start < other.end and other.start < one.end and _LENGTH[one.span] <= _LENGTH[other.span]
        for one in told_windows(memory)
        for other in asked
    )


def made_in(memory: Memory, asked: tuple[TimeWindow, ...]) -> bool:
    """Tell whether a memory was made at one of some times."""
    return any(one.start <= memory.occurred_at < one.end for one in asked)


def date_in(moment: datetime, language: str) -> str:
    """Return the day of a moment, in its own time zone, as it is written in a language."""
    if language == "zh":
        return f"{moment.year}年{moment.month}月{moment.day}日"
    return f"{moment.day} {_MONTHS[moment.month - 1]} {moment.year}"


def seen_at(memory: Memory, now: datetime) -> Memory:
    """Return a memory with the day of its author, who lives in the time zone of `now`."""
    return replace(memory, occurred_at=memory.occurred_at.astimezone(now.tzinfo))


def _named(plain: str, *, now: datetime) -> tuple[TimeWindow, ...]:
    zone = now.tzinfo
    coming = tuple(
        replace(one, start=one.start.replace(tzinfo=zone), end=one.end.replace(tzinfo=zone))
        for one in _coming(plain, now.date())
    )
    past = windows(plain, now=now)
    over = _PAST.search(plain) and not _NEXT_DAY.search(plain)
    if coming and any(not one.exact for one in past) and not over:
        # "On Friday" is the coming one unless something says that it is over.
        past = tuple(one for one in past if one.exact or one.end > now)
    # A date without a year may also lie in the year to come.
    later = windows(plain, now=now.replace(year=now.year + 1, day=1)) if past else ()
    ahead = tuple(one for one in later if one.exact and one.start.year > now.year)
    return tuple(dict.fromkeys((*coming, *past, *ahead)))


def _nearest(found: tuple[TimeWindow, ...], to: datetime) -> tuple[TimeWindow, ...]:
    """Leave out the other years of a date that names none: the nearest one is meant."""
    best: dict[tuple[int, int, str], TimeWindow] = {}
    for one in found:
        key = (one.start.month, one.start.day, one.span)
        if key not in best or abs(one.start - to) < abs(best[key].start - to):
            best[key] = one
    return tuple(best.values())


def _coming(plain: str, today: date) -> Iterator[TimeWindow]:
    for pattern, ahead in _DAYS:
        if pattern.search(plain):
            yield _days(today + timedelta(days=ahead), 1)
    for match in _IN.finditer(plain):
        word = match["count"] or match["zh"]
        count = int(word) if word.isdecimal() else _COUNTS[word]
        weeks = (match["unit"] or match["zhunit"]) in ("week", "周")
        yield _days(today + timedelta(days=count * (7 if weeks else 1)), 1)
    for match in _NEXT.finditer(plain):
        yield _next(match["unit"] or match["zh"], today)
    for match in _WEEKDAY.finditer(plain):
        which = match["which"] or ""
        if which == "next " or (which != "every " and not _PAST.search(plain)):
            yield _weekday(_WEEKDAYS.index(match["day"]), today)
    for match in _CHINESE_WEEKDAY.finditer(plain):
        which = (match["which"] or "").removesuffix("个")
        if which == "下" or (which not in ("上", "每") and not _PAST.search(plain)):
            monday = today - timedelta(days=today.weekday() - (7 if which == "下" else 0))
            day = monday + timedelta(days=_CHINESE_DAYS[match["day"]])
            late = which == "" and day < today
            yield _days(day + timedelta(days=7) if late else day, 1)
        elif which == "":
            # Behind us: the last one before today.
            back = (today.weekday() - _CHINESE_DAYS[match["day"]] - 1) % 7 + 1
            yield _days(today - timedelta(days=back), 1)


def _weekday(weekday: int, today: date) -> TimeWindow:
    return _days(today + timedelta(days=(weekday - today.weekday()) % 7), 1)


def _next(unit: str, today: date) -> TimeWindow:
    monday = today + timedelta(days=7 - today.weekday())
    if unit in ("weekend", "周末"):
        return _days(monday + timedelta(days=5), 2)
    if unit in ("month", "月"):
        first = date(today.year + today.month // 12, today.month % 12 + 1, 1)
        return _days(first, 31 - (first.month in (4, 6, 9, 11)))
    if unit == "year":
        return _days(date(today.year + 1, 1, 1), 365)
    return _days(monday, 7)


def _days(first: date, count: int) -> TimeWindow:
    start = datetime(first.year, first.month, first.day, tzinfo=UTC)
    span = "day" if count == 1 else "week"
    return TimeWindow(start, start + timedelta(days=count), span, exact=False)
