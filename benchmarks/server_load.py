"""Send requests to a server on several connections at once, as a process of its own.

Requests are made ready beforehand, and answers are read no further than needed: on a small machine
the one who asks must not take the processor away from the one who answers.

    python benchmarks/server_load.py   (reads a plan as JSON from standard input)
"""

import asyncio
import json
import sys
from collections.abc import Iterator, Mapping
from time import perf_counter
from typing import Any, Final

_HEAD_END: Final = b"\r\n\r\n"
_LENGTH: Final = b"content-length:"


def request(
    method: str, path: str, body: object = None, headers: Mapping[str, str] | None = None
) -> bytes:
    """Return a request as it goes over the wire."""
    content = b"" if body is None else json.dumps(body, ensure_ascii=False).encode()
    said = {
        "host": "localhost",
        "accept": "application/json, text/event-stream",
        "content-type": "application/json",
        "content-length": str(len(content)),
        **(headers or {}),
    }
    lines = [f"{method} {path} HTTP/1.1", *(f"{name}: {value}" for name, value in said.items())]
    return "\r\n".join(lines).encode("latin-1") + _HEAD_END + content


class Connection:
    """One connection that is kept."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader = reader
        self._writer = writer

    async def ask(self, sent: bytes) -> tuple[bytes, bytes]:
        """Send a request; return the head and the body of the answer."""
        self._writer.write(sent)
        head = await self._reader.readuntil(_HEAD_END)
        lines = head.lower().split(b"\r\n")
        sizes = [one.partition(b":")[2] for one in lines if one.startswith(_LENGTH)]
        body = await self._reader.readexactly(int(sizes[0])) if sizes else b""
        return head, body


async def run(plan: Mapping[str, Any]) -> dict[str, Any]:
    """Send what a plan says on so many connections, and tell how long everything took."""
    waiting: Iterator[str] = iter(plan["requests"])
    seconds: list[float] = []
    wrong: list[str] = []
    opened = [
        await asyncio.open_connection(plan["host"], plan["port"])
        for _ in range(plan["connections"])
    ]

    async def one_after_another(connection: Connection) -> None:
        for written in waiting:
            sent = written.encode()
            started = perf_counter()
            head, body = await connection.ask(sent)
            seconds.append(perf_counter() - started)
            if b" 20" not in head[:13] or b'"isError":true' in body:
                wrong.append((head + body)[:300].decode(errors="replace"))

    started = perf_counter()
    await asyncio.gather(*(one_after_another(Connection(*streams)) for streams in opened))
    taken = perf_counter() - started
    for _, writer in opened:
        writer.close()
    return {"wall": taken, "seconds": seconds, "wrong": wrong[:3]}


if __name__ == "__main__":
    json.dump(asyncio.run(run(json.load(sys.stdin))), sys.stdout)
