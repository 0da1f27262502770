"""Dates in texts, in English and Chinese: which days a question asks about."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, timedelta
from typing import Final, Literal

from mnemic.runtime.patterns import linear

Span = Literal["day", "week", "month", "year"]

_MONTH_NAMES: Final = "jan feb mar apr may jun jul aug sep oct nov dec"
_MONTHS: Final = {name: number for number, name in enumerate(_MONTH_NAMES.split(), 1)}
_DAY_NAMES: Final = "mon tue wed thu fri sat sun"
_WEEKDAYS: Final = {name: number for number, name in enumerate(_DAY_NAMES.split())}
_CHINESE_WEEKDAYS: Final = {name: at for at, name in enumerate("一二三四五六日")} | {"天": 6}
_NUMBER_WORDS: Final = (
    "a:1 an:1 one:1 two:2 couple:2 three:3 few:3 four:4 five:5 six:6 seven:7 eight:8 nine:9 ten:10"
    " 一:1 二:2 两:2 三:3 四:4 五:5 六:6 七:7 八:8 九:9 十:10 几:3"
)
_NUMBERS: Final = {
    word: int(number) for word, number in (pair.split(":") for pair in _NUMBER_WORDS.split())
}
_UNITS: Final = {"day": 1, "week": 7, "month": 30, "year": 365, "天": 1, "日": 1, "周": 7}
_UNITS_OF_CHINESE: Final = {"星期": 7, "礼拜": 7, "月": 30, "年": 365}

_MONTH: Final = (
    r"(?P<month>jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?"
    r"|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\b\.?"
)
_DAY: Final = r"(?P<day>\d{1,2})(?:st|nd|rd|th)?"
_YEAR: Final = r"(?P<year>(?:19|20)\d\d)"
_ABSOLUTE: Final = tuple(
    linear(pattern)
    for pattern in (
        rf"\b{_YEAR}[-/.](?P<number>\d{{1,2}})[-/.](?P<day>\d{{1,2}})(?!\d)",
        rf"\b{_DAY}(?: of)? {_MONTH},?(?: {_YEAR})?\b",
        rf"\b{_MONTH} {_DAY}\b(?!:),?(?: {_YEAR})?",
        rf"\b{_MONTH},? {_YEAR}\b",
        rf"\b(?:in|during|since|by|until|early|late|mid|last|this|of) {_MONTH}",
        rf"{_YEAR}年(?:(?P<number>\d{{1,2}})月(?:份|(?P<day>\d{{1,2}})[日号])?)?",
        r"(?<![\d年])(?P<number>\d{1,2})月(?:份|(?P<day>\d{1,2})[日号])?",
        rf"(?<![\d.:/-]){_YEAR}(?![\d.:/年号-])",
    )
)
_COUNT: Final = r"(?P<count>\d{1,3}|a|an|one|two|three|four|five|six|seven|eight|nine|ten|few)"
_AGO: Final = linear(rf"\b(?:a )?(?:couple of|{_COUNT}) (?P<unit>day|week|month|year)s? ago\b")
_AGO_CHINESE: Final = linear(
    r"(?P<count>\d{1,3}|[一二两三四五六七八九十几])个?(?P<unit>天|日|周|星期|礼拜|月|年)(?:以?前|之前)"
)
_LAST: Final = linear(
    r"\b(?P<which>last|past|previous|this) (?P<unit>week|weekend|month|year"
    r"|mon|tues?|wed(?:nes)?|thu(?:rs)?|fri|sat(?:ur)?|sun)(?:day)?\b"
)
_ON: Final = linear(r"\bon (?P<unit>mon|tues?|wednes|thurs|fri|satur|sun)day\b")
_CHINESE_WEEK: Final = linear(
    r"(?P<which>上上|上|这|本)个?(?:周|星期|礼拜)(?P<day>[一二三四五六日天]|末)?"
)
_NAMED_DAYS: Final = (
    (linear(r"\bthe day before yesterday\b|(?<!大)前天"), 2),
    (linear(r"(?<!before )\byesterday\b|\blast night\b|昨[天日晚]"), 1),
    (linear(r"\btoday\b|\btonight\b|\bthis (?:morning|afternoon|evening)\b|今[天日晚]"), 0),
    (linear(r"大前天"), 3),
)
_NAMED_SPANS: Final = (
    (linear(r"上个?月"), "month", 1),
    (linear(r"(?:这|本)个?月"), "month", 0),
    (linear(r"去年"), "year", 1),
    (linear(r"今年"), "year", 0),
    (linear(r"(?<!以)(?<!之)前年"), "year", 2),
)
_THAT_YEAR: Final = linear(r"(?P<which>[今去前])年(?P<number>\d{1,2})月(?:(?P<day>\d{1,2})[日号])?")
_BACK: Final = {"今": 0, "去": 1, "前": 2}
# A date without a year may mean any of the latest ones.
_YEARS_BACK: Final = 5


@dataclass(frozen=True, slots=True)
class TimeWindow:
    """The time a question asks about: from its first moment up to, not including, its end.

    `exact` says that it was named by its date, not as seen from today.
    """

    start: datetime
    end: datetime
    span: Span
    exact: bool


def windows(text: str, *, now: datetime) -> tuple[TimeWindow, ...]:
    """Return the times that a text names, absolute ones and those seen from `now`; days are those
    of its time zone.
    """
    plain = text.casefold()
    years = range(now.year, now.year - _YEARS_BACK, -1)
    found = list(_absolute(plain, years)) or list(_relative(plain, now))
    zone = now.tzinfo
    return tuple(
        replace(one, start=one.start.replace(tzinfo=zone), end=one.end.replace(tzinfo=zone))
        for one in dict.fromkeys(found)
    )


def without_dates(text: str) -> str:
    """Return a text, in lower case, without the dates that it names."""
    plain = text.casefold()
    for pattern in _ABSOLUTE:
        plain = pattern.sub(" ", plain)
    return plain


def moment_of(text: str) -> datetime | None:
    """Return the time that a time stamp in whatever spelling stands for, None if it is none."""
    try:
        moment = datetime.fromisoformat(text.strip())
    except ValueError:
        named = next(_absolute(text.casefold(), ()), None)
        return named.start if named is not None and named.span == "day" else None
    return moment.replace(tzinfo=moment.tzinfo or UTC).astimezone(UTC)


def _absolute(text: str, years: Sequence[int]) -> Iterator[TimeWindow]:
    """Return the windows of the most telling kind of date, in `years` where it names none."""
    for pattern in _ABSOLUTE:
        taken = False
        for match in pattern.finditer(text):
            for window in _of_match(match.groupdict(), years):
                taken = True
                yield window
        if taken:
            return


def _of_match(found: dict[str, str | None], years: Sequence[int]) -> Iterator[TimeWindow]:
    month = _month_of(found)
    day, year = found.get("day"), found.get("year")
    for one in [int(year)] if year else years:
        try:
            if month is None:
                yield _whole_year(one, exact=True)
            elif day is None:
                yield _whole_month(one, month, exact=True)
            else:
                yield _whole_day(date(one, month, int(day)), exact=True)
        except ValueError:
            # No such day, as the 30th of February: not a date.
            continue


def _month_of(found: dict[str, str | None]) -> int | None:
    if name := found.get("month"):
        return _MONTHS[name[:3]]
    return int(number) if (number := found.get("number")) else None


def _relative(text: str, now: datetime) -> Iterator[TimeWindow]:
    today = now.date()
    if match := _THAT_YEAR.search(text):
        year = str(today.year - _BACK[match["which"]])
        yield from _of_match({**match.groupdict(), "year": year}, ())
        return
    for pattern, back in _NAMED_DAYS:
        if pattern.search(text):
            yield _whole_day(today - timedelta(days=back))
    for pattern, span, back in _NAMED_SPANS:
        if pattern.search(text):
            yield _span_back(today, span, back)
    for match in [*_AGO.finditer(text), *_AGO_CHINESE.finditer(text)]:
        yield _ago(match, today)
    for match in _LAST.finditer(text):
        yield _last(match["which"], match["unit"], today)
    for match in _ON.finditer(text):
        yield _whole_day(_weekday_before(today, _WEEKDAYS[match["unit"][:3]]))
    for match in _CHINESE_WEEK.finditer(text):
        yield _chinese_week(match["which"], match["day"], today)


def _ago(match: re.Match[str], today: date) -> TimeWindow:
    word = match["count"] or "couple"
    count = int(word) if word.isdecimal() else _NUMBERS[word]
    days = count * (_UNITS | _UNITS_OF_CHINESE)[match["unit"]]
    day = today - timedelta(days=min(days, 36_500))
    if days == count:
        return _whole_day(day)
    if days == 7 * count:
        return _days(day - timedelta(days=3), 7, "week")
    return _whole_month(day.year, day.month) if days == 30 * count else _whole_year(day.year)


def _last(which: str, unit: str, today: date) -> TimeWindow:
    back = 0 if which == "this" else 1
    if unit in ("month", "year"):
        return _span_back(today, unit, back)
    monday = today - timedelta(days=today.weekday() + 7 * back)
    if unit == "week":
        return _days(monday, 7, "week")
    if unit == "weekend":
        return _days(monday + timedelta(days=5), 2, "week")
    return _whole_day(_weekday_before(today, _WEEKDAYS[unit[:3]]))


def _chinese_week(which: str, day: str | None, today: date) -> TimeWindow:
    back = {"上上": 2, "上": 1}.get(which, 0)
    monday = today - timedelta(days=today.weekday() + 7 * back)
    if day is None:
        return _days(monday, 7, "week")
    if day == "末":
        return _days(monday + timedelta(days=5), 2, "week")
    return _whole_day(monday + timedelta(days=_CHINESE_WEEKDAYS[day]))


def _weekday_before(today: date, weekday: int) -> date:
    return today - timedelta(days=(today.weekday() - weekday - 1) % 7 + 1)


def _span_back(today: date, span: str, back: int) -> TimeWindow:
    if span == "year":
        return _whole_year(today.year - back)
    months = today.year * 12 + today.month - 1 - back
    return _whole_month(months // 12, months % 12 + 1)


def _whole_day(day: date, *, exact: bool = False) -> TimeWindow:
    return _days(day, 1, "day", exact=exact)


def _days(first: date, count: int, span: Span, *, exact: bool = False) -> TimeWindow:
    start = datetime(first.year, first.month, first.day, tzinfo=UTC)
    return TimeWindow(start, start + timedelta(days=count), span, exact)


def _whole_month(year: int, month: int, *, exact: bool = False) -> TimeWindow:
    start = datetime(year, month, 1, tzinfo=UTC)
    end = datetime(year + month // 12, month % 12 + 1, 1, tzinfo=UTC)
    return TimeWindow(start, end, "month", exact)


def _whole_year(year: int, *, exact: bool = False) -> TimeWindow:
    start, end = datetime(year, 1, 1, tzinfo=UTC), datetime(year + 1, 1, 1, tzinfo=UTC)
    return TimeWindow(start, end, "year", exact)
