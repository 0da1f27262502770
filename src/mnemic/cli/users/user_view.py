"""What a user's memory answers to the commands that robots have: the same shapes, other scopes."""

from typing import TYPE_CHECKING, cast

from mnemic.dialects.robot import answers, inputs, shapes
from mnemic.errors import NotFoundError
from mnemic.records.memory import Memory, Scope
from mnemic.records.query import Query

if TYPE_CHECKING:
    from mnemic.client import Client
    from mnemic.opening import OpenMemory


_Records = list[answers.Record]
_Changes = list[answers.HistoryEntry]


class UserView:
    """The memories of one user."""

    def __init__(self, memory: "OpenMemory | Client", user: str) -> None:
        # A client has the verbs of an open memory.
        self._memory = cast("OpenMemory", memory)
        self._scope = Scope("user", user)

    def get(self, memory_id: int, *, reveal: bool = False) -> answers.Record:
        """Return one memory in full."""
        return shapes.record(self._own(memory_id), reveal=reveal)

    def list(self, *, status: str, n: int, before_id: int | None, reveal: bool) -> _Records:
        """Return a page of memories, newest first."""
        found = self._memory.browse(
            self._scope,
            status=inputs.status(status),
            limit=inputs.whole_number("n", n, low=1, high=inputs.MAX_HITS),
            before_id=before_id,
        )
        return [shapes.record(memory, reveal=reveal) for memory in found]

    def search(self, text: str, *, n: int) -> answers.Recollection:
        """Return what fits a question, best first; a secret where it is asked for by name."""
        query = Query(
            text=inputs.text("query", text, at_most=inputs.QUERY_CHARACTERS),
            scopes=(self._scope,),
            limit=inputs.whole_number("n", n, low=1, high=inputs.MAX_HITS),
            matching=True,
        )
        found = self._memory.recall(query)
        return shapes.recollection(found, asked=query.text, spatial=False, relevance=False)

    def history(self, memory_id: int, *, reveal: bool = False) -> _Changes:
        """Return everything that happened to a memory, oldest first."""
        events = self._memory.history(self._own(memory_id).id)
        return [shapes.change(event, reveal=reveal) for event in events]

    def update(self, memory_id: int, content: str) -> answers.Updated:
        """Give a memory another text."""
        text = inputs.text("new_content", content)
        revised = self._memory.revise(self._own(memory_id).id, text)
        return answers.Updated(
            status="updated",
            memory_id=memory_id,
            old_content=revised.before.content,
            new_content=revised.after.content,
            auto_inferred=shapes.judged(revised.after),
        )

    def forget(self, memory_id: int, reason: str) -> answers.Forgotten:
        """Take a memory out of use."""
        memory = self._memory.forget(self._own(memory_id).id, reason=reason)
        return answers.Forgotten(
            status="forgotten",
            memory_id=memory.id,
            content=memory.content,
            reason=memory.status_reason or "",
        )

    def undo(self, memory_id: int) -> answers.Record:
        """Bring back what it was before its last change."""
        return shapes.record(self._memory.undo(self._own(memory_id).id))

    def _own(self, memory_id: int) -> Memory:
        memory = self._memory.get(inputs.memory_number(memory_id))
        if memory.scope != self._scope:
            raise NotFoundError(
                f"There is no memory {memory_id} of {self._scope.name}.", memory_id=memory_id
            )
        return memory
