"""Does an assistant without a language model tell a person what they told it, and nothing else?

    python benchmarks/persona.py [--only chinese,mixed] [--data FOLDER] [--faults] [--keep]

A persona is what somebody tells an assistant over weeks, changes of mind included, and what they
ask then, with the memories that answer. *Shown*: one of the first three memories that the reply
quotes is one of those, and the reply does not deny knowing. *First*: the first one is. *Denied*:
the reply denies knowing beside a memory that it quotes; *missed*: it denies what was told.
*Honest*: what nobody told is not known. *Hit*: the place of the first right memory among what
`memory_search` returns; *search empty*: it finds nothing of what nobody told. The personas in
`benchmarks/personas` were written for this; others are files of the same shape in `--data`. With
--keep the result goes to results/persona.json, with the processor time of a search and an add, and
how many lines of code answer without a model.
"""

import json
import re
import sys
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from pathlib import Path
from time import process_time
from typing import Any, Final

import mnemic
from harness.options import Options
from harness.results import REPOSITORY, conditions, save
from mnemic.language.tokens import is_mostly_cjk

_OWN: Final = REPOSITORY / "benchmarks" / "personas"
_DENIES: Final = re.compile(
    r"don't know|do not know|none of your memories|no memories from|nothing on that|nothing in mem"
    r"|不知道|没有相近|没有记忆|没有这方面",
    re.IGNORECASE,
)
_SHOWN: Final = 3
# Seconds of processor time, by tool.
_SPENT: Final = defaultdict[str, list[float]](list)
_USER: Final = "persona"


@dataclass(frozen=True, slots=True)
class Asked:
    """One message, and how it was answered."""

    persona: str
    kind: str
    message: str
    gold: frozenset[str]
    quoted: tuple[str, ...]
    response: str
    denies: bool
    found: tuple[str, ...]
    revealed: bool

    @property
    def language(self) -> str:
        """The language of the message."""
        return "zh" if is_mostly_cjk(self.message) else "en"

    @property
    def is_known(self) -> bool:
        """Whether a memory answers it and may be told."""
        return bool(self.gold) and self.kind != "secret"

    @property
    def shown(self) -> bool:
        """Whether an answering memory is among the first that are quoted, and not denied."""
        return not self.denies and not self.gold.isdisjoint(self.quoted[:_SHOWN])

    @property
    def place(self) -> int:
        """The place of the first right memory in a search, from 1; 0 where it is not found."""
        return next((at for at, key in enumerate(self.found, 1) if key in self.gold), 0)


@dataclass(slots=True)
class Figures:
    """What is counted over some messages."""

    known: int = 0
    shown: int = 0
    first: int = 0
    denied: int = 0
    missed: int = 0
    hit_1: int = 0
    hit_5: int = 0
    unknown: int = 0
    honest: int = 0
    empty: int = 0
    secrets: int = 0
    revealed: int = 0
    faults: list[str] = field(default_factory=list[str])

    def take(self, asked: Asked) -> None:
        """Count one message."""
        if asked.kind == "secret":
            self.secrets += 1
            self.revealed += asked.revealed
        if asked.kind == "neg":
            self.unknown += 1
            self.honest += asked.denies
            self.empty += not asked.found
        if asked.is_known:
            self.known += 1
            self.shown += asked.shown
            self.first += asked.shown and asked.quoted[0] in asked.gold
            self.missed += asked.denies
            self.hit_1 += asked.place == 1
            self.hit_5 += 1 <= asked.place <= 5
        self.denied += asked.denies and bool(asked.quoted)
        if (asked.is_known and not asked.shown) or (asked.kind == "neg" and not asked.denies):
            self.faults.append(f"{asked.kind}: {asked.message} -> {asked.response!r}")

    def row(self) -> dict[str, Any]:
        """Return the shares, with what they are shares of."""
        return {
            "known": self.known,
            "shown": _share(self.shown, self.known),
            "first": _share(self.first, self.known),
            "denied": self.denied,
            "missed": self.missed,
            "hit@1": _share(self.hit_1, self.known),
            "hit@5": _share(self.hit_5, self.known),
            "unknown": self.unknown,
            "honest": _share(self.honest, self.unknown),
            "search empty": _share(self.empty, self.unknown),
            "secrets revealed": self.revealed,
        }


