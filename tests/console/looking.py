"""Somebody who looks at the console: a page of a browser, with everything that went wrong in it."""

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final
from urllib.parse import quote, urlsplit

from playwright.sync_api import Browser, BrowserContext, Locator, Page, expect

WIDE: Final = {"width": 1360, "height": 860}
_PATIENCE: Final = 15_000


@dataclass
class Look:
    """One browser window on one server."""

    page: Page
    context: BrowserContext
    server: str
    faults: list[str] = field(default_factory=list[str])

    def open(self, address: str = "overview") -> None:
        """Open a page of the console by its address behind the `#`, and wait until it is there."""
        self.page.goto(f"{self.server}/#/{address}")
        self.ready(address.partition("?")[0].partition("/")[0])

    def ready(self, name: str) -> None:
        """Wait until a page is shown whole."""
        self.page.wait_for_selector(f'.page[data-page="{name}"][data-ready]')

    def find(self, question: str, **options: str) -> None:
        """Open the search page with a question."""
        rest = "".join(f"&{name}={quote(value)}" for name, value in options.items())
        self.open(f"search?q={quote(question)}{rest}")

    def button(self, name: str, *, within: Locator | None = None) -> Locator:
        """Return a button by what stands on it."""
        return (within or self.page).get_by_role("button", name=name, exact=True)

    def dialog(self) -> Locator:
        """Return the dialog that is open."""
        return self.page.locator("dialog[open]")

    def notice(self, told: str) -> None:
        """Wait for a notice."""
        expect(self.page.locator(".notice")).to_contain_text(told)


def look_at(browser: Browser, server: str, **options: Any) -> Look:
    """Open a window that notes every error, every violation of the policy, and every request to
    somewhere else.
    """
    given: dict[str, Any] = {
        "viewport": WIDE,
        "locale": "en-GB",
        "color_scheme": "light",
        **options,
    }
    context = browser.new_context(**given)
    context.set_default_timeout(_PATIENCE)
    page = context.new_page()
    look = Look(page, context, server)
    own = urlsplit(server).netloc

    def note(kind: str) -> Callable[[Any], None]:
        return lambda told: look.faults.append(f"{kind}: {told}")

    page.on("pageerror", note("error"))
    page.on(
        "console",
        lambda told: note(told.type)(told.text) if told.type in ("error", "warning") else None,
    )
    page.on(
        "request",
        lambda sent: None if urlsplit(sent.url).netloc == own else note("foreign")(sent.url),
    )
    page.on("dialog", lambda shown: look.faults.append(f"script ran: {shown.message}"))
    return look


def keep_picture(look: Look, folder: Path | None, name: str) -> None:
    """Keep a picture of what is shown, where pictures are wanted."""
    if folder is not None:
        look.page.screenshot(path=folder / f"{name}.png")
