"""The verbs of a client, part by part, made from the table of verbs.

What each takes and returns stands in `parts.pyi`, which `python docs/generate.py` writes from the
methods of an open memory.
"""

from collections.abc import Callable
from functools import cached_property, wraps
from typing import Any

from mnemic.client.calls import Call, call_of
from mnemic.rpc.verbs import VERBS, Part, Verb, class_of


class _Verbs:
    """Verbs that are sent to a server."""

    def __init__(self, send: Callable[[Call], Any]) -> None:
        self._send = send


class _Sent:
    """A verb as a method. Its signature is looked up when it is first used."""

    def __init__(self, verb: Verb) -> None:
        self._verb = verb

    def __get__(self, instance: _Verbs | None, owner: type | None = None) -> Any:
        return self._method.__get__(instance, owner)

    @cached_property
    def _method(self) -> Any:
        verb = self._verb

        @wraps(getattr(class_of(verb.part), verb.name))
        def method(self: _Verbs, *args: Any, **kwargs: Any) -> Any:
            return self._send(call_of(verb, args, kwargs))  # pyright: ignore[reportPrivateUsage]

        method.__name__ = verb.name
        return method


def _verbs(part: Part, name: str) -> Any:
    methods = {verb.name: _Sent(verb) for verb in VERBS.values() if verb.part == part}
    return type(name, (_Verbs,), {"__module__": __name__, **methods})


# A verb returns what the sender returns: a value, or something that is awaited for one.
EngineVerbs = AsyncEngineVerbs = _verbs("engine", "EngineVerbs")
RobotVerbs = AsyncRobotVerbs = _verbs("robot", "RobotVerbs")
AssistantVerbs = AsyncAssistantVerbs = _verbs("assistant", "AssistantVerbs")
ChatVerbs = AsyncChatVerbs = _verbs("chat", "ChatVerbs")
