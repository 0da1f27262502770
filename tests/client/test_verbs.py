"""Promises of the table of verbs: nothing of an open memory is forgotten, and all can be sent."""

import inspect
from typing import get_args

import pytest

from mnemic.dialects.assistant import catalog as assistant
from mnemic.dialects.robot import catalog as robot
from mnemic.opening import OpenMemory
from mnemic.rpc.reading import reader
from mnemic.rpc.verbs import LOCAL, LOCAL_PARAMETERS, VERBS, Part, Verb, class_of, form_of, right_of


def test_every_method_of_an_open_memory_is_a_verb_or_stays_here_for_a_reason() -> None:
    methods = {
        Verb(part, name, "read").path
        for part in get_args(Part)
        for kind in ((class_of(part), OpenMemory) if part == "engine" else (class_of(part),))
        for name, _ in inspect.getmembers(kind, inspect.isfunction)
        if not name.startswith("_")
    }

    assert methods == VERBS.keys() | LOCAL.keys()
    assert not VERBS.keys() & LOCAL.keys()
    assert all(LOCAL.values())


@pytest.mark.parametrize("verb", VERBS.values(), ids=lambda verb: verb.path)
def test_what_a_verb_takes_and_returns_can_be_sent(verb: Verb) -> None:
    form = form_of(verb)
    parameters = set(form.signature.parameters)
    assert form.hints.keys() == parameters | {"return"}
    if not verb.speaks_json:
        for name in parameters - LOCAL_PARAMETERS:
            assert callable(reader(form.hints[name], strict=True)), name
        assert callable(reader(form.hints["return"], strict=False))


def test_what_reads_and_what_writes_is_what_the_tools_themselves_say() -> None:
    for tool in robot.tools_of("robot-extended"):
        assert (VERBS[f"robot.{tool.name}"].right == "read") == tool.reads_only, tool.name
    call = VERBS["assistant.call"]
    for tool in assistant.tools_of("assistant-extended"):
        assert (right_of(call, {"name": tool.name}) == "read") == tool.reads_only, tool.name
