"""The pages on the chat API: their commands run on a server, and answer what the pages say."""

import html
import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, cast

import pytest

import mnemic
from mnemic.records.conversation import ContextQuery, Line, branch_scope
from mnemic.records.item import ItemFilter
from tests.serving import served

DOCS = Path(__file__).parent.parent / "docs"
PAGES = [
    DOCS / "tutorials" / "give-your-chat-app-a-memory.md",
    DOCS / "how-to" / "inspect-and-repair-chat-memory.md",
]
USUAL = "http://127.0.0.1:7077"

_FENCE = re.compile(r"^```(\w*)\n(.*?)^```$", re.DOTALL | re.MULTILINE)
_CUT = "--8<--"
# What differs from run to run: ids, the jobs called after them, and times.
_ID = re.compile(r"(?<![\w-])[\w-]{21}(?![\w-])")
_JOB = re.compile(r"(?<=[a-z]-)[\w-]{21,43}")
_LEAST_TIME = 10**12
_REINDEX = f"{sys.executable} -m mnemic.cli.main reindex > reindexed"


def _with_vectors(code: str) -> str:
    """Let a block be fetched when its items have vectors, which a worker makes a moment later."""
    return f"{_REINDEX}\n{code}" if "/context" in code else code


def _commands(path: Path) -> Iterator[tuple[str, str]]:
    """Return each block of commands, and what the page shows as its answer, if anything."""
    blocks = [(found[1], found[2]) for found in _FENCE.finditer(path.read_text("utf-8"))]
    for (language, code), (after, shown) in zip(blocks, [*blocks[1:], ("", "")], strict=True):
        if language == "sh":
            yield code, shown if after == "json" else ""


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.name)
def test_the_commands_of_a_page_answer_what_it_says(path: Path, tmp_path: Path) -> None:
    commands = list(_commands(path))
    assert len(commands) > 5
    script = f"\necho '{_CUT}'\n".join(_with_vectors(code) for code, _ in commands)
    surroundings = {**os.environ, "MNEMIC_DATABASE": str(tmp_path / "chat.db")}
    # As a reader starts it: with the embedder that comes with the installation.
    with served(tmp_path / "chat.db", MNEMIC_EMBEDDER="default") as address:
        run = subprocess.run(
            ["bash", "-eu", "-c", script.replace(USUAL, address)],
            cwd=tmp_path,
            env=surroundings,
            capture_output=True,
            text=True,
            encoding="utf-8",
            check=False,
            timeout=120,
        )

    assert run.returncode == 0, run.stderr
    answers = run.stdout.split(f"{_CUT}\n")
    for (code, shown), answer in zip(commands, answers, strict=True):
        if shown:
            assert _shows(json.loads(shown), _last(answer)), f"{code}\n{answer}"


def test_before_there_are_vectors_a_block_is_what_the_tutorial_says() -> None:
    said = re.findall(r'"content": "(.+?)"', PAGES[0].read_text("utf-8").partition("## 4.")[0])
    with mnemic.open(":memory:", embedder="none") as memory:
        chat = memory.chat
        chat.create_session("tea-room")
        lines = [Line("user", said[0]), Line("assistant", said[1], name="Kai")]
        chat.add_turn("tea-room", lines, mode="sync")
        query = ContextQuery(session_id="tea-room", text="What should I buy for Momo?")
        block = chat.context(replace(query, token_budget=50))

    assert said[0] in block.text
    assert "recipe" not in block.text
    assert "its turn is told by its passages" in [item.reason for item in block.dropped]


def test_a_page_that_shows_something_else_than_the_answer_is_noticed() -> None:
    answer = {"data": [{"id": "a" * 21, "n": 1, "at": 10**12}, {"id": "b" * 21, "n": 2, "at": 1}]}

    assert _shows({"data": [{"n": 2}, {"id": "x" * 21, "at": 10**12 + 7}]}, answer)
    assert not _shows({"data": [{"n": 1}]}, answer)
    assert not _shows({"data": [{"n": 1}, {"n": 1}]}, answer)
    assert not _shows({"data": [{"n": 1}, {"id": "short"}]}, answer)
    assert not _shows({"text": "[Memory]\n- one"}, {"text": "[Memory]\n- one\n- two"})


def test_the_picture_of_branches_shows_what_happens() -> None:
    drawn = html.unescape((DOCS / "explanation" / "branches.svg").read_text("utf-8"))
    said = re.findall("“(.+?)”", drawn)
    with mnemic.open(":memory:", embedder="none") as memory:
        chat = memory.chat
        chat.create_session("tea-room")
        floors = [
            chat.add_turn("tea-room", [Line("user", text)], mode="sync")[0] for text in said[:3]
        ]
        chat.change_turn("tea-room", floors[2].id, lines=[Line("user", said[3])], mode="sync")
        chat.create_branch("tea-room", "what-if", at_floor_no=1)
        own = [Line("user", said[-1])]
        chat.add_turn("tea-room", own, branch_id="what-if", mode="sync")
        held = {
            branch: {
                item.content.removeprefix("user.").removeprefix("pet.")
                for item in chat.items(
                    ItemFilter(
                        scope_kind="branch",
                        scope_name=branch_scope("tea-room", branch).name,
                        type="fact",
                        status="active",
                    )
                ).rows
            }
            for branch in ("main", "what-if")
        }

    parts = re.findall(r"what holds here</text>\n((?:\s*<text [^>]*>[\w.]+: \w+</text>\n)+)", drawn)
    told = [set(re.findall(r">([\w.]+: \w+)<", part)) for part in parts]
    assert told == [held["main"], held["what-if"]]


def _last(answer: str) -> Any:
    """Return what the last command of a block answered; curl writes no line break after it."""
    told: Any = None
    decoder, at = json.JSONDecoder(), 0
    while at < len(answer.rstrip()):
        told, at = decoder.raw_decode(answer, at)
    return told


def _shows(page: Any, answer: Any) -> bool:
    """Tell whether a page shows an answer: fields may be left out, entries of lists may not. What
    one turn made has no order of its own.
    """
    if isinstance(page, Mapping) and isinstance(answer, Mapping):
        shown, told = cast("Mapping[str, Any]", page), cast("Mapping[str, Any]", answer)
        return all(name in told and _shows(one, told[name]) for name, one in shown.items())
    if isinstance(page, list) and isinstance(answer, list):
        return _pairs(cast("list[Any]", page), cast("list[Any]", answer))
    if isinstance(page, str) and isinstance(answer, str):
        return sorted(_masked(page).splitlines()) == sorted(_masked(answer).splitlines())
    if isinstance(page, int) and page >= _LEAST_TIME:
        return isinstance(answer, int) and answer >= _LEAST_TIME
    return page == answer


def _pairs(page: list[Any], answer: list[Any]) -> bool:
    """Tell whether each entry of one list shows another one of the other."""
    if not page:
        return not answer
    return len(page) == len(answer) and any(
        _shows(page[0], one) and _pairs(page[1:], answer[:at] + answer[at + 1 :])
        for at, one in enumerate(answer)
    )


def _masked(text: str) -> str:
    return _JOB.sub("job", _ID.sub("id", text))
