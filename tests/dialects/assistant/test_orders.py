"""Promises about what a message may order: forget this, that was wrong, bring it back."""

import pytest

from mnemic.assistant.understanding.orders import Order, order_in
from mnemic.opening import OpenMemory
from tests.dialects.calling import add, done, search


def said(memory: OpenMemory, message: str, **more: object) -> str:
    return done(memory, "memory_chat", message=message, **more)["response"]


@pytest.mark.parametrize(
    ("fact", "other", "order", "question"),
    [
        ("I live in Leeds", "I like jazz", "Forget where I live", "Where do I live?"),
        ("I live in Leeds", "I like jazz", "Please forget that I live in Leeds.", "where I live"),
        ("我住在杭州西湖区", "我喜欢爵士乐", "忘记我住在哪里", "我住在哪里？"),
        ("我住在杭州西湖区", "我喜欢爵士乐", "把我住在哪里忘了吧", "我住在哪里？"),
    ],
)
def test_what_is_to_be_forgotten_is_and_the_reply_says_what_and_how_to_undo_it(
    memory: OpenMemory, fact: str, other: str, order: str, question: str
) -> None:
    name = add(memory, fact)
    add(memory, other)
    add(memory, "My sister lives in Bristol")

    reply = said(memory, order)

    assert name in reply
    assert fact not in search(memory, question)
    assert "My sister lives in Bristol" in [
        one["content"] for one in done(memory, "memory_list")["memories"]
    ]
    assert fact not in [one["content"] for one in done(memory, "memory_list")["memories"]]
    assert other in [one["content"] for one in done(memory, "memory_list")["memories"]]
    memory.undo(int(name.removeprefix("mem_")))
    assert search(memory, question)[0] == fact


@pytest.mark.parametrize(
    ("fact", "question", "order", "right", "undo"),
    [
        (
            "I live in Leeds",
            "Where do I live?",
            "That is wrong: I live in York",
            "I live in York",
            "undo that",
        ),
        (
            "My dog is called Rex",
            "What is my dog called?",
            "No, that's wrong, my dog is called Max",
            "My dog is called Max",
            "Undo",
        ),
        ("我住在杭州", "我住在哪里？", "不对，我住在苏州", "我住在苏州", "撤销"),
        ("我住在杭州", "我住在哪里？", "你记错了，我住在苏州", "我住在苏州", "恢复"),
    ],
)
def test_a_correction_gives_the_memory_its_new_wording_and_undo_takes_it_back(
    memory: OpenMemory, fact: str, question: str, order: str, right: str, undo: str
) -> None:
    name = add(memory, fact)
    said(memory, question)

    reply = said(memory, order)
    corrected = [one["content"] for one in done(memory, "memory_list")["memories"]]
    back = said(memory, undo)

    assert name in reply
    assert fact in reply
    assert corrected == [right]
    assert name in back
    assert [one["content"] for one in done(memory, "memory_list")["memories"]] == [fact]


def test_forgetting_that_means_what_was_told_last(memory: OpenMemory) -> None:
    add(memory, "I live in Leeds")
    add(memory, "I like jazz")
    said(memory, "Where do I live?")

    said(memory, "Forget that.")

    assert [one["content"] for one in done(memory, "memory_list")["memories"]] == ["I like jazz"]


@pytest.mark.parametrize(
    "order", ["Forget everything", "Forget all about me", "忘掉一切", "忘记所有"]
)
def test_nobody_is_forgotten_altogether_by_a_word(memory: OpenMemory, order: str) -> None:
    add(memory, "I live in Leeds")

    assert "memory_erase" in said(memory, order)
    assert search(memory, "live in Leeds") == ["I live in Leeds"]


def test_what_is_not_known_is_not_forgotten_and_what_is_not_memorized_changes_nothing(
    memory: OpenMemory,
) -> None:
    add(memory, "I live in Leeds")

    assert "nothing" in said(memory, "Forget my shoe size")
    said(memory, "Forget where I live", memorizing=False)
    said(memory, "That is wrong: I live in York", memorizing=False)

    assert [one["content"] for one in done(memory, "memory_list")["memories"]] == [
        "I live in Leeds"
    ]


@pytest.mark.parametrize(
    "message",
    [
        "I forget where I live",
        "Did I forget my keys?",
        "Don't forget to buy milk",
        "Remember that I live in Leeds",
        "我忘了带钥匙",
        "别忘了买牛奶",
        "What did I get wrong?",
        "The wrong door was open",
    ],
)
def test_what_only_sounds_like_an_order_is_none(message: str) -> None:
    assert order_in(message) is None


def test_an_order_names_what_it_is_about() -> None:
    assert order_in("Forget about my ex") == Order("forget", "my ex")
    assert order_in("Could you delete my old address?") == Order("forget", "my old address")
    assert order_in("不对，是周五") == Order("correct", "是周五")
    assert order_in("Undo that.") == Order("undo")
