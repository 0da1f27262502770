"""`mnemic bench`: how quick a memory is on this machine, on a store that is gone afterwards."""

import random
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from typing import Annotated, Any, Final

import typer
from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from mnemic.cli.options import AsJson, console, print_json
from mnemic.cli.progress import progress
from mnemic.cli.reporting import reporting_errors
from mnemic.opening import OpenMemory, open_memory
from mnemic.settings import read_settings

_BATCH: Final = 200
_CALLS: Final = 50
_NOTE: Final = (
    "A self-check on made-up lessons, not a benchmark: benchmarks/ in the sources measures with "
    "care, and docs/benchmarks.md has the results."
)
_ACTS: Final = ("gripping", "pouring", "stacking", "wiping", "opening", "carrying", "turning")
_THINGS: Final = ("mug", "bottle", "drawer", "tray", "lamp", "glass", "plate", "kettle", "box")
_PLACES: Final = ("kitchen", "hall", "dock", "lab", "balcony", "cellar", "garage", "office")
_CHINESE: Final = ("杯子", "瓶子", "抽屉", "托盘", "台灯", "玻璃杯", "盘子", "水壶", "箱子")


def add_to(app: typer.Typer) -> None:
    """Add the command to an application."""
    app.command()(bench)


@dataclass(frozen=True, slots=True)
class CallTimes:
    """What one kind of call cost: the median and what 95 of 100 stay under, in milliseconds."""

    call: str
    calls: int
    wall_ms: float
    wall_p95_ms: float
    cpu_ms: float
    cpu_p95_ms: float


def bench(
    size: Annotated[
        int, typer.Option(min=100, max=100_000, help="How many memories the store gets.")
    ] = 2_000,
    embedder: Annotated[
        str | None,
        typer.Option(
            help="default, hashing or none; else the one that is set.", show_default=False
        ),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Measure learn, recall and list on a store of its own that is gone afterwards.

    It needs no network and leaves the memory alone. It is a self-check, not a benchmark.

    Example: mnemic bench --size 5000
    """
    with reporting_errors(as_json=as_json):
        chosen = _local(read_settings({"embedder": embedder}).embedder)
        with open_memory(":memory:", embedder=chosen, llm_url="", llm_model="") as memory:
            answer = {"size": size, "embedder": chosen, **_measure(memory, size), "note": _NOTE}
        if as_json:
            print_json(answer)
        else:
            console().print(_shown(answer))


def _local(embedder: str) -> str:
    # A server would be measured instead of this machine, and some cost money.
    return "default" if embedder.startswith(("openai:", "ollama:")) else embedder


def _measure(memory: OpenMemory, size: int) -> dict[str, Any]:
    # Always the same lessons, so that two runs can be compared.
    chance = random.Random(7)  # noqa: S311  no secret depends on it
    robot = memory.robot
    # Loads the embedder, so that this counts for none of the calls.
    memory.embed_missing()
    bulk = [_lesson(chance, number) for number in range(size - _CALLS)]
    batches = [bulk[start : start + _BATCH] for start in range(0, len(bulk), _BATCH)]
    with progress("measuring") as bar:
        task = bar.add_task("", total=len(bulk) + 3 * _CALLS)
        timed = partial(_timed, lambda done: bar.update(task, advance=done))
        many = timed("learn_many", [partial(robot.learn_many, batch) for batch in batches], batches)
        lessons = [_lesson(chance, size + number) for number in range(_CALLS)]
        learn = timed("learn", [partial(robot.learn, lesson) for lesson in lessons])
        asked = [_question(chance) for _ in range(_CALLS)]
        recall = timed("recall", [partial(robot.recall, question) for question in asked])
        listed = timed("list", [partial(robot.list, n=20)] * _CALLS)
    return {"measured": [asdict(call_times) for call_times in (learn, many, recall, listed)]}


def _timed(
    tell: Callable[[int], None],
    name: str,
    calls: Sequence[Callable[[], object]],
    portions: Sequence[Sequence[str]] | None = None,
) -> CallTimes:
    """Make the calls one after the other. A call that learns a portion counts as that many."""
    walls: list[float] = []
    cpus: list[float] = []
    for at, call in enumerate(calls):
        each = 1 if portions is None else len(portions[at])
        wall, cpu = time.perf_counter(), time.process_time()
        call()
        walls.append((time.perf_counter() - wall) * 1000 / each)
        cpus.append((time.process_time() - cpu) * 1000 / each)
        tell(each)
    both = (_share(times, share) for times in (walls, cpus) for share in (0.5, 0.95))
    return CallTimes(name, len(calls), *both)


def _share(values: Sequence[float], share: float) -> float:
    """Return what that share of the values does not exceed."""
    ordered = sorted(values)
    return round(ordered[min(len(ordered) - 1, int(share * len(ordered)))], 3)


def _lesson(chance: random.Random, number: int) -> str:
    if number % 4 == 0:
        thing = chance.choice(_CHINESE)
        return f"第{number}次：用{chance.uniform(1, 20):.2f}牛的力拿{thing}不会滑落"
    act, thing, place = (chance.choice(words) for words in (_ACTS, _THINGS, _PLACES))
    force = chance.uniform(1, 20)
    return f"Run {number}: {act} the {thing} in the {place} worked with {force:.2f} N"


def _question(chance: random.Random) -> str:
    if chance.random() < 0.25:
        return f"怎样拿{chance.choice(_CHINESE)}"
    return f"{chance.choice(_ACTS)} a {chance.choice(_THINGS)} in the {chance.choice(_PLACES)}"


def _shown(answer: dict[str, Any]) -> RenderableType:
    table = Table(box=None, pad_edge=False, header_style="dim")
    table.add_column("call")
    for name in ("calls", "wall ms", "p95", "CPU ms", "p95"):
        table.add_column(name, justify="right")
    for call in (CallTimes(**row) for row in answer["measured"]):
        times = (call.wall_ms, call.wall_p95_ms, call.cpu_ms, call.cpu_p95_ms)
        table.add_row(call.call, str(call.calls), *(f"{each:.2f}" for each in times))
    head = Text(f"{answer['size']:,} memories, embedder {answer['embedder']}", style="bold")
    aside = Text("learn_many: for each lesson of a batch of 200", style="dim")
    return Group(head, table, aside, Text(_NOTE, style="dim"))
