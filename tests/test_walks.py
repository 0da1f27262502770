"""The walks of the architecture page: every function that they name is there."""

import inspect
import re
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

import mnemic
from mnemic.storage.rows import memory_rows

PAGE = Path(__file__).parent.parent / "docs" / "explanation" / "architecture.md"
WALKS = ("A lesson", "A search", "A turn")


def _walk(title: str) -> str:
    return PAGE.read_text("utf-8").split(f"\n## {title}\n")[1].split("\n## ")[0]


@pytest.mark.parametrize("title", WALKS)
def test_every_function_that_a_walk_names_is_there(title: str) -> None:
    names = re.findall(r"`((?:[a-z_]+\.){2,}[A-Za-z_.]+)`", _walk(title))

    assert len(names) > 5
    assert [name for name in names if not _is_there(name)] == []


def _is_there(name: str) -> bool:
    parts = name.split(".")
    for end in range(len(parts) - 1, 0, -1):
        try:
            found: object = import_module(".".join(["mnemic", *parts[:end]]))
        except ModuleNotFoundError:
            continue
        for part in parts[end:]:
            found = getattr(found, part, None)
        return callable(found)
    return False


def test_from_the_tool_to_the_statement_a_lesson_takes_six_functions(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    walked: list[str] = []
    insert = memory_rows.insert

    def inserted(*args: Any, **kwargs: Any) -> list[int]:
        frame = inspect.currentframe()
        while frame is not None:
            walked.append(f"{frame.f_globals['__name__']}.{frame.f_code.co_qualname}")
            frame = frame.f_back
        return insert(*args, **kwargs)

    with mnemic.open(tmp_path / "memory.db", embedder="hashing") as memory:
        monkeypatch.setattr(memory_rows, "insert", inserted)
        memory.robot.learn("12.5 N holds a wet mug")

    # A nested function is read with the one around it; transactions are the backend's affair.
    named = [name.partition(".<locals>")[0] for name in walked if name.startswith("mnemic.")]
    above = [name for name in named if not name.startswith("mnemic.storage.")]
    assert list(dict.fromkeys(reversed(above))) == [
        "mnemic.dialects.robot.tools.RobotTools.learn",
        "mnemic.memory.remember.remember_many",
        "mnemic.memory.unlocked_work.write",
        "mnemic.memory.remember.store",
        "mnemic.memory.remember._store_new",
    ]
