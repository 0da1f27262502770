"""Commands as a test calls them, in its own process."""

import json
from typing import Any

from typer.testing import CliRunner, Result

from mnemic.cli.command_line import app


def run(*words: str, given: str | bytes | None = None) -> Result:
    """Call a command, with something on its standard input."""
    return CliRunner().invoke(app, list(words), input=given)


def told(*words: str, given: str | bytes | None = None) -> Any:
    """Return what a command answers that succeeds."""
    result = run(*words, "--json", given=given)
    assert result.exit_code == 0, result.output
    return json.loads(result.stdout)


def failed(*words: str, code: int) -> str:
    """Return what a command says that fails with this code."""
    result = run(*words)
    assert result.exit_code == code, result.output
    assert "Traceback" not in result.output
    return result.stderr
