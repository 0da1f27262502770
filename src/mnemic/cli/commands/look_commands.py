"""Commands that look into a memory: one memory with all around it, and the whole in numbers."""

from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Annotated, Any, Final

import typer
from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from mnemic.administration.stats import Linked
from mnemic.cli import rendering
from mnemic.cli.history_text import differences
from mnemic.cli.options import SERVER, AsJson, MemoryId, Reveal, User, console, opened, print_json
from mnemic.cli.reporting import reporting_errors
from mnemic.cli.users.user_view import UserView
from mnemic.language.secrets.recognising import masked
from mnemic.opening import inspect_postgres
from mnemic.settings import read_settings

_DIM: Final = "dim"
_SIDE_FILES: Final = ("", "-wal", "-shm", "-index")
_LONG_DATA: Final = 200


def add_to(app: typer.Typer) -> None:
    """Add the commands to an application."""
    for command in (show, stats):
        app.command()(command)


def show(
    ctx: typer.Context,
    memory_id: MemoryId,
    user: User = None,
    reveal: Reveal = False,
    as_json: AsJson = False,
) -> None:
    """Show one memory with all around it: where it is, its relations and its versions.

    Example: mnemic show 1
    """
    with reporting_errors(as_json=as_json), opened(ctx) as memory:
        # The robot's verb comes first: it refuses what is no id.
        view = memory.robot if user is None else UserView(memory, user)
        shown = view.get(memory_id, reveal=reveal)
        record = memory.get(memory_id)
        answer: dict[str, Any] = {
            **shown,
            "scope": {"kind": record.scope.kind, "name": record.scope.name},
            "links": [_link(link, reveal=reveal) for link in memory.links(memory_id)],
            "history": view.history(memory_id, reveal=reveal),
        }
        if as_json:
            print_json(answer)
        else:
            console().print(_shown(answer))


def _link(link: Linked, *, reveal: bool) -> dict[str, Any]:
    told = asdict(link)
    return told if reveal else told | {"summary": masked(link.summary)}


def stats(
    ctx: typer.Context,
    scopes: Annotated[
        int, typer.Option("--scopes", "-n", min=1, max=1000, help="How many of each kind to name.")
    ] = 10,
    as_json: AsJson = False,
) -> None:
    """Count what is remembered: by scope, kind, status and category; size, vectors and jobs.

    Example: mnemic stats
    """
    with reporting_errors(as_json=as_json):
        with opened(ctx) as memory:
            totals = asdict(memory.stats(scopes=scopes))
        answer: dict[str, Any] = {**totals, "bytes": None, **_place(ctx)}
        if as_json:
            print_json(answer)
        else:
            console().print(_counted(answer))


def _place(ctx: typer.Context) -> dict[str, Any]:
    """Return where the memory is and, where that can be seen from here, how large."""
    if server := ctx.meta.get(SERVER):
        return {"database": server}
    settings = read_settings({"database": ctx.obj})
    if settings.is_postgres:
        told = inspect_postgres(settings)
        return {"database": told["database"], "bytes": told["bytes"]}
    if settings.path is None:
        return {}
    size = sum(_size(settings.path, ending) for ending in _SIDE_FILES)
    return {"database": str(settings.path), "bytes": size}


def _size(path: Path, ending: str) -> int:
    file = path.with_name(path.name + ending)
    return file.stat().st_size if file.exists() else 0


