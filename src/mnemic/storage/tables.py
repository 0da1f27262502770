"""The tables that are moved: what a row is called on either side, and in which order they go."""

from dataclasses import dataclass, replace
from typing import Any, Final

Key = tuple[Any, ...]
Values = tuple[Any, ...]

# SQLite has them as numbers.
BOOLEANS: Final = frozenset({"protected", "live", "unfolded", "wrapped", "pinned", "edited"})


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

    texts: tuple[str, ...] = ()
    """The columns of the key that are text: both sides must sort them alike."""

    holds_vectors: bool = False
    shrinks: bool = False
    """Whether rows of it are ever deleted, so that a later move has to remove them, too."""

    @property
    def key(self) -> tuple[str, ...]:
        """The columns that tell one row of an account from the others."""
        return self.columns[: self.keys]

    @property
    def bare(self) -> "Table":
        """The same rows, of which only the keys are read."""
        return replace(self, columns=self.key, holds_vectors=False)

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
    shrinks=True,
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

EPISODES: Final = Table(
    name="episode",
    columns=("id", "scope_id", "status", "context", "started_at", "ended_at", "outcome_score"),
    source="(select e.*, e.scope_id as scope from episode e)",
    texts=("id",),
    shrinks=True,
)

MEMORIES: Final = Table(
    name="memory",
    columns=(
        *("id", "doc", "scope_id", "kind", "status", "content", "summary", "content_hash"),
        *("measurement", "category", "protected", "confidence", "tags", "scope_files", "context"),
        *(
            "episode_id",
            "perception_type",
            "created_at",
            "updated_at",
            "accessed_at",
            "access_count",
        ),
        *("status_reason", "status_at"),
        *("occurred_at", "valid_until", "expires_at", "superseded_by"),
    ),
    source="(select m.*, m.scope_id as scope from memory m)",
    # What a chat deletes goes with all that was kept of it.
    shrinks=True,
)

PAYLOADS: Final = Table(
    name="payload",
    columns=("memory_id", "data", "metadata"),
    source=(
        "(select p.*, m.scope_id as scope from payload p cross join memory m on m.id = p.memory_id)"
    ),
    # What a sensor delivered may be large.
    portion=100,
    shrinks=True,
)

DOCUMENTS: Final = Table(
    name="document",
    columns=(
        *("doc", "seq", "scope_id", "thread", "live", "terms", "own_terms", "speaker"),
        *("said_at", "traits", "telling", "head", "unfolded"),
    ),
    source="(select d.*, d.scope_id as scope from document d)",
    shrinks=True,
)

PASSAGES: Final = Table(
    name="passage",
    columns=("doc", "turn_id", "version", "position", "first", "last"),
    source=(
        "(select p.*, d.scope_id as scope from passage p cross join document d on d.doc = p.doc)"
    ),
    shrinks=True,
)

EDGES: Final = Table(
    name="edge",
    columns=("from_id", "to_id", "relation", "id", "uid", "created_at"),
    source="(select e.*, m.scope_id as scope from edge e cross join memory m on m.id = e.from_id)",
    keys=3,
    texts=("relation",),
    shrinks=True,
)

# Scopes get ascending numbers in the order in which they were made, on either side: keys that
# begin with a scope are in the same order, too.
TALLIES: Final = Table(
    name="tally",
    columns=("scope_id", "kind", "memories", "changed_at"),
    source="(select t.*, t.scope_id as scope from tally t)",
    keys=2,
    texts=("kind",),
    shrinks=True,
)

ACTIVITIES: Final = Table(
    name="activity",
    columns=("scope_id", "slot", "number", "action", "kind", "memory_id", "at"),
    source="(select a.*, a.scope_id as scope from activity a)",
    keys=2,
    shrinks=True,
)

USAGES: Final = Table(
    name="usage",
    columns=("scope_id", "hour", "operations"),
    source="(select u.*, u.scope_id as scope from usage u)",
    keys=2,
    shrinks=True,
)

CONVERSATIONS: Final = Table(
    name="conversation",
    # One that was deleted and begun again under the same id is another one: its time tells.
    columns=("scope_id", "id", "created_at", "turns", "updated_at"),
    source="(select c.*, c.scope_id as scope from conversation c)",
    keys=3,
    texts=("id",),
    shrinks=True,
)

TURNS: Final = Table(
    name="turn",
    columns=(
        *("id", "scope_id", "conversation_id", "number", "version", "idempotency_key"),
        *("created_at", "updated_at"),
    ),
    source="(select t.*, t.scope_id as scope from turn t)",
    texts=("id",),
    shrinks=True,
)


