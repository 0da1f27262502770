"""Extract memory from a turn by asking a language model once.

It imports pydantic, so it is imported only where a model is asked.
"""

from dataclasses import replace

from mnemic.chat.extraction import rules
from mnemic.chat.extraction.extraction import BY_MODEL, RULES, Extraction, Known, TurnText
from mnemic.chat.extraction.model_answers import parse_extraction
from mnemic.chat.extraction.prompts import EXTRACTION_FORM, extraction_request
from mnemic.errors import EmptyAnswerError
from mnemic.providers.chat_models.chat_model import ChatModel


def extract(model: ChatModel, turn: TurnText, known: Known) -> Extraction:
    """Return what a model finds in a turn, as `model:<its name>`; it refers only to what it saw.

    An answer that cannot be used gives what the rules find, with a note. Raises ChatServiceError
    where there is no answer; `retryable` in its details tells whether another attempt may help.
    No transaction should be open meanwhile.
    """
    request = extraction_request(turn, known)
    try:
        text = model.complete(request.system, request.said, form=EXTRACTION_FORM).text
    except EmptyAnswerError:
        text = ""
    found = parse_extraction(text, turn, request.shown, extractor=f"{BY_MODEL}{model.name}")
    if found.extractor != RULES:
        return found
    return replace(rules.extract(turn, known), summary=found.summary, note=found.note)
