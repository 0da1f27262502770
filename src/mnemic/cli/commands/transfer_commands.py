"""`mnemic export` and `mnemic import`: what an account holds, as lines of JSON."""

import json
import shutil
import sys
import time
from collections.abc import Generator
from contextlib import contextmanager, nullcontext
from dataclasses import asdict
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Annotated, BinaryIO

import typer
from rich.table import Table
from rich.text import Text

from mnemic.cli.commands.audit_command import acting, local_actor, write_down
from mnemic.cli.ending import tidying_up
from mnemic.cli.options import AsJson, console, print_json
from mnemic.cli.progress import bars
from mnemic.cli.reporting import reporting_errors
from mnemic.errors import InvalidInputError
from mnemic.opening import open_memory
from mnemic.records.conversation import chat_scope
from mnemic.runtime.private_files import open_new
from mnemic.settings import Settings, read_settings
from mnemic.transfer.exchange import export_store, import_file
from mnemic.transfer.file_format import header_of
from mnemic.transfer.outcomes import Exported, Imported, ImportedChanges
from mnemic.transfer.whole_files import naming, written_whole

if TYPE_CHECKING:
    from mnemic.transfer.foreign import ImportReport

_OURS = "mnemic"
_CHATS = ("sillytavern", "chatgpt", "claude", "world-info")
_FORMATS = ("auto", _OURS, "robotmem", "mem0", "mcp-memory", "jsonl", "csv", *_CHATS)
_STREAM = "-"
_AllAccounts = Annotated[
    bool, typer.Option("--all-accounts", help="Every account of the store, not only one.")
]
_Account = Annotated[
    str | None, typer.Option(metavar="NAME", help="Whose memories.", show_default="default")
]
_Lore = Annotated[
    str | None,
    typer.Option("--as", metavar="FORM", help="Only facts, as a world-info or character-book."),
]
_LoreSession = Annotated[
    str | None, typer.Option(metavar="ID", help="With --as: whose facts, not everybody's.")
]
_Session = Annotated[
    str | None,
    typer.Option(metavar="ID", help="The session of a chat's file, or of a book of lore."),
]
_User = Annotated[
    str | None, typer.Option(metavar="ID", help="The user of rows that name none; not for mnemic.")
]
_SHOWN = 20
# What an import leaves as it is, where it has changed in the file.
_STAYING = {
    "item": "items of chats that are here already",
    "turn": "turns of conversations that are here already",
    "memory": "memories whose history in the file does not tell how they changed",
}


def add_to(app: typer.Typer) -> None:
    """Add the commands to an application."""
    app.command("export")(export)
    app.command("import")(import_)


def export(
    ctx: typer.Context,
    file: Annotated[
        str, typer.Argument(metavar="FILE", help="Where to; - is standard output.")
    ] = _STREAM,
    all_accounts: _AllAccounts = False,
    account: _Account = None,
    vectors: Annotated[
        bool, typer.Option("--vectors", help="Vectors, too; else they are made anew.")
    ] = False,
    reveal: Annotated[
        bool, typer.Option("--reveal", help="Secrets, too; else they are masked.")
    ] = False,
    force: Annotated[bool, typer.Option("--force", help="Replace a file that is there.")] = False,
    lore: _Lore = None,
    session: _LoreSession = None,
    as_json: AsJson = False,
) -> None:
    """Write an account to a file: memories, history, chats, sensor data, jobs; no keys.

    The store may be in use: it is read as it is at one moment. Where secrets were masked, no store
    takes the file in: write it with --reveal to move memories.

    Example: mnemic export memories.jsonl
    """
    with reporting_errors(as_json=as_json), tidying_up():
        settings = read_settings({"database": ctx.obj, "account": account})
        if lore is not None:
            with _destination(file, force=force) as out:
                out.write(_book(settings, lore, session))
            return
        with bars() as progress, _destination(file, force=force) as out:
            answer = export_store(
                settings,
                out,
                now=datetime.now(UTC),
                all_accounts=all_accounts,
                vectors=vectors,
                reveal=reveal,
                progress=progress,
            )
        write_down(
            settings,
            "export",
            target=Path(file).name,
            account=None if all_accounts else settings.account,
            counts={"memories": answer.lines.get("memory", 0)},
        )
        # On standard output stands the export itself.
        _tell_exported(answer, file, as_json=as_json)


