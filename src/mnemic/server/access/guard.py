"""The way in: every request is looked at here before anything else sees it."""

from functools import partial
from typing import Final

from anyio import CapacityLimiter, to_thread
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from mnemic.dialects.chat.error_answers import answer_to
from mnemic.errors import MnemicError
from mnemic.opening import OpenMemory
from mnemic.records.access_key import Right
from mnemic.runtime.yielding import TURN, in_turn
from mnemic.server.access import refused_requests
from mnemic.server.access.addresses import is_loopback, names_of
from mnemic.server.access.callers import Caller, caller_of, let_in
from mnemic.server.access.keyring import Keyring
from mnemic.server.access.limits import LimitedBody, Rate, most_bytes
from mnemic.server.access.refused_keys import RefusedKeys
from mnemic.server.access.refused_requests import Refusal
from mnemic.server.access.rights import is_open, needed, tells_of_all
from mnemic.server.access.shares import Shares
from mnemic.settings import ServerSettings

_WANTED: Final = frozenset({b"host", b"origin", b"x-api-key", b"authorization", b"content-length"})
# A stream of what happens stays open for hours, and takes up nobody's time.
_STREAMS: Final = frozenset({"/events/stream", "/mcp", "/sse"})
_BODILESS: Final = frozenset({"GET", "HEAD"})
_BEARER: Final = "bearer "
_LOOKUPS_AT_ONCE: Final = 4
Headers = dict[bytes, str]


def wants_keys(memory: OpenMemory, settings: ServerSettings) -> bool:
    """Tell whether only who has a key is let in: always where other machines can come in."""
    if settings.auth == "auto":
        return not is_loopback(settings.host) or memory.keys.in_use()
    return settings.auth == "keys"


class Guard:
    """Lets a request in with who makes it, or says why not.

    In this order: the name it was sent to, the page it came from, its size, the key, what the key
    allows, how often its account came, its body, and how much the account has under way. A place
    is taken when the body is there, so that who sends slowly keeps nobody out.
    """

    def __init__(
        self,
        app: ASGIApp,
        *,
        memory: OpenMemory,
        settings: ServerSettings,
        wants_keys: bool,
        refused: RefusedKeys,
        shares: Shares,
    ) -> None:
        self._app = app
        self._assistant = memory.assistant
        self._account = memory.account
        self._most_bytes = settings.max_body
        self._names = names_of(settings)
        self._anybody = None if wants_keys else Caller(memory)
        self._keyring = Keyring(memory)
        self._refused = refused
        self._rate = Rate(settings.requests_per_minute)
        self._shares = shares
        # Whoever tries one key after the other does not hold up who showed theirs before.
        self._lookups = CapacityLimiter(_LOOKUPS_AT_ONCE)
        self._first_lookups = CapacityLimiter(_LOOKUPS_AT_ONCE)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        headers = _headers(scope)
        try:
            refusal = self._stranger(headers) or await self._unknown(headers, scope)
        except MnemicError as error:
            answer = answer_to(error)  # and log it
            if refused_requests.is_tool(scope["path"]):
                await self._refuse(refused_requests.NO_STORE, scope, receive, send)
            else:
                await answer(scope, receive, send)
            return
        if refusal is not None:
            await self._refuse(refusal, scope, receive, send)
        elif _takes_no_place(scope["method"], scope["path"]):
            await self._app(scope, receive, send)
        else:
            await self._when_whole(scope, receive, send)

    def _stranger(self, headers: Headers) -> Refusal | None:
        """Return why a request is refused whoever makes it."""
        host, origin = headers.get(b"host"), headers.get(b"origin")
        if not self._names.allow_host(host):
            return refused_requests.WRONG_HOST
        if not self._names.allow_origin(origin, host):
            return refused_requests.WRONG_ORIGIN
        size = headers.get(b"content-length", "0")
        if size.isdecimal() and int(size) > self._most_bytes:
            return refused_requests.too_large(self._most_bytes)
        return None

    async def _unknown(self, headers: Headers, scope: Scope) -> Refusal | None:
        """Find out who makes a request, and note it; return why it is refused."""
        right = needed(scope["method"], scope["path"])
        if right is None:
            return None
        caller = self._anybody or await self._caller(headers, scope)
        if isinstance(caller, Refusal):
            return caller
        lack = self._lack(caller, right, scope["path"])
        if lack is not None:
            return lack
        wait = self._rate.take(caller.memory.account) if caller.key_id else 0
        if wait:
            return refused_requests.too_often(wait)
        let_in(scope, caller)
        return None

    def _lack(self, caller: Caller, right: Right, path: str) -> Refusal | None:
        """Return which right a caller lacks for an address."""
        if not caller.may(right):
            return refused_requests.lacking(right)
        # Who knows the sum of all accounts and its own part knows how much the others have.
        if tells_of_all(path) and caller.memory.account != self._account:
            return refused_requests.OF_ALL
        return None

    async def _when_whole(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let a request in once its body is there, unless that is too large or too slow."""
        if scope["method"] in _BODILESS:
            await self._in_turn(scope, receive, send)
            return
        account = caller_of(scope).memory.account
        keep = partial(self._shares.hold, account)
        most = most_bytes(scope["path"], self._most_bytes)
        body = LimitedBody(receive, most, keep=keep)
        try:
            whole = await body.whole()
            if body.refusal is not None:
                await self._refuse(body.refusal, scope, receive, send)
            else:
                await self._in_turn(scope, whole, send)
        finally:
            self._shares.let_go(account, body.kept)

    async def _in_turn(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let a request in when it is the turn of its account."""
        turn = self._shares.enter(caller_of(scope).memory.account)
        if turn is None:
            await self._refuse(refused_requests.OWN_SHARE, scope, receive, send)
            return

        async def sent(message: Message) -> None:
            if message["type"] == "http.response.body":
                # What is left is for the client to read, however slowly.
                turn.give_up()
            await send(message)

        try:
            await turn.wait()
            scope["state"][TURN] = turn
            with in_turn(turn):
                await self._app(scope, receive, sent)
        finally:
            turn.leave()

    async def _caller(self, headers: Headers, scope: Scope) -> Caller | Refusal:
        text = _key(headers)
        if text is None:
            return refused_requests.NO_KEY
        caller = self._keyring.remembered(text)
        if caller is not None:
            return caller
        limiter = self._lookups if self._keyring.knows(text) else self._first_lookups
        return await to_thread.run_sync(self._looked_up, text, _peer(scope), limiter=limiter)

    def _looked_up(self, text: str, address: str | None) -> Caller | Refusal:
        found = self._keyring.opened_by(text)
        if isinstance(found, Caller):
            return found
        self._refused.note(found, address)
        # Only who has the key itself is told that it has ended.
        return refused_requests.EXPIRED if found.fault == "expired" else refused_requests.WRONG_KEY

    async def _refuse(self, refusal: Refusal, scope: Scope, receive: Receive, send: Send) -> None:
        await refusal.answer(scope["path"], self._assistant)(scope, receive, send)


def _takes_no_place(method: str, path: str) -> bool:
    """Tell whether a request is answered however full it is: who watches a busy server must not
    take it for a dead one.
    """
    return is_open(path) or (method == "GET" and path in _STREAMS)


def _peer(scope: Scope) -> str | None:
    """Return the address that a request comes from: that of a proxy, where one stands before."""
    client = scope.get("client")
    return client[0] if client else None


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
