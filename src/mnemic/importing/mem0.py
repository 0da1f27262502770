"""mem0: what `get_all()` returns or the platform exports, as a document, a list or lines."""

from collections import defaultdict
from collections.abc import Generator, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final, cast

from mnemic.engine.arriving import Earlier
from mnemic.importing import fields, files
from mnemic.importing.files import Looks
from mnemic.importing.placing import Placement, Told
from mnemic.importing.sources import Entry, Source
from mnemic.records import DEFAULT_USER

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
        return any(isinstance(one.get("memory"), str) for one in looks.objects())
    records = _records_of(looks.document)
    return records is not None and all(_is_record(one) for one in records[:1])


def is_surely(looks: Looks) -> bool:
    """Tell whether the records also have ids, as mem0's do, which plain ones seldom have."""
    if looks.kind == "lines":
        return any("memory" in one and "id" in one for one in looks.objects())
    return recognises(looks)


@contextmanager
def opened(path: Path, place: Placement) -> Generator[Source]:
    """Open an export."""
    looks = files.looks(path)
    if looks.kind == "lines":
        total = sum(1 for _ in files.raw_lines(path))
        yield Source(total=total, entries=_line_entries(path, place))
        return
    held = fields.as_object(looks.document)
    records = _records_of(looks.document) or []
    entries = [
        *_entries(records, _by_memory(held.get("history")), place),
        *_relations(fields.as_list(held.get("relations")), place),
    ]
    yield Source(total=len(entries), entries=entries)


def _line_entries(path: Path, place: Placement) -> Iterator[Entry]:
    for number, line in files.raw_lines(path):
        value, problem = files.parsed(line)
        yield _entry(f"line {number}", value, [], place, problem)


def _entries(
    records: list[Any], history: dict[str, list[Any]], place: Placement
) -> Iterator[Entry]:
    for number, record in enumerate(records, 1):
        changes = history.pop(str(fields.as_object(record).get("id")), [])
        yield _entry(f"record {number}", record, changes, place, None)
    for memory_id in history:
        yield Entry(f"history of {memory_id}", "its memory is not in the file: it was deleted")


def _entry(
    where: str, record: Any, changes: list[Any], place: Placement, problem: str | None
) -> Entry:
    if problem is None and not _is_record(record):
        problem = "it is no object with a text under memory"
    if problem is not None:
        return Entry(where, problem)
    try:
        return Entry(where, place.arrival(_told(record, changes), otherwise=DEFAULT_USER))
    except fields.UnusableError as error:
        return Entry(where, str(error))


def _told(record: Mapping[str, Any], changes: list[Any]) -> Told:
    metadata = record.get("metadata")
    about = fields.parsed_object(metadata)
    if about is None:
        about = {"metadata": metadata} if fields.given(metadata) else {}
    if fields.given(record.get("categories")):
        about.setdefault("categories", record["categories"])
    kept = {
        name: value
        for name, value in record.items()
        if name not in (*_READ, *_LEFT_OUT) and fields.given(value)
    }
    return Told(
        content=record["memory"],
        about=about,
        origin={"format": "mem0"} | kept,
        user=fields.label("user_id", record.get("user_id")),
        created_at=fields.moment("created_at", record.get("created_at")),
        updated_at=fields.moment("updated_at", record.get("updated_at")),
        earlier=_earlier([*changes, *fields.as_list(record.get("history"))]),
    )


def _earlier(changes: list[Any]) -> tuple[Earlier, ...]:
    """Return the texts that were replaced, oldest first."""
    found: list[Earlier] = []
    for change in changes:
        told = fields.as_object(change)
        before = told.get("old_memory")
        # mem0 repeats the memory's own time of creation with each change.
        until = fields.moment("history", told.get("updated_at") or told.get("created_at"))
        changed = str(told.get("event")).upper() == "UPDATE"
        if changed and until is not None and isinstance(before, str) and before.strip():
            found.append(Earlier(before, until))
    return tuple(sorted(found, key=lambda one: one.until))


def _relations(relations: list[Any], place: Placement) -> Iterator[Entry]:
    """Return what mem0's graph says, each relation as a sentence."""
    for number, value in enumerate(relations, 1):
        told = fields.as_object(value)
        parts = [told.get("source"), told.get("relationship") or told.get("relation")]
        parts.append(told.get("target") or told.get("destination"))
        if not all(isinstance(part, str) and part.strip() for part in parts):
            yield Entry(f"relation {number}", "it lacks source, relationship or target")
            continue
        source, relation, target = cast("list[str]", parts)
        about = {"entity": source, "relation": relation, "related_to": target}
        text = " ".join(part.replace("_", " ") for part in (source, relation, target))
        sentence = Told(content=text, about=about, origin={"format": "mem0"})
        yield Entry(f"relation {number}", place.arrival(sentence, otherwise=DEFAULT_USER))


def _by_memory(history: Any) -> dict[str, list[Any]]:
    found: dict[str, list[Any]] = defaultdict(list)
    for change in fields.as_list(history):
        found[str(fields.as_object(change).get("memory_id"))].append(change)
    return found


def _records_of(document: Any) -> list[Any] | None:
    if isinstance(document, list):
        return fields.as_list(cast("object", document))
    held = fields.as_object(document)
    return next((held[name] for name in _LISTS if isinstance(held.get(name), list)), None)


def _is_record(value: Any) -> bool:
    return isinstance(fields.as_object(value).get("memory"), str)