def _book(settings: Settings, form: str, session: str | None) -> bytes:
    """Return the facts of everybody, or of one session, as a book of lore."""
    from mnemic.transfer.chats import lorebook  # noqa: PLC0415  slow, and few need it

    scope = lorebook.GLOBAL if session is None else chat_scope(session)
    with open_memory(settings.database, account=settings.account) as memory:
        book = lorebook.export_book(memory.chat, form, scope)
    return json.dumps(book, ensure_ascii=False, indent=2).encode() + b"\n"


def import_(
    ctx: typer.Context,
    file: Annotated[str, typer.Argument(metavar="FILE", help="What to read; - is standard input.")],
    format_: Annotated[
        str, typer.Option("--format", metavar="NAME", help=f"One of {', '.join(_FORMATS)}.")
    ] = "auto",
    account: Annotated[
        str | None,
        typer.Option(metavar="NAME", help="Whose memories they become.", show_default="default"),
    ] = None,
    collection: Annotated[
        str | None,
        typer.Option(
            "--collection",
            "-c",
            metavar="NAME",
            help="The robots' group that all of it goes into; not for mnemic.",
        ),
    ] = None,
    user: _User = None,
    session: _Session = None,
    as_json: AsJson = False,
) -> None:
    """Add what a file holds to the memory: an export of Mnemic, of another memory, or a chat.

    An export is checked first. What is new in it comes in as a whole or not at all; what is there
    already and was changed or forgotten in the file, but not here, is changed here too. Where
    numbers are taken, memories get new ones.

    Example: mnemic import memories.jsonl
    """
    with reporting_errors(as_json=as_json), tidying_up(), _spooled(file) as path:
        chosen = _format_of(path, format_)
        started = time.perf_counter()
        if chosen != _OURS:
            into = read_settings({"database": ctx.obj, "account": account})
            if chosen in _CHATS:
                report = _import_chats(into, path, chosen, session=session)
            else:
                report = _import_foreign(into, path, chosen, collection=collection, user=user)
            print_json(report.to_json()) if as_json else _show_foreign(report)
            return
        settings = acting(read_settings({"database": ctx.obj}))
        with bars() as progress:
            now = datetime.now(UTC)
            taken = import_file(settings, path, account=account, now=now, progress=progress)
        if as_json:
            print_json({**taken.to_json(), "seconds": round(time.perf_counter() - started, 2)})
        else:
            _show_imported(taken)


@contextmanager
def _destination(file: str, *, force: bool) -> Generator[BinaryIO]:
    if file == _STREAM:
        with naming("standard output"):
            yield sys.stdout.buffer
            sys.stdout.buffer.flush()
        return
    with written_whole(Path(file).expanduser(), force=force) as out:
        yield out


@contextmanager
def _spooled(file: str) -> Generator[Path]:
    """Return a file that can be read twice; what comes through a pipe is put down first."""
    given = Path(file).expanduser()
    if file != _STREAM and not given.exists():
        raise InvalidInputError("file", f"{given} is not there", "a file, or - for a pipe")
    if file != _STREAM and given.is_dir():
        raise InvalidInputError("file", f"{given} is a folder", "a file, or - for a pipe")
    if file != _STREAM and given.is_file():
        yield given
        return
    with TemporaryDirectory(prefix="mnemic-") as folder:
        path = Path(folder) / ("standard input" if file == _STREAM else given.name)
        # A shell gives a pipe a name, too: mnemic import <(zcat memories.jsonl.gz)
        pipe = nullcontext(sys.stdin.buffer) if file == _STREAM else given.open("rb")
        with pipe as data, open_new(path) as out:
            shutil.copyfileobj(data, out)
        yield path


