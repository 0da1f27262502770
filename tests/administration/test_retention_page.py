"""The page on keeping only as long as needed: its commands answer what it says."""

import os
import re
import subprocess
import sys
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Final

import mnemic
from mnemic.records.memory import Chat, Draft, Scope, Utterance

PAGE: Final = Path(__file__).parents[2] / "docs" / "how-to" / "keep-only-as-long-as-needed.md"
ADA: Final = Scope("user", "ada")
_FENCE: Final = re.compile(r"^```(\w*)\n(.*?)^```$", re.DOTALL | re.MULTILINE)
_CUT: Final = "--8<--"


def fill(store: Path) -> None:
    """Make a store that holds old and new things of each kind."""
    for days, text in ((100, "a heron"), (40, "a kettle"), (1, "a fox")):
        then = datetime.now(UTC) - timedelta(days=days)
        with mnemic.open(str(store), embedder="none", clock=lambda then=then: then) as memory:
            memory.remember(Draft(f"That day I saw {text}", ADA, kind="episodic"))
            if days < 100:
                told = Utterance("user", f"Yesterday I bought {text}.")
                memory.converse(Chat(told, ADA, conversation_id=f"c-{days}"))


def test_the_commands_of_the_page_answer_what_it_says(tmp_path: Path) -> None:
    fill(tmp_path / "memory.db")
    blocks = [(found[1], found[2]) for found in _FENCE.finditer(PAGE.read_text("utf-8"))]
    commands = [code for language, code in blocks if language == "sh"]
    wanted = [shown for language, shown in blocks if language == "text"]
    script = f"\necho '{_CUT}'\n".join(commands)

    run = subprocess.run(
        ["bash", "-eu", "-c", script],
        cwd=tmp_path,
        env={
            **os.environ,
            "MNEMIC_DATABASE": str(tmp_path / "memory.db"),
            "MNEMIC_EMBEDDER": "none",
            "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}",
        },
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=False,
        timeout=120,
    )

    assert run.returncode == 0, run.stderr
    assert len(commands) == len(wanted) == 3
    assert run.stdout.split(f"{_CUT}\n") == wanted
