"""A question to the memory, with everything that restricts or orders the answer."""

from dataclasses import dataclass
from datetime import datetime

from mnemic.records.filters import EVERYTHING, Filter, Near
from mnemic.records.memory import DEFAULT_SCOPE, RecallMode, Scope


@dataclass(frozen=True, slots=True)
class Query:
    """What to recall. `filter`, `episode_id` and `min_confidence` restrict before ranking.

    `near` sorts by distance instead of by score. `mode` names the channels to ask; one that is
    not available is left out. Hits below `min_relevance` are left out; where even the best hit
    falls below `floor`, nothing is returned. `explain` tells how the answer came about.

    A `matching` query gets only memories that match, each with its `fit`, and is told how many
    match in all. By its words every memory of the scopes is judged; by meaning alone only
    candidates are, and only with the default embedder. It cannot be joined with `near`.

    `as_of` asks for what was known at that time. `time_zone` names where whoever asks is, and so
    which days "yesterday" and "March 9" are; without it, the setting does.

    A recall writes nothing but, in the background, that the hits were used; a `traceless` one not
    even that.
    """

    text: str
    scopes: tuple[Scope, ...] = (DEFAULT_SCOPE,)
    limit: int = 5
    min_confidence: float = 0.0
    episode_id: str | None = None
    other_than_episode: str | None = None
    filter: Filter = EVERYTHING
    near: Near | None = None
    mode: RecallMode = "hybrid"
    min_relevance: float = 0.0
    floor: float = 0.0
    matching: bool = False
    explain: bool = False
    traceless: bool = False
    as_of: datetime | None = None
    time_zone: str | None = None
