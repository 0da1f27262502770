"""robotmem: its SQLite file, which is only read."""

from collections import defaultdict
from collections.abc import Generator, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final
from urllib.parse import quote

import apsw

from mnemic.errors import InvalidInputError, StorageError
from mnemic.language.lexicon.categories import CATEGORIES, DEFAULT
from mnemic.memory.adopt import Arrival, Retired
from mnemic.memory.texts.context_words import ORIGIN
from mnemic.memory.texts.derivation import check_context
from mnemic.records.memory import Draft, Episode
from mnemic.storage.sqlite.connection import Connection
from mnemic.storage.sqlite.driver import READ_ONLY, open_file
from mnemic.storage.statements import load_statements
from mnemic.transfer.foreign import foreign_fields
from mnemic.transfer.foreign.foreign_files import LONGEST_LINE, begins_with, readable
from mnemic.transfer.foreign.foreign_payloads import payload_of
from mnemic.transfer.foreign.placing import Placement
from mnemic.transfer.foreign.sources import ForeignEntry, ForeignSource, NamedLink

_MAGIC: Final = b"SQLite format 3\x00"
_WANTED: Final = {
    "memories": {
        *("id", "session_id", "collection", "type", "content", "context", "category"),
        *("perception_type", "perception_data", "perception_metadata", "confidence", "status"),
        *("superseded_by", "invalidated_reason", "invalidated_at", "created_at", "updated_at"),
    },
    "sessions": {
        *("id", "external_id", "collection", "context", "status", "created_at", "updated_at"),
    },
}
# What else it keeps of a memory, each with the word that says nothing.
_BESIDES: Final = {
    "source": "tool",
    "scope": "project",
    "concept": "",
    "scope_entities": "[]",
}
_LEARNED: Final = "learn_tool"
Row = dict[str, Any]


def is_sqlite(path: Path) -> bool:
    """Tell whether a file is a SQLite database at all."""
    return begins_with(path, _MAGIC)


def recognises(path: Path) -> bool:
    """Tell whether a file is a SQLite database with robotmem's tables."""
    if not is_sqlite(path):
        return False
    with _connected(path) as connection:
        try:
            tables = _tables(connection)
        except (apsw.NotADBError, apsw.CorruptError):
            # It begins like one, but it is none.
            return False
    return all(columns <= tables.get(name, set()) for name, columns in _WANTED.items())


@contextmanager
def opened(path: Path, place: Placement) -> Generator[ForeignSource]:
    """Open a robotmem database, which may be in use, and read it as it stood at this moment."""
    if place.user is not None:
        raise InvalidInputError("user", "robotmem keeps collections", "a collection, or nothing")
    with _reading(path) as robotmem:
        runs, refused = _runs(robotmem, place)
        total = next(robotmem.rows("robotmem_count"))["memories"] + len(refused)
        links = tuple(
            NamedLink(row["superseded_by"], row["id"], "supersedes")
            for row in robotmem.rows("robotmem_superseded")
        )
        entries = _entries(robotmem, place, runs, refused)
        yield ForeignSource(total=total, entries=entries, runs=tuple(runs.values()), links=links)


class _Robotmem:
    """A connection that reads one moment of a robotmem database."""

    def __init__(self, connection: Connection, path: Path) -> None:
        self._connection = connection
        self._path = path
        self.tables = _tables(connection)

    def rows(self, name: str) -> Iterator[Row]:
        """Return the rows of a named statement, one by one."""
        try:
            yield from _rows(self._connection, name)
        except apsw.Error as error:
            raise StorageError(f"{self._path} cannot be read: {error}") from error


@contextmanager
def _reading(path: Path) -> Generator[_Robotmem]:
    with _connected(path) as connection:
        connection.execute("begin")
        yield _Robotmem(connection, path)


@contextmanager
def _connected(path: Path) -> Generator[Connection]:
    # Beside a file in use lies what was not written into it yet. Without that, the file is all
    # there is: then SQLite need not put anything beside it either.
    beside = [Path(f"{path}{ending}") for ending in ("-wal", "-journal")]
    with readable(path):
        in_use = any(file.exists() and file.stat().st_size > 0 for file in beside)
    address = f"file:{quote(str(path.absolute()))}?mode=ro{'' if in_use else '&immutable=1'}"
    try:
        connection = open_file(address, key=None, flags=READ_ONLY | apsw.SQLITE_OPEN_URI)
        # A column may be computed, and a few bytes of it stand for gigabytes.
        connection.limit(apsw.SQLITE_LIMIT_LENGTH, LONGEST_LINE)
    except apsw.Error as error:
        raise StorageError(f"{path} cannot be opened: {error}") from error
    try:
        yield connection
    finally:
        connection.close()


def _tables(connection: Connection) -> dict[str, set[str]]:
    tables: dict[str, set[str]] = defaultdict(set)
    for row in _rows(connection, "robotmem_columns"):
        tables[row["table_name"]].add(row["column_name"])
    return tables


def _rows(connection: Connection, name: str) -> Iterator[Row]:
    cursor = connection.execute(load_statements("mnemic.transfer.foreign")[name])
    for row in cursor:
        names = [column[0] for column in cursor.get_description()]
        yield dict(zip(names, row, strict=True))


