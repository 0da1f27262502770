"""Export: everything of one account or of all, line by line, as it was at one moment."""

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any, BinaryIO, Final

from mnemic.storage.tables import DOCUMENTS, VECTORS, Values
from mnemic.storage.timestamps import to_micros
from mnemic.transfer import kinds
from mnemic.transfer.cells import packed, written_time
from mnemic.transfer.covering import MASKED, covered_line
from mnemic.transfer.file_format import FORMAT, VERSION, LineWriter
from mnemic.transfer.kinds import KINDS, Kind
from mnemic.transfer.moving.side import Owner, ScopeRow, Side
from mnemic.version import __version__

# What is done, to what, how much of it is done, and how much there is.
Progress = Callable[[str, str, int, int], None]

# Of what search knows, only this does not follow from the text.
_FOUND: Final = replace(DOCUMENTS, columns=("doc", "scope_id", "live", "said_at"))
# Scopes of these kinds hold only what follows from other lines: an import makes them anew.
_FOLLOWING: Final = frozenset({"said"})


class Export:
    """One export, from one moment of a store."""

    def __init__(
        self,
        side: Side,
        owners: Sequence[Owner],
        *,
        is_whole: bool,
        vectors: bool,
        reveal: bool,
        progress: Progress,
    ) -> None:
        self._side = side
        self._owners = owners
        self._is_whole = is_whole
        self._vectors = vectors and side.keeps_vectors
        self._reveal = reveal
        self._progress = progress
        self._models = {number: name for name, (number, _) in side.models().items()}

    def write(self, out: BinaryIO, *, now: datetime) -> dict[str, int]:
        """Write the whole file; return how many lines of each kind it has."""
        lines = LineWriter(out)
        lines.write(self._header(now))
        for owner in self._owners:
            self._side.enter(owner.id)
            lines.write(
                {
                    "kind": "account",
                    "name": owner.name,
                    "created_at": written_time(owner.created_at),
                }
            )
            scopes = self._side.scopes()
            for scope in scopes:
                if scope.kind not in _FOLLOWING:
                    lines.write(_scope_line(scope))
            named = {
                scope_row.id: {"kind": scope_row.kind, "name": scope_row.name}
                for scope_row in scopes
            }
            for kind in KINDS:
                for told in self._lines(kind, named):
                    lines.write(told if self._reveal else covered_line(told))
        lines.finish()
        return dict(lines.counts)

    def _header(self, now: datetime) -> dict[str, Any]:
        header: dict[str, Any] = {
            "kind": "header",
            "format": FORMAT,
            "version": VERSION,
            "mnemic": __version__,
            "exported_at": written_time(to_micros(now)),
            "all_accounts": self._is_whole,
            "accounts": [owner.name for owner in self._owners],
            "vectors": self._vectors,
        }
        if not self._reveal:
            header[MASKED] = True
        if self._vectors:
            header["models"] = [
                {"name": name, "dimensions": dimensions}
                for name, (_, dimensions) in sorted(self._side.models().items())
            ]
        return header

    def _lines(self, kind: Kind, scopes: Mapping[int, dict[str, str]]) -> Iterator[dict[str, Any]]:
        total, done = self._side.count(kind.table), 0
        if total:
            self._progress("exporting", kind.name, done, total)
        for rows in self._side.portions(kind.table):
            told = [kind.line(row, scopes) for row in rows]
            if kind is kinds.MEMORY:
                self._add_search(told, rows, scopes)
            elif kind is kinds.TURN:
                self._add_said(told, scopes)
            elif kind is kinds.JOB:
                self._add_places(told, scopes)
            yield from told
            done += len(rows)
            self._progress("exporting", kind.name, done, total)

    def _add_search(
        self,
        told: list[dict[str, Any]],
        rows: Sequence[Values],
        scopes: Mapping[int, dict[str, str]],
    ) -> None:
        """Say where search finds each memory, and what vector it has."""
        first, last = (rows[0][0] - 1,), (rows[-1][0],)
        places = {
            doc: {"scope": scopes[scope_id]}
            | ({} if said_at is None else {"said_at": written_time(said_at)})
            for doc, scope_id, live, said_at in self._side.rows(_FOUND, after=first, upto=last)
            if live
        }
        vectors: dict[int, dict[str, str]] = {}
        if self._vectors:
            vectors = {
                doc: {"model": self._models[model_id], "float16": packed(data)}
                for doc, _, model_id, data in self._side.rows(VECTORS, after=first, upto=last)
            }
        for line, (doc, *_) in zip(told, rows, strict=True):
            if doc in places:
                line["search"] = places[doc]
            if doc in vectors:
                line["vector"] = vectors[doc]

    def _add_said(
        self,
        told: list[dict[str, Any]],
        scopes: Mapping[int, dict[str, str]],
    ) -> None:
        """Put what was said into each turn, version by version."""
        for kind, name in ((kinds.VERSION, "versions"), (kinds.MESSAGE, "messages")):
            inner = self._inner(kind, scopes, told)
            for line in told:
                if line["id"] in inner:
                    line[name] = inner[line["id"]]

    def _add_places(
        self,
        told: list[dict[str, Any]],
        scopes: Mapping[int, dict[str, str]],
    ) -> None:
        """Put its place in the queue into each job."""
        inner = self._inner(kinds.QUEUED, scopes, told)
        for line in told:
            [place] = inner[line["id"]]
            line |= place

    def _inner(
        self,
        kind: Kind,
        scopes: Mapping[int, dict[str, str]],
        outer: Sequence[Mapping[str, Any]],
    ) -> dict[str, list[dict[str, Any]]]:
        """Return the lines that belong into others, by the ids of these."""
        inner: defaultdict[str, list[dict[str, Any]]] = defaultdict(list)
        rows = self._side.at(kind.table, [(line["id"],) for line in outer])
        for row in sorted(rows, key=kind.table.key_of):
            told = kind.line(row, scopes)
            del told["kind"]
            inner[row[0]].append(told)
        return inner


def _scope_line(scope: ScopeRow) -> dict[str, Any]:
    told: dict[str, Any] = {
        "kind": "scope",
        "scope": {"kind": scope.kind, "name": scope.name},
        "decay_rate": scope.decay_rate,
        "created_at": written_time(scope.created_at),
    }
    if scope.decayed_at is not None:
        told["decayed_at"] = written_time(scope.decayed_at)
    return told
