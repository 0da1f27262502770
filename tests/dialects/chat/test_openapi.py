"""Promises of the OpenAPI document: it is complete, it is stable, and the server keeps to it."""

import json
from pathlib import Path
from typing import Any, Final

import schemathesis
from jsonschema import Draft202012Validator
from schemathesis import config, engine
from schemathesis.engine import events

import mnemic
from mnemic.opening import OpenMemory
from mnemic.server.app import build_app
from mnemic.settings import ServerSettings
from tests.contracts.chat_openapi import CONTRACT, document_of
from tests.dialects.chat_calling import FIELDS, Api

RANGES: Final = [
    ("created_from", "created_to"),
    ("updated_from", "updated_to"),
    ("available_from", "available_to"),
    ("importance_min", "importance_max"),
    ("confidence_min", "confidence_max"),
]
TIMES: Final = ["occurred_at", "valid_until", "superseded_by", "expires_at"]
FILTERS: Final = [
    *("scope", "scope_id", "type", "summary_tier", "status", "lifecycle_status", "fact_key"),
    *("source_floor_id", "source_message_id", "created_from", "created_to", "updated_from"),
    *("updated_to", "importance_min", "importance_max", "confidence_min", "confidence_max", "q"),
]
# No schema can say which floors and versions there are, what a filter means, nor what time it is.
MAY_BE_MISSING: Final = [
    *("create_branch", "change_turn", "explain", "list_points", "create_key", "rotate_key"),
    # Without a server to ask.
    *("complete_chat", "list_served_models"),
    *("get_graph", "get_sources", "get_payload", "get_payload_values"),
]
CONFIG: Final[dict[str, Any]] = {
    "seed": 1,
    "generation": {"database": "none", "max-examples": 3},
    "phases": {"stateful": {"max-steps": 4}},
    "operations": [
        {
            "include-operation-id": name,
            "checks": {
                "positive_data_acceptance": {
                    "expected-statuses": ["2xx", "400", "404", "409", "424"],
                }
            },
        }
        for name in MAY_BE_MISSING
    ],
}


def operations(document: dict[str, Any]) -> list[tuple[str, dict[str, Any]]]:
    return [
        (f"{method.upper()} {path}", operation)
        for path, operations in document["paths"].items()
        for method, operation in operations.items()
    ]


def test_the_document_is_the_one_that_was_agreed_on(memory: OpenMemory) -> None:
    agreed = json.loads(CONTRACT.read_text("utf-8"))

    assert document_of(memory) == agreed, "run python -m tests.contracts.chat_openapi"


def test_every_operation_says_what_it_does_takes_and_answers(memory: OpenMemory) -> None:
    document = document_of(memory)
    names: list[str] = []
    for name, one in operations(document):
        names.append(one["operationId"])
        assert one["summary"], name
        assert one["description"], name
        assert one["tags"], name
        if "health" in one["tags"]:
            continue
        told = set(one["responses"])
        assert {"500", "503"} <= told, name
        assert "422" not in told, name
        if "requestBody" in one:
            assert {"400", "413", "415"} <= told, name
        if any(parameter["in"] == "query" for parameter in one.get("parameters", ())):
            assert "400" in told, name
        for status, answer in one["responses"].items():
            assert answer["description"], name
            schema = answer["content"]["application/json"]["schema"]
            is_error = schema["$ref"].endswith("/ErrorAnswer")
            assert is_error == (status >= "400"), name
    assert len(names) == len(set(names))
    for schema in document["components"]["schemas"].values():
        Draft202012Validator.check_schema(schema)


def test_the_document_names_all_fields_of_an_item_and_all_filters(memory: OpenMemory) -> None:
    document = document_of(memory)
    item = document["components"]["schemas"]["MemoryItem"]
    listed = document["paths"]["/memories"]["get"]["parameters"]
    counted = document["paths"]["/memories/stats"]["get"]["parameters"]

    assert item["required"] == FIELDS
    assert list(item["properties"]) == [*FIELDS, "extractor", "note", "pinned", *TIMES]
    filters = [one["name"] for one in counted]
    assert filters == FILTERS
    paging = ["sort_by", "sort_order", "limit", "offset"]
    assert [one["name"] for one in listed] == [*filters, "as_of", *paging]
    assert all(one["in"] == "query" and not one["required"] for one in listed)


def test_the_document_is_served_and_loads_nothing_from_elsewhere(memory: OpenMemory) -> None:
    api = Api(memory)

    assert api.send("GET", "/openapi.json").json() == build_app(memory).openapi()
    assert api.send("GET", "/redoc").status_code == 404


def in_order(_: object, case: Any, **__: object) -> None:
    """Turn inverted ranges round: they are refused, and no schema can say so."""
    query: dict[str, Any] = case.query or {}
    for low, high in RANGES:
        try:
            inverted = float(query[low]) > float(query[high])
        except (KeyError, TypeError, ValueError):
            continue
        if inverted:
            query[low], query[high] = query[high], query[low]


def test_whatever_is_sent_the_server_keeps_to_the_document(tmp_path: Path) -> None:
    # Its types are not as strict as ours.
    library: Any = schemathesis
    settings: Any = config.SchemathesisConfig
    library.hook("before_call")(in_order)
    failures: list[str] = []
    with mnemic.open(tmp_path / "memory.db", embedder="none", durability="off") as memory:
        schema = library.openapi.from_asgi(
            "/openapi.json",
            build_app(memory, settings=ServerSettings(allowed_hosts="*")),
            config=settings.from_dict(CONFIG),
        )
        for event in engine.from_schema(schema).execute():
            assert not isinstance(event, events.FatalError | events.NonFatalError), event
            if isinstance(event, events.ScenarioFinished):
                recorder: Any = event.recorder
                failures += [
                    f"{recorder.label} {check.name}: {check.failure_info.failure}\n"
                    f"{recorder.cases[name].value.as_curl_command()[:2000]}"
                    for name, checks in recorder.checks.items()
                    for check in checks
                    if check.failure_info is not None
                ]
    assert not failures, "\n".join(failures)
