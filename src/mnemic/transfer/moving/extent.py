"""How far an account of a store was at one moment, so that what came later can be told."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Extent:
    """The largest numbers that events and edges were given, and when something was last said."""

    event: int
    edge: int
    said: int
