"""Pass a request on and its answer back, piece by piece, and keep what was said when it ends."""

import json
import logging
import traceback
from collections.abc import Mapping
from contextlib import AbstractContextManager
from functools import partial
from typing import Any, Final, Protocol

import httpx2
from anyio import CancelScope, create_task_group, to_thread
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from mnemic.dialects.chat.error_answers import envelope
from mnemic.dialects.openai.completion_answer import text_in, text_streamed
from mnemic.errors import MnemicError
from mnemic.runtime.yielding import computed
from mnemic.server.access.shares import ComputeTurn
from mnemic.server.proxy.upstream import PassedRequest, Upstream, headers_that_matter

_LOG: Final = logging.getLogger("mnemic.proxy")
_EVENTS: Final = "text/event-stream"
_LAST_EVENT: Final = b"data: [DONE]"
_BAD_GATEWAY: Final = 502
_TIMEOUT: Final = 504


class Keep(Protocol):
    """Keeps the text of an answer with what it answers."""

    def __call__(self, text: str, *, is_cut_short: bool) -> None:
        """Keep it; it may have been cut short."""
        ...


class Relay(Response):
    """The answer of another server, as it comes. While it is waited for, the request has no place.

    What was said is kept before the app sees the end of the answer. An app that leaves ends the
    request to the other server, too; what had come until then is kept.
    """

    def __init__(
        self,
        upstream: Upstream,
        request: PassedRequest,
        *,
        turn: ComputeTurn,
        waiting: AbstractContextManager[None],
        keep: Keep | None,
        headers: Mapping[str, str],
    ) -> None:
        super().__init__()
        self._upstream = upstream
        self._request = request
        self._turn = turn
        self._waiting = waiting
        self._keep = keep
        self._own = [(name.encode(), value.encode()) for name, value in headers.items()]
        self._received = bytearray()
        self._is_streamed = True
        self._has_begun = False
        self._has_ended = False
        self._is_lost = False

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request."""
        self._turn.step_aside()
        try:
            with self._waiting:
                await self._relay_until_left(scope, receive, send)
        finally:
            # Whatever ends it: what was said until then was said.
            with CancelScope(shield=True):
                await self._keep_answer()

    async def _relay_until_left(self, scope: Scope, receive: Receive, send: Send) -> None:
        async with create_task_group() as tasks:
            tasks.start_soon(_cancel_when_left, receive, tasks.cancel_scope)
            await self._relay(scope, receive, send)
            tasks.cancel_scope.cancel()

    async def _relay(self, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            async with self._upstream.ask(self._request) as response:
                self._is_streamed = response.headers.get("content-type", "").startswith(_EVENTS)
                if not response.is_success:
                    self._keep = None
                if self._is_streamed:
                    await self._stream(response, send)
                else:
                    await self._send_whole(response, send)
        except httpx2.HTTPError as error:
            status, told = self._failure(error)
            if self._has_begun:
                await self._keep_answer()
                event = {"error": {"code": "upstream_error", "message": told}}
                await _send_on(send, f"\n\ndata: {json.dumps(event)}\n\n".encode(), more=False)
            else:
                self._keep = None
                await envelope(status, "upstream_error", told)(scope, receive, send)

    async def _stream(self, response: httpx2.Response, send: Send) -> None:
        await self._begin(response, send, {b"x-accel-buffering": b"no"})
        async for chunk in response.aiter_bytes():
            self._received += chunk
            before, end, after = chunk.partition(_LAST_EVENT)
            if not end:
                await _send_on(send, chunk)
                continue
            if before:
                await _send_on(send, before)
            self._has_ended = True
            await self._keep_answer()
            if self._is_lost:
                await _send_on(send, b": Mnemic could not keep this answer\n\n")
            await _send_on(send, end + after)
        self._has_ended = True
        await self._keep_answer()
        await _send_on(send, b"", more=False)

    async def _send_whole(self, response: httpx2.Response, send: Send) -> None:
        content = await response.aread()
        self._received += content
        self._has_ended = True
        await self._keep_answer()
        also = {b"content-length": str(len(content)).encode()}
        await self._begin(
            response, send, also | ({b"x-mnemic-kept": b"no"} if self._is_lost else {})
        )
        await _send_on(send, content, more=False)

    async def _begin(self, response: httpx2.Response, send: Send, also: dict[bytes, bytes]) -> None:
        headers = headers_that_matter(response.headers.multi_items())
        self._has_begun = True
        await send(
            {
                "type": "http.response.start",
                "status": response.status_code,
                "headers": [*headers, *self._own, *also.items()],
            }
        )

    async def _keep_answer(self) -> None:
        """Keep what has come, once."""
        keep, self._keep = self._keep, None
        if keep is None:
            return
        with CancelScope(shield=True):
            await self._turn.come_back()
            try:
                await to_thread.run_sync(computed, partial(self._read_and_keep, keep))
            except Exception as error:
                # The edge: the app gets its answer all the same, with a word that it was not kept.
                self._is_lost = True
                told = str(error) if isinstance(error, MnemicError) else type(error).__name__
                trace = "".join(traceback.format_tb(error.__traceback__))
                _LOG.error("An answer could not be kept: %s\n%s", told, trace)
            finally:
                self._turn.step_aside()

    def _read_and_keep(self, keep: Keep) -> None:
        read = text_streamed if self._is_streamed else text_in
        keep(read(bytes(self._received)), is_cut_short=not self._has_ended)

    def _failure(self, error: httpx2.HTTPError) -> tuple[int, str]:
        url = self._upstream.url
        if isinstance(error, httpx2.ReadTimeout):
            seconds = self._upstream.read_seconds
            return _TIMEOUT, (
                f"{url} said nothing for {seconds:g} s. Give it longer with MNEMIC_LLM_TIMEOUT."
            )
        return _BAD_GATEWAY, (
            f"{url} could not be asked ({type(error).__name__}). Check that it runs and that "
            "MNEMIC_LLM_URL is right."
        )


async def _cancel_when_left(receive: Receive, scope: CancelScope) -> None:
    """End the request when the app leaves."""
    while (await receive())["type"] != "http.disconnect":
        pass
    scope.cancel()


async def _send_on(send: Send, body: bytes, *, more: bool = True) -> None:
    message: dict[str, Any] = {"type": "http.response.body", "body": body, "more_body": more}
    await send(message)
