"""`mnemic encrypt` and `mnemic decrypt`: a SQLite store with another key, or with none."""

from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer

from mnemic.cli.commands.audit_command import write_down
from mnemic.cli.ending import tidying_up
from mnemic.cli.options import AsJson, console, print_json
from mnemic.cli.reporting import reporting_errors
from mnemic.errors import InvalidInputError, StateError
from mnemic.records.audit_entry import Act
from mnemic.runtime.encryption import EncryptionKey
from mnemic.settings import Settings, read_settings
from mnemic.storage.sqlite.backups import Copied
from mnemic.storage.sqlite.connection import schema_versions
from mnemic.storage.sqlite.driver import is_encrypted
from mnemic.storage.sqlite.read_only import inspect
from mnemic.storage.sqlite.reencryption import change_key, plain_copies


def add_to(app: typer.Typer) -> None:
    """Add the commands to an application."""
    app.command()(encrypt)
    app.command()(decrypt)


def encrypt(
    ctx: typer.Context,
    key_file: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="Holds the key from now on; a new key is made where there is no such file.",
            show_default="the key of the settings",
        ),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Encrypt a SQLite store, or change the key of one. Stop everything that uses the store before.

    Example: mnemic encrypt --key-file memory.key
    """
    with reporting_errors(as_json=as_json), tidying_up():
        settings = read_settings({"database": ctx.obj})
        path = _path(settings)
        configured = settings.read_encryption_key()
        made = key_file is not None and not key_file.expanduser().exists()
        before = configured if is_encrypted(path) else None
        # Before a key is made: one that belongs to nothing would only confuse.
        inspect(path, key=before, thorough=False)
        after = configured if key_file is None else _key(key_file.expanduser(), new=made)
        if after is None:
            raise InvalidInputError("key-file", "no key is set", "--key-file FILE")
        copied = change_key(path, key=before, to=after)
        _write_down(replace(settings, encryption_key=after.digits), "encrypt", copied)
        copies = plain_copies(path)
        if as_json:
            told = {"store": str(path), "encrypted": True, "memories": copied.memories}
            print_json({**told, "new_key": made, "plain_copies": [str(copy) for copy in copies]})
            return
        told = f"{path}: {copied.memories:,} memories, encrypted and checked"
        console().print(told, style="green", soft_wrap=True)
        if made:
            kept = f"{key_file} holds a new key. Keep a copy elsewhere: nothing reads it without."
            console().print(kept, soft_wrap=True)
        for copy in copies:
            console().print(f"{copy} is not encrypted", style="yellow", soft_wrap=True)


def decrypt(ctx: typer.Context, as_json: AsJson = False) -> None:
    """Make an encrypted store a plain one. Stop everything that uses the store before.

    Example: mnemic decrypt
    """
    with reporting_errors(as_json=as_json), tidying_up():
        settings = read_settings({"database": ctx.obj})
        path = _path(settings)
        if not is_encrypted(path):
            raise StateError(f"{path} is not encrypted. Nothing was changed.")
        key = settings.read_encryption_key()
        inspect(path, key=key, thorough=False)
        copied = change_key(path, key=key, to=None)
        _write_down(replace(settings, encryption_key=None), "decrypt", copied)
        if as_json:
            print_json({"store": str(path), "encrypted": False, "memories": copied.memories})
            return
        told = f"{path}: {copied.memories:,} memories, no longer encrypted; unset the key"
        console().print(told, style="green", soft_wrap=True)


def _path(settings: Settings) -> Path:
    if settings.is_postgres or settings.path is None:
        raise InvalidInputError("database", "it is no SQLite file", "the file of a store")
    if not settings.path.is_file():
        raise InvalidInputError("database", f"{settings.path} is not there", "a store")
    return settings.path


def _write_down(settings: Settings, act: Act, copied: Copied) -> None:
    # An older store has no log, and opening it would change its schema.
    if copied.schema == schema_versions():
        own = replace(settings, encryption_key_file=None)
        write_down(own, act, counts={"memories": copied.memories})


def _key(path: Path, *, new: bool) -> EncryptionKey:
    return EncryptionKey.new(path) if new else EncryptionKey.of_file(path)
