"""Arriving: memories that were kept elsewhere come in with their times and with their fate."""

import json
import logging
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from itertools import pairwise
from typing import Any, Final, Literal

from mnemic.errors import ConflictError, InvalidInputError
from mnemic.memory import unlocked_work
from mnemic.memory.ids import name_of
from mnemic.memory.remember import Prepared, check, hold_scopes, prepare_checked, store
from mnemic.memory.revise import retire, version_of
from mnemic.memory.texts.derivation import Worded, check_content, check_context, check_text, compose
from mnemic.memory.unlocked_work import derive
from mnemic.memory.workspace import Workspace
from mnemic.records.filters import EVERYTHING
from mnemic.records.item import Relation
from mnemic.records.memory import (
    Context,
    Draft,
    Duplicate,
    Episode,
    Memory,
    MemoryKind,
    MemoryStatus,
    Remembered,
    Scope,
)
from mnemic.storage.rows import edge_rows, episode_rows, memory_rows
from mnemic.storage.rows.edge_rows import Link
from mnemic.storage.rows.memory_rows import ActiveMemory, DerivedText

_LOG: Final = logging.getLogger("mnemic")
_PAGE: Final = 500
_OUT_OF_USE: Final[tuple[MemoryStatus, ...]] = ("invalidated", "superseded")

Likeness = tuple[MemoryKind, str, str | None, datetime | None]


@dataclass(frozen=True, slots=True)
class Retired:
    """How a memory went out of use where it was kept; `at` is None where nobody knows when."""

    status: Literal["invalidated", "superseded"]
    reason: str
    at: datetime | None = None


@dataclass(frozen=True, slots=True)
class Earlier:
    """What a memory said before, and when it was changed."""

    content: str
    until: datetime


@dataclass(frozen=True, slots=True)
class Arrival:
    """A memory from elsewhere. Its earlier texts, oldest first, become its history."""

    draft: Draft
    retired: Retired | None = None
    earlier: tuple[Earlier, ...] = ()


@dataclass(frozen=True, slots=True)
class Relating:
    """A relation between two memories, by their numbers here."""

    from_id: int
    to_id: int
    relation: Relation | Literal["supersedes"]


