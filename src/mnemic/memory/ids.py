"""Ids that are safe in addresses and tell nothing: 21 characters of [A-Za-z0-9_-]."""

from base64 import urlsafe_b64encode
from hashlib import blake2b
from typing import Final

LENGTH: Final = 21


def name_of(*parts: str) -> str:
    """Return the name of what these parts identify: always the same for the same parts."""
    digest = blake2b("\0".join(parts).encode("utf-8", "surrogatepass"), digest_size=16).digest()
    return urlsafe_b64encode(digest).decode("ascii")[:LENGTH]
