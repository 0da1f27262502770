"""Promises of an encrypted store: no file tells what it holds, and no key but its own opens it."""

import os
import signal
import subprocess
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, Final

import apsw
import pytest

import mnemic
from mnemic.errors import EncryptionError, SettingsError, UnusableStoreError
from mnemic.opening import OpenMemory
from mnemic.records.conversation import Line
from mnemic.runtime.encryption import EncryptionKey
from mnemic.settings import Settings, read_settings
from mnemic.storage.sqlite.backups import check
from mnemic.storage.sqlite.driver import is_encrypted, open_file
from mnemic.storage.sqlite.schema_objects import migrations
from tests.storage.file_bytes import contents, files_with

KEY: Final = "6b" * 32
OTHER: Final = "0f" * 32
LESSON: Final = "Xylophones wobble when quarried"
READING: Final = '{"zephyr": [1.5, 2.5]}'
# As texts, as terms of the index, as the vector of a text, and as every SQLite file begins.
MARKS: Final = (
    *(word.encode() for word in ("Xylophones", "xylophon", "quarri", "zephyr", "铃兰香水", "铃兰")),
    b"CREATE TABLE",
    b"SQLite format 3",
)


def opened(path: Path, key: str | None = KEY, **more: Any) -> OpenMemory:
    return mnemic.open(path, encryption_key=key, embedder="hashing", durability="off", **more)


def fill(memory: OpenMemory) -> None:
    """Leave marks in every kind of table: texts, contexts, payloads, terms, vectors, turns."""
    memory.robot.learn(LESSON, {"place": "zephyr"})
    memory.robot.learn("她喜欢铃兰香水的味道")
    memory.robot.save_perception("Gusts of zephyr", "tactile", data=READING)
    memory.chat.create_session("p")
    memory.chat.add_turn("p", [Line("user", "I keep xylophones and 铃兰香水 at home")], mode="sync")
    added = memory.assistant.call(
        "memory_add", {"content": "Likes quarried xylophones", "memory_type": "core"}
    )
    assert added["success"], added


def remembers(memory: OpenMemory) -> bool:
    found = memory.robot.recall("xylophones wobble when quarried")["memories"]
    return LESSON in [one["content"] for one in found]


@pytest.fixture
def marks(tmp_path_factory: pytest.TempPathFactory) -> tuple[bytes, ...]:
    """What a plain store shows, in its file and in that of its index."""
    folder = tmp_path_factory.mktemp("plain")
    with opened(folder / "memory.db", None) as memory:
        fill(memory)
    connection: Any = apsw.Connection(str(folder / "memory.db"))
    vectors = connection.execute("select substr(data, 1, 64) from vector").fetchall()
    connection.close()
    marks = (*MARKS, *(vector for (vector,) in vectors))
    assert {mark for _, mark in files_with(folder, *marks)} == set(marks), "they can be found"
    return marks


@pytest.fixture
def store(tmp_path: Path) -> Path:
    """An encrypted store with marks in it, closed."""
    path = tmp_path / "memory.db"
    with opened(path) as memory:
        fill(memory)
    return path


@pytest.fixture
def killed(tmp_path: Path) -> Path:
    """An encrypted store whose process was killed, with much in the log beside it."""
    path = tmp_path / "memory.db"
    script = (
        "import os, signal, sys, tests.storage.test_encryption as t; from pathlib import Path\n"
        "memory = t.opened(Path(sys.argv[1])); t.fill(memory)\n"
        "os.kill(os.getpid(), signal.SIGKILL)"
    )
    done = subprocess.run(
        [sys.executable, "-c", script, str(path)],
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
        check=False,
    )
    assert done.returncode == -signal.SIGKILL
    assert path.with_name("memory.db-wal").stat().st_size > 0
    return path


def test_no_file_beside_an_encrypted_store_tells_anything(
    tmp_path: Path, marks: tuple[bytes, ...]
) -> None:
    with opened(tmp_path / "memory.db") as memory:
        fill(memory)
        assert files_with(tmp_path, *marks) == set()
        assert remembers(memory)
        assert memory.robot.recall("铃兰香水")["total"] > 0
        assert files_with(tmp_path, *marks) == set()

    assert set(contents(tmp_path)) == {"memory.db"}
    assert files_with(tmp_path, *marks) == set()
    assert is_encrypted(tmp_path / "memory.db")


def test_no_file_tells_anything_after_a_kill_and_nothing_is_lost(
    killed: Path, marks: tuple[bytes, ...]
) -> None:
    assert files_with(killed.parent, *marks) == set()

    with opened(killed) as memory:
        assert remembers(memory)


def test_the_index_of_a_large_encrypted_store_is_not_kept_beside_it(tmp_path: Path) -> None:
    path = tmp_path / "memory.db"
    lessons = [{"insight": f"Shelf {one} of the xylophones is full"} for one in range(2_100)]
    with opened(path) as memory:
        memory.robot.learn_many(lessons)
        memory.robot.recall("shelf")

    assert set(contents(tmp_path)) == {"memory.db"}
    with opened(path) as memory:
        assert memory.robot.recall("shelf 17 xylophones")["total"] > 0


def test_what_is_laid_aside_stays_in_memory(store: Path) -> None:
    connection = open_file(store, key=EncryptionKey(KEY))

    assert connection.pragma("temp_store") == 2
    connection.close()


def test_every_thread_reads_an_encrypted_store(store: Path) -> None:
    with opened(store) as memory, ThreadPoolExecutor(3) as pool:
        assert list(pool.map(remembers, [memory] * 3)) == [True] * 3


