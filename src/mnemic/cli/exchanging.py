"""`mnemic export` and `mnemic import`: everything that an account holds, as lines of JSON."""

import shutil
import sys
import time
from collections.abc import Generator
from contextlib import contextmanager, nullcontext
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Annotated, BinaryIO

import typer
from rich.table import Table
from rich.text import Text

from mnemic.cli.ending import tidying_up
from mnemic.cli.options import AsJson, console, print_json
from mnemic.cli.progress import bars
from mnemic.cli.reporting import reporting_errors
from mnemic.errors import InvalidInputError
from mnemic.exchanging.exchange import Exported, Imported, export_store, import_file
from mnemic.exchanging.file_format import header_of
from mnemic.exchanging.writing import naming, written_whole
from mnemic.opening import open_memory
from mnemic.settings import Settings, read_settings

if TYPE_CHECKING:
    from mnemic.importing import ImportReport

_OURS = "mnemic"
_FORMATS = ("auto", _OURS, "robotmem", "mem0", "mcp-memory", "jsonl", "csv")
_STREAM = "-"
_SHOWN = 20


def add_to(app: typer.Typer) -> None:
    """Add the commands to an application."""
    app.command("export")(export)
    app.command("import")(import_)


def export(
    ctx: typer.Context,
    file: Annotated[
        str, typer.Argument(metavar="FILE", help="Where to; - is standard output.")
    ] = _STREAM,
    all_accounts: Annotated[
        bool, typer.Option("--all-accounts", help="Every account of the store, not only one.")
    ] = False,
    account: Annotated[
        str | None, typer.Option(metavar="NAME", help="Whose memories.", show_default="default")
    ] = None,
    vectors: Annotated[
        bool, typer.Option("--vectors", help="Vectors, too; else they are made anew.")
    ] = False,
    force: Annotated[bool, typer.Option("--force", help="Replace a file that is there.")] = False,
    as_json: AsJson = False,
) -> None:
    """Write everything of an account to a file: memories, history, chats, sensor data, jobs.

    The store may be in use: it is read as it is at one moment.

    Example: mnemic export memories.jsonl
    """
    with reporting_errors(as_json=as_json), tidying_up():
        settings = read_settings({"database": ctx.obj, "account": account})
        with bars() as progress, _destination(file, force=force) as out:
            answer = export_store(
                settings,
                out,
                now=datetime.now(UTC),
                all_accounts=all_accounts,
                vectors=vectors,
                progress=progress,
            )
        # On standard output stands the export itself.
        _tell_exported(answer, file, as_json=as_json)


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
    user: Annotated[
        str | None,
        typer.Option(metavar="ID", help="The user of rows that name none; not for mnemic."),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Add what a file holds to the memory: an export of Mnemic, or of another memory.

    An export is checked first and comes in as a whole or not at all. What is there already is
    passed over; where numbers are taken, memories get new ones.

    Example: mnemic import memories.jsonl
    """
    with reporting_errors(as_json=as_json), tidying_up(), _spooled(file) as path:
        chosen = _format_of(path, format_)
        started = time.perf_counter()
        if chosen != _OURS:
            into = read_settings({"database": ctx.obj, "account": account})
            report = _import_foreign(into, path, chosen, collection=collection, user=user)
            print_json(report.to_json()) if as_json else _show_foreign(report)
            return
        settings = read_settings({"database": ctx.obj})
        with bars() as progress:
            taken = import_file(settings, path, account=account, progress=progress)
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
        with pipe as data, path.open("wb") as out:
            shutil.copyfileobj(data, out)
        yield path


def _format_of(path: Path, given: str) -> str:
    if given not in _FORMATS:
        raise InvalidInputError("format", repr(given), ", ".join(_FORMATS))
    if given != "auto":
        return given
    if header_of(path) is not None:
        return _OURS
    from mnemic.importing import detect, unknown  # noqa: PLC0415  slow, and few need it

    found = detect(path)
    if found is None:
        raise unknown(path)
    return found


def _import_foreign(
    settings: Settings, path: Path, chosen: str, *, collection: str | None, user: str | None
) -> "ImportReport":
    from mnemic.importing import import_foreign  # noqa: PLC0415  slow, as above

    opened = open_memory(settings.database, account=settings.account)
    with bars() as progress, opened as memory:
        return import_foreign(
            memory,
            path,
            chosen,
            collection=collection,
            user=user,
            progress=partial(progress, "importing", path.name),
        )


def _show_foreign(report: "ImportReport") -> None:
    lines = [
        f"{report.format}: read {report.read:,}, added {report.added:,}, "
        f"known already {report.known:,}, skipped {len(report.skipped):,}"
    ]
    if report.edges or report.episodes:
        lines.append(f"{report.edges:,} relations and {report.episodes:,} runs are new")
    lines += [f"{one.where}: {one.reason}" for one in report.skipped[:_SHOWN]]
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


def _show_imported(taken: Imported) -> None:
    for one in taken.accounts:
        table = Table(
            box=None, pad_edge=False, title=f"account {one.account}", title_justify="left"
        )
        table.add_column("lines")
        for name in ("in the file", "added"):
            table.add_column(name, justify="right")
        for name, read in one.read.items():
            if name in one.added:
                table.add_row(name, f"{read:,}", f"{one.added[name]:,}")
        console().print(table)
        if one.renumbered:
            console().print(
                "The numbers of memories were taken here, so they got new ones.", style="yellow"
            )
    if not taken.has_vectors and any(one.added.get("memory") for one in taken.accounts):
        console().print(
            "The file holds no vectors. Make them with `mnemic reindex`.", style="yellow"
        )
