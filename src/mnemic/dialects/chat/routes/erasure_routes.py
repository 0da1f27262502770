"""`/erase` and `/erasures`: what is removed for ever, and the receipts of that."""

from typing import Annotated, Literal

from fastapi import Path, Query
from pydantic import Field

from mnemic.dialects.chat.answers import ListMeta
from mnemic.dialects.chat.body_fields import Id, Paged, RequestBody
from mnemic.dialects.chat.described import Count, Described, Json, Milliseconds
from mnemic.dialects.chat.routing import Endpoints, operation
from mnemic.records.erasure import ErasedKind
from mnemic.records.memory import DEFAULT_USER

PathKind = Annotated[ErasedKind, Path(description="What it is.")]


class EraseRequest(RequestBody):
    """What is to be erased."""

    name: Annotated[Id, Field(description="Its id, its number or its name.")]
    user_id: Annotated[Id, Field(description="Whose conversation it is.")] = DEFAULT_USER.name
    dry_run: Annotated[bool, Field(description="Count what would go, and change nothing.")] = False


class Receipt(Described):
    """What is left of what was erased."""

    id: Annotated[str, Field(description="Empty after a dry run.")]
    kind: Annotated[ErasedKind, Field(description="What it was.")]
    mark: Annotated[str, Field(description="A hash of its name, and no more of it.")]
    counts: Annotated[dict[str, Count], Field(description="How many rows of which kind went.")]
    actor: Annotated[str, Field(description="Who erased it.")]
    erased_at: Milliseconds
    finished_at: Annotated[
        Milliseconds | None,
        Field(description="When the last traces were gone; null while somebody reads them."),
    ]


class ReceiptAnswer(Described):
    """A receipt."""

    data: Receipt


class ReceiptMeta(ListMeta):
    """Which part of the receipts."""

    sort_by: Literal["erased_at"]


class ReceiptsAnswer(Described):
    """A page of receipts."""

    data: list[Receipt]
    meta: ReceiptMeta


class ReceiptList(Paged):
    """Which part of the receipts; the newest come first."""

    sort_by: Annotated[Literal["erased_at"], Field()] = "erased_at"
    sort_order: Annotated[Literal["desc"], Field()] = "desc"


class Erasures(Endpoints):
    """The endpoints of erasures."""

    @operation("POST", "/erase/{kind}", ReceiptAnswer, refuses=(404,))
    def erase(
        self, kind: Annotated[ErasedKind, Path(description="What it is.")], body: EraseRequest
    ) -> Json:
        """Erase something with all that follows from it.

        Nothing brings it back: rows, versions, history, vectors and index entries go, what was
        derived from it goes too or is derived anew, and the store keeps no trace in free pages or
        in its log. What was erased before answers with its receipt again. A whole account needs
        the right `admin`.
        """
        receipt = self.chat.erase(kind, body.name, user=body.user_id, dry_run=body.dry_run)
        return Receipt.single(receipt)

    @operation("GET", "/erasures", ReceiptsAnswer, refuses=(400,))
    def list_erasures(self, query: Annotated[ReceiptList, Query()]) -> Json:
        """List the receipts of what was erased."""
        page = self.chat.erasures(limit=query.limit, offset=query.offset)
        return Receipt.listed(page, query)
