"""How much of what a careful reader takes from a turn do the rules take, and how much else?

    python benchmarks/extraction.py [--only first,second,...] [--wrong]

The rules were mended against these turns (tests/chat/extraction/mended_against), so the figures
are no estimate for other talk. No language model is asked.
"""

import sys
from collections.abc import Sequence
from importlib import import_module
from typing import Final

from harness.measure import time_call
from harness.options import Options
from harness.results import REPOSITORY

sys.path.append(str(REPOSITORY))
from tests.chat.extraction.reading import WHATS, cases, score

_SETS: Final = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh")


def main(arguments: Sequence[str] | None = None) -> None:
    parser = Options(__doc__)
    parser.names("--only", _SETS)
    parser.add_argument("--wrong", action="store_true", help="tell each mistake")
    options = parser.parse_args(arguments)
    for name in options.only:
        module = import_module(f"tests.chat.extraction.mended_against.{name}")
        for language in ("ENGLISH", "CHINESE"):
            turns = list(cases(getattr(module, language)))
            timed = time_call(score, [turns])
            cpu_ms = timed["cpu_ms"] / len(turns)
            print(f"{name}, {language.lower()}: {len(turns)} turns, {cpu_ms:.2f} ms CPU each")
            for what in WHATS:
                print("   ", timed["answer"].row(what))
            if options.wrong:
                print("\n".join(f"      {line}" for line in timed["answer"].wrong))


if __name__ == "__main__":
    main()
