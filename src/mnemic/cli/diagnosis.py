"""What `mnemic doctor` finds out about a memory, without making one where there is none."""

import platform
import time
from pathlib import Path
from typing import Any, cast

import apsw
from rich.console import RenderableType
from rich.table import Table
from rich.text import Text

from mnemic.opening import inspect_postgres, open_database
from mnemic.providers.chat_model import choose_chat_model
from mnemic.providers.choosing import choose_embedder
from mnemic.providers.loading import LazyEmbedder
from mnemic.settings import Settings, read_settings
from mnemic.storage import scopes
from mnemic.storage.database import Database
from mnemic.storage.sqlite.connection import Connection
from mnemic.storage.sqlite.database import SqliteDatabase
from mnemic.version import __version__

_SIDE_FILES = ("", "-wal", "-shm")


def diagnose(database: str | None) -> dict[str, Any]:
    """Return what is known about a memory: its file, what it holds, and its models."""
    settings = read_settings({"database": database})
    return {
        "mnemic": __version__,
        "python": platform.python_version(),
        "sqlite": apsw.sqlite_lib_version(),
        **_store(settings),
        **_embedder(settings),
        "llm": _language_model(settings),
    }


def shown(found: dict[str, Any]) -> RenderableType:
    """Set a diagnosis for reading, a line for each thing."""
    table = Table.grid(padding=(0, 2))
    table.add_column(style="dim")
    table.add_column(overflow="fold")
    for name, value in found.items():
        table.add_row(name.replace("_", " "), Text(_written(value)))
    return table


def _store(settings: Settings) -> dict[str, Any]:
    if settings.is_postgres:
        return _server(settings)
    path = settings.path
    if path is None or not path.exists():
        return {"database": settings.database, "exists": False}
    db = SqliteDatabase(path, busy_seconds=settings.busy_seconds, durability=settings.durability)
    try:
        held = _held(db, settings)
    finally:
        db.close()
    return {
        "database": str(path),
        "exists": True,
        "bytes": sum(_size(path.with_name(path.name + ending)) for ending in _SIDE_FILES),
        "schema": _schema(path),
        **held,
    }


def _server(settings: Settings) -> dict[str, Any]:
    found = inspect_postgres(settings)
    if not found["exists"]:
        return found
    db = open_database(settings)
    try:
        return {**found, **_held(db, settings)}
    finally:
        db.close()


def _held(db: Database, settings: Settings) -> dict[str, Any]:
    """Return what the account holds: robots' collections by name, and how many users there are."""
    account_id = scopes.account_named(db, settings.account)
    if account_id is None:
        return {"collections": {}, "users": 0, "user_memories": 0}
    own = db.as_account(account_id)
    users = scopes.counts(own, "user")
    return {
        "collections": scopes.counts(own, "collection"),
        "users": len(users),
        "user_memories": sum(users.values()),
    }


def _schema(path: Path) -> int:
    connection = cast("Connection", apsw.Connection(str(path), flags=apsw.SQLITE_OPEN_READONLY))
    try:
        return int(connection.pragma("user_version"))
    finally:
        connection.close()


def _size(path: Path) -> int:
    return path.stat().st_size if path.exists() else 0


def _embedder(settings: Settings) -> dict[str, Any]:
    source = choose_embedder(
        settings.embedder, url=settings.embedder_url, api_key=settings.embedder_api_key
    )
    # The state tells what went wrong; a warning beside it would say it twice.
    embedder = LazyEmbedder(source, warn=lambda _: None)
    started = time.perf_counter()
    try:
        embedder.ready(wait=True)
        taken = time.perf_counter() - started
        return {
            "embedder": embedder.name or settings.embedder,
            "embedder_state": embedder.state,
            "embedder_load_seconds": round(taken, 2),
        }
    finally:
        embedder.close()


def _language_model(settings: Settings) -> str:
    # It is not asked: that may cost money, and takes as long as the model likes.
    model = choose_chat_model(
        settings.llm_url,
        settings.llm_model,
        settings.llm_api_key,
        timeout_seconds=settings.llm_timeout,
        vision=settings.llm_vision,
    )
    return "none" if model is None else f"{model.name} at {model.url}"


def _written(value: object) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, dict):
        counts = cast("dict[str, int]", value)
        return ", ".join(f"{name}: {count:,}" for name, count in counts.items()) or "none"
    return f"{value:,}" if isinstance(value, int) else str(value)
