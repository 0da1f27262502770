"""The walks of the architecture page: every function that they name is there."""

import re
from importlib import import_module
from pathlib import Path

import pytest

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
