"""Receipts of erasures as a file, and what they do to a backup or an export."""

from collections.abc import Iterable, Sequence
from contextlib import closing
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

from mnemic.errors import InvalidInputError
from mnemic.opening import open_with
from mnemic.records.erasure import AppliedReceipts, Erasure
from mnemic.rpc.reading import reader
from mnemic.rpc.wire import decoded, encoded
from mnemic.settings import Settings
from mnemic.storage.sqlite import backups
from mnemic.transfer.exchange import export_store, import_file, open_side
from mnemic.transfer.file_format import checked_header, header_of
from mnemic.transfer.whole_files import written_whole

_ALLOWED: Final = "what `mnemic erase --receipts` wrote"


def receipt_lines(receipts: Iterable[Erasure]) -> list[str]:
    """Return receipts as they stand in a file: one JSON object in each line."""
    return [encoded(receipt).decode() for receipt in receipts]


def read_receipts(path: Path) -> list[Erasure]:
    """Return the receipts of a file; InvalidInputError names the line that is none."""
    read = reader(Erasure, strict=True)
    receipts: list[Erasure] = []
    try:
        lines = path.read_bytes().splitlines()
    except OSError as error:
        problem = f"{path} cannot be read ({error.strerror})"
        raise InvalidInputError("receipts", problem, _ALLOWED) from error
    for number, line in enumerate(lines, start=1):
        try:
            receipts.append(read(decoded(line), f"line {number}"))
        except (ValueError, RecursionError) as error:
            raise InvalidInputError(f"line {number}", "it is no receipt", _ALLOWED) from error
    return receipts


def apply_to_copy(
    settings: Settings,
    copied: Path,
    receipts: Sequence[Erasure],
    *,
    now: datetime,
    dry_run: bool = False,
) -> AppliedReceipts:
    """Erase in a backup or an export what receipts tell of. The file is replaced as a whole, or
    stays as it is; a dry run changes nothing.
    """
    header = header_of(copied) if copied.is_file() else None
    if header is None and not (copied.is_file() and backups.is_sqlite(copied)):
        allowed = "what `mnemic backup` or `mnemic export` wrote"
        raise InvalidInputError("in", f"{copied} is neither a backup nor an export", allowed)
    with TemporaryDirectory(prefix=".mnemic-", dir=copied.parent) as folder:
        own = replace(settings, database=str(Path(folder) / "memory.db"), embedder="none")
        key = own.read_encryption_key()
        if header is None:
            backups.back_up(copied, Path(own.database), key=key, force=False)
        else:
            checked_header(copied)
            own = replace(own, account=header["accounts"][0])
            import_file(own, copied)
        with closing(open_side(own, writing=False)) as side:
            # One that is there: none is to be made by opening it.
            own = replace(own, account=side.owners()[0].name)
        with open_with(own) as memory:
            applied = memory.apply_receipts(receipts, dry_run=dry_run)
        if applied.erased and not dry_run:
            _put_back(own, copied, header, applied, now=now)
    return applied


def _put_back(
    own: Settings,
    copied: Path,
    header: dict[str, Any] | None,
    applied: AppliedReceipts,
    *,
    now: datetime,
) -> None:
    if header is None:
        key = own.read_encryption_key()
        backups.back_up(Path(own.database), copied, key=key, force=True)
        return
    is_whole = bool(header.get("all_accounts"))
    if not is_whole and any(receipt.kind == "account" for receipt in applied.erased):
        problem = f"all that {copied} holds was erased"
        raise InvalidInputError("in", problem, "a file with something else; delete this one")
    with written_whole(copied, force=True) as out:
        export_store(own, out, now=now, all_accounts=is_whole, vectors=bool(header.get("vectors")))
