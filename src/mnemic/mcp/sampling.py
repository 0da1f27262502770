"""Replies by the model of an MCP client that offers sampling.

Older clients are asked while their call waits. Newer ones are answered with the question, and
make the same call again with what their model said.
"""

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import Any, Final

from anyio import from_thread
from mcp.server.context import ServerRequestContext
from mcp.shared.exceptions import MCPError
from mcp.shared.message import ServerMessageMetadata
from mcp_types import (
    CallToolRequestParams,
    CreateMessageRequest,
    CreateMessageRequestParams,
    CreateMessageResult,
    CreateMessageResultWithTools,
    ImageContent,
    InputRequiredResult,
    SamplingMessage,
    TextContent,
)
from mcp_types.version import MODERN_PROTOCOL_VERSIONS
from pydantic import ValidationError

from mnemic.engine.memory_verbs import AnswerForm, Completion, Replier
from mnemic.errors import ChatServiceError, EmptyAnswerError
from mnemic.memory.interruptions import Interruption
from mnemic.records.memory import Utterance
from mnemic.runtime.yielding import yield_turn

_QUESTION: Final = "reply"
_MAX_TOKENS: Final = 2_048
# A client may show the question to its user first. It holds a thread meanwhile, so not for ever.
_WAIT_SECONDS: Final = 300.0


class QuestionToClient(Interruption):
    """The client's model has to be asked first."""

    def __init__(self, question: CreateMessageRequest) -> None:
        super().__init__("The client's model has to be asked first.")
        self.answer = InputRequiredResult(input_requests={_QUESTION: question})


def replier(
    context: ServerRequestContext[Any, Any], params: CallToolRequestParams
) -> Replier | None:
    """Return the model of a client that offers one, or None."""
    capabilities = context.session.client_capabilities
    if capabilities is None or capabilities.sampling is None:
        return None
    modern = context.protocol_version in MODERN_PROTOCOL_VERSIONS
    if not modern and not context.session.can_send_request:
        # It waits for a plain answer, and an older client does not understand a question there.
        return None
    return _Sampling(context, params.input_responses or {})


class _Sampling:
    """The client's own model."""

    name = "sampling"
    sees = True

    def __init__(
        self, context: ServerRequestContext[Any, Any], responses: Mapping[str, object]
    ) -> None:
        self._context = context
        self._responses = responses

    def complete(
        self, system: str, said: Sequence[Utterance], *, form: AnswerForm | None = None
    ) -> Completion:
        """Return what the client's model says; of a form, clients know the length alone."""
        question = CreateMessageRequest(
            params=CreateMessageRequestParams(
                messages=[block for line in said for block in _messages(line)],
                system_prompt=system,
                max_tokens=_MAX_TOKENS if form is None else form.most_tokens,
            )
        )
        response = self._responses.get(_QUESTION) or self._asked(question)
        images = [uri for line in said for uri in line.images]
        return Completion(_text(response), bool(images) and all(map(_is_data, images)))

    def close(self) -> None:
        """Do nothing: the connection is the client's."""

    def _asked(self, question: CreateMessageRequest) -> object:
        session = self._context.session
        if not session.can_send_request:
            raise QuestionToClient(question)
        # On the channel of this very call: a client over HTTP may listen to no other.
        metadata = ServerMessageMetadata(related_request_id=self._context.request_id)
        ask = partial(
            session.send_request, request_read_timeout_seconds=_WAIT_SECONDS, metadata=metadata
        )
        # What the client answers comes as another request, which needs a turn of its own.
        yield_turn()
        try:
            return from_thread.run(ask, question, CreateMessageResultWithTools)
        except (MCPError, ValidationError) as error:
            raise ChatServiceError(
                f"The client's model did not answer: {error}", retryable=True
            ) from error


def _messages(said: Utterance) -> Iterator[SamplingMessage]:
    for uri in said.images:
        if _is_data(uri):
            head, _, data = uri.partition(",")
            kind = head.removeprefix("data:").partition(";")[0]
            picture = ImageContent(type="image", data=data, mime_type=kind)
            yield SamplingMessage(role=said.role, content=picture)
    yield SamplingMessage(role=said.role, content=TextContent(type="text", text=said.content))


def _is_data(uri: str) -> bool:
    return uri.startswith("data:")


def _text(response: object) -> str:
    blocks: Sequence[object] = ()
    if isinstance(response, CreateMessageResult):
        blocks = [response.content]
    elif isinstance(response, CreateMessageResultWithTools):
        content = response.content
        blocks = content if isinstance(content, list) else [content]
    text = "\n".join(block.text for block in blocks if isinstance(block, TextContent)).strip()
    if not text:
        raise EmptyAnswerError("The client's model answered without a text.", retryable=True)
    return text
