"""The file of the MCP reference memory server comes in as sentences about its entities."""

import json
from pathlib import Path
from typing import Any

from mnemic.opening import OpenMemory
from mnemic.records.memory import DEFAULT_USER, Scope, memory_name
from mnemic.transfer.foreign import detect, import_foreign

LINES: list[dict[str, Any]] = [
    {
        "type": "entity",
        "name": "John_Smith",
        "entityType": "person",
        "observations": ["Speaks fluent Spanish", "John Smith sails on Sundays"],
    },
    {"type": "entity", "name": "小李", "entityType": "同事", "observations": ["喜欢喝龙井茶"]},
    {"type": "entity", "name": "Acme", "entityType": "company", "observations": []},
    {"type": "relation", "from": "John_Smith", "to": "Acme", "relationType": "works_at"},
    {"type": "relation", "from": "小李", "to": "John_Smith", "relationType": "Supports"},
]


def write(folder: Path, *lines: object) -> Path:
    path = folder / "memory.json"
    texts = [one if isinstance(one, str) else json.dumps(one, ensure_ascii=False) for one in lines]
    path.write_text("\n".join(texts), "utf-8")
    return path


def test_observations_and_relations_become_sentences_of_the_user(
    store: OpenMemory, tmp_path: Path
) -> None:
    path = write(tmp_path, *LINES)

    report = import_foreign(store, path, "mcp-memory")

    assert detect(path) == "mcp-memory"
    assert (report.read, report.added, report.skipped) == (6, 6, ())
    found = {one.content: one for one in store.browse(DEFAULT_USER)}
    assert list(reversed(found)) == [
        "John Smith: Speaks fluent Spanish",
        "John Smith sails on Sundays",
        "小李：喜欢喝龙井茶",
        "Acme (company)",
        "John Smith works at Acme",
        "小李 Supports John Smith",
    ]
    about = {"entity": "John_Smith", "entity_type": "person"}
    assert found["John Smith sails on Sundays"].context["note"] == about
    related = {"entity": "John_Smith", "relation": "works_at", "related_to": "Acme"}
    assert found["John Smith works at Acme"].context["note"] == related


def test_a_relation_that_edges_know_is_an_edge_too(memory: OpenMemory, tmp_path: Path) -> None:
    path = write(tmp_path, *LINES)

    first, second = (import_foreign(memory, path, "mcp-memory") for _ in range(2))

    assert (first.edges, second.edges, second.added, second.known) == (1, 0, 0, 6)
    numbers = {one.content: memory_name(one.id) for one in memory.browse(DEFAULT_USER)}
    [edge] = memory.chat.edges().rows
    assert (edge.from_id, edge.to_id, edge.relation) == (
        numbers["小李：喜欢喝龙井茶"],
        numbers["John Smith: Speaks fluent Spanish"],
        "supports",
    )


def test_wrong_lines_are_told_by_number_and_the_others_kept(
    store: OpenMemory, tmp_path: Path
) -> None:
    odd = {"type": "entity", "name": "Bo", "observations": ["fine", 7, " "]}
    path = write(tmp_path, "{broken", "", LINES[1], {"type": "entity", "name": "x"}, odd)

    report = import_foreign(store, path, "mcp-memory")

    assert report.added == 2
    assert [one.where for one in report.skipped] == [
        "line 1",
        "line 4",
        "line 5, observation 2",
        "line 5, observation 3",
    ]
    assert report.skipped[0].reason.startswith("it is not JSON (")


def test_an_answer_of_read_graph_is_read_too_and_a_collection_takes_it(
    store: OpenMemory, tmp_path: Path
) -> None:
    entities = [{"name": "Acme", "entityType": "company", "observations": ["Makes anvils"]}]
    path = write(tmp_path, {"entities": entities, "relations": []})

    assert detect(path) == "mcp-memory"
    import_foreign(store, path, "mcp-memory", collection="graph")

    [one] = store.browse(Scope("collection", "graph"))
    assert (one.kind, one.content, one.context["entity"]) == ("fact", "Acme: Makes anvils", "Acme")