def _shown(answer: dict[str, Any]) -> RenderableType:
    scope, links, history = answer["scope"], answer["links"], answer["history"]
    table = Table.grid(padding=(0, 2))
    table.add_column(style=_DIM)
    table.add_column(overflow="fold")
    head = Text.assemble((f"#{answer['id']} ", "cyan"), answer["content"])
    made = next((event for event in history if event["verb"] == "created"), None)
    rows = {
        "where": f"{scope['kind']} {scope['name']}",
        "what": f"{answer['type']} · {answer['category']} · sure {answer['confidence']:.2f}",
        "status": _status(answer),
        "made": f"{answer['created_at']} by {made['actor'] if made else 'unknown'}",
        "changed": answer["updated_at"] if answer["updated_at"] != answer["created_at"] else "",
        "used": f"{answer['access_count']} times, last {answer['last_accessed']}",
        "session": answer["session_id"] or "",
        "context": "" if answer["context"] == "{}" else answer["context"],
        "tags": ", ".join(answer["tags"]),
        "files": ", ".join(answer["scope_files"]),
        "data": _shortened(answer.get("data")),
        "metadata": _shortened(answer.get("metadata")),
    }
    for name, value in rows.items():
        if value:
            table.add_row(name, Text(value))
    parts: list[RenderableType] = [head, table]
    if links:
        parts += [Text("\nrelations", style="bold"), _links(links)]
    if len(history) > 1:
        parts += [Text("\nversions", style="bold"), differences(history)]
    return Group(*parts)


def _status(answer: Mapping[str, Any]) -> str:
    reason = answer["status_reason"]
    return f"{answer['status']}, because: {reason}" if reason else answer["status"]


def _shortened(value: str | None) -> str:
    if not value or len(value) <= _LONG_DATA:
        return value or ""
    return f"{value[:_LONG_DATA]}… ({len(value):,} characters; mnemic get --json has all)"


def _links(links: list[dict[str, Any]]) -> Table:
    table = Table.grid(padding=(0, 2))
    table.add_column()
    table.add_column(style="cyan", justify="right")
    table.add_column(overflow="fold")
    for link in links:
        arrow = "→" if link["direction"] == "to" else "←"
        aside = "" if link["status"] == "active" else f" ({link['status']})"
        table.add_row(
            f"{arrow} {link['relation']}", f"#{link['memory_id']}", link["summary"] + aside
        )
    return table


def _counted(answer: dict[str, Any]) -> RenderableType:
    table = Table.grid(padding=(0, 2))
    table.add_column(style=_DIM)
    table.add_column(overflow="fold")
    scopes: Mapping[str, int] = answer["scopes"]
    missing = answer["vectors_missing"]
    rows = {
        "database": answer.get("database", "gone when it is closed"),
        "size": "" if answer["bytes"] is None else f"{answer['bytes'] / 1e6:,.1f} MB",
        "in use": f"{answer['memories']:,} memories",
        "statuses": _listed(answer["statuses"]),
        "kinds": _listed(answer["kinds"]),
        "categories": _listed(answer["categories"]),
        "vectors": "" if missing is None else f"{missing:,} missing" + _advice(missing),
        "jobs": _listed(answer["jobs"]),
    }
    for name, value in rows.items():
        if value:
            table.add_row(name, Text(value))
    parts: list[RenderableType] = [table]
    for kind, count in answer["scope_kinds"].items():
        named = [scope for scope in answer["fullest"] if scope["kind"] == kind]
        many = rendering.plural(scopes[kind], "scope", "scopes")
        parts.append(Text(f"\n{kind}: {count:,} memories in {scopes[kind]:,} {many}", "bold"))
        parts.append(_scopes(named, more=scopes[kind] - len(named)))
    return Group(*parts)


def _advice(missing: int) -> str:
    return "; mnemic reindex makes them" if missing else ""


def _scopes(named: list[dict[str, Any]], *, more: int) -> RenderableType:
    table = Table.grid(padding=(0, 2))
    table.add_column(justify="right")
    table.add_column(overflow="fold")
    for scope in named:
        table.add_row(f"{scope['memories']:,}", Text(scope["name"]))
    if more:
        table.add_row("…", Text(f"{more:,} more; -n shows more of them", style=_DIM))
    return table


def _listed(counts: Mapping[str, int]) -> str:
    return " · ".join(f"{name} {count:,}" for name, count in counts.items())
