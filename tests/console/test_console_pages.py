"""Promises of the console's pages: each loads whole, alone, in both languages, wide and narrow."""

import re
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from tests.console.looking import keep_picture, look_at

PAGES = [
    "overview",
    "search?q=how%20hard%20to%20grip%20a%20mug&why=30",
    "memory/28",
    "memory",
    "timeline",
    "graph",
    "people",
    "chats",
    "places",
    "perceptions",
    "jobs",
    "keys",
    "connect",
]
UNNAMED = """() => [...document.querySelectorAll(
  "button, a[href], input, select, textarea, progress, meter, canvas, [role=button], [role=img]")]
  .filter((one) => one.checkVisibility() && !(one.getAttribute("aria-label")
    || one.labels?.[0]?.textContent || one.textContent || one.title || "").trim())
  .map((one) => one.outerHTML.slice(0, 200))"""


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
        name = re.split("[?/]", address)[0]
        keep_picture(look, pictures, f"{name}-{language}-{scheme}-{width}")
        assert look.page.locator(".failure").count() == 0, address
        # Nothing is wider than the window, or people would have to scroll sideways.
        assert look.page.evaluate("document.documentElement.scrollWidth") <= width, address
        assert look.page.locator("h1").inner_text().strip()
        assert look.page.evaluate(UNNAMED) == [], "a screen reader has no name for it"
    assert look.page.locator("html").get_attribute("lang") == language[:5].replace("en-GB", "en")
    look.context.close()
    assert look.faults == []


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
