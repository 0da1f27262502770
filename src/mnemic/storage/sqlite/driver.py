"""A file opened through the SQLite driver, so that what it holds is data and nothing more."""

from pathlib import Path
from time import monotonic, sleep
from typing import Any, Final

import apsw

from mnemic.errors import EncryptionError
from mnemic.runtime.encryption import EncryptionKey
from mnemic.runtime.private_files import create

READ_WRITE: Final = apsw.SQLITE_OPEN_READWRITE | apsw.SQLITE_OPEN_CREATE
READ_ONLY: Final = apsw.SQLITE_OPEN_READONLY
MAGIC: Final = b"SQLite format 3\x00"
CIPHER: Final = "chacha20"
"""ChaCha20-Poly1305, each page with a nonce and a tag of its own. Named, because the driver's
default may change."""

# Of an encrypted file, this much of the header is plain: the cipher's reserved bytes of each page,
# and three numbers that are the same in every file.
_PLAIN_PART: Final = slice(20, 24)
_OF_ENCRYPTED: Final = bytes((32, 64, 32, 32))
_NO_DRIVER: Final = (
    "Encryption needs the driver apsw-sqlite3mc, and another package has put apsw in its place. "
    "Run `pip install --force-reinstall --no-deps apsw-sqlite3mc`."
)

# After how many seconds to look again whether another process still writes, from try to try.
_PAUSES: Final = (0.001, 0.002, 0.005, 0.01, 0.015, 0.02, 0.025, 0.025, 0.025, 0.05, 0.05, 0.1)


def open_file(name: Path | str, *, key: EncryptionKey | None, flags: int = READ_WRITE) -> Any:
    """Open a file, an encrypted one with its key. Functions with side effects and virtual tables
    that its schema may name are not run.

    Raises EncryptionError where key and file do not fit; then nothing is changed.
    """
    if key is not None and not can_encrypt():
        raise EncryptionError(_NO_DRIVER)
    if isinstance(name, Path) and flags & apsw.SQLITE_OPEN_CREATE:
        create(name)
    connection: Any = apsw.Connection(str(name), flags=flags)
    try:
        connection.config(apsw.SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0)
        if flags & READ_ONLY:
            # Not where it is written: one of our migrations edits the schema itself.
            connection.config(apsw.SQLITE_DBCONFIG_DEFENSIVE, 1)
        _unlock(connection, name, key)
    except BaseException:
        connection.close()
        raise
    return connection


def be_patient(connection: Any, seconds: float) -> None:
    """Let a connection wait so long for what another process holds.

    SQLite would do so by itself, but hear no signal meanwhile.
    """
    deadline = 0.0

    def look_again(tries: int) -> bool:
        nonlocal deadline
        if tries == 0:
            deadline = monotonic() + seconds
        left = deadline - monotonic()
        if left <= 0:
            return False
        sleep(min(left, _PAUSES[min(tries, len(_PAUSES) - 1)]))
        return True

    connection.setbusyhandler(look_again)


def can_encrypt() -> bool:
    """Tell whether the driver is the one with encryption."""
    return hasattr(apsw, "mc_version")


def is_encrypted(path: Path) -> bool:
    """Tell whether a file is an encrypted store; not where there is none, or something else."""
    connection: Any = apsw.Connection(str(path), flags=READ_ONLY)
    try:
        return _looks_encrypted(_header(connection))
    finally:
        connection.close()


def _unlock(connection: Any, name: Path | str, key: EncryptionKey | None) -> None:
    header = _header(connection)
    if key is None:
        if _looks_encrypted(header):
            raise EncryptionError(
                f"{name} is encrypted. Set MNEMIC_ENCRYPTION_KEY_FILE to the file that holds its "
                "key, or MNEMIC_ENCRYPTION_KEY to the key."
            )
        return
    if header.startswith(MAGIC):
        raise EncryptionError(
            f"{name} is not encrypted, and an encryption key is set. Encrypt it with `mnemic "
            "encrypt`, or unset the key; nothing was changed."
        )
    connection.pragma("cipher", CIPHER)
    connection.pragma("key", f"raw:{key.digits}")
    # What a sort or a large transaction lays aside must not go to a plain file.
    connection.pragma("temp_store", "memory")
    if any(header):
        _try_key(connection, name)


def _try_key(connection: Any, name: Path | str) -> None:
    be_patient(connection, 5.0)
    try:
        connection.pragma("schema_version")
    except apsw.NotADBError as error:
        raise EncryptionError(
            f"{name} cannot be read with the encryption key that is set: it is the key of another "
            "store, or the file is damaged. Nothing was changed."
        ) from error


def _header(connection: Any) -> bytes:
    # Through SQLite: whoever opens and closes a file by himself releases the locks that SQLite
    # holds on it in this process.
    _, header = connection.read("main", 0, 0, _PLAIN_PART.stop)
    return header


def _looks_encrypted(header: bytes) -> bool:
    return not header.startswith(MAGIC) and header[_PLAIN_PART] == _OF_ENCRYPTED
