"""Promises of `/metrics`: everything that is done is counted, under few names, in a registry of
the server's own.
"""

from itertools import count
from pathlib import Path

import prometheus_client
from prometheus_client.parser import text_string_to_metric_families

import mnemic
from mnemic.opening import OpenMemory
from mnemic.server.metrics import Metrics
from mnemic.worker import Worker, WorkerThread
from tests.conftest import Clock, OpenIt
from tests.dialects.chat_calling import Api
from tests.server.watched import api_of, samples
from tests.worker.scenes import append


def test_requests_are_counted_by_their_route_and_never_by_their_address(tmp_path: Path) -> None:
    with mnemic.open(tmp_path / "memory.db", embedder="none", durability="off") as memory:
        _count_requests(api_of(memory))


def _count_requests(api: Api) -> None:
    ids = [api.item(f"It rains {number}")["id"] for number in range(3)]
    for one in ids:
        api.send("GET", f"/memories/{one}")
    api.send("GET", "/memories/nothing-here")
    api.send("GET", "/memories", q="a-word-that-is-sought")
    for number in range(5):
        api.send("GET", f"/no-such-place-{number}")
    api.send("BREW", "/memories")
    api.send("GET", "/openapi.json")

    answer = api.send("GET", "/metrics")
    found = samples(answer.text)

    total = "mnemic_http_requests_total"
    assert found[f'{total}{{method="POST",route="/memories",status="201"}}'] == 3
    assert found[f'{total}{{method="GET",route="/memories/{{memory_id}}",status="200"}}'] == 3
    assert found[f'{total}{{method="GET",route="/memories/{{memory_id}}",status="404"}}'] == 1
    assert found[f'{total}{{method="GET",route="unmatched",status="404"}}'] == 5
    assert found[f'{total}{{method="GET",route="/openapi.json",status="200"}}'] == 1
    assert any('method="OTHER"' in name for name in found)
    seconds = 'mnemic_http_request_seconds_count{method="GET",route="/memories/{memory_id}"}'
    assert found[seconds] == 4
    assert found["mnemic_http_requests_in_flight"] == 1
    for hidden in (*ids, "nothing-here", "sought", "no-such-place", "BREW"):
        assert hidden not in answer.text


def test_a_recall_is_counted_with_each_of_its_stages(open_it: OpenIt) -> None:
    memory = open_it(embedder="hashing")
    metrics = Metrics()
    robot = memory.watched_by(metrics).robot
    robot.learn("The cup is heavy")

    robot.recall("a heavy cup")
    robot.recall("a light cup")

    found = samples(metrics.text().decode())
    assert found["mnemic_recall_seconds_count"] == 2
    for stage in ("terms", "embedding", "fusion", "memories", "relevance"):
        assert found[f'mnemic_recall_stage_seconds_count{{stage="{stage}"}}'] == 2
    total = found["mnemic_recall_seconds_sum"]
    stages = [name for name in found if name.startswith("mnemic_recall_stage_seconds_sum")]
    assert 0 < sum(found[name] for name in stages) <= total


def test_a_recall_that_nobody_watches_answers_the_same(open_it: OpenIt) -> None:
    memory = open_it(embedder="hashing")
    memory.robot.learn("The cup is heavy")

    plain, watched = memory.robot, memory.watched_by(Metrics()).robot

    told = [robot.recall("a heavy cup")["memories"] for robot in (plain, watched)]
    assert [one["content"] for one in told[0]] == [one["content"] for one in told[1]]


def test_jobs_are_counted_by_how_they_went_and_while_they_wait(
    memory: OpenMemory, clock: Clock
) -> None:
    metrics = Metrics()
    watched = memory.watched_by(metrics)
    metrics.tell_of(memory.inspection, clock=lambda: 0.0)
    append(watched, clock)
    waiting = samples(metrics.text().decode())

    Worker(watched).work_off()

    done = samples(metrics.text().decode())
    assert waiting['mnemic_jobs_unfinished{kind="ingest_turn",status="pending"}'] == 1
    outcome = 'mnemic_jobs_total{kind="ingest_turn",outcome="succeeded"}'
    assert done[outcome] - waiting.get(outcome, 0) == 1
    assert done['mnemic_job_seconds_count{kind="ingest_turn"}'] == done[outcome]


def test_the_store_is_told_of_and_looked_at_every_five_seconds(memory: OpenMemory) -> None:
    now = [100.0]
    metrics = Metrics()
    metrics.tell_of(memory.inspection, clock=lambda: now[0])
    memory.robot.learn("The cup is heavy")

    def told() -> dict[str, float]:
        return samples(metrics.text().decode())

    first = told()
    memory.robot.learn("The table is rough")
    memory.of_account("other").robot.learn("The door is open")
    soon = told()
    now[0] += 5
    later = told()

    count = 'mnemic_memories{scope_kind="collection"}'
    assert (first[count], soon[count], later[count]) == (1, 1, 3)
    assert (first["mnemic_accounts"], later["mnemic_accounts"]) == (1, 2)
    assert first["mnemic_store_up"] == 1
    assert first["mnemic_store_bytes"] > 10_000
    assert first["mnemic_schema_version"] >= 4
    assert first['mnemic_embedder_state{state="off"}'] == 1
    assert first['mnemic_embedder_state{state="ready"}'] == 0


def test_a_store_that_cannot_be_read_is_told_as_down(memory: OpenMemory) -> None:
    metrics = Metrics()
    with WorkerThread(memory) as worker:
        metrics.tell_of(memory.inspection, worker=worker, clock=count(0, 5).__next__)
        up = samples(metrics.text().decode())
    memory.close()

    found = samples(metrics.text().decode())

    assert (up["mnemic_store_up"], up["mnemic_worker_threads"]) == (1, 1)
    assert (found["mnemic_store_up"], found["mnemic_worker_threads"]) == (0, 0)
    assert "mnemic_store_bytes" not in found


def test_prometheus_can_read_it_and_the_registry_of_others_stays_clean(
    api: Api,
) -> None:
    answers = [api.send("GET", "/metrics") for _ in range(2)]

    for answer in answers:
        assert answer.headers["content-type"] == "text/plain; version=0.0.4; charset=utf-8"
        families = list(text_string_to_metric_families(answer.text))
        assert len({family.name for family in families}) == len(families)
        assert all(family.documentation for family in families)
    everybody = prometheus_client.generate_latest(prometheus_client.REGISTRY).decode()
    assert "mnemic" not in everybody
