"""Run the app on one address until somebody ends it."""

import socket
from collections.abc import Callable
from typing import Any, Final

import uvicorn

from mnemic.engine.keys import Keys
from mnemic.errors import InvalidInputError, StateError
from mnemic.server.addresses import is_loopback
from mnemic.server.heads import Connection
from mnemic.settings import ServerSettings

# A chat may wait for a language model; whoever stops the process should allow a little more.
_GRACE_SECONDS: Final = 30


def check_address(settings: ServerSettings, keys: Keys) -> None:
    """Refuse an address that other machines can reach, unless keys keep strangers out."""
    if is_loopback(settings.host):
        return
    if settings.auth == "off":
        raise InvalidInputError(
            "auth",
            f"it is off, and {settings.host} can be reached from other machines",
            "keys, or a host of 127.0.0.1, ::1 or localhost",
        )
    if not keys.in_use():
        raise InvalidInputError(
            "host",
            f"{settings.host!r} can be reached from other machines, and there is no key yet that "
            "would keep strangers out. Make one with `mnemic keys create NAME`, then start again",
            "127.0.0.1, ::1 or localhost without a key; any address with one",
        )


def listen(host: str, port: int) -> socket.socket:
    """Return a socket that listens; port 0 takes any that is free."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        return socket.create_server((host, port), family=family, backlog=2048)
    except OSError as error:
        # The library repeats the address in its own words.
        reason = (error.strerror or str(error)).partition(" (")[0]
        raise StateError(
            f"Port {port} of {host} cannot be listened on: {reason}. Another server may be running "
            "there; choose another port with --port."
        ) from error


def address_of(listening: socket.socket) -> str:
    """Return where a socket can be reached, as clients write it."""
    host, port = listening.getsockname()[:2]
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"


def run(app: Callable[..., Any], listening: socket.socket) -> None:
    """Answer requests until the process is told to end; what was begun is finished first, and the
    signal is raised again.
    """
    config = uvicorn.Config(
        app,
        http=Connection,
        # Requests are not logged: what is searched for stands in their addresses.
        access_log=False,
        log_config=None,
        lifespan="on",
        proxy_headers=False,
        server_header=False,
        timeout_graceful_shutdown=_GRACE_SECONDS,
        ws="none",
    )
    uvicorn.Server(config).run(sockets=[listening])
