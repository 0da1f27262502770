"""Who may use a server: keys are made, looked up and revoked here.

A key is `mnm_<id>_<secret>`. The id finds the row; the secret has 256 random bits, so a plain hash
of it is as good as a slow one, and the row is useless to whoever reads it.
"""

import hmac
import secrets
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from typing import Final, Literal

from mnemic.errors import InvalidInputError, NotFoundError, StateError
from mnemic.memory import audit_log
from mnemic.memory.workspace import Workspace
from mnemic.records.access_key import RIGHTS, Key, Right
from mnemic.records.audit_entry import Act
from mnemic.runtime.patterns import opening
from mnemic.storage.rows import key_rows, scope_rows

_WRITTEN: Final = opening(r"mnm_(?P<id>[0-9a-z]{1,64})_(?P<secret>[0-9A-Za-z_-]{1,256})")
_LONGEST_NAME: Final = 200
_NOBODYS: Final = bytes(32)
# The end of the calendar.
_LAST: Final = datetime.max.replace(tzinfo=UTC)


KeyFault = Literal["unknown", "revoked", "expired"]


@dataclass(frozen=True, slots=True)
class ShownKey:
    """What a text that was shown as a key turns out to be."""

    key: Key | None
    """The key that it names, whether or not the secret is right; None where there is none."""

    fault: KeyFault | None
    """Why it opens nothing; None where it opens what the key does. Of a wrong secret only
    `unknown` is said."""


class Keys:
    """The keys of a store, of all its accounts."""

    def __init__(
        self,
        workspace: Workspace,
        *,
        new_id: Callable[[], str] = lambda: secrets.token_hex(6),
        new_secret: Callable[[], str] = lambda: secrets.token_urlsafe(32),
    ) -> None:
        self._workspace = replace(workspace, db=workspace.db.as_account(None))
        self._db = self._workspace.db
        self._clock = workspace.clock
        self._new_id = new_id
        self._new_secret = new_secret

    def create(
        self,
        name: str,
        *,
        account: str = "default",
        right: Right = "write",
        expires_at: datetime | None = None,
    ) -> tuple[Key, str]:
        """Make a key for an account, which is made too where there is none; return it with the
        text to hand over, which cannot be had again.
        """
        _check_text("name", name)
        _check_text("account", account)
        if right not in RIGHTS:
            raise InvalidInputError("right", f"{right!r} is none", ", ".join(RIGHTS))
        now = self._clock()
        _check_end("expires_at", expires_at, now)
        key = Key(self._new_id(), account, name.strip(), right, now, expires_at=expires_at)
        secret = self._new_secret()
        scope_rows.ensure_account(self._db, account, now=now)

        def write() -> None:
            key_rows.add(self._db, key, secret_hash=_hash(secret))
            self._record("key.create", key)

        self._db.write(write)
        return key, _text_of(key, secret)

    def rotate(
        self,
        key_id: str,
        *,
        grace: timedelta = timedelta(0),
        expires_at: datetime | None = None,
    ) -> tuple[Key, Key, str]:
        """Replace a key by a new one of the same name, account and right; return the old key, the
        new one, and the text to hand over. The old one works for `grace` longer.

        Without `expires_at` the new one lasts as long as the old one was to, counted from now.
        """
        now = self._clock()
        _check_end("expires_at", expires_at, now)
        if grace < timedelta(0):
            raise InvalidInputError("grace", "it is less than nothing", "0 or more")
        new_id, secret = self._new_id(), self._new_secret()

        def write() -> tuple[Key, Key]:
            old = self._existing(key_id)
            if old.revoked_at is not None:
                raise StateError(f"Key {key_id!r} was revoked. Make another with `keys create`.")
            end = expires_at
            if end is None and old.expires_at is not None:
                end = now + min(old.expires_at - old.created_at, _LAST - now)
            new = Key(new_id, old.account, old.name, old.right, now, expires_at=end)
            key_rows.add(self._db, new, secret_hash=_hash(secret))
            if grace:
                old = key_rows.end_at(self._db, old, moment=now + grace)
            else:
                old = key_rows.revoke(self._db, old, now=now)
            self._record("key.rotate", old)
            self._record("key.create", new)
            return old, new

        old, new = self._db.write(write)
        return old, new, _text_of(new, secret)

    def listed(self) -> list[Key]:
        """Return every key, those that have ended too, the oldest first."""
        return key_rows.listed(self._db)

    def revoke(self, key_id: str) -> Key:
        """Let a key open nothing any more."""
        now = self._clock()

        def write() -> Key:
            key = key_rows.revoke(self._db, self._existing(key_id), now=now)
            self._record("key.revoke", key)
            return key

        return self._db.write(write)

    def check(self, text: str) -> ShownKey:
        """Tell what a text that is shown as a key opens, or why it opens nothing.

        A wrong secret takes as long as a right one, whether or not there is such a key, and says
        nothing about the key.
        """
        written = _WRITTEN.fullmatch(text)
        if written is None:
            return ShownKey(None, "unknown")
        key, kept = key_rows.find(self._db, written["id"]) or (None, _NOBODYS)
        fits = hmac.compare_digest(_hash(written["secret"]), kept)
        if not fits or key is None:
            return ShownKey(key, "unknown")
        if key.revoked_at is not None:
            return ShownKey(key, "revoked")
        return ShownKey(key, "expired" if key.has_expired(self._clock()) else None)

    def opened_by(self, text: str) -> Key | None:
        """Return the key that a text is, unless it is none or has ended."""
        shown = self.check(text)
        return shown.key if shown.fault is None else None

    def in_use(self) -> bool:
        """Tell whether there is any key that was not revoked. One that expired counts: a server
        does not open itself to everybody because a key ran out.
        """
        return key_rows.in_use(self._db)

    def _existing(self, key_id: str) -> Key:
        key = key_rows.find(self._db, key_id)
        if key is None:
            raise NotFoundError(f"There is no key {key_id!r}; `mnemic keys list` shows them.")
        return key[0]

    def _record(self, act: Act, key: Key) -> None:
        audit_log.record(self._workspace, act, target=key.id, account=key.account)


def _text_of(key: Key, secret: str) -> str:
    return f"mnm_{key.id}_{secret}"


def _hash(secret: str) -> bytes:
    return sha256(secret.encode("ascii")).digest()


def _check_text(parameter: str, text: str) -> None:
    if not text.strip() or len(text) > _LONGEST_NAME:
        raise InvalidInputError(
            parameter, "it is empty or too long", f"1 to {_LONGEST_NAME} characters"
        )


def _check_end(parameter: str, moment: datetime | None, now: datetime) -> None:
    if moment is not None and moment <= now:
        raise InvalidInputError(parameter, f"{moment.isoformat()} is over", "a later moment")
