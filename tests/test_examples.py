"""The examples run as they stand, each on an empty memory."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

EXAMPLES = sorted((Path(__file__).parent.parent / "examples").glob("*.py"))


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.name)
def test_an_example_runs_and_says_something(
    path: Path, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    own = {"MNEMIC_DATABASE": str(tmp_path / "memory.db"), "MNEMIC_EMBEDDER": "hashing"}
    if "MNEMIC_URL" in path.read_text("utf-8"):
        own["MNEMIC_URL"] = request.getfixturevalue("chat_server")
    run = subprocess.run(
        [sys.executable, "-W", "error", str(path)],
        env={**os.environ, **own},
        cwd=tmp_path,
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=False,
    )

    assert run.returncode == 0, run.stderr
    assert run.stdout.strip()
    assert run.stderr == ""


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.name)
def test_an_example_is_short(path: Path) -> None:
    assert len(path.read_text("utf-8").splitlines()) <= 80
