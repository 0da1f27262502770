"""Days that are named as seen from a turn, put as dates: "tomorrow" never becomes a memory."""

import re
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Final

from mnemic.runtime.patterns import linear, opening

_WEEKDAYS: Final = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
_MONTHS: Final = (
    *("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"),
)
_COUNTS: Final = {
    word: number
    for number, words in enumerate(
        (
            *("a an one 一", "two couple 二 两", "three 三", "four 四", "five 五", "six 六"),
            *("seven 七", "eight 八", "nine 九", "ten 十"),
        ),
        1,
    )
    for word in words.split()
}
_CHINESE_WEEKDAYS: Final = {name: at for at, name in enumerate("一二三四五六日")} | {"天": 6}
_NAMED: Final = {
    **dict.fromkeys(("today", "tonight", "this morning", "this afternoon", "this evening"), 0),
    **dict.fromkeys(("tomorrow", "tmrw", "tomorrow morning", "tomorrow night"), 1),
    "the day after tomorrow": 2,
    "day after tomorrow": 2,
    "yesterday": -1,
    "last night": -1,
    **dict.fromkeys(("今天", "今晚", "今早", "今日"), 0),
    **dict.fromkeys(("明天", "明晚", "明早", "明日"), 1),
    "后天": 2,
    "大后天": 3,
    "昨天": -1,
    "昨晚": -1,
    "前天": -2,
}

_WEEKDAY: Final = r"(?:mon|tues?|wed(?:nes)?|thu(?:rs)?|fri|sat(?:ur)?|sun)(?:day)?s?"
_MONTH: Final = (
    r"(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?"
    r"|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)"
)
_COUNT: Final = r"(?:\d{1,3}|an?|one|two|three|four|five|six|seven|eight|nine|ten|couple of)"
_RELATIVE_ENGLISH: Final = (
    r"(?:the )?day after tomorrow|today|tonight|tomorrow|tmrw|yesterday|last night"
    r"|this (?:morning|afternoon|evening)"
    rf"|(?:this coming|this|next|last|coming) (?:{_WEEKDAY}|weekend|week|month|year|spring|summer"
    rf"|fall|autumn|winter)|in (?:a )?{_COUNT} (?:day|week|month|year)s?"
    rf"|{_COUNT} (?:day|week|month|year)s? ago"
    r"|(?<!every )(?<!each )(?:mon|tues|wednes|thurs|fri|satur|sun)day"
)
_ABSOLUTE_ENGLISH: Final = (
    rf"\d{{4}}-\d\d-\d\d|\d{{1,2}}(?:st|nd|rd|th)?(?: of)? {_MONTH}(?:,? \d{{4}})?"
    rf"|{_MONTH}\.? \d{{1,2}}(?:st|nd|rd|th)?(?:,? \d{{4}})?"
)
_HOUR: Final = r"\d{1,2}(?:[:.]\d\d)? ?(?:am|pm|a\.m\.|p\.m\.|o'clock)|\d{1,2}:\d\d|noon|midnight"
_CHINESE_DAY: Final = r"[一二三四五六日天]"
_RELATIVE_CHINESE: Final = (
    r"大后天|[今明后昨前]天|[今明昨]晚|[今明]早"
    rf"|(?:下下|下|这|本|上)个?(?:周|星期|礼拜)(?:{_CHINESE_DAY}|末)?"
    rf"|(?<!每)(?<!每个)(?:周|星期|礼拜)(?:{_CHINESE_DAY}|末)"
    r"|(?:下|这|本|上)个?月(?:\d{1,2}[号日])?|[今明后去]年"
    r"|(?<![月\d])\d{1,2}号|(?:\d{1,3}|[一二两三四五六七八九十])(?:天|个?星期|周|个月|年)[后前]"
)
_ABSOLUTE_CHINESE: Final = (
    r"(?:\d{4}年)?\d{1,2}月\d{1,2}[日号]?|\d{4}[-/.]\d{1,2}[-/.]\d{1,2}"
    r"|[一二三四五六七八九十]{1,2}月[一二三四五六七八九十]{1,3}[日号]"
)

