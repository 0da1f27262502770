"""What the verbs of a client take and return: as those of an open memory do.

This file is made by `python docs/generate.py`.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from datetime import datetime
from mnemic.administration.stats import AccountStats, Linked
from mnemic.chat.jobs.maintain import Aged
from mnemic.client.calls import Call
from mnemic.dialects.assistant.inputs import Params
from mnemic.dialects.assistant.tools import Envelope
from mnemic.dialects.robot import answers
from mnemic.dialects.robot.inputs import JsonInput
from mnemic.dialects.robot.tools import ChangeList, LearnedList, RecordList
from mnemic.memory.revise import Revised
from mnemic.records.conversation import Branch, Compaction, ContextBlock, ContextQuery, Ingest, IngestMode, JobFilter, JobSort, Line, Queued, ScopeState, Session, SessionSort, StateSort, Turn, TurnDraft
from mnemic.records.erasure import ErasedKind, Erasure
from mnemic.records.filters import Filter
from mnemic.records.item import Edge, Item, ItemChange, ItemFilter, ItemStats, ItemStatus, NewItem, Order, Page, Paging, Relation
from mnemic.records.memory import Answer, Chat, Context, Conversation, Draft, Episode, EpisodeReport, Event, Job, Memory, MemoryKind, MemoryStatus, Message, Overview, Payload, Profile, Recalled, Remembered, Scope, ScopeKind
from mnemic.records.query import Query
from typing import Any

class EngineVerbs:
    def __init__(self, send: Callable[[Call], Any]) -> None: ...

    def remember(self, draft: Draft) -> Remembered:
        """Store a memory, or tell which one already says it."""
        ...

    def remember_many(self, drafts: Sequence[Draft]) -> list[Remembered]:
        """Store memories in one transaction: all of them, or none where one is refused.

        A draft that repeats what its scope holds, or an earlier draft, is reported as a duplicate.
        Where reading them takes too long, they are stored as they are, which an error tells.
        """
        ...

    def recall(self, query: Query) -> Recalled:
        """Return the memories that answer a query, best first, each with its reasons."""
        ...

    def get(self, memory_id: int) -> Memory:
        """Return one memory, whatever its status."""
        ...

    def payload(self, memory_id: int) -> Payload | None:
        """Return what a sensor delivered with a memory, byte for byte."""
        ...

    def browse(self, scope: Scope=..., *, status: MemoryStatus | None=..., category: str | None=..., filter: Filter | None=..., limit: int=..., before_id: int | None=..., as_of: datetime | None=...) -> list[Memory]:
        """Return a page of memories, newest first; the next page starts before the last id. `as_of`
        asks for the state at that time.
        """
        ...

    def count(self, scope: Scope=..., *, kinds: Collection[MemoryKind] | None=..., as_of: datetime | None=...) -> int:
        """Return how many memories of a scope are in use, or of some kinds of them. `as_of` asks how
        many it were at that time.
        """
        ...

    def revise(self, memory_id: int, content: str, *, context: Context | None=...) -> Revised:
        """Give a memory a new text, and a new context where one is given; the old version stays in the
        history.

        Category, confidence, tags, files, summary, hash, search entry and vector follow the text.
        """
        ...

    def forget(self, memory_id: int, *, reason: str) -> Memory:
        """Take a memory out of use; it stays readable, and `undo` brings it back."""
        ...

    def supersede(self, new_id: int, old_ids: Sequence[int], *, reason: str=...) -> list[Memory]:
        """Let a memory end older ones of its scope; return those that it ended.

        What is out of use, ended already, of another scope, or happened after the newer one is left as
        it is, and so is a number that is no memory's: whoever guesses does no harm.
        """
        ...

    def history(self, memory_id: int) -> list[Event]:
        """Return everything that happened to a memory, oldest first."""
        ...

    def links(self, memory_id: int, *, limit: int=...) -> list[Linked]:
        """Return what a memory is related to, in both directions."""
        ...

    def stats(self, *, scopes: int=...) -> AccountStats:
        """Return what the account holds, with the fullest scopes of each kind."""
        ...

    def undo(self, memory_id: int) -> Memory:
        """Bring back the version before the last change; again, and it goes further back."""
        ...

    def start_episode(self, scope: Scope=..., *, context: Context | None=...) -> tuple[Episode, int]:
        """Begin a run; return it and how many memories it can draw on."""
        ...

    def end_episode(self, episode_id: str, *, outcome_score: float | None=...) -> EpisodeReport:
        """End a run: age the scope, merge what the run said twice, recall what resembles it."""
        ...

    def converse(self, chat: Chat) -> Answer:
        """Reply to a message from what is remembered, and keep the turn unless told not to.

        The configured model replies, else `sampling`, which is the client's own, else the memory
        itself. No transaction is open meanwhile. The turn, and what it tells about the user, are
        written together before this returns, or raises because reading it took too long.
        """
        ...

    def conversations(self, scope: Scope, *, limit: int=..., offset: int=...) -> list[Conversation]:
        """Return a page of a user's conversations, the last used first."""
        ...

    def messages(self, scope: Scope, conversation_id: str, *, first: int=..., turns: int=...) -> list[Message]:
        """Return what was said in some turns of a conversation, from the first one on, in order."""
        ...

    def delete_conversation(self, scope: Scope, conversation_id: str) -> int:
        """Delete a conversation; return how many memories were made from it alone and go too."""
        ...

    def erase(self, kind: ErasedKind, name: str | int, *, user: str=..., dry_run: bool=...) -> Erasure:
        """Remove a memory, conversation, session, user, collection or account and all that follows
        from it, for ever; return the receipt, which holds nothing of it.

        `user` is whose conversation it is. A dry run changes nothing, and counts what would go.
        """
        ...

    def erasures(self) -> list[Erasure]:
        """Return the receipts of what was erased, the oldest first."""
        ...

    def profile(self, scope: Scope, *, as_of: datetime | None=...) -> Profile | None:
        """Return what a scope holds and how it is used; None where nothing was ever put there.

        `as_of` asks what it held at that time; what was done is told as of now.
        """
        ...

    def overview(self) -> Overview:
        """Return what the account holds, counted without reading its memories."""
        ...

    def newest(self, *, limit: int=...) -> list[Memory]:
        """Return the newest memories in use, over all scopes; secret ones are left out."""
        ...

    def empty_profile(self, scope: Scope) -> Profile:
        """Return the profile of a scope that nothing was put into yet."""
        ...

    def now(self) -> datetime:
        """Return the time as this memory's clock has it."""
        ...

