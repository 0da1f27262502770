"""Ask any server that speaks OpenAI's `/chat/completions`, without ever telling its key."""

from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from typing import Any, Final, cast

import httpx2
import openai
from openai.types.chat import ChatCompletionMessageParam

from mnemic.errors import ChatServiceError
from mnemic.providers.chat_models.chat_answers import read_answer
from mnemic.providers.chat_models.chat_model import AnswerForm, Completion, ServedModel
from mnemic.providers.chat_models.streamed_answers import Listener, listener, read_pieces
from mnemic.providers.http_answers import is_passing, reason_in, seconds_asked_for
from mnemic.providers.server_address import is_on_this_machine
from mnemic.records.memory import Utterance
from mnemic.runtime.retries import persist
from mnemic.version import __version__

# How servers refuse pictures: a model that takes text only, or a picture that is too large.
_PICTURES_REFUSED: Final = frozenset({400, 413, 415, 422})
# How servers refuse a part of a form that they do not know, and what these parts are called.
_FORM_REFUSED: Final = frozenset({400, 422, 501})
_PARTS: Final = ("response_format", "max_tokens", "temperature")
# The client adds facts about this machine and whatever the environment names for OpenAI, keys
# among them. Only what the call needs leaves this machine.
_SENT_HEADERS: Final = frozenset(
    {"accept", "accept-encoding", "connection", "content-length", "content-type", "host"}
)
_NOT_OPENAI_S_OWN: Final = "none"
_NEXT_STEPS: Final = {
    400: "The model may take shorter conversations only, or no system message.",
    401: "The key was refused. Check MNEMIC_LLM_API_KEY.",
    403: "The key was refused. Check MNEMIC_LLM_API_KEY.",
    404: "Check MNEMIC_LLM_MODEL, and MNEMIC_LLM_URL, which mostly ends in /v1.",
    429: "Try again later, or check the quota.",
}


@dataclass(frozen=True, slots=True)
class _Failure:
    """Why there is no answer. It is raised only after the client's own error is gone, because
    that one holds the request with its key.
    """

    message: str
    status: int | None = None
    retryable: bool = False
    again: bool = False
    wait: float | None = None


