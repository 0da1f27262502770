"""What does `pip install mnemic` bring? Packages and megabytes, in a folder of its own.

    python benchmarks/footprint.py [--wheel mnemic.whl]

The exit code is 1 where that is more than the limits.
"""

import subprocess
import sys
import tempfile
from collections.abc import Sequence
from importlib.metadata import Distribution, distributions
from pathlib import Path
from typing import Any, Final

from harness.markdown import show, table
from harness.options import Options
from harness.results import REPOSITORY, Result, conditions, progress, save

_LIMITS: Final = {"packages": 50, "megabytes": 260}
_LARGEST: Final = 10
_TRY: Final = """
import mnemic
with mnemic.open(":memory:") as memory:
    memory.robot.learn("12.5 N of grip force holds a mug")
    print(memory.robot.recall("how firmly to hold a cup")["mode"])
"""


def main(arguments: Sequence[str] | None = None) -> None:
    parser = Options(__doc__)
    parser.add_argument("--wheel", type=Path, help="one that was built before")
    options = parser.parse_args(arguments)
    result: Result = {"run": conditions()}
    with tempfile.TemporaryDirectory(prefix="mnemic-footprint-") as scratch:
        folder, installed = Path(scratch), Path(scratch) / "installed"
        progress("building the wheel")
        if options.wheel is None:
            _pip("wheel", "--no-deps", "-w", str(folder), str(REPOSITORY))
        wheel = options.wheel or next(folder.glob("mnemic-*.whl"))
        progress("installing it, with no compiler")
        _pip("install", "--only-binary", ":all:", "--target", str(installed), str(wheel))
        result |= _measure(installed)
        result["wheel_megabytes"] = round(wheel.stat().st_size / 1e6, 2)
    print(table(["package", "MB"], list(result["largest"].items())))
    show("In all", {name: {"is": result[name], "limit": most} for name, most in _LIMITS.items()})
    save("footprint", result)
    if any(result[name] > most for name, most in _LIMITS.items()):
        sys.exit("The installation is larger than its limits.")


def _pip(*arguments: str) -> None:
    subprocess.run([sys.executable, "-m", "pip", "-qq", *arguments], check=True)


def _measure(folder: Path) -> dict[str, Any]:
    """Count the packages in a folder, their sizes, and the disk they take compiled."""
    sizes = {package.name.lower(): _size(package) for package in distributions(path=[str(folder)])}
    largest = sorted(sizes.items(), key=lambda package: -package[1])[:_LARGEST]
    on_disk = sum(file.lstat().st_blocks * 512 for file in folder.rglob("*"))
    # The interpreter must not see the packages of this one: -I forgets its environment.
    code = f"import site; site.addsitedir({str(folder)!r})\n{_TRY}"
    tried = subprocess.check_output([sys.executable, "-S", "-I", "-c", code], text=True)
    return {
        "packages": len(sizes),
        "megabytes": round(on_disk / 1e6, 1),
        "content_megabytes": round(sum(sizes.values()) / 1e6, 1),
        "limits": _LIMITS,
        "largest": {name: round(size / 1e6, 1) for name, size in largest},
        "names": sorted(sizes),
        "first_recall": tried.strip(),
    }


def _size(package: Distribution) -> int:
    files = {Path(str(package.locate_file(file))) for file in package.files or ()}
    return sum(file.stat().st_size for file in files if file.is_file())


if __name__ == "__main__":
    main()
