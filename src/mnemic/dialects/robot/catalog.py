"""The robot tools as a client sees them: what each takes, in JSON Schema, and what it answers.

Names, order, defaults and descriptions are read off the methods themselves; only what Python's
types cannot say (limits, examples, what JSON may be given) is written down here.
"""

import inspect
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from types import MappingProxyType
from typing import Any, Final, Literal, cast, get_origin, get_type_hints

from mnemic.dialects.robot import inputs
from mnemic.dialects.robot.tools import RobotTools
from mnemic.dialects.schemas import Schema, schema_of

Profile = Literal["robot", "robot-extended"]

_SEVEN: Final = (
    "learn",
    "recall",
    "save_perception",
    "forget",
    "update",
    "start_session",
    "end_session",
)
PROFILES: Final[Mapping[Profile, tuple[str, ...]]] = MappingProxyType(
    {
        "robot": _SEVEN,
        "robot-extended": (*_SEVEN, "get", "list", "history", "undo", "learn_many", "erase"),
    }
)


@dataclass(frozen=True, slots=True, kw_only=True)
class RobotTool:
    """One tool: its name, what it is for, what it takes and what it answers.

    An answer that is a list travels as `{"result": [...]}`, because MCP wants an object.
    """

    name: str
    title: str
    description: str
    takes: Schema
    answers: Schema
    answers_list: bool
    reads_only: bool
    repeatable: bool
    destroys: bool

    @property
    def parameters(self) -> Mapping[str, Schema]:
        """What may be given, by name."""
        return cast("dict[str, Schema]", self.takes["properties"])


def tools_of(profile: Profile) -> list[RobotTool]:
    """Return the tools of a profile, in the order in which they are shown."""
    return [_tool(name) for name in PROFILES[profile]]


_READERS: Final = frozenset({"recall", "get", "list", "history"})
# Called again with the same arguments, these change nothing more: a lesson is known already, a
# memory is gone already. A perception is kept twice, and undo goes one change further back.
_REPEATABLE: Final = _READERS | {"learn", "learn_many", "forget", "update", "end_session"}

_TEXT: Final[Schema] = {"type": "string", "minLength": 1}
_JSON_OBJECT: Final[Schema] = {"anyOf": [{"type": "string"}, {"type": "object"}]}
_JSON_OR_NULL: Final[Schema] = {
    "anyOf": [{"type": "string"}, {"type": "object"}, {"type": "null"}],
}
_ANY_JSON: Final[Schema] = {
    "anyOf": [{"type": "string"}, {"type": "object"}, {"type": "array"}, {"type": "null"}],
}
_SHARE: Final[Schema] = {"type": "number", "minimum": 0, "maximum": 1}
_TIME: Final[Schema] = {"anyOf": [{"type": "string"}, {"type": "null"}]}
_MEMORY_ID: Final[Schema] = {"type": "integer", "minimum": 1}

