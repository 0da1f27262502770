"""`/memories`: memory items, their lists, sums and batches."""

from collections.abc import Iterable
from typing import Annotated, Final

from fastapi import Query
from starlette.convertors import StringConvertor, register_url_convertor

from mnemic.dialects.chat import answers
from mnemic.dialects.chat.bodies import MemoryIds, MemoryPatch, MemoryStatusBatch, NewMemory
from mnemic.dialects.chat.body_fields import PathId, to_moment
from mnemic.dialects.chat.described import Json, deleted
from mnemic.dialects.chat.queries import MemoryFilter, MemoryList
from mnemic.dialects.chat.routing import Endpoints, operation
from mnemic.records.item import Item

_RESERVED: Final = "item_id"


class _ItemId(StringConvertor):
    """An id in an address. The words that have an address of their own are none."""

    regex = "(?!(?:items|stats)$)[^/]+"


register_url_convertor(_RESERVED, _ItemId())
_ONE: Final = f"/memories/{{memory_id:{_RESERVED}}}"


class Memories(Endpoints):
    """The endpoints of memory items."""

    @operation("POST", "/memories", answers.MemoryAnswer, status=201, refuses=(409,), at_once=True)
    def create_memory(self, body: NewMemory) -> Json:
        """Create a memory item.

        A second one with the same `fact_key` is a second item. `status` and `lifecycle_status`
        follow from each other where only one is given; a pair that does not go together is a 409.
        """
        return answers.MemoryItem.single(self.chat.create_item(body.new_item()))

    @operation("GET", "/memories", answers.MemoriesAnswer, refuses=(400,))
    def list_memories(self, query: Annotated[MemoryList, Query()]) -> Json:
        """List memory items."""
        page = self.chat.items(query.wanted(), query.paging(), as_of=to_moment(query.as_of))
        return answers.MemoryItem.listed(page, query)

    @operation("GET", "/memories/items", answers.MemoriesAnswer, refuses=(400,))
    def list_memory_items(self, query: Annotated[MemoryList, Query()]) -> Json:
        """List memory items, under another address."""
        return self.list_memories(query)

    @operation("GET", "/memories/stats", answers.StatsAnswer, refuses=(400,))
    def get_memory_stats(self, query: Annotated[MemoryFilter, Query()]) -> Json:
        """Count memory items.

        Averages are plain means, 0 where there is nothing. The tokens of all items are added up.
        """
        return answers.Stats.single(self.chat.item_stats(query.wanted()))

    @operation("GET", _ONE, answers.MemoryAnswer, refuses=(400, 404), at_once=True)
    def get_memory(self, memory_id: PathId) -> Json:
        """Get a memory item."""
        return answers.MemoryItem.single(self.chat.item(memory_id))

    @operation("PATCH", _ONE, answers.MemoryAnswer, refuses=(404, 409))
    def update_memory(self, memory_id: PathId, body: MemoryPatch) -> Json:
        """Change a memory item.

        `lifecycle_status` follows `status`, but not the other way round.
        """
        return answers.MemoryItem.single(self.chat.change_item(memory_id, body.change()))

    @operation("DELETE", _ONE, answers.DeletedAnswer, refuses=(400, 404))
    def delete_memory(self, memory_id: PathId) -> Json:
        """Delete a memory item, with its edges."""
        self.chat.delete_item(memory_id)
        return deleted(memory_id)

    @operation("PATCH", "/memories/batch/status", answers.StatusBatchAnswer)
    def set_memories_status(self, body: MemoryStatusBatch) -> Json:
        """Give memory items a status, all in one transaction.

        What is not there is told as `not_found`, and is no error.
        """
        body.check()
        items = self.chat.set_status(body.ids, body.status)
        updated = sum(item is not None for item in items)
        return _batch(
            (
                _updated(at, name, item)
                for at, (name, item) in enumerate(zip(body.ids, items, strict=True))
            ),
            {
                "total": len(items),
                "updated": updated,
                "not_found": len(items) - updated,
                "status": body.status,
            },
        )

    @operation("POST", "/memories/batch/delete", answers.DeleteBatchAnswer)
    def delete_memories(self, body: MemoryIds) -> Json:
        """Delete memory items, all in one transaction.

        What is not there is told as `not_found`, and is no error.
        """
        body.check()
        gone = self.chat.delete_items(body.ids)
        return _batch(
            (
                {"index": at, "id": name, "action": "deleted" if done else "not_found"}
                for at, (name, done) in enumerate(zip(body.ids, gone, strict=True))
            ),
            {"total": len(gone), "deleted": sum(gone), "not_found": len(gone) - sum(gone)},
        )


def _batch(results: Iterable[Json], meta: Json) -> Json:
    """Return what became of each item of a batch, in the order of the request."""
    return {"data": {"results": list(results), "meta": meta}}


def _updated(at: int, name: str, item: Item | None) -> Json:
    if item is None:
        return {"index": at, "id": name, "action": "not_found"}
    return {"index": at, "id": name, "action": "updated", "data": answers.MemoryItem.of(item)}