DAYS: Final = {
    "english": rf"{_ABSOLUTE_ENGLISH}|{_RELATIVE_ENGLISH}",
    "chinese": rf"{_ABSOLUTE_CHINESE}|{_RELATIVE_CHINESE}",
}
"""A day as it is named in a text, in each language."""

_RELATIVE: Final = linear(rf"\b(?:{_RELATIVE_ENGLISH})\b|{_RELATIVE_CHINESE}", re.IGNORECASE)
_ABSOLUTE: Final = linear(rf"\b(?:{_ABSOLUTE_ENGLISH})\b|{_ABSOLUTE_CHINESE}", re.IGNORECASE)
_HOURS: Final = linear(
    rf"\b(?:{_HOUR})|(?:早上|上午|中午|下午|傍晚|晚上|凌晨)?(?:\d{{1,2}}|[一二两三四五六七八九十]{{1,3}})"
    r"(?:[:：]\d{2}|点(?:半|一刻|\d{1,2}分?)?)|早上|上午|中午|下午|傍晚|晚上",
    re.IGNORECASE,
)
_NEXT_TO: Final = opening(
    rf"(?P<which>this coming|this|next|last|coming)? ?(?P<day>{_WEEKDAY})$", re.IGNORECASE
)
_SPAN: Final = opening(r"(?P<which>this|next|last|coming) (?P<unit>\w+)$", re.IGNORECASE)
_AWAY: Final = opening(
    rf"(?:in )?(?:a )?(?P<count>{_COUNT}) (?P<unit>day|week|month|year)s?(?P<ago> ago)?$",
    re.IGNORECASE,
)
_CHINESE_WEEK: Final = opening(
    rf"(?P<which>下下|下|这|本|上)?个?(?:周|星期|礼拜)(?P<day>{_CHINESE_DAY}|末)?$"
)
_CHINESE_MONTH: Final = opening(r"(?P<which>下|这|本|上)个?月(?:(?P<day>\d{1,2})[号日])?$")
_CHINESE_AWAY: Final = opening(
    r"(?P<count>\d{1,3}|[一二两三四五六七八九十])(?P<unit>天|个?星期|周|个月|年)(?P<way>[后前])$"
)
_DAY_OF_MONTH: Final = opening(r"(?P<day>\d{1,2})号$")
_WEEKS_ON: Final = {"下下": 2, "下": 1, "上": -1}
_YEARS_ON: Final = {"今年": 0, "明年": 1, "后年": 2, "去年": -1}
_SEASONS: Final = ("spring", "summer", "fall", "autumn", "winter")


@dataclass(frozen=True, slots=True)
class NamedDay:
    """Where a text names a day, and which day that is; empty where nobody can tell."""

    start: int
    end: int
    date: str
    relative: bool


def named_days(text: str, said_at: datetime | None) -> list[NamedDay]:
    """Return the days that a text names, in order. What is seen from the turn needs its time."""
    days: list[NamedDay] = []
    for match in _RELATIVE.finditer(text):
        told = "" if said_at is None else _resolved(match[0].lower(), said_at.date())
        days.append(NamedDay(match.start(), match.end(), told, relative=True))
    taken = [(day.start, day.end) for day in days]
    days += [
        NamedDay(match.start(), match.end(), match[0], relative=False)
        for match in _ABSOLUTE.finditer(text)
        if not any(start < match.end() and match.start() < end for start, end in taken)
    ]
    return sorted(days, key=lambda day: day.start)


def dated(text: str, said_at: datetime | None) -> str:
    """Return a text with the date behind every day that is only named as seen from the turn."""
    parts: list[str] = []
    at = 0
    for day in named_days(text, said_at):
        if day.relative and day.date:
            gap = " " if text[day.end - 1].isascii() else ""
            parts.append(f"{text[at : day.end]}{gap}({day.date})")
            at = day.end
    return "".join([*parts, text[at:]])


def hour_in(text: str, day: NamedDay) -> str:
    """Return the time of day that stands beside a day; empty where none does."""
    match = _HOURS.search(text, day.end) or _HOURS.search(text, 0, day.start)
    return match[0].strip() if match else ""