def _format_of(path: Path, given: str) -> str:
    if given not in _FORMATS:
        raise InvalidInputError("format", repr(given), ", ".join(_FORMATS))
    if given != "auto":
        return given
    if header_of(path) is not None:
        return _OURS
    from mnemic.transfer.chats.chat_import import chat_format  # noqa: PLC0415  slow, and few need it
    from mnemic.transfer.foreign import detect, unknown  # noqa: PLC0415  slow, as above

    detected = chat_format(path) or detect(path)
    if detected is None:
        raise unknown(path)
    return detected


def _import_foreign(
    settings: Settings, path: Path, chosen: str, *, collection: str | None, user: str | None
) -> "ImportReport":
    from mnemic.transfer.foreign import import_foreign  # noqa: PLC0415  slow, as above

    opened = open_memory(settings.database, account=settings.account)
    with bars() as progress, opened as memory:
        report = import_foreign(
            memory,
            path,
            chosen,
            collection=collection,
            user=user,
            progress=partial(progress, "importing", path.name),
        )
        memory.audit.add(
            "import",
            actor=local_actor(),
            account=memory.account,
            target=path.name,
            counts={"memories": report.added},
        )
        return report


def _import_chats(
    settings: Settings, path: Path, chosen: str, *, session: str | None
) -> "ImportReport":
    from mnemic.transfer.chats.chat_import import import_chats  # noqa: PLC0415  slow, as above

    with open_memory(settings.database, account=settings.account) as memory:
        report = import_chats(memory.chat, path, chosen, session=session)
        memory.audit.add(
            "import",
            actor=local_actor(),
            account=memory.account,
            target=path.name,
            counts={"memories": report.added},
        )
        return report


def _show_foreign(report: "ImportReport") -> None:
    lines = [
        f"{report.format}: read {report.read:,}, added {report.added:,}, "
        f"known already {report.known:,}, skipped {len(report.skipped):,}"
    ]
    if report.edges or report.episodes:
        lines.append(f"{report.edges:,} relations and {report.episodes:,} runs are new")
    lines += [f"{skipped.where}: {skipped.reason}" for skipped in report.skipped[:_SHOWN]]
    if len(report.skipped) > _SHOWN:
        lines.append(f"and {len(report.skipped) - _SHOWN:,} more; --json tells of all")
    for line in lines:
        console().print(Text(line), soft_wrap=True)


def _tell_exported(answer: Exported, file: str, *, as_json: bool) -> None:
    if as_json and file != _STREAM:
        print_json({"file": file, **answer.to_json()})
        return
    lines = sum(answer.lines.values())
    memories = answer.lines.get("memory", 0)
    sys.stderr.write(f"exported {memories:,} memories, {lines:,} lines, from {answer.store}\n")


def _show_changes(changes: ImportedChanges) -> None:
    """Tell what became of the memories that were there already."""
    told = asdict(changes)
    not_applied = told.pop("not_applied")
    if not any(told.values()) and not not_applied:
        return
    counts = ", ".join(f"{name} {count:,}" for name, count in told.items() if name != "kept")
    console().print(Text(f"memories that were here: {counts}"), soft_wrap=True)
    if changes.kept:
        line = f"{changes.kept:,} were changed there and here; they are kept as they are here"
        console().print(Text(line), style="yellow", soft_wrap=True)
    for kind, count in not_applied.items():
        line = f"not applied: {count:,} changed or new {_STAYING[kind]}"
        console().print(Text(line), style="yellow", soft_wrap=True)
    line = "Conversations and items that were deleted there stay here: a file tells only what is."
    console().print(Text(line), style="dim", soft_wrap=True)


def _show_imported(taken: Imported) -> None:
    for account in taken.accounts:
        table = Table(
            box=None, pad_edge=False, title=f"account {account.account}", title_justify="left"
        )
        table.add_column("lines")
        for name in ("in the file", "added"):
            table.add_column(name, justify="right")
        for name, read in account.read.items():
            if name in account.added:
                table.add_row(name, f"{read:,}", f"{account.added[name]:,}")
        console().print(table)
        if account.renumbered:
            console().print(
                "The numbers of memories were taken here, so they got new ones.", style="yellow"
            )
        _show_changes(account.changes)
    if not taken.has_vectors and any(account.added.get("memory") for account in taken.accounts):
        console().print(
            "The file holds no vectors. Make them with `mnemic reindex`.", style="yellow"
        )
