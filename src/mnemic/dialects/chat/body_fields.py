"""The kinds of values that a chat app may send, each with its limits, stated once.

Bodies are read strictly: a number is not a text. In addresses everything is text, so numbers are
read from their digits there, and from nothing else.
"""

from datetime import UTC, datetime, timedelta
from typing import Annotated, Final, Literal

from fastapi import Path
from pydantic import BaseModel, BeforeValidator, ConfigDict, Field

from mnemic.runtime.patterns import opening

_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
_MILLISECOND: Final = timedelta(milliseconds=1)
# The last millisecond of the year 9999, which is the end of Python's calendar.
_LAST_MOMENT: Final = 253_402_300_799_999
# What every JSON reader holds exactly.
_LARGEST: Final = 2**53 - 1
_INTEGER: Final = opening(r"-?[0-9]{1,19}")
_DECIMAL: Final = opening(r"-?[0-9]{1,40}(\.[0-9]{1,40})?([eE][+-]?[0-9]{1,3})?")

# No database holds a NUL. What is blank to Python is blank here.
_NO_NUL: Final = r"^[^\x00]*$"
_BLANKS: Final = r"\x00-\x20\x7f-\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000"
_VISIBLE: Final = rf"^[^\x00]*[^{_BLANKS}][^\x00]*$"
# Ids stand in addresses, between slashes.
_IN_PATH: Final = r"^[^\x00-\x1f\x7f/]*[^\x00-\x20\x7f-\xa0/.][^\x00-\x1f\x7f/]*$"

ScopeName = Literal["global", "chat", "branch", "floor"]

Text = Annotated[str, Field(min_length=1, pattern=_NO_NUL)]
Id = Annotated[str, Field(min_length=1, max_length=1_000, pattern=_NO_NUL)]
ScopeId = Annotated[str, Field(min_length=1, max_length=1_000, pattern=_VISIBLE)]
FactKey = Annotated[str, Field(min_length=1, max_length=1_000, pattern=_VISIBLE)]
Words = Annotated[str, Field(min_length=1, max_length=1_000, pattern=_VISIBLE)]
Label = Annotated[str, Field(min_length=1, max_length=200, pattern=_IN_PATH)]
Share = Annotated[float, Field(ge=0, le=1)]
Name = Annotated[str, Field(min_length=1, max_length=200, pattern=_VISIBLE)]

PathId = Annotated[str, Path(min_length=1, max_length=1_000, pattern=_NO_NUL)]
PathScopeId = Annotated[
    str,
    Path(
        min_length=1,
        max_length=1_000,
        pattern=_VISIBLE,
        description="Percent-encoded; of a branch, the JSON array of session and branch.",
    ),
]


def _integer(value: object) -> object:
    return int(value) if isinstance(value, str) and _INTEGER.fullmatch(value) else value


def _decimal(value: object) -> object:
    return float(value) if isinstance(value, str) and _DECIMAL.fullmatch(value) else value


def _whole(value: object) -> object:
    # To JSON, 5.0 is the whole number 5.
    return int(value) if isinstance(value, float) and value.is_integer() else value


Count = Annotated[int, Field(ge=0, le=_LARGEST), BeforeValidator(_whole)]
Budget = Annotated[int, Field(ge=1, le=100_000), BeforeValidator(_whole)]
SaidAt = Annotated[
    int,
    Field(ge=0, le=_LAST_MOMENT, description="When it was said; without it, now."),
    BeforeValidator(_whole),
]
AsOf = Annotated[
    int,
    Field(ge=0, le=_LAST_MOMENT, description="The time whose state is asked for; else now."),
    BeforeValidator(_whole),
]
Moment = Annotated[int, Field(ge=0, le=_LAST_MOMENT), BeforeValidator(_integer)]
ShareText = Annotated[float, Field(ge=0, le=1), BeforeValidator(_decimal)]
Limit = Annotated[
    int,
    Field(ge=1, le=100, description="How many to return at most."),
    BeforeValidator(_integer),
]
Offset = Annotated[
    int,
    Field(ge=0, le=_LARGEST, description="How many to pass over."),
    BeforeValidator(_integer),
]
SortOrder = Annotated[
    Literal["asc", "desc"],
    Field(description="The direction; of equals, the order in which they were made decides."),
]


class RequestBody(BaseModel):
    """A body: wrong types are refused, fields that it does not know are ignored."""

    model_config = ConfigDict(
        strict=True, extra="ignore", frozen=True, allow_inf_nan=False, defer_build=False
    )


class Parameters(BaseModel):
    """The parameters of an address; those that it does not know are refused before."""

    model_config = ConfigDict(strict=True, extra="ignore", frozen=True, allow_inf_nan=False)


class Paged(Parameters):
    """Which part of a list."""

    limit: Limit = 50
    offset: Offset = 0


def to_moment(milliseconds: int | None) -> datetime | None:
    """Return the moment that a number of milliseconds since the epoch stands for."""
    return None if milliseconds is None else _EPOCH + milliseconds * _MILLISECOND


def to_milliseconds(moment: datetime) -> int:
    """Return a moment as milliseconds since the epoch."""
    return (moment - _EPOCH) // _MILLISECOND
