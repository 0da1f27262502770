"""Requests to a server on several connections at once, from a process of its own.

Requests are made ready beforehand, and answers are read no further than needed: on a small machine
the one who asks must not take the processor away from the one who answers. Arguments: host, port.
"""

import asyncio
import json
from collections.abc import Mapping, Sequence
from time import perf_counter
from typing import Any, Final

from harness.driver import serve

_HEAD_END: Final = b"\r\n\r\n"
_LENGTH: Final = b"content-length:"

Streams = tuple[asyncio.StreamReader, asyncio.StreamWriter]


def request(
    method: str, path: str, body: object = None, headers: Mapping[str, str] | None = None
) -> str:
    """Return a request as it goes over the wire."""
    content = "" if body is None else json.dumps(body, ensure_ascii=False)
    fields = {
        "host": "localhost",
        "accept": "application/json, text/event-stream",
        "content-type": "application/json",
        "content-length": str(len(content.encode())),
        **(headers or {}),
    }
    lines = [f"{method} {path} HTTP/1.1", *(f"{name}: {value}" for name, value in fields.items())]
    return "\r\n".join(lines) + _HEAD_END.decode() + content


class Load:
    """Connections to one server, which are kept."""

    def __init__(self, host: str, port: str) -> None:
        self._address = host, int(port)
        self._loop = asyncio.new_event_loop()
        self._streams: list[Streams] = []

    def connect(self, connections: int) -> None:

        async def connect() -> list[Streams]:
            return [await asyncio.open_connection(*self._address) for _ in range(connections)]

        self._streams = self._loop.run_until_complete(connect())

    def send(self, requests: Sequence[str]) -> dict[str, Any]:
        """Send the requests, each on the next free connection; return how long each took."""
        waiting = iter([text.encode() for text in requests])
        seconds: list[float] = []
        errors: list[str] = []

        async def send_next(streams: Streams) -> None:
            for content in waiting:
                started = perf_counter()
                head, body = await exchange(streams, content)
                seconds.append(perf_counter() - started)
                if b" 20" not in head[:13] or b'"isError":true' in body:
                    errors.append((head + body)[:300].decode(errors="replace"))

        async def send_all() -> None:
            await asyncio.gather(*map(send_next, self._streams))

        started = perf_counter()
        self._loop.run_until_complete(send_all())
        return {"wall": perf_counter() - started, "seconds": seconds, "errors": errors[:3]}


async def exchange(streams: Streams, content: bytes) -> tuple[bytes, bytes]:
    """Send a request; return the head and the body of the answer."""
    reader, writer = streams
    writer.write(content)
    head = await reader.readuntil(_HEAD_END)
    lines = head.lower().split(b"\r\n")
    sizes = [line.partition(b":")[2] for line in lines if line.startswith(_LENGTH)]
    return head, await reader.readexactly(int(sizes[0])) if sizes else b""


if __name__ == "__main__":
    serve(Load)
