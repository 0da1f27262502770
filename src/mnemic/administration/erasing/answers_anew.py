"""The vector of an answer knows the question before it in its run: where that is erased, it is made
anew.

Everything here is called inside a writing transaction, when the question is gone.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import partial

from mnemic.memory.texts.context_words import PriorUtterance
from mnemic.memory.texts.embedding import embed_texts, said_before
from mnemic.memory.texts.passage_documents import found_by, texts_to_embed, with_vectors
from mnemic.memory.unlocked_work import derive
from mnemic.memory.workspace import Workspace
from mnemic.records.memory import Memory
from mnemic.storage.rows import document_rows, memory_rows
from mnemic.storage.rows.document_rows import NewDocument


@dataclass(frozen=True, slots=True)
class _Answer:
    """A memory, and what was said before it by now."""

    id: int
    content: str
    before: PriorUtterance | None
    memory: Memory = field(compare=False)


def make_anew(workspace: Workspace, answer_ids: Sequence[int]) -> None:
    """Make the search entries of memories anew from what was said before them by now."""
    db = workspace.db
    for memory in map(workspace.existing, answer_ids):
        before = said_before(workspace, memory.episode_id or "", before_id=memory.id)
        answer = _Answer(memory.id, memory.content, before, memory)
        [found] = derive("answers", partial(_documents, workspace), [answer])
        doc, scope_id = memory_rows.document_of(db, memory.id)
        document_rows.retire(db, doc, scope_id=scope_id)
        [fresh] = document_rows.add(db, [replace(found, scope_id=scope_id)])
        memory_rows.set_document(db, memory.id, fresh)


def _documents(workspace: Workspace, answers: Sequence[_Answer]) -> list[NewDocument]:
    return [_document(workspace, answer) for answer in answers]


def _document(workspace: Workspace, answer: _Answer) -> NewDocument:
    memory = answer.memory
    texts = texts_to_embed(memory.content, memory.context, answer.before)
    found = found_by(
        memory.content, memory.context, thread=memory.episode_id, at=memory.occurred_at
    )
    return with_vectors(found, embed_texts(workspace, texts))
