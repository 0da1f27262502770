"""What follows from a memory's text: its category, tags, confidence, files, summary and hash."""

import json
from collections.abc import Mapping
from hashlib import sha256
from typing import Any

from mnemic.errors import InvalidInputError
from mnemic.records import Context
from mnemic.storage.memories import Wording
from mnemic.text.classify import PROTECTED, classify
from mnemic.text.infer import confidence as inferred_confidence
from mnemic.text.infer import scope_files, summary
from mnemic.text.tokens import normalise

MAX_CONTEXT_BYTES = 1_048_576
MAX_CONTEXT_DEPTH = 64


def compose(
    content: str,
    context: Context,
    *,
    category: str | None = None,
    confidence: float | None = None,
) -> Wording:
    """Infer everything that the author did not say."""
    check_text("content", content)
    context_text = check_context(context)
    inferred = classify(content)
    chosen = category or inferred.category
    if confidence is None:
        length = len(context_text) if context else 0
        confidence = inferred_confidence(content, context_length=length)
    if not 0 <= confidence <= 1:
        raise InvalidInputError("confidence", f"{confidence} is out of range", "0.0 to 1.0")
    return Wording(
        content=content,
        summary=summary(content),
        content_hash=hash_of(content),
        category=chosen,
        protected=chosen in PROTECTED,
        confidence=confidence,
        tags=inferred.tags if category is None else (category,),
        scope_files=scope_files(content),
        context=context,
    )


def hash_of(content: str) -> bytes:
    """Return the fingerprint under which a text is recognised again, whatever its case."""
    return sha256(normalise(content).encode("utf-8")).digest()


def check_text(parameter: str, text: str) -> None:
    """Refuse what no database can hold, before anything is written."""
    if not text.strip():
        raise InvalidInputError(parameter, "it is empty", "a text with at least one character")
    if "\x00" in text or not _is_encodable(text):
        raise InvalidInputError(
            parameter,
            "it holds a NUL or half of a surrogate pair",
            "text that can be written as UTF-8",
        )


def writable(text: str) -> str:
    """Return what a model said without what no database can hold."""
    return text.replace("\x00", "").encode("utf-8", "replace").decode("utf-8").strip()


def check_context(context: Context) -> str:
    """Return a context as JSON, or refuse it with the reason."""
    try:
        text = json.dumps(context, ensure_ascii=False, allow_nan=False)
    except (TypeError, ValueError, RecursionError) as error:
        raise InvalidInputError(
            "context", f"it is not JSON ({error})", "an object of strings, numbers, lists and so on"
        ) from error
    if "\\u0000" in text or not _is_encodable(text):
        raise InvalidInputError(
            "context", "it holds a NUL or half of a surrogate pair", "text in UTF-8"
        )
    if len(text.encode("utf-8")) > MAX_CONTEXT_BYTES:
        raise InvalidInputError("context", "it is too large", "at most 1 MiB of JSON")
    if depth_of(context) > MAX_CONTEXT_DEPTH:
        raise InvalidInputError(
            "context", "it is nested too deeply", f"at most {MAX_CONTEXT_DEPTH} levels"
        )
    return text


def depth_of(value: object) -> int:
    """Return how many levels of objects and lists a JSON value has."""
    depth, level = 0, [value]
    while level := [inner for one in level for inner in _inside(one)]:
        depth += 1
    return depth


def _inside(value: object) -> list[Any]:
    if isinstance(value, Mapping):
        return list(value.values())  # pyright: ignore[reportUnknownArgumentType, reportUnknownVariableType]
    if isinstance(value, list | tuple):
        return list(value)  # pyright: ignore[reportUnknownArgumentType, reportUnknownVariableType]
    return []


def _is_encodable(text: str) -> bool:
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return False
    return True
