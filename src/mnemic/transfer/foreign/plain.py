"""Plain records: an object or a row with a text, under names that many programs use."""

from collections.abc import Mapping
from typing import Any, Final

from mnemic.transfer.foreign import foreign_fields
from mnemic.transfer.foreign.placing import Told

TEXTS: Final = ("content", "text", "insight", "memory", "内容", "文本", "记忆")
"""Under one of these a record keeps its text; of several, the first that is given."""

NAMES: Final[Mapping[str, tuple[str, ...]]] = {
    "content": TEXTS,
    "type": ("type", "memory_type", "类型"),
    "category": ("category", "类别"),
    "collection": ("collection", "集合"),
    "user_id": ("user_id", "user", "用户"),
    "created_at": ("created_at", "timestamp", "时间", "创建时间"),
    "updated_at": ("updated_at", "更新时间"),
    "confidence": ("confidence", "置信度"),
}
_CONTEXTS: Final = ("context", "metadata", "上下文")
_TAGS: Final = ("tags", "标签")

KNOWN: Final = frozenset(
    (*_CONTEXTS, *_TAGS, *(name for names in NAMES.values() for name in names))
)
"""Every name that means something here."""


def told(record: Mapping[str, Any]) -> Told:
    """Return what a record says; whatever has another name goes into the context."""
    left = {name: value for name, value in record.items() if foreign_fields.given(value)}
    taken = {meaning: _take(left, names) for meaning, names in NAMES.items()}
    content = taken["content"]
    if not isinstance(content, str):
        problem = "it has none" if content is None else f"it is {foreign_fields.type_name(content)}"
        raise foreign_fields.UnusableError(
            f"text: {problem}; allowed: a text under {', '.join(TEXTS[:4])}"
        )
    tags = _take(left, _TAGS)
    contexts = {name: left.pop(name) for name in _CONTEXTS if name in left}
    about, notes = left, list[str]()
    if tags is not None:
        about["tags"] = foreign_fields.words(tags)
    for name, value in contexts.items():
        _put(about, notes, name, value)
    return Told(
        content=content,
        about=about,
        note="\n".join(notes) or None,
        collection=foreign_fields.label("collection", taken["collection"]),
        user=foreign_fields.label("user_id", taken["user_id"]),
        kind=foreign_fields.label("type", taken["type"]),
        category=foreign_fields.label("category", taken["category"]),
        confidence=foreign_fields.fraction("confidence", taken["confidence"]),
        created_at=foreign_fields.moment("created_at", taken["created_at"]),
        updated_at=foreign_fields.moment("updated_at", taken["updated_at"]),
    )


def _take(left: dict[str, Any], names: tuple[str, ...]) -> Any:
    """Take the first value that is given out of what is left; others stay, under their names."""
    name = next((name for name in names if name in left), None)
    return None if name is None else left.pop(name)


def _put(about: dict[str, Any], notes: list[str], name: str, value: Any) -> None:
    """Put a context beside what else is told, without losing either."""
    inside = foreign_fields.parsed_object(value)
    if inside is not None and not inside.keys() & about.keys():
        about.update(inside)
    elif inside is None and isinstance(value, str):
        notes.append(value)
    else:
        about[name] = value if inside is None else inside
