"""Find the one JSON object that a language model was asked for in what it wrote."""

import json
from collections.abc import Collection
from typing import Any, Final

from mnemic.runtime.patterns import linear

# More than the fullest answer can need. Beyond it a model repeats itself.
ANSWER_CHARACTERS: Final = 500_000
# Prose may hold a few braces before the object; text that is full of them is no answer.
_ATTEMPTS: Final = 200
_QUOTED: Final = 80
_HUMP: Final = linear(r"(?<=[a-z0-9])(?=[A-Z])")


class UnusableAnswerError(Exception):
    """What a model wrote cannot be used; the text says why."""


def object_in(text: str, *, fields: Collection[str]) -> dict[str, Any]:
    """Return the only JSON object in a text that has one of the fields, with its names, and those
    of all objects in it, in snake_case.

    A fence, prose or an envelope around it does not matter. Raises UnusableAnswerError where there
    is none, or more than one.
    """
    if not text.strip():
        raise UnusableAnswerError("it is empty.")
    if len(text) > ANSWER_CHARACTERS:
        raise UnusableAnswerError(f"it is longer than {ANSWER_CHARACTERS:,} characters.")
    found = _objects(text, fields)
    if not found:
        start = " ".join(text[: 2 * _QUOTED].split())[:_QUOTED]
        raise UnusableAnswerError(
            f"it holds no whole JSON object of the kind asked for ({start!r})."
        )
    if len(found) > 1:
        raise UnusableAnswerError("it holds more than one JSON object.")
    return found[0]


def _objects(text: str, fields: Collection[str]) -> list[dict[str, Any]]:
    # NaN and infinity are no JSON; as null they count as left out.
    decoder = json.JSONDecoder(object_pairs_hook=_in_snake_case, parse_constant=_nothing)
    found: list[dict[str, Any]] = []
    at = text.find("{")
    for _ in range(_ATTEMPTS):
        if at < 0:
            break
        end = at + 1
        try:
            value, after = decoder.raw_decode(text, at)
        except (ValueError, RecursionError):
            # No object begins here, but one may begin further on.
            pass
        else:
            if not value.keys().isdisjoint(fields):
                found.append(value)
                end = after
        at = text.find("{", end)
    return found


def _in_snake_case(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    return {_HUMP.sub("_", name).lower(): value for name, value in pairs}


def _nothing(_constant: str) -> None:
    return None
