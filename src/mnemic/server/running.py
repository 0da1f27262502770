"""Run the app on one address until somebody ends it."""

import signal
import socket
from collections.abc import Callable, Generator
from contextlib import contextmanager, suppress
from ipaddress import ip_address
from typing import Any, Final

import uvicorn

from mnemic.errors import InvalidInputError

_GRACE_SECONDS: Final = 10
_ANY_NAME: Final = "localhost"


def check_loopback(host: str) -> None:
    """Refuse an address that other machines can reach: there are no keys that would stop them."""
    with suppress(ValueError):
        if host == _ANY_NAME or ip_address(host).is_loopback:
            return
    raise InvalidInputError(
        "host",
        f"{host!r} can be reached from other machines, which nothing would keep out",
        "127.0.0.1, ::1 or localhost",
    )


def listen(host: str, port: int) -> socket.socket:
    """Return a socket that listens; port 0 takes any that is free."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    return socket.create_server((host, port), family=family, backlog=2048)


def address_of(listening: socket.socket) -> str:
    """Return where a socket can be reached, as clients write it."""
    host, port = listening.getsockname()[:2]
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"


def run(app: Callable[..., Any], listening: socket.socket) -> None:
    """Answer requests until the process is told to end; what was begun is finished first."""
    config = uvicorn.Config(
        app,
        # Requests are not logged: what is searched for stands in their addresses.
        access_log=False,
        log_config=None,
        lifespan="off",
        proxy_headers=False,
        server_header=False,
        timeout_graceful_shutdown=_GRACE_SECONDS,
        ws="none",
    )
    with _ending_in_order(), suppress(KeyboardInterrupt):
        uvicorn.Server(config).run(sockets=[listening])


@contextmanager
def _ending_in_order() -> Generator[None]:
    """Let SIGTERM end the process as SIGINT does: the server raises the signal again when it is
    done, and the memory must still be closed then.
    """
    before = signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)
