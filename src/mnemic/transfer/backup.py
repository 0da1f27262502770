"""Back up the configured store to a file, and restore it from one."""

from contextlib import closing
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

from mnemic.errors import InvalidInputError, StateError
from mnemic.opening import open_with
from mnemic.records.audit_entry import Act
from mnemic.settings import Settings
from mnemic.storage.sqlite import backups
from mnemic.storage.sqlite.connection import schema_versions
from mnemic.transfer.exchange import export_store, import_file, open_side, silent
from mnemic.transfer.export_lines import Progress
from mnemic.transfer.file_format import check, header_of
from mnemic.transfer.moving.side import Owner, Side
from mnemic.transfer.whole_files import written_whole


@dataclass(frozen=True, slots=True)
class BackedUp:
    """What a backup holds."""

    file: str
    store: str
    bytes: int
    memories: int


@dataclass(frozen=True, slots=True)
class Restored:
    """What was restored, and where the store that was there before is kept."""

    file: str
    store: str
    memories: int
    kept: str | None


def back_up(
    settings: Settings, to: Path, *, now: datetime, force: bool = False, progress: Progress = silent
) -> BackedUp:
    """Write the whole store to a file, as it is at one moment, while others write.

    A SQLite store becomes a copy of its file, PostgreSQL an export of all accounts with vectors.
    """
    if settings.is_postgres:
        with written_whole(to, force=force) as out:
            exported = export_store(
                settings, out, now=now, all_accounts=True, vectors=True, progress=progress
            )
        check(to)
        memories = exported.lines.get("memory", 0)
        _record(settings, "backup", to, memories, now)
        return BackedUp(str(to), exported.store, to.stat().st_size, memories)
    path = _path(settings)
    copied = backups.back_up(
        path,
        to,
        key=settings.read_encryption_key(),
        force=force,
        progress=lambda done, total: progress("copying", path.name, done, total),
    )
    # To write it down in an older store would bring that up to date: a backup changes none.
    if copied.schema == schema_versions():
        _record(settings, "backup", to, copied.memories, now)
    return BackedUp(str(to), str(path), copied.bytes, copied.memories)


def restore(
    settings: Settings,
    copied: Path,
    *,
    now: datetime,
    force: bool = False,
    progress: Progress = silent,
) -> Restored:
    """Make the store what a backup holds: one that holds anything only with `force`, and then it is
    kept beside. PostgreSQL takes a backup only while it is empty.
    """
    is_export = header_of(copied) is not None
    if not is_export and not backups.is_sqlite(copied):
        raise InvalidInputError("file", f"{copied} is no backup", "what `mnemic backup` wrote")
    if settings.is_postgres:
        if not is_export:
            problem = f"{copied} is a backup of a SQLite store"
            instead = f"a backup of PostgreSQL, or `mnemic migrate --from sqlite:{copied}`"
            raise InvalidInputError("file", problem, instead)
        return _into_postgres(settings, copied, now, progress)
    path = _path(settings)
    if path.exists() and path.samefile(copied):
        raise InvalidInputError("file", f"{copied} is the store itself", "a backup of it")
    put_back = partial(
        backups.put_back,
        path=path,
        key=settings.read_encryption_key(),
        force=force,
        moment=now.astimezone(UTC).strftime("%Y%m%dT%H%M%SZ"),
        progress=lambda done, total: progress("restoring", path.name, done, total),
    )
    if is_export:
        # It becomes a store of its own first, which then takes the place of the one that is there.
        with TemporaryDirectory(prefix="mnemic-") as folder:
            own = Path(folder) / path.name
            import_file(replace(settings, database=str(own)), copied, progress=progress)
            restored, kept = put_back(own)
    else:
        restored, kept = put_back(copied)
    # In the store that is there now: the log of the one before is kept with it.
    _record(settings, "restore", copied, restored.memories, now)
    return Restored(str(copied), str(path), restored.memories, None if kept is None else str(kept))


def _record(settings: Settings, act: Act, file: Path, memories: int, now: datetime) -> None:
    counts = {"memories": memories}
    with open_with(replace(settings, embedder="none"), clock=lambda: now) as memory:
        memory.audit.add(act, actor=settings.actor, target=file.name, counts=counts)


def _into_postgres(settings: Settings, copied: Path, now: datetime, progress: Progress) -> Restored:
    with closing(open_side(settings, writing=False)) as side:
        where = side.where
        held = [owner.name for owner in side.owners() if _holds_anything(side, owner)]
    if held:
        raise StateError(
            f"{where} holds memories of {', '.join(held)}, and PostgreSQL is restored only into an "
            "empty database. To add a backup to what is there, take `mnemic import`."
        )
    taken = import_file(settings, copied, act="restore", now=now, progress=progress).accounts
    return Restored(
        str(copied), where, sum(account.added.get("memory", 0) for account in taken), None
    )


def _holds_anything(side: Side, owner: Owner) -> bool:
    side.enter(owner.id)
    return bool(side.scopes())


def _path(settings: Settings) -> Path:
    if settings.path is None:
        raise InvalidInputError("database", "it is gone when it is closed", "a file")
    return settings.path
