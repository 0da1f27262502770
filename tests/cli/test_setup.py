"""Promises of `mnemic setup`: one entry changes, and everything else in the file stays."""

import json
import tomllib
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from mnemic.cli.setup.clients import CLIENTS, ClientName, Machine, user_file
from mnemic.cli.setup.config_file import ConfigFile
from mnemic.errors import StateError
from tests.cli import commanding

NAMES: list[ClientName] = list(CLIENTS)
JSON_NAMES = [name for name in NAMES if name != "codex"]
URL = "http://127.0.0.1:7077/mcp"


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name in (
        *("MNEMIC_DATABASE", "XDG_CONFIG_HOME", "CODEX_HOME", "CLAUDE_CONFIG_DIR"),
        *("MNEMIC_LOCALE", "LC_ALL", "LC_MESSAGES", "LANG"),
    ):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", str(tmp_path))
    return tmp_path


run = partial(commanding.run, "setup")
told = partial(commanding.told, "setup")


def servers(name: ClientName, path: Path) -> dict[str, Any]:
    text = path.read_text("utf-8")
    data = tomllib.loads(text) if path.suffix == ".toml" else json.loads(text)
    return data[CLIENTS[name].container]


@pytest.mark.parametrize("name", NAMES)
def test_what_is_printed_is_what_is_written(name: ClientName, home: Path) -> None:
    printed = run(name)
    text = printed.stdout
    data = tomllib.loads(text) if name == "codex" else json.loads(text)
    assert not [one for one in home.rglob("*") if one.is_file()]

    written = told(name, "--write")

    path = Path(written["path"])
    assert written["status"] == "added"
    assert home in path.parents
    assert data[CLIENTS[name].container] == servers(name, path)
    assert Path(servers(name, path)["mnemic"]["command"]).is_absolute()
    assert servers(name, path)["mnemic"]["args"][-1] == "mcp"


@pytest.mark.parametrize("name", NAMES)
def test_a_second_time_changes_nothing_and_says_so(name: ClientName) -> None:
    path = Path(told(name, "--write")["path"])
    before = path.read_bytes()

    again = told(name, "--write")

    assert again["status"] == "already there"
    assert again["backup"] is None
    assert path.read_bytes() == before
    assert [one.name for one in path.parent.iterdir()] == [path.name]


@pytest.mark.parametrize("name", NAMES)
def test_adding_and_removing_leaves_the_file_as_it_was(name: ClientName, tmp_path: Path) -> None:
    key = CLIENTS[name].container
    file = tmp_path / ("config.toml" if name == "codex" else "config.json")
    file.write_text(
        f'model = "o9"\n\n[{key}.other]\ncommand = "x"\n'
        if name == "codex"
        else f'{{\n\t"z": 1,\n\t"{key}": {{\n\t\t"other": {{"command": "x"}}\n\t}},\n\t"a": 2\n}}'
    )
    file.chmod(0o640)
    before = file.read_bytes()

    added = told(name, "--write", "--config", str(file))
    between = servers(name, file)
    removed = told(name, "--remove", "--config", str(file))

    assert list(between) == ["other", "mnemic"]
    assert Path(added["backup"]).read_bytes() == before
    assert removed["status"] == "removed"
    assert Path(removed["backup"]) != Path(added["backup"])
    assert file.read_bytes() == before
    assert file.stat().st_mode & 0o777 == 0o640
    assert told(name, "--remove", "--config", str(file))["status"] == "not there"


COMMENTED = """{
  // Which servers there are.
  "servers": {
    /* mine */ "other": {"type": "stdio", "command": "x"}, // stays, "quoted // too"
  },
  "inputs": [], // last
}
"""


def test_comments_and_last_commas_of_vs_code_stay(tmp_path: Path) -> None:
    file = tmp_path / "mcp.json"
    file.write_text(COMMENTED)

    told("vscode", "--write", "--config", str(file))
    text = file.read_text()
    told("vscode", "--remove", "--config", str(file))

    for one in ("// Which servers", "/* mine */", '// stays, "quoted // too"', "// last"):
        assert one in text
    lines = text.splitlines()
    assert lines[3].endswith('// stays, "quoted // too"')
    assert lines[4] == '    "mnemic": {'
    assert file.read_text() == COMMENTED


