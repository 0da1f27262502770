"""JSON values inside a prompt: one line each, which no reader takes for an instruction's end."""

import json
import re
from typing import Final

from mnemic.runtime.patterns import linear

# JSON escapes line feeds; these are what else a reader may take for the end of a line or of the
# fence. As escapes inside a JSON string they mean the same.
_ESCAPED: Final = linear("[<>&\x7f-\x9f\u2028\u2029]")


def data_line(entry: object) -> str:
    """Return a JSON value as one line that can end neither its line nor the fence around it."""
    return _ESCAPED.sub(_escape, json.dumps(entry, ensure_ascii=False))


def _escape(match: re.Match[str]) -> str:
    return f"\\u{ord(match[0]):04x}"
