"""Make one summary of several: by a language model, or without one."""

from collections.abc import Sequence
from typing import Final

from mnemic.chat.extraction.extraction import BY_MODEL, RULES
from mnemic.chat.extraction.prompts import COMPACTION_FORM, compaction_request
from mnemic.chat.extraction.summaries import timeline
from mnemic.errors import EmptyAnswerError
from mnemic.language.sentences import joined
from mnemic.language.token_counts import token_estimate
from mnemic.language.tokens import query_terms
from mnemic.memory.texts.derivation import writable
from mnemic.providers.chat_models.chat_model import ChatModel
from mnemic.providers.chat_models.json_answers import UnusableAnswerError, object_in

SHARE: Final = 0.6
LEAST_TOKENS: Final = 120
# What does not fit into half of the usual budget of 500 is never injected.
MOST_TOKENS: Final = 240

_FIELDS: Final = ("summary", "macro_summary")
# So many of the words of a bare paragraph must be the summaries' own: a refusal has none of them.
_OWN_WORDS: Final = 0.4


def compact(model: ChatModel | None, texts: Sequence[str]) -> tuple[str, str]:
    """Return one summary of several, which come in the order of time, and who made it.

    With a model that is `model:<its name>`. Without one, or where its answer cannot be used, it is
    "rules": a timeline of whole sentences of the texts with their speakers, in at most 60 % of
    their tokens, but not in less than 120 tokens nor in more than 240. Raises
    ChatServiceError where the model does not answer.
    """
    kept = [text for text in map(writable, texts) if text]
    if model is not None and kept:
        text = _by_model(model, kept)
        if text:
            return text, f"{BY_MODEL}{model.name}"
    total = sum(map(token_estimate, kept))
    room = min(MOST_TOKENS, max(LEAST_TOKENS, round(total * SHARE)))
    return timeline(kept, tokens=room), RULES


def _by_model(model: ChatModel, texts: Sequence[str]) -> str | None:
    """Return the model's summary, or None where it wrote none, or one longer than the texts."""
    request = compaction_request(texts)
    try:
        answer = model.complete(request.system, request.said, form=COMPACTION_FORM)
    except EmptyAnswerError:
        return None
    text = _paragraph(writable(answer.text), texts) if answer.finished else None
    most = max(LEAST_TOKENS, sum(map(token_estimate, texts)))
    return text if text and token_estimate(text) <= most else None


def _paragraph(answer: str, texts: Sequence[str]) -> str | None:
    try:
        found = object_in(answer, fields=_FIELDS)
    except UnusableAnswerError:
        # Small models forget the form and still write a good paragraph.
        return _one_line(answer) if _is_about(answer, texts) else None
    said = next((found[name] for name in _FIELDS if name in found), None)
    return _one_line(writable(said)) if isinstance(said, str) else None


def _is_about(answer: str, texts: Sequence[str]) -> bool:
    words = query_terms(answer).keys()
    own = query_terms("\n".join(texts)).keys()
    # What begins like JSON or a fence is a broken answer, whatever its words are.
    return answer[:1] not in "{[`" and len(words & own) >= _OWN_WORDS * max(1, len(words))


def _one_line(text: str) -> str:
    return joined(line.strip() for line in text.splitlines())
