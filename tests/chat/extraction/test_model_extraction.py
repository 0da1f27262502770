"""Extraction by a language model, spoken to over real sockets, whatever it answers."""

import json
import socket
import subprocess
import sys
from dataclasses import replace
from threading import Event
from typing import Any

import pytest

from mnemic.chat.extraction import rules
from mnemic.chat.extraction.by_model import extract
from mnemic.chat.extraction.extraction import (
    RULES,
    Extraction,
    Fact,
    Known,
    KnownFact,
    KnownLoop,
    Resolution,
    Retirement,
    TurnText,
    Update,
)
from mnemic.errors import ChatServiceError
from mnemic.records.conversation import Line
from tests.chat.extraction.model_turns import ANSWER, KNOWN, TURN, extracted
from tests.providers.chat_server import ChatServer, after, failing, model_at, saying
from tests.providers.scripted_server import Pauses, Reply

GOOD = Extraction(
    summary="Ann moved to Porto on 3 May.",
    facts=(Fact("ann.move date", "3 May", "chat", 0.8), Fact("ann.name", "Ann")),
    updates=(Update("fact-city", "Porto"),),
    retirements=(Retirement("fact-job", "she gave it up"),),
    loops=("Does Ann like Porto?", "Ann wants to tell more."),
    resolutions=(Resolution("loop-tickets", "they are booked"),),
    extractor="model:m",
)
CAMEL: dict[str, Any] = {
    "microSummary": ANSWER["micro_summary"],
    "factsToAdd": ANSWER["facts_to_add"],
    "factsToUpdate": ANSWER["facts_to_update"],
    "factsToDeprecate": ANSWER["facts_to_deprecate"],
    "openLoopsToAdd": ANSWER["open_loops_to_add"],
    "openLoopsToResolve": ANSWER["open_loops_to_resolve"],
}
TEXT = json.dumps(ANSWER)


@pytest.mark.parametrize("answer", [ANSWER, CAMEL, ANSWER | {"mood": "fine", "x": [{"id": 1}]}])
def test_an_answer_is_taken_in_either_spelling_and_more_than_asked_for_is_ignored(
    answer: dict[str, Any],
) -> None:
    assert extracted(answer) == GOOD


def test_names_that_models_like_to_use_instead_are_taken_with_a_note() -> None:
    other = {
        "summary": ANSWER["micro_summary"],
        "factsAdd": ANSWER["facts_to_add"],
        "factsUpdate": ANSWER["facts_to_update"],
        "factsDeprecate": ANSWER["facts_to_deprecate"],
        "openLoopsAdd": ANSWER["open_loops_to_add"],
        "openLoopsResolve": ANSWER["open_loops_to_resolve"],
    }

    got = extracted(other)

    assert replace(got, note=None) == GOOD
    assert "facts_add was taken as facts_to_add." in str(got.note)


@pytest.mark.parametrize(
    "text",
    [
        f"```json\n{TEXT}\n```",
        f"```\n{TEXT}\n```",
        f"Here is what I found in {{the}} turn:\n\n```json\n{TEXT}\n```\nAnything else?",
        f"Sure. {TEXT} Done.",
        f"<think>Is it {{so}}?</think>\n{TEXT}",
        f'{{"result": {TEXT}}}',
        f"[{TEXT}]",
    ],
)
def test_a_fence_prose_or_an_envelope_around_the_answer_does_not_matter(text: str) -> None:
    assert extracted(text) == GOOD


