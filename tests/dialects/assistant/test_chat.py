"""Promises of memory_chat, whoever replies."""

import base64
import json
from pathlib import Path
from typing import Any

import apsw
import pytest

from mnemic.opening import OpenMemory
from tests.conftest import Clock, OpenIt
from tests.dialects.calling import add, call, done, refused, search, total
from tests.providers.chat_server import ChatServer

PNG = b"\x89PNG\r\n\x1a\n" + b"\x00" * 20
PICTURE = "data:image/png;base64," + base64.b64encode(PNG).decode()
MAGIC = {
    "png": PNG,
    "jpeg": b"\xff\xd8\xff\xe0rest",
    "gif": b"GIF89arest",
    "webp": b"RIFF\x00\x00\x00\x00WEBPrest",
}


def uri(kind: str, picture: bytes) -> str:
    return f"data:image/{kind};base64,{base64.b64encode(picture).decode()}"


def said(memory: OpenMemory, message: str, **more: Any) -> dict[str, Any]:
    return done(memory, "memory_chat", message=message, **more)


def prompt_of(server: ChatServer, at: int = -1) -> list[dict[str, Any]]:
    return server.asked[at].body["messages"]


def fenced(system: str) -> list[dict[str, Any]]:
    """Return what stands between the fences, line by line."""
    _, start, rest = system.partition("<memories>\n")
    assert start
    inside, end, after = rest.rpartition("</memories>")
    assert end
    assert after.strip() == ""
    return [json.loads(line) for line in inside.splitlines()]


def test_the_answer_has_the_keys_and_the_words_of_the_contract(memory: OpenMemory) -> None:
    add(memory, "I like oolong tea")

    envelope = call(memory, "memory_chat", message="Which tea do I like?")

    assert list(envelope) == ["success", "data", "message", "timestamp", "execution_time"]
    assert envelope["message"] == "对话完成"
    data = envelope["data"]
    assert list(data) == [
        "response",
        "conversation_id",
        "message_id",
        "used_memories",
        "memorized",
        "response_time",
        "mode",
    ]
    assert "oolong" in data["response"]
    assert data["conversation_id"].startswith("conv_")
    assert data["message_id"].startswith("msg_")
    assert (data["memorized"], data["mode"]) == (True, "extractive")
    assert 0 < data["response_time"] <= envelope["execution_time"]
    [used] = data["used_memories"]
    assert list(used) == ["memory_id", "content", "relevance_score"]
    assert used["content"] == "I like oolong tea"
    assert 0 < used["relevance_score"] <= 1


@pytest.mark.parametrize("character", ["x", "话"])
def test_a_message_has_one_to_five_thousand_characters(memory: OpenMemory, character: str) -> None:
    assert call(memory, "memory_chat", message=character * 5_000)["success"]
    problem = refused(memory, "memory_chat", message=character * 5_001)
    assert problem["code"] == "INVALID_MESSAGE"
    assert len(done(memory, "conversation_list")["conversations"]) == 1


@pytest.mark.parametrize("message", ["", " \n", None, 5, ["hello"]])
def test_a_message_that_is_empty_or_no_text_is_refused(memory: OpenMemory, message: Any) -> None:
    assert refused(memory, "memory_chat", message=message)["code"] == "INVALID_MESSAGE"


def test_a_message_that_is_missing_is_refused(memory: OpenMemory) -> None:
    problem = refused(memory, "memory_chat", memorizing="no", image_uris="no")

    assert problem["code"] == "INVALID_MESSAGE"


@pytest.mark.parametrize("memorizing", ["false", 0, 1, "yes", []])
def test_memorizing_is_true_or_false(memory: OpenMemory, memorizing: Any) -> None:
    problem = refused(memory, "memory_chat", message="x", memorizing=memorizing, image_uris="no")

    assert problem["code"] == "INVALID_MEMORIZING"


@pytest.mark.parametrize(
    ("message", "kept", "kind"),
    [
        ("你好！我叫小明。我的猫叫豆腐。今天下雨吗？", "我叫小明。我的猫叫豆腐。", "core"),
        ("Hi! My name is Bob. Where does my sister live?", "My name is Bob.", "core"),
        ("Please remember that my locker is 12.", "My locker is 12.", "core"),
        ("I had a rough shift today, a boy was really ill.", None, "episodic"),
        ("我昨天去爬了香山，累坏了", None, "episodic"),
    ],
)
def test_what_a_message_states_is_remembered_once(
    memory: OpenMemory, message: str, kept: str | None, kind: str
) -> None:
    for _ in range(2):
        said(memory, message)

    [stored] = done(memory, "memory_list")["memories"]
    assert (stored["content"], stored["memory_type"]) == (kept or message, kind)


