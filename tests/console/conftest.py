"""A browser for each module, and for each backend one server on a filled store."""

import os
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, sync_playwright

import mnemic
from mnemic.cli.demonstration.demo_store import DemoClock, fill
from tests.console.chromium import find_or_install
from tests.console.looking import Look, look_at
from tests.postgres import Server
from tests.serving import serving


# Not for the session: while Playwright runs, no other event loop can in this thread, and other
# tests have some.
@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """Chromium, without a window."""
    path = find_or_install()
    if path is None:
        told = "THE CONSOLE IS NOT TESTED: there is no Chromium, and it could not be installed."
        sys.__stderr__ and sys.__stderr__.write(f"\n{told}\n")  # pyright: ignore[reportUnusedExpression]
        pytest.skip(told)
    with sync_playwright() as playwright:
        # Containers have no user namespaces for the sandbox, and the pages are our own.
        chromium = playwright.chromium.launch(executable_path=path, args=["--no-sandbox"])
        yield chromium
        chromium.close()


@pytest.fixture(scope="session", params=["sqlite", "postgres"])
def filled(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[str]:
    """The address of a server on the store of the demonstration."""
    where = tmp_path_factory.mktemp("console") / "demo.db"
    database = str(where)
    if request.param == "postgres":
        postgres: Server = request.getfixturevalue("postgres")
        postgres.make_database("console", template="made")
        database = postgres.url("console", user="app")
    clock = DemoClock.weeks_ago()
    with mnemic.open(
        database, clock=clock, embedder="hashing", durability="off", locale="en"
    ) as memory:
        fill(memory, clock)
    settings = {"MNEMIC_EMBEDDER": "hashing", "MNEMIC_LOCALE": "en", "MNEMIC_DURABILITY": "off"}
    with serving(where, "--auth", "off", **{**settings, "MNEMIC_DATABASE": database}) as (
        process,
        address,
    ):
        yield address
        process.terminate()
        process.communicate(timeout=60)
    if request.param == "postgres":
        request.getfixturevalue("postgres").drop_database("console")


@pytest.fixture
def look(browser: Browser, filled: str) -> Iterator[Look]:
    """A window on the filled store, in which nothing may go wrong."""
    found = look_at(browser, filled)
    yield found
    found.context.close()
    assert found.faults == []


@pytest.fixture(scope="session")
def pictures() -> Path | None:
    """Where pictures are kept, if somebody wants them: MNEMIC_PICTURES names a folder."""
    named = os.environ.get("MNEMIC_PICTURES")
    if named is None:
        return None
    Path(named).mkdir(parents=True, exist_ok=True)
    return Path(named)
