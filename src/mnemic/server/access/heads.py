"""The head of a request, before anything of it is known: how long it may be and may take.

Nobody has shown a key yet, so whoever reaches the port could fill the memory with headers, or keep
connections open by sending nothing. The parser that uvicorn uses has no limits of its own.
"""

import asyncio
from typing import Final

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

_MOST_BYTES: Final = 64 * 1024
_SECONDS: Final = 30.0


class BoundedHeadProtocol(HttpToolsProtocol):
    """A connection of which every request says soon and briefly what it wants."""

    _waiting: asyncio.TimerHandle | None = None
    _size = 0

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Wait for the first request."""
        super().connection_made(transport)
        self._wait_for_head()

    def connection_lost(self, exc: Exception | None) -> None:
        """Wait for nothing any more."""
        self._have_head()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Take what came; a head that goes on and on ends the connection."""
        in_head = self._waiting is not None
        super().data_received(data)
        if in_head and self._waiting is not None:
            self._size += len(data)
            if self._size > _MOST_BYTES and not self.transport.is_closing():
                self.send_400_response(f"The head of a request has at most {_MOST_BYTES} bytes.")

    def on_message_begin(self) -> None:
        """Wait for the head of the request that begins."""
        self._wait_for_head()
        super().on_message_begin()

    def on_headers_complete(self) -> None:
        """Answer the request."""
        self._have_head()
        super().on_headers_complete()

    def _wait_for_head(self) -> None:
        self._have_head()
        self._size = 0
        self._waiting = self.loop.call_later(_SECONDS, self.transport.close)

    def _have_head(self) -> None:
        if self._waiting is not None:
            self._waiting.cancel()
            self._waiting = None
