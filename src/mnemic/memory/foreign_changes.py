"""Changes that were made to a memory elsewhere, made here, at their own times."""

import json
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, Final, Literal

from mnemic.language.classify import PROTECTED
from mnemic.memory import unlocked_work
from mnemic.memory.revise import retire, rewrite
from mnemic.memory.texts.derivation import compose
from mnemic.memory.texts.embedding import embed_wording
from mnemic.memory.texts.passage_documents import found_by, with_vectors
from mnemic.memory.unlocked_work import derive
from mnemic.memory.workspace import Workspace
from mnemic.records.memory import Context, Event, Memory, MemoryStatus, Verb
from mnemic.storage.rows import event_rows
from mnemic.storage.rows.document_rows import Embedded, NewDocument
from mnemic.storage.rows.memory_rows import DerivedText

CHANGES: Final = frozenset({"revised", "forgotten", "superseded", "restored"})

ChangeOutcome = Literal["updated", "forgotten", "restored", "newer", "kept", "left"]


@dataclass(frozen=True, slots=True)
class ForeignChange:
    """One change as the journal of another store tells it; `undoes` is a number of that journal."""

    number: int
    verb: Verb
    at: datetime
    after: Context
    undoes: int | None = None


@dataclass(frozen=True, slots=True)
class Divergence:
    """A memory that is not what it is elsewhere, and all its changes there, oldest first."""

    memory_id: int
    changes: tuple[ForeignChange, ...]


def apply_changes(
    workspace: Workspace, divergences: Sequence[Divergence]
) -> Counter[ChangeOutcome]:
    """Make the changes that this store does not know, in one transaction; count what became of
    the memories.

    A memory that was changed here too is `kept` as it is, and one that was changed only here is
    `newer`: nothing of what somebody did here is overwritten. `left` is what no journal explains.
    """
    final = [_final_vectors(workspace, divergence) for divergence in divergences]

    def change() -> Counter[ChangeOutcome]:
        return Counter(
            _apply(workspace, divergence, vectors)
            for divergence, vectors in zip(divergences, final, strict=True)
        )

    return unlocked_work.write(workspace, change)


def _apply(
    workspace: Workspace, divergence: Divergence, vectors: Sequence[Embedded | None]
) -> ChangeOutcome:
    memory = workspace.to_change(divergence.memory_id)
    known = [
        event
        for event in event_rows.of_memory(workspace.db, memory.id)
        if event.verb in CHANGES and "superseded_by" not in (event.after or {})
    ]
    missing, own = _compare(known, divergence.changes)
    if own:
        return "kept" if missing else "newer"
    if not missing:
        return "left"
    for change in missing:
        is_last = change is missing[-1]
        _make(workspace, divergence, change, vectors if is_last else [None])
    after = workspace.existing(memory.id)
    if after.status != "active":
        return "forgotten"
    return "updated" if memory.status == "active" else "restored"


def _compare(
    here: Iterable[Event], there: Iterable[ForeignChange]
) -> tuple[list[ForeignChange], int]:
    """Return the changes that are not known here, and how many are known only here."""
    own = Counter((event.at, event.verb) for event in here)
    missing: list[ForeignChange] = []
    for change in there:
        if own[change.at, change.verb]:
            own[change.at, change.verb] -= 1
        else:
            missing.append(change)
    return missing, own.total()


def _make(
    workspace: Workspace,
    divergence: Divergence,
    change: ForeignChange,
    vectors: Sequence[Embedded | None],
) -> None:
    memory = workspace.existing(divergence.memory_id)
    if change.verb in ("forgotten", "superseded"):
        status: MemoryStatus = "invalidated" if change.verb == "forgotten" else "superseded"
        reason = str(change.after.get("reason", "it is out of use where it came from"))
        if memory.status == "active":
            retire(workspace, memory, status, change.verb, reason=reason, now=change.at)
        return
    version = (json.dumps(change.after), memory.episode_id, change.at)
    [(wording, found)] = derive("foreign version", _found, [version])
    rewrite(
        workspace,
        memory,
        wording,
        with_vectors(found, vectors),
        now=change.at,
        verb=change.verb,
        note=_note(workspace, divergence, change),
    )


def _note(
    workspace: Workspace, divergence: Divergence, change: ForeignChange
) -> dict[str, Any] | None:
    """Return which change of this journal is undone, for one that undoes another."""
    if change.verb != "restored":
        return None
    undone = next((other for other in divergence.changes if other.number == change.undoes), None)
    number = None
    for event in event_rows.of_memory(workspace.db, divergence.memory_id):
        if undone is not None and (event.at, event.verb) == (undone.at, undone.verb):
            number = event.id
    return {"undoes": number}


def _found(
    versions: Sequence[tuple[str, str | None, datetime]],
) -> list[tuple[DerivedText, NewDocument]]:
    """Return what follows from versions that are given as JSON, and under what each is found."""
    found: list[tuple[DerivedText, NewDocument]] = []
    for version, episode_id, at in versions:
        wording = _wording(json.loads(version))
        own = found_by(wording.content, wording.context, thread=episode_id, at=at)
        found.append((wording, own))
    return found


def _wording(version: Context) -> DerivedText:
    category = str(version["category"])
    composed = compose(str(version["content"]), version["context"], category=category)
    return replace(
        composed.wording,
        protected=category in PROTECTED,
        confidence=float(version["confidence"]),
        tags=tuple(version["tags"]),
        scope_files=tuple(version["scope_files"]),
    )


def _final_vectors(workspace: Workspace, divergence: Divergence) -> list[Embedded | None]:
    memory: Memory = workspace.existing(divergence.memory_id)
    said = [change.after for change in divergence.changes if "content" in change.after]
    wording = _wording(said[-1]) if said else compose(memory.content, memory.context).wording
    return embed_wording(workspace, memory, wording)
