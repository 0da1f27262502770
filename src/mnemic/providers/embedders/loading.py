"""The engine's handle on an embedder: loaded in the background, given up on when it breaks."""

import logging
import math
import threading
import time
from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from mnemic.errors import EmbedderError
from mnemic.providers.embedders.embedder import Embedder, EmbedderSource

_LOG = logging.getLogger("mnemic")


class LazyEmbedder:
    """An embedder that may be absent, loading, ready or broken; answers None unless ready.

    A broken one is reported once and then left alone, so that recall goes on with words at
    once. A remote one is tried again after `cool_down` seconds, by one caller only, and reported
    anew only if it worked in between. Threads may share it.
    """

    def __init__(
        self,
        source: EmbedderSource | None,
        *,
        warn: Callable[[str], None] = _LOG.warning,
        monotonic: Callable[[], float] = time.monotonic,
        cool_down: float = 60.0,
    ) -> None:
        self._source = source
        self._warn = warn
        self._monotonic = monotonic
        self._cool_down = cool_down
        self._lock = threading.Lock()  # guards everything below
        self._loading: threading.Event | None = None
        self._embedder: Embedder | None = None
        self._problem: str | None = None
        self._retry_at = math.inf
        self._warned = False

    @property
    def name(self) -> str | None:
        """The embedder's name, or None before it is loaded."""
        with self._lock:
            return self._embedder.name if self._embedder else None

    @property
    def state(self) -> str:
        """`off`, `idle`, `loading`, `ready` or `broken: reason`, for diagnostics."""
        with self._lock:
            if self._source is None:
                return "off"
            if self._loading is not None:
                return "loading"
            if self._problem is not None:
                return f"broken: {self._problem}"
            return "idle" if self._embedder is None else "ready"

    def start(self) -> None:
        """Begin loading in the background; nothing happens if that was done before."""
        with self._lock:
            self._begin()

    def ready(self, *, wait: bool) -> Embedder | None:
        """Return the embedder, or None when it is off, broken or, without `wait`, not loaded.

        Loading begins in either case.
        """
        with self._lock:
            loading = self._begin()
        if wait and loading is not None:
            loading.wait()
        with self._lock:
            return self._embedder if self._may_try() else None

    def embed(self, texts: Sequence[str], *, wait: bool) -> NDArray[np.float32] | None:
        """Return one row of length 1 per text, or None when words have to do."""
        embedder = self.ready(wait=wait)
        if embedder is None or not self._claim():
            return None
        try:
            rows = embedder.embed(texts)
        except EmbedderError as error:
            self._fail(str(error))
            return None
        self._recover()
        return rows

    def close(self) -> None:
        """Let go of the embedder for good; one that is still loading is closed when it arrives."""
        with self._lock:
            embedder, self._embedder, self._source = self._embedder, None, None
        if embedder is not None:
            embedder.close()

    def _begin(self) -> threading.Event | None:
        """Start a load where one is due, and return the running one. The lock is held."""
        if self._source is None or self._embedder is not None:
            return None
        if self._loading is None and self._may_try():
            loaded = threading.Event()
            # A daemon, so that a process that ends meanwhile does not wait for the model.
            threading.Thread(
                target=self._load, args=(self._source, loaded), name="mnemic-embedder", daemon=True
            ).start()
            self._loading = loaded
        return self._loading

    def _load(self, source: EmbedderSource, loaded: threading.Event) -> None:
        try:
            embedder = source.load()
        except Exception as error:  # nobody is above this thread to see it
            self._fail(str(error) or type(error).__name__, loaded=loaded)
            return
        with self._lock:
            wanted = self._source is not None
            if wanted:
                self._embedder, self._problem, self._warned = embedder, None, False
            self._loading = None
        loaded.set()
        if not wanted:
            embedder.close()

    def _may_try(self) -> bool:
        return self._problem is None or self._monotonic() >= self._retry_at

    def _claim(self) -> bool:
        """Say whether this caller may ask the embedder: of a broken one's callers, only one."""
        with self._lock:
            allowed = self._may_try()
            if allowed and self._problem is not None:
                self._retry_at = self._monotonic() + self._cool_down
            return allowed

    def _fail(self, reason: str, *, loaded: threading.Event | None = None) -> None:
        with self._lock:
            # Once it is closed, nobody cares any more.
            first, self._warned = self._source is not None and not self._warned, True
            self._problem = reason
            remote = self._source is not None and self._source.remote
            self._retry_at = self._monotonic() + self._cool_down if remote else math.inf
            if loaded is not None:
                self._loading = None
        # Outside the lock, because the one who is warned may ask for the state; before the
        # waiting ones go on, so that nobody falls back to words unannounced.
        try:
            if first:
                self._warn(f"The embedder is off and recall goes on with words only: {reason}")
        finally:
            if loaded is not None:
                loaded.set()

    def _recover(self) -> None:
        with self._lock:
            # A local one stays off even if another thread's call still came through.
            if self._problem is not None and self._source is not None and self._source.remote:
                self._problem, self._warned = None, False
