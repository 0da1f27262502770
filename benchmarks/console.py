"""How soon does each page of the console show something, and what do its routes cost the server?

    python benchmarks/console.py [--sizes 1000,100000] [--rounds 3]

A store of robots' experiences is filled, every one of which has a place, with some perceptions, a
person and a chat beside them. `mnemic serve` runs on it, and Chromium opens each page with nothing
kept from before: measured are requests, bytes, and the milliseconds from the start until the page
shows what it is for, in the median round. Then each route that the pages ask is sent as it is
twenty times, for the CPU time of the server's process. On the largest store the map of places is
turned for two seconds, and its frames are counted. Chromium is Debian's, without a graphics card.
"""

import argparse
import json
from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import Any, Final

from playwright.sync_api import Browser, Page, sync_playwright

import mnemic
from harness.options import Options
from harness.results import Result, conditions, progress, save
from harness.sentences import Writer
from mnemic.opening import OpenMemory
from mnemic.records.conversation import Line
from mnemic.records.memory import Draft, Payload
from report import console as report
from speed.http_server import Server

_SIZES: Final = (1_000, 100_000)
_PERCEPTIONS: Final = 20
_PERSON: Final = 40
_ROUTE_CALLS: Final = 20
_FRAMES_MS: Final = 2_000
_PLACE: Final = "spatial.object_position"
_PAGES: Final = (
    *("overview", "search?q=how hard to grip a mug", "memory", "memory/1", "timeline", "graph/1"),
    *("people/anna", "chats", "places", "perceptions", "jobs", "keys", "connect"),
)
_ROUTES: Final[tuple[tuple[str, str, dict[str, Any] | None], ...]] = (
    ("GET", "/overview", None),
    ("GET", "/attention", None),
    ("GET", "/events?limit=100", None),
    ("GET", "/episodes?limit=100", None),
    ("GET", "/scopes?kind=user", None),
    ("GET", "/points/paths", None),
    ("GET", f"/points?path={_PLACE}&color=task.success&limit=20000", None),
    ("GET", "/perceptions", None),
    ("GET", "/payloads/{payload}", None),
    ("GET", "/payloads/{payload}/values?path=newton&values=800", None),
    ("GET", "/graph?memory_id=1", None),
    ("GET", "/sources/1", None),
    ("GET", "/memory/jobs?limit=50", None),
    ("POST", "/explain", {"text": "how hard to grip a mug"}),
)
# When the page says that it is whole, and that frame has been drawn.
_WATCH: Final = """
new MutationObserver(() => {
  if (window.shownAt || !document.querySelector(".page[data-ready]")) return;
  window.shownAt = -1;
  requestAnimationFrame(() => setTimeout(() => (window.shownAt = performance.now())));
}).observe(document, { subtree: true, childList: true, attributes: true });
"""
_SHOWN: Final = """() => new Promise((done) => {
  const look = () => (window.shownAt > 0 ? done(window.shownAt) : setTimeout(look, 5));
  look();
})"""
_TURN: Final = """(milliseconds) => new Promise((done) => {
  const canvas = document.querySelector(".cloud canvas");
  let frames = 0;
  const began = performance.now();
  const step = () => {
    const passed = performance.now() - began;
    if (passed > milliseconds) return done((frames * 1000) / passed);
    canvas.dispatchEvent(new KeyboardEvent("keydown", { key: "ArrowRight" }));
    frames += 1;
    requestAnimationFrame(step);
  };
  step();
})"""


def main(arguments: Sequence[str] | None = None) -> None:
    parser = Options(__doc__)
    parser.sizes(*_SIZES)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--browser", default="/usr/bin/chromium", help="where Chromium is")
    parser.seed()
    options = parser.parse_args(arguments)
    result: Result = {"run": conditions(seed=options.seed), "rounds": options.rounds, "stores": {}}
    for size in options.sizes:
        with TemporaryDirectory() as folder:
            result["stores"][str(size)] = _measure(Path(folder) / "memory.db", size, options)
    print(report.write({"console": result}))
    save("console", result, complete=tuple(options.sizes) == _SIZES)


