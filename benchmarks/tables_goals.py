"""What was to be reached, and whether it was."""

from typing import Any, Final

import tables_assistant
import tables_chat
import tables_postgres
import tables_server
from pages import share, table
from tables_costs import bytes_each, cpu_of, trial_of
from tables_quality import SETS

_LARGEST: Final = 100_000
_HUGE: Final = "1000000"

Judged = tuple[str, str, float | str | None, bool | None]


def section_of(results: dict[str, dict[str, Any]]) -> str:
    """Return the goals with what was measured."""
    judged = [
        *_cost_goals(results["robot-full"]),
        *_recall_goals(results),
        *tables_postgres.goals(results),
        *tables_assistant.goals(results),
        *tables_chat.goals(results),
        *tables_server.goals(results),
        *_quality_goals(results["quality"]),
    ]
    first = results["startup"].get("server", {}).get("to the first answer, wall ms")
    judged.append(
        ("`mnemic mcp` to its first answer, wall ms", "< 1,000", first, _under(first, 1000))
    )
    rows = [
        [what, goal, "–" if value is None else value, _verdict(met=met)]
        for what, goal, value, met in judged
    ]
    columns = ["what", "goal", "measured", ""]
    return f"## Goals, and whether they were reached\n\n{table(columns, rows)}"


def _verdict(*, met: bool | None) -> str:
    return "not measured" if met is None else ("reached" if met else "**missed**")


def _under(value: float | None, most: float) -> bool | None:
    return None if value is None else value <= most


def _over(value: float | None, least: float) -> bool | None:
    return None if value is None else value >= least


def _cost_goals(robot: dict[str, Any]) -> list[Judged]:
    ours = trial_of(robot, "vectors", _LARGEST)
    learn, alone = cpu_of(ours, "learn"), ours.get("embedding", {}).get("learn_cpu_ms")
    rest = None if learn is None or alone is None else learn - alone
    goals = [
        ("learn at 100,000, without embedding, CPU ms", 1, rest),
        (
            "recall at 100,000, words and vectors, embedding included, CPU ms",
            12,
            cpu_of(ours, "recall"),
        ),
        ("the same inside a collection of 1,000, CPU ms", 5, cpu_of(ours, "recall_in_cell")),
        ("end of a session at 100,000, CPU ms", 10, cpu_of(ours, "end_session")),
        ("bytes per memory on disk, with its vector", 2_500, bytes_each(ours) if ours else None),
    ]
    return [(what, f"≤ {most:,}", value, _under(value, most)) for what, most, value in goals]


def _recall_goals(results: dict[str, dict[str, Any]]) -> list[Judged]:
    huge = results["recall-full"].get("sizes", {}).get(_HUGE, {})
    kinds = huge.get("kinds", {})
    judged: list[Judged] = []
    for what, kind, most in (
        ("recall at 1,000,000, mixed words, CPU ms", "mixed", 40),
        ("the same, common words only, CPU ms", "common words", 40),
        ("the same inside a scope of 1,000, CPU ms", "in a scope of 1,000", 10),
    ):
        value = kinds.get(kind, {}).get("cpu_ms")
        judged.append((what, f"≤ {most}", value, _under(value, most)))
    return judged + [goal for name in ("recall", "recall-full") for goal in _right(results[name])]


def _right(recall: dict[str, Any]) -> list[Judged]:
    judged: list[Judged] = []
    for size, one in recall.get("sizes", {}).items():
        shown = f"{int(size):,}"
        found = one["cosine"]["recall"]
        what = f"true best 10 by cosine that are found, at {shown}"
        judged.append((what, "≥ 0.98", share(found), _over(found, 0.98)))
        common = (one["agreement"] or {}).get("common words", {}).get("same_place")
        what = f"common words: places that are the exact ones, at {shown}"
        judged.append((what, "≥ 0.97", share(common), _over(common, 0.97)))
        missed = one["freshness"]["missed"]
        what = f"learned by another process and not found at once, at {shown}"
        judged.append((what, "0", missed, missed == 0))
    return judged


def _quality_goals(quality: dict[str, Any]) -> list[Judged]:
    judged: list[Judged] = []
    for name, (title, five, ten) in SETS.items():
        found = quality.get(name, {}).get("hybrid")
        shown = f"{found['recall@5']:.3f} / {found['recall@10']:.3f}" if found else None
        met = found["recall@5"] >= five and found["recall@10"] >= ten if found else None
        goal = f"≥ {five:.2f} / ≥ {ten:.2f}"
        judged.append((f"{title}, recall@5 / @10, development half", goal, shown, met))
    for language, _, right, *_ in quality.get("classify", {}).get("languages", []):
        spoken = {"en": "English", "zh": "Chinese"}[language]
        what = f"category of a sentence, {spoken}, development half"
        judged.append((what, "≥ 0.85", share(right), right >= 0.85))
    return judged
