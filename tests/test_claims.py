"""What the pages claim is so; sentences that were published and were not true do not come back."""

import ast
import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

import mnemic
from mnemic import errors
from mnemic.cli.reporting import exit_code
from mnemic.dialects.assistant.catalog import tools_of as assistant_tools
from mnemic.dialects.robot.catalog import tools_of as robot_tools
from mnemic.errors import MnemicError, UnusableStoreError
from mnemic.settings import Settings
from mnemic.transfer.exchange import export_store
from tests.conftest import Clock
from tests.storage import test_parity

ROOT = Path(__file__).parent.parent
DOCS = ROOT / "docs"
READMES = (ROOT / "README.md", ROOT / "README.zh.md")
PAGES = [
    *(path for folder in (ROOT, ROOT / "changes") for path in sorted(folder.glob("*.md"))),
    *sorted(DOCS.rglob("*.md")),
]
SOURCES = [
    path for ending in ("py", "pyi", "sql") for path in sorted((ROOT / "src").rglob(f"*.{ending}"))
]
MEASURE = DOCS / "how-to" / "measure-again.md"

NUMBERS = {11: "eleven", 12: "twelve", 13: "thirteen", 14: "fourteen"}
CHINESE = {11: "十一", 12: "十二", 13: "十三", 14: "十四"}

# Each was read by a sceptic, tried, and found wrong.
UNTRUE = [
    r"delete[sd]?\b[\w' ,]* for good",
    r"彻底删除",
    r"in one run on one machine",
    r"同一台机器的同一次运行",
    r"the others have no place for that",
    r"其他程序没有地方放",
    r"the same verbs, tools and scores",
    r"export carries everything",
    r"carry everything of an account",
    r"导出文件包含全部内容",
    r"every figure\s+here can be measured again",
    r"there are no keys",
    r"no such folder",
]


@pytest.mark.parametrize("claim", UNTRUE)
def test_a_claim_that_was_untrue_is_not_published_again(claim: str) -> None:
    pattern = re.compile(claim, re.IGNORECASE)
    published = [path for path in [*PAGES, *SOURCES] if pattern.search(path.read_text("utf-8"))]

    assert [str(path.relative_to(ROOT)) for path in published] == []


# Made by whoever follows the page, or what was there before.
NO_FILES = {"deploy/.env", "comparing.py", "dialects/sdk"}
FOLDERS = {"tests", "benchmarks", "docs", "deploy", "examples"} | {
    path.name for path in (ROOT / "src" / "mnemic").iterdir() if path.is_dir()
}


def test_every_file_of_ours_that_a_page_names_is_there() -> None:
    tops = [ROOT / name for name in ("src", "tests", "benchmarks", "docs", "deploy", "examples")]
    listed = [str(path.relative_to(ROOT)) for top in tops for path in top.rglob("*")]
    there = {
        "/".join(parts[first:last])
        for parts in (name.split("/") for name in listed)
        for first in range(len(parts))
        for last in range(first + 1, len(parts) + 1)
    }

    named = {
        name.rstrip("/"): page.name
        for page in PAGES
        if page.name != "CHANGELOG.md"
        for name in re.findall(
            r"`([a-z_][\w.-]*(?:/[\w.-]+)+|\w+\.(?:py|sql))`", page.read_text("utf-8")
        )
        if name.endswith((".py", ".sql")) or name.split("/")[0] in FOLDERS
    }
    missing = {name: page for name, page in named.items() if name not in there | NO_FILES}
    assert {name: page for name, page in missing.items() if "TABLE.sql" not in name} == {}


@pytest.mark.parametrize("readme", READMES, ids=lambda path: path.name)
def test_a_readme_says_what_an_export_leaves_out(
    readme: Path, tmp_path: Path, clock: Clock
) -> None:
    store = tmp_path / "memory.db"
    for account in ("default", "other"):
        with mnemic.open(store, account=account, embedder="hashing") as memory:
            memory.robot.learn("Grip force 12.5 N holds a mug")
            memory.keys.create("kitchen", account=account)
    exported = tmp_path / "export.jsonl"
    with exported.open("wb") as out:
        export_store(Settings(database=str(store)), out, now=clock())
    lines = [json.loads(line) for line in exported.read_text("utf-8").splitlines()]

    assert [line["name"] for line in lines if line["kind"] == "account"] == ["default"]
    assert "key" not in {line["kind"] for line in lines}
    assert not any("vector" in line for line in lines)
    told = readme.read_text("utf-8").partition("mnemic export memories.jsonl")[2][:400]
    assert "--all-accounts" in told
    assert "--vectors" in told
    assert re.search("keys|密钥", told)


