"""Promises of the files of chat apps: what is in them is there, with swipes and dates."""

import json
from pathlib import Path
from typing import Any

import pytest

from mnemic.errors import InvalidInputError
from mnemic.opening import OpenMemory
from mnemic.transfer.chats.chat_import import CHAT_FORMATS, chat_format, import_chats
from mnemic.transfer.chats.silly_tavern import sent_at

Json = dict[str, Any]


def written(path: Path, *lines: object) -> Path:
    path.write_text("\n".join(json.dumps(line, ensure_ascii=False) for line in lines), "utf-8")
    return path


def said(memory: OpenMemory, session: str, branch: str = "main") -> list[list[str]]:
    """Return what stands in the turns of a branch."""
    turns = memory.chat.turns(session, branch_id=branch, limit=100).rows
    return [[line.content for line in turn.lines] for turn in turns]


HEADER = {"user_name": "Mira", "character_name": "Kai", "create_date": "2024-5-1@12h30m15s"}
TAVERN: list[Json] = [
    HEADER,
    {"name": "Kai", "is_user": False, "is_system": False, "mes": "*waves* Welcome!",
     "send_date": "May 1, 2024 12:30pm", "swipe_id": 1, "swipes": ["Hello.", "*waves* Welcome!"]},
    {"name": "Mira", "is_user": True, "is_system": False, "mes": "I live in Oslo.",
     "send_date": "2024-5-1 @12h 31m 5s 120ms"},
    {"name": "Kai", "is_user": False, "is_system": False, "mes": "I live in Bergen.",
     "send_date": "2024-05-01T12:32:00.000Z", "swipe_id": 0,
     "swipes": ["I live in Bergen.", "I live in Rome."],
     "swipe_info": [{"send_date": "2024-05-01T12:32:00.000Z"},
                    {"send_date": "2024-05-02T08:00:00.000Z"}]},
    {"name": "Narrator", "is_user": False, "is_system": False, "mes": "Night falls.",
     "send_date": 1714600000000, "extra": {"type": "narrator"}},
    {"name": "Note", "is_user": False, "is_system": True, "mes": "Be brief.",
     "extra": {"type": "comment"}},
    {"name": "Mira", "is_user": True, "is_system": False, "mes": "晚安", "send_date": ""},
]  # fmt: skip


def test_a_chat_of_sillytavern_keeps_its_swipes_names_and_dates(
    memory: OpenMemory, tmp_path: Path
) -> None:
    path = written(tmp_path / "Kai - night.jsonl", *TAVERN)

    assert chat_format(path) == "sillytavern"
    report = import_chats(memory.chat, path, "sillytavern")

    assert (report.read, report.added, report.known, report.skipped) == (3, 3, 0, ())
    assert said(memory, "Kai - night") == [
        ["*waves* Welcome!"],
        ["I live in Oslo.", "I live in Bergen.", "Night falls."],
        ["Be brief.", "晚安"],
    ]
    greeting, answer, last = memory.chat.turns("Kai - night").rows
    assert (greeting.version, greeting.versions) == (1, 2)
    assert (answer.version, answer.versions) == (0, 2)
    assert [(line.role, line.name) for line in answer.lines] == [
        ("user", "Mira"),
        ("char", "Kai"),
        ("narrator", "Narrator"),
    ]
    assert [line.role for line in last.lines] == ["system", "user"]
    assert greeting.occurred_at.isoformat() == "2024-05-01T12:30:00+00:00"
    assert answer.occurred_at.isoformat() == "2024-05-01T12:31:05.120000+00:00"
    assert last.given_at is None
    swiped, _ = memory.chat.change_turn("Kai - night", answer.id, version=1)
    assert [line.content for line in swiped.lines] == ["I live in Oslo.", "I live in Rome."]


def test_a_chat_that_went_on_is_taken_in_from_there(memory: OpenMemory, tmp_path: Path) -> None:
    path = tmp_path / "night.jsonl"
    import_chats(memory.chat, written(path, *TAVERN[:5]), "sillytavern")

    report = import_chats(memory.chat, written(path, *TAVERN), "sillytavern")

    assert (report.read, report.added, report.known) == (3, 1, 2)
    assert len(said(memory, "night")) == 3
    named = import_chats(memory.chat, path, "sillytavern", session="other")
    assert named.added == 3


def test_a_chat_that_is_another_one_now_is_not_mixed_with_what_is_there(
    memory: OpenMemory, tmp_path: Path
) -> None:
    path = tmp_path / "night.jsonl"
    import_chats(memory.chat, written(path, *TAVERN), "sillytavern")
    mended = [HEADER, {**TAVERN[1], "swipes": ["Hi.", "Ho."], "mes": "Ho."}, *TAVERN[2:]]

    report = import_chats(memory.chat, written(path, *mended), "sillytavern")

    assert (report.added, len(report.skipped)) == (0, 3)
    assert "other messages" in report.skipped[0].reason
    assert said(memory, "night")[0] == ["*waves* Welcome!"]


@pytest.mark.parametrize(
    ("stamp", "iso"),
    [
        ("June 19, 2023 2:20pm", "2023-06-19T14:20:00+00:00"),
        ("2023-6-9@4h2m6s", "2023-06-09T04:02:06+00:00"),
        ("2023-06-19 @14h 20m 36s 7ms", "2023-06-19T14:20:36.007000+00:00"),
        ("2023-06-19T14:20:36.123Z", "2023-06-19T14:20:36.123000+00:00"),
        (1687184436123, "2023-06-19T14:20:36.123000+00:00"),
        ("2023-13-45@99h0m0s", None),
        ("yesterday", None),
        (None, None),
    ],
)
def test_dates_of_sillytavern_are_read_in_all_their_forms(stamp: object, iso: str | None) -> None:
    found = sent_at(stamp)
    assert (found and found.isoformat()) == iso


