"""Marks: hashes by which what was erased is recognised in an older copy. Pure functions.

A name can be guessed and its mark be compared, so a mark proves that somebody was there to whoever
knows the name already. It never says a name, and nothing that was remembered goes into one.
"""

from datetime import datetime
from hashlib import sha256

from mnemic.records.erasure import ErasedKind
from mnemic.records.memory import Scope


def mark_of(kind: ErasedKind, *parts: str) -> str:
    """Return the mark of what is called so: always the same for the same names."""
    text = "\0".join((kind, *parts))
    return sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def memory_mark(scope: Scope, kind: str, created_at: datetime) -> str:
    """Return the mark of a memory: where it was, of what kind, and the microsecond it was made in.
    Those that were learned together share it.
    """
    return mark_of("memory", scope.kind, scope.name, kind, created_at.isoformat())


def item_mark(uid: str) -> str:
    """Return the mark of a chat's item, whose id is the same in every copy."""
    return mark_of("memory", "item", uid)


def conversation_mark(scope: Scope, conversation_id: str) -> str:
    """Return the mark of a user's conversation."""
    return mark_of("conversation", scope.name, conversation_id)