def _runs(robotmem: _Robotmem, place: Placement) -> tuple[dict[str, Episode], list[ForeignEntry]]:
    """Return the runs by their ids, and those that cannot be taken in."""
    scores: dict[str, float] = {}
    if "session_outcomes" in robotmem.tables:
        scores = {row["session_id"]: row["score"] for row in robotmem.rows("robotmem_outcomes")}
    runs: dict[str, Episode] = {}
    refused: list[ForeignEntry] = []
    for row in robotmem.rows("robotmem_sessions"):
        try:
            run = _run(row, scores.get(row["external_id"]), place)
        except (foreign_fields.UnusableError, InvalidInputError) as error:
            refused.append(ForeignEntry(f"session {row['id']}", str(error)))
        else:
            runs[run.id] = run
    return runs, refused


def _run(row: Row, score: float | None, place: Placement) -> Episode:
    name = foreign_fields.label("external_id", row["external_id"])
    started = foreign_fields.moment("created_at", row["created_at"])
    if name is None or started is None:
        raise foreign_fields.UnusableError(
            "it has no external_id, or no time; no memory can name it"
        )
    context = _context(row["context"])
    ended = row["status"] != "active"
    if score is not None and not (ended and 0 <= score <= 1):
        context["outcome_score"], score = score, None
    check_context(context)
    return Episode(
        id=name,
        scope=place.scope(collection=foreign_fields.label("collection", row["collection"])),
        status="ended" if ended else "active",
        context=context,
        started_at=started,
        ended_at=(foreign_fields.moment("updated_at", row["updated_at"]) or started)
        if ended
        else None,
        outcome_score=score,
    )


def _entries(
    robotmem: _Robotmem, place: Placement, runs: Mapping[str, Episode], refused: list[ForeignEntry]
) -> Iterator[ForeignEntry]:
    yield from refused
    tags: dict[int, list[str]] = defaultdict(list)
    if "memory_tags" in robotmem.tables:
        for row in robotmem.rows("robotmem_tags"):
            tags[row["memory_id"]].append(row["tag"])
    for row in robotmem.rows("robotmem_memories"):
        where = f"memory {row['id']}"
        try:
            yield ForeignEntry(
                where, _arrival(row, tags.get(row["id"], []), place, runs), row["id"]
            )
        except foreign_fields.UnusableError as error:
            yield ForeignEntry(where, str(error))


def _arrival(row: Row, tags: list[str], place: Placement, runs: Mapping[str, Episode]) -> Arrival:
    if not isinstance(row["content"], str):
        raise foreign_fields.UnusableError("content: it is no text")
    scope = place.scope(collection=foreign_fields.label("collection", row["collection"]))
    run = runs.get(row["session_id"] or "")
    in_run = run is not None and run.scope == scope
    payload, encoded = payload_of(row["perception_data"], row["perception_metadata"])
    context = _context(row["context"])
    # Robotmem notes in each context which of its tools wrote it; that is no part of the lesson.
    if context.get("source") == _LEARNED:
        del context["source"]
    if others := [tag for tag in tags if tag != row["category"]]:
        context.setdefault("tags", others)
    draft = Draft(
        content=row["content"],
        scope=scope,
        kind="perception" if row["type"] == "perception" else "fact",
        context=context | {ORIGIN: _origin(row, scope.name, in_run=in_run) | encoded},
        category=row["category"] if row["category"] in CATEGORIES else None,
        confidence=foreign_fields.fraction("confidence", row["confidence"]),
        episode_id=row["session_id"] if in_run else None,
        perception_type=foreign_fields.label("perception_type", row["perception_type"]),
        payload=payload,
        created_at=foreign_fields.moment("created_at", row["created_at"]),
        updated_at=foreign_fields.moment("updated_at", row["updated_at"]),
    )
    return Arrival(draft, retired=_retired(row))


def _origin(row: Row, collection: str, *, in_run: bool) -> dict[str, Any]:
    """Return what only robotmem has a place for."""
    origin: dict[str, Any] = {"format": "robotmem", "id": row["id"]}
    if row["collection"] != collection:
        origin["collection"] = row["collection"]
    for name, default in _BESIDES.items():
        if foreign_fields.given(row.get(name)) and row[name] != default:
            origin[name] = row[name]
    if row["session_id"] and not in_run:
        origin["session_id"] = row["session_id"]
    # Its word for no category is also ours: then one is looked for anew.
    if row["category"] not in (None, "", DEFAULT, *CATEGORIES):
        origin["category"] = row["category"]
    return origin


def _retired(row: Row) -> Retired | None:
    status = row["status"]
    if status == "active":
        return None
    if status not in ("invalidated", "superseded"):
        raise foreign_fields.UnusableError(f"status: {status!r} is not known here")
    reason = row["invalidated_reason"]
    if not reason and status == "superseded" and row["superseded_by"] is not None:
        reason = f"merged into memory {row['superseded_by']} of robotmem"
    at = foreign_fields.moment("invalidated_at", row["invalidated_at"] or row["updated_at"])
    return Retired(status, reason or f"{status} in robotmem", at)


def _context(text: object) -> dict[str, Any]:
    inside = foreign_fields.parsed_object(text)
    if inside is not None:
        return inside
    return {"user_context": text} if foreign_fields.given(text) else {}
