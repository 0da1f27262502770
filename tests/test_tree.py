"""The rules of the tree: one name for one thing, and packages that say what they hold."""

import ast
import re
from collections import defaultdict
from pathlib import Path

import mnemic

SOURCE = Path(mnemic.__file__).parent
GLOSSARY = Path(__file__).parent.parent / "docs" / "glossary.md"
# Folders that answer the same questions for another backend or another wire format.
MIRRORED = {"sqlite", "postgres", "robot", "assistant", "chat"}
MODULES = sorted(path for path in SOURCE.rglob("*.py") if path.name != "__init__.py")
PACKAGES = sorted(path.parent for path in SOURCE.rglob("__init__.py"))


def test_no_public_class_is_defined_twice() -> None:
    places: dict[str, list[str]] = defaultdict(list)
    for path in MODULES:
        for node in ast.parse(path.read_text("utf-8")).body:
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                places[node.name].append(str(path.relative_to(SOURCE)))

    assert {name: where for name, where in places.items() if len(where) > 1} == {}


def test_no_module_name_is_used_twice_outside_mirrored_folders() -> None:
    places: dict[str, set[Path]] = defaultdict(set)
    for path in MODULES:
        places[path.stem].add(_mirror_of(path.parent.relative_to(SOURCE)))

    assert {name: where for name, where in places.items() if len(where) > 1} == {}


def test_no_package_has_more_than_15_modules_side_by_side() -> None:
    counts = {path: len([*path.glob("*.py")]) - 1 for path in PACKAGES}

    assert {path: count for path, count in counts.items() if count > 15} == {}


def test_every_package_says_what_belongs_in_it_and_where_to_start() -> None:
    silent = [
        package.relative_to(SOURCE)
        for package in PACKAGES
        if package.name not in ("mnemic", "pages", "migrations")
        and "tart" not in (_docstring(package / "__init__.py") or "")
    ]

    assert silent == []


def test_where_a_package_says_to_start_there_is_something_to_read() -> None:
    lost: dict[Path, list[str]] = {}
    for package in PACKAGES:
        start = (_docstring(package / "__init__.py") or "").partition("Start")[2]
        named = re.findall(r"`([a-z_.]+)`", re.split(r"\.\s", start)[0])
        gone = [name for name in named if not _is_module(package, name)]
        if gone:
            lost[package.relative_to(SOURCE)] = gone

    assert lost == {}


def test_every_name_in_the_glossary_is_in_the_code() -> None:
    rows = [line.split("|") for line in GLOSSARY.read_text("utf-8").splitlines() if "**" in line]
    named = {name for row in rows for name in re.findall(r"`([\w.]+)`", row[3])}
    source = {path: path.read_text("utf-8") for path in MODULES}
    defined = {
        name
        for text in source.values()
        for node in ast.walk(ast.parse(text))
        for name in _defined_by(node)
    }

    assert len(rows) > 25
    assert {name for name in named if name.rpartition(".")[2] not in defined} == set()


def _is_module(package: Path, name: str) -> bool:
    path = package.joinpath(*name.split("."))
    whole = SOURCE.joinpath(*name.removeprefix("mnemic.").split("."))
    return any(place.is_dir() or place.with_suffix(".py").exists() for place in (path, whole))


def _defined_by(node: ast.AST) -> list[str]:
    match node:
        case ast.ClassDef(name=name) | ast.FunctionDef(name=name):
            return [name]
        case ast.AnnAssign(target=ast.Name(id=name)):
            return [name]
        case ast.Assign(targets=[ast.Name(id=name)]):
            return [name]
        case _:
            return []


def _mirror_of(folder: Path) -> Path:
    inside = folder.parts[:1] in (("storage",), ("dialects",))
    return folder.parent if inside and folder.name in MIRRORED else folder


def _docstring(path: Path) -> str | None:
    return ast.get_docstring(ast.parse(path.read_text("utf-8")))
