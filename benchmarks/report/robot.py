"""What a robot's call costs."""

from typing import Any, Final

from harness.markdown import Column, columns, day, records, section
from report.goals import Goal, goal
from report.notes import NOTES

PROGRAMS: Final = {
    "words": "Mnemic, words only",
    "vectors": "Mnemic, with vectors",
    "robotmem": "robotmem 0.1.3, words only",
}
_CALLS: Final = {
    "learn": "learn",
    "recall": "recall",
    "recall_filtered": "recall with a filter on the outcome",
    "recall_in_cell": "recall inside a collection of 1,000",
    "end_session": "end_session",
    "open": "opening the store and the first recall",
}
_SIZE: Final = Column("memories", "size")
_COSTS: Final = {"CPU median": "cpu_ms", "CPU worst": "cpu_ms_worst", "wall median": "wall_ms"}
_LARGEST: Final = 100_000


def write(results: dict[str, Any]) -> str:
    """Return what robot calls cost, the full run before the small one."""
    runs = (("robot-full", "full run"), ("robot", "small run"))
    parts = [write_run(results[name], title) for name, title in runs if results[name]]
    return section("## What a robot's call costs", *parts)


def write_run(robot: dict[str, Any], title: str) -> str:
    """Return what every call and the store cost in one run."""
    trials = [
        (program, trial)
        for name, program in PROGRAMS.items()
        for trial in robot["trials"].get(name, [])
    ]
    calls = [
        section(
            f"#### {shown}",
            records(
                "",
                [_SIZE, *columns({title: f"{call}/{key}" for title, key in _COSTS.items()})],
                [(name, trial) for name, trial in trials if call in trial],
            ),
        )
        for call, shown in _CALLS.items()
    ]
    store = [
        _SIZE,
        Column("bytes each on disk", bytes_each),
        Column("resident MB", "rss_mb"),
        Column("first end_session, CPU ms", "end_session/cpu_ms_first"),
        Column(
            "questions answered with nothing",
            lambda trial: trial["recall"]["answers"].get("nothing", 0),
        ),
    ]
    heading = f"### The {title} of {day(robot)}, milliseconds per call"
    stores = section("#### The store", NOTES["robot-store"], records("", store, trials))
    return section(heading, *calls, stores)


def trial_of(robot: dict[str, Any], program: str, size: int) -> dict[str, Any]:
    """Return what one program needed at one size; empty if that was not measured."""
    trials: list[dict[str, Any]] = robot.get("trials", {}).get(program, [])
    return next((trial for trial in trials if trial["size"] == size), {})


def cpu_of(trial: dict[str, Any], call: str) -> float | None:
    """Return the median CPU time of a call."""
    return trial[call]["cpu_ms"] if call in trial else None


def bytes_each(trial: dict[str, Any]) -> float | None:
    """Return how much of the disk one memory takes."""
    stored = trial.get("bulk_embedding") or trial.get("loading")
    return stored["bytes"] / trial["size"] if stored else None


def goals(results: dict[str, Any]) -> list[Goal]:
    """Return what a robot's calls were to reach."""
    ours = trial_of(results["robot-full"], "vectors", _LARGEST)
    learn, embedding = cpu_of(ours, "learn"), ours.get("embedding", {}).get("learn_cpu_ms")
    rest = None if learn is None or embedding is None else learn - embedding
    described = (
        ("learn at 100,000, without embedding, CPU ms", 1, rest),
        (
            "recall at 100,000, words and vectors, embedding included, CPU ms",
            12,
            cpu_of(ours, "recall"),
        ),
        ("the same inside a collection of 1,000, CPU ms", 5, cpu_of(ours, "recall_in_cell")),
        ("end of a session at 100,000, CPU ms", 10, cpu_of(ours, "end_session")),
        ("bytes per memory on disk, with its vector", 2_500, bytes_each(ours)),
    )
    return [goal(what, "≤", most, measured) for what, most, measured in described]
