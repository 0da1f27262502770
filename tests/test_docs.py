"""What the documentation says is there, runs, and is all there is."""

import inspect
import re
import runpy
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import mnemic
from mnemic.dialects.assistant import catalog as assistant
from mnemic.dialects.assistant.messages import WRONG
from mnemic.dialects.robot.catalog import tools_of
from mnemic.engine.memory_verbs import Engine
from mnemic.errors import MnemicError
from mnemic.mcp.profiles import PROFILES

ROOT = Path(__file__).parent.parent
DOCS = ROOT / "docs"
PAGES = sorted([*ROOT.glob("*.md"), *(ROOT / "changes").glob("*.md"), *DOCS.rglob("*.md")])
RUN = [ROOT / "README.md", ROOT / "README.zh.md", *sorted((DOCS / "tutorials").glob("*.md"))]
RUN.append(DOCS / "how-to" / "erase-a-person.md")
TUTORIALS = sorted((DOCS / "tutorials").glob("*.md"))

_FENCE = re.compile(r"^```(\w*)\n(.*?)^```$", re.DOTALL | re.MULTILINE)
_LINK = re.compile(r"\[[^\]]*\]\(([^)\s]+)\)")


def _named(path: Path) -> str:
    return str(path.relative_to(ROOT))


def _blocks(path: Path) -> list[tuple[str, str]]:
    return [(found[1], found[2]) for found in _FENCE.finditer(path.read_text("utf-8"))]


