"""Whether the file of a store, its folder and its disk are as they must be."""

import os
import shutil
import stat
from pathlib import Path
from typing import Final, cast

import apsw

from mnemic.cli.checking.check import Check, problem, warning, well
from mnemic.errors import MnemicError
from mnemic.storage.sqlite.connection import Connection, translating
from mnemic.storage.sqlite.inspecting import inspect, newest_schema

_LEAST_FREE: Final = 50_000_000
_LITTLE_FREE: Final = 500_000_000
_OUR_FIRST_TABLES: Final = {"account", "scope", "memory"}
_RESTORE: Final = "run `mnemic restore BACKUP --force`"
_OTHERS: Final = stat.S_IRWXG | stat.S_IRWXO


def check_files(path: Path) -> list[Check]:
    """Check where a store is, or would be made; nothing is made and nothing is changed."""
    folder = _nearest(path.parent)
    if not path.exists():
        found = f"none yet; it is made at the first use: {path}"
        return [well("store", found), _folder(folder, path), _disk(folder)]
    if not path.is_file():
        return [problem("store", f"{path} is no file", "name another with MNEMIC_DATABASE")]
    return [*_content(path), _permissions(path), _folder(folder, path), _disk(folder)]


def can_be_opened(path: Path) -> bool:
    """Tell whether there is a store of this schema, so that opening it changes nothing."""
    if not path.is_file() or not os.access(path, os.R_OK | os.W_OK):
        return False
    try:
        return inspect(path, thorough=False).schema == newest_schema() and _is_ours(path)
    except MnemicError:
        return False


def _content(path: Path) -> list[Check]:
    try:
        found = inspect(path)
    except MnemicError as error:
        told = str(error).removesuffix(".")
        return [problem("store", told, f"{_RESTORE}, or name another file")]
    if not found.damage and not _is_ours(path):
        told = f"{path} belongs to another program: it has tables, and none of them is Mnemic's"
        return [problem("store", told, "name another file with MNEMIC_DATABASE")]
    where = well("store", f"{path}, {path.stat().st_size / 1e6:,.1f} MB")
    if found.damage:
        told = f"damaged: {found.damage[0]}"
        mend = f"stop all programs that use it, then {_RESTORE}"
        return [where, problem("integrity", told, mend)]
    return [where, well("integrity", "SQLite finds nothing wrong"), _schema(found.schema)]


def _is_ours(path: Path) -> bool:
    """Tell whether a sound file is a store, or is empty and can become one."""
    with translating(path):
        connection = cast("Connection", apsw.Connection(str(path), flags=apsw.SQLITE_OPEN_READONLY))
        try:
            tables = {str(row[1]) for row in connection.execute("pragma table_list")}
        finally:
            connection.close()
    own = {name for name in tables if not name.startswith("sqlite_")}
    return not own or own >= _OUR_FIRST_TABLES


def _schema(schema: int) -> Check:
    newest = newest_schema()
    if schema == 0:
        return well("schema", "none yet; the file is empty, and becomes a store at the first use")
    if schema > newest:
        told = f"{schema}, written by a newer Mnemic; this one knows {newest}"
        return problem("schema", told, "run `pip install --upgrade mnemic`")
    if schema < newest:
        told = f"{schema}, from an older Mnemic; this one makes it {newest} when it opens it"
        return warning("schema", told, "run `mnemic stats`, which opens it")
    return well("schema", str(schema))


def _permissions(path: Path) -> Check:
    if not os.access(path, os.R_OK | os.W_OK):
        told = f"{path} cannot be read and written by this user"
        return problem("permissions", told, f"run `chmod u+rw {path}`, as its owner")
    mode = stat.S_IMODE(path.stat().st_mode)
    # On Windows the bits say nothing. Others must get through the folder as well.
    shown = path.parent.stat().st_mode & (stat.S_IXGRP | stat.S_IXOTH)
    if os.name == "posix" and mode & _OTHERS and shown:
        told = f"{mode:o}: other users of this machine can read it"
        return warning("permissions", told, f"run `chmod 700 {path.parent}`")
    return well("permissions", f"{mode:o}")


def _folder(folder: Path, path: Path) -> Check:
    if not folder.is_dir():
        return problem("folder", f"{folder} is no folder", "name another with MNEMIC_DATABASE")
    # SQLite keeps a log beside the file, so the file's own permissions are not enough.
    if not os.access(folder, os.W_OK | os.X_OK):
        told = f"nothing can be made in {folder}"
        return problem("folder", told, f"run `chmod u+wx {folder}`, or move {path.name}")
    return well("folder", f"{folder} can be written")


def _disk(folder: Path) -> Check:
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
