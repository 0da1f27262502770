"""Change one server in a JSON text, and nothing else: order, spaces and comments stay."""

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final, cast

from mnemic.errors import StateError

_STRING: Final = r'"(?:[^"\\]|\\.)*"'
_COMMENTS: Final = re.compile(rf"{_STRING}|(//[^\n]*|/\*.*?\*/)", re.DOTALL)
_LAST_COMMAS: Final = re.compile(rf"{_STRING}|(,)(?=\s*[}}\]])", re.DOTALL)
_NOT_SPACE: Final = re.compile(r"\S")
_DECODER: Final = json.JSONDecoder()


@dataclass(frozen=True, slots=True)
class _Member:
    """Where a key begins, and where its value begins and ends."""

    name: str
    begin: int
    value: int
    end: int


class JsonText:
    """A JSON text that can be changed member by member. With `comments` it may hold comments, and
    commas after the last member.
    """

    def __init__(self, text: str, *, comments: bool) -> None:
        self._text = text
        self._comments = comments
        # The same length as the text, so that a place in the one is a place in the other.
        self._bare = _blanked(_COMMENTS, text) if comments else text
        self._strict = _blanked(_LAST_COMMAS, self._bare) if comments else text
        self.data = self._parse()

    def with_server(self, container: str, name: str, entry: dict[str, Any]) -> str:
        """Return the text with the server in its container, new or in place of the old one."""
        if not self.data and not self._strict.strip():
            return json.dumps({container: {name: entry}}, indent=2, ensure_ascii=False) + "\n"
        servers = self._find(self._root(), container)
        if servers is None:
            return self._added(self._root(), container, {name: entry})
        old = self._find(servers.value, name)
        if old is None:
            return self._added(servers.value, name, entry)
        indent = self._indent_at(old.begin)
        value = self._dumped(entry, indent)
        return self._text[: old.value] + value + self._text[old.end :]

    def without_server(self, container: str, name: str) -> str:
        """Return the text without the server, which must be there, and without its comma."""
        servers = self._find(self._root(), container)
        old = None if servers is None else self._find(servers.value, name)
        if old is None:
            raise StateError(f"There is no {name} in {container}.")
        begin, end = self._line_of(old.begin), old.end
        after = _NOT_SPACE.search(self._bare, end)
        if after and after[0] == ",":
            return self._text[:begin] + self._text[after.end() :]
        before = len(self._bare[: old.begin].rstrip())
        if self._bare[before - 1] == ",":
            return self._text[: before - 1] + self._text[before:begin] + self._text[end:]
        return self._text[:begin] + self._text[end:]

    def comments(self) -> Sequence[str]:
        """Return the comments of the text, in order."""
        texts = (match[1] for match in _COMMENTS.finditer(self._text)) if self._comments else ()
        return [one for one in texts if one]

    def _parse(self) -> dict[str, Any]:
        if not self._strict.strip():
            return {}
        try:
            data: object = json.loads(self._strict)
        except (ValueError, RecursionError) as error:
            raise StateError(f"it is no valid JSON ({error})") from error
        if not isinstance(data, dict):
            raise StateError("it holds no JSON object")
        return cast("dict[str, Any]", data)

    def _root(self) -> int:
        return self._strict.index("{")

    def _find(self, begin: int, name: str) -> _Member | None:
        # Of two members with one name, readers take the last.
        members = [member for member in self._members(begin) if member.name == name]
        return members[-1] if members else None

    def _members(self, begin: int) -> list[_Member]:
        members: list[_Member] = []
        at = self._skip(begin + 1)
        while self._strict[at] == '"':
            name, after = _DECODER.raw_decode(self._strict, at)
            value = self._skip(self._skip(after) + 1)
            _, end = _DECODER.raw_decode(self._strict, value)
            members.append(_Member(name, at, value, end))
            at = self._skip(end)
            if self._strict[at] == ",":
                at = self._skip(at + 1)
        return members

    def _skip(self, at: int) -> int:
        match = _NOT_SPACE.search(self._strict, at)
        return match.start() if match else len(self._strict)

    def _added(self, begin: int, name: str, value: dict[str, Any]) -> str:
        members = self._members(begin)
        _, end = _DECODER.raw_decode(self._strict, begin)
        close = end - 1
        outer = self._indent_at(begin)
        inner = self._indent_at(members[0].begin) if members else ""
        if len(inner) <= len(outer):
            inner = outer + self._unit()
        # After the last thing that stands in the braces, which may be a comment.
        place = len(self._text[:close].rstrip())
        head, comma = self._text[:place], ""
        if members and self._bare[members[-1].end : close].strip():
            # Who ends the last member with a comma keeps doing so.
            comma = ","
        elif members:
            last = members[-1].end
            head = f"{self._text[:last]},{self._text[last:place]}"
        line = self._line_end()
        key = json.dumps(name, ensure_ascii=False)
        tail = self._text[place:]
        if "\n" not in self._text[place:close]:
            tail = f"{line}{outer}{self._text[close:]}"
        return f"{head}{line}{inner}{key}: {self._dumped(value, inner)}{comma}{tail}"

    def _dumped(self, value: object, indent: str) -> str:
        dumped = json.dumps(value, indent=self._unit(), ensure_ascii=False)
        return dumped.replace("\n", self._line_end() + indent)

    def _unit(self) -> str:
        """Return what the text indents by: as its first member is."""
        members = self._members(self._root()) if self._strict.strip() else []
        return (self._indent_at(members[0].begin) if members else "") or "  "

    def _line_end(self) -> str:
        return "\r\n" if "\r\n" in self._text else "\n"

    def _indent_at(self, at: int) -> str:
        line = self._text[self._text.rfind("\n", 0, at) + 1 : at]
        return line[: len(line) - len(line.lstrip())]

    def _line_of(self, at: int) -> int:
        """Return where the line break before a member begins, if nothing stands between them."""
        before = self._text[:at].rstrip(" \t")
        if not before.endswith("\n"):
            return at
        return len(before.removesuffix("\n").removesuffix("\r"))


def _blanked(pattern: re.Pattern[str], text: str) -> str:
    """Return the text with spaces where the pattern's group is; breaks of lines stay."""

    def blank(match: re.Match[str]) -> str:
        return match[0] if match[1] is None else re.sub(r"[^\n]", " ", match[0])

    return pattern.sub(blank, text)
