"""Edges by hand: named relations between any two memories of an account."""

from mnemic.chat.items import memory_called
from mnemic.errors import ConflictError, NotFoundError
from mnemic.memory.ids import name_of
from mnemic.memory.workspace import Workspace
from mnemic.records.item import Edge, Order, Page, Relation
from mnemic.storage.chat_rows import item_rows
from mnemic.storage.rows import edge_rows
from mnemic.storage.rows.edge_rows import KeptEdge, Link
from mnemic.storage.selections import Where


class NoSuchEndError(NotFoundError):
    """One end of an edge is no memory of this account."""

    code = "memory_edge_node_not_found"


class SameEdgeError(ConflictError):
    """There is an edge with the same ends and relation already."""

    code = "memory_edge_conflict"


def create_edge(workspace: Workspace, from_id: str, to_id: str, relation: Relation) -> Edge:
    """Relate two memories, which may be the same one; return the edge once it is kept."""
    now, name = workspace.moment(), name_of(workspace.new_id())

    def write() -> Edge:
        link = Link(_end(workspace, "from_id", from_id), _end(workspace, "to_id", to_id), relation)
        if not edge_rows.add(workspace.db, link, uid=name, now=now):
            raise _same(from_id, to_id, relation)
        return Edge(name, from_id, to_id, relation, now)

    return workspace.db.write(write)


def get_edge(workspace: Workspace, edge_id: str) -> Edge:
    """Return an edge."""
    return _kept(workspace, edge_id).edge


def list_edges(
    workspace: Workspace,
    *,
    from_id: str | None = None,
    to_id: str | None = None,
    relation: Relation | None = None,
    order: Order = "desc",
    limit: int = 50,
    offset: int = 0,
) -> Page[Edge]:
    """Return a page of the edges that begin, end or are called as asked, by time."""

    def read() -> Page[Edge]:
        conditions: list[Where] = []
        for column, wanted in (("e.from_id", from_id), ("e.to_id", to_id)):
            if wanted is not None:
                number = _number(workspace, wanted)
                if number is None:
                    return Page((), 0)
                conditions.append(Where(column, "=", number))
        if relation is not None:
            conditions.append(Where("e.relation", "=", relation))
        edges = edge_rows.page(workspace.db, conditions, order=order, limit=limit, offset=offset)
        total = edge_rows.count(workspace.db, conditions)
        return Page(tuple(row.edge for row in edges), total)

    return workspace.db.read(read)


def change_edge(workspace: Workspace, edge_id: str, relation: Relation) -> Edge:
    """Call an edge by another relation; return it."""

    def write() -> Edge:
        kept = _kept(workspace, edge_id)
        link = Link(kept.link.from_id, kept.link.to_id, relation)
        if link == kept.link:
            return kept.edge
        if link in edge_rows.beginning_at(workspace.db, [link.from_id]):
            raise _same(kept.edge.from_id, kept.edge.to_id, relation)
        edge_rows.relate(workspace.db, kept, relation)
        return _kept(workspace, edge_id).edge

    return workspace.db.write(write)


def delete_edge(workspace: Workspace, edge_id: str) -> None:
    """Delete an edge."""

    def write() -> None:
        kept = _kept(workspace, edge_id)
        edge_rows.drop(workspace.db, [(kept.number, kept.link)])

    workspace.db.write(write)


def _kept(workspace: Workspace, edge_id: str) -> KeptEdge:
    kept = edge_rows.find(workspace.db, edge_id)
    if kept is None:
        raise NotFoundError(f"There is no memory edge {edge_id[:80]!r}.", id=edge_id)
    return kept


def _end(workspace: Workspace, parameter: str, name: str) -> int:
    number = _number(workspace, name)
    if number is None:
        raise NoSuchEndError(f"{parameter}: there is no memory {name[:80]!r}.", id=name)
    return number


def _number(workspace: Workspace, name: str) -> int | None:
    card = item_rows.get(workspace.db, [name]).get(name)
    if card is not None:
        return card.item.memory_id
    memory = memory_called(workspace, name)
    return None if memory is None else memory.id


def _same(from_id: str, to_id: str, relation: str) -> SameEdgeError:
    return SameEdgeError(
        f"{from_id} already {relation} {to_id}.", from_id=from_id, to_id=to_id, relation=relation
    )
