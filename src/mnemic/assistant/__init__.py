"""The assistant: converse with a user, answer from memory, build the prompt, show a profile.

Start reading at `converse`. It may import `memory` and everything below, and knows nothing of
`chat`. Programs import its records and tools from here; the tools are loaded when
asked for, because they open a memory and so stand above this package.
"""

from typing import TYPE_CHECKING, Any

from mnemic.records.filters import of_kinds
from mnemic.records.memory import (
    Activity,
    Answer,
    Chat,
    Conversation,
    KindTally,
    Message,
    Profile,
    Utterance,
)

if TYPE_CHECKING:
    from mnemic.assistant_tools import close_tools, execute_tool, initialize_tools
    from mnemic.dialects.assistant.router import tools_router

__all__ = [
    "Activity",
    "Answer",
    "Chat",
    "Conversation",
    "KindTally",
    "Message",
    "Profile",
    "Utterance",
    "close_tools",
    "execute_tool",
    "initialize_tools",
    "of_kinds",
    "tools_router",
]


def __getattr__(name: str) -> Any:
    """Load the tools when they are asked for."""
    if name == "tools_router":
        from mnemic.dialects.assistant import router as public  # noqa: PLC0415  see above
    elif name in ("close_tools", "execute_tool", "initialize_tools"):
        from mnemic import assistant_tools as public  # noqa: PLC0415  see above
    else:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(public, name)
