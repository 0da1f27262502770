"""What a store has already, and what became of it since where the file was written."""

import json
from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any, Final

from mnemic.memory.foreign_changes import CHANGES, Divergence, ForeignChange
from mnemic.records.item import CHAT_SCOPES
from mnemic.storage.tables import MEMORIES, TURNS
from mnemic.storage.timestamps import from_micros
from mnemic.transfer.cells import read_time
from mnemic.transfer.moving.side import Side
from mnemic.transfer.numbering import Numbering

Row = dict[str, Any]

_STATES: Final = replace(MEMORIES, columns=("id", "status", "content", "context"))


class Diverging:
    """Finds the memories of a file that are known and are something else here, and the changes
    that explain it.
    """

    def __init__(self, side: Side, numbering: Numbering) -> None:
        self._side = side
        self._numbering = numbering
        self._changed: set[int] = set()
        self._unclear: set[int] = set()
        self._changes: defaultdict[int, list[ForeignChange]] = defaultdict(list)
        self.known: set[int] = set()
        """Numbers in the file of what the store has already."""
        self.not_applied: Counter[str] = Counter()
        """What differs and stays as it is, by kind: a chat's memory follows from its turns."""

    def look_at(self, rows: Sequence[Row]) -> None:
        """Compare memories, by their numbers in the file, with what the store has."""
        keys = {self._numbering.of(row["id"]): row for row in rows}
        for number, *state in self._side.at(_STATES, [(key,) for key in keys]):
            row = keys[number]
            self.known.add(row["id"])
            if not _is_same(state, [row["status"], row["content"], row["context"]]):
                self._changed.add(row["id"])

    def look_at_scopes(self, lines: Sequence[Row]) -> None:
        """Leave alone what chats keep as items."""
        for line in lines:
            if line["id"] in self._changed and line["scope"]["kind"] in CHAT_SCOPES:
                self._changed.remove(line["id"])
                self.not_applied["item"] += 1

    def look_at_events(
        self, lines: Sequence[Row], reason: Callable[[str | None], str | None]
    ) -> None:
        """Keep the changes of memories that are something else here: of their texts and states, not
        of until when they were true.
        """
        for line in lines:
            after = dict(line.get("after") or {})
            if "superseded_by" in after:
                continue
            if line.get("memory") in self._changed and line["verb"] in CHANGES:
                if line["verb"] in ("revised", "restored") and not _is_version(after):
                    self._unclear.add(line["memory"])
                if isinstance(told := after.get("reason"), str):
                    # It may name a memory, which has another number here.
                    after["reason"] = reason(told)
                self._changes[line["memory"]].append(
                    ForeignChange(
                        number=line["id"],
                        verb=line["verb"],
                        at=from_micros(read_time(line["at"])),
                        after=after,
                        undoes=after.get("undoes"),
                    )
                )

    def look_at_turns(self, rows: Sequence[Row]) -> None:
        """Count the turns that a known conversation has there only."""
        there = {key for (key,) in self._side.at(TURNS.bare, [(row["id"],) for row in rows])}
        self.not_applied["turn"] += sum(row["id"] not in there for row in rows)

    @property
    def divergences(self) -> list[Divergence]:
        """The memories that differ, by their numbers here, with all their changes there."""
        return [
            Divergence(
                self._numbering.of(number),
                () if number in self._unclear else tuple(self._changes[number]),
            )
            for number in sorted(self._changed)
        ]


def _is_version(after: Row) -> bool:
    """Tell whether a change says all that a memory was after it."""
    kinds = {"content": str, "context": dict, "category": str, "confidence": (int, float)}
    if not all(isinstance(after.get(name), kind) for name, kind in kinds.items()):
        return False
    for name in ("tags", "scope_files"):
        if not isinstance(after.get(name), list):
            return False
        entries: list[Any] = after[name]
        if not all(isinstance(entry, str) for entry in entries):
            return False
    return True


def _is_same(here: Sequence[Any], there: Sequence[Any]) -> bool:
    *said, context = here
    *told, other = there
    return said == told and (context == other or json.loads(context) == json.loads(other))
