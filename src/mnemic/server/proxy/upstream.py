"""The server that requests are passed on to: the one of the language model that is set."""

from collections.abc import Iterable, Mapping
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from typing import Final

import httpx2

from mnemic.providers.chat_models.chat_model import ServedModel
from mnemic.providers.server_address import is_on_this_machine
from mnemic.version import __version__

# What an app says of itself to OpenAI. Its key is for Mnemic, and goes no further.
_PASSED_ON: Final = ("openai-",)
# What belongs to a connection or to this server, and what is no longer true of the answer.
_OWN: Final = frozenset(
    {
        *("connection", "keep-alive", "transfer-encoding", "upgrade", "te", "trailer"),
        *("content-length", "content-encoding", "date", "server", "set-cookie", "vary"),
    }
)
_OWN_FAMILIES: Final = ("access-control-", "proxy-", "x-mnemic-")
_RENAMED: Final = {"x-request-id": "x-upstream-request-id"}
_JSON: Final = "application/json"


@dataclass(frozen=True, slots=True)
class PassedRequest:
    """A request as it goes on."""

    method: str
    path: str
    headers: Mapping[str, str]
    body: bytes | None = None


class Upstream:
    """A server that speaks OpenAI's API. Its connections belong to one event loop."""

    def __init__(self, served: ServedModel) -> None:
        self.url = served.url
        self.read_seconds = served.patience.read_seconds
        self._served = served
        self._client: httpx2.AsyncClient | None = None

    def ask(self, request: PassedRequest) -> AbstractAsyncContextManager[httpx2.Response]:
        """Pass a request on; its answer is to be read inside."""
        if self._client is None:
            self._client = self._connected()
        return self._client.stream(
            request.method,
            f"{self._served.url}{request.path}",
            headers=self._headers(request),
            content=request.body,
        )

    async def close(self) -> None:
        """Close the connections, if there are any."""
        if self._client is not None:
            await self._client.aclose()
            self._client = None

    def _connected(self) -> httpx2.AsyncClient:
        patience = self._served.patience
        return httpx2.AsyncClient(
            timeout=httpx2.Timeout(patience.read_seconds, connect=patience.connect_seconds),
            # How many may wait is decided where they come in.
            limits=httpx2.Limits(max_connections=None, max_keepalive_connections=20),
            trust_env=not is_on_this_machine(self._served.url),
        )

    def _headers(self, request: PassedRequest) -> dict[str, str]:
        passed = {
            name: value for name, value in request.headers.items() if name.startswith(_PASSED_ON)
        }
        own = {
            "accept": request.headers.get("accept", "*/*"),
            "accept-encoding": "identity",
            "user-agent": f"mnemic/{__version__}",
        }
        if request.body is not None:
            own["content-type"] = _JSON
        if self._served.api_key is not None:
            own["authorization"] = f"Bearer {self._served.api_key}"
        return passed | own


def headers_that_matter(headers: Iterable[tuple[str, str]]) -> list[tuple[bytes, bytes]]:
    """Return what an app is to see of the headers of an answer."""
    return [
        (_RENAMED.get(name, name).encode("latin-1"), value.encode("latin-1"))
        for name, value in ((name.lower(), value) for name, value in headers)
        if name not in _OWN and not name.startswith(_OWN_FAMILIES)
    ]
