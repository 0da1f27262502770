"""Change constants and comparisons one by one, run the tests on each, and list the survivors.

    python -m tests.mutation.run                     the numbers of the contracts
    python -m tests.mutation.run memory/dedup.py     every constant and comparison in it

A survivor is a change that no test noticed. What the contracts name must have none.
"""

import os
import subprocess
import sys
import tomllib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from tests.mutation.mutants import Mutant, mutants_of

ROOT: Final = Path(__file__).parents[2]
SOURCE: Final = ROOT / "src" / "mnemic"
CONTRACTS: Final = Path(__file__).parent / "contracts.toml"
# Which tests speak for a folder, where no contract names its own.
_TESTS: Final = {
    "memory": ("tests/memory", "tests/dialects/robot"),
    "assistant": ("tests/assistant", "tests/dialects/assistant"),
    "chat": ("tests/chat", "tests/dialects/chat"),
}
_SECONDS: Final = 600
_NO_TESTS: Final = 5
"""What pytest returns where there is nothing to run."""


@dataclass(frozen=True, slots=True)
class ContractNumber:
    """A number that a contract names: where it stands, and the tests on both sides of it."""

    promise: str
    path: str
    name: str
    tests: tuple[str, ...]

    def mutants(self) -> list[Mutant]:
        """Return the changes of this number."""
        return [mutant for mutant in mutants_of(SOURCE, self.path) if mutant.name == self.name]


def contract_numbers() -> list[ContractNumber]:
    """Return the numbers of the contracts, as `contracts.toml` lists them."""
    entries = tomllib.loads(CONTRACTS.read_text("utf-8"))["number"]
    return [
        ContractNumber(entry["promise"], *entry["at"].split(":"), tests=tuple(entry["tests"]))
        for entry in entries
    ]


def survives(mutant: Mutant, tests: Sequence[str]) -> bool:
    """Tell whether all tests pass on a mutant."""
    command = [sys.executable, "-m", "pytest", "-q", "-x", "-p", "tests.mutation.mutated_import"]
    try:
        done = subprocess.run(
            [*command, "-p", "no:cacheprovider", "-k", "not postgres", *tests],
            cwd=ROOT,
            env={**os.environ, "MNEMIC_MUTANT": mutant.key},
            capture_output=True,
            timeout=_SECONDS,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return False
    if done.returncode == _NO_TESTS:
        raise RuntimeError(f"{mutant.key}: {done.stdout.decode()[-2000:]}")
    return done.returncode == 0


def _wanted(paths: Sequence[str]) -> Iterator[tuple[Mutant, tuple[str, ...]]]:
    """Yield the mutants of the contracts, or of files and folders, each with its tests."""
    if not paths:
        for number in contract_numbers():
            yield from ((mutant, number.tests) for mutant in number.mutants())
    for path in paths:
        found = [SOURCE / path] if path.endswith(".py") else sorted((SOURCE / path).rglob("*.py"))
        for file in found:
            for mutant in mutants_of(SOURCE, str(file.relative_to(SOURCE))):
                yield mutant, _TESTS[Path(path).parts[0]]


def main(paths: Sequence[str]) -> int:
    """Run the mutants that are wanted; return how many survived."""
    wanted, survivors = list(_wanted(paths)), 0
    for number, (mutant, tests) in enumerate(wanted, 1):
        survived = survives(mutant, tests)
        survivors += survived
        outcome = "SURVIVED" if survived else "killed"
        place = f"{mutant.path}:{mutant.line} {mutant.name}"
        sys.stdout.write(f"{number}/{len(wanted)} {outcome:8} {place}: {mutant.change}\n")
        sys.stdout.flush()
    sys.stdout.write(f"{survivors} of {len(wanted)} mutants survived\n")
    return survivors


if __name__ == "__main__":
    sys.exit(min(main(sys.argv[1:]), 100))
