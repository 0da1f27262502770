"""`/keys`: who may use the server, for whoever looks after an account or the whole store."""

from datetime import timedelta
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Path, Request
from pydantic import BaseModel, Field

from mnemic.administration.keys import Keys
from mnemic.dialects.chat.body_fields import (
    Moment,
    Name,
    RequestBody,
    to_milliseconds,
    to_moment,
)
from mnemic.errors import NotFoundError
from mnemic.opening import OpenMemory
from mnemic.records.access_key import Key
from mnemic.server.access.callers import caller_of
from mnemic.server.account_routes.answering import add_route, maybe_milliseconds

_KeyId = Annotated[str, Path(pattern="^[0-9a-z]{1,64}$")]
_Right = Literal["read", "write", "admin"]
_LONGEST_GRACE = 30 * 24 * 3600


class NewKey(RequestBody):
    """A key to make."""

    name: Name = Field(description="What it is for.")
    right: _Right = "write"
    account: Name | None = Field(
        default=None, description="Whose memories; another than one's own only for the store's."
    )
    expires_at: Moment | None = Field(default=None, description="In milliseconds; null is never.")


class Rotation(RequestBody):
    """How a key is to be replaced."""

    grace_seconds: Annotated[int, Field(ge=0, le=_LONGEST_GRACE)] = Field(
        default=0, description="How long the old one still works."
    )
    expires_at: Moment | None = Field(
        default=None, description="When the new one ends; null is as long as the old one was to."
    )


class KeyShape(BaseModel):
    """A key, without its secret."""

    id: str
    account: str
    name: str = Field(description="What it is for.")
    right: _Right
    created_at: int = Field(description="Milliseconds since the epoch.")
    expires_at: int | None
    revoked_at: int | None
    is_own: bool = Field(description="Whether this request showed it.")


class KeysAnswer(BaseModel):
    """All keys, the oldest first."""

    data: list[KeyShape]


class ShownOnce(KeyShape):
    """A new key."""

    text: str = Field(description="What to hand over. It cannot be had again.")


class NewKeyAnswer(BaseModel):
    """A new key, with its text."""

    data: ShownOnce


class KeyAnswer(BaseModel):
    """A key as it stands now."""

    data: KeyShape


def key_routes(own_account: str) -> APIRouter:
    """Return the routes. An admin key of the server's own account looks after all keys, that of
    another one after those of its account.
    """
    router = APIRouter()
    held = _KeyEndpoints(own_account)
    add_route(router, "GET", "/keys", held.list_keys, KeysAnswer, tag="keys", refuses=(403,))
    add_route(
        router,
        "POST",
        "/keys",
        held.create_key,
        NewKeyAnswer,
        tag="keys",
        status=201,
        refuses=(403,),
    )
    add_route(
        router,
        "POST",
        "/keys/{key_id}/rotate",
        held.rotate_key,
        NewKeyAnswer,
        tag="keys",
        status=201,
        refuses=(403, 404, 409),
    )
    add_route(
        router,
        "DELETE",
        "/keys/{key_id}",
        held.revoke_key,
        KeyAnswer,
        tag="keys",
        refuses=(403, 404),
    )
    return router


class _KeyEndpoints:
    """The endpoints of keys."""

    def __init__(self, own_account: str) -> None:
        self._own_account = own_account

    def list_keys(self, request: Request) -> dict[str, Any]:
        """List the keys, those that have ended too, the oldest first.

        Needs an admin key. That of the server's own account sees the keys of all accounts, any
        other those of its own.
        """
        caller = caller_of(request.scope)
        keys = [key for key in caller.memory.keys.listed() if self._may(caller.memory, key.account)]
        return {"data": [_key_json(key, caller.key_id) for key in keys]}

    def create_key(self, request: Request, body: NewKey) -> dict[str, Any]:
        """Make a key. Its text is in this answer and nowhere else."""
        caller = caller_of(request.scope)
        account = body.account or caller.memory.account
        if not self._may(caller.memory, account):
            raise NotFoundError(f"There is no account {account!r} that this key looks after.")
        key, text = caller.memory.keys.create(
            body.name, account=account, right=body.right, expires_at=to_moment(body.expires_at)
        )
        return {"data": {**_key_json(key, caller.key_id), "text": text}}

    def rotate_key(self, request: Request, key_id: _KeyId, body: Rotation) -> dict[str, Any]:
        """Replace a key by a new one of the same name, account and right."""
        caller = caller_of(request.scope)
        keys = self._keys(caller.memory, key_id)
        _, new, text = keys.rotate(
            key_id,
            grace=timedelta(seconds=body.grace_seconds),
            expires_at=to_moment(body.expires_at),
        )
        return {"data": {**_key_json(new, caller.key_id), "text": text}}

    def revoke_key(self, request: Request, key_id: _KeyId) -> dict[str, Any]:
        """Let a key open nothing any more."""
        caller = caller_of(request.scope)
        revoked = self._keys(caller.memory, key_id).revoke(key_id)
        return {"data": _key_json(revoked, caller.key_id)}

    def _may(self, memory: OpenMemory, account: str) -> bool:
        return memory.account in (self._own_account, account)

    def _keys(self, memory: OpenMemory, key_id: str) -> Keys:
        """Return the keys, where a caller looks after the one that is named."""
        key = next((key for key in memory.keys.listed() if key.id == key_id), None)
        if key is None or not self._may(memory, key.account):
            raise NotFoundError(f"There is no key {key_id!r}.")
        return memory.keys


def _key_json(key: Key, own: str | None) -> dict[str, Any]:
    return {
        "id": key.id,
        "account": key.account,
        "name": key.name,
        "right": key.right,
        "created_at": to_milliseconds(key.created_at),
        "expires_at": maybe_milliseconds(key.expires_at),
        "revoked_at": maybe_milliseconds(key.revoked_at),
        "is_own": key.id == own,
    }
