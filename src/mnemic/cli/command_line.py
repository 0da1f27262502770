"""The commands of `mnemic`, put together."""

import sys
from typing import Annotated, Final, cast

import typer

from mnemic.cli import panels
from mnemic.cli.commands import (
    audit_command,
    backup_commands,
    bench,
    console_command,
    encryption_commands,
    erase_command,
    key_commands,
    look_commands,
    migrate,
    robot_commands,
    serve,
    transfer_commands,
    upkeep_commands,
    worker_command,
)
from mnemic.cli.options import SERVER
from mnemic.cli.reporting import reporting_errors, tell
from mnemic.cli.setup import setup_command as setting_up
from mnemic.cli.users import chat_command
from mnemic.errors import InvalidInputError
from mnemic.version import __version__

# What the parser raises for a line that it cannot read. Typer names only this kind of it.
_UNREADABLE: Final = cast("type[typer.BadParameter]", typer.BadParameter.__base__)

app = typer.Typer(
    name="mnemic",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def run(*, as_json: bool) -> None:
    """Run the command that the command line names, and leave with its exit code.

    With `as_json` a line that cannot be read is told as JSON, too, as any other error is.
    """
    with reporting_errors(as_json=as_json):
        if not as_json:
            app()
        try:
            sys.exit(app(standalone_mode=False))
        except _UNREADABLE as error:
            tell(error.format_message(), code=InvalidInputError.code, as_json=True)
            sys.exit(error.exit_code)


def _print_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"mnemic {__version__}")
        raise typer.Exit


@app.callback()
def choose(
    context: typer.Context,
    database: Annotated[
        str | None,
        typer.Option(
            "--database",
            metavar="PATH or URL",
            envvar="MNEMIC_DATABASE",
            help="The memory's file, or postgresql://….",
            show_default="~/.mnemic/memory.db",
        ),
    ] = None,
    server: Annotated[
        str | None,
        typer.Option(
            "--server",
            metavar="URL",
            envvar="MNEMIC_URL",
            help="Ask a running server instead, with the key in MNEMIC_API_KEY.",
        ),
    ] = None,
    version: Annotated[
        bool,
        typer.Option(
            "--version",
            callback=_print_version,
            is_eager=True,
            help="Print the version.",
        ),
    ] = False,
) -> None:
    """A memory for agents: what was learned, sensed and done. Try `mnemic demo` first."""
    context.obj = database
    asked = _is_written(context, "server")
    if asked and context.invoked_subcommand not in robot_commands.ON_A_SERVER:
        known = ", ".join(sorted(robot_commands.ON_A_SERVER))
        told = f"{context.invoked_subcommand} works on the store itself; on a server: {known}"
        raise typer.BadParameter(told, context, param_hint="--server")
    # A file that is named with the command is nearer than a server of the whole environment.
    if asked or not _is_written(context, "database"):
        context.meta[SERVER] = server or None


def _is_written(context: typer.Context, option: str) -> bool:
    """Tell whether an option stands on the command line, and not only in the environment."""
    source = context.get_parameter_source(option)
    return source is not None and source.name == "COMMANDLINE"


robot_commands.add_to(app)
upkeep_commands.add_to(app)
migrate.add_to(app)
serve.add_to(app)
console_command.add_to(app)
key_commands.add_to(app)
audit_command.add_to(app)
worker_command.add_to(app)
transfer_commands.add_to(app)
backup_commands.add_to(app)
encryption_commands.add_to(app)
erase_command.add_to(app)
chat_command.add_to(app)
setting_up.add_to(app)
look_commands.add_to(app)
bench.add_to(app)
# Last, when all are there.
panels.arrange(app)