_PARAMETERS: Final[Mapping[str, Schema]] = {
    "insight": _TEXT | {"description": "One sentence; cut after 300 characters."},
    "insights": {
        "type": "array",
        "maxItems": inputs.MAX_BATCH,
        "items": {
            "anyOf": [
                {"type": "string"},
                {
                    "type": "object",
                    "properties": {"insight": _TEXT, "context": _JSON_OBJECT},
                    "required": ["insight"],
                },
            ]
        },
        "description": "Texts, or objects with insight and, where wanted, context, collection, "
        "session_id and occurred_at.",
    },
    "context": _JSON_OBJECT
    | {
        "description": "JSON object with params, spatial, robot and task, e.g. "
        '{"params":{"force":{"value":12.5,"unit":"N"}},"task":{"success":true}}.'
    },
    "collection": _TEXT | {"maxLength": 200, "description": "Group of memories."},
    "session_id": {
        "anyOf": [{"type": "string"}, {"type": "null"}],
        "description": "From start_session.",
    },
    "query": _TEXT
    | {"maxLength": inputs.QUERY_CHARACTERS, "description": "The task, in any language."},
    "occurred_at": _TIME | {"description": "ISO 8601; else now."},
    "as_of": _TIME | {"description": "As of then."},
    "n": {
        "type": "integer",
        "minimum": 1,
        "maximum": inputs.MAX_HITS,
        "description": "How many at most.",
    },
    "min_confidence": _SHARE | {"description": "Leaves out what is less sure."},
    "min_relevance": _SHARE | {"description": "Leaves out poor answers."},
    "explain": {"type": "boolean", "description": "Adds how it was found."},
    "context_filter": _JSON_OR_NULL
    | {
        "description": "Up to 10 dot-paths into the context (or created_at), e.g. "
        '{"task.success":true,"params.force.value":{"$lt":15}}. '
        "$eq $ne $lt $lte $gt $gte $in $nin $exists."
    },
    "spatial_sort": _JSON_OR_NULL
    | {
        "description": "Nearest first, e.g. "
        '{"field":"spatial.position","target":[1.3,0.7,0.4],"max_distance":0.1}.'
    },
    "description": {
        "type": "string",
        "minLength": inputs.DESCRIPTION_CHARACTERS,
        "description": "What was sensed, in words.",
    },
    "perception_type": {
        "type": "string",
        "enum": list(inputs.PERCEPTION_TYPES),
        "description": "Which sense; procedural is a sequence of actions.",
    },
    "data": _ANY_JSON | {"description": "Readings as JSON, up to 16 MiB, kept as given."},
    "metadata": _ANY_JSON | {"description": "Format, sample rate, units."},
    "memory_id": _MEMORY_ID | {"description": "From learn or recall."},
    "reason": _TEXT | {"description": "Why it is wrong."},
    "new_content": _TEXT | {"description": "Cut after 300 characters."},
    "reveal": {"type": "boolean", "description": "Show secrets; ask the user first."},
    "dry_run": {"type": "boolean", "description": "Only count what would go."},
    "outcome_score": {
        "anyOf": [_SHARE, {"type": "null"}],
        "description": "How well it went.",
    },
    "status": {
        "type": "string",
        "enum": list(inputs.STATUSES),
        "description": "Which ones: in use, forgotten, merged into others, or all.",
    },
    "category": {
        "anyOf": [{"type": "string"}, {"type": "null"}],
        "description": "Only this category, e.g. constraint, root_cause or observation.",
    },
    "before_id": {
        "anyOf": [_MEMORY_ID, {"type": "null"}],
        "description": "Only memories with a smaller id: the last one of the page before.",
    },
}
# Where a tool means something else by a parameter than the others do.
_SPECIAL: Final[Mapping[tuple[str, str], Schema]] = {
    ("update", "context"): {"description": "A new context; without one, the old one stays."},
    ("start_session", "context"): _JSON_OR_NULL
    | {"description": "Which robot, environment and task, as JSON."},
    ("recall", "session_id"): {"description": "Only what this run learned."},
    ("erase", "memory_id"): {
        "anyOf": [_MEMORY_ID, {"type": "null"}],
        "description": "Its number.",
    },
    ("erase", "collection"): {
        "anyOf": [_TEXT | {"maxLength": 200}, {"type": "null"}],
        "description": "A whole collection instead.",
    },
    ("end_session", "session_id"): _TEXT | {"description": "From start_session."},
}


@cache
def _tool(name: str) -> RobotTool:
    method = getattr(RobotTools, name)
    answer = get_type_hints(method)["return"]
    return RobotTool(
        name=name,
        title=name.replace("_", " ").capitalize(),
        description=inspect.cleandoc(method.__doc__),
        takes=_input_schema(name, method),
        answers=_output_schema(answer),
        answers_list=get_origin(answer) is list,
        reads_only=name in _READERS,
        repeatable=name in _REPEATABLE,
        destroys=name == "erase",
    )


def _input_schema(name: str, method: object) -> Schema:
    # The first parameter is `self`.
    _, *parameters = inspect.signature(cast("Any", method)).parameters.values()
    properties: dict[str, Schema] = {}
    for parameter in parameters:
        schema = _parameter_schema(name, parameter.name)
        if parameter.default is not parameter.empty:
            schema["default"] = parameter.default
        properties[parameter.name] = schema
    return {
        "type": "object",
        "properties": properties,
        "required": [
            parameter.name for parameter in parameters if parameter.default is parameter.empty
        ],
        "additionalProperties": False,
    }


def _parameter_schema(tool: str, name: str) -> Schema:
    special = _SPECIAL.get((tool, name), {})
    if "type" in special or "anyOf" in special:
        return dict(special)
    return {**_PARAMETERS[name], **special}


def _output_schema(answer: object) -> Schema:
    schema = schema_of(answer)
    if get_origin(answer) is not list:
        return schema
    return {"type": "object", "properties": {"result": schema}, "required": ["result"]}
