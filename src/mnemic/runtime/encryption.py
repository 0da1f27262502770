"""The key that a SQLite store is encrypted with: 32 random bytes, never shown."""

import os
import secrets
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, Self

from mnemic.errors import SettingsError
from mnemic.runtime.patterns import opening
from mnemic.runtime.private_files import open_new

_BYTES: Final = 32
_DIGITS: Final = opening(rf"[0-9a-fA-F]{{{2 * _BYTES}}}")
_NO_KEY: Final = (
    f"must be {2 * _BYTES} hexadecimal digits, {_BYTES} random bytes; `mnemic encrypt --key-file "
    "FILE` makes them"
)


@dataclass(frozen=True, slots=True)
class EncryptionKey:
    """A key. Neither its representation nor an error tells what it is."""

    digits: str = field(repr=False)

    @classmethod
    def of_text(cls, text: str, *, where: str) -> Self:
        """Return the key that a text is; SettingsError, which names only `where` it stands."""
        if not _DIGITS.fullmatch(text.strip()):
            raise SettingsError(f"{where} {_NO_KEY}.")
        return cls(text.strip().lower())

    @classmethod
    def of_file(cls, path: Path) -> Self:
        """Return the key that a file holds."""
        try:
            # A little more than a key: what is named by mistake may be large.
            with path.open("rb") as file:
                text = file.read(4 * _BYTES).decode("ascii", "replace")
        except OSError as error:
            raise SettingsError(
                f"encryption_key_file: {path} cannot be read ({error.strerror})."
            ) from error
        return cls.of_text(text, where=f"encryption_key_file: {path}")

    @classmethod
    def new(cls, path: Path) -> Self:
        """Make a random key, and put it into a new file, safely on the disk."""
        key = cls(secrets.token_hex(_BYTES))
        with open_new(path) as file:
            file.write(f"{key.digits}\n".encode())
            file.flush()
            os.fsync(file.fileno())
        return key
