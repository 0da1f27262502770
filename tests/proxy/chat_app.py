"""A chat app as people use them: it holds the messages, and sends all of them each time."""

from collections.abc import Generator
from contextlib import contextmanager
from threading import Thread
from typing import Any, Final

import openai
import uvicorn

from mnemic.opening import OpenMemory
from mnemic.server.app import build_app
from mnemic.server.running import address_of, listen
from mnemic.settings import ServerSettings

SYSTEM: Final = {"role": "system", "content": "You are a lighthouse keeper."}
SESSION: Final = "seaside"
Json = dict[str, Any]


@contextmanager
def serving_here(memory: OpenMemory, **settings: Any) -> Generator[str]:
    """Serve a memory in this process; give the address."""
    app = build_app(memory, settings=ServerSettings(**settings))
    listening = listen("127.0.0.1", 0)
    server = uvicorn.Server(
        uvicorn.Config(app, log_config=None, access_log=False, lifespan="on", ws="none")
    )
    thread = Thread(target=server.run, args=([listening],))
    thread.start()
    try:
        yield address_of(listening)
    finally:
        server.should_exit = True
        thread.join()
        listening.close()


class ChatApp:
    """An app with the client of OpenAI, and what it shows to the model."""

    def __init__(self, address: str, *, key: str = "none", session: str | None = SESSION) -> None:
        headers = {} if session is None else {"X-Mnemic-Session": session}
        self.client = openai.OpenAI(
            base_url=f"{address}/v1", api_key=key, max_retries=0, default_headers=headers
        )
        self.messages: list[Json] = [SYSTEM]

    def say(self, text: str, **more: Any) -> str:
        """Say something and return the answer, which the app shows from then on."""
        self.messages.append({"role": "user", "content": text})
        return self.regenerate(**more)

    def regenerate(self, **more: Any) -> str:
        """Ask with the messages as they stand, and show the answer."""
        answer = self.complete(**more).choices[0].message.content or ""
        self.messages.append({"role": "assistant", "content": answer})
        return answer

    def complete(self, **more: Any) -> Any:
        """Ask with the messages as they stand."""
        given: Json = {"model": "m", "messages": self.messages, **more}
        create: Any = self.client.chat.completions.create
        return create(**given)

    def close(self) -> None:
        """Let go of the connections."""
        self.client.close()


def texts(memory: OpenMemory, session: str = SESSION, branch: str = "main") -> list[list[str]]:
    """Return what a branch says, turn by turn."""
    page = memory.chat.turns(session, branch_id=branch, limit=1000)
    return [[line.content for line in turn.lines] for turn in page.rows]


def branches(memory: OpenMemory, session: str = SESSION) -> list[str]:
    """Return the names of a session's branches, `main` last: they are all of the same moment."""
    return sorted(branch.id for branch in memory.chat.branches(session).rows)


def versions(memory: OpenMemory, session: str = SESSION, *, turn: int = -1) -> list[list[str]]:
    """Return the texts of all versions of a turn of `main`."""
    found = memory.chat.turns(session, limit=1000).rows[turn]
    said = memory.chat.turn_versions(session, found.id)
    return [[line.content for line in lines] for lines in said]
