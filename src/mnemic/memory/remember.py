"""Remember: check, infer, look for the same, and store in one transaction."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from itertools import groupby, islice

from mnemic.errors import InvalidInputError, NotFoundError, OutOfTimeError
from mnemic.language.updates.read_clauses import clauses_of
from mnemic.memory import unlocked_work
from mnemic.memory.dedup import Deduplicator, Nearest, read_ahead
from mnemic.memory.supersede.replaced import Successor, end_replaced, suspects_of
from mnemic.memory.texts.context_words import PriorUtterance, speaker_of
from mnemic.memory.texts.derivation import Worded, check_aware, check_text, compose, told_late
from mnemic.memory.texts.embedding import embed_texts, said_before
from mnemic.memory.texts.passage_documents import found_by, texts_to_embed, with_vectors
from mnemic.memory.user_activity import note_change
from mnemic.memory.workspace import Workspace
from mnemic.records.memory import PAYLOAD_BYTES, Draft, Duplicate, Payload, Remembered, Scope
from mnemic.storage.rows import (
    document_rows,
    episode_rows,
    event_rows,
    memory_rows,
    payload_rows,
    scope_rows,
    tally_rows,
)
from mnemic.storage.rows.document_rows import NewDocument
from mnemic.storage.rows.memory_rows import Access, DerivedText, NewMemoryRow


@dataclass(frozen=True, slots=True)
class Prepared:
    """A draft with everything that can be worked out before the store is locked: `found_by` is
    still to get its scope. `late` tells that there was no time to read it.
    """

    draft: Draft
    wording: DerivedText
    found_by: NewDocument
    late: OutOfTimeError | None = None


def remember(workspace: Workspace, draft: Draft) -> Remembered:
    """Store a memory, or tell which one already says it."""
    return remember_many(workspace, [draft])[0]


def remember_many(workspace: Workspace, drafts: Sequence[Draft]) -> list[Remembered]:
    """Store memories in one transaction: all of them, or none where one is refused.

    A draft that repeats what its scope holds, or an earlier draft, is reported as a duplicate.
    Where reading them takes too long, they are stored as they are, which an error tells.
    """

    def add() -> list[Remembered]:
        held = hold_scopes(workspace, [one.draft.scope for one in prepared], now)
        stored = store(workspace, prepared, held, now)
        for one in stored:
            scope_id = held[one.memory.scope]
            note_change(workspace, "add", one.memory, scope_id=scope_id, now=now)
        return stored

    with workspace.call():
        prepared = prepare(workspace, drafts)
        now = workspace.clock()
        try:
            for one in prepared:
                # With a vector there are always neighbours to compare it with.
                if one.draft.dedup is True and one.found_by.embedded is not None:
                    read_ahead(one.wording.content)
            stored = unlocked_work.write(workspace, add)
        except OutOfTimeError as error:
            prepared = [_unread(one, error) for one in prepared]
            stored = unlocked_work.write(workspace, add)
    workspace.loaded(len(stored))
    tell_late(prepared, stored)
    return stored


def tell_late(prepared: Sequence[Prepared], stored: Sequence[Remembered]) -> None:
    """Raise OutOfTimeError where there was no time to read what was stored."""
    for one in prepared:
        if one.late is not None:
            raise told_late(one.late, [made.memory.id for made in stored])


def _unread(prepared: Prepared, late: OutOfTimeError) -> Prepared:
    """Return a draft that only repeats what is the same text."""
    draft = prepared.draft
    return replace(prepared, draft=replace(draft, dedup=draft.dedup and "exact"), late=late)


def prepare(workspace: Workspace, drafts: Sequence[Draft]) -> list[Prepared]:
    """Check drafts and work out everything that needs no lock: wordings, terms, vectors."""
    return prepare_checked(workspace, drafts, [check(workspace, one) for one in drafts])


def check(workspace: Workspace, draft: Draft) -> Worded:
    """Return what follows from a draft's text, or refuse the draft with the reason."""
    worded = compose(
        draft.content, draft.context, category=draft.category, confidence=draft.confidence
    )
    _check_scope(draft.scope)
    _check_payload(draft.payload)
    for name in ("created_at", "updated_at", "occurred_at", "expires_at"):
        check_aware(name, getattr(draft, name))
    _check_episode(workspace, draft)
    return worded


