"""Promises of books of lore: World Info and character books come in and go out again."""

import json
from pathlib import Path
from typing import Any

import pytest

from mnemic.opening import OpenMemory
from mnemic.records.conversation import ContextQuery, chat_scope
from mnemic.records.item import ItemFilter, NewItem
from mnemic.transfer.chats.chat_import import chat_format, import_chats
from mnemic.transfer.chats.lorebook import export_book

Json = dict[str, Any]

ENTRIES: list[Json] = [
    {"key": ["Eldoria", "forest"], "keysecondary": [], "comment": "Eldoria", "disable": False,
     "content": "Eldoria is a forest: elves live there.", "constant": False},
    {"key": ["Kai"], "comment": "Kai", "content": "Kai fears thunder.", "constant": True},
    {"key": ["龙"], "comment": "", "content": "龙住在山里。", "constant": False, "disable": True},
]  # fmt: skip
WORLD: Json = {"entries": {str(at): {"uid": at, **one} for at, one in enumerate(ENTRIES)}}


def book_of(entries: list[Json]) -> Json:
    """Return a card with the same entries as a character book."""
    told: list[Json] = [
        {"keys": one["key"], "name": one["comment"], "content": one["content"],
         "constant": one["constant"], "enabled": not one.get("disable", False),
         "extensions": {}, "insertion_order": 100}
        for one in entries
    ]  # fmt: skip
    return {"spec": "chara_card_v2", "data": {"name": "Kai", "character_book": {"entries": told}}}


def put(path: Path, book: Json, *, indent: int | None = None) -> Path:
    path.write_text(json.dumps(book, ensure_ascii=False, indent=indent), "utf-8")
    return path


@pytest.mark.parametrize("indent", [None, 2])
@pytest.mark.parametrize("book", [WORLD, book_of(ENTRIES)], ids=["world-info", "card"])
def test_entries_become_facts_of_their_entity(
    memory: OpenMemory, tmp_path: Path, book: Json, indent: int | None
) -> None:
    path = put(tmp_path / "book.json", book, indent=indent)

    assert chat_format(path) == "world-info"
    report = import_chats(memory.chat, path, "world-info")

    assert (report.read, report.added, report.skipped) == (3, 3, ())
    facts = {one.fact_key: one for one in memory.chat.items(ItemFilter(type="fact")).rows}
    assert set(facts) == {"eldoria.lore", "kai.lore", "龙.lore"}
    assert facts["eldoria.lore"].content == (
        "Eldoria, forest: Eldoria is a forest: elves live there."
    )
    assert facts["kai.lore"].pinned
    assert facts["龙.lore"].status == "deprecated"
    assert import_chats(memory.chat, path, "world-info").known == 3


def test_what_is_constant_is_in_every_block(memory: OpenMemory, tmp_path: Path) -> None:
    memory.chat.create_session("s")
    import_chats(memory.chat, put(tmp_path / "b.json", WORLD), "world-info", session="s")

    block = memory.chat.context(ContextQuery(session_id="s", text="What is for dinner?"))

    assert "Kai fears thunder." in block.text
    assert "龙" not in block.text


@pytest.mark.parametrize("form", ["world-info", "character-book"])
def test_a_book_comes_out_as_it_came_in(memory: OpenMemory, tmp_path: Path, form: str) -> None:
    import_chats(memory.chat, put(tmp_path / "in.json", WORLD), "world-info")
    out = export_book(memory.chat, form)

    listed = list(out["entries"].values()) if form == "world-info" else out["entries"]
    for entry, given in zip(listed, ENTRIES, strict=True):
        assert entry.get("key", entry.get("keys")) == given["key"]
        assert entry["content"] == given["content"]
        assert entry["constant"] == given["constant"]
        assert entry.get("disable", not entry.get("enabled")) == given.get("disable", False)
    assert import_chats(memory.chat, put(tmp_path / "out.json", out), "world-info").known == 3


def test_facts_of_an_entity_go_out_as_one_entry(memory: OpenMemory) -> None:
    scope = chat_scope("s")
    for key, text in (("mira.home", "Oslo"), ("mira.pet.cat", "Momo"), ("kai.job", "baker")):
        new = NewItem(scope=scope, type="fact", fact_key=key, content=f"{key}: {text}")
        memory.chat.create_item(new)

    out = export_book(memory.chat, "world-info", scope)

    told = {one["comment"]: (one["key"], one["content"]) for one in out["entries"].values()}
    assert told == {
        "mira": (["mira"], "mira.home: Oslo\nmira.pet.cat: Momo"),
        "kai": (["kai"], "kai.job: baker"),
    }
