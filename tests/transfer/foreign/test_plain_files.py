"""JSON lines and CSV come in under the names that people give to their columns."""

import json
from datetime import UTC, datetime
from pathlib import Path

import pytest

from mnemic.errors import InvalidInputError
from mnemic.opening import OpenMemory
from mnemic.records.memory import DEFAULT_SCOPE, Memory, Scope
from mnemic.transfer.foreign import detect, import_foreign


def write(folder: Path, text: str, name: str = "notes.txt", encoding: str = "utf-8") -> Path:
    path = folder / name
    path.write_bytes(text.encode(encoding))
    return path


def kept(memory: OpenMemory, scope: Scope = DEFAULT_SCOPE) -> list[Memory]:
    return list(reversed(memory.browse(scope)))


def test_lines_are_read_under_all_documented_names(store: OpenMemory, tmp_path: Path) -> None:
    long = "The gripper needs care. " * 40
    lines = [
        {"content": long, "context": {"arm": "left"}, "category": "gotcha", "confidence": 0.4},
        {"text": "充电桩在二楼", "metadata": {"楼": 2}, "tags": ["base"], "timestamp": 1700000000},
        {"insight": "Doors open inwards", "context": "seen twice", "collection": "lab"},
        {"memory": "I like tea", "user_id": "alice", "type": "core", "context": {"mood": "calm"}},
        "just a sentence",
        {"内容": "地板很滑", "标签": "危险，地面", "colour": "red", "category": "news"},
    ]
    path = write(tmp_path, "\n".join(json.dumps(one, ensure_ascii=False) for one in lines))

    report = import_foreign(store, path, "jsonl")

    assert detect(path) == "jsonl"
    assert (report.read, report.added, report.known, report.skipped) == (6, 6, 0, ())
    first, second, bare, floor = kept(store)
    assert first.content == long, "nothing is cut"
    assert (first.context, first.category, first.confidence) == ({"arm": "left"}, "gotcha", 0.4)
    assert second.context == {"楼": 2, "tags": ["base"]}
    assert second.created_at == datetime(2023, 11, 14, 22, 13, 20, tzinfo=UTC)
    assert (bare.content, bare.context) == ("just a sentence", {})
    assert floor.context == {"tags": ["危险", "地面"], "colour": "red", "category": "news"}
    [door] = kept(store, Scope("collection", "lab"))
    assert door.context == {"user_context": "seen twice"}
    [tea] = kept(store, Scope("user", "alice"))
    assert (tea.kind, tea.context) == ("core", {"note": {"mood": "calm"}})


def test_wrong_lines_are_told_by_number_and_the_others_kept(
    store: OpenMemory, tmp_path: Path
) -> None:
    path = tmp_path / "notes.jsonl"
    lines = [
        b'{"text": "fine"}',
        b"",
        b'{"text": "cut',
        b'{"text": "\xff"}',
        b'{"title": "no text"}',
        b'{"text": ["list"]}',
        b"17",
        b'{"text": "late", "created_at": "never"}',
        b'{"text": "sure", "confidence": 3}',
        b'{"text": " "}',
        '{"text": "也好"}'.encode(),
    ]
    path.write_bytes(b"\n".join(lines))
    told: list[tuple[int, int]] = []

    report = import_foreign(
        store, path, "jsonl", progress=lambda done, total: told.append((done, total))
    )

    assert [one.content for one in kept(store)] == ["fine", "也好"]
    assert told == [(10, 10)]
    assert [(one.where, one.reason.split(";")[0].split(" (")[0]) for one in report.skipped] == [
        ("line 3", "it is not JSON"),
        ("line 4", "it is not UTF-8"),
        ("line 5", "text: it has none"),
        ("line 6", "text: it is a list"),
        ("line 7", "it is a number"),
        ("line 8", "created_at: 'never' is no time"),
        ("line 9", "confidence: 3 is out of range"),
        ("line 10", "content: it is empty"),
    ]
    assert json.loads(json.dumps(report.to_json()))["skipped"][0]["where"] == "line 3"


@pytest.mark.parametrize("delimiter", [",", ";", "\t"])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig"])
def test_a_table_is_read_whatever_separates_its_cells(
    store: OpenMemory, tmp_path: Path, delimiter: str, encoding: str
) -> None:
    rows = [
        ["Content", "Created_At", "tags", "Room", ""],
        ['"Two lines,\nand; a ""quote"""', "2024-05-01", "wet", "bath", "x"],
        ["地毯下有电线", "2024-05-02T10:00:00+08:00", "", "客厅", ""],
    ]
    text = "\r\n".join(delimiter.join(row) for row in rows) + "\r\n\r\n"
    path = write(tmp_path, text, "notes.csv", encoding)

    report = import_foreign(store, path, "csv")

    assert detect(path) == "csv"
    assert (report.read, report.added) == (2, 2)
    first, second = kept(store)
    assert first.content == 'Two lines,\nand; a "quote"'
    assert first.context == {"tags": ["wet"], "Room": "bath", "column 5": "x"}
    assert first.created_at == datetime(2024, 5, 1, tzinfo=UTC)
    assert (second.content, second.context) == ("地毯下有电线", {"Room": "客厅"})
    assert second.created_at == datetime(2024, 5, 2, 2, tzinfo=UTC)


