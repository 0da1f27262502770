"""What a chat app sends about its conversations, and what the engine gets of it."""

from typing import Annotated, Final

from pydantic import ConfigDict, Field

from mnemic.chat.turns import MOST_TURNS
from mnemic.dialects.chat.body_fields import (
    AsOf,
    Budget,
    Count,
    Label,
    Name,
    RequestBody,
    SaidAt,
    Text,
    to_moment,
)
from mnemic.dialects.chat.error_answers import Detail, invalid
from mnemic.records.conversation import (
    MAIN,
    ChatRole,
    ContextQuery,
    IngestMode,
    Line,
    Strategy,
    TurnDraft,
    VersionDraft,
)

_MOST_MESSAGES: Final = 100
_MOST_VERSIONS: Final = 100
_ONE_OF_BOTH: Final = "Give one of the two: messages, or version"
_NOT_BOTH: Final = "Give query or messages, not both"


class NewSession(RequestBody):
    """A conversation to begin."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"id": "seaside"}, {}]})

    id: Annotated[
        Label | None, Field(description="The app's own id, without a slash; else one is made.")
    ] = None


class NewBranch(RequestBody):
    """A branch to fork from another one."""

    model_config = ConfigDict(
        json_schema_extra={"examples": [{"branch_id": "what-if", "at_floor_no": 3}]}
    )

    branch_id: Annotated[Label, Field(description="Its name, without a slash.")]
    from_branch: Name = MAIN
    at_floor_no: Annotated[
        Count | None,
        Field(description="The last floor that both share; without it, all that there are."),
    ] = None


class NewMessage(RequestBody):
    """One message of a turn, as it was said."""

    id: Annotated[Name | None, Field(description="The app's own id.")] = None
    role: ChatRole
    name: Annotated[Name | None, Field(description="Who speaks, in a story of several.")] = None
    content: Text

    def line(self) -> Line:
        """Return it as the engine takes it."""
        return Line(role=self.role, content=self.content, name=self.name, id=self.id)


Messages = Annotated[list[NewMessage], Field(min_length=1, max_length=_MOST_MESSAGES)]
Mode = Annotated[
    IngestMode, Field(description="Whether to wait until the memory of the turn is made.")
]


class NewTurn(RequestBody):
    """A turn to add at the end of a branch."""

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [
                {
                    "messages": [
                        {"role": "user", "content": "我叫米拉，怕打雷。"},
                        {"role": "assistant", "content": "那今晚我陪着你。"},
                    ]
                }
            ]
        }
    )

    branch_id: Name = MAIN
    messages: Messages
    mode: Mode = "async"
    idempotency_key: Annotated[
        Name | None, Field(description="The same key again is the same turn.")
    ] = None
    occurred_at: SaidAt | None = None

    def lines(self) -> list[Line]:
        """Return what was said, as the engine takes it."""
        return [message.line() for message in self.messages]


class NewVersion(RequestBody):
    """One wording of a turn, and when it was said."""

    messages: Messages
    occurred_at: SaidAt | None = None

    def draft(self) -> VersionDraft:
        """Return it as the engine takes it."""
        lines = tuple(message.line() for message in self.messages)
        return VersionDraft(lines, to_moment(self.occurred_at))


class BulkTurn(RequestBody):
    """One turn of many, with its wordings: the first one first."""

    versions: Annotated[
        list[NewVersion],
        Field(min_length=1, max_length=_MOST_VERSIONS, description="Its wordings, oldest first."),
    ]
    active: Annotated[
        Count | None, Field(description="Which wording counts, from 0; else the last one.")
    ] = None
    idempotency_key: Annotated[
        Name | None, Field(description="The same key again is the same turn.")
    ] = None

    def draft(self) -> TurnDraft:
        """Return it as the engine takes it."""
        versions = tuple(version.draft() for version in self.versions)
        last = len(versions) - 1
        active = last if self.active is None else min(self.active, last)
        return TurnDraft(versions, active, self.idempotency_key)


class BulkTurns(RequestBody):
    """Many turns to add at the end of a branch, in their order."""

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [
                {
                    "turns": [
                        {
                            "versions": [
                                {
                                    "messages": [{"role": "user", "content": "I live in Oslo."}],
                                    "occurred_at": 1_700_000_000_000,
                                }
                            ],
                            "idempotency_key": "import-0",
                        }
                    ]
                }
            ]
        }
    )

    branch_id: Name = MAIN
    turns: Annotated[
        list[BulkTurn],
        Field(min_length=1, max_length=MOST_TURNS, description="What was said, in its order."),
    ]

    def drafts(self) -> list[TurnDraft]:
        """Return them as the engine takes them."""
        return [turn.draft() for turn in self.turns]


class TurnChange(RequestBody):
    """New messages for a turn, which become its active version, or the version to return to."""

    model_config = ConfigDict(
        json_schema_extra={
            "oneOf": [
                {"required": ["messages"], "properties": {"messages": {"type": "array"}}},
                {"required": ["version"], "properties": {"version": {"type": "integer"}}},
            ],
            "examples": [{"version": 0}],
        }
    )

    messages: Annotated[Messages | None, Field(description="An edit, or another answer.")] = None
    version: Annotated[Count | None, Field(description="A version that is there already.")] = None
    mode: Mode = "async"
    occurred_at: Annotated[
        SaidAt | None, Field(description="When the new messages were said, if at another time.")
    ] = None

    def lines(self) -> list[Line] | None:
        """Return what is said now, as the engine takes it; None to return to a version."""
        if (self.messages is None) == (self.version is None):
            raise invalid(
                Detail("messages", _ONE_OF_BOTH, "one_of"),
                Detail("version", _ONE_OF_BOTH, "one_of"),
            )
        return None if self.messages is None else [message.line() for message in self.messages]


class ContextRequest(RequestBody):
    """What to inject before the next answer."""

    model_config = ConfigDict(
        json_schema_extra={
            "not": {
                "required": ["query", "messages"],
                "properties": {"query": {"type": "string"}, "messages": {"type": "array"}},
            },
            "examples": [{"query": "Will there be a storm tonight?", "token_budget": 300}],
        }
    )

    branch_id: Name = MAIN
    query: Annotated[Text | None, Field(description="What it should have to do with.")] = None
    messages: Annotated[
        Messages | None, Field(description="The latest messages, in the place of a query.")
    ] = None
    token_budget: Budget = 500
    strategy: Strategy = "relevance"
    window_start_floor_no: Annotated[
        Count | None,
        Field(description="The first floor that the app itself still shows to the model."),
    ] = None
    as_of: AsOf | None = None

    def asked(self, session_id: str) -> ContextQuery:
        """Return it as the engine takes it."""
        if self.query is not None and self.messages is not None:
            raise invalid(*(Detail(name, _NOT_BOTH, "one_of") for name in ("query", "messages")))
        said = [message.content for message in self.messages or () if message.role != "system"]
        return ContextQuery(
            session_id=session_id,
            branch_id=self.branch_id,
            text=self.query or "\n".join(said),
            token_budget=self.token_budget,
            strategy=self.strategy,
            window_start=self.window_start_floor_no,
            as_of=to_moment(self.as_of),
        )
