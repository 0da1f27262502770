"""Values for the statements about a chat's items, edges, sessions and background work."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any, Final, NamedTuple

from mnemic.records.item import ItemFilter
from mnemic.storage.chat_rows import item_rows
from mnemic.storage.selections import Selection, Where
from tests.storage.many_memories import SCOPE

Values = dict[str, Any]


class Sample(NamedTuple):
    """Values for a statement, and the columns by which an index must find what it reads."""

    values: Values
    by: Sequence[str] = ()


_NOW: Final = 1_800_000_000_000_000
_THEN: Final = datetime(2026, 1, 1, tzinfo=UTC)
_MEMORY: Final = 46_000
_DOCS: Final = [1_000_000 + number for number in range(46, 9_200, 46)]
_CHAT: Final = SCOPE + 50
_PAGE: Final = {"limit": 50, "offset": 0}
_SESSION: Final = {"scope_id": SCOPE, "conversation_id": "c-1"}
_BRANCH: Final = {**_SESSION, "branch_id": "main"}
_IN_SESSION: Final = ("scope_id", "conversation_id")
_KINDS: Final = {"kinds": ["fact"], "number": 0}
_LIFE: Final = {**_BRANCH, "session_scope_id": SCOPE}

_ITEM: Final = {
    "memory_id": _MEMORY,
    "doc": 2_000_000,
    "uid": "new",
    "scope_id": SCOPE,
    "scope_kind": "chat",
    "kind": "fact",
    "importance": 0.5,
    "confidence": 1.0,
    "status": "active",
    "lifecycle": "active",
    "wrapped": False,
    "tokens": 3,
    "pinned": False,
    "edited": False,
    "edited_at": None,
    "decided_at": None,
    "created_at": _NOW,
    "updated_at": _NOW,
    **dict.fromkeys(("tier", "fact_key", "floor_id", "message_id", "job_id", "used_at")),
    **dict.fromkeys(("coverage_start", "coverage_end", "derived_from", "extractor", "note")),
    **dict.fromkeys(("origin", "turn_id", "version", "displaced_by")),
}


def _in_scope(**wanted: Any) -> Selection:
    return item_rows.selection(ItemFilter(**wanted), scope_ids=[SCOPE])


def _anywhere(**wanted: Any) -> Selection:
    return item_rows.selection(ItemFilter(**wanted), scope_ids=None)


# Rows that are meant, and the columns by which an index leads to them.
_CHOSEN: Final[list[tuple[Selection, Sequence[str]]]] = [
    (_in_scope(), ("scope_id",)),
    (_in_scope(type="fact", status="active"), ("scope_id",)),
    (_in_scope(importance_min=0.9, importance_max=0.95), ("scope_id",)),
    (_in_scope(confidence_min=0.2, created_from=_THEN, updated_to=_THEN), ("scope_id",)),
    (_in_scope(fact_key="key-7"), ("fact_key", "scope_id")),
    (_in_scope(source_floor_id="t-46"), ("floor_id",)),
    (_in_scope(source_message_id="m-46"), ("message_id",)),
    (item_rows.selection(ItemFilter(), scope_ids=[SCOPE, SCOPE + 1]), ("scope_id",)),
    (_anywhere(), ()),
    (_anywhere(scope_kind="chat", type="summary"), ()),
    (_anywhere(fact_key="key-7"), ("fact_key",)),
    (_anywhere(source_floor_id="t-46"), ("floor_id",)),
    (item_rows.selection(ItemFilter(status="active"), scope_ids=None, docs=_DOCS), ("doc",)),
    (item_rows.selection(ItemFilter(), scope_ids=None, docs=_DOCS[:3]), ("doc",)),
]
_SORTED: Final = [
    Sample({"filter": replace(one, way=way).sorted_by(f"i.{sort}", order), **_PAGE}, ("scope_id",))
    for one in (_in_scope(), _in_scope(type="open_loop", importance_min=0.5))
    for way in (None, "gather", "walk")
    for sort in ("created_at", "updated_at", "importance", "confidence")
    for order in ("asc", "desc")
]

_EDGES: Final = Selection(account="e.account_id", made="e.id")
_SESSIONS: Final = Selection(account="c.account_id", made="c.scope_id")
_STATES: Final = Selection(account="c.account_id", made="c.scope_id")
_JOBS: Final = Selection(account="j.account_id", made="j.number")
_EDGE_CHOSEN: Final[list[tuple[Selection, Sequence[str]]]] = [
    (_EDGES, ()),
    (_EDGES.having([Where("e.uid", "=", "e-46")]), ("uid",)),
    (_EDGES.having([Where("e.from_id", "=", _MEMORY)]), ("from_id",)),
    (_EDGES.having([Where("e.to_id", "=", _MEMORY)]), ("to_id",)),
    (
        _EDGES.having([Where("e.from_id", "=", _MEMORY), Where("e.relation", "=", "updates")]),
        ("from_id",),
    ),
]
_JOB_CHOSEN: Final[list[tuple[Selection, Sequence[str]]]] = [
    (_JOBS, ()),
    (
        _JOBS.having([Where("j.status", "=", "pending"), Where("j.scope_kind", "=", "collection")]),
        (),
    ),
]


def _all_of(chosen: Sequence[tuple[Selection, Sequence[str]]]) -> list[Sample]:
    return [Sample({"filter": one}, by) for one, by in chosen]


def _pages_of(chosen: Sequence[tuple[Selection, Sequence[str]]], sort: str) -> list[Sample]:
    return [Sample({"filter": one.sorted_by(sort, "desc"), **_PAGE}, by) for one, by in chosen]


ITEM_SAMPLES: Final[dict[str, list[Sample]]] = {
    "item_put": [Sample(_ITEM)],
    "items_get": [Sample({"uids": ["i-46", "i-92"]}, ("uid",))],
    "items_pinned": [Sample({"scope_ids": [SCOPE]}, ("scope_id",))],
    "items_by_docs": [Sample({"docs": docs}, ("doc",)) for docs in (_DOCS, _DOCS[:5])],
    "item_texts": [Sample({"docs": docs}, ("doc",)) for docs in (_DOCS, _DOCS[:5])],
    "items_page": [*_pages_of(_CHOSEN, "i.created_at"), *_SORTED],
    "items_count": _all_of(_CHOSEN),
    "items_scopes": _all_of(_CHOSEN),
    "items_sums": _all_of(_CHOSEN),
    "items_projected": [Sample({"scope_id": SCOPE}, ("scope_id",))],
    "items_along": [
        Sample({**_LIFE, "turn_ids": ["t-46"], "uids": ["i-46"], **_KINDS}, ("memory_id",))
    ],
    "items_held": [Sample({**_LIFE, "keys": ["key 46"], "number": 9}, ("memory_id",))],
    "items_by_hand": [
        Sample({**_LIFE, "since": 0, "until": _NOW, "most": 5}, ("scope_id", "created_at"))
    ],
    "items_of_turn": [Sample({"turn_id": "t-46"}, ("turn_id",))],
    "items_used": [Sample({"uids": ["i-46"], "now": _NOW}, ("uid",))],
    "item_tally_change": [
        Sample(
            {
                "scope_id": SCOPE,
                "kind": "fact",
                "tier": "",
                "status": "active",
                "lifecycle": "active",
                **dict.fromkeys(("items", "importance", "confidence", "tokens"), 1),
            }
        )
    ],
    "item_tally_of_scope": [Sample({"scope_id": SCOPE}, ("scope_id",))],
    "item_tally_of_account": [Sample({"scope_kind": kind}) for kind in (None, "chat")],
    "struck_add": [Sample({"scope_id": _CHAT, "uid": "new", "origin": None, "now": _NOW})],
    "struck_of_scope": [Sample({"scope_id": _CHAT}, ("scope_id",))],
    "edges_purge": [Sample({"ids": [46, 92]}, ("from_id",))],
    "events_purge": [Sample({"ids": [46, 92]}, ("memory_id",))],
    "sources_purge": [Sample({"ids": [46, 92]}, ("memory_id",))],
    "items_purge": [Sample({"ids": [46, 92]}, ("memory_id",))],
    "memories_reinstate": [Sample({"ids": [46, 92]}, ("superseded_by",))],
    "memories_purge": [Sample({"ids": [46, 92]}, ("id",))],
    "memory_of_item": [
        Sample(
            {
                "memory_id": _MEMORY,
                "doc": 2_000_000,
                "scope_id": SCOPE,
                "kind": "fact",
                "status": "active",
                "content": "a lesson",
                "summary": "a lesson",
                "content_hash": bytes(32),
                "confidence": 0.9,
                "reason": None,
                "status_at": None,
                "now": _NOW,
            },
            ("id",),
        )
    ],
    "edge_link": [
        Sample({"from_id": 46, "to_id": 92, "relation": "updates", "uid": "new", "now": _NOW})
    ],
    "edges_page": _pages_of(_EDGE_CHOSEN, "e.created_at"),
    "edges_count": _all_of(_EDGE_CHOSEN),
    "edge_relate": [Sample({"id": 46, "from_id": 46, "relation": "resolves"}, ("from_id",))],
    "edges_drop": [Sample({"ids": [46], "from_ids": [46]}, ("from_id",))],
    "edges_from": [Sample({"from_ids": [46, 92]}, ("from_id",))],
}

SESSION_SAMPLES: Final[dict[str, list[Sample]]] = {
    "sessions_page": [
        *_pages_of([(_SESSIONS, ())], "c.created_at"),
        Sample(
            {"filter": _SESSIONS.having([Where("c.scope_id", "=", _CHAT)]), **_PAGE}, ("scope_id",)
        ),
    ],
    "sessions_count": _all_of([(_SESSIONS, ())]),
    "session_touch": [Sample({**_SESSION, "now": _NOW}, ("scope_id", "id"))],
    "branch_add": [
        Sample({**_SESSION, "id": "new", "parent": "main", "forked_at": 3, "now": _NOW})
    ],
    "session_there": [Sample(_SESSION, ("scope_id",))],
    "branch_there": [Sample({**_SESSION, "branch_id": "main"}, _IN_SESSION)],
    "branches_of_session": [Sample(_SESSION, _IN_SESSION)],
    "branch_drop": [Sample({**_SESSION, "id": "fork"}, (*_IN_SESSION, "id"))],
    "path_add": [Sample({**_BRANCH, "number": 50, "turn_id": "t-1"})],
    "path_fork": [Sample({**_BRANCH, "from_branch": "main", "at": 3}, (*_IN_SESSION, "number"))],
    "path_last": [Sample(_BRANCH, (*_IN_SESSION, "branch_id"))],
    "path_of_branch": [
        Sample({**_BRANCH, "first": first, "last": first + 9}, (*_IN_SESSION, "branch_id"))
        for first in (0, 45)
    ],
    "path_last_read": [Sample(_BRANCH, (*_IN_SESSION, "branch_id"))],
    "path_naming": [
        Sample({**_BRANCH, "after": 45, "names": ['"user.home"']}, (*_IN_SESSION, "branch_id"))
    ],
    "path_since": [Sample({**_BRANCH, "at": _NOW}, (*_IN_SESSION, "branch_id"))],
    "branches_of_turn": [Sample({"turn_id": "t-1"}, ("turn_id",))],
    "floors_of_branch": [
        Sample({**_BRANCH, "descending": True, **_PAGE}, (*_IN_SESSION, "branch_id"))
    ],
    "floor_get": [Sample({**_SESSION, "id": "t-60"}, ("id",))],
    "turn_by_key": [Sample({**_SESSION, "idempotency_key": "k-60"}, ("idempotency_key",))],
    "turn_activate": [Sample({"id": "t-1", "version": 1, "now": _NOW}, ("id",))],
    "turns_drop": [Sample({"ids": ["t-1"]}, ("id",))],
    "turns_orphaned": [Sample(_SESSION, _IN_SESSION)],
    "turns_of_session": [Sample(_SESSION, _IN_SESSION)],
    "version_add": [Sample({"turn_id": "t-1", "number": 2, "now": _NOW, "occurred_at": None})],
    "version_keep": [
        Sample({"turn_id": "t-1", "number": 1, "extraction": None}, ("turn_id", "number"))
    ],
    "messages_of_versions": [Sample({"ids": ["t-1", "t-2"]}, ("id",))],
    "messages_of_turn": [Sample({"turn_id": "t-1"}, ("turn_id",))],
    "messages_at_first": [Sample({"turn_id": "t-1"}, ("turn_id", "version"))],
    "scopes_named": [Sample({"kind": "chat", "names": ["s-1", "s-2"]}, ("kind", "name"))],
    "scopes_of_kinds": [Sample({"kinds": ["chat", "resting"]}, ("kind",))],
    "jobs_of_scopes_drop": [Sample({"scope_ids": [SCOPE]}, ("scope_id",))],
    "scope_states_drop": [Sample({"scope_ids": [_CHAT]}, ("scope_id",))],
    "struck_drop": [Sample({"scope_ids": [_CHAT]}, ("scope_id",))],
    "scope_states_page": _pages_of([(_STATES, ())], "c.updated_at"),
    "scope_states_count": _all_of([(_STATES, ())]),
    "scope_state_get": [Sample({"scope_id": _CHAT}, ("scope_id",))],
    "scope_state_grow": [Sample({"scope_id": _CHAT, "now": _NOW})],
    "scope_state_processed": [
        Sample({"scope_id": _CHAT, "last_floor": 3, "now": _NOW}, ("scope_id",))
    ],
    "scope_state_compacted": [Sample({"scope_id": _CHAT, "now": _NOW}, ("scope_id",))],
    "jobs_page": _pages_of(_JOB_CHOSEN, "j.created_at"),
    "jobs_count": _all_of(_JOB_CHOSEN),
}
