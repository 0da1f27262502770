"""What the published figures rely on: the results, the made-up stores and the peers' time limit."""

import json
import os
import re
import subprocess
import sys
from collections import Counter
from datetime import UTC, datetime
from pathlib import Path

import pytest

import mnemic
from mnemic import opening
from mnemic.engine.query import Query
from mnemic.filters import matches, parse_filter
from mnemic.records import Draft, Scope
from mnemic.text.tokens import index_terms
from tests.benchmarks.conftest import Loader

ROOT = Path(__file__).parent.parent.parent


def program(folder: Path, *, script: str) -> Path:
    path = folder / "program"
    path.write_text(f"#!/bin/sh\n{script}\n", "utf-8")
    path.chmod(0o755)
    return path


def test_the_page_and_both_readmes_show_the_results_that_are_kept(benchmark: Loader) -> None:
    tables = benchmark("tables")
    results = tables.read_results()

    assert (ROOT / "docs" / "benchmarks.md").read_text("utf-8") == tables.page(results)
    for name, chinese in (("README.md", False), ("README.zh.md", True)):
        text = (ROOT / name).read_text("utf-8")
        assert text == tables.with_figures(text, results, chinese=chinese)


def test_the_tables_of_what_a_billion_memories_need_are_those_that_were_measured(
    benchmark: Loader,
) -> None:
    scale = benchmark("tables_scale")
    page = scale.PAGE.read_text("utf-8")
    emptied = re.sub(r"(?s)(<!-- generated:\w+ -->\n).*?(<!-- /generated -->)", r"\1\2", page)

    assert emptied.count("<!-- generated:") == 8
    assert scale.current(emptied) == page


def test_the_page_can_be_written_before_anything_was_measured(benchmark: Loader) -> None:
    tables = benchmark("tables")

    page = tables.page({name: {} for name in tables.read_results()})

    assert "not measured" in page


def test_a_small_run_never_replaces_the_figures_of_a_full_one(benchmark: Loader) -> None:
    name_for = benchmark("reporting").name_for

    assert name_for("recall", [1_000, 10_000]) != name_for("recall", [10_000, 100_000])


