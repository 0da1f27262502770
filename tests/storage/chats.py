"""What chats leave in a store: items, edges and sessions, and what can be read of them."""

from datetime import timedelta
from pathlib import Path
from typing import Any

from mnemic.chat.extraction.extraction import Extraction
from mnemic.chat.projection.stored_extraction import to_stored
from mnemic.opening import OpenMemory
from mnemic.records.conversation import JobFilter, Line, branch_scope, chat_scope
from mnemic.records.item import ItemChange, ItemFilter, NewItem, Paging
from mnemic.records.memory import Scope
from mnemic.storage.chat_rows import item_rows, scope_state_rows, session_rows
from mnemic.storage.chat_rows.session_rows import Address
from mnemic.storage.database import Database
from mnemic.storage.rows import scope_rows
from tests.conftest import NOON
from tests.storage.workers import account as view_of
from tests.storage.workers import add, open_store

CHAT = chat_scope("茶话会")
BRANCH = branch_scope("茶话会", "main")


def remember_chats(memory: OpenMemory) -> None:
    """Write items of all sorts, relate them, change some and delete one."""
    chat = memory.chat
    written = [
        chat.create_item(NewItem(scope=scope, type=type_, content=f"{text} {number}", **more))
        for number, (scope, type_, text, more) in enumerate(_ITEMS)
    ]
    first, second, *_, last = written
    edge = chat.create_edge(first.id, second.id, "supports")
    chat.create_edge(first.id, first.id, "derived_from")
    chat.create_edge(last.id, first.id, "updates")
    chat.change_edge(edge.id, "contradicts")
    chat.change_item(
        second.id, ItemChange(content="二号改过了 with {braces}", importance=0.123456789)
    )
    chat.set_status([written[2].id], "deprecated")
    chat.delete_item(last.id)


def converse(memory: OpenMemory) -> None:
    """Let two talk: turns are taken in, one is swiped, one deleted, and a branch forks off."""
    chat = memory.chat
    session = chat.create_session("talk").id
    floors = [
        chat.add_turn(session, [Line("user", said), Line("assistant", reply)], mode="sync")[0]
        for said, reply in _SAID
    ]
    chat.create_branch(session, "if", at_floor_no=1)
    chat.add_turn(session, [Line("user", "我搬到卑尔根了。", "Mia")], branch_id="if", mode="sync")
    other = [Line("user", "My sister lives in Rome."), Line("assistant", "How nice.")]
    chat.change_turn(session, floors[1].id, lines=other, mode="sync")
    chat.delete_turn(session, floors[2].id)
    # Nobody takes this one in.
    chat.add_turn(session, [Line("user", "See you tomorrow.")], idempotency_key="bye")


_SAID = (
    ("My name is Mia and I like oolong tea.", "Nice to meet you, Mia."),
    ("我妹妹住在奥斯陆。", "奥斯陆很美。"),
    ("Remind me to buy milk tomorrow.", "I will."),
)
_ITEMS: tuple[tuple[Scope, Any, str, dict[str, Any]], ...] = (
    (CHAT, "fact", "Mia likes oolong", {"fact_key": "Mia.Tea", "importance": 0.9}),
    (CHAT, "fact", "米娅住在奥斯陆", {"fact_key": "mia.city", "wrapped": True}),
    (BRANCH, "summary", "They met in the kitchen", {"tier": "micro", "confidence": 0.25}),
    (BRANCH, "summary", "他们谈到了茶", {"tier": "macro", "lifecycle": "compacted"}),
    (BRANCH, "open_loop", "Who pays for the tea?", {"source_floor_id": "f1", "pinned": True}),
    (Scope("global", "me"), "fact", "I am vegetarian", {"source_message_id": "m1"}),
    (Scope("floor", "f1"), "fact", "gone soon", {}),
)


def hold_sessions(database: str | Path, account: str) -> None:
    """Keep a session with a fork, a turn in two versions, and the traces of background work."""
    store = open_store(str(database))
    db = view_of(store, account)
    db.write(lambda: _hold_session(db, account))
    add(db, "done never", CHAT)
    store.close()


def _hold_session(db: Database, account: str) -> None:
    scope_id = scope_rows.hold(db, CHAT, now=NOON)
    session = Address(scope_id, "茶话会")
    session_rows.begin(db, session, now=NOON)
    session_rows.add_branch(db, session, "main", parent=None, forked_at=None, now=NOON)
    for number in range(3):
        turn, at = f"{account}-f{number}", NOON + timedelta(minutes=number)
        key = f"key-{number}"
        session_rows.add_turn(
            db, session, turn, branch_id="main", number=number, idempotency_key=key, now=at
        )
        said = [
            (f"{turn}-m{place}", Line(role, f"第{number}轮 {role}", "Mia"))
            for place, role in enumerate(("user", "assistant", "tool"))
        ]
        session_rows.add_version(db, turn, 0, said, now=at)
    session_rows.add_version(db, f"{account}-f1", 1, [("again", Line("user", "另一个"))], now=NOON)
    session_rows.keep_extraction(db, f"{account}-f1", 1, to_stored(Extraction("另一个")))
    session_rows.add_branch(db, session, "if", parent="main", forked_at=1, now=NOON)
    scope_state_rows.processed(db, scope_id, 2, now=NOON)
    item_rows.strike(db, [(scope_id, "struck", "made of")], now=NOON)


def sessions_of(database: str | Path, account: str) -> list[Any]:
    """Return all that a store tells of the session, and of the work that waits for it."""
    store = open_store(str(database))
    db = view_of(store, account)
    [scope_id] = session_rows.scopes_named(db, "chat", [CHAT.name]).values()
    session = Address(scope_id, "茶话会")
    found = [
        session_rows.find(db, scope_id),
        session_rows.branches(db, session),
        [
            session_rows.floors(db, session, branch, order="asc", limit=9, offset=0)
            for branch in ("main", "if")
        ],
        session_rows.path(db, session, "main"),
        item_rows.struck(db, scope_id),
        scope_state_rows.standing(db, scope_id),
    ]
    store.close()
    return found


def chats_of(memory: OpenMemory) -> list[Any]:
    """Return all that a memory tells of its chats."""
    chat = memory.chat
    paging = Paging(limit=100)
    listed = chat.items(ItemFilter(), paging).rows
    named = [CHAT, BRANCH, Scope("global", "me"), Scope("floor", "f1")]
    return [
        listed,
        [chat.item_stats(ItemFilter(scope_kind=one.kind, scope_name=one.name)) for one in named],
        [chat.items(ItemFilter(words=words), paging) for words in ("tea", "茶", "谈到了", "gone")],
        chat.edges(),
        chat.sessions(),
        [chat.branches(one.id) for one in chat.sessions().rows],
        [
            chat.turns(session.id, branch_id=branch.id)
            for session in chat.sessions().rows
            for branch in chat.branches(session.id).rows
        ],
        chat.scope_states(),
        chat.jobs(JobFilter()),
    ]
