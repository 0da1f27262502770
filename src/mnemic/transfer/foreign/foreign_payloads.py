"""What a sensor delivered to another program, as texts."""

from base64 import b64encode
from typing import Any

from mnemic.records.memory import Payload


def payload_of(data: object, metadata: object) -> tuple[Payload | None, dict[str, Any]]:
    """Return a payload, and a note on what had to be written in Base64 because it is no text."""
    texts: dict[str, str] = {}
    encoded: dict[str, Any] = {}
    for name, value in (("data", data), ("metadata", metadata)):
        if isinstance(value, bytes):
            try:
                texts[name] = value.decode("utf-8")
            except UnicodeDecodeError:
                texts[name] = b64encode(value).decode("ascii")
                encoded[f"{name}_encoding"] = "base64"
        elif value is not None:
            texts[name] = str(value)
    said = {name: text for name, text in texts.items() if text.strip()}
    return (Payload(**said) if said else None), encoded
