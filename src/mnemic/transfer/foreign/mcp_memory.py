"""The MCP reference memory server: entities with observations, and relations, as JSON lines."""

from collections.abc import Generator, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final, get_args

from mnemic.language.tokens import is_mostly_cjk
from mnemic.records.item import Relation
from mnemic.records.memory import DEFAULT_USER
from mnemic.transfer.foreign import foreign_fields, foreign_files
from mnemic.transfer.foreign.foreign_files import Looks
from mnemic.transfer.foreign.placing import Placement, Told
from mnemic.transfer.foreign.sources import ForeignEntry, ForeignSource, NamedLink

_RELATIONS: Final[Mapping[str, Relation]] = {name: name for name in get_args(Relation)}


def recognises(looks: Looks) -> bool:
    """Tell whether there are entities or relations."""
    if looks.kind == "document":
        held = foreign_fields.as_object(looks.document)
        return isinstance(held.get("entities"), list) and "relations" in held
    return any(_is_entity(record) or _is_relation(record) for record in looks.objects())


@contextmanager
def opened(path: Path, place: Placement) -> Generator[ForeignSource]:
    """Open a memory file. It is read as a whole: the server does so too."""
    graph = _Graph(place)
    for where, value, problem in _records(path):
        graph.take(where, value, problem)
    yield ForeignSource(total=len(graph.entries), entries=graph.entries, links=tuple(graph.links))


class _Graph:
    """The memories that follow from a graph, in the order of the file."""

    def __init__(self, place: Placement) -> None:
        self._place = place
        self.entries: list[ForeignEntry] = []
        self.links: list[NamedLink] = []

    def take(self, where: str, value: Any, problem: str | None) -> None:
        """Take the next line."""
        record = foreign_fields.as_object(value)
        if problem is None and _is_entity(record):
            self.entries += self._entity(where, record)
        elif problem is None and _is_relation(record):
            self._relation(where, record)
        else:
            wanted = "it is no entity with name and observations, and no relation with from and to"
            self.entries.append(ForeignEntry(where, problem or wanted))

    def _entity(self, where: str, record: Mapping[str, Any]) -> Iterator[ForeignEntry]:
        """Return a memory for each observation; one for the entity itself where it has none."""
        name, kind = record["name"], record.get("entityType")
        about = {"entity": name} | ({"entity_type": kind} if foreign_fields.given(kind) else {})
        link_name: str | None = f"entity {name}"
        if not record["observations"]:
            said = f"{_spoken(name)} ({kind})" if foreign_fields.given(kind) else _spoken(name)
            yield self._entry(where, said, about, link_name)
        for number, seen in enumerate(record["observations"], 1):
            place = f"{where}, observation {number}"
            if not isinstance(seen, str) or not seen.strip():
                outcome = (
                    "it is empty"
                    if isinstance(seen, str)
                    else f"it is {foreign_fields.type_name(seen)}"
                )
                yield ForeignEntry(place, f"{outcome}; allowed: a text")
                continue
            yield self._entry(place, _sentence(name, seen), about, link_name)
            link_name = None

    def _relation(self, where: str, record: Mapping[str, Any]) -> None:
        """Keep a relation as a sentence; as an edge too where its name is one of an edge's."""
        source, relation, target = record["from"], record["relationType"], record["to"]
        about = {"entity": source, "relation": relation, "related_to": target}
        said = " ".join(_spoken(part) for part in (source, relation, target))
        self.entries.append(self._entry(where, said, about, None))
        known = _RELATIONS.get(relation.strip().lower().replace(" ", "_").replace("-", "_"))
        if known is not None:
            self.links.append(NamedLink(f"entity {source}", f"entity {target}", known))

    def _entry(
        self, where: str, content: str, about: dict[str, Any], name: str | None
    ) -> ForeignEntry:
        told = Told(content=content, about=about, origin={"format": "mcp-memory"})
        return ForeignEntry(where, self._place.arrival(told, otherwise=DEFAULT_USER), name)


def _records(path: Path) -> Iterator[tuple[str, Any, str | None]]:
    looks = foreign_files.looks(path)
    if looks.kind == "lines":
        for number, line in foreign_files.raw_lines(path):
            yield f"line {number}", *foreign_files.parsed(line)
        return
    # What the tool read_graph answers, kept as a file.
    held = foreign_fields.as_object(looks.document)
    for kind, name in (("entity", "entities"), ("relation", "relations")):
        for number, value in enumerate(foreign_fields.as_list(held.get(name)), 1):
            yield f"{kind} {number}", foreign_fields.as_object(value) | {"type": kind}, None


def _sentence(name: str, seen: str) -> str:
    """Return an observation that can be understood by itself."""
    text = seen.casefold()
    named = name.casefold() in text or _spoken(name).casefold() in text
    colon = "：" if is_mostly_cjk(seen) else ": "
    return seen if named else f"{_spoken(name)}{colon}{seen}"


def _spoken(name: str) -> str:
    return name.replace("_", " ").strip()


def _is_entity(record: Mapping[str, Any]) -> bool:
    named = isinstance(record.get("name"), str) and bool(record["name"].strip())
    return record.get("type") == "entity" and named and isinstance(record.get("observations"), list)


def _is_relation(record: Mapping[str, Any]) -> bool:
    ends = (record.get("from"), record.get("relationType"), record.get("to"))
    said = all(isinstance(end, str) and end.strip() for end in ends)
    return record.get("type") == "relation" and said
