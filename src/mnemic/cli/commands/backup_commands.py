"""`mnemic backup` and `mnemic restore`: the whole store, to a file and back."""

from dataclasses import asdict
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated

import typer

from mnemic.cli.commands.audit_command import acting
from mnemic.cli.ending import tidying_up
from mnemic.cli.options import AsJson, console, print_json
from mnemic.cli.progress import bars
from mnemic.cli.reporting import reporting_errors
from mnemic.errors import InvalidInputError
from mnemic.settings import read_settings
from mnemic.transfer.backup import back_up
from mnemic.transfer.backup import restore as put_back


def add_to(app: typer.Typer) -> None:
    """Add the commands to an application."""
    app.command()(backup)
    app.command()(restore)


def backup(
    ctx: typer.Context,
    file: Annotated[Path, typer.Argument(metavar="FILE", help="Where to.")],
    force: Annotated[bool, typer.Option("--force", help="Replace a file that is there.")] = False,
    as_json: AsJson = False,
) -> None:
    """Copy the whole store to a file, with all accounts, while others use it, and check the copy.

    A SQLite store becomes a SQLite file; PostgreSQL an export with vectors.

    Example: mnemic backup memory-backup.db
    """
    with reporting_errors(as_json=as_json), tidying_up():
        settings = acting(read_settings({"database": ctx.obj}))
        with bars() as progress:
            made = back_up(
                settings, file.expanduser(), now=datetime.now(UTC), force=force, progress=progress
            )
        if as_json:
            print_json(asdict(made))
        else:
            size = f"{made.memories:,} memories, {made.bytes / 1e6:,.1f} MB"
            console().print(f"{made.file}: {size}, checked", style="green", soft_wrap=True)


def restore(
    ctx: typer.Context,
    file: Annotated[Path, typer.Argument(metavar="FILE", help="What `mnemic backup` wrote.")],
    force: Annotated[
        bool,
        typer.Option("--force", help="Also if the store holds memories; they are kept beside."),
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Make the store what a backup holds. Stop everything that uses the store before.

    Example: mnemic restore memory-backup.db --force
    """
    with reporting_errors(as_json=as_json), tidying_up():
        settings = acting(read_settings({"database": ctx.obj}))
        path = file.expanduser()
        if not path.is_file():
            raise InvalidInputError("file", f"{path} is not there", "what `mnemic backup` wrote")
        with bars() as progress:
            done = put_back(settings, path, now=datetime.now(UTC), force=force, progress=progress)
        if as_json:
            print_json(asdict(done))
            return
        told = f"{done.store}: {done.memories:,} memories restored"
        console().print(told, style="green", soft_wrap=True)
        if done.kept is not None:
            console().print(f"what was there is now {done.kept}", soft_wrap=True)
