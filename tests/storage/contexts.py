"""Contexts, filters and places that are hard to get right, for whatever evaluates them."""

import json
from collections.abc import Iterator
from typing import cast

from hypothesis import strategies as st

from mnemic.records.filters import Near, parse_near

# Every one of these means something in a JSON path, in SQL, or in an encoding.
KEYS = [
    *("a", "b", "A", "0", "[0]", "$", "#", "*", " ", "'", ":f0", "键", "é", "😀", "\n", "\x01"),
    *("\x7f", '"', 'q"q', "\\", "a\\", "\\u0061", "\\x61", '\\"'),
]
BIG = [2**53 + 1, 2**63 - 1, 2**63, -(2**63), -(2**63) - 1, 2**64, 10**25, -(10**25)]
# Python and SQLite round this one differently.
ROUNDED = -6361841109411426781786691339973994
TEXTS = ["", "1", "a", "true", "null", "[]", "{}", "[1]", "é", "😀", 'q"', "\\", "a\0b"]

MOSTLY = st.sampled_from([True, True, True, False])
keys = st.sampled_from(KEYS)
numbers = (
    st.integers(-2, 2)
    | st.sampled_from(BIG)
    | st.sampled_from([0.0, -0.0, 1.0, 0.5, 1e22, 0.1 + 0.2, 2.0**53, 2.0**63, 5e-324])
    | st.floats(allow_nan=False, allow_infinity=False)
)
scalars = (
    st.none()
    | st.booleans()
    | numbers
    | st.just(ROUNDED)
    | st.sampled_from(TEXTS)
    | st.text(max_size=3)
)
values = st.recursive(
    scalars | st.just(10**400),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(keys, inner, max_size=3),
    max_leaves=8,
)
contexts = st.dictionaries(keys, scalars | values, min_size=1, max_size=4)
paths = st.lists(keys, min_size=1, max_size=3).map(".".join)
points = st.lists(numbers, min_size=1, max_size=4)


def entries(value: object, prefix: str = "") -> Iterator[tuple[str, object]]:
    if isinstance(value, dict):
        for key, inner in cast("dict[str, object]", value).items():
            yield prefix + key, inner
            yield from entries(inner, f"{prefix}{key}.")


def lookalike(stored: object) -> object:
    """What SQLite would take for the stored value if only the extracts were compared."""
    if isinstance(stored, bool):
        return int(stored)
    return json.dumps(stored, separators=(",", ":"), ensure_ascii=False)


@st.composite
def operations(draw: st.DrawFn, stored: object) -> object:
    """An operand that is often what is stored there."""
    # A union of strategies is flattened, which would make what is stored one choice of many.
    scalar: object = lookalike(stored) if draw(MOSTLY) else draw(scalars)
    if stored != 10**400 and isinstance(stored, str | int | float | None) and draw(MOSTLY):
        scalar = stored
    number = scalar if isinstance(scalar, int | float) else draw(numbers)
    number = number + 0 if isinstance(number, bool) else number
    members = draw(st.permutations([scalar, *draw(st.lists(scalars, max_size=3))]))
    return draw(
        st.just(scalar)
        | st.sampled_from(["$eq", "$ne"]).map(lambda op: {op: scalar})
        | st.dictionaries(
            st.sampled_from(["$lt", "$lte", "$gt", "$gte"]), st.just(number), min_size=1, max_size=2
        )
        | st.sampled_from(["$in", "$nin"]).map(lambda op: {op: members})
        | st.fixed_dictionaries({"$exists": st.booleans()})
    )


@st.composite
def filtered(draw: st.DrawFn) -> tuple[dict[str, object], dict[str, object]]:
    """A context, and a filter on paths that mostly exist in it."""
    context: dict[str, object] = {**draw(contexts)}
    present = dict(entries(context))
    likely = st.sampled_from(sorted(present))
    chosen = likely if draw(MOSTLY) else paths
    asked = draw(st.sets(chosen, min_size=1, max_size=1 if draw(MOSTLY) else 3))
    return context, {path: draw(operations(present.get(path))) for path in sorted(asked)}


@st.composite
def measured(draw: st.DrawFn) -> tuple[dict[str, object], Near]:
    """A context with a point in it, mostly of the target's dimension."""
    path = tuple(draw(st.lists(keys, min_size=1, max_size=2)))
    target = draw(points)
    same = st.lists(numbers, min_size=len(target), max_size=len(target))
    mixed = st.lists(scalars | values, min_size=len(target), max_size=len(target))
    stored: object = draw(same | mixed | points | values)
    for segment in reversed(path):
        stored = {segment: stored}
    near = parse_near({"field": ".".join(path), "target": target})
    assert near is not None
    return cast("dict[str, object]", stored), near
