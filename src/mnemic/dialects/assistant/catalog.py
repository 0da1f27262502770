"""The assistant's tools as a client sees them: what each takes and answers, in JSON Schema."""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Final, Literal, cast

from mnemic.dialects.assistant import answers
from mnemic.dialects.assistant.parameters import TAKES
from mnemic.dialects.schemas import Schema, schema_of, short_answer, short_input

Profile = Literal["assistant", "assistant-extended"]

_FOUR: Final = ("memory_add", "memory_search", "memory_chat", "memory_get_profile")
PROFILES: Final[Mapping[Profile, tuple[str, ...]]] = MappingProxyType(
    {
        "assistant": _FOUR,
        "assistant-extended": (
            *_FOUR,
            "memory_update",
            "memory_delete",
            "memory_list",
            "conversation_list",
            "conversation_get",
            "conversation_delete",
            "memory_erase",
        ),
    }
)


@dataclass(frozen=True, slots=True, kw_only=True)
class AssistantTool:
    """One tool: its name, what it is for, what it takes and what it answers."""

    name: str
    description: str
    takes: Schema
    answers: Schema
    reads_only: bool = False
    destroys: bool = False
    repeatable: bool = False
    asks_others: bool = False

    @property
    def parameters(self) -> Mapping[str, Schema]:
        """What may be given, by name."""
        return cast("dict[str, Schema]", self.takes["properties"])


def tools_of(profile: Profile) -> list[AssistantTool]:
    """Return the tools of a profile, in the order in which they are shown."""
    return [_TOOLS[name] for name in PROFILES[profile]]


def _envelope(data: type) -> Schema:
    return {
        "type": "object",
        "description": "data where it succeeded, error where it did not.",
        "properties": {
            "success": {"type": "boolean"},
            "data": schema_of(data),
            "message": {"type": "string"},
            "error": schema_of(answers.ErrorBody),
            "timestamp": {"type": "string"},
            "execution_time": {"type": "number"},
        },
        "required": ["success", "timestamp"],
    }


_LISTED: Final = (
    AssistantTool(
        name="memory_add",
        description="Remember something about the user or for them that should be known next time. "
        "The same text is kept once; the answer then has duplicate.",
        takes=TAKES["memory_add"],
        answers=_envelope(answers.Added),
        repeatable=True,
    ),
    AssistantTool(
        name="memory_search",
        description="Find what was remembered, best first. Call it before answering what may "
        "depend on the user. No result: nothing is known.",
        takes=TAKES["memory_search"],
        answers=_envelope(answers.Results),
        reads_only=True,
        repeatable=True,
    ),
    AssistantTool(
        name="memory_chat",
        description="Reply to a user's message from memory. If you are a model yourself, prefer "
        "memory_search. mode tells who replied: llm, sampling, or extractive (quotes).",
        takes=TAKES["memory_chat"],
        answers=_envelope(answers.Replied),
        asks_others=True,
    ),
    AssistantTool(
        name="memory_get_profile",
        description="Tell how much is remembered of each type and how the memory is used.",
        takes=TAKES["memory_get_profile"],
        answers=_envelope(answers.ProfileOfUser),
        reads_only=True,
        repeatable=True,
    ),
    AssistantTool(
        name="memory_update",
        description="Correct a memory: its content, its context, or both. The old version stays "
        "in the history.",
        takes=TAKES["memory_update"],
        answers=_envelope(answers.Kept),
        repeatable=True,
    ),
    AssistantTool(
        name="memory_delete",
        description="Take a memory out of use: it is no longer found or counted, but its text is "
        "kept in the history. memory_erase removes that.",
        takes=TAKES["memory_delete"],
        answers=_envelope(answers.DeletedMemory),
        destroys=True,
    ),
    AssistantTool(
        name="memory_list",
        description="List memories, newest first, page by page.",
        takes=TAKES["memory_list"],
        answers=_envelope(answers.KeptList),
        reads_only=True,
        repeatable=True,
    ),
    AssistantTool(
        name="conversation_list",
        description="List the user's conversations, the last used first.",
        takes=TAKES["conversation_list"],
        answers=_envelope(answers.ConversationList),
        reads_only=True,
        repeatable=True,
    ),
    AssistantTool(
        name="conversation_get",
        description="Return what was said in a conversation, in order, a hundred turns at a time.",
        takes=TAKES["conversation_get"],
        answers=_envelope(answers.ConversationWhole),
        reads_only=True,
        repeatable=True,
    ),
    AssistantTool(
        name="conversation_delete",
        description="Delete a conversation, and take out of use what was remembered from it alone. "
        "memory_erase removes both for ever.",
        takes=TAKES["conversation_delete"],
        answers=_envelope(answers.ConversationDeleted),
        destroys=True,
    ),
    AssistantTool(
        name="memory_erase",
        description="Remove a memory, a conversation or everything of a user for ever, with all "
        "that follows from it. Nothing brings it back: ask the user first.",
        takes=TAKES["memory_erase"],
        answers=_envelope(answers.MemoryErased),
        destroys=True,
        repeatable=True,
    ),
)
_TOOLS: Final[Mapping[str, AssistantTool]] = {tool.name: tool for tool in _LISTED}


def described(tool: AssistantTool) -> dict[str, Any]:
    """Return a tool in the words of MCP."""
    return {
        "name": tool.name,
        "title": tool.name.replace("_", " ").capitalize(),
        "description": tool.description,
        "inputSchema": short_input(tool.takes),
        "outputSchema": _short_envelope(tool.answers),
        "annotations": {
            "readOnlyHint": tool.reads_only,
            "destructiveHint": tool.destroys,
            "idempotentHint": tool.repeatable,
            "openWorldHint": tool.asks_others,
        },
    }


def _short_envelope(schema: Schema) -> Schema:
    """Return what a tool answers in short: what it did, or why it did not."""
    short = short_answer(schema, depth=1)
    kept = {name: short["properties"][name] for name in ("success", "data")}
    properties = {**kept, "error": {"type": "object"}}
    return {"type": "object", "properties": properties, "required": ["success"]}
