"""Promises of a client's connections: nobody else's answers, whoever shares it and however long."""

import asyncio
import gc
import os
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from itertools import count
from threading import Thread

import pytest

from mnemic import AsyncClient, Client


class _Numbered(BaseHTTPRequestHandler):
    """Answers each request with the number of the connection that it came over."""

    protocol_version = "HTTP/1.1"
    numbers: Iterator[int]

    def setup(self) -> None:
        super().setup()
        self._number = next(self.numbers)

    def do_POST(self) -> None:
        self.rfile.read(int(self.headers["content-length"]))
        answer = b'{"data": %d}' % self._number
        self.send_response(200)
        self.send_header("content-length", str(len(answer)))
        self.end_headers()
        self.wfile.write(answer)

    def log_message(self, format: str, *args: object) -> None:
        """Say nothing."""


@pytest.fixture
def address() -> Iterator[str]:
    """A server on which `count` returns the number of the connection, from 1."""
    handler = type("Handler", (_Numbered,), {"numbers": count(1)})
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        thread = Thread(target=server.serve_forever, args=(0.01,))
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()
        thread.join()


# Python 3.12 warns of every fork in a process with threads.
@pytest.mark.filterwarnings("ignore:.*fork:DeprecationWarning")
@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork on this system")
def test_a_process_that_was_forked_uses_connections_of_its_own(address: str) -> None:
    with Client(address) as client:
        assert client.count() == client.count() == 1

        child = os.fork()
        if child == 0:
            os._exit(client.count())
        assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 2

        assert client.count() == 1


# The connections of a loop that ended go when the garbage is collected, and Python says so.
@pytest.mark.filterwarnings("ignore::ResourceWarning")
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
def test_a_client_outlives_the_event_loop_in_which_it_was_used_first(address: str) -> None:
    client = AsyncClient(address)

    assert asyncio.run(client.count()) == 1
    assert asyncio.run(client.count()) == 2
    asyncio.run(client.close())
    asyncio.run(client.close())
    gc.collect()
