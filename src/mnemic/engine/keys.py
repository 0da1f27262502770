"""Who may use a server: keys are made, looked up and revoked here.

A key is `mnm_<id>_<secret>`. The id finds the row; the secret has 256 random bits, so a plain hash
of it is as good as a slow one, and the row is useless to whoever reads it.
"""

import hmac
import re
import secrets
from collections.abc import Callable
from hashlib import sha256
from typing import Final

from mnemic.engine.workspace import Workspace
from mnemic.errors import InvalidInputError, NotFoundError
from mnemic.keys import RIGHTS, Key, Right
from mnemic.storage import keys, scopes

_WRITTEN: Final = re.compile(r"mnm_(?P<id>[0-9a-z]{1,64})_(?P<secret>[0-9A-Za-z_-]{1,256})")
_LONGEST_NAME: Final = 200
_NOBODYS: Final = bytes(32)


class Keys:
    """The keys of a store, of all its accounts."""

    def __init__(
        self,
        workspace: Workspace,
        *,
        new_id: Callable[[], str] = lambda: secrets.token_hex(6),
        new_secret: Callable[[], str] = lambda: secrets.token_urlsafe(32),
    ) -> None:
        self._db = workspace.db.as_account(None)
        self._clock = workspace.clock
        self._new_id = new_id
        self._new_secret = new_secret

    def create(
        self, name: str, *, account: str = "default", right: Right = "write"
    ) -> tuple[Key, str]:
        """Make a key for an account, which is made too where there is none; return it with the
        text to hand over, which cannot be had again.
        """
        _check_text("name", name)
        _check_text("account", account)
        if right not in RIGHTS:
            raise InvalidInputError("right", f"{right!r} is none", ", ".join(RIGHTS))
        key = Key(self._new_id(), account, name.strip(), right, self._clock())
        secret = self._new_secret()
        scopes.ensure_account(self._db, account, now=key.created_at)
        self._db.write(lambda: keys.add(self._db, key, secret_hash=_hash(secret)))
        return key, f"mnm_{key.id}_{secret}"

    def listed(self) -> list[Key]:
        """Return every key, the revoked ones too, the oldest first."""
        return keys.listed(self._db)

    def revoke(self, key_id: str) -> Key:
        """Let a key open nothing any more."""
        found = keys.find(self._db, key_id)
        if found is None:
            raise NotFoundError(f"There is no key {key_id!r}; `mnemic keys list` shows them.")
        now = self._clock()
        return self._db.write(lambda: keys.revoke(self._db, found[0], now=now))

    def opened_by(self, text: str) -> Key | None:
        """Return the key that a text is, unless it is none or was revoked.

        A wrong secret takes as long as a right one, whether or not there is such a key.
        """
        written = _WRITTEN.fullmatch(text)
        if written is None:
            return None
        key, kept = keys.find(self._db, written["id"]) or (None, _NOBODYS)
        fits = hmac.compare_digest(_hash(written["secret"]), kept)
        return key if fits and key is not None and key.revoked_at is None else None

    def in_use(self) -> bool:
        """Tell whether there is any key that still works."""
        return keys.in_use(self._db)


def _hash(secret: str) -> bytes:
    return sha256(secret.encode("ascii")).digest()


def _check_text(parameter: str, text: str) -> None:
    if not text.strip() or len(text) > _LONGEST_NAME:
        raise InvalidInputError(
            parameter, "it is empty or too long", f"1 to {_LONGEST_NAME} characters"
        )
