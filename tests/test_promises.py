"""The page of promises names tests that exist, and every promise has one."""

import re
from pathlib import Path

TESTS = Path(__file__).parent
PAGE = TESTS.parent / "docs" / "explanation" / "promises.md"

_ROW = re.compile(r"^\| (?!promise |---)(.+?) \| (.+?) \|.*\|$", re.MULTILINE)


def test_every_test_that_a_promise_names_exists() -> None:
    defined = {
        name
        for path in TESTS.rglob("test_*.py")
        for name in re.findall(r"^def (test_\w+)\(", path.read_text("utf-8"), re.MULTILINE)
    }
    named = re.findall(r"`(test_\w+)`", PAGE.read_text("utf-8"))

    assert len(named) > 60
    assert [name for name in named if name not in defined] == []


def test_every_promise_names_a_test_or_says_that_it_is_measured() -> None:
    rows = _ROW.findall(PAGE.read_text("utf-8"))

    assert len(rows) > 40
    untested = [promise for promise, tests in rows if not re.search(r"`test_\w+`", tests)]
    assert untested == ["How well it finds"]
