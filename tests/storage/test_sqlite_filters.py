import json
from typing import Any

import apsw

from mnemic.records.filters import parse_filter
from mnemic.storage.sqlite.filter_sql import compile_filter

HALF = {"a": "\ud83d", "\ud83d": 1}


def passes(raw: dict[str, object], context: object) -> bool:
    # apsw's types name a class that Python 3.11 lacks, hence Any.
    db: Any = apsw.Connection(":memory:")
    sql, bindings = compile_filter(parse_filter(raw), context=":context")
    ((value,),) = db.execute(f"select {sql}", {**bindings, "context": json.dumps(context)})
    return bool(value)


def test_half_a_surrogate_pair_in_a_row_does_no_harm() -> None:
    assert not passes({"a": "😀"}, HALF)
    assert passes({"a": {"$ne": "😀"}}, HALF)
