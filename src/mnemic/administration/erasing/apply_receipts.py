"""Receipts on another copy of a store: what they recognise there is erased there, too."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Final

from mnemic.administration.erasing.erase import erase_many
from mnemic.administration.erasing.erasure_targets import ErasureTarget
from mnemic.administration.erasing.marks import conversation_mark, item_mark, mark_of, memory_mark
from mnemic.memory.workspace import Workspace
from mnemic.records.erasure import AppliedReceipts, ErasedKind, Erasure
from mnemic.storage.chat_rows import item_rows
from mnemic.storage.rows import erasure_rows, memory_rows, scope_rows


def every_receipt(workspace: Workspace) -> list[Erasure]:
    """Return the receipts of all accounts of the store, also of those that were erased."""
    return [
        begun.erasure
        for account in _accounts(workspace)
        for begun in erasure_rows.listed(account.db)
        if begun.subject is None
    ]


def apply_receipts(
    workspace: Workspace, receipts: Sequence[Erasure], *, dry_run: bool = False
) -> AppliedReceipts:
    """Erase in every account of the store what receipts of another copy tell of.

    Only what came into being at the moment that a receipt names is meant: somebody who came back
    later under the same name is somebody else.
    """
    erased: list[Erasure] = []
    undecided: set[str] = set()
    for account in _accounts(workspace):
        mark = mark_of("account", account.settings.account)
        own = _Own(account, [receipt for receipt in receipts if receipt.account == mark])
        # From the widest: what goes with a user need not be looked for on its own.
        for targets in own.finders:
            erased += erase_many(account, targets(), dry_run=dry_run)
        undecided |= own.undecided
    return AppliedReceipts(tuple(erased), tuple(sorted(undecided)))


def _accounts(workspace: Workspace) -> Iterator[Workspace]:
    everywhere = workspace.db.as_account(None)
    for number in scope_rows.accounts(everywhere):
        db = everywhere.as_account(number)
        name = erasure_rows.account_name(db)
        yield replace(workspace, db=db, settings=replace(workspace.settings, account=name))


class _Own:
    """The receipts of one account, and what they tell of."""

    def __init__(self, workspace: Workspace, receipts: Sequence[Erasure]) -> None:
        self._workspace = workspace
        self._receipts = receipts
        self.undecided: set[str] = set()
        self.finders: Final[tuple[Callable[[], Iterator[ErasureTarget]], ...]] = (
            *(self._account, self._scopes, self._conversations, self._items, self._memories),
        )

    def _marks(self, *kinds: ErasedKind) -> dict[str, Erasure]:
        return {receipt.mark: receipt for receipt in self._receipts if receipt.kind in kinds}

    def _account(self) -> Iterator[ErasureTarget]:
        name = self._workspace.settings.account
        receipt = self._marks("account").get(mark_of("account", name))
        if receipt is not None and receipt.made_at == scope_rows.made_at(self._workspace.db, None):
            yield ErasureTarget("account", name)

    def _scopes(self) -> Iterator[ErasureTarget]:
        kinds: dict[str, ErasedKind] = {
            "user": "user",
            "collection": "collection",
            "chat": "session",
        }
        marks = self._marks("user", "collection", "session")
        if not marks:
            return
        for scope, made_at in erasure_rows.scopes_of_account(self._workspace.db).items():
            kind = kinds.get(scope.kind)
            receipt = None if kind is None else marks.get(mark_of(kind, scope.name))
            if kind is not None and receipt is not None and receipt.made_at == made_at:
                yield ErasureTarget(kind, scope.name)

    def _conversations(self) -> Iterator[ErasureTarget]:
        marks = self._marks("conversation")
        if not marks:
            return
        for scope, name, made_at in erasure_rows.conversations_of_account(self._workspace.db):
            receipt = marks.get(conversation_mark(scope, name))
            if receipt is not None and receipt.made_at == made_at:
                yield ErasureTarget("conversation", name, scope.name)

    def _items(self) -> Iterator[ErasureTarget]:
        marks = self._marks("memory")
        if not marks:
            return
        db = self._workspace.db
        for uid in [uid for uid in erasure_rows.items_of_account(db) if item_mark(uid) in marks]:
            # It may have been erased with another.
            if uid in item_rows.get(db, [uid]):
                yield ErasureTarget("memory", uid)

    def _memories(self) -> Iterator[ErasureTarget]:
        """Return memories by their marks. Where several were learned in the same moment the number
        tells which is meant; where they have other numbers here, nobody can tell.
        """
        marks = {receipt.mark for receipt in self._receipts if receipt.kind == "memory"}
        if not marks:
            return
        db = self._workspace.db
        there: dict[str, list[int]] = {}
        for traits in erasure_rows.looks(db):
            mark = memory_mark(traits.scope, traits.kind, traits.created_at)
            if mark in marks:
                there.setdefault(mark, []).append(traits.id)
        for receipt in self._receipts:
            numbers = there.get(receipt.mark, [])
            if receipt.number in numbers:
                meant = receipt.number
            elif len(numbers) == 1:
                meant = numbers[0]
            else:
                if len(numbers) > 1:
                    self.undecided.add(receipt.id)
                continue
            if memory_rows.get(db, meant) is not None:
                yield ErasureTarget("memory", str(meant))
