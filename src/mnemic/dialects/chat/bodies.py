"""What a chat app sends about memory items and edges, and what the engine gets of it."""

from typing import Annotated, Any, Final

from pydantic import ConfigDict, Field

from mnemic.dialects.chat.body_fields import (
    FactKey,
    Id,
    RequestBody,
    ScopeId,
    ScopeName,
    Share,
    Text,
)
from mnemic.dialects.chat.error_answers import Detail, invalid
from mnemic.records.item import ItemChange, ItemStatus, ItemType, Lifecycle, NewItem, Relation, Tier
from mnemic.records.memory import Scope

MOST_IDS: Final = 100


class WrappedText(RequestBody):
    """A text in the wrapper that the contract promises to keep."""

    text: Text


Content = Text | WrappedText


class NewMemory(RequestBody):
    """A memory item to create. Fields that only the server writes are ignored."""

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [
                {
                    "scope": "branch",
                    "scope_id": '["seaside","main"]',
                    "type": "fact",
                    "content": "Mira is afraid of thunder",
                    "fact_key": "mira.fear",
                    "importance": 0.8,
                },
                {
                    "scope": "chat",
                    "scope_id": "seaside",
                    "type": "summary",
                    "summary_tier": "micro",
                    "content": {"text": "米拉和船长约好明天出海。"},
                },
            ]
        }
    )

    scope: Annotated[ScopeName, Field(description="Where it holds.")]
    scope_id: Annotated[
        ScopeId,
        Field(description="Of what: of a branch, the JSON array of session and branch."),
    ]
    type: Annotated[ItemType, Field(description="What it is.")]
    content: Annotated[Content, Field(description="The text; it comes back in the same form.")]
    summary_tier: Annotated[
        Tier | None, Field(description="Of a summary only; cleared for other types.")
    ] = None
    fact_key: Annotated[
        FactKey | None,
        Field(description="Of a fact only; kept without blanks around it, in lower case."),
    ] = None
    importance: Share = 0.5
    confidence: Share = 1.0
    source_floor_id: Annotated[Id, Field(description="The turn it came from.")] = ""
    source_message_id: Annotated[Id, Field(description="The message it came from.")] = ""
    status: Annotated[ItemStatus, Field(description="Without it, it follows the lifecycle.")] = (
        "active"
    )
    lifecycle_status: Annotated[
        Lifecycle, Field(description="Without it, it follows the status.")
    ] = "active"
    pinned: Annotated[
        bool, Field(description="With importance 1 it is in every context block.")
    ] = False

    def new_item(self) -> NewItem:
        """Return it as the engine takes it."""
        given = self.model_fields_set
        text, wrapped = _text(self.content)
        return NewItem(
            scope=Scope(self.scope, self.scope_id),
            type=self.type,
            content=text,
            wrapped=wrapped,
            tier=self.summary_tier,
            fact_key=self.fact_key,
            importance=self.importance,
            confidence=self.confidence,
            source_floor_id=self.source_floor_id or None,
            source_message_id=self.source_message_id or None,
            status=self.status if "status" in given else None,
            lifecycle=self.lifecycle_status if "lifecycle_status" in given else None,
            pinned=self.pinned,
        )


_PATCHED: Final = {
    "scope": "scope_kind",
    "scope_id": "scope_name",
    "type": "type",
    "summary_tier": "tier",
    "fact_key": "fact_key",
    "importance": "importance",
    "confidence": "confidence",
    "source_floor_id": "source_floor_id",
    "source_message_id": "source_message_id",
    "status": "status",
    "lifecycle_status": "lifecycle",
    "pinned": "pinned",
}


class MemoryPatch(RequestBody):
    """What to change of a memory item: at least one field. What is not named stays."""

    model_config = ConfigDict(
        json_schema_extra={
            "anyOf": [{"required": [name]} for name in (*_PATCHED, "content")],
            "examples": [{"importance": 1, "pinned": True}],
        }
    )

    scope: ScopeName = "global"
    scope_id: ScopeId = ""
    type: ItemType = "fact"
    content: Content = ""
    summary_tier: Tier | None = None
    fact_key: FactKey | None = None
    importance: Share = 0.5
    confidence: Share = 1.0
    source_floor_id: Id = ""
    source_message_id: Id = ""
    status: Annotated[ItemStatus, Field(description="The lifecycle follows it.")] = "active"
    lifecycle_status: Annotated[Lifecycle, Field(description="The status does not follow it.")] = (
        "active"
    )
    pinned: Annotated[
        bool, Field(description="With importance 1 it is in every context block.")
    ] = False

    def change(self) -> ItemChange:
        """Return it as the engine takes it."""
        given = self.model_fields_set
        if not given:
            raise invalid(Detail("body", "Give at least one field to change", "missing"))
        named: dict[str, Any] = {
            engine: getattr(self, name) for name, engine in _PATCHED.items() if name in given
        }
        if "content" in given:
            named["content"], named["wrapped"] = _text(self.content)
        return ItemChange(**named)


def _text(content: Text | WrappedText) -> tuple[str, bool]:
    if isinstance(content, WrappedText):
        return content.text, True
    return content, False


class MemoryIds(RequestBody):
    """Some memory items, each named once."""

    ids: Annotated[
        list[Id],
        Field(
            min_length=1,
            max_length=MOST_IDS,
            description="1 to 100 ids, none of them twice.",
            json_schema_extra={"uniqueItems": True},
        ),
    ]

    def check(self) -> None:
        """Refuse an id that stands there a second time."""
        seen: set[str] = set()
        twice = [at for at, item_id in enumerate(self.ids) if item_id in seen or seen.add(item_id)]
        if twice:
            told = "It is given more than once"
            raise invalid(*(Detail(f"ids.{at}", told, "duplicate") for at in twice))


class MemoryStatusBatch(MemoryIds):
    """A status for some memory items."""

    status: ItemStatus


class NewEdge(RequestBody):
    """A relation between two memory items, which may be the same one."""

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [
                {
                    "from_id": "5n2cP0Zq3vJm8sYb1LwXa",
                    "to_id": "h7Kt9QeR4dUo2GxNf6VzB",
                    "relation": "supports",
                }
            ]
        }
    )

    from_id: Annotated[Id, Field(description="Where the relation begins.")]
    to_id: Annotated[Id, Field(description="Where it ends.")]
    relation: Relation


class EdgePatch(RequestBody):
    """Another relation for an edge."""

    relation: Relation


class ScopeRebuild(RequestBody):
    """How to rebuild a scope's memory from its turns."""

    trigger_floor_id: Annotated[Id | None, Field(description="The turn that is the reason.")] = None
    force_compaction: Annotated[bool, Field(description="Compact as soon as possible.")] = True


class ScopeMaintenance(RequestBody):
    """How to look after a scope."""

    dry_run: Annotated[bool, Field(description="Only tell what would be done.")] = False


class ScopeCompaction(RequestBody):
    """How to compact a scope's micro summaries."""

    trigger_floor_id: Annotated[Id | None, Field(description="The turn that is the reason.")] = None
    force: Annotated[bool, Field(description="Do not wait for a threshold.")] = True
