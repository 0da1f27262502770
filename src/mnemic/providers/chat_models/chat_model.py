"""The language model that a chat asks. Nothing heavy is imported before it is first asked."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from importlib import import_module
from threading import Lock
from typing import Final, Protocol
from urllib.parse import urlsplit

from mnemic.errors import SettingsError
from mnemic.providers.remote_model import Patience
from mnemic.providers.server_address import checked_key, checked_url
from mnemic.records.memory import Utterance
from mnemic.runtime.yielding import yield_turn

_URL: Final = "MNEMIC_LLM_URL"
_MODEL: Final = "MNEMIC_LLM_MODEL"
_KEY: Final = "MNEMIC_LLM_API_KEY"
# By name, because it imports the client of OpenAI: more than a second of CPU.
_CLIENT: Final = ("mnemic.providers.chat_models.openai_chat", "OpenAIChat")
_CALL: Final = "/chat/completions"


@dataclass(frozen=True, slots=True)
class Completion:
    """What a model answered. `saw_images` is True only if there were pictures and it got them;
    `finished` is False where the answer was cut short, or was a refusal.
    """

    text: str
    saw_images: bool = False
    finished: bool = True


@dataclass(frozen=True, slots=True)
class AnswerForm:
    """How an answer is to be given: as JSON after a schema, in at most so many tokens, always the
    same for the same question, and by one request.
    """

    name: str
    schema: Mapping[str, object]
    most_tokens: int


class ChatModel(Protocol):
    """Answers what was said, last of all by the user."""

    @property
    def name(self) -> str:
        """The model's name, as its server knows it."""
        ...

    @property
    def sees(self) -> bool:
        """Whether pictures are sent to it at all."""
        ...

    def complete(
        self, system: str, said: Sequence[Utterance], *, form: AnswerForm | None = None
    ) -> Completion:
        """Return the answer, never an empty one, or raise ChatServiceError.

        With a `form` the server is asked once; where it refuses a part of the form, once more
        without that part, which it is then not sent again. The error's details tell whether trying
        again later may help (`retryable`). It is an EmptyAnswerError where the model did answer,
        but without a text.
        """
        ...

    def close(self) -> None:
        """Let go of what was opened to ask the model."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class ServedModel:
    """A chat model on a server, and how patiently to ask it."""

    url: str
    model: str
    api_key: str | None = field(repr=False)
    sees: bool
    patience: Patience
    temperature: float = -1.0
    """Below 0 the server decides."""

    most_tokens: int = 0
    """How long a reply may be; 0 leaves it to the server."""


class ServedChatModel:
    """A chat model behind a server that speaks `/chat/completions`. Threads may share it.

    Nothing is imported and nobody is asked before the first call.
    """

    def __init__(self, wanted: ServedModel) -> None:
        self._wanted = wanted
        self._client: ChatModel | None = None
        self._lock = Lock()

    @property
    def name(self) -> str:
        """The model's name, as its server knows it."""
        return self._wanted.model

    @property
    def url(self) -> str:
        """Where the server is; it holds no secret."""
        return self._wanted.url

    @property
    def served(self) -> ServedModel:
        """The model with the key of its server, for whoever passes requests on to it."""
        return self._wanted

    @property
    def sees(self) -> bool:
        """Whether pictures are sent to it at all."""
        return self._wanted.sees

    def complete(
        self, system: str, said: Sequence[Utterance], *, form: AnswerForm | None = None
    ) -> Completion:
        """Return the server's answer, or raise ChatServiceError: after a few attempts, or with a
        `form` after one.

        A server that refuses pictures is asked once more without them.
        """
        model = self._connected()
        yield_turn()
        return model.complete(system, said, form=form)

    def close(self) -> None:
        """Close the connections, if there are any."""
        with self._lock:
            if self._client is not None:
                self._client.close()
                self._client = None

    def _connected(self) -> ChatModel:
        with self._lock:
            if self._client is None:
                module, kind = _CLIENT
                connect: Callable[[ServedModel], ChatModel] = getattr(import_module(module), kind)
                self._client = connect(self._wanted)
            return self._client


def choose_chat_model(
    url: str | None,
    model: str | None,
    api_key: str | None = None,
    *,
    timeout_seconds: float = 60.0,
    vision: bool = True,
    patience: Patience | None = None,
    temperature: float = -1.0,
    most_tokens: int = 0,
) -> ServedChatModel | None:
    """Return the chat model that the settings name, or None where they name none.

    Raises SettingsError for what cannot be used, and where one of `url` and `model` is missing:
    no server is assumed, because memories are sent there.
    """
    address = checked_url(url, setting=_URL, key_setting=_KEY)
    name = (model or "").strip()
    key = checked_key(api_key, setting=_KEY)
    if address is None and not name:
        return None
    if address is None:
        raise SettingsError(
            f"{_URL}: missing; say where {name} is served, such as http://127.0.0.1:11434/v1."
        )
    if not name:
        raise SettingsError(
            f"{_MODEL}: missing; say which model of {address} to ask, such as qwen3:8b."
        )
    return ServedChatModel(
        ServedModel(
            url=_base_of(address),
            model=name,
            api_key=key,
            sees=vision,
            patience=replace(patience or Patience(), read_seconds=timeout_seconds),
            temperature=temperature,
            most_tokens=most_tokens,
        )
    )


def _base_of(address: str) -> str:
    """Return the base that the client needs from what people paste."""
    bare = address.rstrip("/")
    if bare.endswith(_CALL):
        return bare.removesuffix(_CALL)
    # Only a host: every server of this kind has its calls under /v1.
    return bare if urlsplit(bare).path else f"{bare}/v1"
