"""Change one server in a TOML text, and nothing else: only its own tables are touched."""

import json
import re
import tomllib
from collections.abc import Sequence
from itertools import pairwise
from typing import Any, Final, cast

from mnemic.errors import StateError

_HEADER: Final = re.compile(r"\s*\[")
_STRINGS: Final = re.compile(r"\"(?:[^\"\\\n]|\\.)*\"|'[^'\n]*'")
_PLAIN_KEY: Final = re.compile(r"[A-Za-z0-9_-]+")


class TomlText:
    """A TOML text that can be changed table by table. It says so where it cannot."""

    def __init__(self, text: str) -> None:
        self._text = text
        try:
            self.data: dict[str, Any] = tomllib.loads(text)
        except tomllib.TOMLDecodeError as error:
            raise StateError(f"it is no valid TOML ({error})") from error

    def with_server(self, container: str, name: str, entry: dict[str, Any]) -> str:
        """Return the text with the server's table, at the end or in place of the old one."""
        table = self._table(container, name, entry)
        if name not in cast("dict[str, object]", self.data.get(container, {})):
            gap = self._line_end() if self._text.strip() else ""
            end = "" if self._text.endswith("\n") or not self._text else self._line_end()
            return f"{self._text}{end}{gap}{table}"
        return self._replaced(container, name, table)

    def without_server(self, container: str, name: str) -> str:
        """Return the text without the server's tables, which must be there."""
        return self._replaced(container, name, "")

    def comments(self) -> Sequence[str]:
        """Return the comments of the text, in order."""
        bare = (_STRINGS.sub("", line) for line in self._text.splitlines())
        return [line[line.index("#") :].strip() for line in bare if "#" in line]

    def _replaced(self, container: str, name: str, table: str) -> str:
        lines = self._text.splitlines(keepends=True)
        spans = _spans(lines, container, name)
        if not spans:
            raise StateError(f"{container}.{name} does not stand in a table of its own")
        for begin, end in reversed(spans[1:]):
            del lines[begin:end]
        begin, end = spans[0]
        if not table and begin and not lines[begin - 1].strip():
            begin -= 1
        lines[begin:end] = [table] if table else []
        return "".join(lines)

    def _table(self, container: str, name: str, entry: dict[str, Any]) -> str:
        lines = [f"[{container}.{_key(name)}]"]
        lines += [f"{_key(key)} = {_value(value)}" for key, value in entry.items()]
        return "".join(line + self._line_end() for line in lines)

    def _line_end(self) -> str:
        return "\r\n" if "\r\n" in self._text else "\n"


def _spans(lines: Sequence[str], container: str, name: str) -> list[tuple[int, int]]:
    """Return which lines are the server's tables, without what stands before the next table."""
    quoted = rf"(?:{re.escape(name)}|\"{re.escape(name)}\"|'{re.escape(name)}')"
    ours = re.compile(rf"\s*\[\s*{re.escape(container)}\s*\.\s*{quoted}\s*(?:\.[^\]]*)?\]")
    headers = [at for at, line in enumerate(lines) if _HEADER.match(line)]
    spans: list[tuple[int, int]] = []
    for begin, end in pairwise([*headers, len(lines)]):
        if ours.match(lines[begin]):
            while end > begin + 1 and _is_between(lines[end - 1]):
                end -= 1
            spans.append((begin, end))
    return spans


def _is_between(line: str) -> bool:
    return not line.strip() or line.lstrip().startswith("#")


def _key(name: str) -> str:
    return name if _PLAIN_KEY.fullmatch(name) else json.dumps(name, ensure_ascii=False)


def _value(value: object) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return json.dumps(value, ensure_ascii=False)
    if isinstance(value, int | float):
        return repr(value)
    if isinstance(value, list):
        return f"[{', '.join(_value(one) for one in cast('list[object]', value))}]"
    if isinstance(value, dict):
        pairs = cast("dict[str, object]", value).items()
        return f"{{ {', '.join(f'{_key(key)} = {_value(one)}' for key, one in pairs)} }}"
    raise StateError(f"it holds a value of type {type(value).__name__}, which is not rewritten")
