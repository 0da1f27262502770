"""Run the app on one address until somebody ends it."""

import socket
import sys
from collections.abc import Callable, Generator
from contextlib import contextmanager
from functools import partial
from types import FrameType
from typing import Any, Final, cast

import uvicorn

from mnemic.administration.keys import Keys
from mnemic.errors import InvalidInputError, StateError
from mnemic.server.access.addresses import is_loopback
from mnemic.server.access.heads import BoundedHeadProtocol
from mnemic.settings import ServerSettings

# Python's own is ten times as long.
_SWITCH_SECONDS: Final = 0.0005


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


class _Server(uvicorn.Server):
    """A server that tells when it is told to end."""

    def __init__(self, config: uvicorn.Config, told: Callable[[], None]) -> None:
        super().__init__(config)
        self._told = told

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """Begin to end."""
        self._told()
        super().handle_exit(sig, frame)


def run(
    app: Callable[..., Any],
    listening: socket.socket,
    *,
    grace: float = 30.0,
    told: Callable[[float], None] = lambda grace: None,
) -> None:
    """Answer requests until the process is told to end; what was begun is finished first, if that
    does not take longer than `grace` seconds, and the signal is raised again.

    `told` is called with the grace when the end begins.
    """
    config = uvicorn.Config(
        app,
        http=BoundedHeadProtocol,
        # Requests are not logged: what is searched for stands in their addresses.
        access_log=False,
        log_config=None,
        lifespan="on",
        proxy_headers=False,
        server_header=False,
        # The library counts in whole seconds, but takes any number.
        timeout_graceful_shutdown=cast("int", grace),
        ws="none",
    )
    with _quick_switches():
        _Server(config, partial(told, grace)).run(sockets=[listening])


@contextmanager
def _quick_switches() -> Generator[None]:
    """Let threads that compute go on in turns soon. A search lets go of the interpreter dozens of
    times, and waits as long each time, while another account's long text is read.
    """
    before = sys.getswitchinterval()
    sys.setswitchinterval(_SWITCH_SECONDS)
    try:
        yield
    finally:
        sys.setswitchinterval(before)