class OpenAIChat:
    """A chat model on a server. Threads share its connections; close it when done."""

    def __init__(self, wanted: ServedModel) -> None:
        self._wanted = wanted
        self._client = _client(wanted)
        self._refused: frozenset[str] = frozenset()

    @property
    def name(self) -> str:
        """The model's name, as its server knows it."""
        return self._wanted.model

    @property
    def sees(self) -> bool:
        """Whether pictures are sent to it at all."""
        return self._wanted.sees

    def complete(
        self, system: str, said: Sequence[Utterance], *, form: AnswerForm | None = None
    ) -> Completion:
        """Return the server's answer, or raise ChatServiceError: after a few attempts, or with a
        `form` after one.

        A server that refuses pictures, or a part of a form, is asked once more without it.
        """
        if form is not None:
            return self._read(self._in_form(_messages(system, said, pictures=False), form))
        pictures = self.sees and any(one.images for one in said)
        outcome = self._persist(_messages(system, said, pictures=pictures))
        refused = isinstance(outcome, _Failure) and outcome.status in _PICTURES_REFUSED
        if pictures and refused:
            pictures = False
            outcome = self._persist(_messages(system, said, pictures=False))
        return replace(self._read(outcome), saw_images=pictures)

    def close(self) -> None:
        """Close the connections."""
        self._client.close()

    def _read(self, outcome: bytes | _Failure) -> Completion:
        if isinstance(outcome, _Failure):
            raise ChatServiceError(outcome.message, retryable=outcome.retryable)
        return read_answer(outcome, url=self._wanted.url, key=self._wanted.api_key)

    def _in_form(
        self, messages: list[ChatCompletionMessageParam], form: AnswerForm
    ) -> bytes | _Failure:
        refused = self._refused
        while True:
            outcome = self._ask(messages, _asked_for(form, refused))
            if isinstance(outcome, bytes):
                # Whatever it refused, it is not sent again: that would be a request for nothing.
                self._refused = refused
                return outcome
            part = _refused_part(outcome, refused)
            if part is None:
                return outcome
            refused |= {part}

    def _persist(self, messages: list[ChatCompletionMessageParam]) -> bytes | _Failure:
        patience = self._wanted.patience

        def pause_after(outcome: bytes | _Failure, attempt: int) -> float | None:
            if isinstance(outcome, bytes) or not outcome.again:
                return None
            return patience.pause_after(attempt, asked=outcome.wait)

        return persist(lambda: self._ask(messages, self._set()), pause_after, patience.sleep)

    def _set(self) -> dict[str, object]:
        """Return what the settings say of every reply."""
        wanted = self._wanted
        parts: dict[str, object] = {}
        if wanted.temperature >= 0:
            parts["temperature"] = wanted.temperature
        if wanted.most_tokens > 0:
            parts["max_tokens"] = wanted.most_tokens
        return parts

    def _ask(
        self,
        messages: list[ChatCompletionMessageParam],
        also: Mapping[str, object] | None = None,
    ) -> bytes | _Failure:
        tell = listener()
        try:
            if tell is not None and (also is None or "response_format" not in also):
                return self._stream(messages, also or {}, tell)
            # The answer as it came: the client's own classes take anything for an answer.
            answer = self._client.post(
                "/chat/completions",
                cast_to=httpx2.Response,
                body={"model": self._wanted.model, "messages": messages, **(also or {})},
            )
        except openai.APIStatusError as error:
            return self._refusal(error.response)
        except openai.APIConnectionError as error:
            return self._no_answer(error)
        except httpx2.HTTPError as error:
            # It broke off in the middle; what was told of it cannot be taken back.
            told = f"{self._wanted.url} broke off ({type(error).__name__}). Try again."
            return _Failure(told, retryable=True)
        except openai.OpenAIError as error:
            return _Failure(f"{self._wanted.url} could not be asked: {type(error).__name__}.")
        return answer.content

    def _stream(
        self,
        messages: list[ChatCompletionMessageParam],
        also: Mapping[str, object],
        tell: Listener,
    ) -> bytes:
        """Return the whole answer, told piece by piece; all at once by servers that do not
        stream.
        """
        answer = self._client.post(
            "/chat/completions",
            cast_to=httpx2.Response,
            body={"model": self._wanted.model, "messages": messages, "stream": True, **also},
            stream=True,
            stream_cls=openai.Stream[Any],
        )
        # Asked for as it came, it is the response itself, whose body is still to be read.
        with closing(cast("httpx2.Response", answer)) as response:
            if "event-stream" in response.headers.get("content-type", ""):
                return read_pieces(response.iter_lines(), tell)
            return response.read()

    def _refusal(self, response: httpx2.Response) -> _Failure:
        status = response.status_code
        # Servers like to quote the key where they refuse it, so their words are left out.
        private = status in (401, 403)
        reason = "" if private else reason_in(response.content, key=self._wanted.api_key)
        told = f"{self._wanted.url} answered {status}" + (f": {reason}" if reason else "")
        return _Failure(
            f"{told.removesuffix('.')}. {_next_step(status)}".rstrip(),
            status=status,
            retryable=is_passing(status),
            again=is_passing(status),
            wait=seconds_asked_for(response),
        )

    def _no_answer(self, error: openai.APIConnectionError) -> _Failure:
        url, cause = self._wanted.url, error.__cause__
        if isinstance(cause, httpx2.ReadTimeout):
            # It is not asked again at once: that makes a slow server slower.
            seconds = self._wanted.patience.read_seconds
            return _Failure(
                f"{url} did not answer within {seconds:g} s. Give it longer with "
                "MNEMIC_LLM_TIMEOUT, or take a faster model.",
                retryable=True,
            )
        kind = type(cause or error).__name__
        return _Failure(
            f"{url} could not be asked ({kind}). Check that it runs and that MNEMIC_LLM_URL "
            "is right.",
            retryable=True,
            again=True,
        )


