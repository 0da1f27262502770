"""Ask an embedding server over HTTP: patiently, and without ever telling its key."""

from typing import TypeVar

import httpx2
from pydantic import BaseModel, ValidationError

from mnemic.errors import EmbedderError
from mnemic.providers.remote_model import Patience

Answer = TypeVar("Answer", bound=BaseModel)

_LOOPBACK = frozenset({"127.0.0.1", "::1", "localhost"})
# A read time-out is not among them: asking a slow server again makes it slower.
_WORTH_ANOTHER_TRY = (httpx2.NetworkError, httpx2.ConnectTimeout, httpx2.RemoteProtocolError)
_EXCERPT = 200


class _ServerError(BaseModel):
    """The error of OpenAI (an object with a message) or of Ollama (a text)."""

    error: str | dict[str, object]


class Endpoint:
    """A server at one base URL. Threads share its connections; close it when done."""

    def __init__(self, url: str, *, api_key: str | None, patience: Patience) -> None:
        self._url = url.rstrip("/")
        self._key = api_key
        self._patience = patience
        self._client = httpx2.Client(
            headers={"Authorization": f"Bearer {api_key}"} if api_key else None,
            timeout=httpx2.Timeout(patience.read_seconds, connect=patience.connect_seconds),
            # A proxy cannot reach a server on this machine.
            trust_env=httpx2.URL(url).host not in _LOOPBACK,
        )

    def post(self, path: str, body: dict[str, object], *, answer: type[Answer]) -> Answer:
        """Return the parsed answer, or raise EmbedderError after a few attempts."""
        response = self._persist(path, body)
        if not response.is_success:
            raise EmbedderError(self._refusal(response))
        try:
            return answer.model_validate_json(response.content)
        except ValidationError as error:
            problem = error.errors(include_url=False, include_input=False)[0]["msg"]
            raise EmbedderError(
                self._without_key(f"{self._url}{path} did not answer with embeddings: {problem}")
            ) from None

    def close(self) -> None:
        """Close the connections."""
        self._client.close()

    def _persist(self, path: str, body: dict[str, object]) -> httpx2.Response:
        attempt = 0
        while True:
            last = attempt >= self._patience.retries
            wait = None
            try:
                response = self._client.post(self._url + path, json=body)
            except httpx2.HTTPError as error:
                if last or not isinstance(error, _WORTH_ANOTHER_TRY):
                    raise EmbedderError(self._unreachable(error)) from error
            else:
                if last or not _is_passing(response):
                    return response
                wait = _seconds_asked_for(response)
            self._patience.pause(attempt, asked=wait)
            attempt += 1

    def _unreachable(self, error: httpx2.HTTPError) -> str:
        return self._without_key(
            f"{self._url} could not be asked: {type(error).__name__}: {error}. "
            "Check that it runs and that MNEMIC_EMBEDDER_URL is right."
        )

    def _refusal(self, response: httpx2.Response) -> str:
        status = response.status_code
        if status in (401, 403):
            # Servers like to quote the key here, so their words are left out.
            return f"{self._url} refused the key ({status}). Check MNEMIC_EMBEDDER_API_KEY."
        # Cut after the key is out: half a key would no longer be recognised.
        reason = self._without_key(_reason(response))[:_EXCERPT]
        return f"{self._url} answered {status}" + (f": {reason}" if reason else ".")

    def _without_key(self, message: str) -> str:
        return message.replace(self._key, "***") if self._key else message


def _is_passing(response: httpx2.Response) -> bool:
    return response.status_code == 429 or response.status_code >= 500


def _seconds_asked_for(response: httpx2.Response) -> float | None:
    asked = response.headers.get("Retry-After", "")
    return float(asked) if asked.isdecimal() else None


def _reason(response: httpx2.Response) -> str:
    try:
        error = _ServerError.model_validate_json(response.content).error
    except ValidationError:
        return ""
    return error if isinstance(error, str) else str(error.get("message", ""))
