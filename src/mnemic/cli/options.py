"""What the commands have in common: their options, and the way from a call to its answer."""

import json
import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final, TypeVar

import typer
from rich.console import Console, RenderableType

from mnemic.cli.reporting import reporting_errors
from mnemic.dialects.robot.tools import RobotTools
from mnemic.errors import InvalidInputError
from mnemic.opening import OpenMemory, open_memory
from mnemic.records.memory import DEFAULT_USER

if TYPE_CHECKING:
    from mnemic.cli.users.user_view import UserView
    from mnemic.client import Client
    from mnemic.client.parts import RobotVerbs

A = TypeVar("A")

SERVER: Final = "mnemic.server"
"""Under which name a command finds the server that was chosen instead of a file."""

# Wider than any text that is shown whole.
_WIDE: Final = 1_000
_NAMED: Final = "mem_0000000012"

AsJson = Annotated[bool, typer.Option("--json", help="Print the answer as JSON.")]
Collection = Annotated[str, typer.Option("--collection", "-c", help="The group of memories.")]
Session = Annotated[
    str | None, typer.Option("--session", "-s", metavar="ID", help="The run it belongs to.")
]
JsonContext = Annotated[
    str,
    typer.Option("--context", metavar="JSON", help="What was the case, as JSON; @FILE reads it."),
]
JsonFilter = Annotated[
    str | None,
    typer.Option(
        "--filter",
        metavar="JSON",
        help='Only what matches, e.g. {"task.success": true}; @FILE reads it.',
    ),
]
Reveal = Annotated[bool, typer.Option("--reveal", help="Show secrets, too.")]
User = Annotated[
    str | None, typer.Option("--user", metavar="NAME", help="A person's memories, not robots'.")
]


def memory_number(given: str) -> int:
    """Return the number of a memory that is named as 12 or as mem_0000000012."""
    bare = str(given).strip().removeprefix("mem_")
    try:
        return int(bare)
    except ValueError as error:
        raise typer.BadParameter(
            f"{given!r} is no memory's number, such as 12 or {_NAMED}"
        ) from error


MemoryId = Annotated[
    int,
    typer.Argument(metavar="ID", parser=memory_number, help=f"Its number, or such as {_NAMED}."),
]


def console() -> Console:
    """Return the console of this moment: tests and pipes exchange standard output.

    With NO_COLOR it writes no escape codes at all; rich alone would keep bold and dim. In a pipe
    a memory stays on its line, unless COLUMNS is set: a search would miss what is broken in two.
    """
    colours = None if os.environ.get("NO_COLOR") else "auto"
    made = Console(highlight=False, emoji=False, color_system=colours)
    if not made.is_terminal and not os.environ.get("COLUMNS"):
        made.width = _WIDE
    return made


def answer(
    context: typer.Context,
    ask: "Callable[[RobotTools | RobotVerbs], A]",
    shown: Callable[[A], RenderableType],
    *,
    as_json: bool,
) -> None:
    """Ask the memory one thing and print what it answers, or what went wrong."""
    with reporting_errors(as_json=as_json):
        with opened(context) as memory:
            said = ask(memory.robot)
        if as_json:
            print_json(said)
        else:
            console().print(shown(said))


def answer_to(
    context: typer.Context,
    user: str | None,
    ask_robot: "Callable[[RobotTools | RobotVerbs], A] | None",
    ask_user: "Callable[[UserView], A]",
    shown: Callable[[A], RenderableType],
    *,
    as_json: bool,
) -> None:
    """Ask a user's memory one thing, or where none is named the robots', and print the answer."""
    if user is None and ask_robot is not None:
        answer(context, ask_robot, shown, as_json=as_json)
        return
    from mnemic.cli.users.user_view import UserView  # noqa: PLC0415  only for a person

    with reporting_errors(as_json=as_json):
        with opened(context) as memory:
            said = ask_user(UserView(memory, user or DEFAULT_USER.name))
        if as_json:
            print_json(said)
        else:
            console().print(shown(said))


def opened(context: typer.Context) -> "OpenMemory | Client":
    """Return the memory that the options name: that of a server, or one that is opened here."""
    server: str | None = context.meta.get(SERVER)
    if server is None:
        return open_memory(context.obj)
    from mnemic.client import Client  # noqa: PLC0415  only who has a server needs it

    return Client(server)


def print_json(value: object) -> None:
    """Print a value as one line of JSON, readable in any language that the output can write."""
    # Without a standard output, as with `>&-`, there is none to ask.
    encoding: object = getattr(sys.stdout, "encoding", None)
    readable = str(encoding or "utf-8").lower().startswith("utf")
    typer.echo(json.dumps(value, ensure_ascii=not readable))


def read_json(parameter: str, given: str | None) -> str | None:
    """Return the JSON that was given, or what the file holds that was named as @FILE."""
    if given is None or not given.startswith("@"):
        return given
    try:
        return Path(given[1:]).expanduser().read_text("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        problem = f"{given[1:]} cannot be read ({_reason(error)})"
        raise InvalidInputError(parameter, problem, "JSON, or @ and the name of a file") from error


def read_text(parameter: str, given: str) -> str:
    """Return the text that was given, or what stands on standard input where it is "-"."""
    if given != "-":
        return given
    try:
        return typer.get_text_stream("stdin", encoding="utf-8").read().strip()
    except UnicodeDecodeError as error:
        raise InvalidInputError(parameter, "it is not UTF-8", "a text in UTF-8") from error


def _reason(error: OSError | UnicodeDecodeError) -> str:
    if isinstance(error, OSError):
        return error.strerror or type(error).__name__
    return "it is not UTF-8"
