"""Where a memory goes, and how its context looks there."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from mnemic.errors import InvalidInputError
from mnemic.language.lexicon.categories import CATEGORIES
from mnemic.language.memory_types import TYPES, type_of
from mnemic.memory.adopt import Arrival, Earlier
from mnemic.memory.texts.context_words import NOTE, ORIGIN, SENSITIVITY
from mnemic.records.memory import DEFAULT_SCOPE, Draft, MemoryKind, Scope


@dataclass(frozen=True, slots=True)
class Told:
    """What a file says about one memory, whatever the file calls it.

    `about` and `note` are for those who read the memory; `origin` only says where it came from, and
    is not searched. `kind` and `category` may be words that are not known here.
    """

    content: str
    about: dict[str, Any]
    note: str | None = None
    origin: dict[str, Any] | None = None
    collection: str | None = None
    user: str | None = None
    kind: str | None = None
    category: str | None = None
    confidence: float | None = None
    created_at: datetime | None = None
    updated_at: datetime | None = None
    earlier: tuple[Earlier, ...] = ()


@dataclass(frozen=True, slots=True)
class Placement:
    """Where everything goes: a given collection takes it all, a given user what names nobody."""

    collection: str | None = None
    user: str | None = None

    def __post_init__(self) -> None:
        if self.collection is not None and self.user is not None:
            raise InvalidInputError("user", "a collection is given too", "one of both")
        for name, value in (("collection", self.collection), ("user", self.user)):
            if value is not None and not _is_name(value):
                problem = f"{value[:40]!r} is not a name"
                raise InvalidInputError(
                    name, problem, "1 to 200 printable characters, no space at the ends"
                )

    def scope(
        self,
        *,
        collection: str | None = None,
        user: str | None = None,
        otherwise: Scope = DEFAULT_SCOPE,
    ) -> Scope:
        """Return the scope of something that names a collection, a user, or neither."""
        together = self.collection or collection
        if together is not None:
            return Scope("collection", together)
        somebody = user or self.user
        return otherwise if somebody is None else Scope("user", somebody)

    def arrival(self, told: Told, *, otherwise: Scope = DEFAULT_SCOPE) -> Arrival:
        """Return what the engine takes in. What it has no place for goes into the context."""
        scope = self.scope(collection=told.collection, user=told.user, otherwise=otherwise)
        about = dict(told.about)
        for name, named in (("collection", told.collection), ("user_id", told.user)):
            if named is not None and named != scope.name:
                about.setdefault(name, named)
        kind = _kind(told, scope)
        if told.kind is not None and told.kind != kind:
            about.setdefault("type", told.kind)
        category = told.category if told.category in CATEGORIES else None
        if told.category is not None and category is None:
            about.setdefault("category", told.category)
        draft = Draft(
            content=told.content,
            scope=scope,
            kind=kind,
            context=_context(scope, about, told.note, told.origin),
            category=category,
            confidence=told.confidence,
            created_at=told.created_at,
            updated_at=told.updated_at,
        )
        return Arrival(draft, earlier=told.earlier)


def _kind(told: Told, scope: Scope) -> MemoryKind:
    if scope.kind != "user":
        return "fact"
    for kind in TYPES:
        if kind == told.kind:
            return kind
    return type_of(told.content)


def _context(
    scope: Scope, about: dict[str, Any], note: str | None, origin: dict[str, Any] | None
) -> dict[str, Any]:
    """Return a context as the dialect of its scope writes it: an assistant shows the note."""
    came_from = {ORIGIN: origin} if origin else {}
    if scope.kind != "user":
        return about | ({"user_context": note} if note else {}) | came_from
    if note is not None and about:
        about = about | {"context": note}
    shown = about or note
    secret = {SENSITIVITY: "high"} if about.get(SENSITIVITY) == "high" else {}
    return ({NOTE: shown} if shown else {}) | secret | came_from


def _is_name(value: str) -> bool:
    return 0 < len(value) <= 200 and value.isprintable() and value == value.strip()
