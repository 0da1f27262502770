"""How soon the console shows something, and what its routes cost."""

from typing import Any, Final

from harness.markdown import section, table
from report.goals import Goal, goal
from report.notes import NOTES

# No page of a full store may take this many times as long as that of a small one.
_AS_FAST: Final = 2
_SMOOTH: Final = 30


def write(results: dict[str, Any]) -> str:
    """Return what the pages and their routes take, at each size."""
    console = results["console"]
    if not console:
        return ""
    stores = console["stores"]
    sizes = [f"{int(size):,}" for size in stores]
    first = next(iter(stores.values()))
    pages = table(
        ["page", *(f"{what} at {size}" for what in ("requests", "KB", "ms") for size in sizes)],
        [[f"`#/{name}`", *_columns(stores, name)] for name in first["pages"]],
    )
    routes = table(
        ["route", *(f"CPU ms at {size}" for size in sizes)],
        [
            [f"`{_short(name)}`", *(store["routes"][name] for store in stores.values())]
            for name in first["routes"]
        ],
    )
    frames = ", ".join(
        f"{store['frames_per_second']:.0f} with {int(size):,} points"
        for size, store in stores.items()
    )
    told = f"The map of places drew so many frames a second while it was turned: {frames}."
    return section("## The console", NOTES["console"], pages, routes, told)


def goals(results: dict[str, Any]) -> list[Goal]:
    """Return how little a full store may slow the pages, and how smooth the map is to be."""
    console = results["console"]
    if not console:
        return []
    small, *_, full = console["stores"].values()
    slowest = max(
        float(full["pages"][name]["ms"] / page["ms"]) for name, page in small["pages"].items()
    )
    return [
        goal("the console's slowest page, 100,000 against 1,000", "≤", _AS_FAST, slowest, unit="×"),
        goal("frames a second of 100,000 places", "≥", _SMOOTH, full["frames_per_second"]),
    ]


def _columns(stores: dict[str, Any], name: str) -> list[object]:
    shown = [store["pages"][name] for store in stores.values()]
    requests = [f"{page['requests']:.0f}" for page in shown]
    size = [f"{page['bytes'] / 1000:.0f}" for page in shown]
    return [*requests, *size, *(f"{page['ms']:.0f}" for page in shown)]


def _short(route: str) -> str:
    return route.partition("?")[0]
