"""The tables of `chat.py` and `chat_context.py`: what requests cost, and what is injected."""

from typing import Any, Final

from pages import day, section, share, table

Judged = tuple[str, str, float | str | None, bool | None]

_KINDS: Final = {
    "create": "`POST /memories`",
    "create_and_embed": "the same with the worker, until it has its vector",
    "get": "`GET /memories/{id}`",
    "list": "`GET /memories`, 50 of one scope",
    "q": "`GET /memories?q=…`, 50 of one scope",
    "stats": "`GET /memories/stats`",
    "context": "`POST /sessions/{id}/context`",
}
_COMPARED_AT: Final = "11000"
_SMALLEST, _LARGEST = "1000", "100000"
_MOST: Final = {"create": 1.2, "get": 0.6, "list": 3.0, "q": 3.0, "stats": 3.0}
_GROWTH: Final = 2.0
_FLAT: Final = ("list", "q", "stats")
# A Node service on SQLite, measured at 11,000 items in the same way.
_PEER: Final = {
    "create": "1.1–1.3",
    "get": "0.5–0.75",
    "list": "21–22",
    "q": "13–17",
    "stats": "21–24",
}
_SETS: Final = {"locomo": "LoCoMo (English)", "memdaily": "MemDaily (Chinese)"}
_LAYOUTS: Final = {
    "turns": "as turns, taken in and compacted without a language model",
    "items": "as items, one for each message",
}
_MEASURES: Final = ("any", "all", "coverage")

_COST_NOTE: Final = """\
CPU milliseconds of the server's process per request: `mnemic serve` on SQLite with its usual
durability, on uvloop and httptools, one connection, one request after the other, the median of
three rounds. All items are in one branch. Creating is measured without the worker, which embeds
what was created, and with it. The word that `q` looks for is one of an item, in English or
Chinese; a context is asked for with the beginning of one. Measure it again:

```
python benchmarks/chat.py --sizes 1000,10000,11000,100000
```
"""

_CONTEXT_NOTE: Final = """\
Conversations are fed to a chat, and every question is asked with a budget of 500 tokens. A message
that answers the question counts as represented where at least half of its telling words stand in
the block: the share of questions for which one is, and for which all are, and how much of their
words is there. Measure it again with `python benchmarks/chat_context.py`.
"""


def section_of(results: dict[str, dict[str, Any]]) -> str:
    """Return what the requests of a chat cost, and how much of what answers is injected."""
    title = "## What a chat app gets"
    return section(title, _costs(results["chat"]), _contexts(results["chat_context"]))


def goals(results: dict[str, dict[str, Any]]) -> list[Judged]:
    """Return what was to be reached, with what was measured."""
    judged: list[Judged] = []
    for kind, most in _MOST.items():
        value = _cpu(results["chat"], _COMPARED_AT, kind)
        met = None if value is None else value <= most
        judged.append((f"{_KINDS[kind]} at 11,000 items, CPU ms", f"≤ {most:g}", value, met))
    for kind in _FLAT:
        small, large = (_cpu(results["chat"], size, kind) for size in (_SMALLEST, _LARGEST))
        times = large / small if small and large else None
        met = None if times is None else times <= _GROWTH
        what = f"{_KINDS[kind]} at 100,000 items: times the cost at 1,000"
        judged.append((what, f"≤ {_GROWTH:g}", times, met))
    return [*judged, *_context_goals(results["chat_context"])]


def _context_goals(measured: dict[str, Any]) -> list[Judged]:
    judged: list[Judged] = []
    for layout in _LAYOUTS:
        found = measured.get("sets", {}).get("locomo", {}).get(layout)
        what = f"LoCoMo, {layout}: questions with an answer in 500 tokens, `relevance`"
        if not found:
            judged.append((what, "more than others", None, None))
            continue
        ours = found["relevance"]["any"]
        best = max(found[other]["any"] for other in ("importance", "balanced"))
        judged.append((what, f"> {best:.3f}, of the others", share(ours), ours > best))
    return judged


def _cpu(chat: dict[str, Any], size: str, kind: str) -> float | None:
    return chat.get("sizes", {}).get(size, {}).get("costs", {}).get(kind, {}).get("cpu_ms")


def _costs(chat: dict[str, Any]) -> str:
    sizes = list(chat.get("sizes", {}))
    if not sizes:
        return ""
    rows: list[list[object]] = [
        [title, *(_cpu(chat, size, kind) for size in sizes), _PEER.get(kind)]
        for kind, title in _KINDS.items()
    ]
    memory = [chat["sizes"][size] for size in sizes]
    rows.append(["bytes each on disk", *(one["bytes_each"] for one in memory), None])
    rows.append(["resident MB of the server", *(one["rss_mb"] for one in memory), None])
    columns = ["", *(f"{int(size):,} items" for size in sizes), "a peer at 11,000"]
    return section("### What a request costs", _COST_NOTE, table(columns, rows))


def _contexts(measured: dict[str, Any]) -> str:
    parts = [
        section(
            f"#### {title}, {shown}",
            table(
                ["", "one", "all", "of their words", "tokens"],
                [
                    [f"`{strategy}`", *(share(one[key]) for key in _MEASURES), one["tokens"]]
                    for strategy, one in measured["sets"][name][layout].items()
                ],
            ),
        )
        for name, title in _SETS.items()
        for layout, shown in _LAYOUTS.items()
        if layout in measured.get("sets", {}).get(name, {})
    ]
    if not parts:
        return ""
    when = f"Measured on {day(measured)}.\n"
    return section("### What is injected for a question", _CONTEXT_NOTE, when, *parts)
