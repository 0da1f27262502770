"""Which model to ask on which server, and how patiently. Holds no connection."""

import time
from collections.abc import Callable
from dataclasses import dataclass, field

from mnemic.runtime.retries import doubled


@dataclass(frozen=True, slots=True, kw_only=True)
class Patience:
    """How long to wait for a server and how often to ask again, pausing longer each time."""

    connect_seconds: float = 3.0
    read_seconds: float = 30.0
    retries: int = 2
    first_pause: float = 0.5
    longest_pause: float = 5.0
    sleep: Callable[[float], None] = time.sleep

    def pause_after(self, attempt: int, *, asked: float | None = None) -> float | None:
        """Return how long to wait after the failed `attempt`, counted from 0: longer where the
        server asked for it, and None after the last one.
        """
        if attempt >= self.retries:
            return None
        pause = doubled(attempt, first=self.first_pause, longest=self.longest_pause)
        return min(max(pause, asked or 0.0), self.longest_pause)


@dataclass(frozen=True, slots=True, kw_only=True)
class RemoteModel:
    """A model on a server. `url` of None means the usual place of that kind of server.

    `dimensions` asks the server for vectors of that length; None takes the model's own.
    """

    model: str
    multilingual: bool
    url: str | None = None
    api_key: str | None = field(default=None, repr=False)
    dimensions: int | None = None
    patience: Patience = Patience()

    def request(self, texts: list[str]) -> dict[str, object]:
        """Return the JSON that asks for the vectors of `texts`; all servers know this form."""
        body: dict[str, object] = {"model": self.model, "input": texts}
        return body if self.dimensions is None else body | {"dimensions": self.dimensions}
