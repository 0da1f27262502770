"""`/memory-edges`: named relations between memory items."""

from typing import Annotated

from fastapi import Query

from mnemic.dialects.chat import answers
from mnemic.dialects.chat.bodies import EdgePatch, NewEdge
from mnemic.dialects.chat.body_fields import PathId
from mnemic.dialects.chat.described import Json, deleted
from mnemic.dialects.chat.queries import EdgeList
from mnemic.dialects.chat.routing import Endpoints, operation


class Edges(Endpoints):
    """The endpoints of edges."""

    @operation("POST", "/memory-edges", answers.EdgeAnswer, status=201, refuses=(404, 409))
    def create_memory_edge(self, body: NewEdge) -> Json:
        """Relate two memory items.

        The same relation between the same two is there at most once: a second one is a 409.
        """
        edge = self.chat.create_edge(body.from_id, body.to_id, body.relation)
        return answers.MemoryEdge.single(edge)

    @operation("GET", "/memory-edges", answers.EdgesAnswer, refuses=(400,))
    def list_memory_edges(self, query: Annotated[EdgeList, Query()]) -> Json:
        """List edges."""
        page = self.chat.edges(
            from_id=query.from_id,
            to_id=query.to_id,
            relation=query.relation,
            order=query.sort_order,
            limit=query.limit,
            offset=query.offset,
        )
        return answers.MemoryEdge.listed(page, query)

    @operation(
        "GET", "/memory-edges/{edge_id}", answers.EdgeAnswer, refuses=(400, 404), at_once=True
    )
    def get_memory_edge(self, edge_id: PathId) -> Json:
        """Get an edge."""
        return answers.MemoryEdge.single(self.chat.edge(edge_id))

    @operation("PATCH", "/memory-edges/{edge_id}", answers.EdgeAnswer, refuses=(404, 409))
    def update_memory_edge(self, edge_id: PathId, body: EdgePatch) -> Json:
        """Call an edge by another relation."""
        return answers.MemoryEdge.single(self.chat.change_edge(edge_id, body.relation))

    @operation("DELETE", "/memory-edges/{edge_id}", answers.DeletedAnswer, refuses=(400, 404))
    def delete_memory_edge(self, edge_id: PathId) -> Json:
        """Delete an edge."""
        self.chat.delete_edge(edge_id)
        return deleted(edge_id)
