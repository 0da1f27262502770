"""What a number is to JSON, and how every backend compares one."""

import math
from typing import TypeGuard

Number = int | float


def is_number(value: object) -> TypeGuard[Number]:
    """Tell whether a value is a number to JSON: true and false are not."""
    return isinstance(value, int | float) and not isinstance(value, bool)


def comparable(value: Number) -> Number:
    """Return a number as every backend compares it."""
    # Databases hold 64-bit integers; larger ones are floats to them, and so they are here.
    return value if isinstance(value, int) and -(2**63) <= value < 2**63 else as_float(value)


def as_float(value: Number) -> float:
    """Return a number as a float; one beyond all floats is infinite."""
    try:
        return float(value)
    except OverflowError:
        return math.inf if value > 0 else -math.inf
