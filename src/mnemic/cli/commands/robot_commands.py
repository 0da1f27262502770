"""The robot's tools as commands: each one asks the same method that Python and MCP ask."""

from collections.abc import Iterable
from functools import partial
from typing import Annotated, Final

import typer

from mnemic.cli import rendering
from mnemic.cli.history_text import differences
from mnemic.cli.options import (
    AsJson,
    Collection,
    JsonContext,
    JsonFilter,
    MemoryId,
    Reveal,
    Session,
    User,
    answer,
    answer_to,
    memory_number,
    read_json,
    read_text,
)
from mnemic.dialects.robot import inputs
from mnemic.records.memory import DEFAULT_USER

_BY_USER: Final = "its user asked for it"
HowMany = Annotated[int, typer.Option("-n", help=f"How many at most, 1 to {inputs.MAX_HITS}.")]
ON_A_SERVER: Final = frozenset(
    {"learn", "recall", "save-perception", "forget", "update", "start-session", "end-session"}
    | {"get", "list", "history", "undo", "show", "stats", "learn-many", "erase"}
    | {"search", "edit", "chat"}
)
"""The commands that a server answers as well as a file."""


def _one_of(names: Iterable[str]) -> str:
    *first, last = names
    return f"{', '.join(first)} or {last}."


def add_to(app: typer.Typer) -> None:
    """Add the commands to an application."""
    for command in (learn, recall, save_perception, forget, update, start_session, end_session):
        app.command()(command)
    app.command()(get)
    app.command()(search)
    app.command("edit")(update)
    app.command("list")(list_memories)
    app.command()(history)
    app.command()(undo)


def learn(
    ctx: typer.Context,
    insight: Annotated[
        str, typer.Argument(help="The lesson, at most 300 characters; - reads it from stdin.")
    ],
    context: JsonContext = "",
    collection: Collection = "default",
    session: Session = None,
    as_json: AsJson = False,
) -> None:
    """Record one lesson.

    Example: mnemic learn "12.5 N holds a mug" --context '{"task": {"success": true}}'
    """
    answer(
        ctx,
        lambda robot: robot.learn(
            read_text("insight", insight), read_json("context", context), collection, session
        ),
        rendering.learned,
        as_json=as_json,
    )


