"""The command-line options that benchmarks share."""

import argparse
import os
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from harness.results import REPOSITORY

DEFAULT: Final = "default"
"""The embedder of every run that is published."""
_DATA: Final = REPOSITORY.parent / "shared" / "data"


class Options(argparse.ArgumentParser):
    """A parser whose description is the question that a script's docstring asks."""

    def __init__(self, doc: str | None) -> None:
        super().__init__(description=(doc or "").split("\n")[0])

    def sizes(self, *usual: int) -> None:
        """Add `--sizes`: memories in the store before anything is measured."""
        self.add_argument("--sizes", type=_numbers, default=list(usual), help="by comma")

    def seed(self) -> None:
        self.add_argument("--seed", type=int, default=7)

    def embedder(self, usual: str | None = DEFAULT, *, help: str | None = None) -> None:
        self.add_argument("--embedder", default=usual, help=help)

    def data(self) -> None:
        """Add `--data`: the folder of the data sets, which are not part of the repository."""
        usual = Path(os.environ.get("MNEMIC_DATA") or _DATA)
        self.add_argument("--data", type=Path, default=usual, help="or MNEMIC_DATA")

    def names(self, flag: str, known: Sequence[str], *, usual: Sequence[str] | None = None) -> None:
        """Add an option of several names, separated by comma; by default all that are known."""

        def parse(text: str) -> list[str]:
            if unknown := set(text.split(",")) - set(known):
                raise argparse.ArgumentTypeError(f"{sorted(unknown)} unknown; there are {known}")
            return text.split(",")

        given = list(known if usual is None else usual)
        self.add_argument(flag, type=parse, default=given, help=",".join(known))


def _numbers(text: str) -> list[int]:
    return [int(number) for number in text.split(",")]
