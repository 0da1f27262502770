"""Named relations between two memories."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from mnemic.records.item import Edge, Order, Relation
from mnemic.records.memory import memory_name
from mnemic.storage.database import Database, Row
from mnemic.storage.selections import Selection, Where
from mnemic.storage.timestamps import from_micros, to_micros

_NAMED: Final = Selection(account="e.account_id", made="e.id")


@dataclass(frozen=True, slots=True)
class Link:
    """A relation by the numbers of the memories at both ends."""

    from_id: int
    to_id: int
    relation: str


@dataclass(frozen=True, slots=True)
class KeptEdge:
    """A relation that has a name, and the numbers that stand for it in the store."""

    edge: Edge
    number: int
    link: Link


def link(db: Database, from_id: int, to_id: int, relation: str, *, now: datetime) -> None:
    """Say that one memory relates to another; saying it twice changes nothing."""
    db.run("edge_add", from_id=from_id, to_id=to_id, relation=relation, now=to_micros(now))


def unlink(db: Database, from_id: int, to_id: int, relation: str) -> None:
    """Say no longer that one memory relates to another."""
    db.run("edge_unlink", from_id=from_id, to_id=to_id, relation=relation)


def targets(db: Database, from_id: int, relation: str) -> list[int]:
    """Return the memories that one relates to."""
    rows = db.all("edge_targets", from_id=from_id, relation=relation)
    return [row["to_id"] for row in rows]


def add(db: Database, link: Link, *, uid: str, now: datetime) -> bool:
    """Add a relation under a name; tell whether it is new."""
    return db.one("edge_link", **_values(link), uid=uid, now=to_micros(now)) is not None


def add_all(db: Database, named: Iterable[tuple[Link, str]], *, now: datetime) -> None:
    """Add relations under their names, those that are new."""
    at = to_micros(now)
    rows = [{**_values(link), "uid": uid, "now": at} for link, uid in named]
    if rows:
        db.many("edge_link", rows)


def find(db: Database, uid: str) -> KeptEdge | None:
    """Return one of the account's relations by its name."""
    edges = page(db, [Where("e.uid", "=", uid)], order="asc", limit=1, offset=0)
    return edges[0] if edges else None


def page(
    db: Database, conditions: Sequence[Where], *, order: Order, limit: int, offset: int
) -> list[KeptEdge]:
    """Return a page of the relations that pass the conditions, by the time they were made."""
    chosen = _NAMED.having(conditions).sorted_by("e.created_at", order)
    return [_kept(row) for row in db.all("edges_page", filter=chosen, limit=limit, offset=offset)]


def count(db: Database, conditions: Sequence[Where]) -> int:
    """Return how many relations pass the conditions."""
    return db.only("edges_count", filter=_NAMED.having(conditions))["edges"]


def relate(db: Database, kept: KeptEdge, relation: Relation) -> None:
    """Make a relation another one."""
    db.run("edge_relate", id=kept.number, from_id=kept.link.from_id, relation=relation)


def drop(db: Database, numbers: Iterable[tuple[int, Link]]) -> None:
    """Delete relations, given by their numbers and ends."""
    gone = list(numbers)
    db.run(
        "edges_drop",
        ids=[number for number, _ in gone],
        from_ids=sorted({link.from_id for _, link in gone}),
    )


def beginning_at(db: Database, memory_ids: Iterable[int]) -> dict[Link, tuple[int, str | None]]:
    """Return the relations that begin at some memories, with their numbers and names."""
    rows = db.all("edges_from", from_ids=list(memory_ids))
    return {
        Link(row["from_id"], row["to_id"], row["relation"]): (row["id"], row["uid"]) for row in rows
    }


def around(db: Database, memory_id: int, *, limit: int) -> list[Row]:
    """Return the relations of one memory in both directions, with the memory at the other end."""
    return db.all("edges_around", memory_id=memory_id, limit=limit)


def _kept(row: Row) -> KeptEdge:
    edge = Edge(
        id=row["uid"],
        from_id=row["from_uid"] or memory_name(row["from_id"]),
        to_id=row["to_uid"] or memory_name(row["to_id"]),
        relation=row["relation"],
        created_at=from_micros(row["created_at"]),
    )
    return KeptEdge(edge, row["id"], Link(row["from_id"], row["to_id"], row["relation"]))


def _values(link: Link) -> dict[str, object]:
    return {"from_id": link.from_id, "to_id": link.to_id, "relation": link.relation}
