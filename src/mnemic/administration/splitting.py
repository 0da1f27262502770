"""Passages for what has none yet, and terms without accents: for texts of stores, and of files,
that did not know them.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final

from mnemic.chat.said_passages import replace_said
from mnemic.language.passage_spans import passages
from mnemic.memory import unlocked_work
from mnemic.memory.remember import hold_scopes
from mnemic.memory.texts.embedding import embed_texts
from mnemic.memory.texts.passage_documents import found_by, texts_to_embed, with_vectors
from mnemic.memory.workspace import Workspace
from mnemic.records.conversation import chat_scope
from mnemic.storage.chat_rows import session_rows
from mnemic.storage.chat_rows.session_rows import Address
from mnemic.storage.rows import document_rows, memory_rows, passage_rows
from mnemic.storage.rows.document_rows import NewDocument
from mnemic.storage.rows.passage_rows import UnsplitMemory, UnsplitTurn

_PORTION: Final = 32


def split_texts(workspace: Workspace) -> Iterator[int]:
    """Make findable as texts are today what an older store kept: long memories and turns by their
    passages, and all by words without accents. Yield after each short
    transaction how many texts are.
    """
    for memories in passage_rows.unsplit_memories(workspace.db, limit=_PORTION):
        yield _split_memories(workspace, memories)
    yield from split_turns(workspace)


def split_turns(workspace: Workspace) -> Iterator[int]:
    """Give passages to turns that have none; yield after each transaction how many got some."""
    for turns in passage_rows.unsplit_turns(workspace.db, limit=_PORTION):
        yield _split_turns(workspace, turns)


def _split_memories(workspace: Workspace, memories: Sequence[UnsplitMemory]) -> int:
    # What is long in bytes may fit one passage.
    long = [one for one in memories if one.unfolded or len(passages(one.content)) > 1]
    if not long:
        return 0
    ready = [(memory, _document(workspace, memory)) for memory in long]

    def write() -> int:
        return sum(_move(workspace, memory, found) for memory, found in ready)

    return workspace.db.write(write)


def _move(workspace: Workspace, memory: UnsplitMemory, found: NewDocument) -> bool:
    """Find a memory by its passages; False where it was changed or erased meanwhile."""
    db = workspace.db
    memory_rows.hold(db, memory.id)
    if not document_rows.retire(db, memory.doc, scope_id=memory.searched_in):
        return False
    [doc] = document_rows.add(db, [found])
    memory_rows.set_document(db, memory.id, doc)
    return True


def _document(workspace: Workspace, memory: UnsplitMemory) -> NewDocument:
    content, context = memory.content, memory.context
    vectors = embed_texts(workspace, texts_to_embed(content, context, None))
    found = found_by(content, context, thread=memory.episode_id, at=memory.said_at)
    return with_vectors(replace(found, scope_id=memory.searched_in), vectors)


def _split_turns(workspace: Workspace, turns: Sequence[UnsplitTurn]) -> int:
    def write() -> int:
        split = 0
        for turn in turns:
            session = Address(turn.scope_id, turn.session_id)
            hold_scopes(workspace, [chat_scope(session.id)], workspace.clock())
            floor = session_rows.floor(workspace.db, session, turn.id)
            if floor is not None:
                replace_said(workspace, floor)
                split += 1
        return split

    return unlocked_work.write(workspace, write)