@pytest.mark.parametrize("readme", READMES, ids=lambda path: path.name)
def test_a_readme_promises_of_postgresql_what_both_backends_are_tested_for(readme: Path) -> None:
    told = readme.read_text("utf-8").partition("mnemic migrate --from")[2][:500]

    assert test_parity.FIRST == 10
    assert f"{100 * test_parity.LEAST:g} %" in told


@pytest.mark.parametrize("readme", READMES, ids=lambda path: path.name)
def test_a_readme_names_the_days_and_machines_and_the_handicaps_of_its_comparison(
    readme: Path,
) -> None:
    folder = ROOT / "benchmarks" / "results"
    results = {
        name: json.loads((folder / f"{name}.json").read_text("utf-8"))
        for name in ("robot-full", "quality", "peers")
    }
    page = readme.read_text("utf-8")

    for result in results.values():
        assert result["run"]["cpu"] in page
        assert result["run"]["at"][:10] in page
    notes = {name: told["note"] for name, told in results["peers"]["programs"].items()}
    assert "infer=False; dense only" in notes["mem0"]
    assert "words only" in notes["robotmem"]
    assert "InMemoryStore" in notes["langgraph"]
    for handicap in (
        r"Mem0 (ran without a language model|没有用语言模型)（?\s?\(?`infer=False`",
        r"(without its keyword search|没有用关键词搜索)",
        r"(LangGraph in memory|LangGraph 在内存中运行)",
        r"(robotmem without vectors|robotmem 没有用向量)",
        r"(got no such metadata|没有得到\s这些元数据)",
    ):
        assert re.search(handicap, page), handicap


@pytest.mark.parametrize("script", ["quality", "ablation", "peers", "chat_context"])
def test_without_its_data_a_benchmark_says_so_in_one_sentence(script: str, tmp_path: Path) -> None:
    command = [sys.executable, str(ROOT / "benchmarks" / f"{script}.py"), "--data", str(tmp_path)]

    run = subprocess.run(command, capture_output=True, text=True, check=False, timeout=120)

    assert run.returncode == 1
    [sentence] = [line for line in run.stderr.splitlines() if "data set" in line]
    assert str(tmp_path) in sentence
    assert "docs/" in sentence
    assert "Traceback" not in run.stderr


def test_of_every_script_of_make_bench_it_is_said_what_it_needs() -> None:
    makefile = (ROOT / "Makefile").read_text("utf-8")
    page = MEASURE.read_text("utf-8")

    for script in sorted(set(re.findall(r"benchmarks/(\w+\.py)", makefile))):
        assert script in page, script


def test_every_error_that_ends_with_4_is_on_the_page_of_exit_codes() -> None:
    page = (DOCS / "reference" / "exit-codes.md").read_text("utf-8")
    rows = page.partition("Code 4 is one of these")[2]
    known = [part for row in re.findall(r"^\| (`.+?) \|", rows, re.M) for part in row.split("`")]
    known = [part for part in known if len(part) > len(", ")]

    for path in sorted((ROOT / "src").rglob("*.py")):
        for message in _messages(path, UnusableStoreError.__name__):
            assert any(part in message for part in known), f"{path.name}: {message}"


def test_the_exit_codes_of_the_robot_tools_are_those_of_the_commands() -> None:
    page = (DOCS / "reference" / "robot-tools.md").read_text("utf-8")
    told = dict(re.findall(r"^\| `(\w+Error)` \|.*\| ([\d or]+) \|$", page, re.M))

    assert len(told) > 5
    for name, codes in told.items():
        error: type[MnemicError] = getattr(errors, name)
        kinds = [error, *error.__subclasses__()]
        assert {int(code) for code in codes.split(" or ")} == {exit_code(kind) for kind in kinds}


def test_a_readme_counts_the_tools_as_they_are() -> None:
    usual = len(robot_tools("robot")) + len(assistant_tools("assistant"))
    extended = len(robot_tools("robot-extended")) + len(assistant_tools("assistant-extended"))
    english, chinese = (readme.read_text("utf-8") for readme in READMES)

    assert f"A client sees {NUMBERS[usual]} tools" in english
    assert f"`extended` {NUMBERS[extended - usual]} more" in english
    assert f"客户端看到{CHINESE[usual]}个工具" in chinese
    assert f"`extended` 再加{CHINESE[extended - usual]}个" in chinese


def _messages(path: Path, error: str) -> list[str]:
    """Return the texts with which an error is raised, without what is put into them."""
    return [
        "".join(
            part.value
            for part in ast.walk(call.args[0])
            if isinstance(part, ast.Constant) and isinstance(part.value, str)
        )
        for call in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(call, ast.Call) and isinstance(call.func, ast.Name)
        if call.func.id == error and call.args
    ]
