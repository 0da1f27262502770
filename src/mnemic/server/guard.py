"""The way in: every request is looked at here before anything else sees it."""

from typing import Final

from starlette.concurrency import run_in_threadpool
from starlette.types import ASGIApp, Receive, Scope, Send

from mnemic.dialects.chat.errors import answer_to
from mnemic.errors import MnemicError
from mnemic.keys import Right
from mnemic.opening import OpenMemory
from mnemic.server import refusals
from mnemic.server.addresses import is_loopback, names_of
from mnemic.server.callers import Caller, let_in
from mnemic.server.keyring import Keyring
from mnemic.server.limits import Body, Rate, Room
from mnemic.server.refusals import Refusal
from mnemic.server.rights import is_open, needed, tells_of_all
from mnemic.settings import ServerSettings

_WANTED: Final = frozenset({b"host", b"origin", b"x-api-key", b"authorization", b"content-length"})
# A stream of what happens stays open for hours, and takes up nobody's time.
_STREAMS: Final = frozenset({"/mcp", "/sse"})
_BODILESS: Final = frozenset({"GET", "HEAD"})
_BEARER: Final = "bearer "
Headers = dict[bytes, str]


def wants_keys(memory: OpenMemory, settings: ServerSettings) -> bool:
    """Tell whether only who has a key is let in: always where other machines can come in."""
    if settings.auth == "auto":
        return not is_loopback(settings.host) or memory.keys.in_use()
    return settings.auth == "keys"


class Guard:
    """Lets a request in with who makes it, or says why not.

    In this order: the name it was sent to, the page it came from, its size, how much is under way,
    the key, what the key allows, and how often it came.
    """

    def __init__(
        self, app: ASGIApp, *, memory: OpenMemory, settings: ServerSettings, wants_keys: bool
    ) -> None:
        self._app = app
        self._assistant = memory.assistant
        self._account = memory.account
        self._most_bytes = settings.max_body
        self._names = names_of(settings)
        self._anybody = None if wants_keys else Caller(memory)
        self._keyring = Keyring(memory)
        self._rate = Rate(settings.requests_per_minute)
        self._room = Room(settings.max_requests)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        headers = _headers(scope)
        refusal = self._stranger(headers)
        if refusal is not None:
            await self._refuse(refusal, scope, receive, send)
        elif _takes_no_room(scope["method"], scope["path"]):
            await self._recognised(headers, scope, receive, send)
        elif not self._room.enter():
            await self._refuse(refusals.FULL, scope, receive, send)
        else:
            try:
                await self._recognised(headers, scope, receive, send)
            finally:
                self._room.leave()

    def _stranger(self, headers: Headers) -> Refusal | None:
        """Return why a request is refused whoever makes it."""
        host, origin = headers.get(b"host"), headers.get(b"origin")
        if not self._names.allow_host(host):
            return refusals.WRONG_HOST
        if not self._names.allow_origin(origin, host):
            return refusals.WRONG_ORIGIN
        size = headers.get(b"content-length", "0")
        if size.isdecimal() and int(size) > self._most_bytes:
            return refusals.too_large(self._most_bytes)
        return None

    async def _recognised(
        self, headers: Headers, scope: Scope, receive: Receive, send: Send
    ) -> None:
        right = needed(scope["method"], scope["path"])
        if right is not None:
            try:
                caller = self._anybody or await self._caller(headers)
            except MnemicError as error:
                answer = answer_to(error)  # and log it
                if refusals.is_tool(scope["path"]):
                    await self._refuse(refusals.NO_STORE, scope, receive, send)
                else:
                    await answer(scope, receive, send)
                return
            if isinstance(caller, Refusal):
                await self._refuse(caller, scope, receive, send)
                return
            lack = self._lack(caller, right, scope["path"])
            if lack is not None:
                await self._refuse(lack, scope, receive, send)
                return
            wait = self._rate.take(caller.key_id) if caller.key_id else 0
            if wait:
                await self._refuse(refusals.too_often(wait), scope, receive, send)
                return
            let_in(scope, caller)
        if scope["method"] in _BODILESS:
            await self._app(scope, receive, send)
        else:
            await self._with_body(scope, receive, send)

    def _lack(self, caller: Caller, right: Right, path: str) -> Refusal | None:
        """Return which right a caller lacks for an address."""
        if not caller.may(right):
            return refusals.lacking(right)
        # Who knows the sum of all accounts and its own part knows how much the others have.
        if tells_of_all(path) and caller.memory.account != self._account:
            return refusals.OF_ALL
        return None

    async def _with_body(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let a request in as far as its body is not too large or too slow."""
        body = Body(receive, self._most_bytes)
        await self._app(scope, body.receive, body.sending(send))
        if body.refusal is not None and not body.is_answered:
            await self._refuse(body.refusal, scope, receive, send)

    async def _caller(self, headers: Headers) -> Caller | Refusal:
        shown = _key(headers)
        if shown is None:
            return refusals.NO_KEY
        known = self._keyring.remembered(shown)
        if known is None:
            known = await run_in_threadpool(self._keyring.opened_by, shown)
        return known or refusals.WRONG_KEY

    async def _refuse(self, refusal: Refusal, scope: Scope, receive: Receive, send: Send) -> None:
        await refusal.answer(scope["path"], self._assistant)(scope, receive, send)


def _takes_no_room(method: str, path: str) -> bool:
    """Tell whether a request is answered however full it is: who watches a busy server must not
    take it for a dead one.
    """
    return is_open(path) or (method == "GET" and path in _STREAMS)


def _headers(scope: Scope) -> Headers:
    """Return what the guard looks at. A header that is sent twice counts as both at once, which is
    no name, no origin and no key: another program on the way may have looked at the other one.
    """
    found: Headers = {}
    for name, value in scope["headers"]:
        if name in _WANTED:
            told = value.decode("latin-1")
            found[name] = f"{found[name]}, {told}" if name in found else told
    return found


def _key(headers: Headers) -> str | None:
    shown = headers.get(b"x-api-key", "").strip()
    if not shown:
        told = headers.get(b"authorization", "").strip()
        shown = told[len(_BEARER) :].strip() if told.lower().startswith(_BEARER) else ""
    return shown or None
