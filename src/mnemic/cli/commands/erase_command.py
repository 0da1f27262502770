"""`mnemic erase`: remove what was remembered, for ever, and show receipts of that."""

from collections import Counter
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.text import Text

from mnemic.cli.commands.audit_command import acting
from mnemic.cli.options import SERVER, AsJson, console, opened, print_json
from mnemic.cli.reporting import reporting_errors
from mnemic.errors import InvalidInputError, NotFoundError
from mnemic.opening import OpenMemory, open_with
from mnemic.records.erasure import ERASED_KINDS, AppliedReceipts, ErasedKind, Erasure
from mnemic.records.memory import DEFAULT_USER
from mnemic.settings import read_settings
from mnemic.transfer.receipt_files import apply_to_copy, read_receipts, receipt_lines

if TYPE_CHECKING:
    from mnemic.client import Client

_MEMORY = "mem_"
_NOTHING = "nothing was erased"

_Account = Annotated[
    str | None,
    typer.Option(metavar="NAME", help="Whose memories they are.", show_default="default"),
]
_ApplyReceipts = Annotated[
    Path | None,
    typer.Option(
        "--apply-receipts",
        metavar="FILE",
        help="Erase what these receipts tell of, in a store that was restored.",
    ),
]
_In = Annotated[
    Path | None,
    typer.Option("--in", metavar="FILE", help="The same in a backup or an export instead."),
]


def add_to(app: typer.Typer) -> None:
    """Add the command to an application."""
    app.command()(erase)


def erase(
    ctx: typer.Context,
    kind: Annotated[
        str | None, typer.Argument(metavar="KIND", help=f"One of {', '.join(ERASED_KINDS)}.")
    ] = None,
    name: Annotated[
        str | None, typer.Argument(metavar="NAME", help="Its number, its id or its name.")
    ] = None,
    user: Annotated[
        str | None,
        typer.Option(metavar="NAME", help="Whose it is; alone, all that is known of them."),
    ] = None,
    account: _Account = None,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Show what would go, and change nothing.")
    ] = False,
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Do not ask.")] = False,
    receipts: Annotated[
        bool, typer.Option("--receipts", help="Write the receipts of what was erased so far.")
    ] = False,
    apply_receipts: _ApplyReceipts = None,
    copied: _In = None,
    as_json: AsJson = False,
) -> None:
    """Erase something with all that follows from it: nothing brings it back.

    It asks before. What goes leaves no trace in the store, its log and the copies that Mnemic keeps
    beside it; backups and exports elsewhere are mended with --receipts and --apply-receipts.

    Example: mnemic erase user ada --dry-run
    """
    with reporting_errors(as_json=as_json):
        if receipts:
            _write_receipts(ctx)
        elif apply_receipts is not None:
            _apply(ctx, apply_receipts, copied, dry_run=dry_run, yes=yes, as_json=as_json)
        else:
            chosen, name = _named(kind, name, user)
            with _memory(ctx, chosen, name, account) as memory:
                erase = partial(memory.erase, chosen, name, user=user or DEFAULT_USER.name)
                receipt = erase(dry_run=True)
                if not dry_run:
                    _ask(f"{chosen} {name}", [receipt], yes=yes)
                    receipt = erase()
            if as_json:
                print_json(_told(receipt))
            else:
                _show([receipt], dry_run=dry_run)


def _named(kind: str | None, name: str | None, user: str | None) -> tuple[ErasedKind, str]:
    """Return what is to go: a user alone, and an id alone, say it all."""
    if kind is None and user is not None:
        return "user", user
    if name is None and kind is not None and kind.startswith(_MEMORY):
        kind, name = "memory", kind
    chosen = _kind(kind)
    if name is None:
        raise InvalidInputError("name", "it is missing", f"which {chosen} is to go")
    if chosen == "memory":
        name = name.removeprefix(_MEMORY).lstrip("0") or name
    return chosen, name


def _kind(given: str | None) -> ErasedKind:
    if given not in ERASED_KINDS:
        problem = "it is missing" if given is None else f"{given!r} is none"
        raise InvalidInputError("kind", problem, ", ".join(ERASED_KINDS))
    return given


