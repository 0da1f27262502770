"""A client: learns numbered lessons as fast as it can until it is told to stop.

Run as a program: `python -m tests.ha.writing URL CLIENT JOURNAL STOP`. Each lesson that was
acknowledged is noted in JOURNAL at once; the program ends when there is a file STOP.
"""

import itertools
import secrets
import sys
import time
from pathlib import Path
from typing import Final

import mnemic

# Longer than any fail-over: the engine waits for the new primary, its caller sees nothing.
BUSY_SECONDS: Final = 120.0

ROOMS: Final = 4

_THINGS: Final = ("apron", "basin", "drawer", "gripper", "hinge", "kettle", "magnet", "pallet")
_STATES: Final = ("bent", "cold", "damp", "empty", "loose", "rusty", "sharp", "warm")


def lesson(client: int, number: int) -> str:
    """A text like no other; `told` reads back whose it is."""
    thing, state = secrets.choice(_THINGS), secrets.choice(_STATES)
    return f"Lesson {number} of client {client}: the {thing} {secrets.token_hex(4)} is {state}"


def collection(client: int) -> str:
    """Where a client writes: with one other, so that some wait for each other and some do not."""
    return f"room{client % ROOMS}"


def told(text: str) -> tuple[int, int]:
    """The client and the number of a lesson."""
    head = text.partition(":")[0].split()
    return int(head[4]), int(head[1])


def main(url: str, client: int, journal: Path, stop: Path) -> None:
    """Write until there is a file `stop`."""
    room = collection(client)
    with (
        mnemic.open(url, embedder="none", busy_seconds=BUSY_SECONDS) as memory,
        journal.open("a", buffering=1) as notes,
    ):
        for number in itertools.count(1):
            if stop.exists():
                return
            learned = memory.robot.learn(lesson(client, number), collection=room)
            if learned["status"] != "created" or "memory_id" not in learned:
                raise RuntimeError(f"lesson {number} of client {client}: {learned}")
            notes.write(f"{number} {learned['memory_id']} {time.monotonic()}\n")


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]), Path(sys.argv[3]), Path(sys.argv[4]))
