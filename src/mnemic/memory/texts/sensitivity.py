"""Which memories are sensitive, and what of them may be shown to whom.

There is one level. The owner marks a memory as a whole; what is recognised as a secret when it is
written is marked, too, and only the secret itself is covered then.
"""

from collections.abc import Collection, Mapping
from dataclasses import replace
from typing import Any, Final, cast

from mnemic.language.secrets.checksums import SecretKind
from mnemic.language.secrets.recognising import MASK, kinds_named, masked, secrets_in
from mnemic.memory.texts.context_words import NOTE, RECOGNISED, SENSITIVITY
from mnemic.records.memory import Context, Memory

_HIGH: Final = "high"


def marked(content: str, context: Context) -> Context:
    """Return a context that says so where its memory tells a secret, unless its author said
    anything about that.
    """
    if SENSITIVITY in context:
        return context
    note = context.get(NOTE)
    tells = secrets_in(content) or (isinstance(note, str) and secrets_in(note))
    return {**context, SENSITIVITY: _HIGH, RECOGNISED: True} if tells else context


def is_secret(memory: Memory, kinds: Collection[str] = ()) -> bool:
    """Tell whether a memory is marked as sensitive, or of a kind that is kept secret as a whole."""
    return memory.kind in kinds or memory.context.get(SENSITIVITY) == _HIGH


def may_be_told(memory: Memory, asked: str, kinds: Collection[str] = ()) -> bool:
    """Tell whether a reply may quote a memory to its owner, who asked that.

    What the owner marked is never quoted; what was recognised is where it is asked for by name.
    """
    if not is_secret(memory, kinds):
        return True
    is_recognised = memory.kind not in kinds and memory.context.get(RECOGNISED) is True
    return is_recognised and names_it(memory, asked)


def names_it(memory: Memory, asked: str) -> bool:
    """Tell whether a question asks for the kind of secret that a memory tells."""
    told: set[SecretKind] = {secret.kind for secret in secrets_in(memory.content)}
    return bool(kinds_named(asked) & (told | kinds_named(memory.content) if told else told))


def covered(memory: Memory, *, asked: str = "") -> Memory:
    """Return a memory as it may be listed: with its secrets masked, unless they are asked for."""
    if not is_secret(memory) or (asked and names_it(memory, asked)):
        return memory
    version = covered_version({"content": memory.content, "context": memory.context})
    whole = version["content"] == MASK
    return replace(
        memory,
        content=version["content"],
        summary=MASK if whole else masked(memory.summary),
        context=version["context"],
    )


def covered_version(version: Mapping[str, Any]) -> dict[str, Any]:
    """Return a version of a memory, as the journal keeps it, with its secrets masked."""
    context = version.get("context")
    known: Context = cast("Context", context) if isinstance(context, Mapping) else {}
    content = version.get("content")
    if known.get(SENSITIVITY) != _HIGH:
        return dict(version)
    if not isinstance(content, str) or not secrets_in(content):
        kept = {name: known[name] for name in (SENSITIVITY, RECOGNISED) if name in known}
        noted = known.get(NOTE)
        if known.get(RECOGNISED) is True and isinstance(content, str) and isinstance(noted, str):
            return {**version, "context": {**known, NOTE: masked(noted)}}
        note = {NOTE: MASK} if NOTE in known else {}
        return {**version, "content": MASK, "context": {**kept, **note}}
    return {**version, "content": masked(content), "context": _masked_in(known)}


def _masked_in(value: Any) -> Any:
    if isinstance(value, str):
        return masked(value)
    if isinstance(value, Mapping):
        entries = cast("Mapping[str, Any]", value)
        return {name: _masked_in(entry) for name, entry in entries.items()}
    if isinstance(value, list | tuple):
        return [_masked_in(entry) for entry in cast("list[Any]", value)]
    return value
