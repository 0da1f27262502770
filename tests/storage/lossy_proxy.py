"""A wire to PostgreSQL that can be cut at the worst moment."""

import socket
from collections.abc import Generator
from contextlib import contextmanager, suppress
from threading import Event, Thread
from typing import Literal
from urllib.parse import parse_qs, urlsplit

Cut = Literal["before the commit", "after the commit", "unheard by the server"]


class LossyProxy:
    """Passes everything on, until it is told to cut the wire at the next commit of a write."""

    def __init__(self, server: str, *, port: int = 0) -> None:
        self._server = server
        self._listening = socket.create_server(("127.0.0.1", port))
        self._cut: Cut | None = None
        self._for_good = False
        self._ends: list[socket.socket] = []
        self.was_cut = Event()
        Thread(target=self._accept, daemon=True).start()

    @property
    def port(self) -> int:
        return self._listening.getsockname()[1]

    def cut_at_next_commit(self, when: Cut, *, for_good: bool = False) -> None:
        """Cut the wire then; for good, no other connection is let through either."""
        self._cut, self._for_good = when, for_good

    def close(self) -> None:
        self._stop_listening()
        self.cut_all()

    def _stop_listening(self) -> None:
        # A thread that waits in accept() is woken by a shutdown, not by a close.
        with suppress(OSError):
            self._listening.shutdown(socket.SHUT_RDWR)
        self._listening.close()

    def cut_all(self) -> None:
        for end in self._ends:
            with suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)
            end.close()
        self._ends.clear()

    def _accept(self) -> None:
        with suppress(OSError):
            while True:
                client, _ = self._listening.accept()
                server = socket.socket(socket.AF_UNIX)
                server.connect(self._server)
                self._ends += [client, server]
                Thread(target=self._to_server, args=(client, server), daemon=True).start()
                Thread(target=_pass_on, args=(server, client), daemon=True).start()

    def _to_server(self, client: socket.socket, server: socket.socket) -> None:
        writes = False
        with suppress(OSError):
            while data := client.recv(65536):
                # A transaction that writes begins with its receipt.
                writes = writes or b"insert into receipt" in data
                if self._cut is not None and writes and b"commit\x00" in data:
                    when, self._cut = self._cut, None
                    if self._for_good:
                        self._stop_listening()
                    # Nobody hears the server any more.
                    client.shutdown(socket.SHUT_RDWR)
                    if when == "after the commit":
                        server.sendall(data)
                        # It closes the connection when it has done all that was asked for.
                        server.shutdown(socket.SHUT_WR)
                        while server.recv(65536):
                            pass
                    if when != "unheard by the server":
                        server.shutdown(socket.SHUT_RDWR)
                        server.close()
                    self.was_cut.set()
                    return
                writes = writes and b"commit\x00" not in data
                server.sendall(data)


def _pass_on(server: socket.socket, client: socket.socket) -> None:
    with suppress(OSError):
        while data := server.recv(65536):
            client.sendall(data)


@contextmanager
def lossy(url: str) -> Generator[tuple[LossyProxy, str]]:
    """Return a proxy before a server on a unix socket, and the address through it."""
    proxy = LossyProxy(socket_of(url))
    try:
        yield proxy, over_tcp(url, proxy.port)
    finally:
        proxy.close()


def socket_of(url: str) -> str:
    """Return the path of the unix socket that an address names."""
    options = parse_qs(urlsplit(url).query)
    return f"{options['host'][0]}/.s.PGSQL.{options['port'][0]}"


def over_tcp(url: str, port: int) -> str:
    """Return the address of the same database behind a port of this machine."""
    parts = urlsplit(url)
    return f"postgresql://{parts.username}@127.0.0.1:{port}{parts.path}"