def node(name: str, parent: str | None, role: str, text: str | None, at: float = 0) -> Json:
    """Return one entry of ChatGPT's mapping."""
    content = {"content_type": "text", "parts": [text]}
    message = {"id": name, "author": {"role": role}, "create_time": at or None, "content": content}
    return {"id": name, "parent": parent, "children": [], "message": message if text else None}


def conversation(*nodes: Json, current: str) -> Json:
    mapping = {one["id"]: one for one in nodes}
    return {"title": "Trip", "id": "trip-1", "mapping": mapping, "current_node": current}


def test_a_tree_of_chatgpt_becomes_versions_and_branches(
    memory: OpenMemory, tmp_path: Path
) -> None:
    path = written(
        tmp_path / "conversations.json",
        [
            conversation(
                node("root", None, "system", None),
                node("u1", "root", "user", "Where to?", 1_700_000_000.5),
                node("a1", "u1", "assistant", "To Rome."),
                node("a2", "u1", "assistant", "To Oslo."),
                node("u2", "a2", "user", "How?"),
                node("a3", "u2", "assistant", "By ferry."),
                node("u3", "a2", "user", "When?"),
                node("a4", "u3", "assistant", "In May."),
                node("u4", "a4", "user", "Good."),
                node("a5", "u4", "assistant", "Yes."),
                node("u5", "a1", "user", "Why Rome?"),
                node("a6", "u5", "assistant", "For the food."),
                current="a3",
            )
        ],
    )

    assert chat_format(path) == "chatgpt"
    report = import_chats(memory.chat, path, "chatgpt")

    assert (report.skipped, report.known) == ((), 0)
    assert said(memory, "trip-1") == [["Where to?", "To Oslo."], ["How?", "By ferry."]]
    first = memory.chat.turns("trip-1").rows[0]
    assert first.occurred_at.timestamp() == 1_700_000_000.5
    branches = {one.id: one for one in memory.chat.branches("trip-1").rows}
    assert said(memory, "trip-1", "branch-a4") == [
        ["Where to?", "To Oslo."],
        ["When?", "In May."],
        ["Good.", "Yes."],
    ]
    assert branches["branch-a4"].forked_at == 0
    assert said(memory, "trip-1~branch-a1") == [
        ["Where to?", "To Rome."],
        ["Why Rome?", "For the food."],
    ]
    again = import_chats(memory.chat, path, "chatgpt")
    assert (again.added, again.known) == (0, report.read)


def test_an_answer_that_was_made_again_is_a_version(memory: OpenMemory, tmp_path: Path) -> None:
    path = written(
        tmp_path / "conversations.json",
        [
            conversation(
                node("u1", None, "user", "Where to?"),
                node("a1", "u1", "assistant", "To Rome."),
                node("a2", "u1", "assistant", "To Oslo."),
                node("a3", "u1", "assistant", "To Turku."),
                node("u2", "a2", "user", "How?"),
                current="u2",
            )
        ],
    )

    import_chats(memory.chat, path, "chatgpt")

    [turn, _] = memory.chat.turns("trip-1").rows
    assert (turn.version, turn.versions) == (1, 3)
    swiped, _ = memory.chat.change_turn("trip-1", turn.id, version=2)
    assert swiped.lines[-1].content == "To Turku."


EMPTY: Json = {"uuid": "c-2", "name": "Empty", "chat_messages": []}


def test_chats_of_claude_come_with_their_dates(memory: OpenMemory, tmp_path: Path) -> None:
    messages: list[Json] = [
        {"uuid": "m1", "sender": "human", "text": "Where to?", "created_at": "2025-01-02T03:04:05Z",
         "content": [{"type": "text", "text": "Where to?"}]},
        {"uuid": "m2", "sender": "assistant", "text": "", "created_at": "2025-01-02T03:05:00Z",
         "content": [{"type": "text", "text": "To Oslo."}, {"type": "tool_use", "name": "map"}]},
        {"uuid": "m3", "sender": "human", "text": "Thanks!", "created_at": "2025-01-02T03:06:00Z"},
    ]  # fmt: skip
    path = written(
        tmp_path / "conversations.json",
        [{"uuid": "c-1", "name": "Trip", "chat_messages": messages}, EMPTY],
    )

    assert chat_format(path) == "claude"
    report = import_chats(memory.chat, path, "claude")

    assert (report.read, report.added) == (2, 2)
    assert said(memory, "c-1") == [["Where to?", "To Oslo."], ["Thanks!"]]
    [first, _] = memory.chat.turns("c-1").rows
    assert first.occurred_at.isoformat() == "2025-01-02T03:04:05+00:00"
    assert memory.chat.sessions().total == 1


def test_a_file_that_is_something_else_is_refused_and_nothing_is_kept(
    memory: OpenMemory, tmp_path: Path
) -> None:
    path = written(tmp_path / "chat.jsonl", HEADER, TAVERN[1], ["no", "message"])
    other = written(tmp_path / "other.jsonl", {"content": "A lesson"}, {"content": "Another"})

    with pytest.raises(InvalidInputError, match="line 3"):
        import_chats(memory.chat, path, "sillytavern")
    for name in CHAT_FORMATS:
        with pytest.raises(InvalidInputError):
            import_chats(memory.chat, other, name)
    assert chat_format(other) is None
    assert memory.chat.sessions().total == 0