def _asked_for(form: AnswerForm, refused: frozenset[str]) -> dict[str, object]:
    """Return what a request says of the form of its answer, without what the server refuses."""
    schema = {"name": form.name, "strict": True, "schema": form.schema}
    parts: dict[str, object] = {
        "response_format": {"type": "json_schema", "json_schema": schema},
        "max_tokens": form.most_tokens,
        "temperature": 0,
    }
    asked = {name: part for name, part in parts.items() if name not in refused}
    # Newer models of OpenAI know this name alone.
    renamed = {"max_completion_tokens": form.most_tokens} if "max_tokens" in refused else {}
    return asked | (renamed if "max_completion_tokens" not in refused else {})


def _refused_part(failure: _Failure, refused: frozenset[str]) -> str | None:
    """Return the part of a form that a server refuses: the one that it names, else the schema."""
    if failure.status not in _FORM_REFUSED:
        return None
    named = [part for part in _PARTS if part not in refused and part in failure.message]
    return next(iter([*named, *(_PARTS[:1] if not refused else ())]), None)


def _client(wanted: ServedModel) -> openai.OpenAI:
    try:
        connections = httpx2.Client(
            timeout=httpx2.Timeout(
                wanted.patience.read_seconds, connect=wanted.patience.connect_seconds
            ),
            trust_env=not is_on_this_machine(wanted.url),
            event_hooks={"request": [_only_needed_headers(wanted.api_key)]},
        )
    except (ImportError, OSError, ValueError, httpx2.InvalidURL) as error:
        problem = type(error).__name__
    else:
        return openai.OpenAI(
            base_url=wanted.url,
            # Without one, the client would take OPENAI_API_KEY and show it to any server.
            api_key=wanted.api_key or _NOT_OPENAI_S_OWN,
            max_retries=0,
            timeout=connections.timeout,
            http_client=connections,
        )
    # The error itself may quote the password of a proxy.
    raise ChatServiceError(
        f"No connection to {wanted.url} could be prepared ({problem}). Check the environment's "
        "proxy and certificate variables.",
        retryable=False,
    )


def _only_needed_headers(key: str | None) -> Callable[[httpx2.Request], None]:
    def keep(request: httpx2.Request) -> None:
        for name in set(request.headers) - _SENT_HEADERS:
            del request.headers[name]
        request.headers["User-Agent"] = f"mnemic/{__version__}"
        if key is not None:
            request.headers["Authorization"] = f"Bearer {key}"

    return keep


def _messages(
    system: str, said: Sequence[Utterance], *, pictures: bool
) -> list[ChatCompletionMessageParam]:
    first: list[ChatCompletionMessageParam] = [{"role": "system", "content": _sendable(system)}]
    return first + [_message(one, pictures=pictures) for one in said]


def _message(said: Utterance, *, pictures: bool) -> ChatCompletionMessageParam:
    text = _sendable(said.content)
    if said.role == "assistant":
        return {"role": "assistant", "content": text}
    if not (pictures and said.images):
        return {"role": "user", "content": text}
    return {
        "role": "user",
        "content": [
            {"type": "text", "text": text},
            *({"type": "image_url", "image_url": {"url": uri}} for uri in said.images),
        ],
    }


def _sendable(text: str) -> str:
    # Half a surrogate pair is no character, and would break the whole request.
    return text.encode("utf-8", "replace").decode("utf-8")


def _next_step(status: int) -> str:
    if status >= 500:
        return "Try again; if it stays so, look into the server's log."
    if status < 400:
        return "It points elsewhere; set MNEMIC_LLM_URL to the final address."
    return _NEXT_STEPS.get(status, "")
