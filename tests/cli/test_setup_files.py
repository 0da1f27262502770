"""Promises of `mnemic setup` about files that are not as one would wish."""

import os
import shutil
import tempfile
import tomllib
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest

from mnemic.cli.setup.clients import CLIENTS
from mnemic.cli.setup.config_file import ConfigFile
from mnemic.errors import StateError
from tests.cli import commanding

NOBODY = 65_534


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("MNEMIC_DATABASE", "CODEX_HOME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", str(tmp_path))


run = partial(commanding.run, "setup")
told = partial(commanding.told, "setup")


def test_the_only_thing_in_a_file_can_be_removed() -> None:
    path = Path(told("codex", "--write")["path"])

    assert told("codex", "--remove")["status"] == "removed"
    assert path.read_bytes() == b""
    assert told("codex", "--remove")["status"] == "not there"


def test_a_server_in_a_table_of_one_line_is_changed_and_removed(tmp_path: Path) -> None:
    file = tmp_path / "config.toml"
    file.write_text('mcp_servers = { mnemic = { command = "x" } }\n')

    assert told("codex", "--write", "--config", str(file))["status"] == "changed"
    assert told("codex", "--remove", "--config", str(file))["status"] == "removed"
    assert tomllib.loads(file.read_text()) == {"mcp_servers": {}}


@pytest.fixture
def open_folder() -> Iterator[Path]:
    """A folder in which everybody may make and replace files."""
    folder = Path(tempfile.mkdtemp(prefix="mnemic-"))
    folder.chmod(0o777)
    yield folder
    shutil.rmtree(folder)


def test_a_file_that_is_read_only_stays_as_it_is(open_folder: Path) -> None:
    path = open_folder / "mcp.json"
    path.write_text("{}")
    path.chmod(0o444)
    file = ConfigFile(path, CLIENTS["cursor"])
    me = os.geteuid()
    if me == 0:
        # Who may do everything may write it, too.
        os.seteuid(NOBODY)
    try:
        with pytest.raises(StateError, match=r"cannot be written .* It is as it was"):
            file.write("{}\n")
    finally:
        os.seteuid(me)

    assert path.read_text() == "{}"
    assert list(open_folder.iterdir()) == [path]


def test_a_folder_that_cannot_be_made_is_told() -> None:
    result = run("cursor", "--write", "--config", "/dev/null/mcp.json")

    assert result.exit_code == 1
    assert "/dev/null/mcp.json" in result.stderr


def test_links_that_lead_in_a_circle_are_told(tmp_path: Path) -> None:
    link = tmp_path / "mcp.json"
    link.symlink_to(link)

    result = run("cursor", "--write", "--config", str(link))

    assert result.exit_code == 1
    assert "mnemic: " in result.stderr
    assert link.is_symlink()
