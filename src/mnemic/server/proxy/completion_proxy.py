"""`/v1`: chat completions for any app that can be given another base URL, with a memory."""

from collections import Counter
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Final

from fastapi import APIRouter, Request
from starlette.concurrency import run_in_threadpool
from starlette.responses import Response

from mnemic.dialects.chat.error_answers import answer_to, envelope
from mnemic.dialects.chat.routing import json_body
from mnemic.dialects.openai.completion_request import (
    SESSION_HEADER,
    CompletionRequest,
    conversation_in,
    read_body,
    with_block,
)
from mnemic.dialects.openai.session_recorder import SessionRecorder
from mnemic.engine.chat_verbs import ChatMemory
from mnemic.opening import OpenMemory
from mnemic.runtime.yielding import TURN, computed
from mnemic.server.access.callers import caller_of
from mnemic.server.proxy.described_proxy import COMPLETIONS, MODELS
from mnemic.server.proxy.relay import Relay
from mnemic.server.proxy.upstream import PassedRequest, Upstream
from mnemic.settings import ServerSettings

_BASE: Final = "/v1"
_FAILED_DEPENDENCY: Final = 424
_NO_UPSTREAM: Final = (
    "There is no server to pass this on to. Set MNEMIC_LLM_URL to any that speaks "
    "/chat/completions, such as http://127.0.0.1:11434/v1, with MNEMIC_LLM_MODEL and, if it wants "
    "one, its key in MNEMIC_LLM_API_KEY; then start `mnemic serve` again."
)


@dataclass(frozen=True, slots=True)
class _Sent:
    """What an app sent."""

    content: bytes
    body: Mapping[str, Any]
    conversation: CompletionRequest | None


@dataclass(frozen=True, slots=True)
class _TakenIn:
    """What goes on to the other server, and who keeps its answer."""

    body: bytes | None
    recorder: SessionRecorder | None


class CompletionProxy:
    """The endpoints. An account may have so many requests waiting as the server has places."""

    def __init__(self, memory: OpenMemory, settings: ServerSettings) -> None:
        served = memory.served_model
        self._upstream = None if served is None else Upstream(served)
        self._most_bytes = settings.max_body
        self._most_waiting = settings.max_requests
        self._waiting: Counter[str] = Counter()

    def routes(self) -> APIRouter:
        """Return the routes."""
        router = APIRouter(tags=["completions"])
        router.add_api_route("/v1/chat/completions", self.complete, methods=["POST"], **COMPLETIONS)
        router.add_api_route("/v1/models", self.list_models, methods=["GET"], **MODELS)
        return router

    async def close(self) -> None:
        """Close the connections to the other server."""
        if self._upstream is not None:
            await self._upstream.close()

    async def complete(self, request: Request) -> Response:
        """Complete a chat, with memory.

        Any app that speaks OpenAI's API can be pointed here. What it sends goes on to the server
        that is set, with the block of memory before what the user said last; the answer streams
        back as it comes, and both are kept as a turn of a session.
        """
        chat = caller_of(request.scope).memory.chat
        try:
            content = await json_body(request, most=self._most_bytes)
            named = request.headers.get(SESSION_HEADER)
            sent = await run_in_threadpool(computed, _read, content, named)
            if self._upstream is None:
                return _no_upstream()
            taken = await run_in_threadpool(computed, _take_in, chat, sent)
        except Exception as error:
            # The edge: whatever it is, the app gets the envelope.
            return answer_to(error)
        return self._relay(request, self._upstream, taken)

    async def list_models(self, request: Request) -> Response:
        """List the models of the server that is set.

        The answer is that server's own.
        """
        if self._upstream is None:
            return _no_upstream()
        return self._relay(request, self._upstream, _TakenIn(None, None))

    def _relay(self, request: Request, upstream: Upstream, taken: _TakenIn) -> Response:
        account = caller_of(request.scope).memory.account
        if self._waiting[account] >= self._most_waiting:
            told = f"This account waits for {self._most_waiting} answers already"
            return envelope(429, "too_many_requests", told, headers={"Retry-After": "1"})
        recorder = taken.recorder
        return Relay(
            upstream,
            PassedRequest(request.method, _path(request), request.headers, taken.body),
            turn=request.scope["state"][TURN],
            waiting=self._counted(account),
            keep=None if recorder is None else recorder.keep,
            headers={} if recorder is None else {SESSION_HEADER: recorder.session_id},
        )

    @contextmanager
    def _counted(self, account: str) -> Generator[None]:
        self._waiting[account] += 1
        try:
            yield
        finally:
            self._waiting[account] -= 1


def _read(content: bytes, session_id: str | None) -> _Sent:
    body = read_body(content)
    return _Sent(content, body, conversation_in(body["messages"], session_id))


def _take_in(chat: ChatMemory, sent: _Sent) -> _TakenIn:
    if sent.conversation is None:
        return _TakenIn(sent.content, None)
    recorder = SessionRecorder(chat, sent.conversation)
    block = recorder.take_in()
    tells = block and sent.conversation.query
    return _TakenIn(with_block(sent.body, block) if tells else sent.content, recorder)


def _no_upstream() -> Response:
    return envelope(_FAILED_DEPENDENCY, "upstream_not_set", _NO_UPSTREAM)


def _path(request: Request) -> str:
    """Return what stands behind the base of the other server's address."""
    query = request.scope["query_string"].decode("latin-1")
    path = request.scope["path"].removeprefix(_BASE)
    return f"{path}?{query}" if query else path