class AsyncEngineVerbs:
    def __init__(self, send: Callable[[Call], Any]) -> None: ...

    async def remember(self, draft: Draft) -> Remembered:
        """Store a memory, or tell which one already says it."""
        ...

    async def remember_many(self, drafts: Sequence[Draft]) -> list[Remembered]:
        """Store memories in one transaction: all of them, or none where one is refused.

        A draft that repeats what its scope holds, or an earlier draft, is reported as a duplicate.
        Where reading them takes too long, they are stored as they are, which an error tells.
        """
        ...

    async def recall(self, query: Query) -> Recalled:
        """Return the memories that answer a query, best first, each with its reasons."""
        ...

    async def get(self, memory_id: int) -> Memory:
        """Return one memory, whatever its status."""
        ...

    async def payload(self, memory_id: int) -> Payload | None:
        """Return what a sensor delivered with a memory, byte for byte."""
        ...

    async def browse(self, scope: Scope=..., *, status: MemoryStatus | None=..., category: str | None=..., filter: Filter | None=..., limit: int=..., before_id: int | None=..., as_of: datetime | None=...) -> list[Memory]:
        """Return a page of memories, newest first; the next page starts before the last id. `as_of`
        asks for the state at that time.
        """
        ...

    async def count(self, scope: Scope=..., *, kinds: Collection[MemoryKind] | None=..., as_of: datetime | None=...) -> int:
        """Return how many memories of a scope are in use, or of some kinds of them. `as_of` asks how
        many it were at that time.
        """
        ...

    async def revise(self, memory_id: int, content: str, *, context: Context | None=...) -> Revised:
        """Give a memory a new text, and a new context where one is given; the old version stays in the
        history.

        Category, confidence, tags, files, summary, hash, search entry and vector follow the text.
        """
        ...

    async def forget(self, memory_id: int, *, reason: str) -> Memory:
        """Take a memory out of use; it stays readable, and `undo` brings it back."""
        ...

    async def supersede(self, new_id: int, old_ids: Sequence[int], *, reason: str=...) -> list[Memory]:
        """Let a memory end older ones of its scope; return those that it ended.

        What is out of use, ended already, of another scope, or happened after the newer one is left as
        it is, and so is a number that is no memory's: whoever guesses does no harm.
        """
        ...

    async def history(self, memory_id: int) -> list[Event]:
        """Return everything that happened to a memory, oldest first."""
        ...

    async def links(self, memory_id: int, *, limit: int=...) -> list[Linked]:
        """Return what a memory is related to, in both directions."""
        ...

    async def stats(self, *, scopes: int=...) -> AccountStats:
        """Return what the account holds, with the fullest scopes of each kind."""
        ...

    async def undo(self, memory_id: int) -> Memory:
        """Bring back the version before the last change; again, and it goes further back."""
        ...

    async def start_episode(self, scope: Scope=..., *, context: Context | None=...) -> tuple[Episode, int]:
        """Begin a run; return it and how many memories it can draw on."""
        ...

    async def end_episode(self, episode_id: str, *, outcome_score: float | None=...) -> EpisodeReport:
        """End a run: age the scope, merge what the run said twice, recall what resembles it."""
        ...

    async def converse(self, chat: Chat) -> Answer:
        """Reply to a message from what is remembered, and keep the turn unless told not to.

        The configured model replies, else `sampling`, which is the client's own, else the memory
        itself. No transaction is open meanwhile. The turn, and what it tells about the user, are
        written together before this returns, or raises because reading it took too long.
        """
        ...

    async def conversations(self, scope: Scope, *, limit: int=..., offset: int=...) -> list[Conversation]:
        """Return a page of a user's conversations, the last used first."""
        ...

    async def messages(self, scope: Scope, conversation_id: str, *, first: int=..., turns: int=...) -> list[Message]:
        """Return what was said in some turns of a conversation, from the first one on, in order."""
        ...

    async def delete_conversation(self, scope: Scope, conversation_id: str) -> int:
        """Delete a conversation; return how many memories were made from it alone and go too."""
        ...

    async def erase(self, kind: ErasedKind, name: str | int, *, user: str=..., dry_run: bool=...) -> Erasure:
        """Remove a memory, conversation, session, user, collection or account and all that follows
        from it, for ever; return the receipt, which holds nothing of it.

        `user` is whose conversation it is. A dry run changes nothing, and counts what would go.
        """
        ...

    async def erasures(self) -> list[Erasure]:
        """Return the receipts of what was erased, the oldest first."""
        ...

    async def profile(self, scope: Scope, *, as_of: datetime | None=...) -> Profile | None:
        """Return what a scope holds and how it is used; None where nothing was ever put there.

        `as_of` asks what it held at that time; what was done is told as of now.
        """
        ...

    async def overview(self) -> Overview:
        """Return what the account holds, counted without reading its memories."""
        ...

    async def newest(self, *, limit: int=...) -> list[Memory]:
        """Return the newest memories in use, over all scopes; secret ones are left out."""
        ...

    async def empty_profile(self, scope: Scope) -> Profile:
        """Return the profile of a scope that nothing was put into yet."""
        ...

    async def now(self) -> datetime:
        """Return the time as this memory's clock has it."""
        ...

