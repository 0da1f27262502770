"""Export a store to a file, and import a file into a store: either backend, one transaction."""

import json
from collections import defaultdict
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, field, replace
from datetime import datetime
from functools import partial
from itertools import groupby
from pathlib import Path
from typing import Any, BinaryIO

from mnemic.errors import ConflictError, InvalidInputError, StorageError
from mnemic.opening import driven, open_with, refuse_encryption
from mnemic.records.audit_entry import Act
from mnemic.settings import Settings
from mnemic.storage.timestamps import to_micros
from mnemic.transfer.cells import read_time
from mnemic.transfer.covering import MASKED
from mnemic.transfer.export_lines import Export, Progress
from mnemic.transfer.file_format import ExportLine, check, checked_header, damaged, lines_from
from mnemic.transfer.import_lines import AccountImport
from mnemic.transfer.kinds import KINDS, TURN
from mnemic.transfer.moving.side import Owner, ScopeRow, Side
from mnemic.transfer.moving.sqlite_side import SqliteSide
from mnemic.transfer.numbering import Span, batched, choose, is_memory
from mnemic.transfer.outcomes import Exported, Imported, Taken

_KINDS = {kind.name: kind for kind in KINDS}
# What comes of a value that is of another kind than it should be, whoever wrote the file.
_UNREADABLE = (AttributeError, KeyError, TypeError, OverflowError, UnicodeEncodeError)
_LARGEST = 2**63 - 1
# Where the number of a line stands, for what has numbers.
_NUMBERED = {"memory": "id", "event": "id", "edge": "id", "job": "number"}


@dataclass(slots=True)
class _Section:
    """One account of a file, as the first look finds it."""

    name: str
    created_at: int
    first: ExportLine
    spans: defaultdict[str, Span] = field(default_factory=lambda: defaultdict(Span))


def silent(_doing: str, _what: str, _done: int, _total: int) -> None:
    """Tell nobody how far it is."""


def export_store(
    settings: Settings,
    out: BinaryIO,
    *,
    now: datetime,
    all_accounts: bool = False,
    vectors: bool = False,
    reveal: bool = True,
    progress: Progress = silent,
) -> Exported:
    """Write the account, or all of them, to a file: everything but keys, and vectors if wanted.

    It is as the store was at one moment, whoever writes meanwhile. Without `reveal` secrets are
    masked, and no store takes in what is.
    """
    with closing(open_side(settings, writing=False)) as side:
        owners = side.owners()
        if not all_accounts:
            owners = [_named(owners, settings.account, side.where)]
        export = Export(
            side,
            owners,
            is_whole=all_accounts,
            vectors=vectors,
            reveal=reveal,
            progress=progress,
        )
        lines = export.write(out, now=now)
        names = [owner.name for owner in owners]
        return Exported(side.where, names, lines, vectors and side.keeps_vectors)


def import_file(
    settings: Settings,
    path: Path,
    *,
    account: str | None = None,
    act: Act = "import",
    now: datetime | None = None,
    progress: Progress = silent,
) -> Imported:
    """Take in a file that `export_store` wrote: all that is new in it, or nothing. With `now`, the
    audit log tells of it from then on.

    The whole file is checked before anything is written. What is new comes in first; then, in a
    transaction for each account, what was changed or forgotten where the file was written is
    changed here, unless it was changed here too. A file of one account goes to `account`,
    else to that of the settings; a file of all accounts keeps their names.
    """
    header = checked_header(path)
    sections: list[_Section] = []
    lines = check(
        path,
        look=partial(_look, sections),
        progress=partial(progress, "checking", path.name),
    )
    targets = _targets(header, sections, account, settings.account)
    with closing(open_side(settings, writing=True)) as side:
        _add_models(side, _models(header))
        works: list[_Work] = []
        done = 0
        for section, target in zip(sections, targets, strict=True):
            work = _begin(side, path, section, target)
            works.append(work)
            for batch in _batches(path, section):
                work.take(batch)
                done += len(batch)
                progress("importing", path.name, done, lines)
            work.finish()
            if now is not None:
                counts = json.dumps({"memories": work.taken.added.get("memory", 0)})
                at = to_micros(now)
                side.record(act, at=at, actor=settings.actor, target=path.name, counts=counts)
        side.commit()
    for work in works:
        work.apply_changes(settings)
        work.find_said(settings)
    progress("importing", path.name, lines, lines)
    return Imported([work.taken for work in works], bool(header.get("vectors")))


