"""Promises about secrets in exports: they are masked, and no store takes in a mask."""

import json
from pathlib import Path

import pytest

from mnemic.errors import InvalidInputError
from mnemic.settings import Settings
from mnemic.transfer.exchange import import_file
from tests.conftest import OpenIt
from tests.transfer.conftest import ExportIt


def test_an_export_masks_secrets_and_says_so_unless_it_is_to_reveal_them(
    open_it: OpenIt, database: str, export_it: ExportIt, tmp_path: Path
) -> None:
    with open_it() as memory:
        learned = memory.robot.learn("The gate code of dock 4 is 7781")
        memory.robot.update(learned.get("memory_id", 0), "The gate code of dock 4 is 9902")
        memory.robot.learn("Dock 4 is closed on Sundays")
        memory.assistant.call("memory_chat", {"message": "My bank PIN is 4711."})

    plain = export_it(database, reveal=False).read_text("utf-8")
    whole = export_it(database).read_text("utf-8")

    lines = [json.loads(line) for line in plain.splitlines()]
    for secret in ("7781", "9902", "4711"):
        assert secret not in plain
        assert secret in whole
    assert lines[0]["masked"] is True
    assert "masked" not in json.loads(whole.splitlines()[0])
    kept = [line for line in lines if line.get("content") == "Dock 4 is closed on Sundays"]
    assert [line.get("masked") for line in kept] == [None]


def test_what_is_masked_is_refused_with_what_to_do(
    open_it: OpenIt, database: str, export_it: ExportIt, tmp_path: Path
) -> None:
    with open_it() as memory:
        memory.robot.learn("The gate code of dock 4 is 7781")
    other = Settings(database=str(tmp_path / "other.db"))

    with pytest.raises(InvalidInputError, match="--reveal"):
        import_file(other, export_it(database, reveal=False))

    assert import_file(other, export_it(database)).accounts[0].added["memory"] == 1


def test_an_export_without_secrets_is_taken_in_masked_or_not(
    open_it: OpenIt, database: str, export_it: ExportIt, tmp_path: Path
) -> None:
    with open_it() as memory:
        memory.robot.learn("Dock 4 is closed on Sundays")

    taken = import_file(
        Settings(database=str(tmp_path / "other.db")), export_it(database, reveal=False)
    )

    assert taken.accounts[0].added["memory"] == 1