def recall(
    ctx: typer.Context,
    query: Annotated[str, typer.Argument(help="What to look for, in plain words.")],
    collection: Collection = "default",
    n: HowMany = 5,
    min_confidence: Annotated[
        float, typer.Option(help="Leave out what is less sure, 0.0 to 1.0.")
    ] = 0.3,
    session: Session = None,
    filter: JsonFilter = None,
    near: Annotated[
        str | None,
        typer.Option(
            metavar="JSON",
            help='Nearest first, e.g. {"field": "spatial.object_position", "target": [1, 0.7]}.',
        ),
    ] = None,
    min_relevance: Annotated[
        float,
        typer.Option(help="Leave out what is less likely to answer the question, 0.0 to 1.0."),
    ] = 0.0,
    explain: Annotated[
        bool, typer.Option("--explain", help="Show how the answer came about.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Find past experience that resembles a situation.

    Example: mnemic recall "pick up a mug" -n 3 --filter '{"task.success": true}'
    """
    answer(
        ctx,
        lambda robot: robot.recall(
            query,
            collection,
            n,
            min_confidence,
            session,
            read_json("context_filter", filter),
            read_json("spatial_sort", near),
            min_relevance=min_relevance,
            explain=explain,
        ),
        rendering.recollection,
        as_json=as_json,
    )


def search(
    ctx: typer.Context,
    query: Annotated[str, typer.Argument(help="What to look for, in plain words.")],
    user: Annotated[
        str, typer.Option("--user", metavar="NAME", help="Whose memories.")
    ] = DEFAULT_USER.name,
    n: HowMany = 10,
    as_json: AsJson = False,
) -> None:
    """Find what an assistant remembers of a person; `recall` asks robots' memories.

    Example: mnemic search "where do I live" --user ada
    """
    answer_to(
        ctx,
        user,
        None,
        lambda view: view.search(query, n=n),
        rendering.recollection,
        as_json=as_json,
    )


def save_perception(
    ctx: typer.Context,
    description: Annotated[str, typer.Argument(help="What was sensed, in words.")],
    type: Annotated[str, typer.Option(help=_one_of(inputs.PERCEPTION_TYPES))] = "visual",
    data: Annotated[
        str | None, typer.Option(metavar="JSON", help="The readings; @FILE reads them.")
    ] = None,
    metadata: Annotated[
        str | None, typer.Option(metavar="JSON", help="Format, rate, units; @FILE reads it.")
    ] = None,
    collection: Collection = "default",
    session: Session = None,
    as_json: AsJson = False,
) -> None:
    """Keep what a sensor delivered.

    Example: mnemic save-perception "Force while lifting a mug" --type tactile --data @force.json
    """
    answer(
        ctx,
        lambda robot: robot.save_perception(
            description,
            type,
            read_json("data", data),
            read_json("metadata", metadata),
            collection,
            session,
        ),
        rendering.perceived,
        as_json=as_json,
    )


def forget(
    ctx: typer.Context,
    memory_id: MemoryId,
    reason: Annotated[
        str, typer.Option("--reason", "-r", help="Why it is wrong; a user need not say.")
    ] = "",
    user: User = None,
    as_json: AsJson = False,
) -> None:
    """Take a wrong memory out of use; `undo` brings it back.

    Example: mnemic forget 3 --reason "the sensor was not calibrated"
    """
    answer_to(
        ctx,
        user,
        lambda robot: robot.forget(memory_id, reason),
        lambda view: view.forget(memory_id, reason or _BY_USER),
        rendering.forgotten,
        as_json=as_json,
    )


def update(
    ctx: typer.Context,
    memory_id: MemoryId,
    new_content: Annotated[str, typer.Argument(help="The corrected text.")],
    context: JsonContext = "",
    user: User = None,
    as_json: AsJson = False,
) -> None:
    """Correct a memory; the old version stays in its history.

    Example: mnemic update 1 "11 N holds a mug, after recalibration"
    """
    answer_to(
        ctx,
        user,
        lambda robot: robot.update(memory_id, new_content, read_json("context", context)),
        lambda view: view.update(memory_id, new_content),
        rendering.updated,
        as_json=as_json,
    )


def start_session(
    ctx: typer.Context,
    collection: Collection = "default",
    context: JsonContext = "",
    as_json: AsJson = False,
) -> None:
    """Begin a run and get its id.

    Example: mnemic start-session --context '{"robot": {"type": "UR5e"}}'
    """
    answer(
        ctx,
        lambda robot: robot.start_session(collection, read_json("context", context)),
        rendering.session_started,
        as_json=as_json,
    )


def end_session(
    ctx: typer.Context,
    session_id: Annotated[str, typer.Argument(metavar="ID", help="The run's id.")],
    outcome: Annotated[
        float | None, typer.Option(help="How well it went, from 0.0 to 1.0.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """End a run: age, merge, and bring to mind what resembles it.

    Example: mnemic end-session 550e8400-e29b-41d4-a716-446655440000 --outcome 0.9
    """
    answer(
        ctx,
        lambda robot: robot.end_session(session_id, outcome),
        rendering.session_ended,
        as_json=as_json,
    )


def get(
    ctx: typer.Context,
    memory_id: MemoryId,
    user: User = None,
    reveal: Reveal = False,
    as_json: AsJson = False,
) -> None:
    """Show one memory in full, with its sensor data.

    Example: mnemic get 1
    """
    answer_to(
        ctx,
        user,
        lambda robot: robot.get(memory_id, reveal=reveal),
        lambda view: view.get(memory_id, reveal=reveal),
        rendering.record,
        as_json=as_json,
    )


def list_memories(
    ctx: typer.Context,
    collection: Collection = "default",
    status: Annotated[str, typer.Option(help=_one_of(inputs.STATUSES))] = "active",
    category: Annotated[str | None, typer.Option(help="Only this category.")] = None,
    filter: JsonFilter = None,
    n: HowMany = 20,
    before_id: Annotated[
        int | None,
        typer.Option(
            "--before", metavar="ID", parser=memory_number, help="The last id of the page before."
        ),
    ] = None,
    user: User = None,
    reveal: Reveal = False,
    as_json: AsJson = False,
) -> None:
    """List memories, newest first.

    Example: mnemic list --category constraint -n 10
    """
    answer_to(
        ctx,
        user,
        lambda robot: robot.list(
            collection,
            status,
            category,
            read_json("context_filter", filter),
            n,
            before_id,
            reveal=reveal,
        ),
        lambda view: view.list(status=status, n=n, before_id=before_id, reveal=reveal),
        partial(rendering.records, limit=n),
        as_json=as_json,
    )


def history(
    ctx: typer.Context,
    memory_id: MemoryId,
    user: User = None,
    reveal: Reveal = False,
    as_json: AsJson = False,
) -> None:
    """Tell everything that happened to a memory.

    Example: mnemic history 1
    """
    answer_to(
        ctx,
        user,
        lambda robot: robot.history(memory_id, reveal=reveal),
        lambda view: view.history(memory_id, reveal=reveal),
        differences,
        as_json=as_json,
    )


def undo(
    ctx: typer.Context, memory_id: MemoryId, user: User = None, as_json: AsJson = False
) -> None:
    """Bring back a forgotten or overwritten memory; again goes one change further.

    Example: mnemic undo 3
    """
    answer_to(
        ctx,
        user,
        lambda robot: robot.undo(memory_id),
        lambda view: view.undo(memory_id),
        rendering.record,
        as_json=as_json,
    )
