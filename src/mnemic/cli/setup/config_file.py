"""A client's configuration file: read, changed in one place, checked, backed up and replaced."""

import os
import shutil
import tempfile
from collections.abc import Callable, Mapping
from copy import deepcopy
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final, Literal, cast

from mnemic.cli.setup.clients import Entry, McpClient, merged
from mnemic.cli.setup.json_text import JsonText
from mnemic.cli.setup.toml_text import TomlText
from mnemic.errors import StateError
from mnemic.runtime.private_files import create

Status = Literal["added", "changed", "removed", "already there", "not there"]
_BY_HAND: Final = "change it by hand; without --write and --remove the text is printed"
_MARK: Final = "\ufeff"


@dataclass(frozen=True, slots=True)
class FileChange:
    """What a file says after a change, or that there is nothing to change."""

    status: Status
    text: str | None = None


class ConfigFile:
    """The file as it was read; it may not be there yet.

    Nothing is written unless the new text says exactly what the old one said, but for one server,
    and holds every comment that the old one held.
    """

    def __init__(self, path: Path, client: McpClient) -> None:
        # Who keeps a link here, to a folder of settings, keeps the link. `resolve` would raise
        # something else than an OSError for links that lead in a circle.
        self.path = Path(os.path.realpath(path))
        self._client = client
        self._bytes = self._read()
        self._text = self._decoded(self._bytes or b"")
        self._parsed = self._parse(self._text.removeprefix(_MARK))

    def add(
        self, name: str, entry: Entry, *, usual: Mapping[str, str] = MappingProxyType({})
    ) -> FileChange:
        """Return the text with a server; what a user added to its entry stays. Variables that are
        `usual` are set where they are not.
        """
        old = self._servers().get(name)
        wanted = merged(old, entry, usual)
        if old == wanted:
            return FileChange("already there")
        expected = deepcopy(self._parsed.data)
        expected.setdefault(self._client.container, {})[name] = wanted
        status = "added" if old is None else "changed"
        change = partial(self._parsed.with_server, self._client.container, name, wanted)
        return FileChange(status, self._checked(change, expected))

    def remove(self, name: str) -> FileChange:
        """Return the text without a server."""
        if name not in self._servers():
            return FileChange("not there")
        expected = deepcopy(self._parsed.data)
        del expected[self._client.container][name]
        change = partial(self._parsed.without_server, self._client.container, name)
        return FileChange("removed", self._checked(change, expected))

    def write(self, text: str, *, clock: Callable[[], datetime] = lambda: datetime.now(UTC)) -> str:
        """Put the new text in the file's place at once; return where the old one is kept, or "".

        Raises StateError where the file may not be written, or somebody else changed it since it
        was read.
        """
        try:
            return self._replace(text, clock())
        except OSError as error:
            raise StateError(
                f"{self.path} cannot be written ({error.strerror}). It is as it was; {_BY_HAND}."
            ) from error

    def _replace(self, text: str, now: datetime) -> str:
        self.path.parent.mkdir(parents=True, exist_ok=True)
        backup = ""
        if self._bytes is not None:
            # A folder lets files be replaced that are not to be written, so this is tried first.
            self.path.open("ab").close()
            backup = self._back_up(now)
        handle, name = tempfile.mkstemp(dir=self.path.parent, prefix=f".{self.path.name}.")
        new = Path(name)
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(text.encode())
                file.flush()
                os.fsync(file.fileno())
            if self._bytes is not None:
                shutil.copymode(self.path, new)
            if self._read() != self._bytes:
                raise StateError(f"{self.path} changed meanwhile. Nothing was written; run again.")
            new.replace(self.path)
        finally:
            new.unlink(missing_ok=True)
        return backup

    def _read(self) -> bytes | None:
        try:
            return self.path.read_bytes()
        except FileNotFoundError:
            return None

    def _servers(self) -> dict[str, Any]:
        servers: object = self._parsed.data.get(self._client.container, {})
        if not isinstance(servers, dict):
            raise StateError(
                f"{self.path}: {self._client.container} is no table of servers. Mend it first; "
                "nothing was changed."
            )
        return cast("dict[str, Any]", servers)

    def _checked(self, change: Callable[[], str], expected: dict[str, Any]) -> str:
        """Return the new text, if it says what it must and lost no comment."""
        try:
            text = change()
            if self._says(text, expected):
                return (_MARK if self._text.startswith(_MARK) else "") + text
            reason = "a comment or something else in it would be lost"
        except StateError as error:
            reason = str(error)
        raise StateError(
            f"{self.path} cannot be changed safely: {reason}. Nothing was changed; {_BY_HAND}."
        )

    def _says(self, text: str, expected: dict[str, Any]) -> bool:
        try:
            new = self._parsed_from(text)
        except StateError:
            return False
        # A table that is gone altogether is as good as an empty one.
        same = self._full(new.data) == self._full(expected)
        return same and new.comments() == self._parsed.comments()

    def _full(self, data: dict[str, Any]) -> dict[str, Any]:
        return {self._client.container: {}, **data}

    def _parsed_from(self, text: str) -> JsonText | TomlText:
        if self._client.format == "toml":
            return TomlText(text)
        return JsonText(text, comments=self._client.format == "jsonc")

    def _parse(self, text: str) -> JsonText | TomlText:
        try:
            return self._parsed_from(text)
        except StateError as error:
            raise StateError(
                f"{self.path}: {error}. Mend it first; nothing was changed."
            ) from error

    def _decoded(self, content: bytes) -> str:
        try:
            return content.decode()
        except UnicodeDecodeError as error:
            raise StateError(
                f"{self.path}: it is not UTF-8. Mend it first; nothing was changed."
            ) from error

    def _back_up(self, now: datetime) -> str:
        stem = f"{self.path.name}.bak-{now.astimezone(UTC):%Y%m%dT%H%M%SZ}"
        backup, number = self.path.with_name(stem), 1
        while backup.exists():
            number += 1
            backup = self.path.with_name(f"{stem}-{number}")
        # Such files hold keys, so the copy is nobody else's before it has the mode of its source.
        create(backup)
        shutil.copy2(self.path, backup)
        return str(backup)
