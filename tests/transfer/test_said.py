"""Promises of what was said in a store that is exported: it is found where it is imported."""

from mnemic.worker import Worker
from tests.chat.chatting import said
from tests.chat.test_said import LONG, found
from tests.conftest import Clock
from tests.storage.stores import opened
from tests.transfer.conftest import ExportIt, NewStore, imported


def test_an_import_brings_what_was_said(
    new_store: NewStore, export_it: ExportIt, clock: Clock
) -> None:
    for backend in ("sqlite", "postgres"):
        here, there = new_store(backend), new_store(backend)
        with opened(here, clock) as memory:
            memory.chat.create_session("s")
            memory.chat.add_turn("s", said("My dog is called Biscuit.", LONG + " A zebra."))
        imported(there, export_it(here))
        with opened(there, clock) as memory:
            assert found(memory, "Biscuit")[0] == "My dog is called Biscuit."
            assert "zebra" in found(memory, "zebra")[0]


def test_an_import_into_a_store_that_a_worker_watches_brings_what_was_said(
    new_store: NewStore, export_it: ExportIt, clock: Clock
) -> None:
    here, there = new_store("sqlite"), new_store("sqlite")
    with opened(here, clock) as memory:
        memory.chat.create_session("s")
        memory.chat.add_turn("s", said("My dog is called Biscuit."))
    with opened(there, clock) as memory:
        worker = Worker(memory)
        worker.work_off()
        imported(there, export_it(here))
        worker.work_off()
        assert found(memory, "Biscuit")[0] == "My dog is called Biscuit."
