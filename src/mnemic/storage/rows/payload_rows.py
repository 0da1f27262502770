"""Sensor payloads: compressed, beside the memory row, and returned byte for byte."""

import zlib

from mnemic.errors import StorageError
from mnemic.records.memory import PAYLOAD_BYTES, Payload
from mnemic.storage.database import Database


def put(db: Database, memory_id: int, payload: Payload) -> None:
    """Keep a payload with its memory."""
    db.run(
        "payload_add",
        memory_id=memory_id,
        data=None if payload.data is None else pack(payload.data),
        metadata=None if payload.metadata is None else pack(payload.metadata),
    )


def get(db: Database, memory_id: int) -> Payload | None:
    """Return the payload as it was given, or None when there is none."""
    row = db.one("payload_get", memory_id=memory_id)
    if row is None:
        return None
    data, metadata = row["data"], row["metadata"]
    return Payload(
        None if data is None else unpack(data), None if metadata is None else unpack(metadata)
    )


def pack(text: str) -> bytes:
    """Return a text as it is stored; ValueError where it is longer than a payload may be."""
    data = text.encode("utf-8")
    if len(data) > PAYLOAD_BYTES:
        raise ValueError(f"it has {len(data):,} bytes, and {PAYLOAD_BYTES:,} is the most")
    return zlib.compress(data)


def unpack(blob: bytes) -> str:
    """Return the text that is stored. A few bytes may unpack to gigabytes, so no more than is
    allowed is ever unpacked.
    """
    unpacking = zlib.decompressobj()
    try:
        data = unpacking.decompress(blob, PAYLOAD_BYTES + 1)
        if len(data) > PAYLOAD_BYTES:
            raise StorageError(f"A payload unpacks to more than {PAYLOAD_BYTES:,} bytes.")
        if not unpacking.eof:
            raise StorageError("A payload is damaged: its end is missing.")
        return data.decode("utf-8")
    except (zlib.error, UnicodeDecodeError) as error:
        raise StorageError(f"A payload is damaged: {error}.") from error
