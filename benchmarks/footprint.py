"""What does `pip install mnemic` bring? Packages and megabytes, in an environment of its own.

python benchmarks/footprint.py [--wheel mnemic.whl]
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any, Final
from venv import EnvBuilder

from reporting import REPOSITORY, conditions, progress, save, state, table

MOST_PACKAGES: Final = 50
MOST_MEGABYTES: Final = 260
# What a virtual environment has before anything is installed.
_TOOLS: Final = ("pip", "setuptools", "wheel", "pkg_resources", "_distutils_hack", "distutils")
_LARGEST: Final = 10

# Run inside: which packages there are, and which files are theirs.
_LISTING: Final = """
import json, sysconfig
from importlib.metadata import distributions
print(json.dumps([sysconfig.get_path("purelib"),
                  {one.name.lower(): [str(one.locate_file(f)) for f in one.files or ()]
                   for one in distributions()}]))
"""
_TRYING: Final = """
import mnemic
with mnemic.open(":memory:") as memory:
    memory.robot.learn("12.5 N of grip force holds a mug")
    print(memory.robot.recall("how firmly to hold a cup")["mode"])
"""


def build(folder: Path) -> Path:
    """Make the wheel from the sources and return where it lies."""
    _run(
        [
            sys.executable,
            "-m",
            "pip",
            "-qq",
            "wheel",
            "--no-deps",
            "-w",
            str(folder),
            str(REPOSITORY),
        ]
    )
    return next(folder.glob("mnemic-*.whl"))


def install(wheel: Path, folder: Path) -> Path:
    """Install a wheel into a new environment, with no compiler; return its interpreter."""
    EnvBuilder(with_pip=True, clear=True).create(folder)
    python = folder / ("Scripts" if os.name == "nt" else "bin") / "python"
    _run([str(python), "-m", "pip", "-qq", "install", "--only-binary", ":all:", str(wheel)])
    return python


def measure(python: Path) -> dict[str, Any]:
    """Count what an environment holds besides the tools that make it."""
    folder: str
    listed: dict[str, list[str]]
    folder, listed = json.loads(_run([str(python), "-c", _LISTING]))
    sizes = {
        name: sum(Path(file).stat().st_size for file in set(files) if Path(file).is_file())
        for name, files in listed.items()
        if name not in _TOOLS
    }
    largest = sorted(sizes.items(), key=lambda one: -one[1])[:_LARGEST]
    return {
        "packages": len(sizes),
        "megabytes": round(_on_disk(Path(folder)) / 1e6, 1),
        "content_megabytes": round(sum(sizes.values()) / 1e6, 1),
        "limits": {"packages": MOST_PACKAGES, "megabytes": MOST_MEGABYTES},
        "largest": {name: round(size / 1e6, 1) for name, size in largest},
        "names": sorted(sizes),
        "first_recall": _run([str(python), "-c", _TRYING]).strip(),
    }


def _on_disk(folder: Path) -> int:
    """Return what a folder of packages takes on the disk, compiled modules included."""
    kept = (one for one in folder.iterdir() if not one.name.startswith(_TOOLS))
    files = (file for one in kept for file in (one.rglob("*") if one.is_dir() else (one,)))
    return sum(file.lstat().st_blocks * 512 for file in files)


def _run(command: list[str]) -> str:
    # The interpreter that is measured must not see the packages of this one.
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    return subprocess.run(
        command, check=True, stdout=subprocess.PIPE, text=True, env=environment
    ).stdout


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--wheel", type=Path)
    asked = parser.parse_args()
    run = conditions()
    state(run)
    with tempfile.TemporaryDirectory(prefix="mnemic-footprint-") as folder:
        progress("making the wheel")
        wheel = asked.wheel or build(Path(folder))
        progress("installing it")
        found = measure(install(wheel, Path(folder) / "venv"))
        found["wheel_megabytes"] = round(wheel.stat().st_size / 1e6, 2)
    rows = [[name, size] for name, size in found["largest"].items()]
    table("Largest packages", ["package", "MB"], rows)
    rows = [[name, found[name], most] for name, most in found["limits"].items()]
    table("In all", ["", "found", "at most"], rows)
    save("footprint", {"run": run, **found})
    if any(found[name] > most for name, most in found["limits"].items()):
        sys.exit("more than it may be")


if __name__ == "__main__":
    main()
