"""What was measured with a memory: the part of its context that makes the same sentence new."""

import json
from collections.abc import Mapping
from hashlib import sha256
from typing import Any, Final, cast

# What `task` says of which task it was; everything else there is how it went.
_NAMES_OF_A_TASK: Final = frozenset({"name", "id", "type", "goal", "description", "instruction"})
_LENGTH: Final = 16


def measurement_of(context: Mapping[str, Any]) -> bytes:
    """Return the fingerprint of what was measured; empty where nothing was.

    It covers `params`, `spatial`, the outcome in `task`, and `env.sim_or_real`. The order of keys
    does not count, and 1 is 1.0.
    """
    task, env = _object(context.get("task")), _object(context.get("env"))
    parts = {
        "params": context.get("params"),
        "spatial": context.get("spatial"),
        "task": {name: value for name, value in task.items() if name not in _NAMES_OF_A_TASK},
        "sim_or_real": env.get("sim_or_real"),
    }
    measured = {name: value for name, value in parts.items() if value not in (None, {}, [], "")}
    if not measured:
        return b""
    text = json.dumps(_comparable(measured), ensure_ascii=True, sort_keys=True)
    return sha256(text.encode()).digest()[:_LENGTH]


def _object(value: object) -> Mapping[str, Any]:
    return cast("Mapping[str, Any]", value) if isinstance(value, Mapping) else {}


def _comparable(value: Any) -> Any:
    """Return a JSON value in which equal numbers are written alike."""
    if isinstance(value, Mapping):
        held = cast("Mapping[str, Any]", value)
        return {str(name): _comparable(inner) for name, inner in held.items()}
    if isinstance(value, list | tuple):
        return [_comparable(inner) for inner in cast("list[Any]", value)]
    if isinstance(value, float) and value.is_integer():
        return int(value)
    return value
