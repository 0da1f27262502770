"""How much of what a careful reader takes from a turn do the rules take, and how much else?

    python benchmarks/extraction.py [--only first,held_out,...] [--wrong]

The turns are kept with the tests, in tests/engine/extracting. No language model is asked.
"""

import argparse
import sys
import time
from importlib import import_module
from pathlib import Path
from typing import Final

sys.path.insert(0, str(Path(__file__).parent.parent))

from tests.engine.extracting.reading import WHATS, cases, score

_SETS: Final = ("first", "held_out", "fresh", "last", "hard", "final", "unseen")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0] if __doc__ else None)
    parser.add_argument("--only", default=",".join(_SETS), help="sets of turns, by comma")
    parser.add_argument("--wrong", action="store_true", help="tell each mistake")
    options = parser.parse_args()
    for name in options.only.split(","):
        module = import_module(f"tests.engine.extracting.turns_{name}")
        for language in ("ENGLISH", "CHINESE"):
            read = list(cases(getattr(module, language)))
            start = time.process_time()
            result = score(read)
            spent = (time.process_time() - start) * 1000 / len(read)
            print(f"{name}, {language.lower()}: {len(read)} turns, {spent:.2f} ms CPU each")
            for what in WHATS:
                print("   ", result.row(what))
            if options.wrong:
                print("\n".join(f"      {line}" for line in result.wrong))


if __name__ == "__main__":
    main()