class RobotVerbs:
    def __init__(self, send: Callable[[Call], Any]) -> None: ...

    def learn(self, insight: str, context: JsonInput=..., collection: str=..., session_id: str | None=..., *, occurred_at: str | None=...) -> answers.Learned:
        """Keep one lesson that should change what is done next time: a fact, a strategy, a mistake.

        Numbers and outcomes go into context. What is known is answered with `duplicate`.
        """
        ...

    def learn_many(self, insights: Sequence[str | Mapping[str, Any]], collection: str=..., session_id: str | None=...) -> LearnedList:
        """Record many lessons in one step: all of them, or none where one is refused.

        Each is a text, or an object with `insight` and, where wanted, `context`, `collection`,
        `session_id` and `occurred_at`.
        """
        ...

    def recall(self, query: str, collection: str=..., n: int=..., min_confidence: float=..., session_id: str | None=..., context_filter: JsonInput=..., spatial_sort: JsonInput=..., *, min_relevance: float=..., explain: bool=..., as_of: str | None=...) -> answers.Recollection:
        """Find past experience that resembles a situation, best first.

        Call it before acting, with the task in plain words. No result: nothing like it was tried.
        """
        ...

    def save_perception(self, description: str, perception_type: str=..., data: JsonInput=..., metadata: JsonInput=..., collection: str=..., session_id: str | None=..., *, occurred_at: str | None=...) -> answers.Perceived:
        """Keep what a sensor delivered: a scene, a force reading, a trajectory.

        Recall finds it by its description. Said twice, it is kept twice.
        """
        ...

    def forget(self, memory_id: int, reason: str) -> answers.Forgotten:
        """Take a wrong memory out of use. It stays in the history; erase removes it."""
        ...

    def update(self, memory_id: int, new_content: str, context: JsonInput=...) -> answers.Updated:
        """Correct a memory's text and, where given, its context; the old version stays in the
        history.
        """
        ...

    def start_session(self, collection: str=..., context: JsonInput=...) -> answers.SessionStarted:
        """Begin a run and get its id, to be given along with what is learned and sensed in it."""
        ...

    def end_session(self, session_id: str, outcome_score: float | None=...) -> answers.SessionEnded:
        """End a run: merge what it said twice, age unused memories, and answer with what other runs
        learned about the same.
        """
        ...

    def get(self, memory_id: int, *, reveal: bool=...) -> answers.Record:
        """Return one memory in full, whatever its status, with its sensor data as given."""
        ...

    def list(self, collection: str=..., status: str=..., category: str | None=..., context_filter: JsonInput=..., n: int=..., before_id: int | None=..., as_of: str | None=..., *, reveal: bool=...) -> RecordList:
        """List memories, newest first; for the next page give the last id as `before_id`."""
        ...

    def history(self, memory_id: int, *, reveal: bool=...) -> ChangeList:
        """Tell everything that happened to a memory, oldest first."""
        ...

    def undo(self, memory_id: int) -> answers.Record:
        """Bring back a forgotten, merged or overwritten memory; again goes one change further."""
        ...

    def erase(self, memory_id: int | None=..., collection: str | None=..., dry_run: bool=...) -> answers.Erased:
        """Remove a memory, or a whole collection, with all that follows from it, for ever.

        Nothing brings it back. Give one of the two; dry_run counts what would go.
        """
        ...

