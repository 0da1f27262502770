"""A server of its own for a test: `mnemic serve` as a user starts it."""

import os
import subprocess
import sys
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def served(database: Path) -> Generator[str]:
    """Give the address of a server on a new memory; it is ended afterwards."""
    command = [sys.executable, "-m", "mnemic.cli.main", "serve", "--port", "0"]
    with subprocess.Popen(
        [*command, "--database", str(database)],
        env={**os.environ, "MNEMIC_EMBEDDER": "none", "MNEMIC_DURABILITY": "off"},
        stderr=subprocess.PIPE,
        text=True,
        encoding="utf-8",
    ) as server:
        try:
            assert server.stderr is not None
            told = server.stderr.readline()
            assert "serving on http://" in told, told + server.stderr.read()
            yield told.partition("serving on ")[2].partition(",")[0]
        finally:
            server.terminate()
