"""What goes with a memory: the same thing in other words, where it was said, and who quoted it.

Everything here is called inside a writing transaction.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Final

from mnemic.administration.erasing.answers_anew import make_anew
from mnemic.language.tokens import index_terms, query_terms
from mnemic.memory.remember import hold_scopes
from mnemic.memory.texts.context_words import speaker_of
from mnemic.memory.workspace import Workspace
from mnemic.records.memory import Memory, Scope
from mnemic.storage.rows import (
    conversation_rows,
    document_rows,
    erasure_rows,
    memory_rows,
    tally_rows,
)

# Shorter texts stand in too many others to be quotes.
_SHORTEST_QUOTE: Final = 8
_ENDS: Final = " \t\r\n.,;:!?。，；：！？\"'"


def erase_memories(workspace: Workspace, ids: Iterable[int]) -> Counter[str]:
    """Erase memories of a robot or a user, with what says the same and the turns they came from."""
    db = workspace.db
    group = _group(workspace, ids)
    if not group:
        return Counter()
    hold_scopes(workspace, [memory.scope for memory in group.values()], workspace.clock())
    # Read again under the scope locks.
    group = _group(workspace, ids)
    turn_ids = erasure_rows.turns_of(db, list(group))
    counts = _purge(workspace, list(group.values()))
    counts += erasure_rows.redact_turns(db, turn_ids, extraction=None)
    return counts


def erase_conversation(workspace: Workspace, scope: Scope, conversation_id: str) -> Counter[str]:
    """Erase a conversation of a user, with the memories that were made from it alone."""
    db = workspace.db
    scope_id = hold_scopes(workspace, [scope], workspace.clock())[scope]
    made = map(workspace.existing, conversation_rows.made_from(db, scope_id, conversation_id))
    counts = _purge(workspace, list(made))
    # What was said here, and was known already, stands in the journal of what knew it.
    counts["events"] += erasure_rows.drop_events(db, scope_id, conversation_id)
    return counts + erasure_rows.purge_conversation(db, scope_id, conversation_id)


def drop_memories(workspace: Workspace, gone: Sequence[Memory]) -> Counter[str]:
    """Delete memories with all that knows them; where somebody said the same, it stays."""
    return _drop(workspace, gone)[0]


def _drop(workspace: Workspace, gone: Sequence[Memory]) -> tuple[Counter[str], dict[int, set[str]]]:
    """Delete memories; return how many rows that were, and the texts that each scope lost."""
    db, now = workspace.db, workspace.clock()
    ids = [memory.id for memory in gone]
    texts: dict[int, set[str]] = {}
    for memory in gone:
        doc, scope_id = memory_rows.document_of(db, memory.id)
        document_rows.retire(db, doc, scope_id=scope_id)
        if memory.status == "active":
            tally_rows.change(db, {(scope_id, memory.kind): -1}, now=now)
        texts.setdefault(scope_id, set()).add(memory.content)
    counts = erasure_rows.purge_memories(db, ids)
    for scope_id in texts:
        erasure_rows.forget_activity(db, scope_id, ids)
    return counts, texts


def _purge(workspace: Workspace, gone: Sequence[Memory]) -> Counter[str]:
    """Delete memories, and where somebody said the same."""
    db = workspace.db
    asking = [memory.id for memory in gone if speaker_of(memory.context) is not None]
    answers = erasure_rows.said_after(db, asking, ids=[memory.id for memory in gone])
    counts, texts = _drop(workspace, gone)
    make_anew(workspace, answers)
    for scope_id, said in texts.items():
        for text in sorted(map(_quote, said)):
            if len(text) >= _SHORTEST_QUOTE:
                counts += erasure_rows.redact_quotes(db, scope_id, text)
        counts["messages_redacted"] += _redact_replies(workspace, scope_id, said)
    return counts


def _redact_replies(workspace: Workspace, scope_id: int, gone: Iterable[str]) -> int:
    """Redact replies in which a word stands that no memory of the scope holds any more: what they
    say they had from what is gone, in words of their own.
    """
    db = workspace.db
    replies = erasure_rows.replies(db, scope_id)
    if not replies:
        return 0
    told = {term for text in gone for term in query_terms(text) if len(term) > 1}
    shares = db.search.commonness(sorted(told), scope_ids=(scope_id,))
    alone = {term for term, share in shares.items() if share <= 0}
    quoting = [reply for reply in replies if not alone.isdisjoint(index_terms(reply.content))]
    return erasure_rows.redact_replies(db, quoting)


def _group(workspace: Workspace, ids: Iterable[int]) -> dict[int, Memory]:
    """Return memories with those that were merged with them, and with what their turns told
    besides in the same words.
    """
    db = workspace.db
    memories: dict[int, Memory] = {}
    wanted = set(ids)
    while wanted:
        new = {
            memory_id: memory
            for memory_id in sorted(wanted)
            if (memory := memory_rows.get(db, memory_id))
        }
        memories |= new
        wanted = erasure_rows.superseding(db, list(new)) if new else set[int]()
        if new:
            turn_ids = erasure_rows.turns_of(db, list(new))
            beside = map(workspace.existing, erasure_rows.made_from_turns(db, turn_ids))
            wanted |= {memory.id for memory in beside if _share_words(memory, new.values())}
        wanted -= memories.keys()
    return memories


def _share_words(memory: Memory, others: Iterable[Memory]) -> bool:
    own = _quote(memory.content).casefold()
    quotes = (_quote(other.content).casefold() for other in others)
    return any(quote in own or own in quote for quote in quotes)


def _quote(text: str) -> str:
    """Return a text as somebody quotes it: without blanks and stops at its ends."""
    return text.strip(_ENDS)