def _memory(
    ctx: typer.Context, kind: ErasedKind, name: str, account: str | None
) -> "OpenMemory | Client":
    """Return the memory that holds what is to go. An account is never made by looking for it."""
    if ctx.meta.get(SERVER) is not None:
        if account is not None:
            raise InvalidInputError("account", "the key of a server says which", "it for a store")
        return opened(ctx)
    wanted = name if kind == "account" else account
    if wanted is None:
        return _opened(ctx)
    with _opened(ctx) as memory:
        if not memory.has_account(wanted):
            raise NotFoundError(f"There is no account {wanted[:80]!r}.", account=wanted)
    return _opened(ctx, account=wanted)


def _opened(ctx: typer.Context, account: str | None = None) -> OpenMemory:
    return open_with(acting(read_settings({"database": ctx.obj, "account": account})))


def _write_receipts(ctx: typer.Context) -> None:
    with opened(ctx) as memory:
        receipts = memory.every_receipt() if isinstance(memory, OpenMemory) else memory.erasures()
    for line in receipt_lines(receipts):
        typer.echo(line)


def _apply(
    ctx: typer.Context,
    file: Path,
    copied: Path | None,
    *,
    dry_run: bool,
    yes: bool,
    as_json: bool,
) -> None:
    if ctx.meta.get(SERVER) is not None:
        raise InvalidInputError("--apply-receipts", "it works on the store itself", "no --server")
    told = read_receipts(file.expanduser())
    where = str(copied) if copied is not None else "the store"
    applied = _applied(ctx, told, copied, dry_run=True)
    if applied.erased and not dry_run:
        _ask(f"in {where} what the receipts tell of", applied.erased, yes=yes)
        applied = _applied(ctx, told, copied, dry_run=False)
    if as_json:
        print_json([_told(receipt) for receipt in applied.erased])
    else:
        _show(applied.erased, dry_run=dry_run)
    if applied.undecided:
        raise NotFoundError(
            f"{len(applied.undecided)} receipts tell of one of several memories that were learned "
            "at the same moment and have other numbers here; look for them, and erase them by "
            f"number: {', '.join(applied.undecided)}"
        )


def _applied(
    ctx: typer.Context, told: list[Erasure], copied: Path | None, *, dry_run: bool
) -> AppliedReceipts:
    if copied is not None:
        settings = acting(read_settings({"database": ctx.obj}))
        now = datetime.now(UTC)
        return apply_to_copy(settings, copied.expanduser(), told, now=now, dry_run=dry_run)
    with _opened(ctx) as memory:
        return memory.apply_receipts(told, dry_run=dry_run)


def _ask(what: str, receipts: Iterable[Erasure], *, yes: bool) -> None:
    """Let somebody decide who sees what would go; whoever does not agree ends the command."""
    if not yes and not typer.confirm(f"Erase {what}: {_counted(receipts)}. For ever?", err=True):
        typer.echo(f"mnemic: {_NOTHING}", err=True)
        raise typer.Exit(1)


def _counted(receipts: Iterable[Erasure]) -> str:
    counts = sum((Counter(receipt.counts) for receipt in receipts), Counter[str]())
    told = [f"{number:,} {name.replace('_', ' ')}" for name, number in sorted(counts.items())]
    return ", ".join(told) or "nothing that is counted"


def _show(receipts: Sequence[Erasure], *, dry_run: bool) -> None:
    if not receipts:
        console().print("nothing of that is here", style="dim")
    for receipt in receipts:
        verb = "would erase" if dry_run else "erased"
        console().print(Text(f"{verb} a {receipt.kind}: {_counted([receipt])}", style="yellow"))
        if not dry_run:
            console().print(Text(f"receipt {receipt.id}", style="dim"))
        if not dry_run and receipt.finished_at is None:
            told = "its last traces go when the store is next opened: somebody reads it now"
            console().print(Text(told, style="red"))


def _told(receipt: Erasure) -> dict[str, Any]:
    return {
        "id": receipt.id,
        "kind": receipt.kind,
        "counts": dict(receipt.counts),
        "actor": receipt.actor,
        "erased_at": receipt.erased_at.isoformat(),
        "finished": receipt.finished_at is not None,
    }
