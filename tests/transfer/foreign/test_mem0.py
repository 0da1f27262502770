"""An export of mem0 comes in as what an assistant knows of its users."""

import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from mnemic.opening import OpenMemory
from mnemic.records.memory import DEFAULT_USER, Memory, Scope
from mnemic.transfer.foreign import detect, import_foreign

ALICE = Scope("user", "alice")
TEA: dict[str, Any] = {
    "id": "6f1e",
    "memory": "I am allergic to nuts and drink tea",
    "hash": "0f",
    "metadata": {"source": "onboarding", "room": "kitchen"},
    "categories": ["food", "health"],
    "created_at": "2024-07-20T01:30:36.275141-07:00",
    "updated_at": "2024-08-01T00:00:00Z",
    "user_id": "alice",
    "agent_id": "waiter",
    "run_id": "run-7",
    "score": 0.5,
}
WALK: dict[str, Any] = {
    "id": "6f1f",
    "memory": "今天和小王去了西湖",
    "metadata": None,
    "created_at": "2024-07-21T10:00:00+08:00",
    "updated_at": None,
}


def write(folder: Path, text: object, name: str = "export.json") -> Path:
    path = folder / name
    content = text if isinstance(text, str) else json.dumps(text, ensure_ascii=False, indent=2)
    path.write_text(content, "utf-8")
    return path


def known(memory: OpenMemory, scope: Scope) -> list[Memory]:
    return list(reversed(memory.browse(scope)))


def test_a_record_goes_to_its_user_with_its_type_times_and_origin(
    store: OpenMemory, tmp_path: Path
) -> None:
    path = write(tmp_path, {"results": [TEA, WALK]})

    report = import_foreign(store, path, "mem0", user="bob")

    assert detect(path) == "mem0"
    assert (report.read, report.added, report.skipped) == (2, 2, ())
    [tea] = known(store, ALICE)
    assert (tea.content, tea.kind) == (TEA["memory"], "core")
    assert tea.created_at == datetime(2024, 7, 20, 8, 30, 36, 275141, tzinfo=UTC)
    assert tea.updated_at == datetime(2024, 8, 1, tzinfo=UTC)
    about = {"source": "onboarding", "room": "kitchen", "categories": ["food", "health"]}
    origin = {"format": "mem0", "id": "6f1e", "agent_id": "waiter", "run_id": "run-7"}
    assert tea.context == {"note": about, "imported_from": origin}
    [walk] = known(store, Scope("user", "bob"))
    assert (walk.content, walk.kind) == (WALK["memory"], "episodic")


def test_an_assistant_finds_it_by_its_words_and_not_by_its_ids(
    store: OpenMemory, tmp_path: Path
) -> None:
    import_foreign(store, write(tmp_path, [TEA, WALK]), "mem0")

    def found(query: str, **user: str) -> list[str]:
        answer = store.assistant.call("memory_search", {"query": query, **user})
        return [one["content"] for one in answer["data"]["results"]]

    assert found("kitchen", user_id="alice") == [TEA["memory"]]
    assert found("西湖") == [WALK["memory"]]
    assert found("waiter", user_id="alice") == []


def test_what_a_memory_said_before_is_its_history_and_can_be_brought_back(
    memory: OpenMemory, tmp_path: Path
) -> None:
    created, changed = "2024-07-20T08:30:36+00:00", "2024-08-01T00:00:00+00:00"
    change = {"memory_id": "6f1e", "event": "UPDATE", "new_memory": TEA["memory"]}
    history = [
        {"memory_id": "6f1e", "event": "ADD", "new_memory": "I drink coffee"},
        change | {"old_memory": "我喝咖啡", "created_at": created, "updated_at": changed},
        {"memory_id": "gone", "event": "DELETE", "old_memory": "a secret", "is_deleted": 1},
    ]
    path = write(tmp_path, {"results": [TEA], "history": history})

    report = import_foreign(memory, path, "mem0")

    assert (report.added, report.known) == (1, 0)
    assert [(one.where, one.reason) for one in report.skipped] == [
        ("history of gone", "its memory is not in the file: it was deleted")
    ]
    [tea] = known(memory, ALICE)
    verbs = [(one.verb, one.at.year, one.at.month) for one in memory.history(tea.id)]
    assert verbs == [("created", 2024, 7), ("revised", 2024, 8)]
    assert memory.undo(tea.id).content == "我喝咖啡"


def test_lists_lines_and_pages_are_read_alike(store: OpenMemory, tmp_path: Path) -> None:
    lines = "\n".join(json.dumps(one) for one in (TEA, WALK))
    shapes: list[object] = [
        [TEA, WALK],
        lines,
        {"count": 2, "next": None, "previous": None, "results": [TEA, WALK]},
        {"memories": [TEA, WALK]},
        json.dumps({"results": [TEA, WALK]}),
    ]

    reports: list[tuple[int, int]] = []
    for shape in shapes:
        path = write(tmp_path, shape)
        assert detect(path) == "mem0"
        report = import_foreign(store, path, "mem0")
        reports.append((report.added, report.known))

    assert reports == [(2, 0), *[(0, 2)] * 4]


def test_a_graph_comes_in_as_sentences(store: OpenMemory, tmp_path: Path) -> None:
    relations = [
        {"source": "alice", "relationship": "works_at", "target": "acme"},
        {"source": "alice"},
    ]
    path = write(tmp_path, {"results": [TEA], "relations": relations})

    report = import_foreign(store, path, "mem0")

    assert [one.content for one in known(store, DEFAULT_USER)] == ["alice works at acme"]
    assert [one.where for one in report.skipped] == ["relation 2"]


def test_records_that_cannot_be_read_are_told_and_the_others_kept(
    store: OpenMemory, tmp_path: Path
) -> None:
    wrong = [{"id": "1", "text": "no memory"}, TEA | {"created_at": "soon"}, {"memory": "  "}]
    path = write(tmp_path, {"results": [WALK, *wrong]})

    report = import_foreign(store, path, "mem0")

    assert (report.read, report.added) == (4, 1)
    assert [one.where for one in report.skipped] == ["record 2", "record 3", "record 4"]
    assert "created_at: 'soon' is no time" in report.skipped[1].reason


def test_a_collection_that_is_given_takes_it_all_and_keeps_whose_it_was(
    store: OpenMemory, tmp_path: Path
) -> None:
    import_foreign(store, write(tmp_path, [TEA]), "mem0", collection="people")

    [tea] = known(store, Scope("collection", "people"))
    assert tea.kind == "fact"
    assert tea.context["user_id"] == "alice"
    assert tea.context["room"] == "kitchen"