class AsyncRobotVerbs:
    def __init__(self, send: Callable[[Call], Any]) -> None: ...

    async def learn(self, insight: str, context: JsonInput=..., collection: str=..., session_id: str | None=..., *, occurred_at: str | None=...) -> answers.Learned:
        """Keep one lesson that should change what is done next time: a fact, a strategy, a mistake.

        Numbers and outcomes go into context. What is known is answered with `duplicate`.
        """
        ...

    async def learn_many(self, insights: Sequence[str | Mapping[str, Any]], collection: str=..., session_id: str | None=...) -> LearnedList:
        """Record many lessons in one step: all of them, or none where one is refused.

        Each is a text, or an object with `insight` and, where wanted, `context`, `collection`,
        `session_id` and `occurred_at`.
        """
        ...

    async def recall(self, query: str, collection: str=..., n: int=..., min_confidence: float=..., session_id: str | None=..., context_filter: JsonInput=..., spatial_sort: JsonInput=..., *, min_relevance: float=..., explain: bool=..., as_of: str | None=...) -> answers.Recollection:
        """Find past experience that resembles a situation, best first.

        Call it before acting, with the task in plain words. No result: nothing like it was tried.
        """
        ...

    async def save_perception(self, description: str, perception_type: str=..., data: JsonInput=..., metadata: JsonInput=..., collection: str=..., session_id: str | None=..., *, occurred_at: str | None=...) -> answers.Perceived:
        """Keep what a sensor delivered: a scene, a force reading, a trajectory.

        Recall finds it by its description. Said twice, it is kept twice.
        """
        ...

    async def forget(self, memory_id: int, reason: str) -> answers.Forgotten:
        """Take a wrong memory out of use. It stays in the history; erase removes it."""
        ...

    async def update(self, memory_id: int, new_content: str, context: JsonInput=...) -> answers.Updated:
        """Correct a memory's text and, where given, its context; the old version stays in the
        history.
        """
        ...

    async def start_session(self, collection: str=..., context: JsonInput=...) -> answers.SessionStarted:
        """Begin a run and get its id, to be given along with what is learned and sensed in it."""
        ...

    async def end_session(self, session_id: str, outcome_score: float | None=...) -> answers.SessionEnded:
        """End a run: merge what it said twice, age unused memories, and answer with what other runs
        learned about the same.
        """
        ...

    async def get(self, memory_id: int, *, reveal: bool=...) -> answers.Record:
        """Return one memory in full, whatever its status, with its sensor data as given."""
        ...

    async def list(self, collection: str=..., status: str=..., category: str | None=..., context_filter: JsonInput=..., n: int=..., before_id: int | None=..., as_of: str | None=..., *, reveal: bool=...) -> RecordList:
        """List memories, newest first; for the next page give the last id as `before_id`."""
        ...

    async def history(self, memory_id: int, *, reveal: bool=...) -> ChangeList:
        """Tell everything that happened to a memory, oldest first."""
        ...

    async def undo(self, memory_id: int) -> answers.Record:
        """Bring back a forgotten, merged or overwritten memory; again goes one change further."""
        ...

    async def erase(self, memory_id: int | None=..., collection: str | None=..., dry_run: bool=...) -> answers.Erased:
        """Remove a memory, or a whole collection, with all that follows from it, for ever.

        Nothing brings it back. Give one of the two; dry_run counts what would go.
        """
        ...

