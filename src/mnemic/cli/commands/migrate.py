"""`mnemic migrate`: the tables of PostgreSQL, the rights of its roles, and a store moved there."""

import time
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from mnemic.cli.commands.audit_command import write_down
from mnemic.cli.options import AsJson, console, print_json
from mnemic.cli.progress import bars
from mnemic.cli.reporting import reporting_errors
from mnemic.errors import InvalidInputError
from mnemic.opening import move_to_postgres, prepare_postgres
from mnemic.settings import Settings, read_settings


def add_to(app: typer.Typer) -> None:
    """Add the command to an application."""
    app.command()(migrate)


_To = Annotated[
    str | None,
    typer.Option(
        metavar="URL",
        help="postgresql://owner@host/name, as the owner of the tables; else the database.",
    ),
]
_From = Annotated[
    str | None,
    typer.Option("--from", metavar="sqlite:PATH", help="The store to move; it may be in use."),
]
_Account = Annotated[
    str | None,
    typer.Option(metavar="NAME", help="What the store's only account is called there."),
]
_AppRole = Annotated[
    str | None,
    typer.Option(metavar="NAME", help="A role that gets the rights of an application."),
]
_Partitions = Annotated[
    int | None,
    typer.Option(help="Over how many tables accounts are spread.", show_default="32"),
]
_Verify = Annotated[
    bool, typer.Option("--verify", help="Only compare what was moved; change nothing.")
]


def migrate(
    ctx: typer.Context,
    to: _To = None,
    from_: _From = None,
    account: _Account = None,
    app_role: _AppRole = None,
    partitions: _Partitions = None,
    verify: _Verify = False,
    as_json: AsJson = False,
) -> None:
    """Make or update the tables of PostgreSQL, and move a store there.

    A move goes on where it was interrupted. Run again, it brings over what is new or changed, and
    every time all rows are read back and compared.

    Example: mnemic migrate --from sqlite:robot.db --to postgresql://owner@db.example/mnemic
    """
    with reporting_errors(as_json=as_json):
        settings = _target(to or ctx.obj, partitions)
        path = None if from_ is None else _source(from_)
        if verify and path is None:
            raise InvalidInputError("verify", "there is nothing to compare with", "--from as well")
        started = time.perf_counter()
        answer = {} if verify else prepare_postgres(settings, app_role=app_role)
        if path is not None:
            with bars() as progress:
                answer |= move_to_postgres(
                    path, settings, account=account, verify_only=verify, progress=progress
                )
            if not verify:
                rows = sum(moved["rows"] for moved in answer["tables"].values())
                # The key, if there is one, is that of the file.
                target = replace(settings, encryption_key=None, encryption_key_file=None)
                write_down(target, "migrate", target=path.name, counts={"rows": rows})
            answer |= {"verified": True, "seconds": round(time.perf_counter() - started, 2)}
        if as_json:
            print_json(answer)
        else:
            console().print(_shown(answer, path, app_role))


def _target(url: str | None, partitions: int | None) -> Settings:
    settings = read_settings({"database": url, "partitions": partitions})
    if not settings.is_postgres:
        raise InvalidInputError("to", "it is not PostgreSQL", "postgresql://owner@host/name")
    return settings


def _source(given: str) -> Path:
    path = given.removeprefix("sqlite:").removeprefix("//")
    if "://" in path or path.startswith(("postgresql:", "postgres:")):
        # It is not repeated: it may hold a password.
        raise InvalidInputError("from", "it is not a file", "sqlite:PATH, or the path of a file")
    return Path(path).expanduser()


def _shown(answer: dict[str, Any], path: Path | None, app_role: str | None) -> RenderableType:
    parts: list[RenderableType] = []
    if "schema" in answer:
        parts.append(Text(f"{answer['database']}: schema {answer['schema']}", style="green"))
    if app_role is not None:
        parts.append(Text(f"{app_role} may use it, and change no table"))
    if path is not None:
        parts += [_counts(answer["tables"]), *_told(answer, path)]
    return Group(*parts)


def _counts(tables: dict[str, dict[str, Any]]) -> Table:
    table = Table(box=None, pad_edge=False)
    for name in ("table", "rows", "added", "changed", "removed", "checksum"):
        table.add_column(name, justify="left" if name in ("table", "checksum") else "right")
    for name, moved in tables.items():
        counts = (moved[part] for part in ("rows", "added", "changed", "removed"))
        table.add_row(name, *(f"{count:,}" for count in counts), moved["checksum"][:12])
    return table


def _told(answer: dict[str, Any], path: Path) -> list[Text]:
    rows = sum(moved["rows"] for moved in answer["tables"].values())
    taken = answer["seconds"]
    told = [Text(f"verified: {rows:,} rows are as in {path}, {taken:,.1f} s", style="green")]
    if left_out := answer["vectors_left_out"]:
        told.append(
            Text(
                f"{left_out:,} vectors were left out: there is no pgvector. Install it, run this "
                "again, or make them anew with `mnemic reindex`.",
                style="yellow",
            )
        )
    if answer["later"]["anything"]:
        changes = answer["later"]["changes"]
        told.append(
            Text(
                f"{path} was written to meanwhile ({changes:,} changes of what can be found). "
                "Run this again to bring them over.",
                style="yellow",
            )
        )
    return told