class Importer:
    """Takes in what was kept elsewhere; one for each time that something is brought.

    A memory is known where its scope holds the same text of the same kind with the same context
    and from the same time, in use or not. What tells no time is known by the rest, and what tells
    no context either by its text. Near duplicates are all kept: whoever brings them had them all.
    """

    def __init__(self, workspace: Workspace) -> None:
        self._workspace = workspace
        self._out_of_use: dict[Scope, dict[Likeness, int]] = {}

    def begin(self, runs: Iterable[Episode]) -> dict[tuple[Scope, str], tuple[str, bool]]:
        """Take in runs; return, by scope and id, the id of each here, and whether it is new.

        An id that a run of another scope has already is replaced, always by the same one.
        """
        wanted = list(runs)
        for run in wanted:
            check_context(run.context)

        def write() -> dict[tuple[Scope, str], tuple[str, bool]]:
            now = self._workspace.clock()
            held = hold_scopes(self._workspace, [run.scope for run in wanted], now)
            return {(run.scope, run.id): self._begin(run, held[run.scope]) for run in wanted}

        return self._workspace.db.write(write) if wanted else {}

    def keep(self, arrivals: Sequence[Arrival]) -> list[Remembered | InvalidInputError]:
        """Take in memories in one transaction; return, for each, the memory, the one that was
        there already, or why it is refused. Who brings them is not noted as having been active.
        """
        outcomes: dict[int, Remembered | InvalidInputError] = {}
        wordings: dict[int, Worded] = {}
        for at, arrival in enumerate(arrivals):
            try:
                with self._workspace.call():
                    wordings[at] = _checked(self._workspace, arrival)
            except InvalidInputError as error:
                outcomes[at] = error
        # Most of a second import is known: that is seen first, and then not embedded.
        checked = [(arrivals[at].draft, worded.wording) for at, worded in wordings.items()]
        for at, number in zip(list(wordings), self._known(checked), strict=True):
            if number is not None:
                outcomes[at] = self._outcome(number)
                del wordings[at]
        kept = self._add([arrivals[at] for at in wordings], list(wordings.values()))
        outcomes.update(zip(wordings, kept, strict=True))
        return [outcomes[at] for at in range(len(arrivals))]

    def relate(self, wanted: Sequence[Relating]) -> int:
        """Relate memories to each other in one transaction; return how many relations are new."""
        workspace, now = self._workspace, self._workspace.moment()
        names = [name_of(workspace.new_id()) for _ in wanted]

        def write() -> int:
            there = set(edge_rows.beginning_at(workspace.db, {link.from_id for link in wanted}))
            new = {
                Link(link.from_id, link.to_id, link.relation): name
                for link, name in zip(wanted, names, strict=True)
            }
            for link, name in new.items():
                if link in there:
                    continue
                if link.relation == "supersedes":
                    # As a merger writes it: it belongs to the memories, not to who lists edges.
                    edge_rows.link(workspace.db, link.from_id, link.to_id, link.relation, now=now)
                else:
                    edge_rows.add(workspace.db, link, uid=name, now=now)
            return len(new.keys() - there)

        return workspace.db.write(write) if wanted else 0

    def finish(self) -> None:
        """Let the store know that nothing more is brought, so that it plans for what came."""
        self._workspace.db.analyze()

    def _begin(self, run: Episode, scope_id: int) -> tuple[str, bool]:
        db = self._workspace.db
        account = self._workspace.settings.account
        for episode_id in (run.id, name_of(account, run.scope.kind, run.scope.name, run.id)):
            known = episode_rows.get(db, episode_id)
            if known is not None and known.scope == run.scope:
                return episode_id, False
            if known is None and episode_rows.start(
                db, episode_id, scope_id=scope_id, context=run.context, now=run.started_at
            ):
                if run.ended_at is not None:
                    score = run.outcome_score
                    episode_rows.end(db, episode_id, outcome_score=score, now=run.ended_at)
                return episode_id, True
        raise ConflictError(f"Both ids that session {run.id!r} could have are taken.")

    def _look_at_what_is_out_of_use(self, scope: Scope) -> None:
        """Read once what a scope no longer uses: search does not know it, and it is seldom much."""
        if scope in self._out_of_use:
            return
        numbers: dict[Likeness, int] = {}
        for scope_id in self._workspace.scope_ids((scope,)):
            for status in _OUT_OF_USE:
                for memory in _all_with_status(self._workspace, scope_id, status):
                    for form in _likenesses(memory.kind, memory, memory.created_at):
                        numbers.setdefault(form, memory.id)
        self._out_of_use[scope] = numbers

    def _known(self, checked: Sequence[tuple[Draft, DerivedText]]) -> list[int | None]:
        """Return the memory that is the same as each draft, or None."""
        wanted = {draft.scope for draft, _ in checked}
        for scope in wanted:
            self._look_at_what_is_out_of_use(scope)
        there = {
            scope: number for scope in wanted for number in self._workspace.scope_ids((scope,))
        }
        known = _Known(self._workspace, there, self._out_of_use)
        return [known.number(draft, wording) for draft, wording in checked]

    def _add(self, arrivals: Sequence[Arrival], wordings: Sequence[Worded]) -> list[Remembered]:
        if not arrivals:
            return []
        late = [worded.late for worded in wordings if worded.late is not None]
        if late:
            _LOG.warning("%d of %d texts: %s", len(late), len(wordings), late[0])
        drafts = [replace(arrival.draft, dedup=False) for arrival in arrivals]
        ready = prepare_checked(self._workspace, drafts, wordings)
        wanted = list(zip(ready, arrivals, strict=True))
        now = self._workspace.clock()
        return unlocked_work.write(self._workspace, lambda: self._store(wanted, now))

    def _store(self, wanted: Sequence[tuple[Prepared, Arrival]], now: datetime) -> list[Remembered]:
        workspace = self._workspace
        held = hold_scopes(workspace, [arrival.draft.scope for arrival, _ in wanted], now)
        known = _Known(workspace, held, self._out_of_use)
        # Where each is found: under a number, or at the place of an earlier one of this batch.
        numbers: dict[int, int] = {}
        same_as: dict[int, int] = {}
        seen: dict[tuple[Scope, Likeness], int] = {}
        for at, (arrival, _) in enumerate(wanted):
            number = known.number(arrival.draft, arrival.wording)
            like = (arrival.draft.scope, _likeness(arrival.draft))
            if number is not None:
                numbers[at] = number
            elif like in seen:
                same_as[at] = seen[like]
            else:
                for form in _likenesses(
                    arrival.draft.kind, arrival.draft, arrival.draft.created_at or now
                ):
                    seen.setdefault((arrival.draft.scope, form), at)
        fresh = [at for at in range(len(wanted)) if at not in numbers and at not in same_as]
        stored = store(workspace, [wanted[at][0] for at in fresh], held, now)
        for at, made in zip(fresh, stored, strict=True):
            numbers[at] = made.memory.id
            self._retell(made.memory, wanted[at][1], held[made.memory.scope], now)
        new = dict(zip(fresh, stored, strict=True))
        return [
            self._outcome(numbers[same_as.get(at, at)], new.get(at)) for at in range(len(wanted))
        ]

    def _outcome(self, number: int, made: Remembered | None = None) -> Remembered:
        memory = self._workspace.existing(number)
        if made is None:
            return Remembered(memory, Duplicate(number, "exact", 1.0))
        return replace(made, memory=memory)

    def _retell(self, memory: Memory, arrival: Arrival, scope_id: int, now: datetime) -> None:
        """Write down what became of a memory before it came here, at the times when it did."""
        context = _text(memory.context)
        said = derive(
            "wording", _worded, [(version.content, context) for version in arrival.earlier]
        )
        versions = [*(_version(memory, version) for version in said), version_of(memory)]
        for version, (before, after) in zip(arrival.earlier, pairwise(versions), strict=True):
            self._workspace.journal(
                "revised",
                scope_id=scope_id,
                memory_id=memory.id,
                at=version.until,
                before=before,
                after=after,
            )
        if arrival.retired is not None:
            status, at = arrival.retired.status, arrival.retired.at or now
            verb = "forgotten" if status == "invalidated" else "superseded"
            reason = arrival.retired.reason
            retire(self._workspace, memory, status, verb, reason=reason, now=at)


