"""Debian's Chromium, which is installed where it is missing and that can be done."""

import fcntl
import os
import shutil
import subprocess
import tempfile
from pathlib import Path
from typing import Final

_NAMES: Final = ("chromium", "chromium-browser", "google-chrome")
_PACKAGES: Final = ("chromium", "fonts-wqy-microhei")
_INSTALL_SECONDS: Final = 600


def find_or_install() -> str | None:
    """Return where Chromium is; None where there is none and none can be had."""
    # Tests run in several processes: one installs, the others wait for it.
    with (Path(tempfile.gettempdir()) / "mnemic-chromium.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        return _found() or (_installed() and _found()) or None


def _found() -> str | None:
    named = os.environ.get("MNEMIC_CHROMIUM")
    return named or next(filter(None, map(shutil.which, _NAMES)), None)


def _installed() -> bool:
    if os.geteuid() != 0 or shutil.which("apt-get") is None:
        return False
    environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    for words in (["update"], ["install", "--yes", "--no-install-recommends", *_PACKAGES]):
        done = subprocess.run(
            ["apt-get", "--quiet", *words],
            env=environment,
            capture_output=True,
            timeout=_INSTALL_SECONDS,
            check=False,
        )
        if done.returncode:
            return False
    return True
