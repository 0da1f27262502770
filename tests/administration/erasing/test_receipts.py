"""Promises of receipts: what was erased stays erased when an older copy is taken out again."""

from collections.abc import Callable
from datetime import timedelta
from pathlib import Path

import pytest

import mnemic
from mnemic.errors import InvalidInputError
from mnemic.opening import OpenMemory
from mnemic.records.memory import Draft
from mnemic.settings import Settings
from mnemic.transfer.backup import back_up, restore
from mnemic.transfer.exchange import export_store, import_file
from mnemic.transfer.receipt_files import apply_to_copy, read_receipts, receipt_lines
from tests.administration.erasing.test_erasing import ADA, BEN, chatted, converse, learned
from tests.administration.erasing.traces import MARKER, traces_in
from tests.chat.chatting import texts_in
from tests.conftest import Clock, OpenIt

Make = Callable[[Path], None]


def told(memory: OpenMemory, clock: Clock) -> None:
    """Let there be one of each kind of thing that is erased, and something else beside it."""
    for number in range(3):
        converse(memory, f"My sister {MARKER} lives in Bern {number}.", conversation=f"c-{number}")
        clock.turn(seconds=1)
    converse(memory, "I live in Basel.", BEN, "c-9")
    learned(memory, f"Cleo met {MARKER}", scope=mnemic.Scope("user", "cleo"), kind="episodic")
    memory.robot.learn(f"The {MARKER} valve leaks", collection="hall")
    chatted(memory, clock)
    memory.of_account("acme").robot.learn(f"The {MARKER} door opens inwards")
    memory.of_account("acme2").robot.learn("Mind the step")


def erase_all(memory: OpenMemory) -> None:
    number = learned(memory, "Unknown to every backup")
    memory.erase("memory", number)
    # With it goes what says the same.
    memory.erase("memory", memory.browse(ADA, status=None)[0].id)
    memory.erase("conversation", "c-1", user="ada")
    memory.erase("user", "ada")
    memory.erase("user", "cleo")
    memory.erase("collection", "hall")
    memory.erase("session", "s1")
    memory.of_account("acme").erase("account", "acme")


@pytest.mark.parametrize("form", ["backup", "export"])
def test_what_was_erased_is_taken_out_of_an_older_copy(
    tmp_path: Path, clock: Clock, form: str
) -> None:
    store, kept = tmp_path / "memory.db", tmp_path / "kept"
    kept.mkdir()
    settings = Settings(database=str(store), embedder="hashing", durability="off")
    copied = kept / form
    with mnemic.open(store, clock=clock, embedder="hashing", durability="off") as memory:
        told(memory, clock)
    if form == "backup":
        back_up(settings, copied, now=clock.now)
    else:
        with copied.open("wb") as out:
            export_store(settings, out, now=clock.now, all_accounts=True, vectors=True)
    clock.turn(days=1)
    with mnemic.open(store, clock=clock, embedder="hashing", durability="off") as memory:
        erase_all(memory)
        receipts = memory.every_receipt()
    file = tmp_path / "receipts.jsonl"
    file.write_text("\n".join(receipt_lines(receipts)), "utf-8")

    looked = apply_to_copy(settings, copied, read_receipts(file), now=clock.now, dry_run=True)
    assert traces_in(kept) != []
    applied = apply_to_copy(settings, copied, read_receipts(file), now=clock.now)

    assert traces_in(kept) == []
    assert [one.name for one in kept.iterdir()] == [form]
    assert applied.undecided == ()
    # One by one they are looked at, and what goes with another is then gone.
    assert {one.mark for one in applied.erased} <= {one.mark for one in looked.erased}
    assert {one.kind for one in applied.erased} == {"account", "user", "collection", "session"}
    fresh = tmp_path / "fresh" / "memory.db"
    fresh.parent.mkdir()
    restore(Settings(database=str(fresh)), copied, now=clock.now)
    with mnemic.open(fresh, clock=clock, embedder="hashing") as memory:
        assert memory.browse(BEN)
        assert memory.profile(ADA) is None
        assert [one.id for one in memory.chat.sessions().rows] == ["s2"]
        assert memory.of_account("acme").count() == 0
        assert memory.of_account("acme2").count() == 1
    assert traces_in(fresh.parent) == []