@pytest.mark.parametrize("path", RUN, ids=_named)
def test_the_python_blocks_of_a_page_run_and_print_what_it_says(
    path: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    request: pytest.FixtureRequest,
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("MNEMIC_DATABASE", str(tmp_path / "memory.db"))
    monkeypatch.setenv("MNEMIC_EMBEDDER", "hashing")
    if "MNEMIC_URL" in path.read_text("utf-8"):
        monkeypatch.setenv("MNEMIC_URL", request.getfixturevalue("chat_server"))
    names: dict[str, Any] = {}
    blocks = _blocks(path)
    assert any(language == "python" for language, _ in blocks)
    for (language, code), (after, output) in zip(blocks, [*blocks[1:], ("", "")], strict=True):
        if language != "python":
            continue
        exec(compile(code, str(path), "exec"), names)  # noqa: S102  that is what is promised
        printed = capsys.readouterr().out
        if after == "text":
            assert printed == output


@pytest.mark.parametrize("path", TUTORIALS, ids=_named)
def test_the_code_of_a_tutorial_stands_in_an_example(path: Path) -> None:
    examples = [one.read_text("utf-8") for one in (ROOT / "examples").glob("*.py")]
    for language, code in _blocks(path):
        if language == "python":
            assert any(code.strip() in example for example in examples), code


@pytest.mark.parametrize("path", PAGES, ids=_named)
def test_the_relative_links_of_a_page_lead_somewhere(path: Path) -> None:
    for target in _LINK.findall(path.read_text("utf-8")):
        if "://" in target:
            continue
        name, _, anchor = target.partition("#")
        page = (path.parent / name).resolve() if name else path
        assert page.exists(), target
        if anchor:
            assert anchor in _anchors(page), target


def _anchors(page: Path) -> set[str]:
    headings = re.findall(r"^#+ (.+)$", page.read_text("utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", one).strip().lower().replace(" ", "-") for one in headings}


@pytest.mark.parametrize("path", PAGES, ids=_named)
def test_a_page_names_no_place_on_one_machine(path: Path) -> None:
    found = re.findall(r"(?<![\w.~:/])/(?:home|root|work|tmp|Users|mnt)\b", path.read_text("utf-8"))
    assert found == []


def test_every_page_is_in_the_index() -> None:
    linked = {
        (DOCS / target).resolve()
        for target in _LINK.findall((DOCS / "index.md").read_text("utf-8"))
    }
    assert [_named(page) for page in DOCS.rglob("*.md") if page not in linked] == ["docs/index.md"]


def test_both_readmes_have_the_same_parts() -> None:
    english, chinese = (
        [line for line in (ROOT / name).read_text("utf-8").splitlines() if line.startswith("#")]
        for name in ("README.md", "README.zh.md")
    )
    assert [line.split()[0] for line in english] == [line.split()[0] for line in chinese]
    blocks = [[kind for kind, _ in _blocks(ROOT / name)] for name in ("README.md", "README.zh.md")]
    assert blocks[0] == blocks[1]


def test_every_public_name_and_every_verb_is_in_the_python_reference() -> None:
    page = (DOCS / "reference" / "python.md").read_text("utf-8")
    verbs = [name for name, _ in inspect.getmembers(Engine, inspect.isfunction)]
    for name in [*mnemic.__all__, *(verb for verb in verbs if not verb.startswith("_"))]:
        assert re.search(rf"(?<![\w]){re.escape(name)}(?![\w])", page), name


def test_every_public_error_is_in_the_reference_with_its_code() -> None:
    page = (DOCS / "reference" / "python.md").read_text("utf-8")
    for kind in MnemicError.__subclasses__():
        if kind.__name__ in mnemic.__all__:
            assert f"`{kind.__name__}` | `{kind.code}`" in page


def test_every_tool_and_every_parameter_is_in_the_tool_reference() -> None:
    page = (DOCS / "reference" / "robot-tools.md").read_text("utf-8")
    for tool in tools_of("robot-extended"):
        part = page.partition(f"\n## {tool.name}\n")[2].partition("\n## ")[0]
        assert part, tool.name
        for parameter in tool.parameters:
            assert f"| `{parameter}` |" in part, f"{tool.name}: {parameter}"


def test_every_assistant_tool_and_every_parameter_is_in_its_reference() -> None:
    page = (DOCS / "reference" / "assistant-tools.md").read_text("utf-8")
    for tool in assistant.tools_of("assistant-extended"):
        part = page.partition(f"\n## {tool.name}\n")[2].partition("\n## ")[0]
        assert part, tool.name
        for parameter in tool.parameters:
            assert f"| `{parameter}` |" in part, f"{tool.name}: {parameter}"
        for field in tool.answers["properties"]["data"]["properties"]:
            assert f"| `{field}` |" in part, f"{tool.name}: {field}"


def test_of_every_error_code_the_assistant_reference_says_when_and_what_to_do() -> None:
    page = (DOCS / "reference" / "assistant-tools.md").read_text("utf-8")
    explained = page.partition("\n| code | when | what to do |\n")[2].partition("\n\n")[0]
    assert re.findall(r"^\| `([A-Z_]+)` \|", explained, re.MULTILINE) == list(WRONG)


def test_every_profile_of_tools_is_in_the_page_on_mcp_clients_and_in_the_commands() -> None:
    page = (DOCS / "how-to" / "connect-an-mcp-client.md").read_text("utf-8")
    commands = (DOCS / "reference" / "cli.md").read_text("utf-8")
    for profile in PROFILES:
        assert f"| `{profile}` |" in page
        assert f"{profile}:" in commands


def test_what_is_generated_is_current(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "path", [str(DOCS), *sys.path])
    pages: Callable[[], dict[Path, str]] = runpy.run_path(str(DOCS / "generate.py"))["pages"]
    for path, text in pages().items():
        assert path.read_text("utf-8") == text, f"{_named(path)}: run python docs/generate.py"


def test_of_every_parameter_and_field_of_the_chat_the_reference_says_what_it_means() -> None:
    page = (DOCS / "reference" / "chat-api.md").read_text("utf-8")
    rows = re.findall(r"^\| `\w+` \|.*\|$", page, re.MULTILINE)
    assert len(rows) > 200
    assert [row for row in rows if re.search(r"\|\s*\|$", row)] == []


def test_the_page_on_scale_says_of_every_table_how_it_is_spread_over_servers() -> None:
    page = (DOCS / "explanation" / "scale.md").read_text("utf-8")
    backend = Path(mnemic.__file__).parent / "storage" / "postgres"
    made = "\n".join(file.read_text("utf-8") for file in backend.rglob("*.sql"))
    tables = re.findall(r"^create table (\w+)", made, re.MULTILINE)
    assert "memory_vector" in tables
    spread = re.findall(r"create_(?:distributed|reference)_table\('(\w+)'", page)
    assert sorted(spread) == sorted(tables)


def test_every_command_is_in_the_command_reference() -> None:
    page = (DOCS / "reference" / "cli.md").read_text("utf-8")
    commands = re.findall(r"^## mnemic (.+)$", page, re.MULTILINE)
    tools = {tool.name.replace("_", "-") for tool in tools_of("robot-extended")}
    assert tools | {"mcp", "serve", "worker", "reindex", "doctor", "demo"} <= set(commands)


@pytest.mark.parametrize("path", sorted((DOCS / "decisions").glob("*.md")), ids=_named)
def test_a_decision_is_short_and_has_its_four_parts(path: Path) -> None:
    text = path.read_text("utf-8")
    assert len(text.splitlines()) <= 40
    assert re.findall(r"^## (.+)$", text, re.MULTILINE) == [
        "Context",
        "Decision",
        "Consequences",
        "What was measured",
    ]


def test_every_dependency_has_its_reason() -> None:
    page = (DOCS / "decisions" / "0002-dependencies.md").read_text("utf-8")
    project = (ROOT / "pyproject.toml").read_text("utf-8")
    listed = project.partition("\ndependencies = [")[2].partition("]")[0]
    for name in re.findall(r'"([A-Za-z0-9_-]+)', listed):
        assert f"\n| {name} |" in page, name
