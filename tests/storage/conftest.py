"""A store as workers see it, and as one account sees it."""

from collections.abc import Iterator

import pytest

from mnemic.storage.database import Database
from tests.storage.workers import account, open_store


@pytest.fixture
def store(database: str) -> Iterator[Database]:
    store = open_store(database)
    yield store
    store.close()


@pytest.fixture
def db(store: Database) -> Database:
    return account(store, "default")
