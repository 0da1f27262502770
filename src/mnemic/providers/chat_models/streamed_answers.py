"""Answers that are read while a model writes them, for whoever listens in this context."""

import json
from collections.abc import Callable, Generator, Iterable
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any, Final

Listener = Callable[[str], None]

_LISTENER: Final[ContextVar[Listener | None]] = ContextVar("mnemic_reply_listener", default=None)
_DATA: Final = "data:"
_END: Final = "[DONE]"
_THOUGHT: Final = ("<think>", "</think>")


@contextmanager
def listening(listener: Listener) -> Generator[None]:
    """Let somebody hear a reply piece by piece while it is written, in this context."""
    token = _LISTENER.set(listener)
    try:
        yield
    finally:
        _LISTENER.reset(token)


def listener() -> Listener | None:
    """Return who listens, if anybody does."""
    return _LISTENER.get()


def read_pieces(lines: Iterable[str], tell: Listener) -> bytes:
    """Return a whole answer, as a server that does not stream would have sent it, and tell each
    piece of its text as it comes. What a model thinks aloud before is not told.
    """
    written: list[str] = []
    finish: str | None = None
    told = 0
    for line in lines:
        data = line.removeprefix(_DATA).strip()
        if not line.startswith(_DATA) or data == _END:
            continue
        piece, finish = _piece(data, finish)
        written.append(piece)
        text = _without_thoughts("".join(written))
        if len(text) > told:
            tell(text[told:])
            told = len(text)
    message = {"role": "assistant", "content": "".join(written)}
    return json.dumps({"choices": [{"message": message, "finish_reason": finish}]}).encode()


def _piece(data: str, finish: str | None) -> tuple[str, str | None]:
    try:
        choices: Any = json.loads(data).get("choices") or [{}]
        choice: dict[str, Any] = choices[0]
        delta: dict[str, Any] = choice.get("delta") or {}
        text: Any = delta.get("content")
    except (AttributeError, IndexError, KeyError, TypeError, ValueError):
        # Servers send lines of their own between the pieces.
        return "", finish
    return text if isinstance(text, str) else "", choice.get("finish_reason") or finish


def _without_thoughts(text: str) -> str:
    """Return what of the text so far is the answer; nothing while it may still be a thought."""
    begin, end = _THOUGHT
    bare = text.lstrip()
    if end in bare:
        return bare.partition(end)[2].lstrip()
    if bare.startswith(begin) or (len(bare) < len(begin) and begin.startswith(bare)):
        return ""
    return bare
