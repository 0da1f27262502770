"""Every pattern that meets people's text is registered, and shown to be linear."""

import ast
import pkgutil
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Final

import pytest

import mnemic
from mnemic.chat.extraction.plain_reading.phrase_tables import table
from mnemic.language import classify
from mnemic.language.memory_types import type_words
from mnemic.language.secrets.recognising import secret_words
from mnemic.runtime.patterns import PatternSource, bounded, registered
from tests.language.ambiguity import finding

# Where a pattern may be compiled without being registered: there it meets no text of people.
ELSEWHERE: Final = {
    "runtime/patterns.py": "the registry itself; it reads sources of patterns",
    "chat/extraction/plain_reading/phrase_tables.py": "reads tables of ours, as patterns",
    "language/classify.py": "reads phrases of ours, and makes patterns of them",
    "storage/statements.py": "reads statements of ours",
    "storage/postgres/address.py": "reads a setting",
    "providers/embedders/choosing.py": "reads a setting",
    "providers/languages.py": "reads a setting",
    "providers/server_address.py": "reads a setting",
    "cli/doctor/installation.py": "reads what the package says that it needs",
    "cli/setup/setup_command.py": "reads options of a command",
    "cli/setup/json_text.py": "reads a file of settings of this machine",
    "cli/setup/toml_text.py": "reads a file of settings of this machine",
}


def every_pattern() -> list[PatternSource]:
    for module in pkgutil.walk_packages(mnemic.__path__, "mnemic."):
        if not module.name.endswith("__main__"):
            import_module(module.name)
    for tongue in ("english", "chinese"):
        table(tongue)
    type_words()
    secret_words()
    phrases = (PatternSource(source, 0, True) for source in classify.phrase_patterns())
    return [*dict.fromkeys((*registered(), *phrases))]


def test_every_pattern_over_peoples_text_is_shown_to_be_linear() -> None:
    patterns = every_pattern()
    shown = {one: finding(one.source, one.flags, searched=one.searched) for one in patterns}

    assert len(patterns) > 1_000
    assert {one.source: why for one, why in shown.items() if why} == {}


@pytest.mark.parametrize(
    "source",
    [
        r"(?:那就|那|就)*x",
        r"\s+x",
        r"[.!?]+$",
        r"(?:\w+\s*)*y",
        r"x.*y.*z",
        r"<b>.*?</b>",
        r"(?:ab|a|b){0,30}c",
        r".{0,80}a.{0,80}b",
        r"(?=.*b)a",
        r",?\s+(?=but\b)",
        r"\w+(?!ab)",
        r"\s+\b",
        r"\A(?:a*)*b",
        r"\A(?:a|a?)+b",
        r"\A(?:x+x+)+y",
        r"\A(\w\w|\d)+\.",
        r"(?<!x)x*(?=a|xx)x*y",
        r"(?<!x)(?>x*)x*y",
        r"(?i)(?<!k)k*K*y",
        r"(?<!a)a+(?i:A+)b",
    ],
)
def test_a_pattern_that_can_be_pumped_is_found(source: str) -> None:
    assert finding(source) is not None


@pytest.mark.parametrize(
    "source",
    [
        r"(?<![那就])(?:那|就)*x",
        r"(?<!\s)\s+x",
        r"\b\w+@",
        r"x[^x]*y",
        r"[a-z]+(?:-[a-z]+)*",
        r"\A.*x",
        r"a.{0,40}b",
        r"(?<!x)x*+x*y",
        r"(?<!x)x*(?=a|bb)x*y",
    ],
)
def test_a_pattern_that_cannot_be_pumped_is_let_through(source: str) -> None:
    assert finding(source) is None


def test_where_a_text_is_not_searched_a_pattern_may_begin_with_anything() -> None:
    assert finding(r"\s*x") is not None
    assert finding(r"\s*x", searched=False) is None


def test_a_short_pattern_has_bounds_instead_of_stars() -> None:
    source = r"(?:so|\+)*\s+[\w' -]+?[a-z*]+\d*.*$|[]*]+"

    assert bounded(source) == (
        r"(?:so|\+){0,8}\s{1,8}[\w' -]{1,64}?[a-z*]{1,32}\d{0,32}.*$|[]*]{1,32}"
    )


def test_patterns_are_compiled_in_one_place_alone() -> None:
    source = Path(mnemic.__file__).parent
    compiling = {
        path.relative_to(source).as_posix(): lines
        for path in sorted(source.rglob("*.py"))
        if (lines := list(_compiling(ast.parse(path.read_text("utf-8")))))
    }

    assert {name: lines for name, lines in compiling.items() if name not in ELSEWHERE} == {}
    assert ELSEWHERE.keys() - compiling == set()


def _compiling(tree: ast.Module) -> Iterator[int]:
    """Yield the lines on which something of `re` is used that takes a pattern."""
    harmless = {"escape", "Pattern", "Match", "NOFLAG", "I", "M", "S", "X", "A"}
    harmless |= {"IGNORECASE", "MULTILINE", "DOTALL", "VERBOSE", "ASCII"}
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.module in ("re", "regex"):
            yield node.lineno
        if isinstance(node, ast.Import) and any(
            one.name == "regex" or (one.name == "re" and one.asname) for one in node.names
        ):
            yield node.lineno
        if (
            isinstance(node, ast.Attribute)
            and isinstance(node.value, ast.Name)
            and node.value.id == "re"
            and node.attr not in harmless
        ):
            yield node.lineno
