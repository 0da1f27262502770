"""All documents that hold every word, on each backend, whatever happened to them before."""

from collections.abc import Iterable
from datetime import timedelta
from pathlib import Path
from random import Random

import pytest

from mnemic.language.tokens import index_terms
from mnemic.language.whole_words import contains_words, sought_words
from mnemic.records.memory import Scope
from mnemic.search.index_queries import Trait
from mnemic.storage.database import Database
from mnemic.storage.rows import document_rows, scope_rows
from mnemic.storage.rows.document_rows import NewDocument, Traits
from mnemic.storage.timestamps import to_micros
from tests.conftest import NOON
from tests.storage.workers import account, open_store

WORDS = ["the", "cup", "door", "grip_force", "12.5N", "茶", "杯子", "在家", "天安门", "lamp"]
QUERIES = [
    *WORDS,
    "the cup",
    "cup 茶",
    "杯",
    "子",
    "the lamp 家",
    "force",
    "missing",
    "cup missing",
]


class BrokenOffError(Exception):
    """What stops a transaction."""


def room(db: Database, name: str = "kitchen") -> int:
    return db.write(lambda: scope_rows.hold(db, Scope("collection", name), now=NOON))


def document(scope_id: int, text: str, context: str = "", minutes: int = 0) -> NewDocument:
    own = index_terms(text)
    said_at = NOON + timedelta(minutes=minutes)
    traits = Traits(None, said_at, Trait(0), telling=1, own_terms=len(own))
    return NewDocument(own + index_terms(context), scope_id, None, traits, None)


def add(db: Database, scope_id: int, texts: Iterable[str]) -> dict[int, str]:
    """Make texts findable; return them by their numbers."""
    every = list(texts)
    new = [document(scope_id, text) for text in every]
    return dict(zip(db.write(lambda: document_rows.add(db, new)), every, strict=True))


def retire(db: Database, scope_id: int, doc: int) -> None:
    db.write(lambda: document_rows.retire(db, doc, scope_id=scope_id))


def held(db: Database, q: str, *scope_ids: int) -> list[int]:
    return db.search.holding(sought_words(q).terms, scope_ids=scope_ids).docs.tolist()


def drawn_from(seed: int) -> Random:
    return Random(seed)  # noqa: S311  # the same texts each time


def some_texts(chance: Random, count: int) -> list[str]:
    return [" ".join(chance.choices(WORDS, k=chance.randint(1, 4))) for _ in range(count)]


def holders(texts: dict[int, str], q: str) -> list[int]:
    return sorted(doc for doc, text in texts.items() if contains_words(text, q))


def test_every_holder_is_found_however_many_there_are(db: Database) -> None:
    kitchen = room(db)
    chance = drawn_from(7)
    # More than the newest that are kept in plain lists, in several portions.
    texts = add(db, kitchen, some_texts(chance, 2_500))
    assert held(db, "cup", kitchen) == holders(texts, "cup")
    texts |= add(db, kitchen, some_texts(chance, 1_100))
    assert held(db, "cup", kitchen) == holders(texts, "cup")
    texts |= add(db, kitchen, some_texts(chance, 50))

    for q in QUERIES:
        assert held(db, q, kitchen) == holders(texts, q), q


def test_answers_stay_exact_after_any_mix_of_changes(db: Database) -> None:
    chance = drawn_from(11)
    rooms = [room(db, name) for name in ("kitchen", "garage")]
    texts: dict[int, dict[int, str]] = {one: {} for one in rooms}
    for _ in range(60):
        one = chance.choice(rooms)
        if texts[one] and chance.random() < 0.4:
            gone = chance.choice([*texts[one]])
            del texts[one][gone]
            retire(db, one, gone)
        else:
            texts[one] |= add(db, one, some_texts(chance, chance.randint(1, 3)))
        q = chance.choice(QUERIES)
        assert held(db, q, one) == holders(texts[one], q)
        assert held(db, q, *rooms) == holders(texts[rooms[0]] | texts[rooms[1]], q)


def test_very_many_scopes_are_searched_together_as_each_by_itself(db: Database) -> None:
    chance = drawn_from(13)
    rooms = [room(db, f"room{number}") for number in range(40)]
    texts: dict[int, str] = {}
    # Those of the first half stand in a segment, the rest among the newest, some in both.
    for one in rooms[:25]:
        texts |= add(db, one, some_texts(chance, 50))
    held(db, "cup", *rooms[:30])
    for one in rooms[20:38]:
        added = add(db, one, some_texts(chance, 4))
        gone = chance.choice([*added])
        texts |= {doc: text for doc, text in added.items() if doc != gone}
        held(db, "cup", one)
        retire(db, one, gone)
    unknown = max(rooms) + 1

    for q in QUERIES:
        found = held(db, q, *reversed(rooms), rooms[3], unknown)
        assert found == holders(texts, q), q
        assert found == sorted(doc for one in rooms for doc in held(db, q, one))


