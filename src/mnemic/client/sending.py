"""Send calls to a server: patiently, and never twice where that could do something twice."""

import os
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Final, TypeVar
from urllib.parse import urlsplit

import httpx2
from anyio.lowlevel import current_token

from mnemic.client.calls import UNKNOWN, Call, ServerReply, answer_to
from mnemic.errors import SettingsError, StateError, UnreachableError
from mnemic.providers.server_address import checked_key, checked_url, is_on_this_machine
from mnemic.runtime.retries import doubled, persist, persist_awaited
from mnemic.version import __version__

Outcome = ServerReply | httpx2.RequestError
_Http = TypeVar("_Http", httpx2.Client, httpx2.AsyncClient)

# No byte of the request has left when these are raised.
_NOT_SENT: Final = (httpx2.ConnectError, httpx2.ConnectTimeout, httpx2.PoolTimeout)
_PASSING: Final = (429, 502, 503, 504)
_LONGEST_TIMEOUT: Final = 3_600
_CONNECT_SECONDS: Final = 5.0
# The server lets go of an idle connection after 5 seconds; whoever uses it just then loses a call.
_IDLE_SECONDS: Final = 4.0


@dataclass(frozen=True, slots=True)
class ServerEndpoint:
    """Where calls are sent, how long an answer may take, and how often to try again."""

    url: str
    key: str | None = field(repr=False)
    timeout: float
    retries: int
    random: Callable[[], float]
    first_pause: float = 0.2
    longest_pause: float = 30.0

    def settings(self) -> dict[str, Any]:
        """Return what a client of httpx2 is made with, a synchronous one or not."""
        at_hand = is_on_this_machine(self.url)
        headers = {"content-type": "application/json", "user-agent": f"mnemic/{__version__}"}
        if self.key:
            headers["authorization"] = f"Bearer {self.key}"
        return {
            "base_url": self.url,
            "headers": headers,
            # Calls that wait here for others to end say nothing of the server.
            "timeout": httpx2.Timeout(
                self.timeout, connect=min(self.timeout, _CONNECT_SECONDS), pool=None
            ),
            "limits": httpx2.Limits(max_connections=100, keepalive_expiry=_IDLE_SECONDS),
            # A proxy cannot reach a server on this machine.
            "trust_env": not at_hand,
            # To read the certificates of the world takes 50 ms, and plain HTTP shows none.
            "verify": not (at_hand and self.url.startswith("http://")),
        }

    def pause_after(self, call: Call, outcome: Outcome, attempt: int) -> float | None:
        """Return after how many seconds to try again, None where that is no use or not safe."""
        if attempt >= self.retries or not _is_worth_another_try(call, outcome):
            return None
        asked = outcome.retry_after if isinstance(outcome, ServerReply) else ""
        if asked.isdecimal():
            seconds = float(asked)
            return seconds if seconds <= self.longest_pause else None
        # Half of it by chance, so that many clients do not come back at once.
        pause = doubled(attempt, first=self.first_pause, longest=self.longest_pause)
        return pause * (0.5 + self.random() / 2)

    def result(self, call: Call, outcome: Outcome) -> Any:
        """Return what the call returned at the server, or raise what happened instead."""
        if isinstance(outcome, ServerReply):
            return answer_to(call, outcome, url=self.url)
        raise self._unreachable(call, outcome) from outcome

    def _unreachable(self, call: Call, error: httpx2.RequestError) -> UnreachableError:
        verb, kind = call.verb.path, type(error).__name__
        if isinstance(error, _NOT_SENT):
            why = f"{kind}: {error}" if str(error) else kind
            return UnreachableError(
                f"No server could be reached at {self.url} ({why}), so {verb} was not done. "
                "Start one with `mnemic serve`, or check the address and MNEMIC_URL.",
                url=self.url,
                outcome="not_done",
            )
        late = isinstance(error, httpx2.TimeoutException)
        what = (
            f"was silent for {self.timeout:g} seconds" if late else f"gave no whole answer ({kind})"
        )
        then = (
            "Nothing was changed; try again, or give the client a longer timeout."
            if call.repeatable
            else UNKNOWN
        )
        outcome = "not_done" if call.repeatable else "unknown"
        told = f"{self.url} {what} while it was asked for {verb}. {then}"
        return UnreachableError(told, url=self.url, outcome=outcome)


