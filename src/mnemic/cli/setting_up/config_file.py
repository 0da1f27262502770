"""A client's configuration file: read, changed in one place, checked, backed up and replaced."""

import os
import shutil
import tempfile
from collections.abc import Callable
from copy import deepcopy
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Any, Final, Literal, cast

from mnemic.cli.setting_up.clients import Client, Entry, merged
from mnemic.cli.setting_up.json_text import JsonText
from mnemic.cli.setting_up.toml_text import TomlText
from mnemic.errors import StateError

Status = Literal["added", "changed", "removed", "already there", "not there"]
_MARK: Final = "\ufeff"


@dataclass(frozen=True, slots=True)
class Change:
    """What a file says after a change, or that there is nothing to change."""

    status: Status
    text: str = ""


class ConfigFile:
    """The file as it was read; it may not be there yet.

    Nothing is written unless the new text says exactly what the old one said, but for one server,
    and holds every comment that the old one held.
    """

    def __init__(self, path: Path, client: Client) -> None:
        # Who keeps a link here, to a folder of settings, keeps the link.
        self.path = path.resolve()
        self._client = client
        self._bytes = self.path.read_bytes() if self.path.exists() else None
        self._text = self._decoded(self._bytes or b"")
        self._parsed = self._parse(self._text.removeprefix(_MARK))

    def add(self, name: str, entry: Entry) -> Change:
        """Return the text with a server; what a user added to its entry stays."""
        old = self._servers().get(name)
        wanted = merged(old, entry)
        if old == wanted:
            return Change("already there")
        expected = deepcopy(self._parsed.data)
        expected.setdefault(self._client.container, {})[name] = wanted
        status = "added" if old is None else "changed"
        change = partial(self._parsed.with_server, self._client.container, name, wanted)
        return Change(status, self._checked(change, expected))

    def remove(self, name: str) -> Change:
        """Return the text without a server."""
        if name not in self._servers():
            return Change("not there")
        expected = deepcopy(self._parsed.data)
        del expected[self._client.container][name]
        change = partial(self._parsed.without_server, self._client.container, name)
        return Change("removed", self._checked(change, expected))

    def write(self, text: str, *, clock: Callable[[], datetime] = lambda: datetime.now(UTC)) -> str:
        """Put the new text in the file's place at once; return where the old one is kept, or "".

        Raises StateError where somebody else changed the file since it was read.
        """
        self.path.parent.mkdir(parents=True, exist_ok=True)
        backup = self._back_up(clock()) if self._bytes is not None else ""
        handle, name = tempfile.mkstemp(dir=self.path.parent, prefix=f".{self.path.name}.")
        new = Path(name)
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(text.encode())
                file.flush()
                os.fsync(file.fileno())
            if self._bytes is not None:
                shutil.copymode(self.path, new)
            if (self.path.read_bytes() if self.path.exists() else None) != self._bytes:
                raise StateError(f"{self.path} changed meanwhile. Nothing was written; run again.")
            new.replace(self.path)
        finally:
            new.unlink(missing_ok=True)
        return backup

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
        reason = "a comment or something else in it would be lost"
        try:
            text = change()
            new = self._parse(text)
            # A table that is gone altogether is as good as an empty one.
            if self._full(new.data) == self._full(expected) and (
                new.comments() == self._parsed.comments()
            ):
                return (_MARK if self._text.startswith(_MARK) else "") + text
        except StateError as error:
            reason = str(error)
        raise StateError(
            f"{self.path} cannot be changed safely: {reason}. Nothing was changed; put the text in "
            "by hand (run again without --write)."
        )

    def _full(self, data: dict[str, Any]) -> dict[str, Any]:
        return {self._client.container: {}, **data}

    def _parse(self, text: str) -> JsonText | TomlText:
        try:
            if self._client.format == "toml":
                return TomlText(text)
            return JsonText(text, comments=self._client.format == "jsonc")
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
        shutil.copy2(self.path, backup)
        return str(backup)
