"""What the requests of a chat cost, and how much of what answers is injected."""

from typing import Any, Final

from harness.markdown import day, lookup, section, share, table
from report.goals import Goal, goal, ratio
from report.notes import NOTES

_REQUESTS: Final = {
    "create": "`POST /memories`",
    "create_and_embed": "the same with the worker, until it has its vector",
    "get": "`GET /memories/{id}`",
    "list": "`GET /memories`, 50 of one scope",
    "q": "`GET /memories?q=…`, 50 of one scope",
    "stats": "`GET /memories/stats`",
    "context": "`POST /sessions/{id}/context`",
}
_EDITS: Final = {
    "bulk_ms": "`POST …/turns/bulk`, CPU ms a turn",
    "ingest_ms": "its memory in the background, CPU ms a turn",
    "costs/add": "add a turn, CPU ms in all",
    "costs/swipe": "swipe the last one",
    "costs/edit": "edit floor 3",
    "costs/edit_worst": "the worst of these",
    "costs/fork": "fork at the end",
    "context/alone_p95_ms": "a block of another session, ms, 95 of 100 take less",
    "context/beside_p95_ms": "the same while floor 3 is edited all the time",
}
_MOST_MS: Final = {"create": 1.2, "get": 0.6, "list": 3, "q": 3, "stats": 3}
# A Node service on SQLite, measured at 11,000 items in the same way.
_PEER: Final = {
    "create": "1.1–1.3",
    "get": "0.5–0.75",
    "list": "21–22",
    "q": "13–17",
    "stats": "21–24",
}
_SETS: Final = {
    "locomo": "LoCoMo",
    "realtalk": "REALTALK",
    "beam": "BEAM",
    "memdaily": "MemDaily (Chinese)",
    "english": "role-play, English",
    "chinese": "role-play, Chinese",
}
_WAYS: Final = {
    **{name: f"`{name}`" for name in ("relevance", "importance", "balanced", "dual_summary")},
    "summaries": "a summary of each turn, uncompacted",
    "recency": "the newest messages",
}
_LEAST: Final = {"locomo": 0.75, "realtalk": 0.75, "beam": 0.72, "english": 0.95, "chinese": 0.95}
_MOST_SMALL_TALK: Final = 60


def write(results: dict[str, Any]) -> str:
    """Return what requests cost, and what is injected for a question."""
    contexts = results["chat_context"]
    measured = f"Measured on {day(contexts)}.\n" if contexts else ""
    parts = write_contexts(contexts)
    injected = section(
        "### What is injected for a question", NOTES["chat-context"], measured, *parts
    )
    costs, edits = write_costs(results["chat"]), write_edits(results["chat_edits"])
    return section("## What a chat app gets", costs, edits, injected if parts else "")


def write_costs(chat: dict[str, Any]) -> str:
    """Return what each request costs at every size."""
    sizes = chat.get("sizes", {})
    rows: list[list[object]] = [
        [title, *(_cpu_ms(chat, size, kind) for size in sizes), _PEER.get(kind)]
        for kind, title in _REQUESTS.items()
    ]
    stored = {"bytes each on disk": "bytes_each", "resident MB of the server": "rss_mb"}
    rows += [
        [title, *(measured[key] for measured in sizes.values()), None]
        for title, key in stored.items()
    ]
    titles = ["", *(f"{int(size):,} items" for size in sizes), "a peer at 11,000"]
    costs = table(titles, rows)
    return section("### What a request costs", NOTES["chat"], costs) if sizes else ""


def write_edits(edits: dict[str, Any]) -> str:
    """Return what each change of a long chat costs, at every length."""
    sizes = edits.get("sizes", {})
    rows: list[list[object]] = [
        [title, *(lookup(measured, path) for measured in sizes.values())]
        for path, title in _EDITS.items()
    ]
    titles = ["", *(f"{int(size):,} turns" for size in sizes)]
    title = "### What a change of a long chat costs"
    return section(title, NOTES["chat-edits"], table(titles, rows)) if sizes else ""


def write_contexts(contexts: dict[str, Any]) -> list[str]:
    """Return for how many questions the evidence stands in the block, by set, way and budget."""
    sets = contexts.get("sets", {})
    if not sets:
        return []
    budgets = contexts["budgets"]
    rows: list[list[object]] = []
    for name, found in sets.items():
        for way, title in _WAYS.items():
            own = found["ways"].get(way, {})
            shares = [share(lookup(own, f"{budget}/evidence")) for budget in budgets]
            halves = [share(lookup(own, f"500/{half}")) for half in ("even", "odd")]
            rows.append([_SETS[name], title, *shares, *halves, lookup(own, "500/tokens")])
    budget_titles = [f"{budget:,} tokens" for budget in budgets]
    halves = ["500, even questions", "500, odd"]
    by_way = table(["set", "way", *budget_titles, *halves, "tokens of 500"], rows)
    talk = [
        [_SETS[name], *(found["small_talk"][key] for key in ("messages", "tokens", "most"))]
        for name, found in sets.items()
    ]
    small = table(["set", "small talk", "tokens on average", "at most"], talk)
    return [by_way, small]


def goals(results: dict[str, Any]) -> list[Goal]:
    """Return what requests and blocks were to reach."""
    chat = results["chat"]
    judged = [
        goal(f"{_REQUESTS[kind]} at 11,000 items, CPU ms", "≤", most, _cpu_ms(chat, "11000", kind))
        for kind, most in _MOST_MS.items()
    ]
    for kind in ("list", "q", "stats"):
        times = ratio(_cpu_ms(chat, "100000", kind), _cpu_ms(chat, "1000", kind))
        what = f"{_REQUESTS[kind]} at 100,000 items: times the cost at 1,000"
        judged.append(goal(what, "≤", 2, times))
    return [*judged, *_context_goals(results["chat_context"])]


def _context_goals(contexts: dict[str, Any]) -> list[Goal]:
    judged = [
        goal(
            f"{_SETS[name]}: questions with their evidence in 500 tokens, `relevance`",
            "≥",
            least,
            lookup(contexts, f"sets/{name}/ways/relevance/500/evidence"),
        )
        for name, least in _LEAST.items()
    ]
    most = max(
        (found["small_talk"]["most"] for found in contexts.get("sets", {}).values()), default=None
    )
    return [*judged, goal("small talk: tokens of a block, at most", "≤", _MOST_SMALL_TALK, most)]


def _cpu_ms(chat: dict[str, Any], size: str, kind: str) -> float | None:
    return lookup(chat, f"sizes/{size}/costs/{kind}/cpu_ms")