def server_at(
    url: str, key: str | None, *, timeout: float, retries: int, random: Callable[[], float]
) -> ServerEndpoint:
    """Return a server after a look at what was given; nothing is sent yet."""
    address = _address(url)
    if not 0 < timeout <= _LONGEST_TIMEOUT:
        raise SettingsError(f"timeout={timeout}: use more than 0, at most {_LONGEST_TIMEOUT}.")
    if retries < 0:
        raise SettingsError(f"retries={retries}: use 0 or more.")
    named = checked_key(key, setting="key")
    return ServerEndpoint(address.rstrip("/"), named, timeout, retries, random)


def _address(url: str) -> str:
    try:
        address = checked_url(url, setting="url", key_setting="key")
        # A name that no network can look up would only be found out by the first call.
        if address and (urlsplit(address).hostname or "").encode("idna"):
            return address
    except (SettingsError, UnicodeError):
        pass
    raise SettingsError(
        "url: not usable; allowed: http or https and a host, such as http://127.0.0.1:7077. "
        "A key belongs into key."
    )


def _made(kind: type[_Http], server: ServerEndpoint, transport: Any) -> _Http:
    try:
        return kind(transport=transport, **server.settings())
    except (ImportError, OSError, ValueError) as error:
        told = f"No connection to {server.url} can be made with what the environment says of"
        raise SettingsError(f"{told} proxies or certificates ({error}).") from error


class Sender:
    """Sends calls and waits for their answers. Threads may share it, and processes by a fork."""

    def __init__(
        self,
        server: ServerEndpoint,
        sleep: Callable[[float], None],
        transport: httpx2.BaseTransport | None = None,
    ) -> None:
        self._server = server
        self._sleep = sleep
        self._transport = transport
        self._process = os.getpid()
        self._http = _made(httpx2.Client, server, transport)

    def __call__(self, call: Call) -> Any:
        """Return what the call returned at the server, or raise what it raised there."""
        http = self._connections()
        pause_after = partial(self._server.pause_after, call)
        outcome = persist(lambda: _once(http, call), pause_after, self._sleep)
        return self._server.result(call, outcome)

    def _connections(self) -> httpx2.Client:
        _check_open(self._http)
        if self._process != os.getpid():
            # The parent goes on with its connections: two on one would get each other's answers.
            self._http = _made(httpx2.Client, self._server, self._transport)
            self._process = os.getpid()
        return self._http

    def close(self) -> None:
        """Close the connections."""
        self._http.close()


class AsyncSender:
    """Sends calls; each is awaited for its answer."""

    def __init__(
        self,
        server: ServerEndpoint,
        sleep: Callable[[float], Awaitable[None]],
        transport: httpx2.AsyncBaseTransport | None = None,
    ) -> None:
        self._server = server
        self._sleep = sleep
        self._transport = transport
        self._loop: tuple[int, object] | None = None
        self._http = _made(httpx2.AsyncClient, server, transport)

    async def __call__(self, call: Call) -> Any:
        """Return what the call returned at the server, or raise what it raised there."""
        http = self._connections()
        pause_after = partial(self._server.pause_after, call)
        outcome = await persist_awaited(lambda: _once_awaited(http, call), pause_after, self._sleep)
        return self._server.result(call, outcome)

    def _connections(self) -> httpx2.AsyncClient:
        _check_open(self._http)
        here = (os.getpid(), current_token())
        if self._loop not in (None, here):
            # What an earlier event loop opened can be neither used nor closed in this one.
            self._http = _made(httpx2.AsyncClient, self._server, self._transport)
        self._loop = here
        return self._http

    async def close(self) -> None:
        """Close the connections."""
        if not self._http.is_closed:
            await self._connections().aclose()


def _once(http: httpx2.Client, call: Call) -> Outcome:
    try:
        return _reply(http.post(call.path, content=call.body))
    except httpx2.RequestError as error:
        return error


async def _once_awaited(http: httpx2.AsyncClient, call: Call) -> Outcome:
    try:
        return _reply(await http.post(call.path, content=call.body))
    except httpx2.RequestError as error:
        return error


def _reply(response: httpx2.Response) -> ServerReply:
    return ServerReply(
        response.status_code, response.content, response.headers.get("retry-after", "").strip()
    )


def _is_worth_another_try(call: Call, outcome: Outcome) -> bool:
    if isinstance(outcome, ServerReply):
        if outcome.status not in _PASSING:
            return False
        # What a Mnemic server says of its language model is its answer, and stays the same.
        told = outcome.error
        passed_on = told is None or "kinds" not in told
        return outcome.nothing_was_done or (call.repeatable and passed_on)
    return call.repeatable or isinstance(outcome, _NOT_SENT)


def _check_open(http: httpx2.Client | httpx2.AsyncClient) -> None:
    if http.is_closed:
        raise StateError("This client is closed. Make another one with mnemic.Client().")