def test_rows_that_differ_in_anything_are_all_kept_and_repeated_ones_told(
    memory: OpenMemory, tmp_path: Path
) -> None:
    text = (
        "text,timestamp,robot\n"
        "Battery replaced,2024-01-01,r2\n"
        "Battery replaced,2024-06-01,r2\n"
        "Battery replaced,2024-06-01,r3\n"
        "Battery replaced,2024-06-01,r3\n"
        "battery replaced,2024-06-01,r3\n"
        "Battery replaced,,\n"
    )
    path = write(tmp_path, text, "log.csv")

    first = import_foreign(memory, path, "csv")
    again = import_foreign(memory, path, "csv")

    # The last row says nothing that is not there; small letters make another text.
    assert (first.read, first.added, first.known) == (6, 4, 2)
    assert (again.read, again.added, again.known) == (6, 0, 6)
    assert memory.count() == 4


def test_a_row_with_too_many_cells_is_told_by_its_number(store: OpenMemory, tmp_path: Path) -> None:
    path = write(tmp_path, 'text,room\n"a\nb",hall\none, two,three\nshort\n', "notes.csv")

    report = import_foreign(store, path, "csv")

    assert report.added == 2
    [wrong] = report.skipped
    assert wrong.where == "row 3"
    assert wrong.reason.startswith("it has 3 cells, the header 2")


def test_more_rows_than_a_batch_and_cells_longer_than_usual_come_in(
    store: OpenMemory, tmp_path: Path
) -> None:
    rows = [f"Lesson {number}: 第{number}课" for number in range(520)]
    path = write(tmp_path, "\n".join(["text", *rows, "x" * 200_000]), "many.csv")
    told: list[tuple[int, int]] = []

    report = import_foreign(
        store, path, "csv", progress=lambda done, total: told.append((done, total))
    )

    assert report.added == 521
    assert told == [(500, 521), (521, 521)]
    assert len(store.browse(limit=1)[0].content) == 200_000


def test_an_import_that_was_broken_off_goes_on_where_it_was(
    store: OpenMemory, tmp_path: Path
) -> None:
    path = write(tmp_path, "\n".join(f'"Lesson {number}"' for number in range(502)))

    def break_off(done: int, total: int) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        import_foreign(store, path, "jsonl", progress=break_off)
    assert store.count() == 500

    report = import_foreign(store, path, "jsonl")

    assert (report.added, report.known) == (2, 500)


@pytest.mark.parametrize(
    ("text", "encoding", "named"),
    [("text\n电线", "gbk", "not UTF-8"), ("text\nwire", "utf-16", "is UTF-16")],
)
def test_a_table_in_another_encoding_is_refused_before_anything_is_written(
    store: OpenMemory, tmp_path: Path, text: str, encoding: str, named: str
) -> None:
    path = write(tmp_path, "text\nfirst\n" * 3 + text, "notes.csv", encoding)

    with pytest.raises(InvalidInputError, match=named):
        import_foreign(store, path, "csv")

    assert store.count() == 0


def test_a_quote_that_nobody_closes_does_not_swallow_the_rows_after_it(
    store: OpenMemory, tmp_path: Path
) -> None:
    path = write(tmp_path, 'text\nfirst\n"second\nthird\nfourth\n', "notes.csv")

    with pytest.raises(InvalidInputError, match="row 3 is no CSV"):
        import_foreign(store, path, "csv")

    assert store.count() == 0


def test_who_names_nobody_goes_to_the_user_that_is_given(store: OpenMemory, tmp_path: Path) -> None:
    lines = '"我是老师"\n{"text": "Bo sails", "user_id": "bo"}\n{"text": "x", "collection": "c"}\n'
    path = write(tmp_path, lines)

    import_foreign(store, path, "jsonl", user="carol")

    assert [one.content for one in kept(store, Scope("user", "carol"))] == ["我是老师"]
    assert [one.content for one in kept(store, Scope("user", "bo"))] == ["Bo sails"]
    assert [one.content for one in kept(store, Scope("collection", "c"))] == ["x"]


def test_a_cell_that_is_too_long_is_told_by_its_row(
    store: OpenMemory, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("mnemic.transfer.foreign.delimited._LONGEST_CELL", 10)
    path = write(tmp_path, "text\n茶\n一二三四五六七八九十十一\n", "long.csv")

    with pytest.raises(InvalidInputError, match="row 3"):
        import_foreign(store, path, "csv")
