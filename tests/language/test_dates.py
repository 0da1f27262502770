"""Which times a question asks about, in both languages."""

from datetime import UTC, datetime

import pytest

from mnemic.language.dates import moment_of, windows

# A Monday.
NOW = datetime(2026, 3, 9, 12, tzinfo=UTC)


def spans(text: str) -> list[str]:
    found = windows(text, now=NOW)
    return [f"{one.start:%Y-%m-%d}..{one.end:%Y-%m-%d}" for one in found]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("What happened on 7 June 2024?", "2024-06-07..2024-06-08"),
        ("What happened on June 7th, 2024?", "2024-06-07..2024-06-08"),
        ("the run of 2024-06-07", "2024-06-07..2024-06-08"),
        ("Where was she in May 2023?", "2023-05-01..2023-06-01"),
        ("30 February 2024 was cold", "2024-02-01..2024-03-01"),
        ("what failed in 2022", "2022-01-01..2023-01-01"),
        ("2024年6月7日发生了什么", "2024-06-07..2024-06-08"),
        ("2023年5月她在哪里", "2023-05-01..2023-06-01"),
        ("去年12月的会议", "2025-12-01..2026-01-01"),
        ("what did I eat yesterday", "2026-03-08..2026-03-09"),
        ("the day before yesterday", "2026-03-07..2026-03-08"),
        ("what did we say last Tuesday", "2026-03-03..2026-03-04"),
        ("on Friday", "2026-03-06..2026-03-07"),
        ("last week", "2026-03-02..2026-03-09"),
        ("last weekend", "2026-03-07..2026-03-09"),
        ("last month", "2026-02-01..2026-03-01"),
        ("last year", "2025-01-01..2026-01-01"),
        ("three days ago", "2026-03-06..2026-03-07"),
        ("a couple of weeks ago", "2026-02-20..2026-02-27"),
        ("昨天", "2026-03-08..2026-03-09"),
        ("前天", "2026-03-07..2026-03-08"),
        ("大前天", "2026-03-06..2026-03-07"),
        ("上周六", "2026-03-07..2026-03-08"),
        ("两周前", "2026-02-20..2026-02-27"),
        ("3天前", "2026-03-06..2026-03-07"),
        ("上个月", "2026-02-01..2026-03-01"),
        ("前年", "2024-01-01..2025-01-01"),
    ],
)
def test_a_time_is_understood(text: str, expected: str) -> None:
    assert spans(text) == [expected]


def test_a_date_without_a_year_may_be_of_any_of_the_latest() -> None:
    assert spans("on 7 June")[0] == "2026-06-07..2026-06-08"
    assert "2024-06-07..2024-06-08" in spans("6月7日")


@pytest.mark.parametrize(
    "text",
    [
        *("May I open the door?", "it may rain", "version 3.2024"),
        *("march on", "the second door", "一月一次也没有", "房间 2024号", "12.5 N", "", "3:04"),
    ],
)
def test_what_is_no_time_is_not_taken_for_one(text: str) -> None:
    assert spans(text) == []


@pytest.mark.parametrize(
    ("stamp", "expected"),
    [
        ("2024-06-07T13:56:00Z", "2024-06-07T13:56:00+00:00"),
        ("2024-06-07T13:56:00+02:00", "2024-06-07T11:56:00+00:00"),
        ("2024-06-07 13:56", "2024-06-07T13:56:00+00:00"),
        ("4:04 pm on 20 January, 2023", "2023-01-20T00:00:00+00:00"),
        ("2024年04月01日 周一 08:25", "2024-04-01T00:00:00+00:00"),
    ],
)
def test_a_time_stamp_in_any_spelling_is_read(stamp: str, expected: str) -> None:
    moment = moment_of(stamp)

    assert moment is not None
    assert moment.isoformat() == expected


@pytest.mark.parametrize("stamp", ["", "soon", "7 June", "yesterday", "in 2024"])
def test_a_time_stamp_without_a_day_is_none(stamp: str) -> None:
    assert moment_of(stamp) is None