@pytest.mark.parametrize(
    "answer",
    [
        TEXT.replace('"facts_to_add":', "facts_to_add:"),
        TEXT[:-30],
        TEXT[: len(TEXT) // 2],
        f"```json\n{TEXT[:-1]}\n```",
        f"{TEXT}\n{TEXT}",
        "I'm sorry, but I can't help with that.",
        "抱歉，我不能处理这个请求。",
        "[]",
        "null",
        '"a text"',
        "{}",
        '{"error": "no"}',
        "{" * 3_000,
        '{"micro_summary":' * 20_000,
        '{"micro_summary": ' + "9" * 5_000 + "}",
        saying(None, refusal="I will not do that."),
        saying(None, finish="length"),
        saying("  \n"),
        saying("<think>I wonder", finish="length"),
    ],
)
def test_an_answer_that_cannot_be_used_leaves_what_the_rules_find(
    answer: str | Reply,
) -> None:
    got = extracted(answer)

    assert got.note is not None
    assert got.note.startswith("The model's answer was not used: it ")
    assert got == replace(
        rules.extract(TURN, KNOWN),
        summary="Congratulations, Ann! Porto is lovely. Do you like it?",
        note=got.note,
    )
    assert [(fact.key, fact.value) for fact in got.facts] == [("ann.home", "Porto")]
    assert (got.extractor, [one.id for one in got.resolutions]) == (RULES, ["loop-tickets"])


def test_a_note_on_an_answer_that_was_not_used_begins_with_its_words() -> None:
    note = extracted("I'm sorry,\nbut I can't. " + "x" * 500).note

    assert note is not None
    assert "I'm sorry, but I can't. x" in note
    assert len(note) < 250


@pytest.mark.parametrize(
    ("turn", "summary"),
    [
        (TurnText(TURN.lines, ("Ann moved.", "安搬家了。")), "Ann moved.\n安搬家了。"),
        (TurnText(TURN.lines, (" ",)), "Congratulations, Ann! Porto is lovely. Do you like it?"),
        (TurnText((Line("user", "我叫安。我喜欢茶。你呢？再见。"),)), "我叫安。我喜欢茶。你呢？"),
        (
            TurnText(
                (Line("user", "Hi."), Line("assistant", "First."), Line("assistant", "Last."))
            ),
            "Last.",
        ),
        (TurnText((Line("user", "Hi."), Line("assistant", " "))), "Hi."),
        (TurnText((Line("assistant", "word " * 1_000),)), ("word " * 80)[:399] + "…"),
        (TurnText((Line("assistant", "a" * 399 + ". B c d."),)), "a" * 399 + "."),
        (TurnText((), ("x" * 3_000,)), "x" * 1_999 + "…"),
        (TurnText(()), ""),
    ],
)
def test_without_the_model_tags_come_first_then_the_reply_then_the_turn(
    turn: TurnText, summary: str
) -> None:
    assert extracted("No.", turn=turn).summary == summary


def test_a_summary_that_is_missing_is_replaced_and_the_rest_stays() -> None:
    for missing in (None, " \n", 7, ["text"], {"text": "t"}):
        got = extracted(ANSWER | {"micro_summary": missing})

        assert got.summary == "Congratulations, Ann! Porto is lovely. Do you like it?"
        assert (got.facts, got.extractor) == (GOOD.facts, "model:m")
        assert got.note is not None
        assert "micro_summary" in got.note


def test_only_ids_that_were_shown_are_named() -> None:
    got = extracted(
        ANSWER
        | {
            "facts_to_update": [
                {"id": "made-up", "value": "x"},
                {"id": "loop-tickets", "value": "a loop is no fact"},
                {"id": "fact-city", "value": "Porto"},
            ],
            "facts_to_deprecate": [{"id": "fact-jo", "reason": "nearly"}],
            "open_loops_to_resolve": [{"id": "fact-job", "resolution": "a fact is no loop"}],
        }
    )

    assert got.updates == GOOD.updates
    assert (got.retirements, got.resolutions) == ((), ())
    assert got.note is not None
    assert "facts_to_update: 2 not shown to the model, left out: 'made-up'" in got.note
    assert "'fact-jo'" in got.note
    assert "'fact-job'" in got.note


def test_what_is_beyond_the_limits_of_the_request_is_not_shown_and_cannot_be_named() -> None:
    known = Known(
        facts=tuple(KnownFact(f"f{at}", f"key {at}", "v") for at in range(60)),
        loops=tuple(KnownLoop(f"l{at}", f"text {at}") for at in range(30)),
    )
    answer = {
        "micro_summary": "s",
        "facts_to_update": [{"id": f"f{at}", "value": "w"} for at in range(60)],
        "open_loops_to_resolve": [{"id": f"l{at}", "resolution": "r"} for at in range(30)],
    }

    got = extracted(answer, known=known)

    assert [one.id for one in got.updates] == [f"f{at}" for at in range(50)]
    assert [one.id for one in got.resolutions] == [f"l{at}" for at in range(25)]


def test_of_what_is_named_twice_the_last_counts() -> None:
    got = extracted(
        {
            "micro_summary": "s",
            "facts_to_add": [
                {"key": "a", "value": "1"},
                {"key": "A ", "value": "2"},
                {"key": "a", "value": "3", "scope": "global"},
            ],
            "facts_to_update": [
                {"id": "fact-city", "value": "Faro"},
                {"id": "fact-city", "value": "Porto"},
            ],
            "facts_to_deprecate": [{"id": "fact-city", "reason": "she moved"}],
            "open_loops_to_add": ["Why?", " why? ", {"text": "WHY?"}],
            "open_loops_to_resolve": [
                {"id": "loop-b", "resolution": "no"},
                {"id": "loop-b", "resolution": "yes"},
            ],
        }
    )

    assert got.facts == (Fact("a", "2"), Fact("a", "3", "global"))
    assert got.updates == (Update("fact-city", "Porto"),)
    assert got.retirements == ()
    assert got.loops == ("WHY?",)
    assert got.resolutions == (Resolution("loop-b", "yes"),)
    assert got.note is not None
    assert "facts_to_deprecate: 1 updated as well" in got.note


def test_a_job_asks_a_server_that_fails_once_and_leaves_the_next_attempt_to_the_queue() -> None:
    pauses = Pauses()
    with ChatServer(failing(500), saying(TEXT)) as server:
        with (
            model_at(server.base, pauses=pauses) as model,
            pytest.raises(ChatServiceError, match="500"),
        ):
            extract(model, TURN, KNOWN)

        assert len(server.asked) == 1
    assert pauses == []


def test_the_answer_is_asked_for_by_a_schema_that_the_reader_of_answers_knows() -> None:
    with ChatServer(saying(TEXT)) as server, model_at(server.base) as model:
        extract(model, TURN, KNOWN)
        [body] = [asked.body for asked in server.asked]

    form = body["response_format"]
    schema = form["json_schema"]["schema"]
    assert (form["type"], form["json_schema"]["strict"]) == ("json_schema", True)
    assert schema["properties"].keys() == set(schema["required"]) == ANSWER.keys()
    assert schema["additionalProperties"] is False
    assert (body["temperature"], body["max_tokens"]) == (0, 4_096)


def test_what_a_server_refuses_of_the_form_is_left_out_and_not_sent_again() -> None:
    def picky(body: dict[str, Any]) -> Reply:
        for part in ("response_format", "max_tokens"):
            if part in body:
                return failing(400, f"Unsupported parameter: '{part}'.")
        return saying(TEXT)

    with ChatServer(picky) as server, model_at(server.base) as model:
        first = extract(model, TURN, KNOWN)
        asked = len(server.asked)
        second = extract(model, TURN, KNOWN)
        last = server.asked[-1].body

    assert (first, second) == (GOOD, GOOD)
    assert asked == 3
    assert len(server.asked) == 4
    assert last.keys() == {"model", "messages", "temperature", "max_completion_tokens"}


def test_a_request_that_is_bad_whatever_its_form_is_an_error_and_the_form_is_kept() -> None:
    with ChatServer(*[failing(400, "too long")] * 2, saying(TEXT)) as server:
        with model_at(server.base) as model:
            with pytest.raises(ChatServiceError, match="too long"):
                extract(model, TURN, KNOWN)
            assert extract(model, TURN, KNOWN) == GOOD

        assert "response_format" in server.asked[-1].body


@pytest.mark.parametrize(
    ("reply", "retryable"),
    [(failing(500), True), (failing(401), False), (Reply(b'{"choices": []}'), True)],
)
def test_a_server_that_does_not_answer_is_an_error_for_the_job(
    reply: Reply, retryable: bool
) -> None:
    with pytest.raises(ChatServiceError) as failure:
        extracted(reply)

    assert failure.value.details == {"retryable": retryable}


def test_a_slow_answer_is_an_error_that_may_be_tried_again() -> None:
    enough = Event()
    with ChatServer(after(enough, saying(TEXT))) as server:
        with (
            model_at(server.base, seconds=0.2) as model,
            pytest.raises(ChatServiceError, match=r"within 0\.2 s") as failure,
        ):
            extract(model, TURN, KNOWN)
        enough.set()

    assert failure.value.details == {"retryable": True}
    assert len(server.asked) == 1


def test_a_server_that_is_not_there_is_an_error_that_may_be_tried_again() -> None:
    with socket.create_server(("127.0.0.1", 0)) as closed:
        port = closed.getsockname()[1]

    with (
        model_at(f"http://127.0.0.1:{port}/v1") as model,
        pytest.raises(ChatServiceError) as failure,
    ):
        extract(model, TURN, KNOWN)

    assert failure.value.details == {"retryable": True}


def test_nothing_of_it_is_loaded_with_the_package() -> None:
    code = "import sys, mnemic; print([m for m in sys.modules if 'extracting.' in m])"

    loaded = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, check=True, text=True
    )

    assert "by_model" not in loaded.stdout
    assert "model_answers" not in loaded.stdout
