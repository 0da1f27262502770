"""`/audit`: who did what, for who looks after an account or the whole store."""

from typing import Annotated, Any, Final, Literal

from fastapi import APIRouter, Query, Request
from pydantic import BaseModel, Field
from pydantic.json_schema import SkipJsonSchema

from mnemic.dialects.chat.answers import ErrorAnswer, ListMeta
from mnemic.dialects.chat.body_fields import Moment, Name, Paged, to_milliseconds, to_moment
from mnemic.dialects.chat.described import listed
from mnemic.records.audit_entry import Act, AuditEntry, Outcome
from mnemic.server.access.callers import caller_of

_None = SkipJsonSchema[None]
_REFUSALS: Final[dict[int | str, dict[str, Any]]] = {
    400: {"model": ErrorAnswer, "description": "A value is not allowed; `details` says which."},
    403: {"model": ErrorAnswer, "description": "The key does not allow it; it needs `admin`."},
    500: {"model": ErrorAnswer, "description": "The server broke; its log says why."},
    503: {"model": ErrorAnswer, "description": "The store stayed locked. Try again."},
}


class AuditQuery(Paged):
    """Which acts; every parameter restricts."""

    account: Annotated[Name | _None, Field(description="Only what was done to this account.")] = (
        None
    )
    act: Annotated[Act | _None, Field(description="Only one kind of act.")] = None
    since: Annotated[Moment | _None, Field(description="Not before, in milliseconds.")] = None

    # The order is always that in which it was written down.
    @property
    def sort_by(self) -> str:
        """By what a page is sorted."""
        return "at"

    @property
    def sort_order(self) -> str:
        """In which direction."""
        return "desc"


class AuditAct(BaseModel):
    """One act, in names, ids and numbers."""

    id: int
    at: int = Field(description="When, in milliseconds.")
    account: str | None = Field(description="Whose memories; null is the whole store.")
    actor: str = Field(description="The name of the key, or of the local user.")
    key_id: str | None
    act: Act
    target: str | None = Field(description="The id of a key or a job, a file, a scope.")
    outcome: Outcome
    counts: dict[str, int] = Field(
        description="How much of what; of refused keys, why and how often."
    )
    request_id: str | None
    address: str | None = Field(description="From where a refused key came.")


class AuditMeta(ListMeta):
    """Which part of the acts."""

    sort_by: Literal["at"]


class AuditAnswer(BaseModel):
    """A page of acts."""

    data: list[AuditAct]
    meta: AuditMeta


def audit_routes(own_account: str) -> APIRouter:
    """Return the route. An admin key of the server's own account sees the whole store, that of
    another one what was done to that account.
    """
    router = APIRouter()

    def list_audit(request: Request, query: Annotated[AuditQuery, Query()]) -> dict[str, Any]:
        """List who did what, the latest first.

        Needs an admin key. That of the server's own account sees the acts of all accounts, any
        other those of its own.
        """
        memory = caller_of(request.scope).memory
        page = memory.audit.entries(
            of_all=memory.account == own_account,
            account=query.account,
            act=query.act,
            since=to_moment(query.since),
            limit=query.limit,
            offset=query.offset,
        )
        return listed(page, map(_shape, page.rows), query)

    router.add_api_route(
        "/audit",
        list_audit,
        methods=["GET"],
        tags=["audit"],
        operation_id="list_audit",
        summary="List who did what, the latest first",
        response_model=AuditAnswer,
        responses=_REFUSALS,
    )
    return router


def _shape(entry: AuditEntry) -> dict[str, Any]:
    told = {name: getattr(entry, name) for name in AuditEntry.__dataclass_fields__}
    return {**told, "at": to_milliseconds(entry.at)}