@pytest.mark.parametrize(
    "message",
    [
        "What is my name?",
        "我的名字是什么",
        "Do I like tea?",
        "wifi password",
        "Good morning!",
        "早上好！",
        "Thanks, that helps",
        "谢谢你",
        "ok",
        "再见",
        "Please translate this sentence",
        "Tell me a joke",
        "帮我写一首诗",
        "Forget my address",
        "Who am I?",
    ],
)
def test_questions_greetings_thanks_and_commands_never_become_memories(
    memory: OpenMemory, message: str
) -> None:
    reply = said(memory, message)

    assert total(memory) == 0
    whole = done(memory, "conversation_get", conversation_id=reply["conversation_id"])
    assert whole["messages"][0]["content"] == message


def test_a_reply_never_becomes_a_memory(memory: OpenMemory) -> None:
    add(memory, "I like oolong tea")
    said(memory, "Which tea do I like?")
    reply = said(memory, "Which tea do I like?")

    assert [used["content"] for used in reply["used_memories"]] == ["I like oolong tea"]
    assert total(memory) == 1


def test_without_memorizing_nothing_is_left_anywhere(tmp_path: Path, open_it: OpenIt) -> None:
    memory = open_it(embedder="hashing")
    add(memory, "I like oolong tea")
    done(memory, "memory_search", query="tea")
    before = (done(memory, "memory_get_profile"), done(memory, "conversation_list"))
    kept = memory.get(1)

    for message in ("Which tea do I like?", "My dog is called Rex", "And coffee?"):
        reply = said(memory, message, memorizing=False)
        assert reply["memorized"] is False

    assert (done(memory, "memory_get_profile"), done(memory, "conversation_list")) == before
    assert memory.get(1) == kept
    assert search(memory, "Rex") == []


def test_without_memorizing_no_file_changes(tmp_path: Path, open_it: OpenIt, database: str) -> None:
    if database.startswith("postgresql"):
        pytest.skip("a server's files are not ours to read")
    for filled in (False, True):
        with open_it(embedder="hashing") as memory:
            if filled:
                add(memory, "I like oolong tea")
        before = _contents(database)
        with open_it(embedder="hashing") as memory:
            said(memory, "Which tea do I like?", memorizing=False)
            said(memory, "My dog is called Rex", memorizing=False, user_id="anna")
        assert _contents(database) == before


def _contents(path: str) -> dict[str, list[Any]]:
    """Return every row of every table, and which files there are."""
    connection: Any = apsw.Connection(path, flags=apsw.SQLITE_OPEN_READONLY)
    names = [
        name
        for (name,) in connection.execute(
            "select name from sqlite_schema where type = 'table' order by name"
        )
    ]
    rows = {name: connection.execute(f"select * from {name}").fetchall() for name in names}  # noqa: S608
    connection.close()
    files = sorted(one.name for one in Path(path).parent.iterdir())
    return {**rows, "files": [one for one in files if not one.endswith(("-wal", "-shm"))]}


def test_a_conversation_without_memorizing_is_seen_by_nobody_later(memory: OpenMemory) -> None:
    first = said(memory, "Hello", memorizing=False)

    assert first["conversation_id"].startswith("conv_")
    assert done(memory, "conversation_list")["conversations"] == []


def test_a_follow_up_sees_what_was_said_before(memory: OpenMemory) -> None:
    add(memory, "My brother lives in Berlin")
    add(memory, "My sister lives in Oslo")
    first = said(memory, "Where does my brother live?")

    second = said(memory, "And my sister?")

    assert "Berlin" in first["response"]
    assert "Oslo" in second["response"]
    assert "Berlin" not in second["response"]
    assert second["conversation_id"] == first["conversation_id"]


def test_the_latest_conversation_goes_on_and_an_id_of_ones_own_begins_another(
    memory: OpenMemory, clock: Clock
) -> None:
    first = said(memory, "Hello")["conversation_id"]
    clock.turn(minutes=1)
    other = said(memory, "Hello again", conversation_id="trip")["conversation_id"]
    clock.turn(minutes=1)

    assert other == "trip"
    assert said(memory, "And now?")["conversation_id"] == "trip"
    clock.turn(minutes=1)
    assert said(memory, "Back here", conversation_id=first)["conversation_id"] == first
    shown = done(memory, "conversation_list")["conversations"]
    assert [(one["conversation_id"], one["turns"], one["opening"]) for one in shown] == [
        (first, 2, "Hello"),
        ("trip", 2, "Hello again"),
    ]
    assert [
        one["conversation_id"]
        for one in done(memory, "conversation_list", limit=1, offset=1)["conversations"]
    ] == ["trip"]


def test_a_conversation_is_there_in_full_for_another_process(open_it: OpenIt) -> None:
    with open_it() as memory:
        reply = said(memory, "我叫小明")

    whole = done(open_it(), "conversation_get", conversation_id=reply["conversation_id"])

    assert [(one["role"], one["content"]) for one in whole["messages"]] == [
        ("user", "我叫小明"),
        ("assistant", reply["response"]),
    ]
    assert whole["messages"][1]["message_id"] == reply["message_id"]


