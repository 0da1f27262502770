"""Promises of `mnemic encrypt` and `decrypt`, and of commands on encrypted stores."""

import json
import os
import stat
import traceback
from pathlib import Path
from typing import Any, Final

import apsw
import pytest

import mnemic
from mnemic.runtime.encryption import EncryptionKey
from mnemic.storage.sqlite import reencryption
from mnemic.storage.sqlite.backups import alone
from mnemic.storage.sqlite.driver import is_encrypted
from tests.cli.commanding import failed, run, told
from tests.postgres import Server
from tests.storage.file_bytes import contents, files_with

LESSON: Final = "Xylophones wobble when quarried"
MARKS: Final = (b"Xylophones", b"xylophon", b"quarri")


@pytest.fixture
def plain(own_store: Path) -> Path:
    """A plain store large enough for an index beside it."""
    with mnemic.open(own_store, embedder="none", durability="off") as memory:
        memory.robot.learn_many([{"insight": f"Quarried shelf {one}"} for one in range(2_100)])
        memory.robot.learn(LESSON)
        memory.robot.recall("shelf")
    assert set(contents(own_store.parent)) == {"memory.db", "memory.db-index"}
    return own_store


@pytest.fixture
def key_file(tmp_path: Path) -> Path:
    return tmp_path / "memory.key"


