"""Ask an embedding server over HTTP: patiently, and without ever telling its key."""

from typing import TypeVar

import httpx2
from pydantic import BaseModel, ValidationError

from mnemic.errors import EmbedderError
from mnemic.providers.http_answers import is_passing, reason_in, seconds_asked_for, without_key
from mnemic.providers.remote_model import Patience
from mnemic.providers.server_address import is_on_this_machine
from mnemic.runtime.retries import persist

Answer = TypeVar("Answer", bound=BaseModel)
Outcome = httpx2.Response | httpx2.HTTPError

# A read time-out is not among them: asking a slow server again makes it slower.
_WORTH_ANOTHER_TRY = (httpx2.NetworkError, httpx2.ConnectTimeout, httpx2.RemoteProtocolError)


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
            trust_env=not is_on_this_machine(url),
        )

    def post(self, path: str, body: dict[str, object], *, answer: type[Answer]) -> Answer:
        """Return the parsed answer, or raise EmbedderError after a few attempts."""
        response = persist(lambda: self._ask(path, body), self._pause_after, self._patience.sleep)
        if isinstance(response, httpx2.HTTPError):
            raise EmbedderError(self._unreachable(response)) from response
        if not response.is_success:
            raise EmbedderError(self._refusal(response))
        try:
            return answer.model_validate_json(response.content)
        except ValidationError as error:
            problem = error.errors(include_url=False, include_input=False)[0]["msg"]
            raise EmbedderError(
                without_key(
                    f"{self._url}{path} did not answer with embeddings: {problem}", self._key
                )
            ) from None

    def close(self) -> None:
        """Close the connections."""
        self._client.close()

    def _ask(self, path: str, body: dict[str, object]) -> Outcome:
        try:
            return self._client.post(self._url + path, json=body)
        except httpx2.HTTPError as error:
            return error

    def _pause_after(self, outcome: Outcome, attempt: int) -> float | None:
        if isinstance(outcome, httpx2.Response):
            asked, again = seconds_asked_for(outcome), is_passing(outcome.status_code)
        else:
            asked, again = None, isinstance(outcome, _WORTH_ANOTHER_TRY)
        return self._patience.pause_after(attempt, asked=asked) if again else None

    def _unreachable(self, error: httpx2.HTTPError) -> str:
        return without_key(
            f"{self._url} could not be asked: {type(error).__name__}: {error}. "
            "Check that it runs and that MNEMIC_EMBEDDER_URL is right.",
            self._key,
        )

    def _refusal(self, response: httpx2.Response) -> str:
        status = response.status_code
        if status in (401, 403):
            # Servers like to quote the key here, so their words are left out.
            return f"{self._url} refused the key ({status}). Check MNEMIC_EMBEDDER_API_KEY."
        reason = reason_in(response.content, key=self._key)
        return f"{self._url} answered {status}" + (f": {reason}" if reason else ".")
