"""`/payloads`: what sensors delivered, as series of numbers and as pictures."""

from typing import Annotated, Any

from fastapi import APIRouter, Path, Query, Request
from pydantic import BaseModel, Field
from pydantic.json_schema import SkipJsonSchema

from mnemic.dialects.chat.body_fields import Parameters
from mnemic.errors import NotFoundError
from mnemic.server.access.callers import caller_of
from mnemic.server.account_routes.answering import add_route
from mnemic.server.account_routes.feed_routes import EventId

_MemoryId = Annotated[EventId, Path(ge=1, strict=True, description="The memory that has it.")]


class SeriesShape(BaseModel):
    """Numbers in a row at a path of the payload."""

    path: str
    length: int
    rate: float | None = Field(
        description="How many there are in a second, by `hz` or `sample_rate` beside them."
    )
    low: float | None
    high: float | None


class PictureShape(BaseModel):
    """A picture at a path of the payload."""

    path: str
    media_type: str = Field(description="PNG, JPEG, GIF or WebP, by its first bytes.")
    base64: str


class PartsShape(BaseModel):
    """What of a payload can be shown."""

    characters: int
    series: list[SeriesShape]
    pictures: list[PictureShape]


class PartsAnswer(BaseModel):
    """What of a payload can be shown."""

    data: PartsShape


class ValuesWanted(Parameters):
    """Which part of a series, and how finely."""

    path: Annotated[str, Field(max_length=1_000, description="The path of the series.")]
    start: Annotated[EventId, Field(description="From which number on; they count from 0.")] = 0
    end: Annotated[
        EventId | SkipJsonSchema[None], Field(description="Before which; else to the end.")
    ] = None
    values: Annotated[EventId, Field(ge=1, le=5_000, description="In how many values at most.")] = (
        1_000
    )


class WindowShape(BaseModel):
    """Of every `step` numbers from `start` on, the least and the greatest; null where none is."""

    path: str
    start: int
    step: int
    low: list[float | None]
    high: list[float | None]


class WindowAnswer(BaseModel):
    """A part of a series."""

    data: WindowShape


def payload_routes() -> APIRouter:
    """Return the routes."""
    router = APIRouter()
    where = "/payloads/{memory_id}"
    add_route(router, "GET", where, get_payload, PartsAnswer, tag="payloads", refuses=(404,))
    add_route(
        router,
        "GET",
        f"{where}/values",
        get_payload_values,
        WindowAnswer,
        tag="payloads",
        refuses=(404,),
    )
    return router


def get_payload(request: Request, memory_id: _MemoryId) -> dict[str, Any]:
    """Tell which series of numbers and which pictures a payload holds.

    A series is a list of numbers in its JSON, a column of a list of lists, or a field of a list of
    objects. A memory without a payload holds none. `POST /sdk/payload` returns all of it, byte for
    byte.
    """
    return {"data": caller_of(request.scope).memory.view.payload_parts(memory_id)}


def get_payload_values(
    request: Request, memory_id: _MemoryId, query: Annotated[ValuesWanted, Query()]
) -> dict[str, Any]:
    """Return a part of a series in as few values as a plot has pixels.

    Of neighbours that fall together the least and the greatest are told, so that no peak is lost.
    """
    found = caller_of(request.scope).memory.view.payload_window(
        memory_id, query.path, start=query.start, end=query.end, values=query.values
    )
    if found is None:
        raise NotFoundError(f"The payload of memory {memory_id} has no such series.")
    return {"data": found}