class AssistantVerbs:
    def __init__(self, send: Callable[[Call], Any]) -> None: ...

    def call(self, name: str, params: Params | None=...) -> Envelope:
        """Call a tool and return its envelope. `sampling` replies where no model is configured."""
        ...

class AsyncAssistantVerbs:
    def __init__(self, send: Callable[[Call], Any]) -> None: ...

    async def call(self, name: str, params: Params | None=...) -> Envelope:
        """Call a tool and return its envelope. `sampling` replies where no model is configured."""
        ...

class ChatVerbs:
    def __init__(self, send: Callable[[Call], Any]) -> None: ...

    def erase(self, kind: ErasedKind, name: str | int, *, user: str=..., dry_run: bool=...) -> Erasure:
        """Remove something with all that follows from it, for ever: see `Engine.erase`."""
        ...

    def erasures(self, *, limit: int=..., offset: int=...) -> Page[Erasure]:
        """Return a page of the receipts of what was erased, the newest first."""
        ...

    def create_item(self, new: NewItem) -> Item:
        """Store an item as it was written; return it once it is kept."""
        ...

    def item(self, item_id: str) -> Item:
        """Return an item; a memory of a robot or a user, called `mem_…`, is shown as one."""
        ...

    def items(self, wanted: ItemFilter, paging: Paging=..., *, as_of: datetime | None=...) -> Page[Item]:
        """Return a page of the items that a filter means, and how many those are in all. `as_of` asks
        for those of a time, as they stood then; words are looked for in what they say now.
        """
        ...

    def item_stats(self, wanted: ItemFilter) -> ItemStats:
        """Return what the items that a filter means come to."""
        ...

    def change_item(self, item_id: str, wanted: ItemChange) -> Item:
        """Change what is named of an item; return it as it is then."""
        ...

    def delete_item(self, item_id: str) -> None:
        """Delete an item, with its edges."""
        ...

    def delete_items(self, ids: Sequence[str]) -> list[bool]:
        """Delete items, all in one transaction; tell of each whether it was there."""
        ...

    def set_status(self, ids: Sequence[str], status: ItemStatus) -> list[Item | None]:
        """Give items a status, all in one transaction; None for what is not there."""
        ...

    def create_edge(self, from_id: str, to_id: str, relation: Relation) -> Edge:
        """Relate two memories, which may be the same one; return the edge once it is kept."""
        ...

    def edge(self, edge_id: str) -> Edge:
        """Return an edge."""
        ...

    def edges(self, *, from_id: str | None=..., to_id: str | None=..., relation: Relation | None=..., order: Order=..., limit: int=..., offset: int=...) -> Page[Edge]:
        """Return a page of the edges that begin, end or are called as asked, by time."""
        ...

    def change_edge(self, edge_id: str, relation: Relation) -> Edge:
        """Call an edge by another relation; return it."""
        ...

    def delete_edge(self, edge_id: str) -> None:
        """Delete an edge."""
        ...

    def jobs(self, wanted: JobFilter, *, sort: JobSort=..., order: Order=..., limit: int=..., offset: int=...) -> Page[Job]:
        """Return a page of the background work that a filter means."""
        ...

    def job(self, job_id: str) -> Job:
        """Return one job."""
        ...

    def retry_job(self, job_id: str) -> Queued:
        """Enqueue a dead or cancelled job anew, with all its attempts."""
        ...

    def cancel_job(self, job_id: str) -> Queued:
        """Cancel a job that waits."""
        ...

    def scope_states(self, *, scope_kind: ScopeKind | None=..., scope_name: str | None=..., sort: StateSort=..., order: Order=..., limit: int=..., offset: int=...) -> Page[ScopeState]:
        """Return a page of how far the background work of scopes is."""
        ...

    def rebuild(self, scope: Scope, *, trigger_floor_id: str | None=..., force_compaction: bool=...) -> Queued:
        """Enqueue the rebuilding of a scope from its turns."""
        ...

    def compact(self, scope: Scope, *, trigger_floor_id: str | None=..., force: bool=...) -> Compaction:
        """Enqueue a compaction of a scope's summaries; refuse where there is nothing to compact.

        While one is under way it is told again.
        """
        ...

    def maintenance(self, scope: Scope) -> list[Aged]:
        """Return what maintenance of a scope would do now, without doing it."""
        ...

    def maintain(self, scope: Scope) -> Queued:
        """Enqueue the maintenance of a scope."""
        ...

    def maintain_all(self) -> int:
        """Enqueue the maintenance of every scope that needs it and had none today; return of how
        many.
        """
        ...

    def create_session(self, session_id: str | None=...) -> Session:
        """Begin a session, under an id of the caller's or a new one."""
        ...

    def sessions(self, *, sort: SessionSort=..., order: Order=..., limit: int=..., offset: int=...) -> Page[Session]:
        """Return a page of the sessions."""
        ...

    def session(self, session_id: str) -> Session:
        """Return one session."""
        ...

    def delete_session(self, session_id: str) -> None:
        """Delete a session with all that was said, is remembered and is to be done."""
        ...

    def branches(self, session_id: str, *, order: Order=..., limit: int=..., offset: int=...) -> Page[Branch]:
        """Return a page of a session's branches, by the time they were made."""
        ...

    def create_branch(self, session_id: str, branch_id: str, *, from_branch: str=..., at_floor_no: int | None=...) -> Branch:
        """Fork a branch at a floor: it begins with the turns and the memory up to there, at -1 with no
        turn at all.

        Nothing of it ever reaches the branch that it came from.
        """
        ...

    def delete_branch(self, session_id: str, branch_id: str) -> None:
        """Delete a branch with its own turns, memory and jobs."""
        ...

    def add_turn(self, session_id: str, lines: Sequence[Line], *, branch_id: str=..., mode: IngestMode=..., idempotency_key: str | None=..., occurred_at: datetime | None=...) -> tuple[Turn, Ingest]:
        """Add a turn; it is taken in by a worker, or, with `sync`, before this returns. `occurred_at`
        tells when it was said, where that was not just now.
        """
        ...

    def add_turns(self, session_id: str, turns: Sequence[TurnDraft], *, branch_id: str=...) -> list[tuple[Turn, Queued]]:
        """Add turns in their order, with all of their versions; workers take them in. Of each it is
        told where it stands, and which job takes it in: one with a known `idempotency_key` is there
        already. So many go into a transaction; where something goes wrong, the error tells how many
        turns are kept, and the same call goes on there.
        """
        ...

    def turns(self, session_id: str, *, branch_id: str=..., order: Order=..., limit: int=..., offset: int=...) -> Page[Turn]:
        """Return a page of a branch's turns, each with its active version."""
        ...

    def turn(self, session_id: str, floor_id: str) -> Turn:
        """Return one turn with its active version."""
        ...

    def turn_versions(self, session_id: str, floor_id: str) -> tuple[tuple[Line, ...], ...]:
        """Return what was said in each version of a turn, by their numbers."""
        ...

    def change_turn(self, session_id: str, floor_id: str, *, lines: Sequence[Line] | None=..., version: int | None=..., mode: IngestMode=..., occurred_at: datetime | None=...) -> tuple[Turn, Ingest]:
        """Give a turn a new version, or make another one active. What came from the one before is
        gone at once. A new version was said when the one before was, unless `occurred_at` tells.
        """
        ...

    def delete_turn(self, session_id: str, floor_id: str) -> None:
        """Delete a turn from every branch, with what came from it.

        The other turns keep their numbers.
        """
        ...

    def context(self, query: ContextQuery) -> ContextBlock:
        """Return what to inject for a query, with reasons; what is chosen counts as used."""
        ...

