"""Promises of what goes and of what others see: no text stays, and no account sees another's."""

from typing import Any

import apsw
import psycopg
import pytest

from mnemic.engine.chat_verbs import ChatMemory
from mnemic.errors import NotFoundError, StateError
from mnemic.opening import OpenMemory
from mnemic.records.conversation import ContextQuery, JobFilter, branch_scope, chat_scope
from mnemic.records.item import ItemFilter, NewItem
from tests.chat.chatting import floors_of, items_in, picture, said, work
from tests.conftest import Clock, OpenIt
from tests.postgres import Server

AMBER = "薄荷琥珀"


@pytest.fixture
def chat(memory: OpenMemory) -> ChatMemory:
    return memory.chat


def say(chat: ChatMemory, clock: Clock, session: str, *texts: str, branch: str = "main") -> None:
    for text in texts:
        clock.turn(seconds=1)
        chat.add_turn(session, said(text, "Noted."), branch_id=branch)
    work(chat)


def tables_with(database: str, server: Server | None, words: str) -> set[str]:
    """Return the tables in which some words stand anywhere, in whichever account."""
    if server is None:
        connection: Any = apsw.Connection(database)
        listed = "select name from sqlite_master where type = 'table'"
    else:
        connection = psycopg.connect(server.url(database.rsplit("/", 1)[-1].partition("?")[0]))
        listed = "select tablename from pg_tables where schemaname = 'public'"
    names = [row[0] for row in connection.execute(listed).fetchall()]
    found = {
        name
        for name in names
        for row in connection.execute(f"select * from {name}").fetchall()  # noqa: S608
        if any(words in shown(value) for value in row)
    }
    connection.close()
    return found


def shown(value: object) -> str:
    return value.decode("utf-8", "replace") if isinstance(value, bytes) else str(value)


def test_what_goes_leaves_no_text_in_any_table(
    open_it: OpenIt, clock: Clock, database: str, request: pytest.FixtureRequest
) -> None:
    server = request.getfixturevalue("postgres") if "postgres" in database else None
    memory = open_it()
    chat = memory.chat
    chat.create_session("s")
    say(chat, clock, "s", "It rained.", f"I live in {AMBER}. I promise to call {AMBER} on Sunday.")
    chat.create_branch("s", "if")
    say(chat, clock, "s", f"My cat is called {AMBER}.", branch="if")
    note = NewItem(scope=branch_scope("s", "if"), type="fact", content=f"By hand: {AMBER}")
    chat.create_item(note)
    assert {"memory", "message", "version"} <= tables_with(database, server, AMBER)

    last = floors_of(chat, "s", "if")[-1]
    chat.change_turn("s", last.id, lines=said("It snowed."))
    work(chat)
    chat.delete_turn("s", last.id)
    chat.delete_branch("s", "if")
    [_, second] = floors_of(chat, "s")
    assert chat.items(ItemFilter(words=AMBER)).total > 0
    chat.delete_turn("s", second.id)

    assert chat.items(ItemFilter(words=AMBER)).total == 0
    assert tables_with(database, server, AMBER) == set()
    say(chat, clock, "s", f"I live in {AMBER}.")
    chat.add_turn("s", said(AMBER))
    chat.delete_session("s")
    assert tables_with(database, server, AMBER) == set()
    assert chat.jobs(JobFilter()).total == 0


def test_another_account_sees_nothing(open_it: OpenIt, clock: Clock) -> None:
    mine, other = open_it().chat, open_it(account="other").chat
    mine.create_session("s")
    say(mine, clock, "s", f"I live in {AMBER}.", "I promise to call my mother on Sunday.")
    mine.create_branch("s", "if")
    floor = floors_of(mine, "s")[0]
    item = items_in(mine, branch_scope("s", "main"))[0]
    job = mine.jobs(JobFilter()).rows[0]
    before = picture(mine, "s")
    other.create_session("mine")

    for verb in (
        lambda: other.session("s"),
        lambda: other.branches("s"),
        lambda: other.turns("s"),
        lambda: other.turn("s", floor.id),
        lambda: other.turn("mine", floor.id),
        lambda: other.change_turn("mine", floor.id, lines=said("x")),
        lambda: other.delete_turn("mine", floor.id),
        lambda: other.delete_branch("s", "if"),
        lambda: other.create_branch("s", "new"),
        lambda: other.delete_session("s"),
        lambda: other.add_turn("s", said("x")),
        lambda: other.context(ContextQuery(session_id="s")),
        lambda: other.item(item.id),
        lambda: other.delete_item(item.id),
        lambda: other.job(job.id),
        lambda: other.cancel_job(job.id),
    ):
        with pytest.raises(NotFoundError):
            verb()
    with pytest.raises(StateError):
        other.compact(branch_scope("s", "main"))
    assert other.items(ItemFilter()).total == 0
    assert other.items(ItemFilter(words=AMBER)).total == 0
    assert other.jobs(JobFilter()).total == 0
    assert other.scope_states(scope_kind="branch").total == 0
    assert [one.id for one in other.sessions().rows] == ["mine"]
    assert other.create_session("s").floors == 0
    assert picture(mine, "s") == before


def test_what_is_written_into_a_session_goes_with_it(chat: ChatMemory, clock: Clock) -> None:
    for name in ("s", "t"):
        chat.create_session(name)
        say(chat, clock, name, "I live in Oslo.")
        chat.create_branch(name, "if")
        for scope in (chat_scope(name), branch_scope(name, "if")):
            chat.create_item(NewItem(scope=scope, type="fact", content="Written by hand."))
        chat.add_turn(name, said("Not read yet."))

    chat.delete_session("s")

    for scope in (chat_scope("s"), branch_scope("s", "main"), branch_scope("s", "if")):
        assert items_in(chat, scope) == []
        assert chat.jobs(JobFilter(scope_kind=scope.kind, scope_name=scope.name)).total == 0
        assert chat.scope_states(scope_kind=scope.kind, scope_name=scope.name).total == 0
    assert len(items_in(chat, branch_scope("t", "if"))) == 3
    assert work(chat) == 1
    chat.create_session("s")
    assert floors_of(chat, "s") == []
    assert items_in(chat, branch_scope("s", "main")) == []
