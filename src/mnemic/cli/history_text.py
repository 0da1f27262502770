"""The history of a memory as people read it: what each change took away and what it added."""

import re
from collections.abc import Iterator, Mapping, Sequence
from difflib import SequenceMatcher
from typing import Any, Final, cast

from rich.console import RenderableType
from rich.table import Table
from rich.text import Text

from mnemic.dialects.robot import answers
from mnemic.runtime.patterns import linear

# A word, one Chinese character, or anything else by itself: what a change may exchange.
_PIECES: Final = linear(r"[^\W\u2e80-\u9fff]+|\s+|.", re.DOTALL)
# Longer texts are shown whole: each piece of one is looked up among those of the other.
_MOST_PAIRS: Final = 250_000
_ASIDE: Final = ("category", "confidence", "context", "status")


def differences(changes: Sequence[answers.HistoryEntry]) -> RenderableType:
    """Show what happened, oldest first; of a changed text, what went and what came."""
    table = Table(box=None, pad_edge=False, header_style="dim")
    table.add_column("when", no_wrap=True)
    table.add_column("what", style="cyan", no_wrap=True)
    table.add_column("who")
    table.add_column("in these words", overflow="fold")
    for at, change in enumerate(changes):
        told = _told(change) or Text(
            _first_text(changes[at:]) if change["verb"] == "created" else ""
        )
        table.add_row(change["at"], change["verb"], change["actor"], told)
    return table


def compared(old: str, new: str) -> Text:
    """Return both texts, one below the other, with what differs between them marked."""
    before, after = _PIECES.findall(old), _PIECES.findall(new)
    gone, come = Text("- ", "red"), Text("+ ", "green")
    if len(before) * len(after) > _MOST_PAIRS:
        before, after = [old], [new]
    for tag, i, j, k, m in SequenceMatcher(None, before, after, autojunk=False).get_opcodes():
        same = tag == "equal"
        gone.append("".join(before[i:j]), "dim" if same else "bold red")
        come.append("".join(after[k:m]), "dim" if same else "bold green")
    return Text("\n").join((gone, come))


def _told(change: answers.HistoryEntry) -> Text:
    before, after = _version(change["before"]), _version(change["after"])
    if "reason" in after:
        return Text(f"because: {after['reason']}")
    old, new = before.get("content"), after.get("content")
    if not isinstance(new, str):
        return Text()
    told = compared(old, new) if isinstance(old, str) and old != new else Text(new)
    for line in _asides(before, after):
        told.append(f"\n{line}", "dim")
    return told


def _first_text(changes: Sequence[answers.HistoryEntry]) -> str:
    """Return what was said at first: the next change tells what it found."""
    texts = (_version(change["before"]).get("content") for change in changes)
    return next((text for text in texts if isinstance(text, str)), "")


def _asides(before: Mapping[str, Any], after: Mapping[str, Any]) -> Iterator[str]:
    for name in _ASIDE:
        if name in before and name in after and before[name] != after[name]:
            yield f"{name}: {before[name]} → {after[name]}"


def _version(value: object) -> Mapping[str, Any]:
    return cast("Mapping[str, Any]", value) if isinstance(value, Mapping) else {}
