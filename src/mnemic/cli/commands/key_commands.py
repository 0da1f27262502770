"""`mnemic keys`: who may use a server on this memory."""

from datetime import UTC, datetime
from typing import Annotated, Any

import typer
from rich.console import RenderableType
from rich.table import Table
from rich.text import Text

from mnemic.cli.commands.audit_command import local_actor
from mnemic.cli.moments import duration, future_moment
from mnemic.cli.options import AsJson, console, print_json
from mnemic.cli.reporting import reporting_errors
from mnemic.errors import InvalidInputError
from mnemic.opening import open_memory
from mnemic.records.access_key import RIGHTS, Key, Right

keys = typer.Typer(no_args_is_help=True, help="Make, list, rotate and revoke the keys of a server.")


_KeyId = Annotated[str, typer.Argument(metavar="ID", help="As `mnemic keys list` shows it.")]
_Expires = Annotated[
    str | None,
    typer.Option(
        metavar="WHEN",
        help="When it ends by itself: 90d, 12h, or a date such as 2027-01-31 (UTC).",
        show_default="never",
    ),
]


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
    expires: _Expires = None,
    as_json: AsJson = False,
) -> None:
    """Make a key and show it, once: only a hash of it is kept.

    Example: mnemic keys create kitchen-robot --allow write --expires 90d
    """
    with reporting_errors(as_json=as_json):
        right, end = _right(allow), _end(expires)
        with open_memory(ctx.obj, actor=local_actor()) as memory:
            key, text = memory.keys.create(name, account=account, right=right, expires_at=end)
        if as_json:
            print_json({**_told(key), "key": text})
        else:
            _show_new(
                text,
                f"{key.name} may {key.right} the memories of account {key.account}"
                f"{_until(key)}. The key is not shown again. A server that runs without keys asks "
                "for them once it is started anew.",
            )


@keys.command()
def rotate(
    ctx: typer.Context,
    key_id: _KeyId,
    grace: Annotated[
        str,
        typer.Option(metavar="HOW LONG", help="How long the old key still works, such as 24h."),
    ] = "0m",
    expires: _Expires = None,
    as_json: AsJson = False,
) -> None:
    """Replace a key by a new one with the same name, account and right, and show that once.

    Without --expires the new key lasts as long as the old one was to, counted from now.

    Example: mnemic keys rotate 3f9c2a7be104 --grace 24h
    """
    with reporting_errors(as_json=as_json):
        longer, end = duration("grace", grace), _end(expires)
        with open_memory(ctx.obj, actor=local_actor()) as memory:
            old, new, text = memory.keys.rotate(key_id, grace=longer, expires_at=end)
        if as_json:
            print_json({**_told(new), "key": text, "replaces": _told(old)})
        else:
            ended = "opens nothing any more" if old.revoked_at else f"works{_until(old)}"
            _show_new(
                text,
                f"{new.id} takes the place of {old.id}, which {ended}. {new.name} may {new.right} "
                f"the memories of account {new.account}{_until(new)}. The key is not shown again.",
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
    key_id: _KeyId,
    as_json: AsJson = False,
) -> None:
    """Let a key open nothing any more. Servers notice within a second.

    Example: mnemic keys revoke 3f9c2a7be104
    """
    with reporting_errors(as_json=as_json):
        with open_memory(ctx.obj, actor=local_actor()) as memory:
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


def _end(expires: str | None) -> datetime | None:
    if expires is None:
        return None
    return future_moment("expires", expires, now=datetime.now(UTC))


def _until(key: Key) -> str:
    return "" if key.expires_at is None else f" until {key.expires_at:%Y-%m-%d %H:%M} UTC"


def _show_new(text: str, told: str) -> None:
    """Print a key alone, so that a script can take it; what is said of it goes beside."""
    typer.echo(text)
    typer.echo(f"mnemic: {told}", err=True)


def _told(key: Key) -> dict[str, Any]:
    return {
        "id": key.id,
        "name": key.name,
        "account": key.account,
        "right": key.right,
        "created_at": key.created_at.isoformat(),
        "revoked_at": None if key.revoked_at is None else key.revoked_at.isoformat(),
        "expires_at": None if key.expires_at is None else key.expires_at.isoformat(),
    }


def _shown(keys: list[Key]) -> RenderableType:
    if not keys:
        return Text("no keys; `mnemic keys create NAME` makes one", style="dim")
    table = Table(box=None, pad_edge=False)
    for column in ("id", "name", "account", "allows", "made", "expires", "revoked"):
        table.add_column(column, overflow="fold")
    now = datetime.now(UTC)
    for key in keys:
        ends = "" if key.expires_at is None else f"{key.expires_at:%Y-%m-%d %H:%M}"
        gone = "" if key.revoked_at is None else f"{key.revoked_at:%Y-%m-%d %H:%M}"
        table.add_row(
            *(Text(value) for value in (key.id, key.name, key.account, key.right)),
            f"{key.created_at:%Y-%m-%d %H:%M}",
            f"{ends} (over)" if key.has_expired(now) else ends,
            gone,
            style="dim" if gone or key.has_expired(now) else None,
        )
    return table
