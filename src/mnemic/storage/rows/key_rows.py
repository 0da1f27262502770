"""Keys, as the store knows them: all but their secrets. They belong to no account's view."""

from dataclasses import replace
from datetime import datetime

from mnemic.records.access_key import Key
from mnemic.storage.database import Database, Row
from mnemic.storage.timestamps import from_micros, to_micros


def add(db: Database, key: Key, *, secret_hash: bytes) -> None:
    """Keep a new key; its account is there already."""
    db.run(
        "key_add",
        id=key.id,
        account=key.account,
        name=key.name,
        hash=secret_hash,
        access=key.right,
        now=to_micros(key.created_at),
        expires_at=None if key.expires_at is None else to_micros(key.expires_at),
    )


def find(db: Database, key_id: str) -> tuple[Key, bytes] | None:
    """Return a key, revoked or not, and the hash of its secret."""
    row = db.one("key_find", id=key_id)
    return None if row is None else (_key(row), bytes(row["hash"]))


def listed(db: Database) -> list[Key]:
    """Return every key of the store, the oldest first."""
    return [_key(row) for row in db.all("keys_all")]


def revoke(db: Database, key: Key, *, now: datetime) -> Key:
    """Let a key open nothing any more; one that was revoked before stays as it is."""
    return (
        replace(key, revoked_at=now) if db.run("key_revoke", id=key.id, now=to_micros(now)) else key
    )


def end_at(db: Database, key: Key, *, moment: datetime) -> Key:
    """Let a key open nothing from a moment on; one that ends sooner stays as it is."""
    ended = db.run("key_end", id=key.id, expires_at=to_micros(moment))
    return replace(key, expires_at=moment) if ended else key


def in_use(db: Database) -> bool:
    """Tell whether there is any key that was not revoked, expired or not."""
    return bool(db.only("keys_in_use")["found"])


def _key(row: Row) -> Key:
    revoked, expires = row["revoked_at"], row["expires_at"]
    return Key(
        id=row["id"],
        account=row["account"],
        name=row["name"],
        right=row["access"],
        created_at=from_micros(row["created_at"]),
        revoked_at=None if revoked is None else from_micros(revoked),
        expires_at=None if expires is None else from_micros(expires),
    )
