"""A picture as a depth camera would take it, made without a library: a thing on a table."""

import base64
import struct
import zlib
from random import Random
from typing import Final

WIDTH: Final = 96
HEIGHT: Final = 64
_HEAD: Final = b"\x89PNG\r\n\x1a\n"
_NEAR: Final = (247, 201, 120)
_FAR: Final = (15, 52, 82)


def depth_picture(chance: Random, *, at: float) -> str:
    """Return a PNG in base64: something stands on a table, `at` from 0 on the left to 1."""
    middle, radius = at * WIDTH, 9 + 4 * chance.random()
    rows = b"".join(
        b"\0" + bytes(part for x in range(WIDTH) for part in _pixel(chance, x, y, middle, radius))
        for y in range(HEIGHT)
    )
    header = struct.pack(">IIBBBBB", WIDTH, HEIGHT, 8, 2, 0, 0, 0)
    parts = ((b"IHDR", header), (b"IDAT", zlib.compress(rows, 9)), (b"IEND", b""))
    return base64.b64encode(_HEAD + b"".join(_chunk(*part) for part in parts)).decode()


def _pixel(chance: Random, x: int, y: int, middle: float, radius: float) -> tuple[int, ...]:
    near = max(0.0, (y - 20) / HEIGHT)
    across = (x - middle) / radius
    if abs(across) < 1 and 22 < y < 50:
        near = 0.7 + 0.3 * (1 - across * across) ** 0.5
    near = min(1.0, near + chance.uniform(-0.02, 0.02))
    return tuple(round(far + (close - far) * near) for far, close in zip(_FAR, _NEAR, strict=True))


def _chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
