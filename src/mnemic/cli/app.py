"""The commands of `mnemic`, put together."""

from typing import Annotated

import typer

from mnemic.cli import http_serving, migrating, upkeep, verbs, working
from mnemic.version import __version__

app = typer.Typer(
    name="mnemic",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


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


verbs.add_to(app)
upkeep.add_to(app)
migrating.add_to(app)
http_serving.add_to(app)
working.add_to(app)
