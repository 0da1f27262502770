"""Promises of moving what chats keep: sessions arrive as they were, and what they deleted goes."""

from datetime import timedelta
from pathlib import Path

import pytest

from mnemic.errors import StorageError
from mnemic.opening import OpenMemory
from mnemic.records.item import ItemFilter, NewItem
from mnemic.storage.chat_rows import session_rows
from mnemic.storage.chat_rows.session_rows import Address
from tests.conftest import NOON, Clock
from tests.postgres import Server
from tests.storage.chats import CHAT, sessions_of
from tests.storage.stores import everything, opened
from tests.storage.workers import account as view_of
from tests.storage.workers import add, open_store, take, taken_id
from tests.transfer.moving.conftest import Move


def test_sessions_arrive_with_their_forks_versions_and_waiting_work(
    move: Move, store: Path, postgres: Server, target: str
) -> None:
    move()

    there = postgres.url(target, user="app")
    assert sessions_of(there, "default") == sessions_of(store, "default")
    worker = open_store(there)
    assert taken_id(take(worker)) == "done never"
    # What enqueues from now on stands behind what was moved.
    assert add(view_of(worker, "default"), "next")
    worker.close()


def test_what_a_chat_deleted_is_removed_by_the_next_move(
    move: Move, store: Path, there: OpenMemory, clock: Clock
) -> None:
    move()
    with opened(store, clock) as here:
        first, second, *_ = here.chat.items(ItemFilter(type="fact")).rows
        # The same ends under another name, and the numbers of what is gone are not used again.
        [edge] = here.chat.edges(relation="contradicts").rows
        here.chat.change_edge(edge.id, "supports")
        here.chat.delete_items([first.id])
        here.chat.create_item(NewItem(scope=first.scope, type="fact", content="来自别处"))
        here.chat.delete_edge(here.chat.create_edge(second.id, second.id, "resolves").id)

    report = move()

    with opened(store, clock) as here:
        assert everything(there) == everything(here)
    for table in ("item", "memory", "event", "edge"):
        assert report["tables"][table]["removed"] > 0
    move(verify_only=True)


def test_a_deleted_session_is_removed_by_the_next_move(
    move: Move, store: Path, postgres: Server, target: str
) -> None:
    move()
    source = open_store(str(store))
    db = view_of(source, "default")
    [scope_id] = session_rows.scopes_named(db, "chat", [CHAT.name]).values()
    db.write(lambda: session_rows.drop(db, Address(scope_id, CHAT.name)))
    db.write(lambda: session_rows.drop_work(db, [scope_id]))
    source.close()

    tables = move()["tables"]

    assert sessions_of(postgres.url(target, user="app"), "default")[:2] == [None, []]
    removed = ("conversation", "turn", "message", "version", "branch", "path", "struck", "job")
    assert all(tables[name]["removed"] > 0 for name in removed)


@pytest.mark.parametrize("what", ["edge", "turn", "deletion"])
def test_what_was_only_written_in_the_target_is_never_taken_for_deleted(
    move: Move, there: OpenMemory, postgres: Server, target: str, store: Path, what: str
) -> None:
    move()
    [item, *_] = there.chat.items(ItemFilter()).rows
    if what == "edge":
        there.chat.create_edge(item.id, item.id, "compacts")
    elif what == "deletion":
        there.chat.delete_item(item.id)
    else:
        worker = open_store(postgres.url(target, user="app"))
        db = view_of(worker, "default")
        [scope_id] = session_rows.scopes_named(db, "chat", [CHAT.name]).values()
        session, now = Address(scope_id, CHAT.name), NOON + timedelta(days=9)
        db.write(
            lambda: session_rows.add_turn(
                db, session, "new", branch_id="main", number=9, idempotency_key=None, now=now
            )
        )
        worker.close()

    with pytest.raises(StorageError, match="written to since"):
        move()
