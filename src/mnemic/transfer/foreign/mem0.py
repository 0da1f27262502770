"""mem0: what `get_all()` returns or the platform exports, as a document, a list or lines."""

from collections import defaultdict
from collections.abc import Generator, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final, cast

from mnemic.memory.adopt import Earlier
from mnemic.records.memory import DEFAULT_USER
from mnemic.transfer.foreign import foreign_fields, foreign_files
from mnemic.transfer.foreign.foreign_files import Looks
from mnemic.transfer.foreign.placing import Placement, Told
from mnemic.transfer.foreign.sources import ForeignEntry, ForeignSource

_LISTS: Final = ("results", "memories")
# What is read into a place of its own, and what says nothing once the text is here.
_READ: Final = (
    "memory",
    "user_id",
    "metadata",
    "categories",
    "created_at",
    "updated_at",
    "history",
)
_LEFT_OUT: Final = ("hash", "score", "event", "previous_memory")


def recognises(looks: Looks) -> bool:
    """Tell whether there are records with a text under `memory`."""
    if looks.kind == "lines":
        return any(isinstance(record.get("memory"), str) for record in looks.objects())
    records = _records_of(looks.document)
    return records is not None and all(_is_record(record) for record in records[:1])


def is_surely(looks: Looks) -> bool:
    """Tell whether the records also have ids, as mem0's do, which plain ones seldom have."""
    if looks.kind == "lines":
        return any("memory" in record and "id" in record for record in looks.objects())
    return recognises(looks)


@contextmanager
def opened(path: Path, place: Placement) -> Generator[ForeignSource]:
    """Open an export."""
    looks = foreign_files.looks(path)
    if looks.kind == "lines":
        total = sum(1 for _ in foreign_files.raw_lines(path))
        yield ForeignSource(total=total, entries=_line_entries(path, place))
        return
    held = foreign_fields.as_object(looks.document)
    records = _records_of(looks.document) or []
    entries = [
        *_entries(records, _by_memory(held.get("history")), place),
        *_relations(foreign_fields.as_list(held.get("relations")), place),
    ]
    yield ForeignSource(total=len(entries), entries=entries)


def _line_entries(path: Path, place: Placement) -> Iterator[ForeignEntry]:
    for number, line in foreign_files.raw_lines(path):
        value, problem = foreign_files.parsed(line)
        yield _entry(f"line {number}", value, [], place, problem)


def _entries(
    records: list[Any], history: dict[str, list[Any]], place: Placement
) -> Iterator[ForeignEntry]:
    for number, record in enumerate(records, 1):
        changes = history.pop(str(foreign_fields.as_object(record).get("id")), [])
        yield _entry(f"record {number}", record, changes, place, None)
    for memory_id in history:
        yield ForeignEntry(
            f"history of {memory_id}", "its memory is not in the file: it was deleted"
        )


def _entry(
    where: str, record: Any, changes: list[Any], place: Placement, problem: str | None
) -> ForeignEntry:
    if problem is None and not _is_record(record):
        problem = "it is no object with a text under memory"
    if problem is not None:
        return ForeignEntry(where, problem)
    try:
        return ForeignEntry(where, place.arrival(_told(record, changes), otherwise=DEFAULT_USER))
    except foreign_fields.UnusableError as error:
        return ForeignEntry(where, str(error))


def _told(record: Mapping[str, Any], changes: list[Any]) -> Told:
    metadata = record.get("metadata")
    about = foreign_fields.parsed_object(metadata)
    if about is None:
        about = {"metadata": metadata} if foreign_fields.given(metadata) else {}
    if foreign_fields.given(record.get("categories")):
        about.setdefault("categories", record["categories"])
    kept = {
        name: value
        for name, value in record.items()
        if name not in (*_READ, *_LEFT_OUT) and foreign_fields.given(value)
    }
    return Told(
        content=record["memory"],
        about=about,
        origin={"format": "mem0"} | kept,
        user=foreign_fields.label("user_id", record.get("user_id")),
        created_at=foreign_fields.moment("created_at", record.get("created_at")),
        updated_at=foreign_fields.moment("updated_at", record.get("updated_at")),
        earlier=_earlier([*changes, *foreign_fields.as_list(record.get("history"))]),
    )


def _earlier(changes: list[Any]) -> tuple[Earlier, ...]:
    """Return the texts that were replaced, oldest first."""
    versions: list[Earlier] = []
    for change in changes:
        told = foreign_fields.as_object(change)
        before = told.get("old_memory")
        # mem0 repeats the memory's own time of creation with each change.
        until = foreign_fields.moment("history", told.get("updated_at") or told.get("created_at"))
        changed = str(told.get("event")).upper() == "UPDATE"
        if changed and until is not None and isinstance(before, str) and before.strip():
            versions.append(Earlier(before, until))
    return tuple(sorted(versions, key=lambda version: version.until))


def _relations(relations: list[Any], place: Placement) -> Iterator[ForeignEntry]:
    """Return what mem0's graph says, each relation as a sentence."""
    for number, value in enumerate(relations, 1):
        told = foreign_fields.as_object(value)
        parts = [told.get("source"), told.get("relationship") or told.get("relation")]
        parts.append(told.get("target") or told.get("destination"))
        if not all(isinstance(part, str) and part.strip() for part in parts):
            yield ForeignEntry(f"relation {number}", "it lacks source, relationship or target")
            continue
        source, relation, target = cast("list[str]", parts)
        about = {"entity": source, "relation": relation, "related_to": target}
        text = " ".join(part.replace("_", " ") for part in (source, relation, target))
        sentence = Told(content=text, about=about, origin={"format": "mem0"})
        yield ForeignEntry(f"relation {number}", place.arrival(sentence, otherwise=DEFAULT_USER))


def _by_memory(history: Any) -> dict[str, list[Any]]:
    histories: dict[str, list[Any]] = defaultdict(list)
    for change in foreign_fields.as_list(history):
        histories[str(foreign_fields.as_object(change).get("memory_id"))].append(change)
    return histories


def _records_of(document: Any) -> list[Any] | None:
    if isinstance(document, list):
        return foreign_fields.as_list(cast("object", document))
    held = foreign_fields.as_object(document)
    return next((held[name] for name in _LISTS if isinstance(held.get(name), list)), None)


def _is_record(value: Any) -> bool:
    return isinstance(foreign_fields.as_object(value).get("memory"), str)
