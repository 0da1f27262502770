"""Whether the file of a store, its folder and its disk are as they must be."""

import os
import shutil
import stat
from pathlib import Path
from typing import Final

from mnemic.cli.doctor.check import DoctorCheck, problem, warning, well
from mnemic.errors import EncryptionError, MnemicError
from mnemic.runtime.encryption import EncryptionKey
from mnemic.storage.sqlite.connection import Connection, schema_versions, translating
from mnemic.storage.sqlite.copies import BESIDE
from mnemic.storage.sqlite.driver import READ_ONLY, can_encrypt, open_file
from mnemic.storage.sqlite.read_only import Inspected, inspect
from mnemic.storage.sqlite.reencryption import plain_copies

_LEAST_FREE: Final = 50_000_000
_LITTLE_FREE: Final = 500_000_000
_OUR_FIRST_TABLES: Final = {"account", "scope", "memory"}
_RESTORE: Final = "run `mnemic restore BACKUP --force`"
_ENCRYPTION: Final = "see docs/how-to/encrypt-a-store.md"
_OTHERS: Final = stat.S_IRWXG | stat.S_IRWXO


def check_files(
    path: Path, *, key: EncryptionKey | None, key_file: Path | None = None
) -> list[DoctorCheck]:
    """Check where a store is, or would be made; nothing is made and nothing is changed."""
    folder = _nearest(path.parent)
    if not path.exists():
        found = f"none yet; it is made at the first use: {path}"
        return [well("store", found), _folder(folder, path), _disk(folder)]
    if not path.is_file():
        return [problem("store", f"{path} is no file", "name another with MNEMIC_DATABASE")]
    found = _content(path, key)
    if found[-1].name != "encryption":
        found.append(_encryption(path, key, key_file))
    return [*found, _permissions(path), _folder(folder, path), _disk(folder)]


def can_be_opened(path: Path, *, key: EncryptionKey | None) -> bool:
    """Tell whether there is a store of this schema, so that opening it changes nothing."""
    if not path.is_file() or not os.access(path, os.R_OK | os.W_OK):
        return False
    try:
        inspected = inspect(path, key=key, thorough=False)
    except MnemicError:
        return False
    is_sound = inspected.schema == schema_versions() and not inspected.changed.harmful
    return is_sound and _is_ours(path, key)


def _content(path: Path, key: EncryptionKey | None) -> list[DoctorCheck]:
    try:
        inspected = inspect(path, key=key)
    except EncryptionError as error:
        return [problem("encryption", str(error).removesuffix("."), _ENCRYPTION)]
    except MnemicError as error:
        told = str(error).removesuffix(".")
        return [problem("store", told, f"{_RESTORE}, or name another file")]
    if not inspected.damage and not _is_ours(path, key):
        told = f"{path} belongs to another program: it has tables, and none of them is Mnemic's"
        return [problem("store", told, "name another file with MNEMIC_DATABASE")]
    where = well("store", f"{path}, {path.stat().st_size / 1e6:,.1f} MB")
    if inspected.damage:
        told = f"damaged: {inspected.damage[0]}"
        mend = f"stop all programs that use it, then {_RESTORE}"
        return [where, problem("integrity", told, mend)]
    return [where, well("integrity", "SQLite finds nothing wrong"), _schema(inspected)]


def _is_ours(path: Path, key: EncryptionKey | None) -> bool:
    """Tell whether a sound file is a store, or is empty and can become one."""
    with translating(path):
        connection: Connection = open_file(path, key=key, flags=READ_ONLY)
        try:
            tables = {str(row[1]) for row in connection.execute("pragma table_list")}
        finally:
            connection.close()
    own = {name for name in tables if not name.startswith("sqlite_")}
    return not own or own >= _OUR_FIRST_TABLES


def _encryption(path: Path, key: EncryptionKey | None, key_file: Path | None) -> DoctorCheck:
    if key is None:
        lost = "off, and not possible: another package has put apsw in place of apsw-sqlite3mc"
        return well("encryption", "off" if can_encrypt() else lost)
    if copies := plain_copies(path):
        told = f"on, but these copies are plain: {', '.join(one.name for one in copies)}"
        return warning("encryption", told, "remove them, or encrypt each: see `mnemic encrypt -h`")
    if key_file is not None and os.name == "posix" and _mode(key_file) & _OTHERS:
        told = f"on, but the key's file is not for this user alone: {_mode(key_file):o}"
        return warning("encryption", told, f"run `chmod 600 {key_file}`")
    return well("encryption", "on; without the key nobody can read the store")


def _schema(inspected: Inspected) -> DoctorCheck:
    schema, newest = inspected.schema, schema_versions()
    if schema == 0:
        return well("schema", "none yet; the file is empty, and becomes a store at the first use")
    if schema > newest:
        told = f"{schema}, written by a newer Mnemic; this one knows {newest}"
        return problem("schema", told, "run `pip install --upgrade mnemic`")
    if inspected.changed:
        judge = problem if inspected.changed.harmful else warning
        mend = "drop what was put there: such a store is neither backed up nor moved"
        return judge("schema", f"{schema}, {inspected.changed}", mend)
    if schema < newest:
        told = f"{schema}, from an older Mnemic; this one makes it {newest} when it opens it"
        return warning("schema", told, "run `mnemic stats`, which opens it")
    return well("schema", str(schema))


def _permissions(path: Path) -> DoctorCheck:
    if not os.access(path, os.R_OK | os.W_OK):
        told = f"{path} cannot be read and written by this user"
        return problem("permissions", told, f"run `chmod u+rw {path}`, as its owner")
    # On Windows the bits say nothing.
    wide = [file for file in _with_side_files(path) if os.name == "posix" and _mode(file) & _OTHERS]
    if wide:
        told = ", ".join(f"{file.name} {_mode(file):o}" for file in wide)
        mend = f"run `chmod 600 {' '.join(map(str, wide))}`, unless a group is meant to share it"
        return warning("permissions", f"{told}: not for this user alone", mend)
    return well("permissions", f"{_mode(path):o}")


def _with_side_files(path: Path) -> list[Path]:
    """Return a store's file, what lies beside it, and the copies that Mnemic kept of it."""
    beside = [path.with_name(path.name + ending) for ending in BESIDE]
    kept = [file for file in path.parent.iterdir() if file.name.startswith(f"{path.name}.before-")]
    return [file for file in (path, *beside, *sorted(kept)) if file.is_file()]


def _mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def _folder(folder: Path, path: Path) -> DoctorCheck:
    if not folder.is_dir():
        return problem("folder", f"{folder} is no folder", "name another with MNEMIC_DATABASE")
    # SQLite keeps a log beside the file, so the file's own permissions are not enough.
    if not os.access(folder, os.W_OK | os.X_OK):
        told = f"nothing can be made in {folder}"
        return problem("folder", told, f"run `chmod u+wx {folder}`, or move {path.name}")
    return well("folder", f"{folder} can be written")


def _disk(folder: Path) -> DoctorCheck:
    free = shutil.disk_usage(folder).free
    told = f"{free / 1e9:,.1f} GB are free" if free >= 1e9 else f"{free / 1e6:,.0f} MB are free"
    if free < _LEAST_FREE:
        return problem("disk", told, "make room, or move the store to another disk")
    if free < _LITTLE_FREE:
        return warning("disk", told, "make room, or move the store to another disk")
    return well("disk", told)


def _nearest(folder: Path) -> Path:
    while not folder.exists() and folder != folder.parent:
        folder = folder.parent
    return folder
