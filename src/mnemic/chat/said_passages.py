"""What was said, passage by passage: found by its words from the transaction on that stores a turn.

The passages are those of a turn's active version, and belong to the turn, not to a branch: a fork
copies none, and who asks from a branch gets those of the turns along it. Vectors come in the
background, as for all that has none yet.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Final

from mnemic.memory.retrieval.hits import DocumentHit
from mnemic.memory.retrieval.recall import recall_documents
from mnemic.memory.texts.passage_documents import found_each
from mnemic.memory.unlocked_work import derive
from mnemic.memory.workspace import Workspace
from mnemic.records.conversation import MAIN, Line, Turn, said_scope
from mnemic.records.erasure import REDACTED
from mnemic.records.query import Query
from mnemic.storage.chat_rows import session_rows
from mnemic.storage.chat_rows.session_rows import Address
from mnemic.storage.rows import document_rows, passage_rows, scope_rows
from mnemic.storage.rows.document_rows import NewDocument
from mnemic.storage.rows.passage_rows import SaidPassage

# What was said around the same time helps to find a passage: so many turns make a scene.
_SCENE: Final = 20
# Instructions to a model are not something that somebody said.
_UNHEARD: Final = "system"


def passages_of(lines: Sequence[Line], at: datetime) -> list[NewDocument]:
    """Return under what each passage of a turn is found; its scope and its place are still to be
    given. It reads texts: call it where nothing is locked.
    """
    found: list[NewDocument] = []
    for position, line in enumerate(lines):
        if line.role == _UNHEARD or line.content == REDACTED or not line.content.strip():
            continue
        speaker = {"speaker": line.name or line.role}
        for one in found_each(line.content, speaker, about=line.name or "", at=at):
            place = None if one.place is None else replace(one.place, position=position)
            found.append(replace(one, place=place))
    return found


def add_said(workspace: Workspace, turn: Turn, found: Sequence[NewDocument]) -> None:
    """Let a turn be found by its passages; call it inside of a transaction that writes the turn."""
    if not found:
        return
    db, scope = workspace.db, said_scope(turn.session_id)
    scope_id = scope_rows.hold(db, scope, now=turn.updated_at)
    thread = f"{turn.session_id}/{turn.number // _SCENE}"
    documents: list[NewDocument] = []
    for one in found:
        place = one.place and replace(one.place, turn_id=turn.id, version=turn.version)
        documents.append(replace(one, scope_id=scope_id, thread=thread, place=place))
    document_rows.add(db, documents)


def replace_said(workspace: Workspace, turn: Turn) -> None:
    """Let a turn be found by what its active version says, and no longer by what it said before;
    call it inside of `unlocked_work.write`.
    """
    drop_said(workspace, turn.session_id, [turn.id])
    [found] = derive("passages", _passages, [(turn.lines, turn.given_at or turn.updated_at)])
    add_said(workspace, turn, found)


def drop_said(workspace: Workspace, session_id: str, turn_ids: Sequence[str]) -> None:
    """Let nobody find what turns said; call it before they are deleted."""
    scope_id = scope_rows.find(workspace.db, said_scope(session_id))
    if scope_id is not None and turn_ids:
        document_rows.retire_said(workspace.db, turn_ids, scope_id=scope_id)


@dataclass(frozen=True, slots=True)
class SaidHit:
    """A passage that answers a question, and how well."""

    passage: SaidPassage
    score: float
    relevance: float
    signals: Mapping[str, float]


def recall_said(
    workspace: Workspace,
    session: Address,
    text: str,
    *,
    branch_id: str = MAIN,
    window_start: int | None = None,
    limit: int = 50,
    as_of: datetime | None = None,
) -> list[SaidHit]:
    """Return the passages of a branch that answer a question, best first: those of the turns along
    it, but for the turns that the app still shows, and what was said after `as_of`.
    """
    query = Query(text, scopes=(said_scope(session.id),), limit=limit)

    def hidden() -> frozenset[int]:
        is_whole = window_start is None and as_of is None
        if is_whole and len(session_rows.branches(workspace.db, session)) == 1:
            return frozenset()
        return passage_rows.hidden(
            workspace.db,
            session.scope_id,
            session.id,
            branch_id=branch_id,
            window_start=window_start,
            as_of=as_of,
        )

    def told(hits: list[DocumentHit]) -> list[SaidHit]:
        there = passage_rows.said(workspace.db, [hit.doc for hit in hits])
        return [
            SaidHit(there[hit.doc], hit.score, hit.relevance, hit.signals)
            for hit in hits
            if hit.doc in there
        ]

    return recall_documents(workspace.dated(as_of), query, hidden=hidden, told=told)


def _passages(texts: Sequence[tuple[tuple[Line, ...], datetime]]) -> list[list[NewDocument]]:
    return [passages_of(lines, at) for lines, at in texts]
