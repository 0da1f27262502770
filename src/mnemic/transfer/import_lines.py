"""Import: a checked file becomes part of a store, as a whole or not at all.

Nothing that is there is changed here. What is there already, under the same number or name, is
passed over; so a second import of the same file adds nothing. What was changed since where the file
was written is found, for the engine to change it.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, Final

from mnemic.errors import ConflictError, InvalidInputError
from mnemic.records.memory import memory_name
from mnemic.runtime.patterns import linear
from mnemic.storage import tables
from mnemic.storage.tables import Table
from mnemic.transfer import kinds
from mnemic.transfer.diverging import Diverging
from mnemic.transfer.kinds import Kind
from mnemic.transfer.moving.side import Side
from mnemic.transfer.numbering import Numbering, Numbers, Span
from mnemic.transfer.reindexing import Finding

Row = dict[str, Any]
Scopes = Mapping[tuple[str, str], int]

_BILLION: Final = 1_000_000_000
_CITED: Final = linear(r"\[mem_(\d{10,19})\]")
_MERGED: Final = linear(r"(?<=^merged into memory )\d{1,19}$")
_CONVERSATIONS: Final = replace(tables.CONVERSATIONS, keys=2)
_NULL_EVENTS: Final = replace(
    tables.EVENTS, columns=("at", "scope_id", "verb", "memory_id", "actor", "after"), keys=3
)
_DOCS: Final = replace(tables.MEMORIES, columns=("id", "doc"))


class AccountImport:
    """What a file says about one account, on its way into a store."""

    def __init__(
        self,
        side: Side,
        scopes: Scopes,
        numbering: Numbering,
        spans: Mapping[str, Span],
        *,
        is_new: bool,
    ) -> None:
        self._side = side
        self._scopes = scopes
        self._kinds_of_scopes = {number: kind for (kind, _), number in scopes.items()}
        self._numbering = numbering
        self._events = Numbers(side, "event", spans["event"])
        self._edges = Numbers(side, "edge", spans["edge"])
        self._jobs = Numbers(side, "job", spans["job"])
        self._is_new = is_new
        self._finding = Finding(side, scopes)
        self._active = frozenset[int]() if is_new else _scopes_in(side, tables.ACTIVITIES)
        self.diverging: Final = Diverging(side, numbering)
        self._held_before: set[tuple[int, str]] = set()
        self._tallied: Counter[tuple[int, str]] = Counter()
        self._items: defaultdict[tuple[Any, ...], list[int]] = defaultdict(lambda: [0, 0, 0, 0])
        self._takers: Mapping[str, Callable[[Sequence[Row]], int]] = {
            kinds.MEMORY.name: self._memories,
            kinds.PERCEPTION.name: self._perceptions,
            kinds.EDGE.name: self._add_edges,
            kinds.EVENT.name: self._add_events,
            kinds.TALLY.name: self._tallies,
            kinds.ACTIVITY.name: self._activities,
            kinds.CONVERSATION.name: self._conversations,
            kinds.TURN.name: self._turns,
            kinds.SOURCE.name: self._sources,
            kinds.BRANCH.name: partial(self._of_conversations, kinds.BRANCH),
            kinds.PATH.name: partial(self._of_conversations, kinds.PATH),
            kinds.ITEM.name: self._cards,
            kinds.JOB.name: self._add_jobs,
        }

    @property
    def vectors(self) -> int:
        """How many vectors were added."""
        return self._finding.vectors

    def take(self, kind: Kind, lines: Sequence[Row]) -> int:
        """Add some lines of one kind; return how many were new."""
        taker = self._takers.get(kind.name)
        return self._plain(kind, lines) if taker is None else taker(lines)

    def finish(self) -> None:
        """Write what follows from everything together."""
        left = [(*key, count, 0) for key, count in sorted(self._tallied.items()) if count]
        self._side.count_up(tables.TALLIES, left, latest=("changed_at",))
        sums = [(*key, *values) for key, values in sorted(self._items.items())]
        self._side.count_up(tables.ITEM_TALLIES, sums, latest=())
        self._finding.finish()

    def _read(self, kind: Kind, lines: Sequence[Row]) -> list[Row]:
        return [kind.row(line, self._scopes) for line in lines]

    def _plain(self, kind: Kind, lines: Sequence[Row]) -> int:
        """Add what is not there under its key."""
        bare = kind.table.bare
        rows = self._read(kind, lines)
        there = set(self._side.at(bare, [_values(row, bare.key) for row in rows]))
        return self._add(kind.table, [row for row in rows if _values(row, bare.key) not in there])

    def _add(self, table: Table, rows: Sequence[Row]) -> int:
        self._side.add(table, [_values(row, table.columns) for row in rows])
        return len(rows)

    def _memories(self, lines: Sequence[Row]) -> int:
        rows = self._read(kinds.MEMORY, lines)
        numbers = [_whole(row, "id") for row in rows]
        self.diverging.look_at(rows)
        self.diverging.look_at_scopes(lines)
        new: list[tuple[Row, Row]] = []
        for row, line, number in zip(rows, lines, numbers, strict=True):
            if number in self.diverging.known:
                continue
            row["id"] = self._numbering.of(number)
            row["status_reason"] = self._reason(row["status_reason"])
            if row["superseded_by"] is not None:
                row["superseded_by"] = self._numbering.of(_whole(row, "superseded_by"))
            new.append((row, line))
        self._finding.add(new)
        for row, _ in new:
            self._tallied[row["scope_id"], row["kind"]] += row["status"] == "active"
        return len(new)

    def _perceptions(self, lines: Sequence[Row]) -> int:
        return self._add(tables.PAYLOADS, self._of_new_memories(kinds.PERCEPTION, lines))

    def _of_new_memories(self, kind: Kind, lines: Sequence[Row]) -> list[Row]:
        """Return rows that belong to memories which came with this file."""
        rows = [
            row
            for row in self._read(kind, lines)
            if _whole(row, "memory_id") not in self.diverging.known
        ]
        for row in rows:
            row["memory_id"] = self._numbering.of(row["memory_id"])
        return rows

    def _add_edges(self, lines: Sequence[Row]) -> int:
        rows = self._read(kinds.EDGE, lines)
        for row in rows:
            for end in ("from_id", "to_id"):
                row[end] = self._numbering.of(_whole(row, end))
        there = {row[:3] for row in self._side.at(tables.EDGES, [_edge_key(row) for row in rows])}
        new = [row for row in rows if _edge_key(row) not in there]
        for row in new:
            row["id"] = self._edges.of(_whole(row, "id"))
        return self._add(tables.EDGES, new)

    def _add_events(self, lines: Sequence[Row]) -> int:
        rows = self._read(kinds.EVENT, lines)
        self.diverging.look_at_events(lines, self._reason)
        alone = [row for row in rows if row["memory_id"] is None]
        known = set[Row | tuple[Any, ...]]()
        if not self._is_new and alone:
            keys = [_values(row, _NULL_EVENTS.key) for row in alone]
            known = {row for row in self._side.at(_NULL_EVENTS, keys) if row[3] is None}
        new = [
            (row, line)
            for row, line in zip(rows, lines, strict=True)
            if (
                _values(row, _NULL_EVENTS.columns) not in known
                if row["memory_id"] is None
                else row["memory_id"] not in self.diverging.known
            )
        ]
        for row, line in new:
            row["id"] = self._events.of(_whole(row, "id"))
            if row["memory_id"] is not None:
                row["memory_id"] = self._numbering.of(_whole(row, "memory_id"))
            row["after"] = self._after(row["after"], line.get("after"))
        return self._add(tables.EVENTS, [row for row, _ in new])

    def _after(self, text: str | None, told: Row | None) -> str | None:
        """Return what an event tells, with the numbers that memories and events have here."""
        if not told:
            return text
        changes: Row = {}
        if isinstance(number := told.get("undoes"), int):
            changes["undoes"] = self._events.of(number)
        if isinstance(number := told.get("superseded_by"), int):
            changes["superseded_by"] = self._numbering.of(number)
        if isinstance(reason := told.get("reason"), str):
            changes["reason"] = self._reason(reason)
        if all(told[name] == value for name, value in changes.items()):
            return text
        return kinds.cell_of("after").read(told | changes)

    def _reason(self, reason: str | None) -> str | None:
        if not reason or self._numbering.keeps:
            return reason
        return _MERGED.sub(lambda found: str(self._numbering.of(int(found[0]))), reason)

    def _tallies(self, lines: Sequence[Row]) -> int:
        rows = self._read(kinds.TALLY, lines)
        bare = tables.TALLIES.bare
        keys = [_values(row, bare.key) for row in rows]
        there = set(self._side.at(bare, keys))
        counted = [
            (*key, self._tallied.pop(key, 0), row["changed_at"])
            for row, key in zip(rows, keys, strict=True)
            if key not in there or self._tallied[key]
        ]
        self._side.count_up(tables.TALLIES, counted, latest=("changed_at",))
        return len(counted)

    def _activities(self, lines: Sequence[Row]) -> int:
        rows = [
            row for row in self._read(kinds.ACTIVITY, lines) if row["scope_id"] not in self._active
        ]
        for row in rows:
            if row["memory_id"] is not None:
                row["memory_id"] = self._numbering.of(_whole(row, "memory_id"))
        return self._add(tables.ACTIVITIES, rows)

    def _conversations(self, lines: Sequence[Row]) -> int:
        rows = self._read(kinds.CONVERSATION, lines)
        stored = self._side.at(_CONVERSATIONS, [(row["scope_id"], row["id"]) for row in rows])
        there = {row[:2]: row[2] for row in stored}
        for row in rows:
            key = (row["scope_id"], row["id"])
            if key in there and there[key] != row["created_at"]:
                raise ConflictError(f"the conversation {row['id']} is there, and is another one")
        self._held_before |= there.keys()
        return self._add(
            tables.CONVERSATIONS, [row for row in rows if (row["scope_id"], row["id"]) not in there]
        )

    def _in_new_conversations(self, kind: Kind, lines: Sequence[Row]) -> list[tuple[Row, Row]]:
        pairs = list(zip(self._read(kind, lines), lines, strict=True))
        held = self._held_before
        if kind is kinds.TURN:
            self.diverging.look_at_turns(
                [row for row, _ in pairs if (row["scope_id"], row["conversation_id"]) in held]
            )
        return [
            (row, line)
            for row, line in pairs
            if (row["scope_id"], row["conversation_id"]) not in held
        ]

    def _of_conversations(self, kind: Kind, lines: Sequence[Row]) -> int:
        rows = [row for row, _ in self._in_new_conversations(kind, lines)]
        return self._add(kind.table, rows)

    def _turns(self, lines: Sequence[Row]) -> int:
        new = self._in_new_conversations(kinds.TURN, lines)
        added = self._add(tables.TURNS, [row for row, _ in new])
        for kind, name in ((kinds.VERSION, "versions"), (kinds.MESSAGE, "messages")):
            inner = [
                kind.row(told, self._scopes) | {"turn_id": row["id"]}
                for row, line in new
                for told in line.get(name, ())
            ]
            if kind is kinds.MESSAGE and not self._numbering.keeps:
                inner = [row | {"content": self._cited(row)} for row in inner]
            self._add(kind.table, inner)
        return added

    def _cited(self, message: Row) -> str:
        """Return what was said, with the names that memories have here."""
        if message["role"] != "assistant":
            return message["content"]
        return _CITED.sub(
            lambda found: f"[{memory_name(self._numbering.of(int(found[1])))}]", message["content"]
        )

    def _sources(self, lines: Sequence[Row]) -> int:
        rows = self._of_new_memories(kinds.SOURCE, lines)
        bare = tables.TURNS.bare
        turns = set(self._side.at(bare, [(row["turn_id"],) for row in rows]))
        return self._add(tables.SOURCES, [row for row in rows if (row["turn_id"],) in turns])

    def _cards(self, lines: Sequence[Row]) -> int:
        rows = self._of_new_memories(kinds.ITEM, lines)
        docs = dict(self._side.at(_DOCS, [(row["memory_id"],) for row in rows]))
        for row in rows:
            row["doc"] = docs[row["memory_id"]]
            row["scope_kind"] = self._kinds_of_scopes[row["scope_id"]]
            sort = (
                row["scope_id"],
                row["kind"],
                row["tier"] or "",
                row["status"],
                row["lifecycle"],
            )
            shares = (round(row[name] * _BILLION) for name in ("importance", "confidence"))
            for place, number in enumerate((1, *shares, row["tokens"])):
                self._items[sort][place] += number
        return self._add(tables.ITEMS, rows)

    def _add_jobs(self, lines: Sequence[Row]) -> int:
        pairs = zip(self._read(kinds.JOB, lines), self._read(kinds.QUEUED, lines), strict=True)
        rows = [(job, place | {"job_id": job["id"]}) for job, place in pairs]
        there = set(self._side.at(tables.JOBS.bare, [(job["id"],) for job, _ in rows]))
        new = [(job, place) for job, place in rows if (job["id"],) not in there]
        for _, place in new:
            place["number"] = self._jobs.of(_whole(place, "number"))
        self._add(tables.JOBS, [job for job, _ in new])
        return self._add(tables.QUEUED, [place for _, place in new])


def _values(row: Row, columns: Sequence[str]) -> tuple[Any, ...]:
    return tuple(row[column] for column in columns)


def _edge_key(row: Row) -> tuple[Any, ...]:
    return _values(row, tables.EDGES.key)


def _whole(row: Row, column: str) -> int:
    number = row[column]
    if not isinstance(number, int) or isinstance(number, bool):
        raise InvalidInputError(kinds.field_of(column), f"it is {number!r}", "a whole number")
    return number


def _scopes_in(side: Side, table: Table) -> frozenset[int]:
    return frozenset(row[0] for row in side.rows(table.bare))
