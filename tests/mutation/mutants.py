"""The mutants of a source file: one constant or one comparison changed."""

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

_OPPOSITE: Final[dict[type[ast.cmpop], type[ast.cmpop]]] = {
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
}
_STEP: Final = 0.05
"""By which part of itself a number with a fraction is changed, up and down."""


@dataclass(frozen=True, slots=True)
class Mutant:
    """One change of one file: the `site`-th constant or comparison in it, in the order of the tree,
    and which of its `variants`.
    """

    path: str
    site: int
    variant: int
    line: int
    name: str
    change: str

    @property
    def key(self) -> str:
        """Return what names it on a command line."""
        return f"{self.path}:{self.site}:{self.variant}"


def mutants_of(root: Path, path: str) -> Iterator[Mutant]:
    """Yield the mutants of a file, in the order of its lines."""
    tree = ast.parse((root / path).read_text("utf-8"))
    for site, (node, name) in enumerate(_sites(tree)):
        for variant, change in enumerate(_variants(node)):
            yield Mutant(path, site, variant, node.lineno, name, change)


def mutated(source: str, site: int, variant: int) -> ast.Module:
    """Return the tree of a source with one change made."""
    tree = ast.parse(source)
    node, _ = list(_sites(tree))[site]
    if isinstance(node, ast.Constant):
        node.value = _numbers(node.value)[variant]
    else:
        node.ops[variant] = _OPPOSITE[type(node.ops[variant])]()
    return tree


def _sites(tree: ast.Module) -> Iterator[tuple[ast.Constant | ast.Compare, str]]:
    """Yield constants and comparisons with the name of the constant or function they are in."""
    for name, statement in _statements(tree):
        for node in ast.walk(statement):
            if isinstance(node, ast.Compare) or (
                isinstance(node, ast.Constant) and type(node.value) in (int, float)
            ):
                yield node, name


def _statements(tree: ast.Module) -> Iterator[tuple[str, ast.stmt]]:
    """Yield the statements of a module and of its classes, each with its name."""
    for statement in tree.body:
        if isinstance(statement, ast.ClassDef):
            for inner in statement.body:
                yield f"{statement.name}.{_name_of(inner)}", inner
        else:
            yield _name_of(statement), statement


def _name_of(statement: ast.stmt) -> str:
    if isinstance(statement, ast.AnnAssign):
        return ast.unparse(statement.target)
    if isinstance(statement, ast.Assign):
        return ast.unparse(statement.targets[0])
    return getattr(statement, "name", "")


def _variants(node: ast.Constant | ast.Compare) -> list[str]:
    if isinstance(node, ast.Constant):
        return [f"{node.value!r} -> {value!r}" for value in _numbers(node.value)]
    return [
        f"{type(op).__name__} -> {_OPPOSITE[type(op)].__name__} in {ast.unparse(node)}"
        for op in node.ops
    ]


def _numbers(value: object) -> tuple[int | float, ...]:
    """Return a number a little larger and a little smaller."""
    if isinstance(value, int):
        return (value + 1, value - 1)
    if isinstance(value, float):
        return (value * (1 + _STEP), value * (1 - _STEP)) if value else (_STEP,)
    return ()
