"""What the published figures rely on: the results, the made-up stores and the peers' time limit."""

import json
import os
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import mnemic
from mnemic import opening
from mnemic.language.tokens import index_terms
from mnemic.records.filters import matches, parse_filter
from mnemic.records.memory import Draft, Scope
from mnemic.records.query import Query
from tests.benchmarks.conftest import Loader

ROOT = Path(__file__).parent.parent.parent


def program(folder: Path, *, script: str) -> Path:
    path = folder / "program"
    path.write_text(f"#!/bin/sh\n{script}\n", "utf-8")
    path.chmod(0o755)
    return path


def test_every_page_shows_the_results_that_are_kept(benchmark: Loader) -> None:
    pages = dict(benchmark("tables").pages())

    names = [str(path.relative_to(ROOT)) for path in pages]
    explained = ["docs/explanation/scale.md", "docs/explanation/recall.md"]
    assert names == ["docs/benchmarks.md", "README.md", "README.zh.md", *explained]
    assert [path.name for path, text in pages.items() if path.read_text("utf-8") != text] == []


def test_a_page_gets_its_tables_back_once_they_are_gone(benchmark: Loader) -> None:
    fill_blocks = benchmark("harness.markdown").fill_blocks
    blocks = benchmark("report.scale").blocks(benchmark("harness.results").read("postgres-rows"))
    page = (ROOT / "docs" / "explanation" / "scale.md").read_text("utf-8")
    emptied = re.sub(r"(?s)(<!-- generated:\w+ -->\n).*?(<!-- /generated -->)", r"\1\2", page)

    assert emptied.count("<!-- generated:") == len(blocks) == 8
    assert fill_blocks(emptied, blocks) == page


def test_the_page_can_be_written_before_anything_was_measured(benchmark: Loader) -> None:
    tables = benchmark("tables")

    page = tables.write({name: {} for name in tables.NAMES})

    assert "not measured" in page


def test_a_small_run_never_replaces_the_figures_of_a_full_one(benchmark: Loader) -> None:
    name_for = benchmark("harness.results").name_for

    assert name_for("recall", [1_000, 10_000]) != name_for("recall", [10_000, 100_000])


def test_a_run_that_leaves_something_out_replaces_no_published_figure(
    benchmark: Loader, results: Path
) -> None:
    save_sizes = benchmark("harness.results").save_sizes
    save_sizes("recall", {1_000: {"rss_mb": 1}})

    save_sizes("recall", {1_000: {"rss_mb": 2}}, complete=False)

    published = json.loads((results / "recall.json").read_text("utf-8"))
    assert published["sizes"]["1000"] == {"rss_mb": 1}


def test_measuring_one_size_again_keeps_the_others(benchmark: Loader, results: Path) -> None:
    save_sizes = benchmark("harness.results").save_sizes

    save_sizes("recall", {1_000_000: {"rss_mb": 1}})
    path = save_sizes("recall", {100_000: {"rss_mb": 2}})

    assert path == results / "recall.json"
    kept = json.loads(path.read_text("utf-8"))["sizes"]
    assert list(kept) == ["100000", "1000000"]
    assert kept["1000000"] == {"rss_mb": 1}


@pytest.mark.parametrize(
    ("values", "percent", "expected"),
    [([5.0], 95, 5.0), (list(map(float, range(1, 101))), 95, 95.0), ([1.0, 2.0, 3.0], 50, 2.0)],
)
def test_a_percentile_is_a_value_that_was_measured(
    benchmark: Loader, values: list[float], percent: int, expected: float
) -> None:
    assert benchmark("harness.measure").percentile(values, percent) == expected


def test_a_seed_gives_the_same_store_and_the_same_questions(benchmark: Loader) -> None:
    stock = benchmark("speed.recall_workload")

    assert list(stock.rows(500, 3)) == list(stock.rows(500, 3))
    assert stock.questions(500, 3) == stock.questions(500, 3)
    assert next(stock.rows(500, 4)) != next(stock.rows(500, 3))


def test_a_seed_gives_the_same_questions_in_every_process() -> None:
    code = "from speed.recall_workload import questions; print(questions(300, 3))"

    def said(order: str) -> str:
        environment = {
            **os.environ,
            "PYTHONHASHSEED": order,
            "PYTHONPATH": str(ROOT / "benchmarks"),
        }
        command = [sys.executable, "-c", code]
        run = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
        return run.stdout

    assert said("1") == said("2")


def test_the_scopes_of_a_store_have_the_sizes_that_they_are_named_for(benchmark: Loader) -> None:
    stock = benchmark("speed.recall_workload")

    held = Counter(row.scope for row in stock.rows(5_000, 7))

    assert held["scope-100"] == 100
    assert held["scope-1000"] == 1_000
    assert held[stock.EVERYWHERE] == 3_900


def test_the_filters_let_through_about_the_share_that_they_are_named_for(
    benchmark: Loader,
) -> None:
    stock = benchmark("speed.recall_workload")
    rows = list(stock.rows(5_000, 7))
    kinds = stock.questions(5_000, 7)
    now = datetime(2026, 1, 1, tzinfo=UTC)

    def passing(kind: str) -> float:
        chosen = parse_filter(kinds[kind][0].filter)
        return sum(matches(chosen, row.context, now) for row in rows) / len(rows)

    assert passing("filter that 30 % pass") == pytest.approx(0.3, abs=0.03)
    assert passing("filter and range (6 % pass)") == pytest.approx(0.06, abs=0.02)
    assert 0 <= passing("filter that 0.1 % pass") <= 0.005


