"""`mnemic console`: the console in a browser, with a server where none runs."""

import webbrowser
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Thread
from typing import Annotated, Any, Final

import typer

from mnemic.cli.commands.serve import serve_until_told
from mnemic.cli.reporting import reporting_errors
from mnemic.errors import StateError
from mnemic.opening import open_memory
from mnemic.settings import ServerSettings, read_server_settings

_SECONDS: Final = 2.0


def add_to(app: typer.Typer) -> None:
    """Add the command to an application."""
    app.command("console")(console)


def console(
    ctx: typer.Context,
    port: Annotated[
        int | None,
        typer.Option(
            min=0, max=65_535, help="The server's port; 0 takes any.", show_default="7077"
        ),
    ] = None,
    browser: Annotated[
        bool, typer.Option("--browser/--no-browser", help="Whether to open a browser.")
    ] = True,
) -> None:
    """Open the console: look at a memory, ask it why, and put it right.

    Where a server answers at the address already, its console is opened, on its memory. Else one is
    started on this machine, until Ctrl-C.

    Example: mnemic console
    """
    with reporting_errors():
        settings = read_server_settings({"port": port})
        address = _running_at(settings)
    if address is None:
        serve_until_told(ctx.obj, settings, when_ready=_opener(browser=browser))
        return
    if _is_named(ctx):
        with reporting_errors():
            raise StateError(
                f"A server runs at {address} already, and it may serve another memory than "
                f"{ctx.obj}. Choose another port with --port."
            )
    typer.echo(f"mnemic: a server runs at {address} already", err=True)
    if browser:
        webbrowser.open(f"{address}/")


def _is_named(ctx: typer.Context) -> bool:
    """Tell whether a memory is named on the command line, and not only in the environment."""
    source = ctx.parent and ctx.parent.get_parameter_source("database")
    return source is not None and source.name == "COMMANDLINE"


def open_on_demo(*, browser: bool = True, port: int = 0) -> None:
    """Fill a store with a robot's runs, a person's memories and a branched chat, and serve it with
    its console until the command is told to end; then it is gone.
    """
    from mnemic.cli.demonstration.demo_store import DemoClock, fill  # noqa: PLC0415  only a demonstration needs it

    with TemporaryDirectory(prefix="mnemic-demo-") as folder:
        path = str(Path(folder) / "demo.db")
        clock = DemoClock.weeks_ago()
        with reporting_errors(), open_memory(path, clock=clock, locale="en") as memory:
            fill(memory, clock)
        given: dict[str, Any] = {"host": "127.0.0.1", "port": port, "auth": "off"}
        serve_until_told(path, read_server_settings(given), when_ready=_opener(browser=browser))


def _opener(*, browser: bool) -> Callable[[str], None]:
    """Return what opens the console at an address. A browser in a terminal keeps its caller until
    it is closed, so it gets a thread of its own.
    """

    def opens(address: str) -> None:
        if browser:
            Thread(target=webbrowser.open, args=(f"{address}/",), daemon=True).start()

    return opens


def _running_at(settings: ServerSettings) -> str | None:
    """Return the address of the server that is meant, if one of ours answers there."""
    import httpx2  # noqa: PLC0415  slow, and only this command needs it

    from mnemic.server.access.addresses import is_everywhere  # noqa: PLC0415  as above

    if settings.port == 0:
        return None
    host = "127.0.0.1" if is_everywhere(settings.host) else settings.host
    host = f"[{host}]" if ":" in host else host
    address = f"http://{host}:{settings.port}"
    try:
        told = httpx2.get(f"{address}/version", timeout=_SECONDS).json()
    except (httpx2.HTTPError, ValueError):
        return None
    return address if isinstance(told, dict) and "api" in told else None
