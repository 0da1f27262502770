"""`mnemic serve`: one memory over HTTP, for every kind of client."""

from collections.abc import Callable
from contextlib import closing, nullcontext
from typing import TYPE_CHECKING, Annotated

import typer

from mnemic.cli.ending import CommandEnding, end_at_last, ending_in_order, leave_threads
from mnemic.cli.reporting import announce, logging_as_set, reporting_errors, tracing
from mnemic.opening import OpenMemory, open_memory
from mnemic.settings import ServerSettings, read_server_settings
from mnemic.startup.lean_sdk import leave_out_client
from mnemic.startup.shared_heap import share_heap

if TYPE_CHECKING:
    from mnemic.telemetry.tracing import Spans


def add_to(app: typer.Typer) -> None:
    """Add the command to an application."""
    app.command()(serve)


def serve(
    ctx: typer.Context,
    host: Annotated[
        str | None,
        typer.Option(
            metavar="ADDRESS",
            help="The address; one that other machines can reach needs a key.",
            show_default="127.0.0.1",
        ),
    ] = None,
    port: Annotated[
        int | None,
        typer.Option(
            min=0, max=65_535, help="The port; 0 takes any that is free.", show_default="7077"
        ),
    ] = None,
    database: Annotated[
        str | None,
        typer.Option(
            metavar="PATH or URL",
            help="The memory's file, or postgresql://….",
            show_default="as for mnemic",
        ),
    ] = None,
    auth: Annotated[
        str | None,
        typer.Option(
            metavar="auto|keys|off",
            help="keys: only who has a key is let in; off: everybody on this machine; auto: keys "
            "as soon as there is one, or others can reach the address.",
            show_default="auto",
        ),
    ] = None,
    worker: Annotated[
        bool,
        typer.Option("--worker/--no-worker", help="Whether background jobs are done here too."),
    ] = True,
) -> None:
    """Serve the memory over HTTP: the chat's REST API, the assistant's tools, and MCP.

    Every setting of a server can be given in the environment, too: see docs/reference/settings.md.

    Example: mnemic serve --port 8080
    """
    leave_out_client()
    share_heap()
    with reporting_errors():
        settings = read_server_settings({"host": host, "port": port, "auth": auth})
    serve_until_told(ctx.obj if database is None else database, settings, with_worker=worker)


def serve_until_told(
    database: str | None,
    settings: ServerSettings,
    *,
    with_worker: bool = True,
    when_ready: Callable[[str], None] = lambda address: None,
) -> None:
    """Serve a memory until the command is told to end; `when_ready` gets the address, at which
    requests wait from then on.
    """
    with (
        ending_in_order(grace=settings.grace_seconds) as ending,
        reporting_errors(),
        logging_as_set(),
        tracing() as spans,
        open_memory(database) as memory,
    ):
        _run(memory, settings, spans, ending, with_worker=with_worker, when_ready=when_ready)
    if ending.is_asked_for:
        leave_threads()


def _run(
    opened: OpenMemory,
    settings: ServerSettings,
    spans: "Spans | None",
    ending: CommandEnding,
    *,
    with_worker: bool,
    when_ready: Callable[[str], None],
) -> None:
    from mnemic.server import running  # noqa: PLC0415  slow, and only this command needs it
    from mnemic.server.access.guard import wants_keys  # noqa: PLC0415  slow, as above
    from mnemic.server.app import build_app  # noqa: PLC0415  slow, as above
    from mnemic.server.metrics import Metrics  # noqa: PLC0415  slow, as above
    from mnemic.worker import WorkerThread  # noqa: PLC0415  slow, as above

    running.check_address(settings, opened.keys)
    metrics = Metrics(spans)
    memory = opened.watched_by(metrics)
    with closing(running.listen(settings.host, settings.port)) as listening:
        memory.warm_up()
        address = running.address_of(listening)
        let_in = "whoever has a key" if wants_keys(memory, settings) else "anybody on this machine"
        announce(f"serving on {address}, for {let_in}; open it there", address=address)
        when_ready(address)
        with WorkerThread(memory) if with_worker else nullcontext() as crew:
            app = build_app(
                memory,
                worker_enabled=with_worker,
                settings=settings,
                metrics=metrics,
                worker=crew,
            )
            ending.check()

            def end(grace: float) -> None:
                end_at_last(grace)
                app.state.feed.close()

            running.run(app, listening, grace=settings.grace_seconds, told=end)