def without_days(text: str) -> str:
    """Return a text without the days that it names."""
    return _ABSOLUTE.sub(" ", _RELATIVE.sub(" ", text))


def names_relative_day(text: str) -> bool:
    """Tell whether a text says when only as seen from the day on which it was said."""
    return _RELATIVE.search(text) is not None


def _resolved(words: str, today: date) -> str:
    """Return the date of what was named on a day; empty where it is too vague."""
    if words in _NAMED:
        return _iso(today + timedelta(days=_NAMED[words]))
    if match := _NEXT_TO.match(words):
        return _iso(_weekday(match["day"][:3], match["which"] or "", today))
    if match := _SPAN.match(words):
        return _span(match["which"], match["unit"], today)
    if match := _AWAY.match(words):
        sign = -1 if match["ago"] else 1
        return _away(match["count"].split()[0], match["unit"], sign, today)
    return _resolved_chinese(words, today)


def _resolved_chinese(words: str, today: date) -> str:
    if match := _CHINESE_WEEK.match(words):
        return _chinese_week(match["which"] or "", match["day"], today)
    if match := _CHINESE_MONTH.match(words):
        year, month = _month(today, _WEEKS_ON.get(match["which"], 0))
        return f"{year}-{month:02}" + (f"-{int(match['day']):02}" if match["day"] else "")
    if match := _DAY_OF_MONTH.match(words):
        # A day of the month that is over means that of the next one.
        year, month = _month(today, int(int(match["day"]) < today.day))
        return f"{year}-{month:02}-{int(match['day']):02}"
    if match := _CHINESE_AWAY.match(words):
        unit = {"天": "day", "个月": "month", "年": "year"}.get(match["unit"], "week")
        return _away(match["count"], unit, 1 if match["way"] == "后" else -1, today)
    if words in _YEARS_ON:
        return str(today.year + _YEARS_ON[words])
    return _iso(today + timedelta(days=_NAMED[words])) if words in _NAMED else ""


def _iso(day: date) -> str:
    return day.isoformat()


def _weekday(name: str, which: str, today: date) -> date:
    """Return the next such day; "next Friday" is that of the following week."""
    wanted = _WEEKDAYS.index(name)
    if which == "next":
        return today + timedelta(days=7 - today.weekday() + wanted)
    if which == "last":
        return today - timedelta(days=(today.weekday() - wanted - 1) % 7 + 1)
    return today + timedelta(days=(wanted - today.weekday() - 1) % 7 + 1)


def _span(which: str, unit: str, today: date) -> str:
    on = {"next": 1, "coming": 1, "last": -1}.get(which, 0)
    monday = today + timedelta(days=7 * on - today.weekday())
    if unit == "week":
        return f"week of {_iso(monday)}"
    if unit == "weekend":
        saturday = timedelta(days=5 if which != "coming" else -2)
        return f"weekend of {_iso(monday + saturday)}"
    if unit == "month":
        year, month = _month(today, on)
        return f"{year}-{month:02}"
    if unit == "year":
        return str(today.year + on)
    return f"{unit} {today.year + on}" if unit in _SEASONS else ""


def _away(count: str, unit: str, sign: int, today: date) -> str:
    number = sign * (int(count) if count.isdecimal() else _COUNTS[count])
    if unit in ("day", "week"):
        return _iso(today + timedelta(days=number * (7 if unit == "week" else 1)))
    if unit == "month":
        year, month = _month(today, number)
        return f"{year}-{month:02}"
    return str(today.year + number)


def _chinese_week(which: str, day: str | None, today: date) -> str:
    monday = today + timedelta(days=7 * _WEEKS_ON.get(which, 0) - today.weekday())
    if day is None:
        return f"{_iso(monday)} 那周"
    if day == "末":
        return f"{_iso(monday + timedelta(days=5))} 周末"
    found = monday + timedelta(days=_CHINESE_WEEKDAYS[day])
    # A bare weekday that is over means that of the next week.
    return _iso(found + timedelta(days=7) if not which and found < today else found)


def _month(today: date, on: int) -> tuple[int, int]:
    months = today.year * 12 + today.month - 1 + on
    return months // 12, months % 12 + 1
