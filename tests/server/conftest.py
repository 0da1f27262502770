"""A server for all tests of a module that only look at it."""

from collections.abc import Iterator

import pytest

import mnemic
from tests.dialects.chat_calling import Api


@pytest.fixture(scope="module")
def api() -> Iterator[Api]:
    """The whole server, on a memory in a file."""
    with mnemic.open(":memory:", embedder="none") as memory:
        yield Api(memory)
