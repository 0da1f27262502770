"""The branches of sessions, by the scopes that hold their memory."""

import json
from dataclasses import dataclass
from typing import Any

from mnemic.memory.workspace import Workspace
from mnemic.records.conversation import branch_scope, chat_scope
from mnemic.records.memory import Scope
from mnemic.storage.chat_rows import session_rows
from mnemic.storage.chat_rows.session_rows import Address
from mnemic.storage.rows import scope_rows


@dataclass(frozen=True, slots=True)
class Track:
    """One branch of a session."""

    session: Address
    branch_id: str

    @property
    def scope(self) -> Scope:
        """The scope of the branch's own memory."""
        return branch_scope(self.session.id, self.branch_id)

    @property
    def place(self) -> dict[str, Any]:
        """What statements about its items are given."""
        named = self.session.values
        return {
            "session_scope_id": named["scope_id"],
            "conversation_id": named["conversation_id"],
            "branch_id": self.branch_id,
        }


def branch_of_scope(workspace: Workspace, scope: Scope) -> Track | None:
    """Return the branch whose memory a scope holds, if it is one of a session."""
    if scope.kind != "branch":
        return None
    try:
        named = json.loads(scope.name)
    except ValueError:
        return None
    match named:
        case [str(session_id), str(branch_id)]:
            number = scope_rows.find(workspace.db, chat_scope(session_id))
        case _:
            return None
    if number is None or branch_scope(session_id, branch_id) != scope:
        return None
    track = Track(Address(number, session_id), branch_id)
    return track if session_rows.is_there(workspace.db, track.session, branch_id) else None
