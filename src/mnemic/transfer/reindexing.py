"""Making imported memories findable: their terms are made anew from their texts.

Long texts are found as one at first; what splits those of an older store splits these, too.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from mnemic.errors import InvalidInputError
from mnemic.memory.texts.derivation import hash_of
from mnemic.memory.texts.passage_documents import found_whole
from mnemic.records.measurements import measurement_of
from mnemic.storage.rows.document_rows import document_values
from mnemic.storage.tables import DOCUMENTS, VECTORS
from mnemic.storage.timestamps import from_micros
from mnemic.transfer.cells import unpacked
from mnemic.transfer.kinds import BY_DOCUMENT, read_cell, scope_number
from mnemic.transfer.moving.side import Side

Row = dict[str, Any]


class Finding:
    """Adds memories with what search knows of them, in the order in which they come."""

    def __init__(self, side: Side, scopes: Mapping[tuple[str, str], int]) -> None:
        self._side = side
        self._scopes = scopes
        self._models = side.models()
        self._clocks: dict[int, int] = {}
        self.vectors = 0

    def add(self, memories: Sequence[tuple[Row, Row]]) -> None:
        """Add memories, each as a row without a document and as the line that it comes from."""
        if not memories:
            return
        documents: list[Row] = []
        vectors: list[tuple[Any, ...]] = []
        for doc, (row, line) in zip(self._side.ticks(len(memories)), memories, strict=True):
            row["doc"] = doc
            row["content_hash"] = hash_of(row["content"])
            row["measurement"] = measurement_of(line.get("context") or {})
            if (search := line.get("search")) is None:
                continue
            document = self._document(doc, row, line, search)
            documents.append(document)
            scope_id = document["scope_id"]
            self._clocks[scope_id] = doc
            if (vector := line.get("vector")) is not None and self._side.keeps_vectors:
                vectors.append((doc, scope_id, *self._vector(vector)))
        for table, rows in ((BY_DOCUMENT, [row for row, _ in memories]), (DOCUMENTS, documents)):
            self._side.add(table, [tuple(row[name] for name in table.columns) for row in rows])
        self._side.add(VECTORS, vectors)
        self.vectors += len(vectors)

    def finish(self) -> None:
        """Let those who search know that there is more."""
        self._side.moved_on(self._clocks)

    def _document(self, doc: int, row: Row, line: Row, search: Row) -> Row:
        said_at = read_cell("said_at", search.get("said_at"))
        found = found_whole(
            row["content"],
            line.get("context", {}),
            thread=row["episode_id"],
            at=from_micros(row["created_at"] if said_at is None else said_at),
        )
        new = replace(found, scope_id=scope_number(search.get("scope"), self._scopes))
        return {**document_values(doc, new), "seq": doc, "live": True, "unfolded": None}

    def _vector(self, told: Row) -> tuple[int, bytes]:
        if told.get("model") not in self._models:
            raise InvalidInputError("model", f"{told.get('model')!r}", "one that the header names")
        number, dimensions = self._models[told["model"]]
        data = unpacked(told.get("float16", ""))
        if len(data) != dimensions * np.dtype(np.float16).itemsize:
            raise InvalidInputError(
                "vector", f"it has {len(data)} bytes", f"{dimensions} numbers of two bytes"
            )
        return number, data
