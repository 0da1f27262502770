"""Promises to an app that only sends messages: its session says what they say, and loses nothing.

The app is the client of OpenAI from PyPI, and the model a script.
"""

from typing import Any

from tests.proxy.chat_app import SYSTEM, branches, texts, versions
from tests.proxy.conftest import Stage
from tests.proxy.upstream_server import Answer, Received, saying


def echo(received: Received) -> Answer:
    """Answer with what was said last, in capitals."""
    return saying(received.said[-1].upper())


def test_what_is_said_becomes_turns_of_the_session_that_the_app_names(stage: Stage) -> None:
    scene = stage(echo)
    app = scene.app()

    assert app.say("I am Mira.") == "I AM MIRA."
    app.say("I fear storms.")

    assert texts(scene.memory) == [
        ["I am Mira.", "I AM MIRA."],
        ["I fear storms.", "I FEAR STORMS."],
    ]
    assert branches(scene.memory) == ["main"]


def test_a_system_prompt_never_becomes_memory(stage: Stage) -> None:
    scene = stage(echo)
    app = scene.app()
    app.messages.append({"role": "developer", "content": "Speak of lanterns."})

    app.say("Hello there.")

    [turn] = texts(scene.memory)
    assert turn == ["Hello there.", "HELLO THERE."]


def test_a_session_without_a_name_is_found_again_by_how_it_began(stage: Stage) -> None:
    scene = stage(echo)
    first, other = scene.app(session=None), scene.app(session=None)
    other.messages = [{"role": "system", "content": "You are a pirate."}]

    first.say("Hello there.")
    first.say("I fear storms.")
    other.say("Hello there.")

    sessions = scene.memory.chat.sessions().rows
    assert sorted(session.floors for session in sessions) == [1, 2]
    assert all(session.id.startswith("auto-") for session in sessions)


def test_a_session_without_a_name_is_found_when_the_app_no_longer_shows_its_start(
    stage: Stage,
) -> None:
    scene = stage(echo)
    app = scene.app(session=None)
    for text in ("One.", "Two.", "Three."):
        app.say(text)

    app.messages = [SYSTEM, *app.messages[3:]]
    app.say("Four.")

    [session] = scene.memory.chat.sessions().rows
    assert [said for said, _ in texts(scene.memory, session.id)] == [
        *("One.", "Two.", "Three.", "Four."),
    ]


def test_another_answer_to_the_same_messages_is_a_new_version(stage: Stage) -> None:
    scene = stage(saying("First."), saying("Second."))
    app = scene.app()
    app.say("Tell me.")

    app.messages.pop()
    app.regenerate()

    assert texts(scene.memory) == [["Tell me.", "Second."]]
    assert versions(scene.memory) == [["Tell me.", "First."], ["Tell me.", "Second."]]
    assert branches(scene.memory) == ["main"]


def test_an_app_that_goes_back_to_an_older_answer_makes_that_version_active(stage: Stage) -> None:
    scene = stage(saying("First."), saying("Second."), saying("Third."))
    app = scene.app()
    app.say("Tell me.")
    app.messages.pop()
    app.regenerate()

    app.messages[-1] = {"role": "assistant", "content": "First."}
    app.say("Go on.")

    assert texts(scene.memory) == [["Tell me.", "First."], ["Go on.", "Third."]]
    assert len(versions(scene.memory, turn=0)) == 2


def test_an_answer_that_the_app_changed_is_a_new_version(stage: Stage) -> None:
    scene = stage(echo)
    app = scene.app()
    app.say("Tell me.")

    app.messages[-1] = {"role": "assistant", "content": "I was corrected."}
    app.say("Go on.")

    assert texts(scene.memory)[0] == ["Tell me.", "I was corrected."]
    assert versions(scene.memory, turn=0)[0] == ["Tell me.", "TELL ME."]
    assert branches(scene.memory) == ["main"]


def test_a_message_that_was_changed_earlier_is_an_edit_of_its_turn(stage: Stage) -> None:
    scene = stage(echo)
    app = scene.app()
    for text in ("One.", "Two.", "Three."):
        app.say(text)

    app.messages[3] = {"role": "user", "content": "Two and a half."}
    app.say("Four.")

    assert [said for said, _ in texts(scene.memory)] == [
        *("One.", "Two and a half.", "Three.", "Four."),
    ]
    assert versions(scene.memory, turn=1) == [["Two.", "TWO."], ["Two and a half.", "TWO."]]
    assert branches(scene.memory) == ["main"]


def test_a_last_message_that_is_said_in_other_words_is_an_edit_of_its_turn(stage: Stage) -> None:
    scene = stage(echo)
    app = scene.app()
    app.say("One.")
    app.say("Two.")

    app.messages[-2:] = [{"role": "user", "content": "Second."}]
    app.regenerate()

    assert texts(scene.memory) == [["One.", "ONE."], ["Second.", "SECOND."]]
    assert versions(scene.memory)[0] == ["Two.", "TWO."]


def test_an_app_that_goes_back_and_on_another_way_gets_a_branch(stage: Stage) -> None:
    scene = stage(echo)
    app = scene.app()
    for text in ("One.", "Two.", "Three.", "Four."):
        app.say(text)
    kept = list(app.messages)

    app.messages = kept[:3]
    app.say("Other.")
    app.say("Further.")

    assert branches(scene.memory) == ["fork-1", "main"]
    assert [said for said, _ in texts(scene.memory)] == ["One.", "Two.", "Three.", "Four."]
    assert [said for said, _ in texts(scene.memory, branch="fork-1")] == [
        *("One.", "Other.", "Further."),
    ]

    app.messages = kept
    app.say("Five.")

    assert [said for said, _ in texts(scene.memory)] == ["One.", "Two.", "Three.", "Four.", "Five."]
    assert len(branches(scene.memory)) == 2


