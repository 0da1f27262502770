"""Programs to compare with, each in a virtual environment of its own."""

import subprocess
import sys
import venv
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from reporting import REPOSITORY, progress

_HOME: Final = REPOSITORY / "benchmarks" / ".peers"


@dataclass(frozen=True, slots=True)
class Peer:
    """A package from the index, and what else it needs."""

    name: str
    requirements: tuple[str, ...]


# It was written against mcp 1 and breaks with 2.
ROBOTMEM: Final = Peer("robotmem", ("robotmem==0.1.3", "mcp<2"))


def interpreter_of(peer: Peer) -> Path:
    """Return the Python of a peer's environment, making it the first time."""
    folder = _HOME / peer.name
    python = folder / "bin" / "python"
    done = folder / ".installed"
    if done.exists() and done.read_text("utf-8") == "\n".join(peer.requirements):
        return python
    progress(f"installing {', '.join(peer.requirements)} into {folder.relative_to(REPOSITORY)}")
    venv.create(folder, clear=True, with_pip=True)
    install = [str(python), "-m", "pip", "install", "-qq", *peer.requirements]
    subprocess.run(install, check=True, stdout=sys.stderr)
    done.write_text("\n".join(peer.requirements), "utf-8")
    return python
