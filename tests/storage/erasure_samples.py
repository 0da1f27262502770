"""Values for the statements of erasures."""

from typing import Any, Final

from tests.storage.chat_samples import Sample
from tests.storage.many_memories import SCOPE

_NOW: Final = 1_800_000_000_000_000
_IDS: Final = {"ids": [46_000, 46_046]}
_TURNS: Final = {"turn_ids": ["t-1", "t-2"]}
_CONVERSATION: Final = {"scope_id": SCOPE, "conversation_id": "c-1"}


def _of_scope(*by: str, **values: Any) -> list[Sample]:
    return [Sample({"scope_id": SCOPE, **values}, ("scope_id", *by))]


ERASURE_SAMPLES: Final[dict[str, list[Sample]]] = {
    "erasure_begin": [
        Sample(
            {
                "id": "erasure_1",
                "kind": "memory",
                "account": "0" * 64,
                "mark": "0" * 64,
                "made_at": _NOW,
                "number": 46_000,
                "subject": "{}",
                "actor": "robot",
                "now": _NOW,
            }
        )
    ],
    "erasure_emptied": [Sample({"id": "erasure_1", "counts": "{}"}, ("id",))],
    "erasure_finish": [Sample({"id": "erasure_1", "now": _NOW})],
    "erasures_unfinished": [Sample({})],
    "erasure_get": [Sample({"id": "erasure_1"}, ("id",))],
    "erasures_all": [Sample({})],
    "memory_ids_of_scope": _of_scope("id", after=0, limit=1_000),
    "memories_looks": [Sample({"after": 0, "limit": 1_000}, ("account_id",))],
    "memories_of_turns": [Sample({**_TURNS}, ("turn_id",))],
    "turns_of_memories": [Sample({**_IDS}, ("memory_id",))],
    "edges_superseding": [Sample({**_IDS})],
    "memories_said_after": [Sample({**_IDS, "asking": [46_000]}, ("id",))],
    "turn_home": [Sample({"turn_id": "t-1"}, ("id",))],
    "item_uids": [Sample({**_IDS}, ("memory_id",))],
    "item_uids_all": [Sample({"after": 0, "limit": 1_000}, ("account_id",))],
    "payloads_purge": [Sample({**_IDS}, ("memory_id",))],
    "activities_forget": _of_scope(**_IDS),
    "messages_redact": [Sample({**_TURNS, "instead": "x"}, ("turn_id",))],
    "versions_redact": [Sample({**_TURNS, "instead": None}, ("turn_id",))],
    "replies_of_scope": _of_scope(),
    "message_redact": [
        Sample({"turn_id": "t-1", "version": 0, "position": 1, "instead": "x"}, ("turn_id",))
    ],
    "messages_quoting": _of_scope(text="a quote", instead="x"),
    "events_quoting": _of_scope(text="a quote"),
    "vectors_of_scope_drop": _of_scope(),
    "documents_live_drop": _of_scope(),
    "documents_retired_drop": _of_scope(),
    "episodes_of_scope_drop": _of_scope(),
    "messages_of_scope_drop": _of_scope(),
    "turns_of_scope_drop": _of_scope(),
    "conversations_of_scope_drop": _of_scope(),
    "messages_of_conversation_drop": [Sample({**_CONVERSATION}, ("scope_id", "conversation_id"))],
    "tallies_drop": _of_scope(),
    "activities_drop": _of_scope(),
    "usages_drop": _of_scope(),
    "item_tallies_drop": _of_scope(),
    "scope_erase": [Sample({"scope_id": SCOPE}, ("id",))],
    "scopes_all": [Sample({})],
    "conversations_all": [Sample({})],
    "keys_drop": [Sample({})],
    "account_erase": [Sample({}, ("id",))],
    "account_name": [Sample({}, ("id",))],
}
