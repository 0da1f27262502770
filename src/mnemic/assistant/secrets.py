"""What no chat may quote or show to a model."""

from collections.abc import Collection

from mnemic.memory.texts.context_words import SENSITIVITY
from mnemic.records.memory import Memory


def is_secret(memory: Memory, kinds: Collection[str] = ()) -> bool:
    """Tell whether a memory is marked as sensitive, or of a kind that is kept secret as a whole."""
    return memory.kind in kinds or memory.context.get(SENSITIVITY) == "high"
