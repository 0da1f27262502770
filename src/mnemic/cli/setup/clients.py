"""The clients that `mnemic setup` knows: where each keeps its MCP servers, and in which words."""

import os
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, Literal, cast

from mnemic.errors import InvalidInputError

ClientName = Literal["claude-desktop", "claude-code", "cursor", "vscode", "codex", "gemini"]
Format = Literal["json", "jsonc", "toml"]
Entry = dict[str, Any]

# What says how a server is reached. Everything else in an entry is the user's and stays.
TRANSPORT: Final = frozenset(
    {"type", "command", "args", "url", "httpUrl", "headers", "bearer_token_env_var"}
)
# Where a system says which language its user reads, the first of them first.
_SPOKEN: Final = ("LC_ALL", "LC_MESSAGES", "LANG")


@dataclass(frozen=True, slots=True)
class Machine:
    """What decides where a client keeps its files."""

    platform: str = sys.platform
    home: Path = field(default_factory=Path.home)
    environment: Mapping[str, str] = field(default_factory=lambda: os.environ)

    @property
    def app_data(self) -> Path:
        """The folder in which applications with windows keep what belongs to a user."""
        if self.platform == "darwin":
            return self.home / "Library" / "Application Support"
        if self.platform == "win32":
            return self._named("APPDATA", self.home / "AppData" / "Roaming")
        return self._named("XDG_CONFIG_HOME", self.home / ".config")

    def folder(self, variable: str, usual: str) -> Path:
        """Return a folder that a variable may move away from its usual place in the home."""
        return self._named(variable, self.home / usual)

    def _named(self, variable: str, usual: Path) -> Path:
        given = self.environment.get(variable)
        return Path(given) if given else usual


@dataclass(frozen=True, slots=True, kw_only=True)
class McpClient:
    """How one client wants to be told of a server."""

    title: str
    container: str
    """The key under which all servers stand."""

    format: Format = "json"
    project_file: str | None = None
    """The file of one project, from its folder; None where there is none."""

    typed: bool = False
    """Whether an entry says with `type` how the server is reached."""

    url_key: str | None = "url"
    """Where the address of a Streamable HTTP server stands; None where files cannot name one."""

    variable: str = "${{{name}}}"
    """How a value of the environment is named inside of a text."""

    then: str
    """What makes the client read the file again."""


CLIENTS: Final[dict[ClientName, McpClient]] = {
    "claude-desktop": McpClient(
        title="Claude Desktop",
        container="mcpServers",
        url_key=None,
        then="Quit Claude Desktop and start it again.",
    ),
    "claude-code": McpClient(
        title="Claude Code",
        container="mcpServers",
        project_file=".mcp.json",
        typed=True,
        then="Start Claude Code again; /mcp shows the server.",
    ),
    "cursor": McpClient(
        title="Cursor",
        container="mcpServers",
        format="jsonc",
        project_file=".cursor/mcp.json",
        variable="${{env:{name}}}",
        then="Reload the window of Cursor.",
    ),
    "vscode": McpClient(
        title="VS Code",
        container="servers",
        format="jsonc",
        project_file=".vscode/mcp.json",
        typed=True,
        variable="${{env:{name}}}",
        then="Run `MCP: List Servers` in VS Code and start it.",
    ),
    "codex": McpClient(
        title="Codex",
        container="mcp_servers",
        format="toml",
        project_file=".codex/config.toml",
        then="Start Codex again; /mcp shows the server.",
    ),
    "gemini": McpClient(
        title="Gemini CLI",
        container="mcpServers",
        format="jsonc",
        project_file=".gemini/settings.json",
        url_key="httpUrl",
        then="Start Gemini CLI again; /mcp shows the server.",
    ),
}


def user_file(name: ClientName, machine: Machine) -> Path:
    """Return the file in which a client keeps the servers of a user, on any platform."""
    files = {
        "claude-desktop": machine.app_data / "Claude" / "claude_desktop_config.json",
        "claude-code": machine.folder("CLAUDE_CONFIG_DIR", "") / ".claude.json",
        "cursor": machine.home / ".cursor" / "mcp.json",
        "vscode": machine.app_data / "Code" / "User" / "mcp.json",
        "codex": machine.folder("CODEX_HOME", ".codex") / "config.toml",
        "gemini": machine.home / ".gemini" / "settings.json",
    }
    return files[name]


def stdio_entry(client: McpClient, command: Sequence[str], environment: Mapping[str, str]) -> Entry:
    """Return the entry of a server that the client starts itself."""
    entry: Entry = {"type": "stdio"} if client.typed else {}
    entry |= {"command": command[0], "args": list(command[1:])}
    return entry | {"env": dict(environment)} if environment else entry


def usual_variables(environment: Mapping[str, str]) -> dict[str, str]:
    """Return in which language a server answers, by what this machine is set to, if to anything."""
    named = environment.get("MNEMIC_LOCALE", "").strip()
    if named:
        return {"MNEMIC_LOCALE": named}
    spoken = next(filter(None, map(environment.get, _SPOKEN)), "").lower()
    if not spoken or spoken.split(".")[0] in ("c", "posix"):
        return {}
    return {"MNEMIC_LOCALE": "zh" if spoken.startswith("zh") else "en"}


def http_entry(client: McpClient, url: str, *, key_variable: str | None) -> Entry:
    """Return the entry of a server that runs already; its key stays in the environment."""
    if client.url_key is None:
        raise InvalidInputError(
            "url",
            f"the file of {client.title} names only servers that it starts itself",
            "no --url, or a connector added in its settings",
        )
    entry: Entry = {"type": "http"} if client.typed else {}
    entry[client.url_key] = url
    if key_variable is None:
        return entry
    if client.format == "toml":
        return entry | {"bearer_token_env_var": key_variable}
    named = client.variable.format(name=key_variable)
    return entry | {"headers": {"Authorization": f"Bearer {named}"}}


def merged(old: object, new: Entry, usual: Mapping[str, str]) -> Entry:
    """Return an entry with what is ours renewed, and what a user added kept in its place.

    The `usual` variables are for a server that the client starts, unless they have a value.
    """
    if not isinstance(old, dict):
        before: Entry = {}
    else:
        before = cast("Entry", old)
    kept = {key: value for key, value in before.items() if key not in TRANSPORT}
    environment = {**usual, **kept.pop("env", {}), **new.get("env", {})}
    ours = {**new, "env": environment} if "command" in new and environment else new
    entry = {key: ours.get(key, kept.get(key)) for key in before if key in ours or key in kept}
    return entry | {key: value for key, value in ours.items() if key not in entry}