class AsyncChatVerbs:
    def __init__(self, send: Callable[[Call], Any]) -> None: ...

    async def erase(self, kind: ErasedKind, name: str | int, *, user: str=..., dry_run: bool=...) -> Erasure:
        """Remove something with all that follows from it, for ever: see `Engine.erase`."""
        ...

    async def erasures(self, *, limit: int=..., offset: int=...) -> Page[Erasure]:
        """Return a page of the receipts of what was erased, the newest first."""
        ...

    async def create_item(self, new: NewItem) -> Item:
        """Store an item as it was written; return it once it is kept."""
        ...

    async def item(self, item_id: str) -> Item:
        """Return an item; a memory of a robot or a user, called `mem_…`, is shown as one."""
        ...

    async def items(self, wanted: ItemFilter, paging: Paging=..., *, as_of: datetime | None=...) -> Page[Item]:
        """Return a page of the items that a filter means, and how many those are in all. `as_of` asks
        for those of a time, as they stood then; words are looked for in what they say now.
        """
        ...

    async def item_stats(self, wanted: ItemFilter) -> ItemStats:
        """Return what the items that a filter means come to."""
        ...

    async def change_item(self, item_id: str, wanted: ItemChange) -> Item:
        """Change what is named of an item; return it as it is then."""
        ...

    async def delete_item(self, item_id: str) -> None:
        """Delete an item, with its edges."""
        ...

    async def delete_items(self, ids: Sequence[str]) -> list[bool]:
        """Delete items, all in one transaction; tell of each whether it was there."""
        ...

    async def set_status(self, ids: Sequence[str], status: ItemStatus) -> list[Item | None]:
        """Give items a status, all in one transaction; None for what is not there."""
        ...

    async def create_edge(self, from_id: str, to_id: str, relation: Relation) -> Edge:
        """Relate two memories, which may be the same one; return the edge once it is kept."""
        ...

    async def edge(self, edge_id: str) -> Edge:
        """Return an edge."""
        ...

    async def edges(self, *, from_id: str | None=..., to_id: str | None=..., relation: Relation | None=..., order: Order=..., limit: int=..., offset: int=...) -> Page[Edge]:
        """Return a page of the edges that begin, end or are called as asked, by time."""
        ...

    async def change_edge(self, edge_id: str, relation: Relation) -> Edge:
        """Call an edge by another relation; return it."""
        ...

    async def delete_edge(self, edge_id: str) -> None:
        """Delete an edge."""
        ...

    async def jobs(self, wanted: JobFilter, *, sort: JobSort=..., order: Order=..., limit: int=..., offset: int=...) -> Page[Job]:
        """Return a page of the background work that a filter means."""
        ...

    async def job(self, job_id: str) -> Job:
        """Return one job."""
        ...

    async def retry_job(self, job_id: str) -> Queued:
        """Enqueue a dead or cancelled job anew, with all its attempts."""
        ...

    async def cancel_job(self, job_id: str) -> Queued:
        """Cancel a job that waits."""
        ...

    async def scope_states(self, *, scope_kind: ScopeKind | None=..., scope_name: str | None=..., sort: StateSort=..., order: Order=..., limit: int=..., offset: int=...) -> Page[ScopeState]:
        """Return a page of how far the background work of scopes is."""
        ...

    async def rebuild(self, scope: Scope, *, trigger_floor_id: str | None=..., force_compaction: bool=...) -> Queued:
        """Enqueue the rebuilding of a scope from its turns."""
        ...

    async def compact(self, scope: Scope, *, trigger_floor_id: str | None=..., force: bool=...) -> Compaction:
        """Enqueue a compaction of a scope's summaries; refuse where there is nothing to compact.

        While one is under way it is told again.
        """
        ...

    async def maintenance(self, scope: Scope) -> list[Aged]:
        """Return what maintenance of a scope would do now, without doing it."""
        ...

    async def maintain(self, scope: Scope) -> Queued:
        """Enqueue the maintenance of a scope."""
        ...

    async def maintain_all(self) -> int:
        """Enqueue the maintenance of every scope that needs it and had none today; return of how
        many.
        """
        ...

    async def create_session(self, session_id: str | None=...) -> Session:
        """Begin a session, under an id of the caller's or a new one."""
        ...

    async def sessions(self, *, sort: SessionSort=..., order: Order=..., limit: int=..., offset: int=...) -> Page[Session]:
        """Return a page of the sessions."""
        ...

    async def session(self, session_id: str) -> Session:
        """Return one session."""
        ...

    async def delete_session(self, session_id: str) -> None:
        """Delete a session with all that was said, is remembered and is to be done."""
        ...

    async def branches(self, session_id: str, *, order: Order=..., limit: int=..., offset: int=...) -> Page[Branch]:
        """Return a page of a session's branches, by the time they were made."""
        ...

    async def create_branch(self, session_id: str, branch_id: str, *, from_branch: str=..., at_floor_no: int | None=...) -> Branch:
        """Fork a branch at a floor: it begins with the turns and the memory up to there, at -1 with no
        turn at all.

        Nothing of it ever reaches the branch that it came from.
        """
        ...

    async def delete_branch(self, session_id: str, branch_id: str) -> None:
        """Delete a branch with its own turns, memory and jobs."""
        ...

    async def add_turn(self, session_id: str, lines: Sequence[Line], *, branch_id: str=..., mode: IngestMode=..., idempotency_key: str | None=..., occurred_at: datetime | None=...) -> tuple[Turn, Ingest]:
        """Add a turn; it is taken in by a worker, or, with `sync`, before this returns. `occurred_at`
        tells when it was said, where that was not just now.
        """
        ...

    async def add_turns(self, session_id: str, turns: Sequence[TurnDraft], *, branch_id: str=...) -> list[tuple[Turn, Queued]]:
        """Add turns in their order, with all of their versions; workers take them in. Of each it is
        told where it stands, and which job takes it in: one with a known `idempotency_key` is there
        already. So many go into a transaction; where something goes wrong, the error tells how many
        turns are kept, and the same call goes on there.
        """
        ...

    async def turns(self, session_id: str, *, branch_id: str=..., order: Order=..., limit: int=..., offset: int=...) -> Page[Turn]:
        """Return a page of a branch's turns, each with its active version."""
        ...

    async def turn(self, session_id: str, floor_id: str) -> Turn:
        """Return one turn with its active version."""
        ...

    async def turn_versions(self, session_id: str, floor_id: str) -> tuple[tuple[Line, ...], ...]:
        """Return what was said in each version of a turn, by their numbers."""
        ...

    async def change_turn(self, session_id: str, floor_id: str, *, lines: Sequence[Line] | None=..., version: int | None=..., mode: IngestMode=..., occurred_at: datetime | None=...) -> tuple[Turn, Ingest]:
        """Give a turn a new version, or make another one active. What came from the one before is
        gone at once. A new version was said when the one before was, unless `occurred_at` tells.
        """
        ...

    async def delete_turn(self, session_id: str, floor_id: str) -> None:
        """Delete a turn from every branch, with what came from it.

        The other turns keep their numbers.
        """
        ...

    async def context(self, query: ContextQuery) -> ContextBlock:
        """Return what to inject for a query, with reasons; what is chosen counts as used."""
        ...
