"""`mnemic keys`: who may use a server on this memory."""

from typing import Annotated, Any

import typer
from rich.console import RenderableType
from rich.table import Table
from rich.text import Text

from mnemic.cli.options import AsJson, console, print_json
from mnemic.cli.reporting import reporting_errors
from mnemic.errors import InvalidInputError
from mnemic.keys import RIGHTS, Key, Right
from mnemic.opening import open_memory

keys = typer.Typer(no_args_is_help=True, help="Make, list and revoke the keys of a server.")


def add_to(app: typer.Typer) -> None:
    """Add the commands to an application."""
    app.add_typer(keys, name="keys")


@keys.command()
def create(
    ctx: typer.Context,
    name: Annotated[str, typer.Argument(help="Who will use it; the history shows this name.")],
    account: Annotated[
        str, typer.Option(help="Whose memories it opens; an account sees only its own.")
    ] = "default",
    allow: Annotated[
        str,
        typer.Option(
            metavar="read|write|admin",
            help="read: look up and recall; write: change memories, too; admin: steer background "
            "work and read /metrics, too.",
        ),
    ] = "write",
    as_json: AsJson = False,
) -> None:
    """Make a key and show it, once: only a hash of it is kept.

    Example: mnemic keys create kitchen-robot --allow write
    """
    with reporting_errors(as_json=as_json):
        right = _right(allow)
        with open_memory(ctx.obj) as memory:
            key, text = memory.keys.create(name, account=account, right=right)
        if as_json:
            print_json({**_told(key), "key": text})
        else:
            # The key alone, so that a script can take it.
            typer.echo(text)
            typer.echo(
                f"mnemic: {key.name} may {key.right} the memories of account {key.account}. The "
                "key is not shown again. A server that runs without keys asks for them once it is "
                "started anew.",
                err=True,
            )


@keys.command("list")
def list_keys(ctx: typer.Context, as_json: AsJson = False) -> None:
    """List the keys, without their secrets.

    Example: mnemic keys list
    """
    with reporting_errors(as_json=as_json):
        with open_memory(ctx.obj) as memory:
            found = memory.keys.listed()
        if as_json:
            print_json([_told(key) for key in found])
        else:
            console().print(_shown(found))


@keys.command()
def revoke(
    ctx: typer.Context,
    key_id: Annotated[str, typer.Argument(metavar="ID", help="As `mnemic keys list` shows it.")],
    as_json: AsJson = False,
) -> None:
    """Let a key open nothing any more. Servers notice within a second.

    Example: mnemic keys revoke 3f9c2a7be104
    """
    with reporting_errors(as_json=as_json):
        with open_memory(ctx.obj) as memory:
            key = memory.keys.revoke(key_id)
        if as_json:
            print_json(_told(key))
        else:
            console().print(f"revoked {key.id} ({key.name})", style="yellow")


def _right(given: str) -> Right:
    for right in RIGHTS:
        if right == given:
            return right
    raise InvalidInputError("allow", f"{given!r} is no right", ", ".join(RIGHTS))


def _told(key: Key) -> dict[str, Any]:
    return {
        "id": key.id,
        "name": key.name,
        "account": key.account,
        "right": key.right,
        "created_at": key.created_at.isoformat(),
        "revoked_at": None if key.revoked_at is None else key.revoked_at.isoformat(),
    }


def _shown(found: list[Key]) -> RenderableType:
    if not found:
        return Text("no keys; `mnemic keys create NAME` makes one", style="dim")
    table = Table(box=None, pad_edge=False)
    for column in ("id", "name", "account", "allows", "made", "revoked"):
        table.add_column(column, overflow="fold")
    for key in found:
        gone = "" if key.revoked_at is None else f"{key.revoked_at:%Y-%m-%d %H:%M}"
        table.add_row(
            *(Text(one) for one in (key.id, key.name, key.account, key.right)),
            f"{key.created_at:%Y-%m-%d %H:%M}",
            gone,
            style="dim" if gone else None,
        )
    return table
