"""The commands in groups, as `mnemic --help` shows them."""

import inspect
from typing import Final

import typer

_PANELS: Final = {
    "Remember": (
        *("learn", "learn-many", "save-perception", "update", "edit", "forget", "undo", "erase"),
        *("start-session", "end-session"),
    ),
    "Look": ("recall", "search", "chat", "list", "show", "get", "history", "stats"),
    "Serve": ("serve", "console", "mcp", "worker", "keys", "audit"),
    "Move and keep": (
        *("export", "import", "backup", "restore", "migrate", "reindex"),
        *("maintain", "encrypt", "decrypt"),
    ),
    "Set up and check": ("demo", "setup", "doctor", "bench"),
}
_PLACES: Final = {name: panel for panel, names in _PANELS.items() for name in names}
_ORDER: Final = {name: place for place, name in enumerate(_PLACES)}


def arrange(app: typer.Typer) -> None:
    """Put every command into its group, in the order of the groups; one that is in none comes
    last, under its own heading.
    """
    for command in (*app.registered_commands, *app.registered_groups):
        command.rich_help_panel = _PLACES.get(_name(command))
    for command in app.registered_commands:
        command.help = _flowing(inspect.getdoc(command.callback) or "")
    app.registered_commands.sort(key=lambda command: _ORDER.get(_name(command), len(_ORDER)))


def _flowing(text: str) -> str:
    """Return a text whose paragraphs are lines, so that each terminal breaks them itself."""
    return "\n\n".join(" ".join(paragraph.split()) for paragraph in text.split("\n\n"))


def _name(command: object) -> str:
    """Return what a command or a group of them is called on the command line."""
    own = getattr(getattr(command, "typer_instance", None), "info", None)
    for named in (getattr(command, "name", None), getattr(own, "name", None)):
        if isinstance(named, str):
            return named
    callback = getattr(command, "callback", None)
    return str(getattr(callback, "__name__", "")).replace("_", "-")