def test_common_words_stand_in_a_tenth_to_a_half_of_all_memories(benchmark: Loader) -> None:
    stock = benchmark("speed.recall_workload")
    terms = [set(index_terms(row.text)) for row in stock.rows(3_000, 7)]
    asked = {word for one in stock.questions(3_000, 7)["common words"] for word in one.text.split()}

    for word in asked:
        share = sum(bool(held & set(index_terms(word))) for held in terms) / len(terms)
        assert 0.1 <= share <= 0.55, word


def test_a_store_is_filled_with_every_row_and_the_vector_that_its_embedder_gives(
    benchmark: Loader, tmp_path: Path
) -> None:
    stock = benchmark("speed.recall_workload")
    [row, *others] = stock.rows(50, 7)

    done = list(benchmark("speed.recall_driver").fill(tmp_path / "memory.db", "hashing", 50, 7))

    assert done == [50]
    with mnemic.open(tmp_path / "memory.db", embedder="hashing") as memory:
        assert memory.count(Scope("collection", stock.EVERYWHERE)) == 1 + len(others)
        scopes = (Scope("collection", row.scope),)
        [found] = memory.recall(Query(row.text, scopes=scopes, limit=1, mode="vec_only")).hits
        assert found.memory.content == row.text
        assert found.memory.context == row.context


def test_the_stand_in_gives_a_text_the_same_vector_of_length_1_in_whatever_company(
    benchmark: Loader,
) -> None:
    embedder = benchmark("harness.embedders").WordMeans()

    [one, empty] = embedder.embed(["grasp 12 红色 cubes", "…"])
    [_, again] = embedder.embed(["something else before it", "Grasp 12 红色 cubes!"])

    assert one @ one == pytest.approx(1, abs=1e-5)
    assert one == pytest.approx(again, abs=1e-5)
    assert not empty.any()


def test_the_nearest_by_brute_force_are_those_that_recall_finds_in_a_small_store(
    benchmark: Loader, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Memories get their own embedders again at the end of the test.
    monkeypatch.setattr(opening, "choose_embedder", opening.choose_embedder)
    recorder = benchmark("harness.embedders").Recorder()
    scope = Scope("collection", "here")
    texts = ["a red cube on the table", "a blue cube in the box", "water in a cup", "a red box"]
    with mnemic.open(tmp_path / "memory.db", embedder="hashing") as memory:
        memory.remember_many([Draft(text, scope, dedup=False) for text in texts])
        memory.remember(Draft("a red cube elsewhere", Scope("collection", "there")))
        found = memory.recall(Query("red cube", scopes=(scope,), limit=3, mode="vec_only"))

    nearest = benchmark("speed.recall_driver").nearest
    [best] = nearest(tmp_path / "memory.db", [recorder.last], scope="here", limit=3)

    assert best == pytest.approx([hit.cosine for hit in found.hits], abs=1e-5)
    assert recorder.cpu_ms > 0


def test_a_program_that_hangs_is_stopped_and_named_with_what_it_was_doing(
    benchmark: Loader, tmp_path: Path
) -> None:
    process = benchmark("harness.process")
    hanging = program(tmp_path, script="exec sleep 600")

    with (
        process.store_process(hanging, "hanging", tmp_path, seconds=0.1) as store,
        pytest.raises(process.DriverError, match="stopped after 0 s, in add"),
    ):
        store.call("add", "one", [])


def test_a_program_that_breaks_is_reported_with_its_last_words(
    benchmark: Loader, tmp_path: Path
) -> None:
    process = benchmark("harness.process")
    broken = program(tmp_path, script="echo 'no such model' >&2; exit 3")

    with (
        process.store_process(broken, "broken", tmp_path, seconds=60) as store,
        pytest.raises(process.DriverError, match="no such model"),
    ):
        store.call("search", "one", "?", 1)


def test_what_a_call_costs_is_told_apart_from_its_embedding(benchmark: Loader) -> None:
    measure = benchmark("harness.measure")
    calls = [
        {"cpu_ms": cpu, "wall_ms": 9.0, "embedding_cpu_ms": 1.0, "embedding_wall_ms": 2.0}
        for cpu in (100.0, 3.0, 4.0, 5.0)
    ]

    summary = measure.summary(calls, warm_up=1)

    assert (summary["calls"], summary["cpu_ms"], summary["cpu_ms_worst"]) == (3, 4.0, 5.0)
    assert (summary["cpu_ms_rest"], summary["wall_ms_rest"]) == (3.0, 7.0)


def test_known_texts_are_looked_up_and_others_embedded_once(
    benchmark: Loader, tmp_path: Path
) -> None:
    vectors = benchmark("harness.vectors")
    embedded: list[str] = []

    def encode(texts: Sequence[str]) -> Any:
        embedded.extend(texts)
        return np.ones((len(texts), 512), np.float32)

    table = tmp_path / "vectors.npz"
    np.savez(
        table, keys=np.array([vectors.key_of("known")], np.uint64), rows=np.zeros((1, 512), "f4")
    )
    known = vectors.KnownVectors(table, encode=encode)

    assert known.embed(["known", "new", "new"]).sum(axis=1).tolist() == [0, 512, 512]
    assert known.embed(["new"]).sum() == 512
    assert embedded == ["new"]


def test_a_sqlite_of_plain_words_answers_as_a_compared_program(
    benchmark: Loader, tmp_path: Path
) -> None:
    store = benchmark("drivers.fts5").Fts5(tmp_path, None)
    store.add("one", [{"id": "a", "text": "red cube"}, {"id": "b", "text": "机器人抓取方块"}])
    store.add("two", [{"id": "c", "text": "red box"}])

    assert store.search("one", "which red?", 5) == ["a"]
    assert store.search("one", "抓取方块", 5) == ["b"]
    assert store.search("two", "red cube", 5) == ["c"]
