"""What a client may read without a tool: counts, what came last, and one memory. Plain JSON."""

import json
from collections.abc import Mapping, Sequence
from typing import Any, Final, Protocol

from mnemic.errors import NotFoundError
from mnemic.memory.texts.sensitivity import covered
from mnemic.records.memory import Event, Memory, MemoryKind, Overview, memory_name

Json = dict[str, Any]

KIND: Final = "application/json"
_STATS: Final = "memory://stats"
_RECENT: Final = "memory://recent"
_ONE: Final = "memory://memories/"
_NEWEST: Final = 20
_COLLECTIONS: Final = 50
_MOST_DIGITS: Final = 18
# What gives a memory a wording: its first, another, or an earlier one again.
_WORDINGS: Final = frozenset({"created", "revised", "restored"})

RESOURCES: Final[Sequence[Json]] = (
    {
        "uri": _STATS,
        "name": "stats",
        "title": "What is remembered, in numbers",
        "description": "How many collections, users and chats there are, and how many memories of "
        "each kind are in use.",
        "mimeType": KIND,
    },
    {
        "uri": _RECENT,
        "name": "recent",
        "title": "What was remembered last",
        "description": f"The newest {_NEWEST} memories in use, newest first. Sensitive ones are "
        "left out.",
        "mimeType": KIND,
    },
)
ONE: Final = _ONE + "{id}"
TEMPLATES: Final[Sequence[Json]] = (
    {
        "uriTemplate": ONE,
        "name": "memory",
        "title": "One memory",
        "description": "A memory's text, context and status, and how many versions it had. The id "
        "is its number, or its name such as mem_0000000012.",
        "mimeType": KIND,
    },
)


class Readable(Protocol):
    """A memory that can be read."""

    def overview(self) -> Overview:
        """Return what it holds."""
        ...

    def newest(self, *, limit: int) -> list[Memory]:
        """Return what came last."""
        ...

    def get(self, memory_id: int) -> Memory:
        """Return one memory."""
        ...

    def history(self, memory_id: int) -> list[Event]:
        """Return what happened to it."""
        ...


class ResourceReader:
    """The resources of one account. Threads may share it."""

    def __init__(self, memory: Readable) -> None:
        self._memory = memory

    def read(self, uri: str) -> str:
        """Return what stands at an address, as JSON; where nothing does, raise NotFoundError."""
        if uri == _STATS:
            answer = self._stats()
        elif uri == _RECENT:
            answer = {"memories": [_shown(memory) for memory in self._memory.newest(limit=_NEWEST)]}
        else:
            answer = self._one(uri)
        return json.dumps(answer, ensure_ascii=False)

    def completed(self, begun: str) -> list[str]:
        """Return the numbers of the newest memories that begin so."""
        newest = (str(memory.id) for memory in self._memory.newest(limit=_NEWEST))
        return [number for number in newest if number.startswith(begun)]

    def _stats(self) -> Json:
        overview = self._memory.overview()
        kinds: dict[MemoryKind, int] = {}
        for counts in overview.memories.values():
            for kind, number in counts.items():
                kinds[kind] = kinds.get(kind, 0) + number
        largest = sorted(overview.collections.items(), key=lambda pair: (-pair[1], pair[0]))
        return {
            "memories": sum(kinds.values()),
            "kinds": kinds,
            "collections": {
                "count": overview.scopes.get("collection", 0),
                "memories": _sum(overview.memories.get("collection", {})),
                "largest": dict(largest[:_COLLECTIONS]),
            },
            "users": {
                "count": overview.scopes.get("user", 0),
                "memories": _sum(overview.memories.get("user", {})),
            },
            "chats": {
                "count": overview.scopes.get("chat", 0),
                "memories": sum(
                    _sum(overview.memories.get(kind, {}))
                    for kind in ("global", "chat", "branch", "floor")
                ),
            },
        }

    def _one(self, uri: str) -> Json:
        number = _number(uri)
        if number is None:
            known = ", ".join([*(resource["uri"] for resource in RESOURCES), ONE])
            raise NotFoundError(f"There is no resource {uri[:200]!r}; there are: {known}.")
        memory = covered(self._memory.get(number))
        return {
            **_shown(memory),
            "status": memory.status,
            "status_reason": memory.status_reason,
            "context": memory.context,
            "tags": list(memory.tags),
            "updated_at": memory.updated_at.isoformat(),
            "versions": sum(event.verb in _WORDINGS for event in self._memory.history(number)),
        }


def _number(uri: str) -> int | None:
    """Return the number of the memory at an address, or None where it is no such address."""
    name = uri.removeprefix(_ONE).removeprefix("mem_")
    plain = uri.startswith(_ONE) and name.isascii() and name.isdigit()
    return int(name) if plain and len(name) <= _MOST_DIGITS else None


def _shown(memory: Memory) -> Json:
    return {
        "id": memory.id,
        "name": memory_name(memory.id),
        "uri": f"{_ONE}{memory.id}",
        "text": memory.content,
        "kind": memory.kind,
        "category": memory.category,
        "confidence": round(memory.confidence, 4),
        "scope": {"kind": memory.scope.kind, "name": memory.scope.name},
        "created_at": memory.created_at.isoformat(),
    }


def _sum(counts: Mapping[MemoryKind, int]) -> int:
    return sum(counts.values())
