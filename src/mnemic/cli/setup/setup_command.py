"""`mnemic setup`: tell an MCP client of this memory, or take it out again."""

import json
import os
import re
import shlex
import shutil
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Final, get_args
from urllib.parse import urlsplit

import typer

from mnemic.cli.options import AsJson, print_json
from mnemic.cli.reporting import reporting_errors
from mnemic.cli.setup.clients import (
    CLIENTS,
    ClientName,
    Entry,
    Machine,
    McpClient,
    http_entry,
    merged,
    stdio_entry,
    user_file,
    usual_variables,
)
from mnemic.cli.setup.config_file import ConfigFile
from mnemic.cli.setup.toml_text import TomlText
from mnemic.errors import InvalidInputError
from mnemic.mcp.profiles import PROFILES, find_profile
from mnemic.settings import Locale, read_settings

_NAME: Final = re.compile(r"[A-Za-z0-9_-]{1,64}")
_VARIABLE: Final = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")


_Write = Annotated[
    bool, typer.Option("--write", help="Write it into the client's file, with a backup.")
]
_Remove = Annotated[
    bool, typer.Option("--remove", help="Take the server out of the client's file again.")
]
_Profile = Annotated[
    str | None, typer.Option(help="Which tools, as for `mnemic mcp`.", show_default="its own")
]
_Database = Annotated[
    str | None,
    typer.Option(
        metavar="PATH or URL",
        help="The memory's file, or postgresql://….",
        show_default="as for mnemic",
    ),
]
_Url = Annotated[
    str | None, typer.Option(help="Use a server that runs, such as http://127.0.0.1:7077/mcp.")
]
_KeyEnv = Annotated[
    str | None,
    typer.Option(metavar="NAME", help="The variable that holds the key for that server."),
]
_Locale = Annotated[
    str | None,
    typer.Option(
        metavar="zh or en",
        help="The language of the messages in its answers.",
        show_default="this machine's",
    ),
]
_Project = Annotated[
    bool, typer.Option("--project", help="The file of this folder's project, not the user's.")
]


def add_to(app: typer.Typer) -> None:
    """Add the command to an application."""
    app.command()(setup)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Wish:
    """What is to stand where."""

    client: ClientName
    path: Path
    name: str
    entry: Entry
    usual: Mapping[str, str]
    project: bool

    @property
    def how(self) -> McpClient:
        """How the client wants it."""
        return CLIENTS[self.client]


def setup(
    ctx: typer.Context,
    client: Annotated[ClientName, typer.Argument(help="The program that is to use the memory.")],
    write: _Write = False,
    remove: _Remove = False,
    name: Annotated[str, typer.Option(help="What the client calls the server.")] = "mnemic",
    profile: _Profile = None,
    database: _Database = None,
    url: _Url = None,
    key_env: _KeyEnv = None,
    locale: _Locale = None,
    project: _Project = False,
    config: Annotated[Path | None, typer.Option(metavar="PATH", help="Another file.")] = None,
    as_json: AsJson = False,
) -> None:
    """Connect an MCP client: print its configuration, or write it with --write.

    Writing changes one entry and keeps the rest of the file as it is, comments included. The file
    as it was stays beside it, as FILE.bak-TIME. Run again, it finds that nothing is to be done.

    Example: mnemic setup claude-desktop --write
    """
    with reporting_errors(as_json=as_json):
        if write and remove:
            raise InvalidInputError("remove", "--write does the opposite", "one of the two")
        _check(name, profile, database, url, key_env)
        _check_locale(locale, url)
        how = CLIENTS[client]
        if url is None:
            entry = stdio_entry(how, _command(profile), _environment(database or ctx.obj, locale))
        else:
            entry = http_entry(how, url, key_variable=key_env)
        path = config.expanduser() if config else _place(client, project=project)
        usual = {} if url is not None else usual_variables(os.environ)
        wish = _Wish(client=client, path=path, name=name, entry=entry, usual=usual, project=project)
        if remove or write:
            answer = _change(wish, remove=remove)
        else:
            answer = {"status": "printed", "text": _snippet(wish), "command": _shell(wish)}
        told = {"client": client, "name": name, "path": str(path), "key_env": key_env, **answer}
        if as_json:
            print_json(told | {"entry": merged({}, entry, wish.usual)})
        else:
            _tell(wish, told)


def _check(
    name: str, profile: str | None, database: str | None, url: str | None, key_env: str | None
) -> None:
    if not _NAME.fullmatch(name):
        raise InvalidInputError("name", repr(name), "1 to 64 letters, digits, - and _")
    if profile is not None and find_profile(profile) is None:
        raise InvalidInputError("profile", repr(profile), ", ".join(PROFILES))
    if url is None:
        if key_env is not None:
            raise InvalidInputError("key-env", "there is no server to use it for", "--url as well")
        return
    for option, value in (("profile", profile), ("database", database)):
        if value is not None:
            raise InvalidInputError(option, "the server at --url decides that", "one of the two")
    parts = urlsplit(url)
    if parts.scheme not in ("http", "https") or not parts.hostname or parts.username:
        raise InvalidInputError("url", "not usable", "an address like http://127.0.0.1:7077/mcp")
    if key_env is not None and not _VARIABLE.fullmatch(key_env):
        raise InvalidInputError(
            "key-env", "it names no variable", "the NAME of a variable of the environment, no key"
        )