def test_comments_and_order_of_codex_stay(tmp_path: Path) -> None:
    text = (
        '# mine\nmodel = "o9" # good\n\n[mcp_servers.mnemic]\ncommand = "old"\n'
        'startup_timeout_sec = 20\n\n[mcp_servers.mnemic.env]\nMNEMIC_LOCALE = "en"\n\n'
        '# the next one\n[tui]\ntheme = "dark"\n'
    )
    file = tmp_path / "config.toml"
    file.write_text(text)

    assert told("codex", "--write", "--config", str(file))["status"] == "changed"

    after = file.read_text()
    ours = tomllib.loads(after)["mcp_servers"]["mnemic"]
    assert ours["startup_timeout_sec"] == 20
    assert ours["env"] == {"MNEMIC_LOCALE": "en"}
    assert ours["args"] == ["mcp"]
    assert after.startswith('# mine\nmodel = "o9" # good\n\n[mcp_servers.mnemic]\n')
    assert after.endswith('\n# the next one\n[tui]\ntheme = "dark"\n')


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ('[mcp_servers.mnemic]\n# why\ncommand = "old" # note\n', ("# why\n", "# note\n")),
        ('mcp_servers = { other = { command = "x" } }\n', ('other = { command = "x" }',)),
        ('[mcp_servers]\nmnemic = { command = "old", cwd = "/x" }\n', ('cwd = "/x"',)),
        ('mcp_servers.mnemic.command = "old"\n[tui] # mine\n', ("[tui] # mine\n",)),
    ],
)
def test_every_form_of_a_table_of_codex_is_changed_in_place(
    text: str, kept: tuple[str, ...], tmp_path: Path
) -> None:
    file = tmp_path / "config.toml"
    file.write_text(text)

    told("codex", "--write", "--config", str(file))

    assert servers("codex", file)["mnemic"]["args"] == ["mcp"]
    assert all(part in file.read_text() for part in kept)


def test_removing_a_server_of_codex_leaves_the_comments_about_the_next_one(tmp_path: Path) -> None:
    file = tmp_path / "config.toml"
    file.write_text(
        '[mcp_servers.a]\ncommand = "a"\n\n[mcp_servers.mnemic]\ncommand = "m"\n\n'
        '# about b\n[mcp_servers.b]\ncommand = "b"\n'
    )

    told("codex", "--remove", "--config", str(file))

    assert file.read_text() == (
        '[mcp_servers.a]\ncommand = "a"\n\n# about b\n[mcp_servers.b]\ncommand = "b"\n'
    )


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("vscode", '{"servers": {"mnemic": {"command": "old" /* why */}}}'),
        ("codex", '[mcp_servers.mnemic]\nargs = [ # why\n  "old",\n]\n'),
    ],
)
def test_what_cannot_be_kept_is_refused(name: str, text: str, tmp_path: Path) -> None:
    file = tmp_path / "config"
    file.write_text(text)

    result = run(name, "--write", "--config", str(file))

    assert result.exit_code == 1
    assert "othing was changed" in result.stderr
    assert file.read_text() == text
    assert list(tmp_path.iterdir()) == [file]


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("claude-desktop", '{"mcpServers": {},}'),
        ("claude-desktop", "{} // no comments here"),
        ("vscode", '{"servers": {}'),
        ("cursor", "[]"),
        ("cursor", '{"mcpServers": []}'),
        ("codex", "[mcp_servers\n"),
        ("gemini", "\xff"),
    ],
)
def test_a_broken_file_is_never_written(name: str, text: str, tmp_path: Path) -> None:
    file = tmp_path / "config"
    file.write_bytes(text.encode("latin-1"))

    result = run(name, "--write", "--config", str(file))

    assert result.exit_code == 1
    assert str(file) in result.stderr
    assert file.read_bytes() == text.encode("latin-1")
    assert list(tmp_path.iterdir()) == [file]


@pytest.mark.parametrize(
    "text",
    [
        *("", "\n", "{}", "{ }\n", '{"mcpServers": {}}', '{"mcpServers":{"a":{}}}'),
        *('{"a":\r\n  1\r\n}\r\n', '\ufeff{\n    "mcpServers": {\n    }\n}'),
        '{\n    "mcpServers": {"a": {"command": "say \\"}{\\""}, "b": null},\n    "名": "值"\n}',
    ],
)
def test_any_layout_is_kept(text: str, tmp_path: Path) -> None:
    file = tmp_path / "config.json"
    file.write_bytes(text.encode())
    body = text.removeprefix("\ufeff")
    before: dict[str, Any] = json.loads(body) if body.strip() else {}

    told("gemini", "--write", "--config", str(file))

    after = file.read_bytes().decode()
    assert after.startswith("\ufeff") == text.startswith("\ufeff")
    assert ("\n" in after.replace("\r\n", "")) != ("\r\n" in text)
    data = json.loads(after.removeprefix("\ufeff"))
    assert data["mcpServers"].pop("mnemic")["args"] == ["mcp"]
    assert {"mcpServers": {}, **before} == data


def test_an_entry_keeps_what_its_user_added(tmp_path: Path) -> None:
    file = tmp_path / "settings.json"
    old = {"command": "old", "trust": True, "env": {"MNEMIC_LOCALE": "en"}}
    file.write_text(json.dumps({"mcpServers": {"mnemic": old}}))

    told("gemini", "--write", "--config", str(file), "--database", "robot.db")
    local = servers("gemini", file)["mnemic"]
    told("gemini", "--write", "--config", str(file), "--url", URL)

    assert list(local) == ["command", "trust", "env", "args"]
    assert local["env"]["MNEMIC_LOCALE"] == "en"
    assert local["env"]["MNEMIC_DATABASE"] == str(Path.cwd() / "robot.db")
    assert servers("gemini", file)["mnemic"] == {"trust": True, "httpUrl": URL}


