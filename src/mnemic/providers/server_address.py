"""What settings may say about a server: where it is, and the key for it."""

import re
from typing import Final
from urllib.parse import urlsplit

from mnemic.errors import SettingsError

_VISIBLE_ASCII: Final = re.compile(r"[\x21-\x7e]+")
_LOOPBACK: Final = frozenset({"127.0.0.1", "::1", "localhost"})


def checked_url(url: str | None, *, setting: str, key_setting: str) -> str | None:
    """Return the address, or None for an empty one. It holds no secret and may be shown.

    Raises SettingsError for what is no plain address, without repeating it.
    """
    address = (url or "").strip()
    if address and not _is_plain_address(address):
        raise SettingsError(
            f"{setting}: not usable; allowed: http or https, a host and a path, such as "
            f"http://127.0.0.1:8080/v1. A key belongs into {key_setting}."
        )
    return address or None


def checked_key(api_key: str | None, *, setting: str) -> str | None:
    """Return the key, or None for an empty one.

    Raises SettingsError for what no HTTP header can carry, without repeating it.
    """
    key = (api_key or "").strip()
    if key and not _VISIBLE_ASCII.fullmatch(key):
        # The HTTP client would quote the whole key in its complaint.
        raise SettingsError(f"{setting}: has characters that no key has; allowed: visible ASCII")
    return key or None


def is_on_this_machine(url: str) -> bool:
    """Tell whether a server is reached without a network, where no proxy can help."""
    return urlsplit(url).hostname in _LOOPBACK


def _is_plain_address(address: str) -> bool:
    try:
        parts = urlsplit(address)
        port = parts.port
    except ValueError:
        return False
    bare = not (parts.username or parts.password or parts.query or parts.fragment)
    named = bool(parts.hostname) and port != 0 and _VISIBLE_ASCII.fullmatch(address) is not None
    return parts.scheme in ("http", "https") and named and bare
