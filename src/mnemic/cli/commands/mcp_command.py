"""`mnemic mcp`: one memory over standard input and output, ready in a moment."""

import logging
import signal
import sys
import threading
from typing import Self

from mnemic.cli.reporting import logging_as_set, reporting_errors
from mnemic.mcp.profiles import Profile, toolboxes
from mnemic.mcp.resources import ResourceReader
from mnemic.opening import OpenMemory, open_memory
from mnemic.startup.quick_imports import quick_imports

_LOG = logging.getLogger("mnemic.mcp")
_WARM_UP_SECONDS = 2.0
_STOP_SECONDS = 0.5


def serve_or_exit(*, database: str | None, profile: Profile) -> None:
    """Serve a memory until the client hangs up; where it cannot be opened, say so and leave."""
    # Whoever waits for a line from the client cannot be woken to leave in order, so Ctrl-C ends
    # the process as SIGTERM does. What was answered is stored; a call under way is undone.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    # Standard output carries the protocol and nothing else.
    with reporting_errors(), logging_as_set():
        serve(database=database, profile=profile)


def serve(*, database: str | None, profile: Profile) -> None:
    """Serve a memory over standard input and output until the client hangs up."""
    if sys.stdin.isatty():
        sys.stderr.write("mnemic: waiting for an MCP client on standard input; Ctrl-D ends.\n")
    with quick_imports():
        import anyio  # noqa: PLC0415  after what makes its import quick

        from mnemic.mcp import mcp_server, stdio  # noqa: PLC0415  after what makes its import quick
    with (
        open_memory(database, wait_for_embedder=False) as memory,
        BackgroundEmbedding(memory) as vectors,
    ):
        server = mcp_server.build_server(
            toolboxes(memory, profile), ResourceReader(memory), answered=vectors.begin
        )
        try:
            anyio.run(stdio.serve_stdio, server)
        except* BrokenPipeError:
            _LOG.debug("The client was gone before its answer came")


class BackgroundEmbedding:
    """Loads the embedder and embeds what was learned meanwhile, in the background.

    It begins after the first answer, so that this one need not share the processor, or a
    moment after the start if nobody asks anything.
    """

    def __init__(self, memory: OpenMemory) -> None:
        self._memory = memory
        self._wanted = threading.Event()
        self._stopped = threading.Event()
        # A daemon, so that a process that ends meanwhile does not wait for the model.
        self._thread = threading.Thread(target=self._run, name="mnemic-vectors", daemon=True)

    def begin(self) -> None:
        """Begin now, unless that was done before."""
        self._wanted.set()

    def wait(self) -> None:
        """Return when everything that was learned so far has its vector."""
        self._thread.join()

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._stopped.set()
        self._wanted.set()
        self._thread.join(timeout=_STOP_SECONDS)

    def _run(self) -> None:
        self._wanted.wait(_WARM_UP_SECONDS)
        if self._stopped.is_set():
            return
        self._memory.warm_up()
        try:
            # Again, for what was being learned just when the embedder arrived.
            while self._memory.embed_missing(progress=self._go_on):
                pass
        except Exception:
            if not self._stopped.is_set():
                _LOG.exception("Vectors could not be made; recall goes on with words")

    def _go_on(self, _done: int, _total: int) -> None:
        if self._stopped.is_set():
            raise InterruptedError
