"""Lines of an export without the secrets in them."""

from collections.abc import Mapping
from typing import Any, Final, cast

from mnemic.language.secrets.recognising import masked
from mnemic.memory.texts.sensitivity import covered_version

MASKED: Final = "masked"
"""What a line says of itself where a secret was left out of it."""

# What sensors delivered, vectors and names are no words of people.
_NO_WORDS: Final = frozenset({"data", "metadata", "vector", "search", "scope", "id", "kind"})
_VERSIONS: Final = ("before", "after")


def covered_line(told: dict[str, Any]) -> dict[str, Any]:
    """Return a line with a mask for each secret, and what is marked as sensitive masked whole."""
    line = covered_version(told)
    for name in _VERSIONS:
        version = told.get(name)
        if isinstance(version, Mapping):
            line[name] = covered_version(cast("Mapping[str, Any]", version))
    line = {name: value if name in _NO_WORDS else _covered(value) for name, value in line.items()}
    if line == told:
        return told
    # A vector tells what its text says.
    line.pop("vector", None)
    if line.get("content") != told.get("content") and "summary" in line:
        line["summary"] = line["content"]
    return {**line, MASKED: True}


def _covered(value: Any) -> Any:
    if isinstance(value, str):
        return masked(value)
    if isinstance(value, Mapping):
        entries = cast("Mapping[str, Any]", value)
        return {name: _covered(entry) for name, entry in entries.items()}
    if isinstance(value, list):
        return [_covered(entry) for entry in cast("list[Any]", value)]
    return value