def test_an_app_that_begins_anew_keeps_what_was_said_before(stage: Stage) -> None:
    scene = stage(echo)
    app = scene.app(session=None)
    app.say("Hello.")
    app.say("One.")
    app.say("Two.")

    app.messages = [SYSTEM]
    app.say("Hello.")
    app.say("Other.")

    [session] = scene.memory.chat.sessions().rows
    assert [said for said, _ in texts(scene.memory, session.id)] == ["Hello.", "One.", "Two."]
    assert branches(scene.memory, session.id) == ["fork-1", "main"]
    forked = texts(scene.memory, session.id, "fork-1")
    assert [said for said, _ in forked] == ["Hello.", "Other."]


def test_an_app_that_sends_only_the_newest_message_goes_on_in_its_session(stage: Stage) -> None:
    scene = stage(echo)
    app = scene.app()

    for text in ("One.", "Two.", "Three."):
        app.messages = [SYSTEM]
        app.say(text)

    assert [said for said, _ in texts(scene.memory)] == ["One.", "Two.", "Three."]


def test_an_answer_that_is_continued_stays_one_answer(stage: Stage) -> None:
    scene = stage(saying("Once upon"), saying(" a time."), saying("The end."))
    app = scene.app()
    app.say("Tell a story.")

    rest = app.complete().choices[0].message.content
    app.messages[-1]["content"] += rest
    app.say("And then?")

    assert texts(scene.memory) == [
        ["Tell a story.", "Once upon a time."],
        ["And then?", "The end."],
    ]


def test_a_history_from_before_is_taken_in_with_the_first_request(stage: Stage) -> None:
    scene = stage(echo)
    app = scene.app()
    app.messages += [
        {"role": "assistant", "content": "Welcome to the light."},
        {"role": "user", "content": "I am Mira."},
        {"role": "assistant", "content": "Hello, Mira."},
    ]

    app.say("I fear storms.")

    assert texts(scene.memory) == [
        ["Welcome to the light."],
        ["I am Mira.", "Hello, Mira."],
        ["I fear storms.", "I FEAR STORMS."],
    ]


def test_a_summary_that_the_app_puts_before_its_window_changes_nothing(stage: Stage) -> None:
    scene = stage(echo)
    app = scene.app()
    for text in ("One.", "Two.", "Three."):
        app.say(text)

    app.messages = [SYSTEM, {"role": "assistant", "content": "So far: two."}, *app.messages[5:]]
    app.say("Four.")

    assert [said for said, _ in texts(scene.memory)] == ["One.", "Two.", "Three.", "Four."]
    assert branches(scene.memory) == ["main"]


def test_white_space_and_thoughts_that_an_app_leaves_out_are_no_edit(stage: Stage) -> None:
    scene = stage(saying("<think>hm</think>\n\nHello \n Mira. "), echo)
    app = scene.app()
    app.say("I am Mira.")

    app.messages[-1] = {"role": "assistant", "content": "Hello\nMira."}
    app.say("Go on.")

    assert len(versions(scene.memory, turn=0)) == 1
    assert texts(scene.memory)[0] == ["I am Mira.", "Hello \n Mira."]


def test_calls_of_tools_pass_through_and_only_what_was_said_is_kept(stage: Stage) -> None:
    call = {"id": "t", "type": "function", "function": {"name": "tide", "arguments": "{}"}}
    scene = stage(saying(None, tool_calls=[call]), saying("High at nine."))
    app = scene.app()
    tools: list[Any] = [{"type": "function", "function": {"name": "tide", "parameters": {}}}]
    app.messages.append({"role": "user", "content": "When is high tide?"})

    first = app.complete(tools=tools, tool_choice="auto")
    kept = texts(scene.memory)
    app.messages += [
        {"role": "assistant", "content": None, "tool_calls": [call]},
        {"role": "tool", "tool_call_id": "t", "content": "21:00"},
    ]
    app.regenerate(tools=tools)

    assert first.choices[0].message.tool_calls[0].function.name == "tide"
    assert scene.upstream.received[0].body["tools"] == tools
    assert scene.upstream.received[1].body["messages"] == app.messages[:-1]
    assert kept == [["When is high tide?"]]
    assert texts(scene.memory) == [["When is high tide?", "High at nine."]]


def test_a_picture_passes_through_and_is_only_named_in_memory(stage: Stage) -> None:
    scene = stage(saying("A lighthouse."))
    app = scene.app()
    picture = {"type": "image_url", "image_url": {"url": "data:image/png;base64,iVBORw0KGgo="}}
    app.messages.append(
        {"role": "user", "content": [{"type": "text", "text": "What is this?"}, picture]}
    )

    app.regenerate()

    assert scene.upstream.received[0].body["messages"][-1]["content"][1] == picture
    assert texts(scene.memory) == [["What is this?\n[image_url]", "A lighthouse."]]


def test_of_several_choices_the_one_that_the_app_goes_on_with_is_kept(stage: Stage) -> None:
    scene = stage(saying("First.", "Second."), saying("Third."))
    app = scene.app()
    app.say("Tell me.", n=2)
    kept = texts(scene.memory)

    app.messages[-1] = {"role": "assistant", "content": "Second."}
    app.say("Go on.")

    assert kept == [["Tell me.", "First."]]
    assert texts(scene.memory) == [["Tell me.", "Second."], ["Go on.", "Third."]]
