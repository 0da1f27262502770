"""What each of the assistant's tools takes: checked, shown to clients and documented from here."""

from collections.abc import Mapping
from typing import Final

from mnemic.dialects.assistant import inputs
from mnemic.dialects.assistant.images import MOST_IMAGES
from mnemic.dialects.schemas import Schema
from mnemic.language.memory_types import TYPES
from mnemic.records.memory import DEFAULT_USER


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


_REVEAL: Final = _switch("Show secrets; ask the user first.")


def _takes(required: tuple[str, ...] = (), /, **properties: Schema) -> Schema:
    return {
        "type": "object",
        "properties": {**properties, "user_id": _USER},
        "required": list(required),
        "additionalProperties": False,
    }


TAKES: Final[Mapping[str, Schema]] = {
    "memory_add": _takes(
        ("content", "memory_type"),
        content=_CONTENT,
        memory_type=_TYPE,
        context=_CONTEXT,
        occurred_at=_time("ISO 8601."),
        expires_at=_time("When it ends."),
        time_zone=_ZONE,
    ),
    "memory_search": _takes(
        ("query",),
        query=_text(inputs.QUERY_CHARACTERS, "In plain words of any language."),
        memory_types=_TYPES,
        limit=_limit(10),
        as_of=_AS_OF,
        time_zone=_ZONE,
    ),
    "memory_chat": _takes(
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
    "memory_get_profile": _takes((), memory_types=_TYPES, as_of=_AS_OF, time_zone=_ZONE),
    "memory_update": _takes(
        ("memory_id",), memory_id=_MEMORY_ID, content=_CONTENT, context=_CONTEXT
    ),
    "memory_delete": _takes(("memory_id",), memory_id=_MEMORY_ID),
    "memory_list": _takes(
        (),
        memory_types=_TYPES,
        limit=_limit(50),
        before=_MEMORY_ID | {"description": "Only older ones: next_before of the page before."},
        reveal=_REVEAL,
        as_of=_AS_OF,
        time_zone=_ZONE,
    ),
    "conversation_list": _takes(
        (),
        limit=_limit(50),
        offset=_OFFSET,
    ),
    "conversation_get": _takes(
        ("conversation_id",),
        conversation_id=_CONVERSATION_ID,
        offset=_OFFSET,
        reveal=_REVEAL,
    ),
    "conversation_delete": _takes(("conversation_id",), conversation_id=_CONVERSATION_ID),
    "memory_erase": _takes(
        (),
        memory_id=_MEMORY_ID,
        conversation_id=_CONVERSATION_ID,
        everything=_switch("All of this user."),
        dry_run=_switch("Only count what would go."),
    ),
}


def check_names(tool: str, params: inputs.Params) -> None:
    """Refuse a parameter that a tool does not have: a misspelt one would do nothing."""
    inputs.only_known(tool, params, TAKES[tool]["properties"])
