"""Taking in the files of chat apps: each conversation becomes a session."""

from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Final

from mnemic.chat.turns import SameKeyError
from mnemic.engine.chat_verbs import ChatMemory
from mnemic.errors import ConflictError, InvalidInputError
from mnemic.records.conversation import MAIN, chat_scope
from mnemic.transfer.chats import chat_exports, lorebook, silly_tavern
from mnemic.transfer.chats.conversation_tree import BranchPlan, ForeignChat, plan
from mnemic.transfer.foreign import foreign_files
from mnemic.transfer.foreign.foreign_fields import UnusableError
from mnemic.transfer.foreign.foreign_files import Looks
from mnemic.transfer.foreign.import_reports import ImportReport, Skipped

_BY_LOOKS: Final[dict[str, Callable[[Looks], bool]]] = {
    "sillytavern": silly_tavern.recognises,
    "chatgpt": chat_exports.is_chatgpt,
    "claude": chat_exports.is_claude,
    "world-info": lorebook.recognises,
}
CHAT_FORMATS: Final = tuple(_BY_LOOKS)
"""The files of chat apps that can be read."""

_LONGEST_ID: Final = 120
_BATCH: Final = 100


def chat_format(path: Path) -> str | None:
    """Return which chat app wrote a file; None where it was another program."""
    looks = foreign_files.looks(path)
    return next((name for name, fits in _BY_LOOKS.items() if fits(looks)), None)


def import_chats(
    memory: ChatMemory, path: Path, format: str, *, session: str | None = None
) -> ImportReport:
    """Take in a file of a chat app; return what became of its turns, or of its entries.

    `session` names the session of a file that holds one chat, or the chat that a book of lore
    belongs to. A second import adds nothing twice; it goes on where the file does.
    """
    looks = foreign_files.looks(path)
    if not _BY_LOOKS[format](looks):
        raise InvalidInputError("format", f"{path.name} is not {format}", chat_format(path) or "")
    if format == "world-info":
        scope = lorebook.GLOBAL if session is None else chat_scope(session)
        return lorebook.import_book(memory, looks, scope)
    importer = _ChatImporter(memory)
    try:
        for chat in _chats(path, looks, format, session):
            importer.take(chat)
    except UnusableError as error:
        raise InvalidInputError("file", f"{path.name}: {error}", "a whole chat") from error
    return importer.report(format)


def _chats(path: Path, looks: Looks, format: str, session: str | None) -> Iterator[ForeignChat]:
    if format == "sillytavern":
        return silly_tavern.chats(path, session)
    return chat_exports.chatgpt(looks) if format == "chatgpt" else chat_exports.claude(looks)


class _ChatImporter:
    """One import on its way."""

    def __init__(self, memory: ChatMemory) -> None:
        self._memory = memory
        self._read = self._added = 0
        self._skipped: list[Skipped] = []

    def take(self, chat: ForeignChat) -> None:
        """Add a conversation, as far as it is not there."""
        branches = plan(chat)
        if not branches[0].turns:
            return
        session = chat.id.replace("/", "-").strip(" .")[:_LONGEST_ID] or "chat"
        for branch in branches:
            # What differs from its first turn on is a session of its own.
            own = session if branch.root == MAIN else f"{session}~{branch.root}"
            self._add(own, branch, MAIN if branch.name == branch.root else branch.name)

    def report(self, format: str) -> ImportReport:
        """Return what became of all turns."""
        known = self._read - self._added - len(self._skipped)
        return ImportReport(format, self._read, self._added, known, tuple(self._skipped), 0, 0)

    def _add(self, session: str, branch: BranchPlan, name: str) -> None:
        self._read += len(branch.turns)
        with suppress(ConflictError):
            if branch.parent is None:
                self._memory.create_session(session)
            else:
                parent = MAIN if branch.parent == branch.root else branch.parent
                at = branch.shared - 1
                self._memory.create_branch(session, name, from_branch=parent, at_floor_no=at)
        for first in range(0, len(branch.turns), _BATCH):
            turns = branch.turns[first : first + _BATCH]
            try:
                added = self._memory.add_turns(session, turns, branch_id=name)
            except (SameKeyError, InvalidInputError) as error:
                rest = range(first, len(branch.turns))
                where = f"chat {session}, {name}, turn"
                self._skipped += [Skipped(f"{where} {at}", str(error)) for at in rest]
                return
            self._added += sum(queued.created for _, queued in added)