class _Known:
    """What scopes hold, looked up as it is asked for; those that are not there hold nothing."""

    def __init__(
        self,
        workspace: Workspace,
        held: Mapping[Scope, int],
        out_of_use: Mapping[Scope, Mapping[Likeness, int]],
    ) -> None:
        self._workspace = workspace
        self._held = held
        self._out_of_use = out_of_use
        self._in_use: dict[tuple[Scope, MemoryKind, bytes], dict[Likeness, int]] = {}

    def number(self, draft: Draft, wording: DerivedText) -> int | None:
        """Return the memory that is the same as a draft, or None."""
        place = (draft.scope, draft.kind, wording.content_hash)
        if place not in self._in_use:
            self._in_use[place] = self._read(*place)
        like = _likeness(draft)
        number = self._in_use[place].get(like)
        return self._out_of_use[draft.scope].get(like) if number is None else number

    def _read(self, scope: Scope, kind: MemoryKind, content_hash: bytes) -> dict[Likeness, int]:
        numbers: dict[Likeness, int] = {}
        if scope in self._held:
            db, scope_id = self._workspace.db, self._held[scope]
            for memory in memory_rows.with_hash(db, scope_id, content_hash, kind=kind):
                for form in _likenesses(kind, memory, memory.created_at):
                    numbers.setdefault(form, memory.id)
        return numbers


def _checked(workspace: Workspace, arrival: Arrival) -> Worded:
    if arrival.retired is not None:
        check_text("reason", arrival.retired.reason)
    for version in arrival.earlier:
        check_content(version.content)
    return check(workspace, arrival.draft)


def _likeness(draft: Draft) -> Likeness:
    told = draft.context or draft.created_at
    return draft.kind, draft.content, _text(draft.context) if told else None, draft.created_at


def _likenesses(
    kind: MemoryKind, memory: Draft | Memory | ActiveMemory, created_at: datetime
) -> tuple[Likeness, ...]:
    """Return under what a memory is recognised by those that tell as much as it, or less."""
    context = _text(memory.context)
    return (
        (kind, memory.content, context, created_at),
        (kind, memory.content, context, None),
        (kind, memory.content, None, None),
    )


def _text(context: Context) -> str:
    return json.dumps(context, ensure_ascii=False, sort_keys=True)


def _worded(texts: Sequence[tuple[str, str]]) -> list[DerivedText]:
    """Return what follows from texts with contexts, which are given as JSON."""
    return [compose(text, json.loads(context)).wording for text, context in texts]


def _version(memory: Memory, said: DerivedText) -> dict[str, Any]:
    return version_of(memory) | {
        "content": said.content,
        "category": said.category,
        "confidence": said.confidence,
        "tags": said.tags,
        "scope_files": said.scope_files,
    }


def _all_with_status(workspace: Workspace, scope_id: int, status: MemoryStatus) -> Iterable[Memory]:
    before = memory_rows.NEWEST
    while page := memory_rows.listed(
        workspace.db,
        scope_id,
        status=status,
        category=None,
        chosen=EVERYTHING,
        limit=_PAGE,
        before_id=before,
    ):
        yield from page
        before = page[-1].id
