"""The assistant's tools as a client sees them: what each takes and answers, in JSON Schema."""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Final, Literal, cast

from mnemic.dialects.assistant import answers, inputs
from mnemic.dialects.assistant.images import MOST_IMAGES
from mnemic.dialects.schemas import Schema, schema_of, short_answer, short_input
from mnemic.language.memory_types import TYPES
from mnemic.records.memory import DEFAULT_USER

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


def _text(most: int, description: str) -> Schema:
    return {"type": "string", "minLength": 1, "maxLength": most, "description": description}


_TYPE: Final[Schema] = {
    "type": "string",
    "enum": [*TYPES, inputs.AUTO],
    "description": "core: the user and their tastes; episodic: events; semantic: facts; "
    "procedural: how-to; resource: links, documents; knowledge_vault: notes; auto: chosen by the "
    "content.",
}
_CONTENT: Final = _text(inputs.CONTENT_CHARACTERS, "In plain words.")
_CONTEXT: Final[Schema] = {
    "anyOf": [{"type": "string"}, {"type": "object"}, {"type": "null"}],
    "default": None,
    "description": "Where it comes from; searched too. "
    '{"sensitivity":"high"} keeps it out of chats.',
}
_TYPES: Final[Schema] = {
    "type": "array",
    "items": {"type": "string", "enum": list(TYPES)},
    "default": [],
    "description": "Only these; none means all.",
}
_USER: Final = _text(inputs.ID_CHARACTERS, "Whose memory.") | {"default": DEFAULT_USER.name}
_OFFSET: Final[Schema] = {
    "type": "integer",
    "minimum": 0,
    "maximum": inputs.MAX_OFFSET,
    "default": 0,
    "description": "How many to leave out first.",
}
_MEMORY_ID: Final = _text(40, "A memory's id, such as mem_0000000012.")
_CONVERSATION_ID: Final = _text(inputs.ID_CHARACTERS, "A conversation's id.")


def _time(description: str) -> Schema:
    return {
        "anyOf": [{"type": "string"}, {"type": "null"}],
        "default": None,
        "description": description,
    }


_AS_OF: Final = _time("As of then.")
_ZONE: Final = _time("IANA name.")


def _limit(default: int) -> Schema:
    return {
        "type": "integer",
        "minimum": 1,
        "maximum": inputs.MAX_RESULTS,
        "default": default,
        "description": "At most.",
    }


def _switch(description: str) -> Schema:
    return {"type": "boolean", "default": False, "description": description}


def _takes(required: tuple[str, ...] = (), /, **properties: Schema) -> Schema:
    return {
        "type": "object",
        "properties": {**properties, "user_id": _USER},
        "required": list(required),
        "additionalProperties": False,
    }


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
        takes=_takes(
            ("content", "memory_type"),
            content=_CONTENT,
            memory_type=_TYPE,
            context=_CONTEXT,
            occurred_at=_time("ISO 8601."),
            expires_at=_time("When it ends."),
            time_zone=_ZONE,
        ),
        answers=_envelope(answers.Added),
        repeatable=True,
    ),
    AssistantTool(
        name="memory_search",
        description="Find what was remembered, best first. Call it before answering what may "
        "depend on the user. No result: nothing is known.",
        takes=_takes(
            ("query",),
            query=_text(inputs.QUERY_CHARACTERS, "In plain words of any language."),
            memory_types=_TYPES,
            limit=_limit(10),
            as_of=_AS_OF,
            time_zone=_ZONE,
        ),
        answers=_envelope(answers.Results),
        reads_only=True,
        repeatable=True,
    ),
    AssistantTool(
        name="memory_chat",
        description="Send the user's message and get a reply from what is remembered. mode tells "
        "who replied: llm, sampling, or extractive, which quotes memories.",
        takes=_takes(
            ("message",),
            message=_text(inputs.MESSAGE_CHARACTERS, "What the user says."),
            memorizing={
                "type": "boolean",
                "default": True,
                "description": "Whether to keep the turn.",
            },
            image_uris={
                "type": "array",
                "items": {"type": "string"},
                "maxItems": MOST_IMAGES,
                "default": [],
                "description": "Pictures, as http(s) or data:image URIs of up to 3 MB.",
            },
            conversation_id=_CONVERSATION_ID
            | {"description": "One that goes on, or a new id; else the latest."},
            as_of=_AS_OF,
            time_zone=_ZONE,
        ),
        answers=_envelope(answers.Replied),
        asks_others=True,
    ),
    AssistantTool(
        name="memory_get_profile",
        description="Tell how much is remembered of each type and how the memory is used.",
        takes=_takes((), memory_types=_TYPES, as_of=_AS_OF, time_zone=_ZONE),
        answers=_envelope(answers.ProfileOfUser),
        reads_only=True,
        repeatable=True,
    ),
    AssistantTool(
        name="memory_update",
        description="Correct a memory: its content, its context, or both. The old version stays "
        "in the history.",
        takes=_takes(("memory_id",), memory_id=_MEMORY_ID, content=_CONTENT, context=_CONTEXT),
        answers=_envelope(answers.Kept),
        repeatable=True,
    ),
    AssistantTool(
        name="memory_delete",
        description="Take a memory out of use: it is no longer found or counted, but its text is "
        "kept in the history. memory_erase removes that.",
        takes=_takes(("memory_id",), memory_id=_MEMORY_ID),
        answers=_envelope(answers.DeletedMemory),
        destroys=True,
    ),
    AssistantTool(
        name="memory_list",
        description="List memories, newest first, page by page.",
        takes=_takes(
            (),
            memory_types=_TYPES,
            limit=_limit(50),
            before=_MEMORY_ID | {"description": "Only older ones: next_before of the page before."},
        ),
        answers=_envelope(answers.KeptList),
        reads_only=True,
        repeatable=True,
    ),
    AssistantTool(
        name="conversation_list",
        description="List the user's conversations, the last used first.",
        takes=_takes(
            (),
            limit=_limit(50),
            offset=_OFFSET,
        ),
        answers=_envelope(answers.ConversationList),
        reads_only=True,
        repeatable=True,
    ),
    AssistantTool(
        name="conversation_get",
        description="Return what was said in a conversation, in order, a hundred turns at a time.",
        takes=_takes(("conversation_id",), conversation_id=_CONVERSATION_ID, offset=_OFFSET),
        answers=_envelope(answers.ConversationWhole),
        reads_only=True,
        repeatable=True,
    ),
    AssistantTool(
        name="conversation_delete",
        description="Delete a conversation, and take out of use what was remembered from it alone. "
        "memory_erase removes both for ever.",
        takes=_takes(("conversation_id",), conversation_id=_CONVERSATION_ID),
        answers=_envelope(answers.ConversationDeleted),
        destroys=True,
    ),
    AssistantTool(
        name="memory_erase",
        description="Remove a memory, a conversation or everything of a user for ever, with all "
        "that follows from it. Nothing brings it back: ask the user first.",
        takes=_takes(
            (),
            memory_id=_MEMORY_ID,
            conversation_id=_CONVERSATION_ID,
            everything=_switch("All of this user."),
            dry_run=_switch("Only count what would go."),
        ),
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
