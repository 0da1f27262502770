"""A store written anew with another key, or with none."""

import os
from pathlib import Path
from urllib.parse import urlencode

import apsw

from mnemic.errors import StateError, UnusableStoreError
from mnemic.runtime.encryption import EncryptionKey
from mnemic.runtime.private_files import create
from mnemic.storage.sqlite.backups import Copied, alone, check
from mnemic.storage.sqlite.connection import Connection, translating
from mnemic.storage.sqlite.copies import remove, remove_beside, sync
from mnemic.storage.sqlite.driver import CIPHER, is_encrypted
from mnemic.storage.sqlite.scrubbing import copies_beside


def change_key(path: Path, *, key: EncryptionKey | None, to: EncryptionKey | None) -> Copied:
    """Give a store another key; None stands for a plain store, before or after.

    It is refused while anybody has the store open. The store stays as it is until the new file is
    whole, checked and safely on the disk. Of the old one nothing is kept beside it.
    """
    if not path.is_file():
        raise UnusableStoreError(f"{path} is not there.")
    if key == to:
        raise StateError(f"{path}: this is the key that it has. Nothing was changed.")
    fresh = path.with_name(f"{path.name}.{os.getpid()}.encrypting")
    try:
        with alone(path, key=key) as connection:
            if connection is None:
                raise UnusableStoreError(f"{path} is not a Mnemic database, or it is damaged.")
            with translating(fresh):
                create(fresh)
                _write_anew(connection, fresh, to)
            changed = check(fresh, key=to, source=path)
            sync(fresh)
            # The search index of a plain store, too: it is a plain file.
            remove_beside(path)
            fresh.replace(path)
            sync(path.parent)
    finally:
        remove(fresh)
    return changed


def plain_copies(path: Path) -> list[Path]:
    """Return the copies of an encrypted store that were kept beside it and are plain."""
    return [copy for copy in copies_beside(path) if copy.is_file() and not is_encrypted(copy)]


def _write_anew(connection: Connection, fresh: Path, key: EncryptionKey | None) -> None:
    chosen = {"key": ""} if key is None else {"cipher": CIPHER, "key": f"raw:{key.digits}"}
    address = f"{fresh.absolute().as_uri()}?{urlencode(chosen)}"
    try:
        connection.execute("vacuum into :file", {"file": address})
    except apsw.Error as error:
        # What SQLite says may hold the address, and so the key.
        raise type(error)(f"{fresh} could not be written") from None
