"""Promises of `mnemic export` and `mnemic import`, as people and scripts use them."""

import os
import threading
from pathlib import Path

import pytest

from tests.cli.commanding import failed, run, told

pytestmark = pytest.mark.usefixtures("own_store")


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """An export of two lessons."""
    told("learn", "Grip force 12.5 N holds a mug")
    told("learn", "湿滑的地面上转弯要慢。")
    assert told("export", str(tmp_path / "out.jsonl"))["lines"]["memory"] == 2
    return tmp_path / "out.jsonl"


def test_an_export_goes_through_a_pipe_into_another_store(tmp_path: Path, file: Path) -> None:
    piped = run("export")
    assert piped.exit_code == 0
    assert "2 memories" in piped.stderr
    other = str(tmp_path / "other.db")

    answer = told("--database", other, "import", "-", given=piped.stdout_bytes)

    assert answer["accounts"][0]["added"]["memory"] == 2
    assert told("--database", other, "list") == told("list")
    shown = run("--database", other, "import", str(file))
    assert shown.exit_code == 0
    assert "reindex" not in shown.stdout


def test_a_pipe_may_have_a_name(tmp_path: Path, file: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    writer = threading.Thread(target=lambda: pipe.write_bytes(file.read_bytes()))
    writer.start()

    answer = told("--database", str(tmp_path / "other.db"), "import", str(pipe))

    writer.join()
    assert answer["accounts"][0]["added"]["memory"] == 2


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"\n", "file is empty"),
        (b"\x1f\x8b\x08rest", "file is compressed"),
        ("text\nx".encode("utf-16"), "file is UTF-16"),
        (b"SQLite format 3\x00", "another SQLite file"),
        (b"I like tea,mira\n", "names of its columns in the first row, one of them content"),
    ],
)
def test_of_a_file_that_cannot_be_read_it_is_said_what_it_is(
    tmp_path: Path, data: bytes, said: str
) -> None:
    (tmp_path / "file").write_bytes(data)

    assert said in failed("import", str(tmp_path / "file"), code=2)
    assert said in failed("import", str(tmp_path / "file"), "--format", "csv", code=2)
    assert "is a folder" in failed("import", str(tmp_path), code=2)


def test_what_is_still_to_do_is_said(tmp_path: Path, file: Path) -> None:
    result = run("--database", str(tmp_path / "other.db"), "import", str(file))

    assert "mnemic reindex" in result.stdout
    assert "numbers" not in result.stdout


def test_a_later_export_is_applied_and_each_change_is_counted(tmp_path: Path, file: Path) -> None:
    other = ("--database", str(tmp_path / "other.db"))
    told(*other, "import", str(file))
    told("update", "1", "Grip force 9 N holds a mug")
    told("forget", "2", "--reason", "the floor is dry now")
    told("export", str(file), "--force")

    [answer] = told(*other, "import", str(file))["accounts"]

    assert answer["changes"] == {
        **dict.fromkeys(("unchanged", "restored", "newer", "kept"), 0),
        "updated": 1,
        "forgotten": 1,
        "not_applied": {},
    }
    assert told(*other, "list", "--status", "all") == told("list", "--status", "all")


def test_a_change_that_is_not_applied_is_said(tmp_path: Path, file: Path) -> None:
    other = ("--database", str(tmp_path / "other.db"))
    told(*other, "import", str(file))
    told("update", "1", "Grip force 9 N holds a mug")
    told(*other, "update", "1", "Grip force 11 N holds a mug")
    told("export", str(file), "--force")

    shown = run(*other, "import", str(file)).stdout

    assert "unchanged 1, updated 0" in shown
    assert "1 were changed there and here; they are kept as they are here" in shown
    assert "deleted there stay here" in shown
    assert told(*other, "get", "1")["content"] == "Grip force 11 N holds a mug"


def test_an_account_can_be_chosen_on_both_ways(tmp_path: Path, file: Path) -> None:
    told("import", str(file), "--account", "copy")

    answer = told("export", str(tmp_path / "copy.jsonl"), "--account", "copy")

    assert answer["accounts"] == ["copy"]
    assert told("export", str(tmp_path / "all.jsonl"), "--all-accounts")["lines"]["memory"] == 4
    assert "none called nobody" in failed("export", "--account", "nobody", code=2)
    assert "2 accounts" in failed("import", str(tmp_path / "all.jsonl"), "--account", "one", code=2)


def test_what_cannot_be_done_is_said_and_changes_nothing(tmp_path: Path, file: Path) -> None:
    before = told("list")
    strange, cut = tmp_path / "strange.bin", tmp_path / "cut.jsonl"
    strange.write_bytes(b"\x00\x01nothing")
    cut.write_bytes(file.read_bytes()[:-30])

    assert "is there already" in failed("export", str(file), code=2)
    assert "not there" in failed("import", str(tmp_path / "missing.jsonl"), code=2)
    assert "strange.bin is no export" in failed(
        "import", str(strange), "--format", "mnemic", code=2
    )
    assert "damaged at line" in failed("import", str(cut), code=2)
    assert "format" in failed("import", str(file), "--format", "xml", code=2)
    assert told("list") == before
    assert run("export", str(file), "--force").exit_code == 0


def test_files_of_chat_apps_are_read_and_a_book_is_written(tmp_path: Path) -> None:
    chat = tmp_path / "night.jsonl"
    chat.write_text('{"character_name": "Kai"}\n{"name": "Kai", "mes": "Hello."}\n')
    book = tmp_path / "book.json"
    book.write_text('{"entries": {"0": {"key": ["Kai"], "comment": "Kai", "content": "A baker."}}}')

    answer = told("import", str(chat))
    lore = told("import", str(book), "--session", "night")

    assert (answer["format"], answer["added"]) == ("sillytavern", 1)
    assert (lore["format"], lore["added"]) == ("world-info", 1)
    out = tmp_path / "out.json"
    assert run("export", str(out), "--as", "world-info", "--session", "night").exit_code == 0
    assert '"content": "A baker."' in out.read_text()
    assert "world-info, character-book" in failed("export", "--as", "book", code=2)