@pytest.fixture(params=["closed", "killed"])
def encrypted(request: pytest.FixtureRequest) -> Path:
    return request.getfixturevalue("store" if request.param == "closed" else "killed")


@pytest.mark.parametrize(
    ("key", "problem"),
    [(None, "is encrypted. Set MNEMIC_ENCRYPTION_KEY_FILE"), (OTHER, "the key of another store")],
)
def test_another_key_or_none_is_refused_and_changes_nothing(
    encrypted: Path, key: str | None, problem: str
) -> None:
    before = contents(encrypted.parent)

    with pytest.raises(EncryptionError, match=problem) as raised:
        opened(encrypted, key)

    after = contents(encrypted.parent)
    # Who reads along is written down there, and nothing else.
    assert {**before, "memory.db-shm": b""} == {**after, "memory.db-shm": b""}
    assert OTHER not in str(raised.value)
    with opened(encrypted) as memory:
        assert remembers(memory)


def test_a_plain_store_is_not_opened_with_a_key(tmp_path: Path) -> None:
    path = tmp_path / "memory.db"
    with opened(path, None) as memory:
        fill(memory)
    before = contents(tmp_path)

    with pytest.raises(EncryptionError, match="is not encrypted, and an encryption key is set"):
        opened(path)

    assert contents(tmp_path) == before


def test_a_damaged_page_is_found_and_not_read(store: Path) -> None:
    data = bytearray(store.read_bytes())
    data[4096 * 3 + 100] ^= 1
    store.write_bytes(data)

    with pytest.raises(UnusableStoreError):
        check(store, key=EncryptionKey(KEY), source=store)


def test_without_the_driver_a_key_is_refused_and_nothing_is_made(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delattr(apsw, "mc_version")

    with pytest.raises(EncryptionError, match="pip install --force-reinstall"):
        opened(tmp_path / "memory.db")

    assert contents(tmp_path) == {}
    with opened(tmp_path / "plain.db", None) as memory:
        memory.robot.learn(LESSON)


def test_the_copy_that_is_kept_before_an_upgrade_is_encrypted(tmp_path: Path) -> None:
    path = tmp_path / "memory.db"
    older = open_file(path, key=EncryptionKey(KEY))
    for step in migrations()[:-1]:
        older.execute(step)
    older.execute(f"pragma user_version = {len(migrations()) - 1}")
    older.close()

    with opened(path) as memory:
        fill(memory)

    [kept] = tmp_path.glob("memory.db.before-schema-*")
    assert is_encrypted(kept)
    assert files_with(tmp_path, *MARKS) == set()


def test_what_is_erased_is_gone_from_an_encrypted_store_too(tmp_path: Path) -> None:
    path = tmp_path / "memory.db"
    with opened(path) as memory:
        number = memory.robot.learn(LESSON).get("memory_id", 0)
        memory.robot.learn("Keep left")
        memory.erase("memory", number)

    assert is_encrypted(path)
    # As it was under the cipher, with its free pages.
    plain: Any = apsw.Connection(str(path))
    plain.pragma("key", f"raw:{KEY}")
    plain.pragma("rekey", "")
    plain.close()
    assert files_with(tmp_path, b"SQLite format 3", b"Keep left", b"Xylophones", b"quarri") == {
        ("memory.db", b"SQLite format 3"),
        ("memory.db", b"Keep left"),
    }


def test_a_store_that_is_gone_when_it_is_closed_may_have_a_key() -> None:
    with mnemic.open(":memory:", encryption_key=KEY, embedder="none") as memory:
        memory.robot.learn(LESSON)
        assert memory.robot.recall("xylophone")["total"] == 1


@pytest.fixture
def key_file(tmp_path: Path) -> Path:
    path = tmp_path / "key"
    path.write_text(f"{KEY.upper()}\n", "utf-8")
    return path


def test_the_key_is_read_from_a_file(store: Path, key_file: Path) -> None:
    with mnemic.open(store, encryption_key_file=str(key_file), embedder="none") as memory:
        assert memory.robot.recall("xylophone")["total"] > 0


@pytest.mark.parametrize("key", ["short", KEY[:-1], f"{KEY}0", "zz" * 32, "密" * 64])
def test_a_key_of_another_form_is_refused_without_being_told(
    tmp_path: Path, key_file: Path, key: str
) -> None:
    key_file.write_text(key, "utf-8")
    ways: list[Callable[[], Any]] = [
        lambda: opened(tmp_path / "memory.db", key),
        lambda: mnemic.open(tmp_path / "memory.db", encryption_key_file=str(key_file)),
    ]

    for way in ways:
        with pytest.raises(SettingsError, match="64 hexadecimal digits") as raised:
            way()
        assert key not in str(raised.value)
    assert not (tmp_path / "memory.db").exists()


def test_a_key_file_that_is_not_there_is_refused(tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match="cannot be read"):
        mnemic.open(tmp_path / "memory.db", encryption_key_file=str(tmp_path / "none"))


def test_the_key_is_in_no_representation_and_set_only_once(key_file: Path) -> None:
    settings = Settings(encryption_key=KEY)

    assert KEY not in repr(settings)
    assert KEY not in repr(settings.read_encryption_key())
    with pytest.raises(SettingsError, match="not both"):
        read_settings({"encryption_key": KEY, "encryption_key_file": str(key_file)})


def test_postgresql_refuses_a_key_that_would_encrypt_nothing(postgres_database: str) -> None:
    with pytest.raises(SettingsError, match="encrypts SQLite stores"):
        mnemic.open(postgres_database, encryption_key=KEY, embedder="none")
