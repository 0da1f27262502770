"""Commands around the memory: serve it, fill it, mend it, look into it, show it."""

import json
import time
from collections import Counter
from collections.abc import Iterable
from itertools import chain, islice
from typing import TYPE_CHECKING, Annotated, Any, TextIO, cast

import typer

from mnemic.cli import rendering
from mnemic.cli.commands.audit_command import local_actor
from mnemic.cli.options import AsJson, Collection, Session, console, opened, print_json
from mnemic.cli.progress import progress
from mnemic.cli.reporting import reporting_errors
from mnemic.dialects.robot.shapes import Learned
from mnemic.dialects.robot.tools import RobotTools
from mnemic.errors import InvalidInputError
from mnemic.mcp.profiles import PROFILES, find_profile
from mnemic.opening import open_memory

if TYPE_CHECKING:
    from mnemic.client.parts import RobotVerbs

_BATCH = 500
_Lines = list[tuple[int, str]]


def add_to(app: typer.Typer) -> None:
    """Add the commands to an application."""
    for command in (learn_many, mcp, reindex, maintain, doctor, demo):
        app.command()(command)


def learn_many(
    ctx: typer.Context,
    file: Annotated[
        typer.FileText,
        typer.Argument(encoding="utf-8", help="JSON lines, or one lesson a line; - reads stdin."),
    ],
    collection: Collection = "default",
    session: Session = None,
    as_json: AsJson = False,
) -> None:
    """Record many lessons from a file.

    A line that begins with a brace is an object with insight and, where wanted, context,
    collection and session_id; any other is a lesson as it stands.

    Example: mnemic learn-many lessons.jsonl
    """
    with reporting_errors(as_json=as_json), opened(ctx) as memory:
        started = time.perf_counter()
        answers: list[Learned] = []
        with progress("learning") as bar:
            lines = _read_lines(file)
            task = bar.add_task("", total=len(lines))
            for batch in _batches(lines):
                answers += _learn_batch(memory.robot, batch, collection, session)
                bar.update(task, completed=len(answers))
        if as_json:
            print_json(answers)
        else:
            taken = time.perf_counter() - started
            console().print(rendering.lessons(answers, seconds=taken))


def mcp(
    ctx: typer.Context,
    profile: Annotated[
        str,
        typer.Option(
            help="all: robot and assistant; robot: seven tools for robots; assistant: four tools "
            "that remember a person; extended: all, and thirteen more; robot-extended: six of "
            "them; assistant-extended: the other seven."
        ),
    ] = "all",
) -> None:
    """Serve the memory to an MCP client over standard input and output.

    Example: mnemic mcp --profile robot
    """
    from mnemic.cli.commands.mcp_command import serve_or_exit  # noqa: PLC0415  a command, loaded when needed

    with reporting_errors():
        known = find_profile(profile)
        if known is None:
            raise InvalidInputError("profile", repr(profile), ", ".join(PROFILES))
        serve_or_exit(database=ctx.obj, profile=known)


def reindex(ctx: typer.Context, as_json: AsJson = False) -> None:
    """Give a vector to every memory that has none of the current model.

    Example: mnemic reindex
    """
    with reporting_errors(as_json=as_json), open_memory(ctx.obj) as memory:
        with progress("embedding") as bar:
            task = bar.add_task("", total=None)
            done = memory.embed_missing(
                progress=lambda done, total: bar.update(task, completed=done, total=total)
            )
        memory.audit.add("reindex", actor=local_actor(), counts={"embedded": done})
        if as_json:
            print_json({"embedded": done})
        else:
            console().print(f"embedded {done}", style="green")


