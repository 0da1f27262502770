"""Promises about files: only their owner may read what Mnemic writes, whatever the umask."""

import os
import stat
from collections.abc import Iterator
from pathlib import Path

import pytest

import mnemic
from mnemic.runtime import private_files
from mnemic.storage.sqlite.backups import back_up
from tests.cli.commanding import told

pytestmark = pytest.mark.usefixtures("own_store")


@pytest.fixture(params=[0o000, 0o077, 0o777], ids=oct, autouse=True)
def umask(request: pytest.FixtureRequest) -> Iterator[None]:
    """Be a user whose files are open to everybody, to nobody else, or not even to themselves."""
    before = os.umask(request.param)
    yield
    os.umask(before)


def modes(folder: Path) -> dict[str, int]:
    """Return the modes of everything in a folder."""
    return {
        str(one.relative_to(folder)): stat.S_IMODE(one.stat().st_mode) for one in folder.rglob("*")
    }


def test_a_store_and_what_lies_beside_it_are_private(tmp_path: Path) -> None:
    folder = tmp_path / "made"
    with mnemic.open(folder / "below" / "memory.db", embedder="none") as memory:
        memory.robot.learn("Grip force 12.5 N holds a mug")

        assert modes(folder) == {
            "below": 0o700,
            "below/memory.db": 0o600,
            "below/memory.db-wal": 0o600,
            "below/memory.db-shm": 0o600,
        }
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700


def test_the_index_that_is_kept_for_the_next_start_is_private(tmp_path: Path) -> None:
    path = tmp_path / "memory.db"
    with mnemic.open(path, embedder="none", durability="off") as memory:
        memory.robot.learn_many([{"insight": f"Shelf {one} is full"} for one in range(2_100)])
        memory.robot.recall("shelf")

    assert modes(tmp_path) == {"memory.db": 0o600, "memory.db-index": 0o600}


def test_a_link_that_leads_nowhere_yet_becomes_a_private_store(tmp_path: Path) -> None:
    (tmp_path / "link.db").symlink_to(tmp_path / "there.db")

    mnemic.open(tmp_path / "link.db", embedder="none").close()

    assert modes(tmp_path)["there.db"] == 0o600


def test_backups_exports_and_restored_stores_are_private(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    told("learn", "Grip force 12.5 N holds a mug")
    told("backup", str(tmp_path / "copy.db"))
    told("export", str(tmp_path / "memories.jsonl"))
    told("restore", str(tmp_path / "copy.db"), "--force")
    monkeypatch.setenv("MNEMIC_DATABASE", str(tmp_path / "new" / "below" / "memory.db"))
    told("import", str(tmp_path / "memories.jsonl"))
    monkeypatch.setenv("MNEMIC_DATABASE", str(tmp_path / "other" / "below" / "memory.db"))
    told("restore", str(tmp_path / "copy.db"))

    found = modes(tmp_path)
    folders = {"new", "new/below", "other", "other/below"}
    assert len(found) == 10
    assert {found.pop(name) for name in folders} == {0o700}
    assert set(found.values()) == {0o600}


def test_a_copy_is_private_from_its_first_byte_on(tmp_path: Path) -> None:
    told("learn", "Grip force 12.5 N holds a mug")
    seen: list[int] = []
    back_up(
        tmp_path / "memory.db",
        tmp_path / "copy.db",
        key=None,
        force=False,
        progress=lambda _done, _total: seen.extend(modes(tmp_path).values()),
    )

    assert seen
    assert set(seen) == {0o600}


def test_what_was_put_in_the_way_of_a_new_file_is_not_followed(tmp_path: Path) -> None:
    victim = tmp_path / "victim"
    private_files.create(victim)
    (tmp_path / "new").symlink_to(victim)

    with private_files.open_new(tmp_path / "new") as file:
        file.write(b"secret")

    assert victim.read_bytes() == b""


def test_a_store_that_a_group_shares_on_purpose_stays_shared(tmp_path: Path) -> None:
    path = tmp_path / "memory.db"
    mnemic.open(path, embedder="none").close()
    path.chmod(0o660)

    with mnemic.open(path, embedder="none") as memory:
        memory.robot.learn("Grip force 12.5 N holds a mug")
        assert set(modes(tmp_path).values()) == {0o660}