def test_words_that_stand_apart_in_each_of_many_scopes_find_nothing(db: Database) -> None:
    rooms = [room(db, f"room{number}") for number in range(20)]
    for one in rooms:
        add(db, one, ["the cup", "a lamp"])

    assert held(db, "cup lamp", *rooms) == []
    assert len(held(db, "a", *rooms)) == 20


def test_other_scopes_are_never_seen(db: Database) -> None:
    kitchen, garage = room(db), room(db, "garage")
    own = add(db, kitchen, ["the cup", "a lamp"])
    add(db, garage, ["the other cup"])

    assert held(db, "cup", kitchen) == holders(own, "cup")


def test_without_a_word_or_a_scope_nothing_is_found(db: Database) -> None:
    kitchen = room(db)
    add(db, kitchen, ["100 % of the cup_s", "茶"])

    for q in ("", "%", "_", "*", '"', "😀"):
        assert held(db, q, kitchen) == []
    assert held(db, "cup") == []
    assert held(db, "cup", kitchen + 1) == []


def test_a_retired_document_is_found_no_more(db: Database) -> None:
    kitchen = room(db)
    first, second = add(db, kitchen, ["the cup", "the red cup"])
    assert held(db, "cup", kitchen) == [first, second]

    retire(db, kitchen, first)

    assert held(db, "cup", kitchen) == [second]


def test_what_another_process_wrote_is_found(database: str) -> None:
    one, other = open_store(database), open_store(database)
    mine, theirs = account(one, "default"), account(other, "default")
    kitchen = room(mine)
    texts = add(mine, kitchen, ["the cup"])
    assert held(theirs, "cup", kitchen) == [*texts]

    texts |= add(mine, kitchen, ["another cup"])

    assert held(theirs, "cup", kitchen) == [*texts]
    one.close()
    other.close()


def test_what_was_rolled_back_is_never_found(db: Database) -> None:
    kitchen = room(db)
    before = add(db, kitchen, ["the cup"])

    def look_and_break() -> None:
        document_rows.add(db, [document(kitchen, "a cup that never was")])
        assert len(held(db, "cup", kitchen)) == 2
        raise BrokenOffError

    with pytest.raises(BrokenOffError):
        db.write(look_and_break)

    assert held(db, "cup", kitchen) == [*before]
    after = add(db, kitchen, ["a real cup"])
    assert held(db, "cup", kitchen) == [*before, *after]


def test_each_comes_with_its_time_and_with_a_note_where_its_context_has_words_too(
    db: Database,
) -> None:
    kitchen = room(db)
    new = [
        document(kitchen, "the cup", minutes=3),
        document(kitchen, "the lamp", context="cup kitchen", minutes=1),
        document(kitchen, "the red cup", context="red", minutes=2),
    ]
    docs = db.write(lambda: document_rows.add(db, new))

    found = db.search.holding(["cup"], scope_ids=(kitchen,))

    assert found.docs.tolist() == docs
    minutes = (3, 1, 2)
    assert found.said_at.tolist() == [to_micros(NOON + timedelta(minutes=one)) for one in minutes]
    assert found.mixed.tolist() == [False, True, False]


def test_an_index_that_was_kept_between_processes_answers_alike(tmp_path: Path) -> None:
    path = str(tmp_path / "memory.db")
    store = open_store(path)
    db = account(store, "default")
    kitchen = room(db)
    texts = add(db, kitchen, some_texts(drawn_from(17), 2_500))
    texts[db.write(lambda: document_rows.add(db, [document(kitchen, "door", "lamp")]))[0]] = "lamp"
    before = db.search.holding(["lamp"], scope_ids=(kitchen,))
    store.close()
    assert (tmp_path / "memory.db-index").exists()

    store = open_store(path)
    db = account(store, "default")
    after = db.search.holding(["lamp"], scope_ids=(kitchen,))

    assert after.docs.tolist() == before.docs.tolist() == holders(texts, "lamp")
    assert after.mixed.tolist() == before.mixed.tolist()
    assert after.mixed.sum() == 1
    store.close()
