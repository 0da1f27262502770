"""Who makes a request: an account's memory, and what may be done with it."""

from collections.abc import MutableMapping
from dataclasses import dataclass
from typing import Any, Final

from mnemic.opening import OpenMemory
from mnemic.records.access_key import Right, includes

_CALLER: Final = "caller"


@dataclass(frozen=True, slots=True)
class Caller:
    """Who was let in, with the memories of their account and of no other."""

    memory: OpenMemory
    right: Right = "admin"
    key_id: str | None = None
    """The key that was shown; None where none is needed."""

    def may(self, wanted: Right) -> bool:
        """Tell whether that is allowed."""
        return includes(self.right, wanted)


def let_in(scope: MutableMapping[str, Any], caller: Caller) -> None:
    """Note who makes a request."""
    scope.setdefault("state", {})[_CALLER] = caller


def known_caller(scope: MutableMapping[str, Any]) -> Caller | None:
    """Return who makes a request; None where nobody was let in."""
    return scope.get("state", {}).get(_CALLER)


def caller_of(scope: MutableMapping[str, Any]) -> Caller:
    """Return who makes a request that was let in."""
    return scope["state"][_CALLER]
