"""On write: which memories a new one ends, among those that stand closest to it."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from mnemic.language.tokens import query_terms
from mnemic.language.updates.judgement import Update, update_of
from mnemic.language.updates.read_clauses import (
    clauses_of,
    tells_of_change,
    was_read,
    words_of_old,
)
from mnemic.memory.dedup import Nearest
from mnemic.memory.supersede.validity import end
from mnemic.memory.texts.context_words import speaker_of
from mnemic.memory.unlocked_work import derive
from mnemic.memory.workspace import Workspace
from mnemic.records.memory import Memory
from mnemic.storage.rows import memory_rows

_COMPARED: Final = 20
_REASONS: Final[dict[Update, str]] = {
    "contradicts": "a newer memory says that it is not so",
    "another value": "a newer memory says what it is now",
    "names both": "a newer memory says what came instead of it",
}


@dataclass(frozen=True, slots=True)
class Successor:
    """A memory that was just stored, and the numbers and texts of those that it may end."""

    memory: Memory
    suspects: Sequence[tuple[int, str]]


def suspects_of(
    nearest: Nearest, text: str, *, measurement: bytes, now: datetime
) -> list[tuple[int, str]]:
    """Return the current memories that a text may end; call it before the text is stored.

    What was measured with them must be the same: a lesson with another force is another lesson.
    """
    if not clauses_of(text):
        return []
    # What dedup looked up anyway; without vectors, more for a text that says that it may end some.
    docs = [*nearest.alike[:_COMPARED], *(doc for doc, _ in nearest.by_meaning)]
    if tells_of_change(text) and not nearest.by_meaning:
        docs += nearest.by_words(query_terms(f"{text} {words_of_old(text)}"))
    if not docs:
        return []
    db = nearest.workspace.db
    known = memory_rows.contents_of(db, dict.fromkeys(docs), measurement=measurement, now=now)
    return list(known.values())


def end_replaced(
    workspace: Workspace, added: Sequence[Successor], *, now: datetime
) -> dict[int, list[int]]:
    """End what new memories replace, inside the transaction that stored them; return by the number
    of each what it ended.
    """
    texts = [text for new in added for _, text in new.suspects]
    unread = [text for text in dict.fromkeys(texts) if not was_read(text)]
    if unread:
        derive("clauses", lambda texts: [clauses_of(text) for text in texts], unread)
    ended: dict[int, list[int]] = {}
    for new in added:
        for number, text in new.suspects:
            kind = update_of(new.memory.content, text)
            if kind is None:
                continue
            older = workspace.existing(number)
            if speaker_of(older.context) != speaker_of(new.memory.context):
                continue
            if end(workspace, new.memory, [older], reason=_REASONS[kind], now=now):
                ended.setdefault(new.memory.id, []).append(number)
    return ended
