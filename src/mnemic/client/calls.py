"""From a verb to a request, and from its answer to a value or an error. It knows no connection."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final, cast

from mnemic.errors import AuthError, BusyError, InvalidInputError, MnemicError, ServerError
from mnemic.rpc.reading import reader
from mnemic.rpc.verbs import Verb, form_of, right_of
from mnemic.rpc.wire import decoded, encoded

_LEFT_ALONE: Final = (429, 503)
_VERSIONS: Final = "Check the address, and that client and server have the same version of Mnemic."
UNKNOWN: Final = "Whether it was done is not known: look before you repeat it."
_KEYS: Final = "Give a key as mnemic.Client(url, key) or MNEMIC_API_KEY; `mnemic keys` makes them."


@dataclass(frozen=True, slots=True)
class Call:
    """A call that is ready to be sent."""

    verb: Verb
    body: bytes
    repeatable: bool
    """Whether it may be sent again although it may have been done: it changes nothing."""

    @property
    def path(self) -> str:
        """Where it is sent to."""
        return f"/sdk/{self.verb.path}"


@dataclass(frozen=True, slots=True)
class ServerReply:
    """What a server answered."""

    status: int
    body: bytes
    retry_after: str = ""

    @property
    def error(self) -> Mapping[str, Any] | None:
        """The error in the envelope of a Mnemic server; None for the words of anybody else."""
        try:
            told = decoded(self.body)
        except (ValueError, RecursionError):
            return None
        inner = cast("dict[str, Any]", told).get("error") if isinstance(told, dict) else None
        whole = isinstance(inner, dict) and "code" in inner and "message" in inner
        return cast("dict[str, Any]", inner) if whole else None

    @property
    def nothing_was_done(self) -> bool:
        """Whether the server sent the call away before it did anything, for a while only."""
        return self.status == 429 or (self.status == 503 and self.error is not None)


def call_of(verb: Verb, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Call:
    """Return the request for a call; raise TypeError where the method itself would."""
    given = form_of(verb).arguments(verb, args, kwargs)
    return Call(verb, _body(given), repeatable=right_of(verb, given) == "read")


def _body(given: dict[str, Any]) -> bytes:
    try:
        return encoded({name: _listed(value) for name, value in given.items()})
    except (TypeError, ValueError, RecursionError):
        # Only what fails pays for finding out which one it was.
        for name, value in given.items():
            try:
                encoded(_listed(value))
            except (TypeError, ValueError, RecursionError) as error:
                problem = f"it cannot be sent ({error})"
                raise InvalidInputError(name, problem, "what can be written as JSON") from error
        raise


def _listed(value: object) -> object:
    """Return a value as JSON has it: a set of names is a list there."""
    if isinstance(value, set | frozenset):
        return sorted(cast("set[str]", value))
    return value


def answer_to(call: Call, reply: ServerReply, *, url: str) -> Any:
    """Return what a verb returned at the server, or raise what it raised."""
    if reply.status != 200:
        raise _error(call, reply, url)
    try:
        data = decoded(reply.body)["data"]
        if call.verb.speaks_json:
            return data
        return reader(form_of(call.verb).hints["return"], strict=False)(data, call.verb.path)
    except (ValueError, KeyError, TypeError, RecursionError, InvalidInputError) as error:
        told = f"{url} answered {call.verb.path} with something else than its result ({error})."
        raise _broken(call, f"{told} {_VERSIONS}", reply.status, url) from error


def _error(call: Call, reply: ServerReply, url: str) -> MnemicError:
    told = reply.error
    status = reply.status
    if told is None:
        return _foreign(call, status, url)
    message, code = str(told["message"]), str(told["code"])
    if code == "unknown_verb":
        return ServerError(f"{message}. {_VERSIONS}", url=url)
    if isinstance(told.get("kinds"), list):
        return _same(told)
    if status in (401, 403):
        return AuthError(f"{url} refused {call.verb.path}: {message}. {_KEYS}", url=url, code=code)
    if status in _LEFT_ALONE:
        return BusyError(f"{url} has no time for {call.verb.path}: {message}.", url=url, code=code)
    if status == 413:
        return InvalidInputError("arguments", message, "less in one call")
    answered = f"{url} answered {call.verb.path} with {status}: {message.rstrip('.')}."
    return _broken(call, f"{answered} {_VERSIONS}" if status == 404 else answered, status, url)


def _foreign(call: Call, status: int, url: str) -> MnemicError:
    """Return the error for an answer that no Mnemic server gives."""
    if status in (401, 403, 407):
        return AuthError(f"{url} refused {call.verb.path} with {status}. {_KEYS}", url=url)
    told = f"{url} answered {call.verb.path} with {status}, and not in the words of Mnemic."
    return _broken(call, f"{told} {_VERSIONS}", status, url)


def _broken(call: Call, told: str, status: int, url: str) -> ServerError:
    """Return the error for a server that failed; it may have failed after it had done the work."""
    if call.repeatable or 300 <= status < 500:
        return ServerError(told, url=url, status=status, outcome="not_done")
    return ServerError(f"{told} {UNKNOWN}", url=url, status=status, outcome="unknown")


def _same(told: Mapping[str, Any]) -> MnemicError:
    """Return the error that the server raised, or the nearest that is known here."""
    details = told.get("details")
    given = cast("dict[str, Any]", details) if isinstance(details, dict) else {}
    known = {kind.__name__: kind for kind in _kinds(MnemicError)}
    kind = next((known[kind] for kind in told["kinds"] if kind in known), ServerError)
    if issubclass(kind, InvalidInputError):
        said = (str(given.get(name, "")) for name in ("parameter", "problem", "allowed"))
        return kind(*said)
    error = kind(str(told["message"]))
    # Not as arguments: a newer server may have details under any name.
    error.details = given
    return error


def _kinds(kind: type[MnemicError]) -> Iterator[type[MnemicError]]:
    yield kind
    for subclass in kind.__subclasses__():
        yield from _kinds(subclass)
