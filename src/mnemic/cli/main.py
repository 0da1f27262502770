"""The command `mnemic`."""

import os
import sys
from typing import Final

from mnemic.mcp.profiles import Profile, find_profile

_INTERRUPTED: Final = 130


def main() -> None:
    """Run the command line; `mnemic mcp` takes a short cut to a quick start."""
    try:
        quick = quick_mcp(sys.argv[1:])
        if quick is None:
            _run(as_json="--json" in sys.argv[1:])
            return
        from mnemic.cli.commands.mcp_command import serve_or_exit  # noqa: PLC0415  loaded when needed

        database, profile = quick
        serve_or_exit(database=database, profile=profile)
    except KeyboardInterrupt:
        # While the modules were loaded; a command that runs is ended by Typer, with the same code.
        sys.exit(_INTERRUPTED)


def _run(*, as_json: bool) -> None:
    from mnemic.cli.command_line import run  # noqa: PLC0415  a fifth of a second that mcp need not wait

    if os.environ.get("NO_COLOR"):
        _write_help_plainly()
    # What a terminal of another time cannot show is written as an escape, not a reason to fail.
    reconfigure = getattr(sys.stdout, "reconfigure", None)
    if reconfigure is not None:
        reconfigure(errors="backslashreplace")
    run(as_json=as_json)


def _write_help_plainly() -> None:
    """Let help and usage errors be text without escape codes; rich alone would keep bold."""
    from typer import rich_utils  # noqa: PLC0415  as above

    rich_utils.COLOR_SYSTEM = None


def quick_mcp(arguments: list[str]) -> tuple[str | None, Profile] | None:
    """Return the database and the profile of a plain `mnemic mcp`, or None for anything else.

    What is not plain (another command, `--help`, a mistake) is left to the full parser.
    """
    words = iter(arguments)
    commands: list[str] = []
    options = {"--database": "", "--profile": "all"}
    for word in words:
        name, equals, value = word.partition("=")
        if name in options:
            options[name] = value if equals else next(words, "")
        else:
            commands.append(word)
    profile = find_profile(options["--profile"])
    if commands != ["mcp"] or profile is None:
        return None
    return options["--database"] or None, profile


if __name__ == "__main__":
    main()
