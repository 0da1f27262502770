"""Take the pictures of the console that the README shows, from the store of the demonstration.

Run it as `python docs/console_pictures.py`; it needs Chromium, whose path may be given.
"""

import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from playwright.sync_api import Page, sync_playwright

from mnemic import open as open_memory
from mnemic.cli.demonstration.demo_store import DemoClock, fill

ROOT: Final = Path(__file__).resolve().parent.parent
PICTURES: Final = ROOT / "docs" / "pictures"
_SIZE: Final = {"width": 1240, "height": 760}
_MOST_BYTES: Final = 150_000


def take(chromium: str) -> None:
    """Fill a store, serve it, and take each picture."""
    sys.path.insert(0, str(ROOT))
    from tests.serving import serving  # noqa: PLC0415  it stands beside the package

    with TemporaryDirectory() as folder:
        path = Path(folder) / "demo.db"
        clock = DemoClock.weeks_ago()
        with open_memory(path, clock=clock, locale="en", durability="off") as memory:
            fill(memory, clock)
        given = {"MNEMIC_LOCALE": "en", "MNEMIC_EMBEDDER": "default"}
        with (
            serving(path, "--auth", "off", **given) as (_, address),
            sync_playwright() as playwright,
        ):
            browser = playwright.chromium.launch(
                executable_path=chromium, args=["--no-sandbox", "--force-device-scale-factor=1"]
            )
            page = browser.new_page(viewport=_SIZE, locale="en-GB", color_scheme="light")  # type: ignore[arg-type]
            _search(page, address)
            _places(page, address)
            browser.close()


def _search(page: Page, address: str) -> None:
    for _ in range(3):  # the first time, the embedder loads
        page.goto(f"{address}/#/search?q=how%20hard%20to%20grip%20a%20mug&scope=collection:kitchen")
        page.reload()
        page.wait_for_selector(".hit")
    hit = page.locator(".hit").first
    hit.get_by_text("Why it was found").click()
    _keep(page, "console-search")


def _places(page: Page, address: str) -> None:
    page.goto(f"{address}/#/places")
    page.wait_for_selector(".cloud[data-whole]")
    canvas = page.locator(".cloud canvas")
    canvas.press("Enter")
    page.get_by_label("Radius").fill("0.35")
    page.locator(".map-side").get_by_label("Question").fill("what went wrong")
    page.get_by_role("button", name="Recall").click()
    page.locator(".map-side .hit").first.wait_for()
    page.evaluate("() => { document.activeElement.blur(); scrollTo(0, 0); }")
    _keep(page, "console-places")


def _keep(page: Page, name: str) -> None:
    path = PICTURES / f"{name}.png"
    page.screenshot(path=path)
    size = path.stat().st_size
    if size > _MOST_BYTES:
        raise SystemExit(f"{path.name} has {size:,} bytes, and {_MOST_BYTES:,} is the most.")


if __name__ == "__main__":
    take(sys.argv[1] if len(sys.argv) > 1 else "/usr/bin/chromium")
