"""Promises of traces: spans of requests, recalls, statements and jobs, where they are asked for,
without a word of what is remembered.
"""

import logging
import sys
from typing import Any

import pytest

from mnemic.opening import OpenMemory
from mnemic.server.metrics import Metrics
from mnemic.telemetry.tracing import start_tracing
from mnemic.worker import Worker
from tests.conftest import Clock
from tests.server.watched import api_of
from tests.worker.scenes import append

ASKED = {"OTEL_TRACES_EXPORTER": "otlp"}
TRACE = "4bf92f3577b34da6a3ce929d0e0e4736"


def test_without_its_variables_nothing_is_imported_or_traced(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(sys.modules, "opentelemetry.sdk.trace", None)
    for environment in (
        {},
        {"OTEL_TRACES_EXPORTER": "none"},
        {**ASKED, "OTEL_SDK_DISABLED": "true"},
        {"OTEL_SERVICE_NAME": "mnemic"},
    ):
        assert start_tracing(environment) is None


def test_without_the_extra_one_line_says_how_to_install_it(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setitem(sys.modules, "opentelemetry.sdk.trace", None)

    with caplog.at_level(logging.WARNING, logger="mnemic.telemetry.tracing"):
        assert start_tracing({"OTEL_EXPORTER_OTLP_ENDPOINT": "http://127.0.0.1:4318"}) is None

    [told] = caplog.messages
    assert "OTEL_EXPORTER_OTLP_ENDPOINT" in told
    assert "pip install 'mnemic[otel]'" in told


def test_an_exporter_that_is_not_known_is_named(caplog: pytest.LogCaptureFixture) -> None:
    pytest.importorskip("opentelemetry.sdk")

    with caplog.at_level(logging.WARNING, logger="mnemic.telemetry.tracing"):
        assert start_tracing({"OTEL_TRACES_EXPORTER": "zipkin"}) is None

    assert "zipkin" in caplog.text


def test_a_request_a_recall_its_stages_statements_and_jobs_are_spans_of_one_tree(
    memory: OpenMemory, clock: Clock
) -> None:
    exporting: Any = pytest.importorskip("opentelemetry.sdk.trace.export.in_memory_span_exporter")
    exporter = exporting.InMemorySpanExporter()
    spans = start_tracing(ASKED, exporter=exporter)
    assert spans is not None
    metrics = Metrics(spans)
    watched = memory.watched_by(metrics)
    api = api_of(watched, metrics=metrics)
    headers = {"traceparent": f"00-{TRACE}-00f067aa0ba902b7-01", "x-request-id": "mine"}

    api.send("POST", "/tools/memory_add", {"content": "zanzibar tea", "memory_type": "core"})
    api.send("POST", "/tools/memory_search", {"query": "zanzibar"}, headers=headers)
    append(watched, clock)
    Worker(watched).work_off()
    spans.close()

    made = {one.name: one for one in exporter.get_finished_spans()}
    request, recall = made["POST /tools/memory_search"], made["recall"]
    assert f"{request.context.trace_id:032x}" == TRACE
    assert dict(request.attributes) == {
        "http.request.method": "POST",
        "http.route": "/tools/memory_search",
        "http.response.status_code": 200,
        "mnemic.request_id": "mine",
        "mnemic.account": "default",
    }
    assert recall.parent.span_id == request.context.span_id
    stages = {"recall terms", "recall fusion", "recall memories", "recall relevance"}
    assert stages <= made.keys()
    assert f"{made['recall terms'].context.trace_id:032x}" == TRACE
    assert {"store memory_add", "store write", "job ingest_turn"} <= made.keys()
    everything = "".join(one.to_json() for one in exporter.get_finished_spans())
    assert "zanzibar" not in everything
    assert '"service.name": "mnemic"' in everything


def test_an_error_is_told_by_its_kind_and_not_by_its_words() -> None:
    exporting: Any = pytest.importorskip("opentelemetry.sdk.trace.export.in_memory_span_exporter")
    exporter = exporting.InMemorySpanExporter()
    spans = start_tracing(ASKED, exporter=exporter)
    assert spans is not None

    with pytest.raises(ValueError, match="zanzibar"), spans.doing("job", "ingest_turn"):
        raise ValueError("zanzibar")
    spans.close()

    [told] = exporter.get_finished_spans()
    assert told.attributes["error.type"] == "ValueError"
    assert "zanzibar" not in told.to_json()
