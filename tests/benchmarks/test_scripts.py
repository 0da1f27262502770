"""Every benchmark starts, says what it lacks, and measures a little where that is quick."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.benchmarks.conftest import BENCHMARKS, Loader

SCRIPTS = sorted(path.stem for path in BENCHMARKS.glob("*.py"))


def kept(results: Path, name: str) -> dict[str, Any]:
    """Return a result that was not published."""
    return json.loads((results / f"{name}-partial.json").read_text("utf-8"))


@pytest.mark.parametrize("name", SCRIPTS)
def test_a_benchmark_says_which_question_it_answers(
    benchmark: Loader, name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    script = benchmark(name)

    with pytest.raises(SystemExit) as ended:
        script.main(["--help"])

    assert ended.value.code == 0
    question = script.__doc__.split("\n")[0]
    assert " ".join(question.split()) in " ".join(capsys.readouterr().out.split())
    assert f"python benchmarks/{name}.py" in script.__doc__


@pytest.mark.parametrize("name", ["ablation", "chat_context", "quality"])
@pytest.mark.usefixtures("results")
def test_data_that_are_not_there_are_named_in_one_sentence(
    benchmark: Loader, name: str, tmp_path: Path
) -> None:
    with pytest.raises(SystemExit, match=r"^The data set locomo.* is not in .*MNEMIC_DATA\.$"):
        benchmark(name).main(["--data", str(tmp_path)])


def test_the_calls_of_a_robot_are_measured_in_processes_of_their_own(
    benchmark: Loader, results: Path
) -> None:
    benchmark("robot").main(["--sizes", "60", "--skip-peer", "--embedder", "hashing"])

    trials = kept(results, "robot")["trials"]
    assert list(trials) == ["vectors", "words"]
    [vectors], [words] = trials["vectors"], trials["words"]
    assert vectors["recall"]["calls"] == words["recall"]["calls"] == 75
    assert vectors["learn"]["embedding_cpu_ms"] > words["learn"]["embedding_cpu_ms"] == 0
    assert vectors["bulk_embedding"]["bytes"] > words["loading"]["bytes"]
    assert words["end_session"]["cpu_ms_first"] > 0


def test_every_kind_of_recall_is_measured_cold_and_warm(benchmark: Loader, results: Path) -> None:
    benchmark("recall").main(["--sizes", "400", "--embedder", "hashing"])

    measured = kept(results, "recall")["sizes"]["400"]
    assert all(costs["calls"] == 30 for costs in measured["kinds"].values())
    assert measured["kinds"]["mixed"]["nothing"] == 0
    assert measured["stages"]["mixed"]["words"] > 0
    assert measured["cosine"] == {"questions": 30, "recall": 1.0}
    assert measured["freshness"]["missed"] == 0
    assert measured["cold"]["with"]["words_wall_ms"] > 0


def test_peers_find_and_cost_in_one_result(benchmark: Loader, results: Path, data: Path) -> None:
    benchmark("peers").main(["--data", str(data), "--only", "fts5", "--sizes", "150"])

    result = kept(results, "peers")
    assert result["quality"]["locomo"]["fts5"]["recall@5"] == 1
    assert result["costs"]["150"]["fts5"]["add_cpu_ms"] > 0
    assert result["programs"]["fts5"]["note"].startswith("SQLite")


def test_each_part_of_quality_is_measured_by_its_name(
    benchmark: Loader, results: Path, data: Path
) -> None:
    parts = ["locomo", "pooled", "abstention", "matching"]
    options = ["--data", str(data), "--only", ",".join(parts), "--embedder", "none"]

    benchmark("quality").main(options)

    result = kept(results, "quality")
    assert [part for part in result if part in parts] == parts
    assert result["locomo"]["hybrid"]["recall@5"] == 1
    assert result["pooled"]["locomo, separate"]["questions"] == 4
    assert result["abstention"]["LoCoMo, of another conversation, hybrid"]["questions"] == [4, 4]
    assert result["matching"]["locomo, hybrid"]["questions"] == 4


def test_every_part_of_recall_is_taken_away_in_turn(
    benchmark: Loader, results: Path, data: Path
) -> None:
    benchmark("ablation").main(["--data", str(data), "--embedder", "none"])

    scores = kept(results, "ablation")["locomo"]
    assert len(scores) == 18
    assert scores["everything"]["all"]["recall@5"] == 1


def test_a_plain_and_an_encrypted_store_are_measured_alike(
    benchmark: Loader, results: Path
) -> None:
    benchmark("encryption").main(["--memories", "30", "--rounds", "1", "--calls", "3"])

    rows = kept(results, "encryption")["rows"]
    whole = ["backup, checked", "first answer of a process", "file, MB"]
    assert [row[0] for row in rows] == ["learn", "recall", "list of 100", *whole]
    assert all(len(row) == 4 for row in rows)


def test_what_is_started_answers_its_first_call(benchmark: Loader, results: Path) -> None:
    benchmark("startup").main(["--runs", "1", "--memories", "20"])

    result = kept(results, "startup")
    assert [row["module"] for row in result["imports"]] == ["mnemic", "numpy", "apsw"]
    assert result["imports"][0]["unwanted"] == "none"
    assert result["server"]["to the first answer, wall ms"] > 0


def test_a_set_of_turns_that_nobody_knows_is_refused(benchmark: Loader) -> None:
    with pytest.raises(SystemExit) as ended:
        benchmark("extraction").main(["--only", "eighth"])

    assert ended.value.code == 2