def maintain(
    ctx: typer.Context,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Only count what would be removed.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Remove what is older than the settings let it be kept, and take out of use what expired.

    The limits are MNEMIC_EPISODIC_DAYS, MNEMIC_CONVERSATION_DAYS, MNEMIC_EVENT_DAYS and
    MNEMIC_JOB_DAYS; without one, everything is kept for ever. A worker does the same once a day.

    Example: MNEMIC_EVENT_DAYS=365 mnemic maintain --dry-run
    """
    from mnemic.administration.retention import KINDS  # noqa: PLC0415  slow, and only this needs it

    with reporting_errors(as_json=as_json), open_memory(ctx.obj) as memory:
        kept_up = memory.upkeep
        accounts = kept_up.accounts()
        if dry_run:
            ended = sum(map(kept_up.overdue, accounts))
            portions = iter([kept_up.expired(account) for account in accounts])
        else:
            ended = sum(chain.from_iterable(map(kept_up.end_overdue, accounts)))
            portions = chain.from_iterable(map(kept_up.expire, accounts))
        counts = sum(portions, Counter[str]())
        removed = {kind: counts[kind] for kind in KINDS}
        is_clean = dry_run or not counts or kept_up.scrub()
        if as_json:
            print_json({"dry_run": dry_run, "removed": removed, "ended": ended, "clean": is_clean})
        else:
            console().print(rendering.removed(removed, dry_run=dry_run, is_clean=is_clean))
            if ended:
                verb = "would be taken" if dry_run else "taken"
                console().print(f"{verb} out of use because it expired: {ended}")


def doctor(
    ctx: typer.Context,
    port: Annotated[
        int | None,
        typer.Option(
            min=1,
            max=65_535,
            help="The port that `mnemic serve` is to use.",
            show_default="MNEMIC_PORT, else 7077",
        ),
    ] = None,
    offline: Annotated[
        bool, typer.Option("--offline", help="Ask no language model and no remote embedder.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Check the installation, the store, the models, the port and the permissions.

    It says how to mend what is wrong, makes nothing and changes nothing. The exit code is 1 where
    there is a problem, and 0 where there are only warnings.

    Example: mnemic doctor
    """
    from mnemic.cli.doctor import diagnosis  # noqa: PLC0415  a command, loaded when needed

    with reporting_errors(as_json=as_json):
        found = diagnosis.diagnose(ctx.obj, port=port, offline=offline)
        if as_json:
            print_json(found)
        else:
            console().print(diagnosis.shown(found))
    if diagnosis.problems(found):
        raise typer.Exit(1)


def demo(
    open_console: Annotated[
        bool,
        typer.Option("--open", help="Fill a store and open the console on it, until Ctrl-C."),
    ] = False,
) -> None:
    """Show in half a minute what a memory can do, on a store among the temporary files.

    Example: mnemic demo --open
    """
    if open_console:
        from mnemic.cli.commands.console_command import open_on_demo  # noqa: PLC0415  as below

        open_on_demo()
        return
    from mnemic.cli.demonstration.demo import show  # noqa: PLC0415  a command, loaded when needed

    with reporting_errors():
        show(console())


def _read_lines(file: TextIO) -> _Lines:
    try:
        lines = [(number, line.strip()) for number, line in enumerate(file, start=1)]
    except UnicodeDecodeError as error:
        raise InvalidInputError("file", "it is not UTF-8", "a text in UTF-8") from error
    return [(number, line.removeprefix("\ufeff")) for number, line in lines if line]


def _batches(lines: _Lines) -> Iterable[_Lines]:
    remaining = iter(lines)
    while batch := list(islice(remaining, _BATCH)):
        yield batch


def _learn_batch(
    robot: "RobotTools | RobotVerbs", batch: _Lines, collection: str, session: str | None
) -> list[Learned]:
    lessons = [_lesson(number, line) for number, line in batch]
    try:
        return robot.learn_many(lessons, collection, session)
    except InvalidInputError as error:
        where = f"lines {batch[0][0]} to {batch[-1][0]}, {error.parameter}"
        problem = f"{error.problem}, so none of these lines was learned"
        raise InvalidInputError(where, problem, error.allowed) from error


def _lesson(number: int, line: str) -> str | dict[str, Any]:
    if not line.startswith("{"):
        return line
    try:
        lesson: object = json.loads(line)
    except ValueError as error:
        problem = f"it begins like JSON but is none ({error})"
        raise InvalidInputError(f"line {number}", problem, "a lesson, or a JSON object") from error
    if not isinstance(lesson, dict) or "insight" not in lesson:
        raise InvalidInputError(f"line {number}", "it has no insight", "an object with insight")
    return cast("dict[str, Any]", lesson)
