"""Sensor payloads: compressed, beside the memory row, and returned byte for byte."""

from zlib import compress, decompress

from mnemic.records import Payload
from mnemic.storage.database import Database


def put(db: Database, memory_id: int, payload: Payload) -> None:
    """Keep a payload with its memory."""
    db.run(
        "payload_add",
        memory_id=memory_id,
        data=_packed(payload.data),
        metadata=_packed(payload.metadata),
    )


def get(db: Database, memory_id: int) -> Payload | None:
    """Return the payload as it was given, or None when there is none."""
    row = db.one("payload_get", memory_id=memory_id)
    return Payload(_unpacked(row["data"]), _unpacked(row["metadata"])) if row else None


def _packed(text: str | None) -> bytes | None:
    return None if text is None else compress(text.encode("utf-8"))


def _unpacked(blob: bytes | None) -> str | None:
    return None if blob is None else decompress(blob).decode("utf-8")