def _of_turns(name: str, columns: tuple[str, ...], keys: int, texts: tuple[str, ...]) -> Table:
    """Return a table whose rows belong to turns."""
    source = (
        f"(select x.*, t.scope_id as scope from {name} x cross join turn t on t.id = x.turn_id)"  # noqa: S608  our own names
    )
    return Table(name, columns, source, keys=keys, texts=texts, shrinks=True)


def _of_scopes(name: str, columns: tuple[str, ...], keys: int, texts: tuple[str, ...]) -> Table:
    """Return a table whose rows know their scope."""
    source = f"(select x.*, x.scope_id as scope from {name} x)"  # noqa: S608  our own names
    return Table(name, columns, source, keys=keys, texts=texts, shrinks=True)


MESSAGES: Final = _of_turns(
    "message",
    ("turn_id", "version", "position", "id", "role", "name", "content"),
    3,
    ("turn_id",),
)
VERSIONS: Final = _of_turns(
    "version", ("turn_id", "number", "extraction", "created_at", "occurred_at"), 2, ("turn_id",)
)
SOURCES: Final = _of_turns("source", ("memory_id", "turn_id"), 2, ("turn_id",))

BRANCHES: Final = _of_scopes(
    "branch",
    ("scope_id", "conversation_id", "id", "parent", "forked_at", "created_at"),
    3,
    ("conversation_id", "id"),
)
PATHS: Final = _of_scopes(
    "path",
    ("scope_id", "conversation_id", "branch_id", "number", "turn_id"),
    4,
    ("conversation_id", "branch_id"),
)
ITEMS: Final = _of_scopes(
    "item",
    (
        *("memory_id", "doc", "uid", "scope_id", "scope_kind", "kind", "tier", "fact_key"),
        *("importance", "confidence", "floor_id", "message_id", "job_id", "status", "lifecycle"),
        *("wrapped", "tokens", "used_at", "coverage_start", "coverage_end", "derived_from"),
        *("pinned", "extractor", "note", "origin", "turn_id", "version", "edited", "displaced_by"),
        *("edited_at", "decided_at"),
        *("created_at", "updated_at"),
    ),
    1,
    (),
)
ITEM_TALLIES: Final = _of_scopes(
    "item_tally",
    (
        *("scope_id", "kind", "tier", "status", "lifecycle"),
        *("items", "importance", "confidence", "tokens"),
    ),
    5,
    ("kind", "tier", "status", "lifecycle"),
)
STRUCK: Final = _of_scopes("struck", ("scope_id", "uid", "struck_at", "origin"), 2, ("uid",))
SCOPE_STATES: Final = _of_scopes(
    "scope_state", ("scope_id", "revision", "last_floor", "compacted_at", "updated_at"), 1, ()
)

JOBS: Final = Table(
    name="job",
    columns=("id", "payload", "last_error", "created_at"),
    source=(
        "(select j.*, q.scope_id as scope from job j cross join job_queue q"
        " on q.account_id = j.account_id and q.job_id = j.id)"
    ),
    texts=("id",),
    shrinks=True,
)
QUEUED: Final = _of_scopes(
    "job_queue",
    (
        *("job_id", "number", "scope_id", "kind", "status", "progress", "attempts"),
        *("max_attempts", "run_at", "lease", "worker", "lease_until", "updated_at"),
        *("finished_at", "floor_id", "revision"),
    ),
    1,
    ("job_id",),
)

ERASURES: Final = Table(
    name="erasure",
    columns=(
        *("id", "kind", "account", "mark", "made_at", "number", "subject", "counts", "actor"),
        *("erased_at", "finished_at"),
    ),
    # It knows no scope: it is told with the account's first.
    source=(
        "(select e.*, (select min(s.id) from scope s where s.account_id = e.account_id) as scope"
        " from erasure e)"
    ),
    texts=("id",),
)

# In the order in which they refer to each other. The scopes' clocks come last: whoever looks at
# the target meanwhile reads on only when a clock has moved, and then everything is there.
TABLES: Final = (
    *(EPISODES, MEMORIES, PAYLOADS, DOCUMENTS, VECTORS, EDGES, EVENTS),
    *(TALLIES, ACTIVITIES, USAGES, CONVERSATIONS, TURNS, MESSAGES, SOURCES),
    *(PASSAGES, VERSIONS, BRANCHES, PATHS, ITEMS, ITEM_TALLIES, STRUCK, SCOPE_STATES),
    *(JOBS, QUEUED, ERASURES, SCOPES),
)