def test_measuring_one_size_again_keeps_the_others(
    benchmark: Loader, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    reporting = benchmark("reporting")
    monkeypatch.setattr(reporting, "RESULTS", tmp_path)
    monkeypatch.setattr(reporting, "REPOSITORY", tmp_path)

    reporting.save_sizes("recall", {1_000_000: {"rss_mb": 1}})
    path = reporting.save_sizes("recall", {100_000: {"rss_mb": 2}})

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
    assert benchmark("reporting").percentile(values, percent) == expected


def test_a_seed_gives_the_same_store_and_the_same_questions(benchmark: Loader) -> None:
    stock = benchmark("recall_stock")

    assert list(stock.rows(500, 3)) == list(stock.rows(500, 3))
    assert stock.questions(500, 3) == stock.questions(500, 3)
    assert next(stock.rows(500, 4)) != next(stock.rows(500, 3))


def test_a_seed_gives_the_same_questions_in_every_process() -> None:
    code = "import recall_stock; print(recall_stock.questions(300, 3))"

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
    stock = benchmark("recall_stock")

    held = Counter(row.scope for row in stock.rows(5_000, 7))

    assert held["scope-100"] == 100
    assert held["scope-1000"] == 1_000
    assert held[stock.EVERYWHERE] == 3_900


def test_the_filters_let_through_about_the_share_that_they_are_named_for(
    benchmark: Loader,
) -> None:
    stock = benchmark("recall_stock")
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
    stock = benchmark("recall_stock")
    terms = [set(index_terms(row.text)) for row in stock.rows(3_000, 7)]
    asked = {word for one in stock.questions(3_000, 7)["common words"] for word in one.text.split()}

    for word in asked:
        share = sum(bool(held & set(index_terms(word))) for held in terms) / len(terms)
        assert 0.1 <= share <= 0.55, word


def test_a_store_is_filled_with_every_row_and_the_vector_that_its_embedder_gives(
    benchmark: Loader, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(opening, "choose_embedder", opening.choose_embedder)
    stock, [row, *others] = benchmark("recall_stock"), list(benchmark("recall_stock").rows(50, 7))

    done = list(benchmark("loading").fill(tmp_path / "memory.db", "hashing", 50, 7))

    assert done == [50]
    with mnemic.open(tmp_path / "memory.db", embedder="hashing") as memory:
        assert memory.count(Scope("collection", stock.EVERYWHERE)) == 1 + len(others)
        scopes = (Scope("collection", row.scope),)
        [found] = memory.recall(Query(row.text, scopes=scopes, limit=1, mode="vec_only")).hits
        assert found.memory.content == row.text
        assert found.memory.context == row.context


def test_what_is_copied_to_other_accounts_is_found_there_as_if_it_was_learned_there(
    benchmark: Loader, postgres_database: str
) -> None:
    copies = benchmark("postgres_copies")
    scope = Scope("collection", "robots")
    with mnemic.open(postgres_database, account="source", embedder="none") as memory:
        run = memory.start_episode(scope)[0].id
        for text in ("a red cube on the table", "a blue cube in the box", "water in a cup"):
            memory.remember(Draft(text, scope, episode_id=run))

    owner = postgres_database.replace("app@", "postgres@")
    places = [copies.Place("one", "robots", 2), copies.Place("two", "robots", 3)]
    places.append(copies.Place("two", "robots", 2, copy=1))
    copies.spread(owner, "source", places, vectors=False, seed=7)

    for account, members in (("source", 3), ("one", 2), ("two", 5)):
        with mnemic.open(postgres_database, account=account, embedder="none") as memory:
            assert memory.count(scope) == members
            found = memory.recall(Query("red cube", scopes=(scope,))).hits[0].memory
            assert found.content == "a red cube on the table"
            assert memory.remember(Draft("something new", scope)).memory.id > found.id


def test_the_stand_in_gives_a_text_the_same_vector_of_length_1_in_whatever_company(
    benchmark: Loader,
) -> None:
    embedder = benchmark("standin").WordMeans()

    [one, empty] = embedder.embed(["grasp 12 红色 cubes", "…"])
    [_, again] = embedder.embed(["something else before it", "Grasp 12 红色 cubes!"])

    assert one @ one == pytest.approx(1, abs=1e-5)
    assert one == pytest.approx(again, abs=1e-5)
    assert not empty.any()


def test_the_nearest_by_brute_force_are_those_that_recall_finds_in_a_small_store(
    benchmark: Loader, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # What is watched from here on is let go at the end of the test.
    monkeypatch.setattr(opening, "choose_embedder", opening.choose_embedder)
    watch = benchmark("watching").Watch()
    scope = Scope("collection", "here")
    texts = ["a red cube on the table", "a blue cube in the box", "water in a cup", "a red box"]
    with mnemic.open(tmp_path / "memory.db", embedder="hashing") as memory:
        memory.remember_many([Draft(text, scope, dedup=False) for text in texts])
        memory.remember(Draft("a red cube elsewhere", Scope("collection", "there")))
        found = memory.recall(Query("red cube", scopes=(scope,), limit=3, mode="vec_only"))

    [best] = benchmark("nearest").best(tmp_path / "memory.db", [watch.last], scope="here", limit=3)

    assert best == pytest.approx([hit.cosine for hit in found.hits], abs=1e-5)


def test_a_program_that_hangs_is_stopped_and_named_with_what_it_was_doing(
    benchmark: Loader, tmp_path: Path
) -> None:
    conversing = benchmark("conversing")
    hanging = program(tmp_path, script="exec sleep 600")

    with (
        conversing.Conversation(hanging, "hanging", tmp_path, seconds=0.1) as talk,
        pytest.raises(conversing.StoppedError, match="stopped after 0 s, in add"),
    ):
        talk.ask("add", unit="one", docs=[])


def test_a_program_that_breaks_is_reported_with_its_last_words(
    benchmark: Loader, tmp_path: Path
) -> None:
    conversing = benchmark("conversing")
    broken = program(tmp_path, script="echo 'no such model' >&2; exit 3")

    with (
        conversing.Conversation(broken, "broken", tmp_path, seconds=60) as talk,
        pytest.raises(conversing.StoppedError, match="no such model"),
    ):
        talk.ask("search", unit="one", questions=["?"], limit=1)


def test_a_sqlite_of_plain_words_answers_as_a_compared_program(
    benchmark: Loader, tmp_path: Path
) -> None:
    store = benchmark("fts5_store").Fts5(tmp_path, None)
    store.add("one", [{"id": "a", "text": "red cube"}, {"id": "b", "text": "机器人抓取方块"}])
    store.add("two", [{"id": "c", "text": "red box"}])

    assert store.search("one", "which red?", 5) == ["a"]
    assert store.search("one", "抓取方块", 5) == ["b"]
    assert store.search("two", "red cube", 5) == ["c"]
