"""One question to a server that answers by a script, asked by either kind of client."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any, Literal

import anyio
import httpx2

from mnemic import AsyncClient, Client
from mnemic.errors import MnemicError

Kind = Literal["sync", "async"]
Ask = Callable[[Any], Any]
Step = httpx2.Response | type[httpx2.RequestError]


@dataclass
class Asked:
    """What became of a question: its result or error, and how it was asked."""

    result: Any = None
    error: MnemicError | None = None
    requests: list[httpx2.Request] = field(default_factory=list[httpx2.Request])
    pauses: list[float] = field(default_factory=list[float])


def ask(kind: Kind, question: Ask, steps: Iterable[Step], **settings: Any) -> Asked:
    """Ask a question; the server does one of the steps for each request, then the last again."""
    asked = Asked()
    script = list(steps)

    def answer(request: httpx2.Request) -> httpx2.Response:
        asked.requests.append(request)
        step = script[min(len(asked.requests), len(script)) - 1]
        if isinstance(step, httpx2.Response):
            return httpx2.Response(step.status_code, headers=step.headers, content=step.content)
        raise step("it went wrong", request=request)

    run = _sync if kind == "sync" else _async
    try:
        asked.result = run(question, httpx2.MockTransport(answer), asked.pauses, settings)
    except MnemicError as error:
        asked.error = error
    return asked


def _sync(
    question: Ask, transport: httpx2.MockTransport, pauses: list[float], settings: dict[str, Any]
) -> Any:
    given: dict[str, Any] = {"url": "http://test", "random": lambda: 1.0, **settings}
    with Client(transport=transport, sleep=pauses.append, **given) as client:
        return question(client)


def _async(
    question: Ask, transport: httpx2.MockTransport, pauses: list[float], settings: dict[str, Any]
) -> Any:
    given: dict[str, Any] = {"url": "http://test", "random": lambda: 1.0, **settings}

    async def pause(seconds: float) -> None:
        pauses.append(seconds)

    async def once() -> Any:
        async with AsyncClient(transport=transport, sleep=pause, **given) as client:
            return await question(client)

    return anyio.run(once)
