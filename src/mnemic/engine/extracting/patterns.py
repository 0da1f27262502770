"""Patterns that are compiled when first used: there are many, and an import must be light."""

import re
from typing import Any, cast


def when_used(source: str, flags: int = 0) -> re.Pattern[str]:
    """Return a pattern that costs nothing until somebody searches with it."""
    return cast("re.Pattern[str]", _Uncompiled(source, flags))


class _Uncompiled:
    """Stands for a pattern; it takes over the methods of the real one at the first call."""

    def __init__(self, source: str, flags: int) -> None:
        self._source = source
        self._flags = flags

    def __getattr__(self, name: str) -> Any:
        compiled = re.compile(self._source, self._flags)
        for method in ("search", "match", "fullmatch", "finditer", "findall", "split", "sub"):
            setattr(self, method, getattr(compiled, method))
        return getattr(compiled, name)
