"""What a person's assistant answers without a language model, and which secrets are recognised."""

from typing import Any, Final

from harness.markdown import columns, day, records, share

# The same half of the texts before anything was mended for it.
_FIRST_LOOK: Final = {"texts": 155, "precision": 1.0, "recall": 0.843, "covered": 0.843}
_LINES_BEFORE: Final = 3_341
_HALVES: Final = {"seen": "beside the rules", "unseen": "written after them, general faults mended"}


def write(results: dict[str, Any]) -> str:
    """Return both tables; nothing for what was not measured."""
    return "\n".join(
        filter(None, (_personas(results["persona"]), _secrets(results["secret_recognition"])))
    )


def _personas(persona: dict[str, Any]) -> str:
    if not persona:
        return ""
    shares = {name: name for name in ("shown", "first", "hit@1", "hit@5", "honest", "search empty")}
    counts = {
        "questions": "known",
        "denied": "denied",
        "missed": "missed",
        "revealed": "secrets revealed",
    }
    shown = [*columns(counts), *columns(shares, share)]
    costs = persona["cpu_ms"]
    return (
        f"## A person's assistant, without a language model\n\nMeasured on {day(persona)} by "
        "`persona.py`, which says what the columns are. `chinese` and `mixed` were part of the fit "
        "of the floor.\n\n"
        f"{records('', shown, list(persona['personas'].items()))}\n"
        f"A `memory_add` takes {costs['memory_add']:.1f} ms of processor time there, a "
        f"`memory_search` {costs['memory_search']:.1f} ms and a reply {costs['memory_chat']:.1f} "
        f"ms, embedding and its loading included. {persona['lines']:,} lines answer; they were "
        f"{_LINES_BEFORE:,} ([0041](decisions/0041-quoting-reply.md)).\n"
    )


def _secrets(secrets: dict[str, Any]) -> str:
    if not secrets:
        return ""
    shares = {name: name for name in ("precision", "recall", "covered")}
    shown = [*columns({"texts": "texts"}), *columns(shares, share)]
    rows = [("written after the rules, first look", _FIRST_LOOK)]
    rows += [(title, secrets[name]) for name, title in _HALVES.items() if name in secrets]
    return (
        f"## Secrets\n\nMeasured on {day(secrets)} by `secret_recognition.py`, in English and "
        f"Chinese; more than half of the texts hold none.\n\n{records('', shown, rows)}"
    )
