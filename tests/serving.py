"""A server of its own for a test: `mnemic serve` as a user starts it."""

import os
import re
import subprocess
import sys
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def serving(
    database: Path, *options: str, **settings: str
) -> Generator[tuple[subprocess.Popen[str], str]]:
    """Run the command on any free port; give the process and where it serves."""
    command = [sys.executable, "-m", "mnemic.cli.main", "serve", "--port", "0", *options]
    given = {"MNEMIC_DATABASE": str(database), "MNEMIC_EMBEDDER": "none", **settings}
    with subprocess.Popen(
        command,
        env={**os.environ, **given},
        stderr=subprocess.PIPE,
        text=True,
        encoding="utf-8",
    ) as process:
        try:
            assert process.stderr is not None
            told = process.stderr.readline()
            found = re.match(r"mnemic: serving on (http://[^\s,]+),", told)
            assert found, told
            yield process, found[1]
        finally:
            process.kill()


@contextmanager
def served(database: Path, **settings: str) -> Generator[str]:
    """Give the address of a server on a new memory; it is ended afterwards."""
    with serving(database, **{"MNEMIC_DURABILITY": "off", **settings}) as (process, address):
        yield address
        process.terminate()
        process.communicate(timeout=60)
