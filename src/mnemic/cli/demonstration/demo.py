"""`mnemic demo`: a newcomer's first look, on a store among the temporary files."""

import json
import tempfile
import time
from collections.abc import Callable, Iterable
from functools import partial
from pathlib import Path
from typing import Any, Final, TypeVar

from rich.console import Console
from rich.padding import Padding
from rich.rule import Rule
from rich.table import Table
from rich.text import Text

from mnemic.cli import rendering
from mnemic.cli.history_text import differences
from mnemic.dialects.robot import answers
from mnemic.dialects.robot.tools import RobotTools
from mnemic.opening import open_memory

A = TypeVar("A")


def _case(place: list[float], *, success: bool) -> dict[str, Any]:
    return {"spatial": {"object_position": place}, "task": {"success": success}}


_MUG: Final = [1.3, 0.7, 0.42]
_LESSONS: Final[tuple[tuple[str, dict[str, Any]], ...]] = (
    ("Found that 12.5 N of grip force holds a mug.", _case(_MUG, success=True)),
    ("found that 12.5 N of grip force holds a mug", _case(_MUG, success=True)),
    ("Found that 9 N of grip force holds a mug.", _case([1.1, 0.7, 0.4], success=True)),
    ("抓取玻璃杯之前必须先降低夹爪速度，否则会滑落。", _case([1.2, 0.5, 0.4], success=True)),
    ("地面潮湿时转弯打滑，因为轮子抓地力不足。", _case([4.0, 2.5, 0.0], success=False)),
    ("Dishwasher jammed because its hinge was dirty.", _case([2.1, 0.3, 0.8], success=False)),
)
_RUN: Final = (
    "Noticed that the tall bottle wobbles on the tray",
    "Noticed that the tall bottle wobbles on the tray when the elevator brakes hard",
    "Decided to carry bottles on the left side",
)
_LINE: Final = 80
_FORCES: Final = '{"newton": [0.0, 4.2, 9.81, 12.50], "hz": 100}'


def show(console: Console) -> None:
    """Print what was asked, what came back, why, and how long it took."""
    console.print(Text("The memory of a kitchen robot, from empty.", style="bold"))
    path = Path(tempfile.mkdtemp(prefix="mnemic-demo-")) / "demo.db"
    with open_memory(path, durability="off") as memory:
        # Waits for the embedder, so that loading it counts for none of the calls below.
        _, seconds = _timed(memory.embed_missing)
        console.print(Text(f"Ready in {seconds:.1f} s, without a network.", style="dim"))
        demo = _Demo(console, memory.robot)
        demo.learn()
        demo.recall()
        demo.sense()
        demo.run()
        demo.revise()
    console.print(
        Text("\nNow yours: mnemic learn, mnemic recall, or mnemic mcp for an agent.", style="bold")
    )
    console.print(Text("Look into what was just stored, in a browser:", style="bold"))
    # A path is copied, so it must not be broken into lines.
    console.print(Text(f"  mnemic --database {path} console"), soft_wrap=True)
    console.print(Text("Or into four weeks of it: mnemic demo --open", style="bold"))


class _Demo:
    def __init__(self, console: Console, robot: RobotTools) -> None:
        self._console = console
        self._robot = robot

    def learn(self) -> None:
        self._title("Learn: a repetition is refused, another number is another lesson")
        self._learn_all(_LESSONS)

    def recall(self) -> None:
        self._title("Recall by meaning: English finds Chinese, and the other way round")
        self._ask("how firmly should a cup be held?", n=2)
        self._ask("driving on a wet floor", n=1)
        self._ask("洗碗机的门卡住了", n=1)
        self._title("Recall by what happened, and by where")
        self._ask("what went wrong?", n=2, context_filter={"task.success": False})
        near = {"field": "spatial.object_position", "target": _MUG, "max_distance": 0.3}
        self._ask("mug", n=2, spatial_sort=near)

    def sense(self) -> None:
        self._title("Sense: readings come back byte for byte")
        kept, taken = _timed(
            lambda: self._robot.save_perception(
                "Force while lifting a full mug", "tactile", data=_FORCES
            )
        )
        self._call("save_perception", "tactile, force while lifting a full mug", taken)
        self._console.print(rendering.perceived(kept))
        same = self._robot.get(kept["memory_id"]).get("data") == _FORCES
        told = "the same bytes" if same else "something else"
        self._console.print(f"get {kept['memory_id']} returns {told}: {_FORCES}")

    def run(self) -> None:
        self._title("Run: an episode is summed up, and what it said twice is merged")
        session = self._robot.start_session(context={"task": {"name": "fetch a bottle"}})
        self._learn_all(tuple((one, {}) for one in _RUN), session=session["session_id"])
        ended, taken = _timed(lambda: self._robot.end_session(session["session_id"], 0.9))
        self._call("end_session", "outcome 0.9", taken)
        ended["related_memories"] = ended["related_memories"][:1]
        self._console.print(rendering.session_ended(ended))

    def revise(self) -> None:
        self._title("Revise: nothing is lost")
        self._robot.update(1, "Found that 11 N holds a ceramic mug, after recalibration.")
        self._robot.forget(1, "the scale was wrong")
        _, taken = _timed(lambda: self._robot.undo(1))
        self._call("update, forget, undo", "memory 1", taken)
        self._console.print(differences(self._robot.history(1)))

    def _learn_all(
        self, lessons: Iterable[tuple[str, dict[str, Any]]], *, session: str | None = None
    ) -> None:
        table = Table.grid(padding=(0, 1))
        table.add_column(overflow="fold")
        table.add_column(no_wrap=True)
        table.add_column(style="dim", justify="right", no_wrap=True)
        for insight, context in lessons:
            learn = partial(self._robot.learn, insight, context, session_id=session)
            answer, taken = _timed(learn)
            table.add_row(Text(insight), _outcome(answer), _milliseconds(taken))
        self._console.print(table)

    def _ask(self, query: str, **wanted: Any) -> None:
        answer, taken = _timed(partial(self._robot.recall, query, **wanted))
        extra = [f"{name} = {json.dumps(value)}" for name, value in wanted.items() if name != "n"]
        self._call("recall", query, taken, *extra)
        if answer["memories"]:
            self._console.print(rendering.hits(answer["memories"]))
        else:
            self._console.print(Text("nothing", style="dim"))

    def _call(self, verb: str, what: str, seconds: float, *extra: str) -> None:
        head = Text.assemble((f"▸ {verb} ", "bold cyan"), what)
        self._console.print(Text.assemble(head, (f"  {_milliseconds(seconds)}", "dim")))
        for one in extra:
            self._console.print(Padding(Text(one, style="dim"), (0, 0, 0, 2), expand=False))

    def _title(self, words: str) -> None:
        self._console.print()
        line = Rule(Text(words, style="bold"), align="left", style="dim")
        self._console.print(line, width=min(self._console.width, _LINE))


def _timed(call: Callable[[], A]) -> tuple[A, float]:
    started = time.perf_counter()
    answer = call()
    return answer, time.perf_counter() - started


def _milliseconds(seconds: float) -> str:
    return f"{seconds * 1000:.1f} ms"


def _outcome(answer: answers.Learned) -> Text:
    if answer["status"] == "duplicate":
        return Text(f"known: #{answer.get('existing_id')} ({answer.get('method')})", style="yellow")
    inferred = answer.get("auto_inferred")
    category = inferred["category"] if inferred else ""
    return Text(f"#{answer.get('memory_id')} {category}", style="green")