def test_receipts_of_memories_and_conversations_mean_no_others(
    open_it: OpenIt, tmp_path: Path, clock: Clock
) -> None:
    settings = Settings(database=str(tmp_path / "older.db"), durability="off")
    with mnemic.open(settings.database, clock=clock, embedder="none") as older:
        numbers = [learned(older, f"Lesson {number} of the day") for number in range(3)]
        converse(older, "I live in Basel.", BEN, "c-9")
        converse(older, "I have two bicycles.", BEN, "c-10")
    copied = tmp_path / "copy.db"
    back_up(settings, copied, now=clock.now)
    with mnemic.open(settings.database, clock=clock, embedder="none") as older:
        older.erase("memory", numbers[1])
        older.erase("conversation", "c-9", user="ben")
        receipts = older.every_receipt()

    with mnemic.open(copied, clock=clock, embedder="none") as memory:
        applied = memory.apply_receipts(receipts)
        again = memory.apply_receipts(receipts)

        assert [one.kind for one in applied.erased] == ["conversation", "memory"]
        assert again.erased == ()
        assert {one.id for one in memory.browse()} == {numbers[0], numbers[2]}
        assert [one.id for one in memory.conversations(BEN)] == ["c-10"]


def test_who_comes_back_under_the_same_name_is_somebody_else(
    memory: OpenMemory, clock: Clock
) -> None:
    learned(memory, "I like tea", scope=ADA)
    clock.turn(days=1)
    memory.erase("user", "ada")
    clock.turn(days=1)
    learned(memory, "I like coffee", scope=ADA)

    assert memory.apply_receipts(memory.every_receipt()).erased == ()
    assert [one.content for one in memory.browse(ADA)] == ["I like coffee"]


def test_a_receipt_of_one_account_means_no_other(memory: OpenMemory) -> None:
    for account in ("acme", "other"):
        learned(memory.of_account(account), "I like tea", scope=ADA)
    memory.of_account("acme").erase("user", "ada")

    assert memory.apply_receipts(memory.every_receipt()).erased == ()
    assert memory.of_account("other").browse(ADA)


def test_a_memory_that_cannot_be_told_from_others_is_named_and_left(
    tmp_path: Path, clock: Clock
) -> None:
    store = tmp_path / "memory.db"
    settings = Settings(database=str(store), durability="off")
    with mnemic.open(store, clock=clock, embedder="none") as memory:
        numbers = [
            one.memory.id
            for one in memory.remember_many([Draft(f"Lesson {one}") for one in range(3)])
        ]
    export = tmp_path / "export.jsonl"
    with export.open("wb") as out:
        export_store(settings, out, now=clock.now)
    with mnemic.open(store, clock=clock, embedder="none") as memory:
        memory.erase("memory", numbers[1])
        [receipt] = memory.every_receipt()
    other = tmp_path / "other.db"
    with mnemic.open(other, clock=clock, embedder="none") as memory:
        clock.turn(days=1)
        learned(memory, "It has the first number here")
        learned(memory, "And this the second")
    import_file(Settings(database=str(other)), export)

    with mnemic.open(other, clock=clock, embedder="none") as memory:
        applied = memory.apply_receipts([receipt])

        assert applied.undecided == (receipt.id,)
        assert applied.erased == ()
        assert memory.count() == 5


def test_a_file_that_holds_no_receipts_is_refused_by_line(tmp_path: Path) -> None:
    file = tmp_path / "receipts.jsonl"
    for text in ("{}", "no JSON", '{"id": 3}'):
        file.write_text(text, "utf-8")
        with pytest.raises(InvalidInputError, match="line 1"):
            read_receipts(file)
    with pytest.raises(InvalidInputError, match="cannot be read"):
        read_receipts(tmp_path / "not-there")


def test_receipts_say_nothing_but_what_kind_when_by_whom_and_how_much(
    memory: OpenMemory, clock: Clock
) -> None:
    told(memory, clock)
    erase_all(memory)

    lines = receipt_lines(memory.every_receipt())

    assert len(lines) >= 8
    for name in (MARKER, "ada", "cleo", "hall", "acme", "Bern", "s1", "c-1"):
        assert not [line for line in lines if f'"{name}' in line or f"{name} " in line]
    assert texts_in(memory.chat, mnemic.Scope("branch", '["s2","main"]'))
    assert timedelta(0) <= clock.now - memory.every_receipt()[0].erased_at