def test_a_long_conversation_is_read_a_hundred_turns_at_a_time(memory: OpenMemory) -> None:
    for number in range(102):
        said(memory, f"Hello number {number}", conversation_id="long")

    first = done(memory, "conversation_get", conversation_id="long")
    second = done(memory, "conversation_get", conversation_id="long", offset=first["next_offset"])

    told = [one["content"] for one in (*first["messages"], *second["messages"])]
    assert told[::2] == [f"Hello number {number}" for number in range(102)]
    assert (first["next_offset"], second["next_offset"]) == (100, None)


def test_a_deleted_conversation_takes_along_what_was_remembered_from_it_alone(
    memory: OpenMemory,
) -> None:
    add(memory, "My cat is called Tofu")
    first = said(memory, "My cat is called Tofu", conversation_id="a")
    said(memory, "My dog is called Rex", conversation_id="a")
    said(memory, "My dog is called Rex", conversation_id="b")

    gone = done(memory, "conversation_delete", conversation_id=first["conversation_id"])

    # The cat was added before, and the dog was spoken of elsewhere, too: both stay.
    assert gone == {"conversation_id": "a", "deleted": True, "forgotten_memories": 0}
    assert refused(memory, "conversation_get", conversation_id="a")["code"] == "NOT_FOUND"
    assert refused(memory, "conversation_delete", conversation_id="a")["code"] == "NOT_FOUND"
    assert sorted(search(memory, "called")) == [
        "My cat is called Tofu",
        "My dog is called Rex",
    ]
    gone = done(memory, "conversation_delete", conversation_id="b")
    assert gone["forgotten_memories"] == 1
    assert search(memory, "Rex") == []
    assert search(memory, "Tofu") == ["My cat is called Tofu"]


@pytest.mark.parametrize("name", [" ", 5, "a" * 201, "a\nb"])
def test_a_conversation_id_that_is_no_name_is_refused(memory: OpenMemory, name: Any) -> None:
    problem = refused(memory, "memory_chat", message="x", conversation_id=name)

    assert problem["code"] == "INVALID_CONVERSATION_ID"


@pytest.mark.parametrize("kind", MAGIC)
def test_pictures_of_four_kinds_and_addresses_are_taken(memory: OpenMemory, kind: str) -> None:
    reply = said(
        memory,
        "What is on this picture?",
        image_uris=[uri(kind, MAGIC[kind]), "https://example.org/a.png", "http://example.org"],
    )

    assert "not" in reply["response"]


def test_without_a_model_that_sees_the_reply_says_that_pictures_were_not_looked_at(
    memory: OpenMemory,
) -> None:
    english = said(memory, "What is on this picture?", image_uris=[PICTURE])["response"]
    chinese = said(memory, "这张图片展示了什么内容？", image_uris=[PICTURE])["response"]

    assert "picture" in english.lower() or "image" in english.lower()
    assert "图片" in chinese


@pytest.mark.parametrize(
    "image",
    [
        "",
        "cat.png",
        "file:///etc/passwd",
        "ftp://example.org/a.png",
        "javascript:alert(1)",
        "data:text/plain;base64,aGk=",
        "data:image/svg+xml;base64,aGk=",
        "data:image/png;base64,***",
        "data:image/png;base64,/9j/4AAQ...",
        "data:image/png,rawbytes",
        "data:image/png;base64,",
        uri("png", MAGIC["jpeg"]),
        uri("webp", MAGIC["gif"]),
        uri("png", PNG + b"\x00" * 3 * 1024 * 1024),
        "http://",
        "http:// example.org",
        5,
        None,
        ["x"],
    ],
)
def test_any_other_picture_is_refused_by_its_place(memory: OpenMemory, image: Any) -> None:
    problem = refused(memory, "memory_chat", message="x", image_uris=[PICTURE, image])

    assert problem["code"] == "INVALID_IMAGE_URI"
    assert "image_uris.1" in problem["details"]
    assert total(memory) == 0


def test_at_most_ten_pictures_of_at_most_three_megabytes(memory: OpenMemory) -> None:
    largest = uri("png", PNG.ljust(3 * 1024 * 1024, b"\x00"))

    assert call(memory, "memory_chat", message="x", image_uris=[largest])["success"]
    assert call(memory, "memory_chat", message="y", image_uris=[PICTURE] * 10)["success"]
    problem = refused(memory, "memory_chat", message="x", image_uris=[PICTURE] * 11)
    assert problem["code"] == "INVALID_IMAGE_URI"
    problem = refused(memory, "memory_chat", message="x", image_uris=PICTURE)
    assert problem["code"] == "INVALID_IMAGE_URI"
