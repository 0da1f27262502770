"""A memory from which something is erased, and where it is looked for then."""

from pathlib import Path

import pytest

from mnemic.opening import OpenMemory
from tests.administration.erasing.traces import Traces, rows_with, traces_in
from tests.conftest import OpenIt
from tests.postgres import Server


@pytest.fixture
def memory(open_it: OpenIt) -> OpenMemory:
    """A memory with vectors."""
    return open_it(embedder="hashing")


@pytest.fixture
def traces(memory: OpenMemory, database: str, request: pytest.FixtureRequest) -> Traces:
    """Close the memory, and tell where the marker stands."""

    def look() -> list[str]:
        memory.close()
        if "postgres" in database:
            server: Server = request.getfixturevalue("postgres")
            return sorted(rows_with(database, server))
        return [*traces_in(Path(database).parent), *sorted(rows_with(database, None))]

    return look
