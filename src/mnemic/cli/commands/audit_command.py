"""`mnemic audit`: who did what to the store; and what the other commands write there."""

import getpass
from collections.abc import Mapping
from dataclasses import replace
from datetime import UTC, datetime
from typing import Annotated, Any, Final, get_args

import typer
from rich.console import RenderableType
from rich.table import Table
from rich.text import Text

from mnemic.cli.moments import past_moment
from mnemic.cli.options import AsJson, console, print_json
from mnemic.cli.reporting import reporting_errors
from mnemic.errors import InvalidInputError
from mnemic.opening import open_memory, open_with
from mnemic.records.audit_entry import Act, AuditEntry
from mnemic.settings import Settings, read_settings

_ACTS: Final[tuple[Act, ...]] = get_args(Act)
_MOST: Final = 10_000


def add_to(app: typer.Typer) -> None:
    """Add the command to an application."""
    app.command()(audit)


def audit(
    ctx: typer.Context,
    since: Annotated[
        str | None,
        typer.Option(metavar="WHEN", help="Not before: 7d, 12h, or a date such as 2026-11-01."),
    ] = None,
    act: Annotated[
        str | None, typer.Option(metavar="ACT", help="Only one kind, such as key.refused.")
    ] = None,
    account: Annotated[
        str | None, typer.Option(metavar="NAME", help="Only what was done to one account.")
    ] = None,
    limit: Annotated[int, typer.Option("--limit", "-n", min=1, max=_MOST, help="At most.")] = 50,
    as_json: AsJson = False,
) -> None:
    """Show who did what to the store, the latest first: keys, exports, erasures, restores, refused
    keys. It holds no text of a memory and no key.

    Example: mnemic audit --since 7d --act key.refused
    """
    with reporting_errors(as_json=as_json):
        wanted = _act(act)
        after = None if since is None else past_moment("since", since, now=datetime.now(UTC))
        with open_memory(ctx.obj) as memory:
            page = memory.audit.entries(
                of_all=True, account=account, act=wanted, since=after, limit=limit
            )
        if as_json:
            print_json([entry_json(entry) for entry in page.rows])
            return
        console().print(_shown(page.rows))
        if page.total > len(page.rows):
            console().print(f"{page.total - len(page.rows):,} more are older", style="dim")


def acting(settings: Settings) -> Settings:
    """Return settings that name the user of this machine as the actor, unless one is set."""
    if settings.actor != Settings().actor:
        return settings
    try:
        return replace(settings, actor=getpass.getuser())
    except (KeyError, OSError):
        # A container may run as a number that has no name.
        return settings


def local_actor() -> str:
    """Return who is named in the audit log for what a command does."""
    return acting(read_settings({})).actor


def write_down(
    settings: Settings,
    act: Act,
    *,
    target: str | None = None,
    account: str | None = None,
    counts: Mapping[str, int] | None = None,
) -> None:
    """Write an act of the user of this machine to the audit log of a store."""
    with open_with(replace(settings, embedder="none")) as memory:
        memory.audit.add(act, actor=local_actor(), account=account, target=target, counts=counts)


def entry_json(entry: AuditEntry) -> dict[str, Any]:
    """Return an entry as it is printed for machines."""
    told = {name: getattr(entry, name) for name in AuditEntry.__dataclass_fields__}
    return {**told, "at": entry.at.isoformat()}


def _act(given: str | None) -> Act | None:
    for act in _ACTS:
        if act == given:
            return act
    if given is not None:
        raise InvalidInputError("act", f"{given!r} is none", ", ".join(_ACTS))
    return None


def _shown(entries: tuple[AuditEntry, ...]) -> RenderableType:
    if not entries:
        return Text("nothing was done that the audit log tells of", style="dim")
    table = Table(box=None, pad_edge=False)
    for column in ("when", "account", "who", "act", "target", "outcome", "details"):
        table.add_column(column, overflow="fold")
    for entry in entries:
        details = [f"{count:,} {name}" for name, count in entry.counts.items()]
        details += [f"from {entry.address}"] if entry.address else []
        who = entry.actor if entry.key_id is None else f"{entry.actor} ({entry.key_id})"
        cells = (entry.account or "all", who, entry.act, entry.target or "", entry.outcome)
        table.add_row(
            f"{entry.at:%Y-%m-%d %H:%M:%S}",
            *(Text(cell) for cell in cells),
            Text(", ".join(details)),
            style=None if entry.outcome == "done" else "yellow",
        )
    return table
