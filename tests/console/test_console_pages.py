"""Promises of the console's pages: each loads whole, alone, in both languages, wide and narrow."""

from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from tests.console.looking import keep_picture, look_at

PAGES = [
    "overview",
    "search?q=how%20hard%20to%20grip%20a%20mug&why=30",
    "memory/1",
    "memory",
    "chats",
]


@pytest.mark.parametrize(
    ("language", "scheme", "width"), [("en-GB", "light", 1360), ("zh-CN", "dark", 400)]
)
def test_every_page_loads_without_an_error_a_violation_or_a_foreign_request(
    browser: Browser, filled: str, pictures: Path | None, language: str, scheme: str, width: int
) -> None:
    look = look_at(
        browser,
        filled,
        locale=language,
        color_scheme=scheme,
        viewport={"width": width, "height": 840},
    )
    for address in PAGES:
        look.open(address)
        name = address.partition("?")[0]
        keep_picture(look, pictures, f"{name.replace('/', '-')}-{language}-{scheme}-{width}")
        assert look.page.locator(".failure").count() == 0, address
        # Nothing is wider than the window, or people would have to scroll sideways.
        assert look.page.evaluate("document.documentElement.scrollWidth") <= width, address
        assert look.page.locator("h1").inner_text().strip()
    assert look.page.locator("html").get_attribute("lang") == language[:5].replace("en-GB", "en")
    look.context.close()
    assert look.faults == []


def test_every_control_has_a_name_that_a_screen_reader_tells(browser: Browser, filled: str) -> None:
    look = look_at(browser, filled)
    for address in PAGES:
        look.open(address)
        controls = look.page.locator("button, a[href], input, select, textarea, [role=button]")
        for control in controls.all():
            if control.is_visible():
                told = control.evaluate(
                    "(one) => one.getAttribute('aria-label') || one.labels?.[0]?.textContent"
                    " || one.textContent || one.title"
                )
                assert told.strip(), (address, control.evaluate("(one) => one.outerHTML"))
    look.context.close()


def test_the_language_and_the_theme_can_be_switched(browser: Browser, filled: str) -> None:
    look = look_at(browser, filled)
    look.open()
    look.button("中文").click()
    expect(look.page.locator("h1")).to_have_text("概览")
    look.button("English").click()
    expect(look.page.locator("h1")).to_have_text("Overview")
    before = look.page.evaluate("getComputedStyle(document.body).backgroundColor")
    look.button("Light or dark").click()
    assert look.page.evaluate("getComputedStyle(document.body).backgroundColor") != before
    look.context.close()
    assert look.faults == []
