"""The edges around a memory: what it is related to, and what that is related to."""

from collections import deque
from dataclasses import dataclass

from mnemic.memory.workspace import Workspace
from mnemic.records.memory import Memory
from mnemic.storage.rows import edge_rows, memory_rows
from mnemic.storage.rows.edge_rows import Link


@dataclass(frozen=True, slots=True)
class EdgeGraph:
    """Memories, the one in the middle first, each with how many edges away it is, and the edges
    between them. `is_whole` is false where more is related than was asked for.
    """

    memories: tuple[tuple[Memory, int], ...]
    edges: tuple[Link, ...]
    is_whole: bool


def edge_graph(workspace: Workspace, memory_id: int, *, hops: int, limit: int) -> EdgeGraph:
    """Return at most `limit` memories that are at most `hops` edges away from one, the nearest
    first.
    """
    workspace.existing(memory_id)
    return workspace.db.read(lambda: _around(workspace, memory_id, hops, limit))


def _around(workspace: Workspace, memory_id: int, hops: int, limit: int) -> EdgeGraph:
    away = {memory_id: 0}
    edges: dict[Link, None] = {}
    is_whole = True
    waiting = deque([memory_id])
    while waiting and away[waiting[0]] < hops:
        at = waiting.popleft()
        rows = edge_rows.around(workspace.db, at, limit=limit)
        is_whole = is_whole and len(rows) < limit
        for row in rows:
            other = row["to_id"] if row["from_id"] == at else row["from_id"]
            if other not in away and len(away) == limit:
                is_whole = False
                continue
            if other not in away:
                away[other] = away[at] + 1
                waiting.append(other)
            edges[Link(row["from_id"], row["to_id"], row["relation"])] = None
    found = ((memory_rows.get(workspace.db, number), hop) for number, hop in away.items())
    return EdgeGraph(
        tuple((memory, hop) for memory, hop in found if memory is not None), tuple(edges), is_whole
    )
