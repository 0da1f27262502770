"""Promises about an answer that cannot be kept: the app gets it, and is told."""

from typing import Any

import pytest

from tests.proxy.chat_app import SESSION
from tests.proxy.conftest import Scene, Stage
from tests.proxy.test_passing_through import post
from tests.proxy.upstream_server import Answer, saying, streaming


@pytest.mark.parametrize("streamed", [False, True])
def test_an_app_is_told_that_an_answer_could_not_be_kept(stage: Stage, streamed: bool) -> None:
    scenes: list[Scene] = []

    def forgets_the_session(_received: Any) -> Answer:
        scenes[0].memory.chat.delete_session(SESSION)
        return streaming("High.") if streamed else saying("High.")

    scenes.append(stage(saying("Hello."), forgets_the_session))
    said = [{"role": "user", "content": "Hi."}]
    first = _ask(scenes[0], said, streamed=False)
    said += [{"role": "assistant", "content": "Hello."}, {"role": "user", "content": "The tide?"}]
    second = _ask(scenes[0], said, streamed=streamed)

    assert "x-mnemic-kept" not in first.headers
    assert second.status_code == 200
    assert "High." in second.text
    told = "could not keep" in second.text if streamed else second.headers.get("x-mnemic-kept")
    assert told in (True, "no")


def _ask(scene: Scene, messages: list[dict[str, str]], *, streamed: bool) -> Any:
    body = {"model": "m", "messages": messages, "stream": streamed}
    return post(scene, body, **{"X-Mnemic-Session": SESSION})
