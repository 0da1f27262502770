"""The promise that matters most: whatever an app does with its messages, nothing said is lost."""

from collections.abc import Sequence
from itertools import count
from random import Random
from typing import Any

import pytest

from mnemic.dialects.openai.completion_request import conversation_in
from mnemic.dialects.openai.session_recorder import SessionRecorder
from mnemic.opening import OpenMemory

Message = dict[str, str]
# Some of it is said again and again.
_OFTEN = ("ok", "go on")
_STEPS = 14


class RandomApp:
    """Sends all of its messages each time, and does with them what people do."""

    def __init__(self, memory: OpenMemory, seed: int, session: str | None) -> None:
        self._memory = memory
        self._random = Random(seed)  # noqa: S311  the same walk every time
        self._session = session
        self._number = count()
        self.session_id = ""
        self.messages: list[Message] = [{"role": "user", "content": "Hello"}]
        self.said: set[str] = {"Hello"}
        self.shown: list[list[Message]] = []

    def do_something(self) -> None:
        """Say more, ask again, change something, go back, or return to how it was before."""
        actions = (self._say, self._say, self._say, self._ask_again, self._change, self._go_back)
        self._random.choice((*actions, self._return))()
        recorder = self._recorder()
        recorder.take_in()
        answer = self._text()
        recorder.keep(answer, is_cut_short=False)
        self.session_id = recorder.session_id
        self.messages.append({"role": "assistant", "content": answer})
        self.said |= {one["content"] for one in self.messages}
        self.shown.append(list(self.messages))

    def _recorder(self) -> SessionRecorder:
        system: list[dict[str, Any]] = [{"role": "system", "content": "Be kind."}]
        request = conversation_in([*system, *self.messages], self._session)
        assert request is not None
        return SessionRecorder(self._memory.chat, request)

    def _say(self) -> None:
        if self.messages[-1]["role"] == "assistant":
            self.messages.append({"role": "user", "content": self._text()})

    def _ask_again(self) -> None:
        if self.messages[-1]["role"] == "assistant":
            self.messages.pop()

    def _change(self) -> None:
        at = self._random.randrange(1, len(self.messages) + 1) - 1
        if at:
            self.messages[at] = {**self.messages[at], "content": self._text()}
        self._say()

    def _go_back(self) -> None:
        turns = len(self.messages) // 2
        self.messages = self.messages[: 2 * self._random.randrange(turns + 1)]
        if not self.messages:
            self.messages = [{"role": "user", "content": "Hello"}]
        self._say()

    def _return(self) -> None:
        self.messages = list(self._random.choice([self.messages, *self.shown]))
        self._say()

    def _text(self) -> str:
        often = self._random.random() < 0.3
        return self._random.choice(_OFTEN) if often else f"text {next(self._number)}"


@pytest.mark.parametrize("session", [None, "named"])
@pytest.mark.parametrize("seed", range(12))
def test_everything_that_was_said_is_in_some_version_of_some_turn(
    memory: OpenMemory, seed: int, session: str | None
) -> None:
    app = RandomApp(memory, seed, session)

    for _ in range(_STEPS):
        app.do_something()

    kept = {
        line.content
        for branch in memory.chat.branches(app.session_id, limit=1000).rows
        for turn in memory.chat.turns(app.session_id, branch_id=branch.id, limit=1000).rows
        for version in memory.chat.turn_versions(app.session_id, turn.id)
        for line in version
    }
    assert app.said <= kept


@pytest.mark.parametrize("seed", range(12))
def test_after_each_request_a_branch_says_what_the_app_shows(memory: OpenMemory, seed: int) -> None:
    app = RandomApp(memory, seed, None)

    for _ in range(_STEPS):
        app.do_something()
        assert [one["content"] for one in app.messages] in _lines(memory, app.session_id)


def _lines(memory: OpenMemory, session: str) -> Sequence[list[str]]:
    chat = memory.chat
    return [
        [
            line.content
            for turn in chat.turns(session, branch_id=branch.id, limit=1000).rows
            for line in turn.lines
        ]
        for branch in chat.branches(session, limit=1000).rows
    ]