def open_side(settings: Settings, *, writing: bool) -> Side:
    """Open the store that the settings name as one end of an exchange."""
    if settings.is_postgres:
        refuse_encryption(settings)
        server = driven("mnemic.storage.postgres.server").PostgresServer(
            settings.database, pool_size=1
        )
        try:
            return driven("mnemic.transfer.moving.postgres_side").PostgresSide(
                server,
                writing=writing,
                partitions=settings.partitions,
                busy_seconds=settings.busy_seconds,
            )
        finally:
            server.close()
    if settings.path is None:
        raise StorageError("A store that is gone when it is closed cannot be exchanged.")
    return SqliteSide(
        settings.path,
        key=settings.read_encryption_key(),
        writing=writing,
        busy_seconds=settings.busy_seconds,
        durability=settings.durability,
    )


class _Work:
    """The import of one account."""

    def __init__(self, section: AccountImport, taken: Taken) -> None:
        self._section = section
        self.taken = taken

    def take(self, batch: Sequence[ExportLine]) -> None:
        """Add lines of one kind."""
        first, last = batch[0], batch[-1]
        name = first.told["kind"]
        kind = _KINDS.get(name)
        self.taken.read[name] = self.taken.read.get(name, 0) + len(batch)
        if kind is None:
            if name not in ("account", "scope"):
                raise damaged(first.number, f"{name!r} is not a kind")
            return
        try:
            added = self._section.take(kind, [line.told for line in batch])
        except InvalidInputError as error:
            where = f"{error.parameter} of {name}, from here to line {last.number}: {error.problem}"
            raise damaged(first.number, where) from error
        except _UNREADABLE as error:
            where = f"a {name} that cannot be read, from here to line {last.number} ({error})"
            raise damaged(first.number, where) from error
        except ConflictError as error:
            raise ConflictError(
                f"{error} (lines {first.number} to {last.number}). Nothing was imported, because "
                "nothing is ever overwritten. Import into another account with --account, or into "
                "another store."
            ) from error
        self.taken.added[name] = self.taken.added.get(name, 0) + added

    def finish(self) -> None:
        """Write what follows from everything together."""
        self._section.finish()
        self.taken.vectors = self._section.vectors

    def apply_changes(self, settings: Settings) -> None:
        """Make the changes that were made where the file was written."""
        diverging, changes = self._section.diverging, self.taken.changes
        divergences = diverging.divergences
        changes.not_applied = {
            kind: count for kind, count in diverging.not_applied.items() if count
        }
        if divergences:
            own = replace(settings, account=self.taken.account)
            with open_with(own) as memory:
                done = memory.apply_changes(divergences)
            changes.updated, changes.forgotten = done["updated"], done["forgotten"]
            changes.restored, changes.newer = done["restored"], done["newer"]
            changes.kept = done["kept"]
            if done["left"]:
                changes.not_applied["memory"] = done["left"]
        items = changes.not_applied.get("item", 0)
        changes.unchanged = len(diverging.known) - len(divergences) - items

    def find_said(self, settings: Settings) -> None:
        """Let what was said in the turns that came be found; a file does not hold how."""
        if not self.taken.added.get(TURN.name):
            return
        with open_with(replace(settings, account=self.taken.account)) as memory:
            account = memory.upkeep.own_account()
            if account is not None:
                for _ in memory.upkeep.split_turns(account):
                    pass


