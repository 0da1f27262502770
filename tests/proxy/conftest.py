"""An app, the memory behind it, and the server that answers in the end."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from typing import Any

import pytest

from mnemic.opening import OpenMemory
from tests.conftest import OpenIt
from tests.proxy.chat_app import SESSION, ChatApp, serving_here
from tests.proxy.upstream_server import UPSTREAM_KEY, Answer, Script, UpstreamServer


@dataclass(frozen=True)
class Scene:
    """Everything between an app and a model."""

    memory: OpenMemory
    upstream: UpstreamServer
    address: str
    stack: ExitStack

    def app(self, session: str | None = SESSION, key: str = "none") -> ChatApp:
        """Return an app with its own messages."""
        app = ChatApp(self.address, session=session, key=key)
        self.stack.callback(app.close)
        return app


Stage = Callable[..., Scene]


@pytest.fixture
def stage(open_it: OpenIt) -> Iterator[Stage]:
    """Let a model give these answers in turn; on each backend."""
    with ExitStack() as stack:

        def put_up(*answers: Answer | Script, **settings: Any) -> Scene:
            upstream = stack.enter_context(UpstreamServer(*answers))
            memory = open_it(
                llm_url=upstream.base, llm_model="m", llm_api_key=UPSTREAM_KEY, llm_timeout=30
            )
            address = stack.enter_context(serving_here(memory, **settings))
            return Scene(memory, upstream, address, stack)

        yield put_up
