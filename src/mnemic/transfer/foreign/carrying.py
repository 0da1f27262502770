"""Carrying over: what a reader finds in a file goes into a memory, batch by batch."""

from collections.abc import Callable, Generator, Hashable, Iterable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import Final

from mnemic.errors import BusyError, InvalidInputError, StorageError
from mnemic.memory.adopt import Arrival, Importer, Relating
from mnemic.opening import OpenMemory
from mnemic.records.memory import Scope
from mnemic.transfer.foreign import delimited, json_lines, mcp_memory, mem0, robotmem
from mnemic.transfer.foreign.detecting import FORMATS, detect, is_a, unknown
from mnemic.transfer.foreign.import_reports import ImportReport, Skipped
from mnemic.transfer.foreign.placing import Placement
from mnemic.transfer.foreign.sources import ForeignEntry, ForeignSource, NamedLink

# So much goes into one transaction: a batch ends with whichever of the two is reached first.
_ENTRIES: Final = 500
_CHARACTERS: Final = 4_000_000

_OPENED: Final[Mapping[str, Callable[[Path, Placement], AbstractContextManager[ForeignSource]]]] = {
    "robotmem": robotmem.opened,
    "mem0": mem0.opened,
    "mcp-memory": mcp_memory.opened,
    "jsonl": json_lines.opened,
    "csv": delimited.opened,
}


def _no_progress(done: int, total: int) -> None:
    """Tell nobody."""


def import_foreign(
    memory: OpenMemory,
    path: Path | str,
    format: str | None = None,
    *,
    collection: str | None = None,
    user: str | None = None,
    progress: Callable[[int, int], None] = _no_progress,
) -> ImportReport:
    """Take in a file of another program; return what became of everything in it.

    `format` is one of `FORMATS`; without it, the file is looked into. `collection` takes
    everything; `user` takes what names nobody. Each batch is one transaction, so a second import
    goes on where a first one was broken off, and adds nothing twice. A file that is not what it
    should be is refused before anything is written; what is wrong with single records is in the
    report. `progress` is told how many records are done, of how many.
    """
    path = Path(path)
    format = format or detect(path)
    if format is None:
        raise unknown(path)
    place = Placement(collection=collection, user=user)
    _check_format(path, format)
    with _OPENED[format](path, place) as source:
        return _Carrier(memory.arrivals(), source, progress).carry(format)


def _check_format(path: Path, format: str) -> None:
    if format not in FORMATS:
        raise InvalidInputError("format", f"{format[:40]!r} is none", ", ".join(FORMATS))
    if not is_a(path, format):
        detected = detect(path)
        if detected is None:
            raise unknown(path)
        allowed = f"{detected}, by what is in the file"
        raise InvalidInputError("format", f"{path.name} is not {format}", allowed)


class _Carrier:
    """One import on its way."""

    def __init__(
        self, arrivals: Importer, source: ForeignSource, progress: Callable[[int, int], None]
    ) -> None:
        self._arrivals = arrivals
        self._source = source
        self._progress = progress
        self._linked = {name for link in source.links for name in (link.from_name, link.to_name)}
        self._numbers: dict[Hashable, int] = {}
        self._skipped: list[Skipped] = []
        self._added = 0
        self._known = 0

    def carry(self, format: str) -> ImportReport:
        runs = self._arrivals.begin(self._source.runs)
        ids = {run: here for run, (here, _) in runs.items()}
        done = 0
        for batch in _batches(self._source.entries):
            with _telling(done, self._source.total):
                self._keep([_in_its_run(entry, ids) for entry in batch])
            done += len(batch)
            self._progress(done, self._source.total)
        edges = self._link()
        self._arrivals.finish()
        return ImportReport(
            format=format,
            read=done,
            added=self._added,
            known=self._known,
            skipped=tuple(self._skipped),
            edges=edges,
            episodes=sum(is_new for _, is_new in runs.values()),
        )

    def _keep(self, batch: list[ForeignEntry]) -> None:
        brought = [(record, record.found) for record in batch if isinstance(record.found, Arrival)]
        outcomes = iter(self._arrivals.keep([arrival for _, arrival in brought]))
        for entry in batch:
            outcome = entry.found if isinstance(entry.found, str) else next(outcomes)
            if isinstance(outcome, str | InvalidInputError):
                self._skipped.append(Skipped(entry.where, str(outcome)))
                continue
            self._added += outcome.duplicate is None
            self._known += outcome.duplicate is not None
            if entry.name in self._linked:
                self._numbers[entry.name] = outcome.memory.id

    def _link(self) -> int:
        links = iter([relation for link in self._source.links for relation in self._relating(link)])
        new = 0
        while batch := list(islice(links, _ENTRIES)):
            new += self._arrivals.relate(batch)
        return new

    def _relating(self, link: NamedLink) -> Iterator[Relating]:
        """Return a relation between memories, or nothing where one of them was not taken in."""
        numbers = self._numbers
        if link.from_name in numbers and link.to_name in numbers:
            yield Relating(numbers[link.from_name], numbers[link.to_name], link.relation)


@contextmanager
def _telling(done: int, total: int) -> Generator[None]:
    """Say of what goes wrong with the store that the batches before are in it."""
    try:
        yield
    except (BusyError, StorageError) as error:
        if not done:
            raise
        raise type(error)(
            f"{done:,} of {total:,} records are read and kept. Those after them are not: {error} "
            "Import the file again to go on; nothing is added twice."
        ) from error


def _in_its_run(entry: ForeignEntry, ids: Mapping[tuple[Scope, str], str]) -> ForeignEntry:
    """Return an entry whose run is called as it is called here."""
    if isinstance(entry.found, str) or entry.found.draft.episode_id is None:
        return entry
    draft = entry.found.draft
    run = ids[draft.scope, entry.found.draft.episode_id]
    return replace(entry, found=replace(entry.found, draft=replace(draft, episode_id=run)))


def _batches(entries: Iterable[ForeignEntry]) -> Iterator[list[ForeignEntry]]:
    batch: list[ForeignEntry] = []
    size = 0
    for entry in entries:
        batch.append(entry)
        size += _size(entry)
        if len(batch) == _ENTRIES or size >= _CHARACTERS:
            yield batch
            batch, size = [], 0
    if batch:
        yield batch


def _size(entry: ForeignEntry) -> int:
    if isinstance(entry.found, str):
        return 0
    draft = entry.found.draft
    data = "" if draft.payload is None else draft.payload.data or ""
    return len(draft.content) + len(data)
