"""One account, as somebody sees it who looks at all of it."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from mnemic.administration.looking import edge_graph, payload_parts, places, summing_up, why_not
from mnemic.administration.looking.edge_graph import EdgeGraph
from mnemic.administration.looking.payload_parts import PayloadParts, Window
from mnemic.administration.looking.places import CoordinatePath, Points, PointsWanted
from mnemic.administration.looking.summing_up import Attention, Summary
from mnemic.administration.looking.why_not import WhyNot
from mnemic.memory.retrieval.lookups import browse, payload
from mnemic.memory.retrieval.recall import recall
from mnemic.memory.texts.sensitivity import is_secret
from mnemic.memory.workspace import Workspace
from mnemic.records.filters import of_kinds
from mnemic.records.item import Page
from mnemic.records.memory import Episode, EpisodeStatus, Memory, Recalled, Scope, ScopeKind, Verb
from mnemic.records.query import Query
from mnemic.storage.rows import (
    conversation_rows,
    episode_rows,
    event_rows,
    memory_rows,
    passage_rows,
    scope_rows,
)
from mnemic.storage.rows.conversation_rows import SourceMessage
from mnemic.storage.rows.event_rows import FeedEvent
from mnemic.storage.rows.scope_rows import ListedScope

_PERCEPTIONS: Final = of_kinds(["perception"])


@dataclass(frozen=True, slots=True)
class RecallReport:
    """An answer with how it came about, and why a memory that was asked for is not in it."""

    recalled: Recalled
    why_not: WhyNot | None


class AccountView:
    """One account for whoever looks at it. It only reads. Safe to share between threads."""

    def __init__(self, workspace: Workspace) -> None:
        self._workspace = workspace
        self._db = workspace.db

    def events(
        self,
        *,
        before_id: int | None = None,
        until: datetime | None = None,
        after_id: int | None = None,
        verb: Verb | None = None,
        scope: Scope | None = None,
        limit: int = 50,
    ) -> list[FeedEvent]:
        """Return what happened until a time, the latest first, or in order what came after an
        event.
        """
        scope_id = self._scope_id(scope)
        if scope is not None and scope_id is None:
            return []
        if after_id is not None:
            return event_rows.after(self._db, after_id, verb=verb, scope_id=scope_id, limit=limit)
        return event_rows.before(
            self._db, before_id, until=until, verb=verb, scope_id=scope_id, limit=limit
        )

    def last_event(self) -> int:
        """Return the number of the last event; 0 where nothing ever happened."""
        return event_rows.last(self._db)

    def episodes(
        self,
        *,
        scope: Scope | None = None,
        status: EpisodeStatus | None = None,
        limit: int = 50,
        offset: int = 0,
    ) -> Page[tuple[Episode, int]]:
        """Return a page of the runs, the last begun first, each with how many memories it has."""
        scope_id = self._scope_id(scope)
        if scope is not None and scope_id is None:
            return Page((), 0)
        return episode_rows.page(
            self._db, scope_id=scope_id, status=status, limit=limit, offset=offset
        )

    def scopes(
        self, kind: ScopeKind, *, part: str | None = None, after: str = "", limit: int = 50
    ) -> list[ListedScope]:
        """Return a page of the scopes of a kind whose name has a part, by name. The next page
        begins after the last name of this one.
        """
        return scope_rows.page(self._db, kind, part=part, after=after, limit=limit)

    def perceptions(
        self, scope: Scope, *, before_id: int | None = None, limit: int = 50
    ) -> list[Memory]:
        """Return a page of the perceptions in use of a scope, the newest first."""
        return browse(self._workspace, scope, filter=_PERCEPTIONS, before_id=before_id, limit=limit)

    def perceptions_of(self, episode_id: str) -> list[Memory]:
        """Return the perceptions of a run, in their order, whatever their status."""
        memories = memory_rows.of_episode(self._db, episode_id)
        return [memory for memory in memories if memory.kind == "perception"]

    def payload_parts(self, memory_id: int) -> PayloadParts:
        """Return what can be shown of what a sensor delivered."""
        kept = payload(self._workspace, memory_id)
        return payload_parts.parts_of((kept and kept.data) or "")

    def payload_window(
        self, memory_id: int, path: str, *, start: int, end: int | None, values: int
    ) -> Window | None:
        """Return a part of a series of a payload in at most so many values; None where there is no
        such series.
        """
        kept = payload(self._workspace, memory_id)
        if kept is None or kept.data is None:
            return None
        return payload_parts.window(kept.data, path, start=start, end=end, values=values)

    def passages(self, memory_id: int) -> list[tuple[int, int]]:
        """Return into which parts a long text was cut to be found."""
        self._workspace.existing(memory_id)
        return passage_rows.of_memory(self._db, memory_id)

    def sources(self, memory_id: int, *, limit: int = 50) -> list[SourceMessage]:
        """Return what was said in the turns that a memory was made from."""
        self._workspace.existing(memory_id)
        return conversation_rows.sources(self._db, memory_id, limit=limit)

    def edge_graph(self, memory_id: int, *, hops: int, limit: int) -> EdgeGraph:
        """Return what a memory is related to, over so many edges."""
        return edge_graph.edge_graph(self._workspace, memory_id, hops=hops, limit=limit)

    def points(self, wanted: PointsWanted) -> Points:
        """Return a page of the places that memories of a scope have at a path of their context."""
        return places.points(self._workspace, wanted)

    def coordinate_paths(self, scope: Scope) -> list[CoordinatePath]:
        """Return at which paths the newest memories of a scope have places, the most used first."""
        return places.coordinate_paths(self._workspace, scope)

    def explain(self, query: Query, *, memory_id: int | None = None) -> RecallReport:
        """Answer a query with how the answer came about, and tell why a memory is not in it."""
        recalled = recall(self._workspace, query)
        if memory_id is None:
            return RecallReport(recalled, None)
        return RecallReport(recalled, why_not.why_not(self._workspace, query, recalled, memory_id))

    def summary(self, *, scopes: int = 50) -> Summary:
        """Return what the account holds and what lately happened, without reading a memory."""
        return summing_up.summary(self._workspace, scopes=scopes)

    def attention(self) -> Attention:
        """Return what somebody should look at."""
        return summing_up.attention(self._workspace)

    def secret(self, memories: Sequence[Memory]) -> set[int]:
        """Return which memories are marked as sensitive."""
        return {memory.id for memory in memories if is_secret(memory, self._covered())}

    def hides(self, event: FeedEvent) -> bool:
        """Tell whether the text of the memory behind an event is sensitive."""
        return event.memory_kind in self._covered() or event.is_sensitive

    def _covered(self) -> frozenset[str]:
        # What stands in the vault is covered on a screen, also where a chat may quote it.
        return self._workspace.settings.secret_kinds | {"knowledge_vault"}

    def _scope_id(self, scope: Scope | None) -> int | None:
        ids = () if scope is None else self._workspace.scope_ids((scope,))
        return ids[0] if ids else None
