"""A plugin of pytest that imports one module of Mnemic with a change made: see MNEMIC_MUTANT."""

import os
import sys
from collections.abc import Sequence
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec, PathFinder, SourceFileLoader
from pathlib import Path
from types import CodeType, ModuleType

from tests.mutation.mutants import mutated


class _MutatedLoader(SourceFileLoader):
    """Compiles the changed tree in place of the file's own."""

    def __init__(self, fullname: str, path: str, *, site: int, variant: int) -> None:
        super().__init__(fullname, path)
        self._site = site
        self._variant = variant

    def get_code(self, fullname: str) -> CodeType:
        tree = mutated(Path(self.path).read_text("utf-8"), self._site, self._variant)
        return compile(tree, self.path, "exec")


class _MutatedFinder(MetaPathFinder):
    def __init__(self, module: str, site: int, variant: int) -> None:
        self._module = module
        self._site = site
        self._variant = variant

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        if fullname != self._module:
            return None
        spec = PathFinder.find_spec(fullname, path, target)
        if spec is None or spec.origin is None:
            return None
        spec.loader = _MutatedLoader(fullname, spec.origin, site=self._site, variant=self._variant)
        return spec


def _install(key: str) -> None:
    path, site, variant = key.rsplit(":", 2)
    module = "mnemic." + path.removesuffix(".py").replace("/", ".")
    if module in sys.modules:
        raise RuntimeError(f"{module} was imported before it could be changed")
    sys.meta_path.insert(0, _MutatedFinder(module, int(site), int(variant)))


if key := os.environ.get("MNEMIC_MUTANT"):
    _install(key)
