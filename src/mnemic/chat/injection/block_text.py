"""The text of a block, and what each piece of it costs.

A prompt cache keeps what stands before the first change. So what seldom changes comes first, and
the order inside a part is by age, never by score: a score changes with every message.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Literal

from mnemic.language.secrets.recognising import masked
from mnemic.language.token_counts import token_quarters
from mnemic.records.item import Item
from mnemic.storage.rows.passage_rows import SaidPassage

Part = Literal["facts", "loops", "micros", "macros", "passages"]
Style = Literal["plain", "dual"]

# From what seldom changes to what changes with every turn.
_PLAIN_ORDER: Final[tuple[Part, ...]] = ("facts", "macros", "micros", "loops", "passages")
_PLAIN_HEADER: Final = "[Memory]"
_DUAL_HEADERS: Final[dict[Part, str]] = {
    "facts": "[Memory Facts]",
    "loops": "[Open Loops]",
    "micros": "[Recent Micro Summaries]",
    "macros": "[Macro Summary]",
    "passages": "[What Was Said]",
}
_BETWEEN_SECTIONS: Final = "\n\n"
_QUARTERS: Final = 4


@dataclass(frozen=True, slots=True)
class BlockLine:
    """One item's line, under which header it stands, and what it costs in quarters of a token,
    with the line break before it.
    """

    header: str
    text: str
    quarters: int


def part_of(item: Item) -> Part:
    """Return which part of memory an item belongs to. A summary of no tier is a micro one."""
    if item.type == "open_loop":
        return "loops"
    if item.type == "summary":
        return "macros" if item.tier == "macro" else "micros"
    return "facts"


def line_of(item: Item, *, style: Style) -> BlockLine:
    """Return an item as it will stand in the text, always on one line."""
    text = _one_line(item.content)
    if style == "plain":
        header, line = _PLAIN_HEADER, f"- ({item.type}) {text}"
    else:
        header, line = _DUAL_HEADERS[part_of(item)], f"- {_with_key(item, text)}"
    return BlockLine(header, line, token_quarters("\n" + line))


def passage_line_of(passage: SaidPassage, *, style: Style) -> BlockLine:
    """Return a passage as it will stand in the text: where it was said, and by whom."""
    header = _PLAIN_HEADER if style == "plain" else _DUAL_HEADERS["passages"]
    speaker = _one_line(passage.name or passage.role)
    line = f"- (floor {passage.number}, {speaker}) {_one_line(passage.content)}"
    return BlockLine(header, line, token_quarters("\n" + line))


def place_of(part: Part, *, is_pinned: bool, style: Style) -> tuple[int, int]:
    """Return where the lines of a part stand in the text."""
    if style == "dual":
        return (list(_DUAL_HEADERS).index(part), not is_pinned)
    return (not is_pinned, _PLAIN_ORDER.index(part))


def rendered(lines: Sequence[BlockLine]) -> str:
    """Return the block of lines that are in order; no lines make no text."""
    sections: dict[str, list[str]] = {}
    for line in lines:
        sections.setdefault(line.header, [line.header]).append(line.text)
    return _BETWEEN_SECTIONS.join("\n".join(section) for section in sections.values())


def header_quarters(header: str, *, first: bool) -> int:
    """Return what it costs to open a section, with the blank line that parts it from others."""
    return token_quarters(header if first else _BETWEEN_SECTIONS + header)


def tokens_of(quarters: int) -> int:
    """Return whole tokens, rounded up like the estimate of the whole text."""
    return -(-quarters // _QUARTERS)


def _one_line(text: str) -> str:
    """Return a text on one line, without the secrets in it: a block goes to a language model."""
    return " ".join(filter(None, map(str.strip, masked(text).splitlines())))


def _with_key(item: Item, text: str) -> str:
    key = item.fact_key
    if key is None or _starts_with_key(text, key):
        return text
    return f"{key}: {text}"


def _starts_with_key(text: str, key: str) -> bool:
    """Tell whether a text already says its key. Chinese texts also use the wide colon."""
    start = text[: len(key)]
    after = text[len(key) :].lstrip()
    return start.casefold() == key.casefold() and after.startswith((":", "："))