def test_what_others_write_meanwhile_is_not_lost(tmp_path: Path) -> None:
    path = tmp_path / "mcp.json"
    path.write_text("{}")
    file = ConfigFile(path, CLIENTS["cursor"])
    change = file.add("mnemic", {"command": "mnemic", "args": ["mcp"]})
    assert change.text is not None
    path.write_text('{"theirs": 1}')

    with pytest.raises(StateError, match="changed meanwhile"):
        file.write(change.text)

    assert path.read_text() == '{"theirs": 1}'
    assert sorted(one.name.partition(".bak")[0] for one in tmp_path.iterdir()) == ["mcp.json"] * 2


def test_the_only_server_can_be_removed(tmp_path: Path) -> None:
    file = tmp_path / "config.toml"
    file.write_text('model = "o9"\n')
    told("codex", "--write", "--config", str(file))

    told("codex", "--remove", "--config", str(file))

    assert file.read_text() == 'model = "o9"\n'


def test_a_link_stays_a_link(tmp_path: Path) -> None:
    kept = tmp_path / "dotfiles.json"
    kept.write_text("{}")
    file = tmp_path / "mcp.json"
    file.symlink_to(kept)

    told("cursor", "--write", "--config", str(file))

    assert file.is_symlink()
    assert "mnemic" in servers("cursor", kept)


def test_name_profile_database_and_project_are_used(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(home)

    told("vscode", "--write", "--project", "--name", "robot", "--profile", "robot-extended")
    monkeypatch.setenv("MNEMIC_DATABASE", "postgresql://app@db.example/mnemic")
    from_environment = told("claude-code")

    entry = servers("vscode", home / ".vscode" / "mcp.json")["robot"]
    assert entry["type"] == "stdio"
    assert entry["args"] == ["mcp", "--profile", "robot-extended"]
    assert "env" not in entry
    assert from_environment["entry"]["env"]["MNEMIC_DATABASE"].startswith("postgresql://app@")
    assert "--env MNEMIC_DATABASE=postgresql" in from_environment["command"]


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("claude-code", {"type": "http", "url": URL, "headers": "Bearer ${MY_KEY}"}),
        ("cursor", {"url": URL, "headers": "Bearer ${env:MY_KEY}"}),
        ("vscode", {"type": "http", "url": URL, "headers": "Bearer ${env:MY_KEY}"}),
        ("codex", {"url": URL, "bearer_token_env_var": "MY_KEY"}),
        ("gemini", {"httpUrl": URL, "headers": "Bearer ${MY_KEY}"}),
    ],
)
def test_a_server_that_runs_is_named_in_the_clients_words(
    name: str, expected: dict[str, str]
) -> None:
    entry = told(name, "--url", URL, "--key-env", "MY_KEY")["entry"]

    if "headers" in entry:
        entry["headers"] = entry["headers"]["Authorization"]
    assert entry == expected


@pytest.mark.parametrize(
    ("words", "part"),
    [
        (["claude-desktop", "--url", URL], "names only servers that it starts itself"),
        (["claude-desktop", "--project"], "has no such file"),
        (["cursor", "--url", "ftp://x"], "url: not usable"),
        (["cursor", "--url", URL, "--key-env", "sk-1 2"], "no key"),
        (["cursor", "--key-env", "MY_KEY"], "--url as well"),
        (["cursor", "--url", URL, "--profile", "all"], "profile"),
        (["cursor", "--profile", "human"], "robot, robot-extended"),
        (["cursor", "--name", "a.b"], "letters"),
        (["cursor", "--database", ":memory:"], "a file"),
        (["cursor", "--write", "--remove"], "one of the two"),
        (["emacs"], "emacs"),
    ],
)
def test_what_makes_no_sense_is_refused(words: list[str], part: str) -> None:
    result = run(*words)

    assert result.exit_code == 2
    assert part in " ".join(result.stderr.split())


@pytest.mark.parametrize(
    ("platform", "variables", "desktop", "code"),
    [
        ("darwin", {}, "h/Library/Application Support/Claude", "h/Library/Application Support"),
        ("linux", {}, "h/.config/Claude", "h/.config"),
        ("linux", {"XDG_CONFIG_HOME": "x"}, "x/Claude", "x"),
        ("win32", {"APPDATA": "r"}, "r/Claude", "r"),
        ("win32", {}, "h/AppData/Roaming/Claude", "h/AppData/Roaming"),
    ],
)
def test_each_platform_has_its_places(
    platform: str, variables: dict[str, str], desktop: str, code: str
) -> None:
    machine = Machine(platform, Path("h"), variables)

    found = user_file("claude-desktop", machine)

    assert found == Path(desktop) / "claude_desktop_config.json"
    assert user_file("vscode", machine) == Path(code) / "Code" / "User" / "mcp.json"
    assert user_file("claude-code", machine) == Path("h") / ".claude.json"
    assert user_file("codex", machine) == Path("h") / ".codex" / "config.toml"
