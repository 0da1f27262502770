"""How much of a text is read at most, in characters. What is longer is kept whole, and all of it is
found by its words; only what rules make of it stops here.
"""

from typing import Final

LONGEST_TEXT: Final = 1024 * 1024
"""The longest text that is kept as one memory, and all that may be said in one turn."""

READ_OF_MEMORY: Final = 8_000
"""From so much follow a memory's category, tags, confidence, files and summary."""

COMPARED: Final = 2_000
"""A longer text repeats another only where both are the same but for case and white space."""

READ_OF_LINE: Final = 6_000
"""So much of each message of a turn is read."""

READ_OF_TURN: Final = 30_000
"""So much of all messages of a turn is read, the first of them first."""

READ_OF_QUESTION: Final = 4_000
"""So much of a question, or of a message to the assistant, is looked up and answered."""