def prepare_checked(
    workspace: Workspace, drafts: Sequence[Draft], worded: Sequence[Worded]
) -> list[Prepared]:
    """Work out the rest for drafts that were checked, given what `check` returned of each."""
    texts = _embedding_texts(workspace, drafts)
    vectors = iter(embed_texts(workspace, [text for own in texts for text in own]))
    now = workspace.clock()
    prepared: list[Prepared] = []
    for draft, said, own in zip(drafts, worded, texts, strict=True):
        wording = said.wording
        found = found_by(
            wording.content,
            wording.context,
            thread=draft.episode_id,
            at=draft.occurred_at or draft.created_at or now,
        )
        found = with_vectors(found, list(islice(vectors, len(own))))
        if draft.dedup and said.late is None:
            # Ahead of the lock: what it may end is compared there.
            clauses_of(wording.content)
        prepared.append(Prepared(draft, wording, found, said.late))
    return prepared


def hold_scopes(
    workspace: Workspace, scopes_wanted: Sequence[Scope], now: datetime
) -> dict[Scope, int]:
    """Return the numbers of scopes, which nobody else changes until the transaction's end."""
    # Always in the same order, so that two batches never wait for each other.
    wanted = sorted(set(scopes_wanted), key=lambda scope: (scope.kind, scope.name))
    return {scope: scope_rows.hold(workspace.db, scope, now=now) for scope in wanted}


def store(
    workspace: Workspace, prepared: Sequence[Prepared], held: Mapping[Scope, int], now: datetime
) -> list[Remembered]:
    """Store what is new, and end what it replaces; call it inside a writing transaction that holds
    the scopes.
    """
    stored: list[Remembered] = []
    added: list[Successor] = []
    texts = [one.wording.content for one in prepared]
    for seeks, group in groupby(prepared, key=lambda one: bool(one.draft.dedup)):
        drafts = [(one, held[one.draft.scope]) for one in group]
        if not seeks:
            stored += _store_new(workspace, drafts, now)
            continue
        for one, scope_id in drafts:
            # Each may repeat the one before it, or replace it.
            found = one.found_by
            nearest = Nearest(workspace, found.own, scope_id=scope_id, embedded=found.embedded)
            duplicate = _duplicate(workspace, one, nearest, texts)
            if duplicate is not None:
                stored.append(_refresh(workspace, one.draft, duplicate, scope_id, now))
                continue
            suspects = _suspects(one, nearest, now)
            stored += _store_new(workspace, [(one, scope_id)], now)
            added += [Successor(stored[-1].memory, suspects)] if suspects else []
    ended = end_replaced(workspace, added, now=now) if added else {}
    if not ended:
        return stored
    over = {number for numbers in ended.values() for number in numbers}
    return [
        replace(
            one,
            memory=workspace.existing(one.memory.id) if one.memory.id in over else one.memory,
            supersedes=tuple(ended.get(one.memory.id, ())),
        )
        for one in stored
    ]


def _suspects(prepared: Prepared, nearest: Nearest, now: datetime) -> list[tuple[int, str]]:
    if prepared.late is not None:
        return []
    wording = prepared.wording
    return suspects_of(nearest, wording.content, measurement=wording.measurement, now=now)


def _embedding_texts(workspace: Workspace, drafts: Sequence[Draft]) -> list[list[str]]:
    """Return what to embed of each draft, given what was said before it in its run."""
    texts: list[list[str]] = []
    last: dict[str, PriorUtterance] = {}
    for draft in drafts:
        before = None
        run, speaker = draft.episode_id, speaker_of(draft.context)
        if run is not None and speaker is not None:
            before = last.get(run) or said_before(workspace, run)
            last[run] = PriorUtterance(draft.content, speaker)
        texts.append(texts_to_embed(draft.content, draft.context, before))
    return texts


