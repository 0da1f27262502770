"""What follows from a memory's text: its category, tags, confidence, files, summary and hash."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from hashlib import sha256
from typing import Any

from mnemic.errors import InvalidInputError, OutOfTimeError
from mnemic.language.bounds import LONGEST_TEXT, READ_OF_MEMORY
from mnemic.language.classify import PROTECTED, classify
from mnemic.language.infer import confidence as inferred_confidence
from mnemic.language.infer import scope_files, summary
from mnemic.language.lexicon.categories import DEFAULT
from mnemic.language.tokens import normalise
from mnemic.memory.texts.sensitivity import marked
from mnemic.records.measurements import measurement_of
from mnemic.records.memory import Context
from mnemic.runtime.budgets import check_time
from mnemic.storage.rows.memory_rows import DerivedText

MAX_CONTEXT_BYTES = 1_048_576
MAX_CONTEXT_DEPTH = 64


@dataclass(frozen=True, slots=True)
class Worded:
    """A wording; `late` tells that there was no time to infer anything."""

    wording: DerivedText
    late: OutOfTimeError | None = None


@dataclass(frozen=True, slots=True)
class _Inferred:
    category: str = DEFAULT
    tags: tuple[str, ...] = ()
    confidence: float = 0.8
    scope_files: tuple[str, ...] = ()


def compose(
    content: str,
    context: Context,
    *,
    category: str | None = None,
    confidence: float | None = None,
) -> Worded:
    """Infer everything that the author did not say, as far as there is time."""
    check_content(content)
    context_text = check_context(context)
    if confidence is not None and not 0 <= confidence <= 1:
        raise InvalidInputError("confidence", f"{confidence} is out of range", "0.0 to 1.0")
    late: OutOfTimeError | None = None
    try:
        inferred = _inferred(content[:READ_OF_MEMORY], len(context_text) if context else 0)
    except OutOfTimeError as error:
        late, inferred = error, _Inferred()
    chosen = category or inferred.category
    wording = DerivedText(
        content=content,
        summary=summary(content[:READ_OF_MEMORY]),
        content_hash=hash_of(content),
        category=chosen,
        protected=chosen in PROTECTED,
        confidence=inferred.confidence if confidence is None else confidence,
        tags=inferred.tags if category is None else (category,),
        scope_files=inferred.scope_files,
        context=marked(content, context),
        measurement=measurement_of(context),
    )
    return Worded(wording, late)


def _inferred(text: str, context_length: int) -> _Inferred:
    check_time()
    said = classify(text)
    check_time()
    sure = inferred_confidence(text, context_length=context_length)
    check_time()
    return _Inferred(said.category, said.tags, sure, scope_files(text))


def told_late(late: OutOfTimeError, memory_ids: list[int]) -> OutOfTimeError:
    """Return what is raised after texts were kept that nobody had the time to read."""
    named = ", ".join(map(str, memory_ids))
    return OutOfTimeError(f"Memory {named}: {late}", memory_ids=memory_ids)


def check_content(content: str, parameter: str = "content") -> None:
    """Refuse a text that cannot be kept as one memory."""
    check_text(parameter, content)
    check_length(parameter, len(content))


def check_length(parameter: str, length: int) -> None:
    """Refuse what is longer than a memory or a turn may be."""
    if length > LONGEST_TEXT:
        raise InvalidInputError(parameter, f"it has {length} characters", f"at most {LONGEST_TEXT}")


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


def check_aware(parameter: str, moment: datetime | None) -> None:
    """Refuse a time that may be any of many."""
    if moment is not None and moment.tzinfo is None:
        raise InvalidInputError(parameter, "it names no time zone", "an aware time")


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
    while level := [inner for value in level for inner in _inside(value)]:
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
