"""Read what a chat server answered, which may be anything."""

from typing import Final

from pydantic import BaseModel, ValidationError

from mnemic.errors import ChatServiceError, EmptyAnswerError
from mnemic.providers.chat_models.chat_model import Completion
from mnemic.providers.http_answers import reason_in, without_key
from mnemic.runtime.thoughts import without_thoughts

_EXCERPT: Final = 60
# Why a server stops before the model has said all.
_CUT_SHORT: Final = frozenset({"length", "content_filter"})


class _Part(BaseModel):
    """A part of an answer. Parts without text are thoughts, and are left out."""

    text: str | None = None


class _Message(BaseModel):
    content: str | list[_Part] | None = None
    refusal: str | None = None


class _Choice(BaseModel):
    message: _Message
    finish_reason: str | None = None


class _Answer(BaseModel):
    choices: list[_Choice]


def read_answer(content: bytes, *, url: str, key: str | None) -> Completion:
    """Return an answer, without what the model thought aloud before it.

    A refusal is an answer too, though not a finished one. Raises ChatServiceError where there is no
    text: EmptyAnswerError where only that is missing.
    """
    answer = _parsed(content)
    if answer is None:
        reason = reason_in(content, key=key)
        raise ChatServiceError(
            f"{url} did not answer like a chat server{': ' + reason if reason else ''}. "
            "Check MNEMIC_LLM_URL, which mostly ends in /v1.",
            retryable=False,
        )
    if not answer.choices:
        raise ChatServiceError(f"{url} answered without a choice. Try again.", retryable=True)
    choice = answer.choices[0]
    text = without_thoughts(_joined(choice.message)).strip()
    if not text:
        why = without_key(choice.finish_reason or "unknown", key)[:_EXCERPT]
        raise EmptyAnswerError(
            f"{url} answered without text (it stopped because: {why}). Try again, or let the "
            "model write more at once.",
            retryable=True,
        )
    refused = bool(choice.message.refusal)
    cut_short = choice.finish_reason in _CUT_SHORT
    return Completion(text=text, finished=not (refused or cut_short))


def _parsed(content: bytes) -> _Answer | None:
    try:
        return _Answer.model_validate_json(content)
    except ValidationError:
        return None


def _joined(message: _Message) -> str:
    said = message.content
    text = said if isinstance(said, str) else "".join(part.text or "" for part in said or [])
    return text if text.strip() else message.refusal or ""
