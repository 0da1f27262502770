"""Values for the statements about passages: where they stand, and what has none yet."""

from typing import Final

from tests.storage.chat_samples import Sample
from tests.storage.many_memories import SCOPE

_DOCS: Final = [1_000_000 + number for number in range(46, 9_200, 46)]
_SESSION: Final = {"scope_id": SCOPE, "conversation_id": "c-1"}

PASSAGE_SAMPLES: Final[dict[str, list[Sample]]] = {
    "passage_add": [
        Sample(
            {
                "doc": _DOCS[0],
                "turn_id": "t-1",
                "version": 0,
                "position": 1,
                "first": 0,
                "last": 40,
            }
        )
    ],
    "document_copy": [
        Sample({"doc": 2_000_000, "scope_id": SCOPE, "like": _DOCS[0], "head": None}, ("doc",))
    ],
    "documents_headed": [Sample({"docs": _DOCS}, ("head",))],
    "vector_copy": [Sample({"doc": 2_000_000, "scope_id": SCOPE, "like": _DOCS[0]}, ("doc",))],
    "passage_copy": [Sample({"doc": 2_000_000, "like": _DOCS[0]}, ("doc",))],
    "passages_drop": [Sample({"docs": _DOCS}, ("doc",))],
    "documents_said_retire": [Sample({"turn_ids": ["t-1", "t-2"], "seq": 2_000_000}, ("turn_id",))],
    "passage_spans": [Sample({"docs": _DOCS}, ("doc",))],
    "passages_said": [Sample({"docs": _DOCS}, ("doc",))],
    "passages_hidden": [
        Sample({**_SESSION, "branch_id": "main", "window_start": 30, "as_of": as_of}, ("turn_id",))
        for as_of in (None, 1_800_000_000_000_000)
    ],
    "memories_unsplit": [Sample({"after": 0, "longer": 300, "limit": 32})],
    "turns_unsplit": [
        Sample({"after_scope": 0, "after_number": 0, "after_id": "", "limit": 32}, ("turn_id",))
    ],
    "memory_set_document": [Sample({"id": 46, "doc": 2_000_000}, ("id",))],
    "item_set_document": [Sample({"id": 46, "doc": 2_000_000}, ("memory_id",))],
}