def _measure(database: Path, size: int, options: argparse.Namespace) -> Result:
    progress(f"filling {size:,}")
    payload = _fill(database, size, options.seed)
    with (
        Server(database, embedder="hashing", worker=True) as server,
        sync_playwright() as playwright,
    ):
        chromium = playwright.chromium.launch(
            executable_path=options.browser, args=["--no-sandbox"]
        )
        address = "http://{}:{}".format(*server.address)
        pages: dict[str, Result] = {}
        for page in _PAGES:
            progress(f"{size:,}: {page}")
            opened = [_open(chromium, f"{address}/#/{page}") for _ in range(options.rounds)]
            name = page.split("?")[0]
            pages[name] = {key: median(one[key] for one in opened) for key in opened[0]}
        frames = _frames(chromium, f"{address}/#/places", size)
        chromium.close()
        routes = {
            f"{method} {path}": _route(server, method, path.format(payload=payload), body)
            for method, path, body in _ROUTES
        }
    return {"pages": pages, "routes": routes, "frames_per_second": frames}


def _fill(database: Path, size: int, seed: int) -> int:
    """Fill a store; return which memory has a payload."""
    lessons = Writer(seed).experiences(size)
    payload = 0
    with mnemic.open(database, embedder="hashing", durability="off") as memory:
        while batch := list(islice(lessons, 1_000)):
            memory.remember_many(
                [Draft(lesson.text, context=lesson.context, dedup=False) for lesson in batch]
            )
        felt = json.dumps({"hz": 100, "newton": [number % 97 / 7 for number in range(10_000)]})
        for _ in range(_PERCEPTIONS):
            sensed = Draft("Felt", kind="perception", payload=Payload(felt), dedup=False)
            payload = memory.remember(sensed).memory.id
        _others(memory)
    return payload


def _others(memory: OpenMemory) -> None:
    for number in range(_PERSON):
        told = f"My drawer {number} holds {number} keys."
        given = {"content": told, "memory_type": "core", "user_id": "anna"}
        memory.assistant.call("memory_add", given)
    memory.chat.create_session("a story")
    for number in range(_PERSON):
        memory.chat.add_turn("a story", [Line("user", f"I am at house {number}.")], mode="sync")


def _open(chromium: Browser, address: str) -> Result:
    """Open a page as somebody does who was never here."""
    context = chromium.new_context(viewport={"width": 1360, "height": 860}, locale="en-GB")
    page = context.new_page()
    page.add_init_script(_WATCH)
    seen: dict[str, int] = {"requests": 0, "bytes": 0}
    for name, count in _counted(seen):
        session = context.new_cdp_session(page)
        session.send("Network.enable")
        session.on(name, count)
    page.goto(address)
    page.wait_for_selector(".page[data-ready]", timeout=60_000)
    shown: float = page.evaluate(_SHOWN)
    context.close()
    return {**seen, "ms": shown}


def _counted(seen: dict[str, int]) -> Iterator[tuple[str, Any]]:
    def sent(_: object) -> None:
        seen["requests"] += 1

    def came(told: dict[str, Any]) -> None:
        seen["bytes"] += int(told["encodedDataLength"])

    yield "Network.requestWillBeSent", sent
    yield "Network.loadingFinished", came


def _frames(chromium: Browser, address: str, size: int) -> float:
    """Turn the map for a while; return how many frames a second it drew."""
    page: Page = chromium.new_page(viewport={"width": 1360, "height": 860})
    page.goto(address)
    page.wait_for_selector(f".cloud[data-whole] canvas[data-points='{size}']", timeout=120_000)
    frames: float = page.evaluate(_TURN, _FRAMES_MS)
    page.close()
    return frames


def _route(server: Server, method: str, path: str, body: dict[str, Any] | None) -> float:
    """Return the CPU milliseconds of the server for one request."""

    def ask() -> None:
        if method == "GET":
            server.get(path)
        else:
            server.post(path, body or {}, status=200)

    ask()
    before = server.cpu_ms()
    for _ in range(_ROUTE_CALLS):
        ask()
    return (server.cpu_ms() - before) / _ROUTE_CALLS


if __name__ == "__main__":
    main()