def main(arguments: Sequence[str] | None = None) -> None:
    parser = Options(__doc__)
    parser.data()
    parser.names("--only", [path.stem for path in sorted(_OWN.glob("*.json"))])
    parser.add_argument("--faults", action="store_true", help="tell what was not answered")
    parser.add_argument("--keep", action="store_true", help="write results/persona.json")
    options = parser.parse_args(arguments)
    paths = [_OWN / f"{name}.json" for name in options.only]
    paths += sorted(options.data.glob("persona*.json"))
    result: dict[str, Any] = {"run": conditions(), "personas": {}}
    for path in paths:
        asked = ask(path)
        result["personas"][path.stem] = _figures(asked).row()
        print(f"{path.stem}: {_figures(asked).row()}")
        for what in ("kind", "language"):
            for value, row in _by(asked, what).items():
                told = {key: figure for key, figure in row.items() if figure}
                print(f"    {value}: {told}")
        if options.faults:
            print("\n".join(_figures(asked).faults))
    if options.keep:
        costs = {tool: 1_000 * sum(spent) / len(spent) for tool, spent in _SPENT.items()}
        save("persona", {**result, "cpu_ms": costs, "lines": _lines()})


def _lines() -> int:
    """Return how many lines of code answer without a model."""
    folder = REPOSITORY / "src" / "mnemic" / "assistant"
    files = [*folder.glob("answering/*.py"), *folder.glob("understanding/*.py")]
    return sum(len(path.read_text("utf-8").splitlines()) for path in files)


def ask(path: Path) -> list[Asked]:
    """Tell a store what a persona tells, and return how it answers what they ask."""
    persona = json.loads(path.read_text("utf-8"))
    now = datetime.fromisoformat(persona["now"])
    clock = [now]
    with mnemic.open(
        ":memory:", clock=lambda: clock[0], durability="off", wait_for_embedder=True
    ) as memory:
        keys: dict[str, str] = {}
        for told in persona["memories"]:
            clock[0] = now - timedelta(days=told["days_ago"])
            added = _call(
                memory,
                "memory_add",
                content=told["content"],
                memory_type=told["memory_type"],
                context=told.get("context"),
            )
            keys[added["memory_id"]] = told["key"]
        clock[0] = now
        return list(_answers(memory, path.stem, persona, keys))


def _answers(
    memory: mnemic.OpenMemory, name: str, persona: dict[str, Any], keys: dict[str, str]
) -> Iterable[Asked]:
    content = {told["key"]: told["content"] for told in persona["memories"]}
    talk = 0
    for question in persona["questions"]:
        message, gold = question["message"], frozenset(question["gold"])
        # A follow-up goes on with what was asked before it.
        talk += not (question["kind"] == "follow" and talk)
        search = _call(memory, "memory_search", query=message)
        reply = _call(memory, "memory_chat", message=message, conversation_id=f"talk {talk}")
        secret = [content[key].rsplit(" ", 1)[-1].rstrip(".。") for key in gold]
        yield Asked(
            persona=name,
            kind=question["kind"],
            message=message,
            gold=gold,
            quoted=tuple(keys.get(one["memory_id"], "") for one in reply["used_memories"]),
            response=reply["response"],
            denies=_DENIES.search(reply["response"]) is not None,
            found=tuple(keys.get(one["memory_id"], "") for one in search["results"]),
            revealed=any(part in reply["response"] for part in secret),
        )


def _call(memory: mnemic.OpenMemory, tool: str, **params: Any) -> dict[str, Any]:
    began = process_time()
    envelope = memory.assistant.call(tool, {**params, "user_id": _USER})
    _SPENT[tool].append(process_time() - began)
    if not envelope["success"]:
        sys.exit(f"{tool}: {envelope['error']}")
    return envelope["data"]


def _figures(asked: Iterable[Asked]) -> Figures:
    figures = Figures()
    for one in asked:
        figures.take(one)
    return figures


def _by(asked: Sequence[Asked], what: str) -> dict[str, Any]:
    values = dict.fromkeys(getattr(one, what) for one in asked)
    rows = {value: [one for one in asked if getattr(one, what) == value] for value in values}
    return {value: _figures(own).row() for value, own in rows.items()}


def _share(part: int, whole: int) -> float | None:
    return round(part / whole, 3) if whole else None


if __name__ == "__main__":
    main()
