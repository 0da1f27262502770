"""One trial: a store of some size, and what each robot call costs there.

Only the standard library is used, because the peer runs this in an environment of its own.
"""

import json
import sys
from collections import Counter
from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from pathlib import Path
from statistics import mean, median
from time import perf_counter, process_time
from typing import Any, Final, Protocol

CELL: Final = "cell-7"
AGE_DAYS: Final = 10
# Calls that are not measured, for every subject alike: what is prepared once is no call's cost.
_WARM_UP: Final = 30


Lesson = tuple[str, dict[str, Any]]


@dataclass(frozen=True, slots=True)
class Stock:
    """What is in a store before anything is measured; a lesson is a text and its context.

    `cell` is a second collection, to see what a search inside a small scope costs.
    """

    load: list[Lesson]
    cell: list[Lesson]


@dataclass(frozen=True, slots=True)
class Calls:
    """What is then learned and asked; kept apart, so that the stock is not in the RSS."""

    size: int
    has_cell: bool
    learns: list[Lesson]
    questions: list[str]
    sessions: list[list[Lesson]]


def write(part: Stock | Calls, folder: Path) -> None:
    """Keep a part of the workload for the processes that measure."""
    path = folder / f"{type(part).__name__.lower()}.json"
    path.write_text(json.dumps(asdict(part), ensure_ascii=False), "utf-8")


def read_stock(folder: Path) -> Stock:
    """Return what is to be loaded."""
    return Stock(**json.loads((folder / "stock.json").read_text("utf-8")))


def read_calls(folder: Path) -> Calls:
    """Return what is to be measured."""
    return Calls(**json.loads((folder / "calls.json").read_text("utf-8")))


class Subject(Protocol):
    """A memory under test, through its public calls."""

    def learn(self, text: str, context: dict[str, Any], session: str | None = None) -> str:
        """Learn, and return the status."""
        ...

    def recall(
        self, question: str, collection: str = "default", where: dict[str, Any] | None = None
    ) -> int:
        """Recall, and return how many were found."""
        ...

    def start_session(self) -> str:
        """Return a new session."""
        ...

    def end_session(self, session: str) -> None:
        """End a session."""
        ...

    def close(self) -> None:
        """Let go of the store."""
        ...


@dataclass(slots=True)
class Costs:
    """Milliseconds of CPU (all threads, user and system) and of wall time, call by call."""

    cpu: list[float] = field(default_factory=list)
    wall: list[float] = field(default_factory=list)
    answers: Counter[str] = field(default_factory=Counter)

    def time(self, call: Callable[[], object]) -> None:
        """Make one call and note what it cost."""
        wall, cpu = perf_counter(), process_time()
        answer = call()
        self.cpu.append((process_time() - cpu) * 1000)
        self.wall.append((perf_counter() - wall) * 1000)
        if isinstance(answer, str):
            self.answers[answer] += 1
        elif isinstance(answer, int):
            self.answers["found" if answer else "nothing"] += 1

    def summary(self) -> dict[str, Any]:
        """Return medians and means."""
        return {
            "calls": len(self.cpu),
            "cpu_ms": median(self.cpu),
            "cpu_ms_mean": mean(self.cpu),
            "cpu_ms_worst": max(self.cpu),
            "wall_ms": median(self.wall),
            "wall_ms_mean": mean(self.wall),
            "answers": dict(self.answers),
        }


def measure(opening: Callable[[], Subject], calls: Calls) -> dict[str, Any]:
    """Open a store and return what its calls cost."""
    opened = Costs()
    subjects: list[Subject] = []

    def open_and_ask() -> int:
        subjects.append(opening())
        return subjects[0].recall(calls.questions[0])

    opened.time(open_and_ask)
    [subject] = subjects
    result = {"size": calls.size, "open": opened.summary()}
    asked = calls.questions
    result["recall"] = _recalls(lambda question: subject.recall(question), asked)
    result["recall_filtered"] = _recalls(
        lambda question: subject.recall(question, where={"task.success": True}), asked
    )
    if calls.has_cell:
        result["recall_in_cell"] = _recalls(lambda question: subject.recall(question, CELL), asked)
    result["rss_mb"] = resident_mb()
    result["learn"] = _learns(subject, calls)
    result["end_session"] = _sessions(subject, calls)
    subject.close()
    return result


def _recalls(recall: Callable[[str], int], questions: list[str]) -> dict[str, Any]:
    costs = Costs()
    for question in questions[:_WARM_UP]:
        recall(question)
    for question in questions[_WARM_UP:]:
        costs.time(lambda question=question: recall(question))
    # A peer that cannot split Chinese answers such a question with nothing, at no cost.
    english = [
        cpu
        for question, cpu in zip(questions[_WARM_UP:], costs.cpu, strict=True)
        if question.isascii()
    ]
    return {**costs.summary(), "cpu_ms_english": median(english)}


def _learns(subject: Subject, calls: Calls) -> dict[str, Any]:
    costs = Costs()
    for text, context in calls.learns[:_WARM_UP]:
        subject.learn(text, context)
    for text, context in calls.learns[_WARM_UP:]:
        costs.time(lambda text=text, context=context: subject.learn(text, context))
    return costs.summary()


def _sessions(subject: Subject, calls: Calls) -> dict[str, Any]:
    costs = Costs()
    for lessons in calls.sessions:
        session = subject.start_session()
        for text, context in lessons:
            subject.learn(text, context, session)
        costs.time(lambda session=session: subject.end_session(session))
    # The first end of a day also ages the store.
    return {**costs.summary(), "cpu_ms_first": costs.cpu[0], "wall_ms_first": costs.wall[0]}


def resident_mb() -> float:
    """Return this process's resident memory."""
    lines = Path("/proc/self/status").read_text("utf-8").splitlines()
    [kilobytes] = [line.split()[1] for line in lines if line.startswith("VmRSS:")]
    return int(kilobytes) / 1024


def folder_bytes(folder: Path) -> int:
    """Return how much lies in a store's folder."""
    return sum(file.stat().st_size for file in folder.rglob("*") if file.is_file())


def answer(result: dict[str, Any]) -> None:
    """Hand a result to the process that asked: the last line of the output."""
    sys.stdout.write("\n" + json.dumps(result) + "\n")
