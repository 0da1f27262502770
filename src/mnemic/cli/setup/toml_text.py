"""Change one server in a TOML text, and nothing else; tomlkit keeps order, spaces and comments."""

import re
from collections.abc import MutableMapping, Sequence
from typing import Any, Final, cast

import tomlkit
from tomlkit.exceptions import TOMLKitError
from tomlkit.items import InlineTable, Table

from mnemic.errors import StateError

_STRINGS: Final = re.compile(r"\"(?:[^\"\\\n]|\\.)*\"|'[^'\n]*'")

Servers = MutableMapping[str, Any]


class TomlText:
    """A TOML text that can be changed table by table."""

    def __init__(self, text: str) -> None:
        self._text = text
        try:
            self._document = tomlkit.parse(text)
        except TOMLKitError as error:
            raise StateError(f"it is no valid TOML ({error})") from error
        self.data: dict[str, Any] = self._document.unwrap()

    def with_server(self, container: str, name: str, entry: dict[str, Any]) -> str:
        """Return the text with the server's table, at the end or in place of the old one."""
        document = cast("Servers", tomlkit.parse(self._text))
        servers: Servers = document.get(container, {})
        if name in servers:
            _update(servers[name], entry)
        elif isinstance(servers, InlineTable):
            servers[name] = entry
        else:
            return self._appended(tomlkit.dumps({container: {name: _table(entry)}}))
        return tomlkit.dumps(document)

    def without_server(self, container: str, name: str) -> str:
        """Return the text without the server, which must be there.

        Comments behind its table speak of what comes next, and stay.
        """
        document = tomlkit.parse(self._text)
        del cast("Servers", document[container])[name]
        rest = tomlkit.dumps(document)
        begin = _first_difference(self._text, rest)
        removed = self._text[begin : begin + len(self._text) - len(rest)]
        head = rest[:begin]
        if head.endswith(("\n\n", "\r\n\r\n")):
            head = head.removesuffix("\n").removesuffix("\r")
        return head + _comments_behind(removed) + rest[begin:]

    def comments(self) -> Sequence[str]:
        """Return the comments of the text, in order."""
        bare = (_STRINGS.sub("", line) for line in self._text.splitlines())
        return [line[line.index("#") :].strip() for line in bare if "#" in line]

    def _appended(self, table: str) -> str:
        line_end = "\r\n" if "\r\n" in self._text else "\n"
        text = self._text
        if text and not text.endswith("\n"):
            text += line_end
        gap = line_end if text.strip() else ""
        return text + gap + table.lstrip().replace("\n", line_end)


def _update(server: Servers, entry: dict[str, Any]) -> None:
    for key, value in entry.items():
        if key not in server or server[key] != value:
            server[key] = value


def _table(entry: dict[str, Any]) -> Table:
    table = tomlkit.table()
    for key, value in entry.items():
        table.add(key, _inline(cast("dict[str, Any]", value)) if isinstance(value, dict) else value)
    return table


def _inline(mapping: dict[str, Any]) -> InlineTable:
    inline = tomlkit.inline_table()
    for key, value in mapping.items():
        inline.append(key, value)
    return inline


def _first_difference(text: str, other: str) -> int:
    """Return where the first line begins in which two texts differ."""
    begin = 0
    for line, other_line in zip(
        text.splitlines(keepends=True), other.splitlines(keepends=True), strict=False
    ):
        if line != other_line:
            break
        begin += len(line)
    return begin


def _comments_behind(removed: str) -> str:
    """Return the blank lines and comments at the end of a removed table."""
    lines = removed.splitlines(keepends=True)
    kept = len(lines)
    while kept and (not lines[kept - 1].strip() or lines[kept - 1].lstrip().startswith("#")):
        kept -= 1
    return "".join(lines[kept:])
