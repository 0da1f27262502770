"""Which program wrote a file is seen by looking into it, whatever the file is called."""

from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from mnemic.errors import InvalidInputError
from mnemic.opening import OpenMemory
from mnemic.transfer.foreign import FORMATS, detect, import_foreign

SAMPLES: dict[str, tuple[str, str | None]] = {
    "our own": ('{"format": "mnemic-export", "version": 1}\n{"table": "memory"}', "mnemic"),
    "our own, one line": ('{"format": "mnemic-export"}', "mnemic"),
    "mem0 page": ('{"results": [{"id": "1", "memory": "x"}]}', "mem0"),
    "mem0 empty": ('{\n  "results": []\n}', "mem0"),
    "mem0 lines": ('{"id": "1", "memory": "x"}\n{"id": "2", "memory": "y"}', "mem0"),
    "entity": ('{"type":"entity","name":"a","entityType":"b","observations":[]}', "mcp-memory"),
    "relation": ('{"type":"relation","from":"a","to":"b","relationType":"c"}', "mcp-memory"),
    "plain": ('{"memory": "x"}\n{"text": "y"}', "jsonl"),
    "plain, one line with a list": ('{"text": "x", "tags": ["a"]}', "jsonl"),
    "plain, first line wrong": ('{"text": "x\n{"text": "y"}\n', "jsonl"),
    "texts": ('"x"\n"y"\n', "jsonl"),
    "text named type": ('{"type": "entity", "text": "x"}', "jsonl"),
    "table": ("id;Text;when\n1;x;2024\n", "csv"),
    "one column": ("content\nx\n", "csv"),
    "chinese table": ("编号,内容\n1,x\n", "csv"),
    "table without texts": ("id,name\n1,x\n", None),
    "prose": ("Dear all,\nhow are you?\n", None),
    "document": ('{"name": "x", "version": 2}', None),
    "pretty document": ('{\n"tags": [\n"a"\n]\n}', None),
    "numbers": ("1\n2\n", None),
    "empty": ("", None),
    "blank": ("\n \n", None),
}


@pytest.mark.parametrize("name", SAMPLES)
def test_a_file_is_known_by_what_it_holds(tmp_path: Path, name: str) -> None:
    text, expected = SAMPLES[name]
    path = tmp_path / "data"
    path.write_text(text, "utf-8")

    assert detect(path) == expected


@settings(
    max_examples=80, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(
    start=st.sampled_from([b"", b"{", b'["', b"SQLite format 3\0", b"\xef\xbb\xbf", b"text,"]),
    rest=st.binary(max_size=60),
)
def test_any_bytes_are_looked_at_without_an_accident(
    tmp_path: Path, start: bytes, rest: bytes
) -> None:
    path = tmp_path / "data"
    path.write_bytes(start + rest)

    assert detect(path) in (None, "csv", "jsonl")


def test_another_sqlite_file_is_nothing_known(store: OpenMemory, tmp_path: Path) -> None:
    store.robot.learn("A memory of our own is no robotmem")

    assert detect(tmp_path / "store" / "memory.db") is None


@pytest.mark.parametrize("format", FORMATS)
def test_a_file_that_is_not_what_is_said_is_refused(
    store: OpenMemory, tmp_path: Path, format: str
) -> None:
    path = tmp_path / "data"
    path.write_text('{"format": "mnemic-export"}', "utf-8")

    with pytest.raises(InvalidInputError, match="mnemic, by what is in the file"):
        import_foreign(store, path, format)


def test_lines_of_mem0_may_be_read_as_plain_lines(store: OpenMemory, tmp_path: Path) -> None:
    path = tmp_path / "data"
    path.write_text('{"id": "1", "memory": "x", "user_id": "alice"}', "utf-8")

    assert import_foreign(store, path, "jsonl").added == 1


@pytest.mark.parametrize(
    ("format", "options", "named"),
    [
        ("xml", {}, "format: 'xml' is none; allowed: robotmem, mem0"),
        ("mnemic", {}, "format: 'mnemic' is none"),
        ("jsonl", {"collection": "a", "user": "b"}, "user: a collection is given too"),
        ("jsonl", {"collection": ""}, "collection: '' is not a name"),
        ("jsonl", {"user": " x"}, "user: ' x' is not a name"),
    ],
)
def test_a_wrong_choice_is_refused_with_what_is_allowed(
    store: OpenMemory, tmp_path: Path, format: str, options: dict[str, Any], named: str
) -> None:
    path = tmp_path / "data"
    path.write_text('"x"', "utf-8")

    with pytest.raises(InvalidInputError, match=named):
        import_foreign(store, path, format, **options)


def test_a_file_that_cannot_be_read_is_named(tmp_path: Path) -> None:
    with pytest.raises(InvalidInputError, match="nowhere: there is no such file"):
        detect(tmp_path / "nowhere")
    with pytest.raises(InvalidInputError, match="it is a folder"):
        detect(tmp_path)