def _begin(side: Side, path: Path, section: _Section, target: str) -> _Work:
    """Enter the account, make its scopes, and decide which numbers memories get."""
    owners = {owner.name: owner.id for owner in side.owners()}
    number = owners.get(target) or side.add_owner(target, section.created_at)
    side.enter(number)
    there = {(scope.kind, scope.name): scope.id for scope in side.scopes()}
    is_new = not there
    scopes = dict(there)
    for line in _of_section(path, section):
        if line.told["kind"] == "scope":
            scope = _scope(line)
            if (scope.kind, scope.name) not in scopes:
                scopes[scope.kind, scope.name] = side.add_scope(scope)
        elif line.told["kind"] != "account":
            break

    def memories() -> Iterator[dict[str, Any]]:
        lines = _of_section(path, section)
        return (line.told for line in lines if line.told["kind"] == "memory")

    numbering = choose(side, memories, section.spans["memory"], scopes)
    work = AccountImport(side, scopes, numbering, section.spans, is_new=is_new)
    return _Work(work, Taken(target, renumbered=not numbering.keeps))


def _look(sections: list[_Section], line: ExportLine) -> None:
    """Take in what must be known of a file before anything is written."""
    told = line.told
    if told.get(MASKED) is True:
        raise InvalidInputError(
            "file",
            f"secrets are masked in it (line {line.number})",
            "a file that was written with `mnemic export --reveal`",
        )
    if told["kind"] == "account":
        try:
            sections.append(_Section(_text(told["name"]), read_time(told["created_at"]), line))
        except (KeyError, TypeError, ValueError) as error:
            raise damaged(line.number, "an account without name or time") from error
    elif not sections:
        raise damaged(line.number, "it belongs to no account")
    if (name := _NUMBERED.get(told["kind"])) is not None:
        number = told.get(name)
        if not isinstance(number, int) or not 0 < number <= _LARGEST:
            raise damaged(line.number, f"it has no {name}")
        sections[-1].spans[told["kind"]].take_in(number)
    if told["kind"] == "memory" and not is_memory(told):
        raise damaged(line.number, "a memory without scope, type, time or content")


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise TypeError
    return value


def _targets(
    header: dict[str, Any], sections: Sequence[_Section], account: str | None, usual: str
) -> list[str]:
    """Return which account each account of a file becomes."""
    names = [section.name for section in sections]
    if account is not None and len(names) != 1:
        problem = f"the file holds {len(names)} accounts"
        raise InvalidInputError("account", problem, "it for a file with one")
    if account is not None:
        return [account]
    return names if header.get("all_accounts") else [usual]


def _named(owners: Sequence[Owner], name: str, where: str) -> Owner:
    for owner in owners:
        if owner.name == name:
            return owner
    known = ", ".join(owner.name for owner in owners) or "none"
    raise InvalidInputError("account", f"{where} holds none called {name}", f"those there: {known}")


def _of_section(path: Path, section: _Section) -> Iterator[ExportLine]:
    """Return the lines of one account."""
    for line in lines_from(path, section.first):
        if line.told["kind"] == "account" and line.number != section.first.number:
            return
        yield line


def _batches(path: Path, section: _Section) -> Iterator[list[ExportLine]]:
    for _, lines in groupby(_of_section(path, section), key=lambda line: line.told["kind"]):
        yield from batched(lines)


def _scope(line: ExportLine) -> ScopeRow:
    told = line.told
    try:
        decayed_at = told.get("decayed_at")
        return ScopeRow(
            id=0,
            kind=told["scope"]["kind"],
            name=told["scope"]["name"],
            decayed_at=None if decayed_at is None else read_time(decayed_at),
            decay_rate=float(told["decay_rate"]),
            created_at=read_time(told["created_at"]),
        )
    except (KeyError, TypeError, ValueError) as error:
        raise damaged(line.number, f"a scope that cannot be read ({error})") from error


def _models(header: dict[str, Any]) -> list[tuple[str, int]]:
    try:
        return [
            (_text(model["name"]), int(model["dimensions"])) for model in header.get("models", [])
        ]
    except (KeyError, TypeError, ValueError) as error:
        raise damaged(1, f"models that cannot be read ({error})") from error


def _add_models(side: Side, models: Sequence[tuple[str, int]]) -> None:
    known = side.models()
    for name, dimensions in models:
        if name not in known:
            side.add_model(name, dimensions)
        elif known[name][1] != dimensions:
            raise ConflictError(
                f"{side.where} knows the model {name} with {known[name][1]} dimensions, and the "
                f"file with {dimensions}. Vectors of the two cannot be mixed: export without them."
            )