def _duplicate(
    workspace: Workspace, prepared: Prepared, nearest: Nearest, texts: Sequence[str]
) -> Duplicate | None:
    wording = prepared.wording
    if prepared.draft.dedup == "exact":
        first = memory_rows.same_text(
            workspace.db,
            nearest.scope_id,
            wording.content_hash,
            kind=prepared.draft.kind,
            content=wording.content,
            now=workspace.clock(),
        )
        return None if first is None else Duplicate(first, "exact", 1.0)
    return Deduplicator(workspace, texts).find(wording, nearest)


def _store_new(
    workspace: Workspace, new: Sequence[tuple[Prepared, int]], now: datetime
) -> list[Remembered]:
    """Store memories, each with its scope, in as many statements as there are tables."""
    db = workspace.db
    docs = document_rows.add(
        db, [replace(one.found_by, scope_id=scope_id) for one, scope_id in new]
    )
    rows = [
        NewMemoryRow(
            wording=one.wording,
            doc=doc,
            scope_id=scope_id,
            kind=one.draft.kind,
            episode_id=one.draft.episode_id,
            perception_type=one.draft.perception_type,
            created_at=one.draft.created_at,
            updated_at=one.draft.updated_at,
            occurred_at=one.draft.occurred_at,
            expires_at=one.draft.expires_at,
        )
        for doc, (one, scope_id) in zip(docs, new, strict=True)
    ]
    ids = memory_rows.insert(db, rows, now=now)
    for memory_id, (one, _) in zip(ids, new, strict=True):
        if one.draft.payload is not None:
            payload_rows.put(db, memory_id, one.draft.payload)
    created = [
        (row.scope_id, memory_id, row.created_at or now)
        for row, memory_id in zip(rows, ids, strict=True)
    ]
    event_rows.record_created(db, created, actor=workspace.settings.actor)
    tally_rows.change(db, Counter((row.scope_id, row.kind) for row in rows), now=now)
    stored = memory_rows.by_docs(db, docs)
    return [
        Remembered(memory=stored[doc], has_vector=one.found_by.embedded is not None)
        for doc, (one, _) in zip(docs, new, strict=True)
    ]


def _refresh(
    workspace: Workspace, draft: Draft, duplicate: Duplicate, scope_id: int, now: datetime
) -> Remembered:
    """Count a repetition as a use of the first, and keep what was said in the journal."""
    until = workspace.existing(duplicate.memory_id).expires_at
    if until is not None and (draft.expires_at is None or draft.expires_at > until):
        memory_rows.outlive(workspace.db, duplicate.memory_id, draft.expires_at)
    memory_rows.record_accesses(workspace.db, [Access(duplicate.memory_id, 1, now)])
    workspace.journal(
        "duplicate",
        scope_id=scope_id,
        memory_id=duplicate.memory_id,
        at=now,
        after={
            "content": draft.content,
            "context": draft.context,
            "method": duplicate.method,
            "similarity": duplicate.similarity,
        },
    )
    return Remembered(memory=workspace.existing(duplicate.memory_id), duplicate=duplicate)


def _check_scope(scope: Scope) -> None:
    name = scope.name
    if not name.strip() or len(name) > 200 or not name.isprintable():
        raise InvalidInputError(
            scope.kind, f"{name[:40]!r} is not a name", "1 to 200 printable characters"
        )


def _check_payload(payload: Payload | None) -> None:
    if payload is not None:
        for name, text in (("data", payload.data), ("metadata", payload.metadata)):
            if text is not None:
                check_text(name, text)
                _check_size(name, text)


def _check_size(name: str, text: str) -> None:
    size = len(text.encode("utf-8"))
    if size > PAYLOAD_BYTES:
        raise InvalidInputError(name, f"it has {size} bytes", f"at most {PAYLOAD_BYTES} bytes")


def _check_episode(workspace: Workspace, draft: Draft) -> None:
    if draft.episode_id is None:
        return
    episode = episode_rows.get(workspace.db, draft.episode_id)
    if episode is None:
        raise NotFoundError(
            f"There is no session {draft.episode_id!r}. Begin one with start_session.",
            session_id=draft.episode_id,
        )
    if episode.scope != draft.scope:
        raise InvalidInputError(
            "session_id",
            f"it belongs to {episode.scope.kind} {episode.scope.name!r}",
            f"a session of {draft.scope.kind} {draft.scope.name!r}",
        )
