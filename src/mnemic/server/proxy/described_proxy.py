"""What the OpenAPI document says of `/v1`. Only what Mnemic looks at is described; the rest is what
the other server takes and answers.
"""

from typing import Any, Final

from pydantic import BaseModel, ConfigDict, Field

from mnemic.dialects.chat.answers import ErrorAnswer

_REFUSALS: Final = {
    400: "The body holds no messages, or the header names no session.",
    413: "The body has more than the server takes.",
    415: "The body is not `application/json`.",
    424: "No other server is set; the message says how.",
    429: "The account waits for too many answers already.",
    500: "Something broke; the log has more under the request's id.",
    502: "The other server could not be asked.",
    503: "The store stayed locked. Try again.",
    504: "The other server was silent for too long.",
}
_WITH_BODY: Final = frozenset({400, 413, 415})


class ChatCompletion(BaseModel):
    """A completion as the other server answers it; with `stream`, its events."""

    model_config = ConfigDict(extra="allow")

    choices: list[dict[str, Any]] = Field(description="The first one is kept.")


class ServedModels(BaseModel):
    """The models as the other server lists them."""

    model_config = ConfigDict(extra="allow")

    data: list[dict[str, Any]]


def _refusals(*, has_body: bool) -> dict[int | str, dict[str, Any]]:
    return {
        code: {"model": ErrorAnswer, "description": told}
        for code, told in _REFUSALS.items()
        if has_body or code not in _WITH_BODY
    }


_SENT: Final = {
    "type": "object",
    "required": ["messages"],
    "properties": {
        "messages": {
            "type": "array",
            "description": "What was said, as OpenAI's API takes it.",
            "items": {
                "type": "object",
                "required": ["role"],
                "properties": {"role": {"type": "string"}},
            },
        },
        "model": {"description": "Which model of the other server to ask."},
        "stream": {"description": "Whether the answer comes as events."},
    },
    "example": {"model": "qwen3:8b", "messages": [{"role": "user", "content": "Hello"}]},
}
_SESSION: Final = {
    "name": "X-Mnemic-Session",
    "in": "header",
    "required": False,
    "description": "The app's own name for the conversation; without it, one is made from the "
    "instructions and the first message.",
    "schema": {"type": "string", "minLength": 1, "maxLength": 200, "pattern": "^[!-.0-~]+$"},
}
COMPLETIONS: Final[dict[str, Any]] = {
    "operation_id": "complete_chat",
    "summary": "Complete a chat, with memory",
    "response_model": ChatCompletion,
    "response_description": "The other server's answer.",
    "responses": _refusals(has_body=True),
    "openapi_extra": {
        "parameters": [_SESSION],
        "requestBody": {"required": True, "content": {"application/json": {"schema": _SENT}}},
    },
}
MODELS: Final[dict[str, Any]] = {
    "operation_id": "list_served_models",
    "summary": "List the models of the server that is set",
    "response_model": ServedModels,
    "response_description": "The other server's answer.",
    "responses": _refusals(has_body=False),
}
