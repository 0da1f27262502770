"""Promises of stores that kept words with their accents: they are found without them, too."""

import sqlite3
from contextlib import closing
from pathlib import Path

import mnemic
from mnemic.records.conversation import ContextQuery, Line
from mnemic.records.item import ItemFilter, NewItem
from mnemic.records.memory import Scope
from mnemic.search.terms import pack_terms
from tests.conftest import Clock


def made_old(path: Path) -> None:
    """Let a store find its texts by words with their accents only."""
    with closing(sqlite3.connect(path)) as store, store:
        store.execute("update document set terms = ?, unfolded = 1", [pack_terms({"café": 1})])
        store.execute("update clock set seq = seq + 1")


def test_what_was_kept_with_its_accents_is_found_without_them(tmp_path: Path, clock: Clock) -> None:
    path = tmp_path / "memory.db"
    with mnemic.open(path, clock=clock, embedder="none") as memory:
        scope = Scope("chat", "s")
        memory.chat.create_item(NewItem(scope=scope, type="fact", content="The café is shut"))
        memory.chat.create_session("s")
        memory.chat.add_turn("s", [Line("user", "We met at the café")])
    made_old(path)

    with mnemic.open(path, clock=clock, embedder="none") as memory:
        sought = ItemFilter(words="cafe")
        assert memory.chat.items(sought).total == 0

        own = memory.upkeep.own_account()
        assert own is not None
        assert sum(memory.upkeep.split(own)) == 2
        assert sum(memory.upkeep.split(own)) == 0

        assert memory.chat.items(sought).total == 1
        assert memory.chat.context(ContextQuery(session_id="s", text="cafe")).text
