"""`mnemic serve`: one memory over HTTP, for programs on the same machine."""

import logging
import sys
from contextlib import closing, nullcontext
from typing import Annotated

import typer

from mnemic.cli.reporting import reporting_errors
from mnemic.opening import open_memory


def add_to(app: typer.Typer) -> None:
    """Add the command to an application."""
    app.command()(serve)


def serve(
    ctx: typer.Context,
    host: Annotated[
        str, typer.Option(help="The address; only those of this machine are allowed.")
    ] = "127.0.0.1",
    port: Annotated[
        int, typer.Option(min=0, max=65_535, help="The port; 0 takes any that is free.")
    ] = 7077,
    database: Annotated[
        str | None,
        typer.Option(
            metavar="PATH or URL",
            help="The memory's file, or postgresql://….",
            show_default="as for mnemic",
        ),
    ] = None,
    worker: Annotated[
        bool,
        typer.Option("--worker/--no-worker", help="Whether background jobs are done here too."),
    ] = True,
) -> None:
    """Serve the memory over HTTP: the chat's REST API, and the assistant's tools.

    Example: mnemic serve --port 8080
    """
    # Standard output is left to whoever calls; nothing that is remembered goes to the log.
    logging.basicConfig(stream=sys.stderr, level=logging.WARNING, format="mnemic: %(message)s")
    with reporting_errors():
        from mnemic.server import running  # noqa: PLC0415  slow, and only this command needs it
        from mnemic.server.app import build_app  # noqa: PLC0415  slow, as above
        from mnemic.worker import WorkerThread  # noqa: PLC0415  slow, as above

        running.check_loopback(host)
        with (
            open_memory(ctx.obj if database is None else database) as memory,
            closing(running.listen(host, port)) as listening,
        ):
            memory.warm_up()
            address = running.address_of(listening)
            sys.stderr.write(f"mnemic: serving on {address}, see {address}/openapi.json\n")
            sys.stderr.flush()
            with WorkerThread(memory) if worker else nullcontext():
                running.run(build_app(memory, worker_enabled=worker), listening)
