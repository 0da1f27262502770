"""What tests of dialects may ask for besides."""

import pytest

from mnemic.opening import OpenMemory
from tests.dialects.chat_calling import Api


@pytest.fixture
def api(memory: OpenMemory) -> Api:
    """A server on the test's memory, on each backend in turn."""
    return Api(memory)
