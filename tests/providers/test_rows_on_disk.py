"""Promises of a table on disk: the same rows, whatever stood in its place before."""

from pathlib import Path

import numpy as np
import pytest

from mnemic.providers.embedders.rows_on_disk import put_on_disk

TABLE = np.arange(40, dtype=np.uint8).reshape(10, 4)
WANTED = np.array([3, 0, 9, 3])


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    return tmp_path / "mnemic"


def test_rows_come_back_as_the_table_has_them() -> None:
    rows = put_on_disk(TABLE, "t")

    assert rows is not None
    np.testing.assert_array_equal(rows[WANTED], TABLE[WANTED])
    assert rows[np.array([], dtype=np.int64)].shape == (0, 4)
    rows.close()
    with pytest.raises(OSError, match="descriptor"):
        rows[WANTED]


@pytest.mark.parametrize("found", [b"", b"half", bytes(40)])
def test_a_file_that_holds_something_else_is_made_anew(cache: Path, found: bytes) -> None:
    cache.mkdir()
    (cache / "t").write_bytes(found)

    rows = put_on_disk(TABLE, "t")

    assert rows is not None
    np.testing.assert_array_equal(rows[WANTED], TABLE[WANTED])
    assert [one.name for one in cache.iterdir()] == ["t"]
    rows.close()


def test_where_no_file_can_be_kept_there_is_none(cache: Path) -> None:
    cache.write_text("not a folder")

    assert put_on_disk(TABLE, "t") is None


def test_the_default_embedder_keeps_its_table_there(cache: Path) -> None:
    from mnemic.providers.embedders.use_multilingual import MultilingualEncoder  # noqa: PLC0415  slow

    encoder = MultilingualEncoder()
    first = encoder.embed(["the cup is red", "杯子是红色的"])
    [kept] = cache.iterdir()
    again = encoder.embed(["the cup is red", "杯子是红色的"])
    encoder.close()

    assert kept.name == f"{encoder.name}.table"
    assert kept.stat().st_size > 60_000_000
    np.testing.assert_array_equal(first, again)
    assert first[0] @ first[1] > 0.7