def _check_locale(locale: str | None, url: str | None) -> None:
    if locale is None:
        return
    if url is not None:
        raise InvalidInputError("locale", "the server at --url decides that", "one of the two")
    if locale not in get_args(Locale):
        raise InvalidInputError("locale", repr(locale), ", ".join(get_args(Locale)))


def _command(profile: str | None) -> list[str]:
    """Return what starts the server. Clients do not know the user's PATH, so it is absolute."""
    chosen = [] if profile is None else ["--profile", profile]
    return [*_running_command(), "mcp", *chosen]


def _running_command() -> list[str]:
    called = shutil.which(sys.argv[0])
    if called is not None and Path(called).stem == "mnemic":
        return [str(Path(called).absolute())]
    beside = shutil.which("mnemic", path=str(Path(sys.executable).parent))
    return [beside] if beside else [sys.executable, "-m", "mnemic.cli.main"]


def _environment(database: str | None, locale: str | None) -> dict[str, str]:
    spoken = {} if locale is None else {"MNEMIC_LOCALE": locale}
    return {**_store_variables(database), **spoken}


def _store_variables(database: str | None) -> dict[str, str]:
    """Return the variables for the server: clients pass on none of the user's."""
    settings = read_settings({"database": database})
    key_file = settings.encryption_key_file
    # The file only, never a key.
    key = {} if key_file is None else {"MNEMIC_ENCRYPTION_KEY_FILE": _absolute(Path(key_file))}
    if database is None:
        return key
    if settings.is_postgres:
        return {"MNEMIC_DATABASE": database}
    if settings.path is None:
        raise InvalidInputError("database", "it is gone when the server ends", "a file")
    return {"MNEMIC_DATABASE": _absolute(settings.path), **key}


def _absolute(path: Path) -> str:
    return str(path.expanduser().absolute())


def _place(client: ClientName, *, project: bool) -> Path:
    if not project:
        return user_file(client, Machine())
    file = CLIENTS[client].project_file
    if file is None:
        raise InvalidInputError("project", f"{CLIENTS[client].title} has no such file", "without")
    return Path.cwd() / file


def _change(wish: _Wish, *, remove: bool) -> dict[str, Any]:
    file = ConfigFile(wish.path, wish.how)
    change = file.remove(wish.name) if remove else file.add(wish.name, wish.entry, usual=wish.usual)
    backup = "" if change.text is None else file.write(change.text)
    return {"status": change.status, "backup": backup or None}


def _snippet(wish: _Wish) -> str:
    entry = merged({}, wish.entry, wish.usual)
    if wish.how.format == "toml":
        return TomlText("").with_server(wish.how.container, wish.name, entry).rstrip()
    whole = {wish.how.container: {wish.name: entry}}
    return json.dumps(whole, indent=2, ensure_ascii=False)


def _shell(wish: _Wish) -> str | None:
    """Return the client's own command that does the same, where it has one."""
    if wish.client != "claude-code":
        return None
    words = ["claude", "mcp", "add", "--scope", "project" if wish.project else "user"]
    if "url" in wish.entry:
        words += ["--transport", "http", wish.name, wish.entry["url"]]
        for header, value in wish.entry.get("headers", {}).items():
            words += ["--header", f"{header}: {value}"]
        return _joined(words)
    for variable, value in merged({}, wish.entry, wish.usual).get("env", {}).items():
        words += ["--env", f"{variable}={value}"]
    # --env takes all words up to the next option, so one stands between it and the name.
    words += ["--transport", "stdio", wish.name, "--"]
    return _joined([*words, wish.entry["command"], *wish.entry["args"]])


def _joined(words: Sequence[str]) -> str:
    return " ".join(shlex.quote(word) for word in words)


def _tell(wish: _Wish, told: dict[str, Any]) -> None:
    if told["status"] == "printed":
        # What is to be pasted goes to standard output alone.
        typer.echo(f"For {wish.how.title}, in {wish.path}:", err=True)
        typer.echo(told["text"])
        typer.echo("`--write` puts it there and keeps the rest of the file.", err=True)
        if told["command"]:
            typer.echo(f"Or run: {told['command']}", err=True)
        return
    typer.echo(f"{wish.name}: {told['status']} in {wish.path}")
    if told["key_env"] and told["status"] in ("added", "changed"):
        typer.echo(f"{wish.how.title} reads the key from the variable {told['key_env']}: set it.")
    if told["backup"]:
        typer.echo(f"The file as it was: {told['backup']}")
    if told["status"] in ("added", "changed", "removed"):
        typer.echo(wish.how.then)