@pytest.fixture
def encrypted(own_store: Path, key_file: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A store that the environment has the key for."""
    told("learn", LESSON)
    told("encrypt", "--key-file", str(key_file))
    monkeypatch.setenv("MNEMIC_ENCRYPTION_KEY_FILE", str(key_file))
    return own_store


def lessons(*words: str) -> list[str]:
    return [one["content"] for one in told(*words, "list")]


def test_a_plain_store_becomes_an_encrypted_one_with_a_new_key(
    plain: Path, key_file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    answer = told("encrypt", "--key-file", str(key_file))

    assert answer == {
        "store": str(plain),
        "encrypted": True,
        "memories": 2_101,
        "new_key": True,
        "plain_copies": [],
    }
    assert set(contents(plain.parent)) == {"memory.db", "memory.key"}
    assert files_with(plain.parent, *MARKS, b"SQLite format 3") == set()
    assert [stat.S_IMODE(one.stat().st_mode) for one in (plain, key_file)] == [0o600, 0o600]
    assert "is encrypted" in failed("list", code=4)
    monkeypatch.setenv("MNEMIC_ENCRYPTION_KEY", key_file.read_text().strip())
    assert LESSON in [one["content"] for one in told("recall", "xylophones")["memories"]]


def test_a_plain_store_becomes_encrypted_with_the_key_of_the_settings(
    plain: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert "no key is set" in failed("encrypt", code=2)
    monkeypatch.setenv("MNEMIC_ENCRYPTION_KEY", "ab" * 32)
    assert "Encrypt it with `mnemic encrypt`" in failed("list", code=4)

    assert told("encrypt")["new_key"] is False

    assert is_encrypted(plain)
    assert told("stats")


def test_a_key_is_changed(encrypted: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    new = tmp_path / "new.key"

    told("encrypt", "--key-file", str(new))

    assert "key of another store" in failed("list", code=4)
    monkeypatch.setenv("MNEMIC_ENCRYPTION_KEY_FILE", str(new))
    assert lessons() == [LESSON]
    assert "the key that it has" in failed("encrypt", code=1)
    assert files_with(encrypted.parent, *MARKS) == set()


def test_a_store_is_decrypted(encrypted: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert told("decrypt") == {"store": str(encrypted), "encrypted": False, "memories": 1}

    assert "is not encrypted" in failed("decrypt", code=1)
    monkeypatch.delenv("MNEMIC_ENCRYPTION_KEY_FILE")
    assert lessons() == [LESSON]


@pytest.mark.parametrize("command", ["encrypt", "decrypt"])
def test_without_the_key_nothing_is_changed_and_no_key_is_made(
    encrypted: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, command: str
) -> None:
    monkeypatch.delenv("MNEMIC_ENCRYPTION_KEY_FILE")
    before = contents(tmp_path)
    words = ["--key-file", str(tmp_path / "new.key")] if command == "encrypt" else []

    assert "is encrypted. Set" in failed(command, *words, code=4)

    assert contents(tmp_path) == before


def test_a_store_in_use_is_not_encrypted(plain: Path, key_file: Path) -> None:
    with mnemic.open(plain, embedder="none") as memory:
        memory.robot.recall("shelf")
        assert "open in another process" in failed("encrypt", "--key-file", str(key_file), code=3)

    assert not is_encrypted(plain)
    # The key that was made is used by the next attempt.
    assert told("encrypt", "--key-file", str(key_file))["new_key"] is False


def test_nobody_can_write_to_a_store_that_is_written_anew(plain: Path) -> None:
    with alone(plain, key=None) as connection:
        assert connection is not None
        connection.execute("select count(*) from memory").fetchall()
        other: Any = apsw.Connection(str(plain))
        with pytest.raises(apsw.BusyError):
            other.execute("select count(*) from memory").fetchall()
        other.close()


def test_where_the_new_file_is_not_sound_the_store_stays_as_it_is(
    plain: Path, key_file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: object, **__: object) -> None:
        raise mnemic.MnemicError("page 3 is not sound")

    monkeypatch.setattr(reencryption, "check", broken)
    before = plain.read_bytes()

    assert "page 3 is not sound" in failed("encrypt", "--key-file", str(key_file), code=1)

    assert set(contents(plain.parent)) == {"memory.db", "memory.db-index", "memory.key"}
    assert len(plain.read_bytes()) == len(before)
    assert told("stats")


def test_no_error_holds_a_key(plain: Path) -> None:
    key = EncryptionKey("cd" * 32)
    # In the way of the new file.
    plain.with_name(f"memory.db.{os.getpid()}.encrypting").mkdir()

    with pytest.raises((mnemic.MnemicError, OSError)) as raised:
        reencryption.change_key(plain, key=None, to=key)

    said = "".join(traceback.format_exception(raised.value))
    assert "could not be written" in said
    assert key.digits not in said


def test_a_backup_of_an_encrypted_store_is_encrypted_and_comes_back(
    encrypted: Path, tmp_path: Path
) -> None:
    told("backup", str(tmp_path / "copy.db"))
    told("learn", "Later")

    told("restore", str(tmp_path / "copy.db"), "--force")

    assert lessons() == [LESSON]
    assert is_encrypted(tmp_path / "copy.db")
    assert files_with(tmp_path, *MARKS, b"SQLite format 3") == set()


def test_a_backup_with_another_key_is_refused_and_changes_nothing(
    encrypted: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    copy = str(tmp_path / "copy.db")
    told("backup", copy)
    told("--database", copy, "encrypt", "--key-file", str(tmp_path / "other.key"))
    names = set(contents(tmp_path))
    assert "key of another store" in failed("restore", copy, "--force", code=4)
    assert set(contents(tmp_path)) == names
    assert lessons() == [LESSON]
    monkeypatch.setenv("MNEMIC_ENCRYPTION_KEY_FILE", str(tmp_path / "other.key"))
    told("--database", copy, "decrypt")
    monkeypatch.setenv("MNEMIC_ENCRYPTION_KEY_FILE", str(tmp_path / "memory.key"))
    assert "is not encrypted" in failed("restore", copy, "--force", code=4)
    assert lessons() == [LESSON]


def test_an_export_is_plain_and_is_restored_to_an_encrypted_store(
    encrypted: Path, tmp_path: Path
) -> None:
    told("export", str(tmp_path / "all.jsonl"))
    new = tmp_path / "new" / "memory.db"

    told("--database", str(new), "restore", str(tmp_path / "all.jsonl"))
    told("--database", str(tmp_path / "new" / "own.db"), "import", str(tmp_path / "all.jsonl"))

    assert files_with(tmp_path / "new", *MARKS) == set()
    assert lessons("--database", str(new)) == [LESSON]
    assert files_with(tmp_path, b"Xylophones") == {("all.jsonl", b"Xylophones")}


def test_an_encrypted_store_is_moved_to_postgresql(encrypted: Path, postgres: Server) -> None:
    postgres.make_database("from_encrypted", template="made")
    try:
        url = postgres.url("from_encrypted", user="owner")
        moved = told("migrate", "--from", f"sqlite:{encrypted}", "--to", url)
        assert moved["verified"]
        assert moved["tables"]["memory"]["rows"] == 1
    finally:
        postgres.drop_database("from_encrypted")


def doctor(code: int = 0) -> tuple[dict[str, Any], dict[str, Any]]:
    result = run("doctor", "--json", "--offline")
    assert result.exit_code == code, result.output
    found = json.loads(result.stdout)
    return found, next(one for one in found["checks"] if one["name"] == "encryption")


@pytest.mark.usefixtures("own_store")
def test_the_doctor_says_whether_a_store_is_encrypted(
    key_file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    told("learn", LESSON)
    found, check = doctor()
    assert (found["encrypted"], check["status"], check["found"]) == (False, "ok", "off")

    told("encrypt", "--key-file", str(key_file))
    found, check = doctor(code=1)
    assert (found["encrypted"], check["status"]) == (True, "problem")
    assert "Set MNEMIC_ENCRYPTION_KEY_FILE" in check["found"]

    monkeypatch.setenv("MNEMIC_ENCRYPTION_KEY_FILE", str(key_file))
    found, check = doctor()
    assert (found["encrypted"], check["status"]) == (True, "ok")
    assert check["found"].startswith("on;")

    monkeypatch.setenv("MNEMIC_ENCRYPTION_KEY_FILE", str(key_file.with_name("none")))
    assert "cannot be read" in doctor(code=1)[1]["found"]


def test_what_was_done_to_a_key_is_in_the_audit_log(
    encrypted: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    told("decrypt")
    monkeypatch.delenv("MNEMIC_ENCRYPTION_KEY_FILE")

    assert [one["act"] for one in told("audit")] == ["decrypt", "encrypt"]


def test_the_doctor_warns_of_plain_copies_and_open_keys(
    encrypted: Path, key_file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    key_file.chmod(0o644)
    assert "644" in doctor()[1]["found"]
    key_file.chmod(0o600)
    copy = encrypted.with_name("memory.db.before-schema-3")
    with monkeypatch.context() as patch:
        patch.delenv("MNEMIC_ENCRYPTION_KEY_FILE")
        mnemic.open(copy, embedder="none").close()

    assert copy.name in doctor()[1]["found"]


def test_the_doctor_tells_of_a_driver_without_encryption(
    encrypted: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delattr(apsw, "mc_version")

    assert "apsw-sqlite3mc" in doctor(code=1)[1]["found"]
    assert "pip install --force-reinstall" in failed("list", code=4)
