"""How an answer is described once: for whoever builds it, and for the OpenAPI document.

An answer is a model whose fields say where in a record their values stand. Nothing is validated
against it at run time; a test holds the answers to the document.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from functools import cache
from operator import attrgetter
from types import NoneType
from typing import Annotated, Any, Final, cast, get_args, get_origin

from pydantic import BaseModel, ConfigDict, Field
from pydantic.fields import FieldInfo

from mnemic.dialects.chat.body_fields import to_milliseconds
from mnemic.records.item import Page

Json = dict[str, Any]
# To look a type up is quicker than to ask what a value is an instance of.
_SIMPLE: Final = frozenset({str, int, float, bool, list, dict, NoneType})
Milliseconds = Annotated[int, Field(ge=0, description="Milliseconds since the epoch.")]
Share = Annotated[float, Field(ge=0, le=1)]
Count = Annotated[int, Field(ge=0)]


@dataclass(frozen=True, slots=True)
class Source:
    """Where a field's value stands in a record, if not under the field's own name."""

    place: str | Callable[[Any], Any]


class Described(BaseModel):
    """An object with exactly the fields that are named; those without a default always stand."""

    model_config = ConfigDict(extra="forbid")

    def __init_subclass__(cls, *, component: str | None = None, **kwargs: Any) -> None:
        """Let an answer stand in the OpenAPI document under the name of the record it shows."""
        cls.__name__ = cls.__qualname__ = component or cls.__name__
        super().__init_subclass__(**kwargs)

    @classmethod
    def of(cls, record: object, **given: Any) -> Json:
        """Return the answer about a record; what it does not hold is given."""
        answer: Json = {}
        for name, read, is_optional in _plan(cls):
            value = given[name] if name in given else read(record)
            if is_optional and (value is None or value is False):
                continue
            answer[name] = value if type(value) in _SIMPLE else _plain(value)
        return answer

    @classmethod
    def single(cls, record: object, **given: Any) -> Json:
        """Return the answer about one record in its envelope."""
        return {"data": cls.of(record, **given)}

    @classmethod
    def listed(cls, page: Page[Any], query: Any) -> Json:
        """Return a page of answers in its envelope; `query` tells which part it is."""
        return listed(page, map(cls.of, page.rows), query)


def deleted(name: str) -> Json:
    """Return that something is gone, in its envelope."""
    return {"data": {"id": name, "deleted": True}}


def listed(page: Page[Any], answers: Iterable[Json], query: Any) -> Json:
    """Return the answers about a page's rows in their envelope."""
    return {
        "data": list(answers),
        "meta": {
            "total": page.total,
            "limit": query.limit,
            "offset": query.offset,
            "has_more": query.offset + query.limit < page.total,
            "sort_by": query.sort_by,
            "sort_order": query.sort_order,
        },
    }


@cache
def _plan(kind: type[Described]) -> list[tuple[str, Callable[[Any], Any], bool]]:
    """Return how each field is read from a record, and whether nothing is left out."""
    return [
        (name, _reader(name, field), not field.is_required())
        for name, field in kind.model_fields.items()
    ]


def _reader(name: str, field: FieldInfo) -> Callable[[Any], Any]:
    [place] = [entry.place for entry in field.metadata if isinstance(entry, Source)] or [name]
    read = place if callable(place) else attrgetter(place)
    arguments = get_args(field.annotation)
    if get_origin(field.annotation) is list and issubclass(arguments[0], Described):
        return lambda record: [arguments[0].of(part) for part in read(record)]
    return read


def _plain(value: Any) -> Any:
    if isinstance(value, datetime):
        return to_milliseconds(value)
    return dict(cast("Mapping[str, Any]", value)) if isinstance(value, Mapping) else value
