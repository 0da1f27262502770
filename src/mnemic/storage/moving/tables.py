"""The tables that are moved: what a row is called on either side, and in which order they go."""

from dataclasses import dataclass
from typing import Any, Final

Key = tuple[Any, ...]
Values = tuple[Any, ...]


@dataclass(frozen=True, slots=True)
class Table:
    """One table. The first columns are its key within an account, and rows go in its order."""

    name: str
    columns: tuple[str, ...]
    source: str
    """What it is read from in SQLite: one row for each, with the scope as `scope`."""

    keys: int = 1
    portion: int = 2_000
    """How many rows go in one transaction."""

    text_key: str | None = None
    """The column of the key that is text: both sides must sort it alike."""

    holds_vectors: bool = False
    shrinks: bool = False
    """Whether rows of it are ever deleted, so that a later move has to remove them, too."""

    @property
    def key(self) -> tuple[str, ...]:
        """The columns that tell one row of an account from the others."""
        return self.columns[: self.keys]

    def key_of(self, row: Values) -> Key:
        """Return what tells a row from the others."""
        return row[: self.keys]


SCOPES: Final = Table(
    name="scope",
    columns=("id", "kind", "name", "seq", "decayed_at", "decay_rate", "created_at"),
    source=(
        "(select o.*, o.id as scope, coalesce(c.seq, 0) as seq from scope o left join"
        " (select scope_id, max(seq) as seq from document group by scope_id) c"
        " on c.scope_id = o.id)"
    ),
    # All at once: they get numbers of their own, which need not be in the same order.
    portion=1_000_000,
)

EVENTS: Final = Table(
    name="event",
    columns=("id", "scope_id", "memory_id", "verb", "actor", "at", "before", "after"),
    source="(select e.*, e.scope_id as scope from event e)",
)

VECTORS: Final = Table(
    name="memory_vector",
    columns=("doc", "scope_id", "model_id", "data"),
    source=(
        "(select v.doc, d.scope_id, v.model_id, v.data, d.scope_id as scope"
        " from vector v cross join document d on d.doc = v.doc)"
    ),
    portion=1_000,
    holds_vectors=True,
    shrinks=True,
)

_EPISODES: Final = Table(
    name="episode",
    columns=("id", "scope_id", "status", "context", "started_at", "ended_at", "outcome_score"),
    source="(select e.*, e.scope_id as scope from episode e)",
    text_key="id",
)

_MEMORIES: Final = Table(
    name="memory",
    columns=(
        *("id", "doc", "scope_id", "kind", "status", "content", "summary", "content_hash"),
        *("category", "protected", "confidence", "tags", "scope_files", "context", "episode_id"),
        *("perception_type", "created_at", "updated_at", "accessed_at", "access_count"),
        *("status_reason", "status_at"),
    ),
    source="(select m.*, m.scope_id as scope from memory m)",
)

_PAYLOADS: Final = Table(
    name="payload",
    columns=("memory_id", "data", "metadata"),
    source=(
        "(select p.*, m.scope_id as scope from payload p cross join memory m on m.id = p.memory_id)"
    ),
    # What a sensor delivered may be large.
    portion=100,
)

_DOCUMENTS: Final = Table(
    name="document",
    columns=(
        *("doc", "seq", "scope_id", "thread", "live", "terms", "own_terms", "speaker"),
        *("said_at", "traits", "telling"),
    ),
    source="(select d.*, d.scope_id as scope from document d)",
)

_EDGES: Final = Table(
    name="edge",
    columns=("from_id", "to_id", "relation", "id", "created_at"),
    source="(select e.*, m.scope_id as scope from edge e cross join memory m on m.id = e.from_id)",
    keys=3,
    text_key="relation",
)

# Scopes get ascending numbers in the order in which they were made, on either side: keys that
# begin with a scope are in the same order, too.
_TALLIES: Final = Table(
    name="tally",
    columns=("scope_id", "kind", "memories", "changed_at"),
    source="(select t.*, t.scope_id as scope from tally t)",
    keys=2,
    text_key="kind",
)

_ACTIVITIES: Final = Table(
    name="activity",
    columns=("scope_id", "slot", "number", "action", "kind", "memory_id", "at"),
    source="(select a.*, a.scope_id as scope from activity a)",
    keys=2,
)

_USAGES: Final = Table(
    name="usage",
    columns=("scope_id", "hour", "operations"),
    source="(select u.*, u.scope_id as scope from usage u)",
    keys=2,
)

_CONVERSATIONS: Final = Table(
    name="conversation",
    # One that was deleted and begun again under the same id is another one: its time tells.
    columns=("scope_id", "id", "created_at", "turns", "updated_at"),
    source="(select c.*, c.scope_id as scope from conversation c)",
    keys=3,
    text_key="id",
    # Its turns, messages and sources go with it.
    shrinks=True,
)

_TURNS: Final = Table(
    name="turn",
    columns=("id", "scope_id", "conversation_id", "number", "created_at"),
    source="(select t.*, t.scope_id as scope from turn t)",
    text_key="id",
)

_MESSAGES: Final = Table(
    name="message",
    columns=("id", "turn_id", "position", "role", "content"),
    source="(select m.*, t.scope_id as scope from message m cross join turn t on t.id = m.turn_id)",
    text_key="id",
)

_SOURCES: Final = Table(
    name="source",
    columns=("memory_id", "turn_id"),
    source="(select s.*, t.scope_id as scope from source s cross join turn t on t.id = s.turn_id)",
    keys=2,
    text_key="turn_id",
)

# In the order in which they refer to each other. The scopes' clocks come last: whoever looks at
# the target meanwhile reads on only when a clock has moved, and then everything is there.
TABLES: Final = (
    *(_EPISODES, _MEMORIES, _PAYLOADS, _DOCUMENTS, VECTORS, _EDGES, EVENTS),
    *(_TALLIES, _ACTIVITIES, _USAGES, _CONVERSATIONS, _TURNS, _MESSAGES, _SOURCES),
    SCOPES,
)
