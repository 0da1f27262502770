"""A chat over HTTP that is told while it is written: server-sent events.

`delta` has a piece of the text, and `done` the envelope that the call would have answered. What a
model did not write piece by piece comes in one piece.
"""

import json
from collections.abc import AsyncIterator
from contextlib import suppress
from typing import Any, Final

import anyio
from anyio import from_thread, to_thread
from anyio.streams.memory import MemoryObjectSendStream
from fastapi.responses import StreamingResponse

from mnemic.dialects.assistant.tools import AssistantTools
from mnemic.engine.memory_verbs import listening
from mnemic.runtime.yielding import computed

_PIECES: Final = 1_000


def streamed_chat(assistant: AssistantTools, params: Any) -> StreamingResponse:
    """Return the reply to a message as events."""
    return StreamingResponse(
        _events(assistant, params),
        media_type="text/event-stream",
        headers={"Cache-Control": "no-store", "X-Accel-Buffering": "no"},
    )


async def _events(assistant: AssistantTools, params: Any) -> AsyncIterator[str]:
    send, receive = anyio.create_memory_object_stream[str](_PIECES)
    answered: list[dict[str, Any]] = []
    async with anyio.create_task_group() as tasks:
        tasks.start_soon(_chat, assistant, params, send, answered)
        told = False
        async with receive:
            async for piece in receive:
                told = True
                yield _event("delta", {"text": piece})
        [envelope] = answered
        if envelope["success"] and not told:
            yield _event("delta", {"text": envelope["data"]["response"]})
        yield _event("done", envelope)


async def _chat(
    assistant: AssistantTools,
    params: Any,
    send: MemoryObjectSendStream[str],
    answered: list[dict[str, Any]],
) -> None:
    def tell(piece: str) -> None:
        # Whoever went away hears no more; the turn is kept all the same.
        with suppress(anyio.BrokenResourceError, anyio.ClosedResourceError):
            from_thread.run(send.send, piece)

    def call() -> dict[str, Any]:
        with listening(tell):
            return computed(assistant.call, "memory_chat", params)

    async with send:
        try:
            answered.append(await to_thread.run_sync(call))
        except Exception:
            answered.append(assistant.failed("memory_chat"))


def _event(name: str, data: dict[str, Any]) -> str:
    return f"event: {name}\ndata: {json.dumps(data, ensure_ascii=False)}\n\n"
