"""What the reader knows of English and Chinese: the tables beside this module, as patterns."""

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Final, Literal

from mnemic.chat.extraction.plain_reading.dating import DAYS
from mnemic.runtime.patterns import Opening, bounded, linear, opening

Tongue = Literal["english", "chinese"]
Applies = Literal["anybody", "self", "named", "imperative"]

_SLOT: Final = re.compile(r"(?<!\?P)<(?:(?P<group>\w+)=)?(?P<name>[a-z]\w*)>")
_HERE: Final = Path(__file__).parent


@dataclass(frozen=True, slots=True)
class Rule:
    """What a clause says after its subject: under which attribute, and how that is said."""

    key: str
    applies: Applies
    patterns: tuple[Opening, ...]


@dataclass(frozen=True, slots=True)
class PhraseTable:
    """What is known of one language."""

    says: tuple[Rule, ...]
    has: tuple[Rule, ...]
    events: tuple[Opening, ...]
    own_events: tuple[Opening, ...]
    clause: Mapping[str, Opening]
    plans: Mapping[str, Opening]
    states: Mapping[str, re.Pattern[str]]
    ends: tuple[tuple[re.Pattern[str], tuple[str, ...]], ...]
    words: Mapping[str, Mapping[str, str]]
    importance: Mapping[str, float]
    no_names: frozenset[str]

    def key_word(self, kind: str, word: str) -> str:
        """Return how a key names a word; the word itself where it has no other name."""
        low = word.lower()
        return self.words.get(kind, {}).get(low, low)


@cache
def table(tongue: Tongue) -> PhraseTable:
    """Return what is known of a language; its patterns are registered, and compiled when used."""
    raw: dict[str, Any] = tomllib.loads((_HERE / f"{tongue}.toml").read_text(encoding="utf-8"))
    words = {
        kind: {word: name for name, spelled in names.items() for word in spelled}
        for kind, names in raw["words"].items()
    }
    slots = {name: _alternatives(spelled) for name, spelled in words.items()}
    slots |= {"date": DAYS[tongue], **raw["slots"], **raw["more_slots"]}
    plans = {**raw["plans"]}
    slots |= {name: plans.pop(name, "") for name in ("doing", "soon", "for_whom")}
    flags = re.IGNORECASE if tongue == "english" else 0

    def begins(source: str) -> Opening:
        return opening(bounded(_filled(source, slots)), flags)

    return PhraseTable(
        says=tuple(_rules(raw["says"], begins)),
        has=tuple(_rules(raw["has"], begins)),
        events=tuple(begins(one) for rule in raw["event"] for one in rule["patterns"]),
        own_events=tuple(begins(one) for rule in raw["event"] for one in rule["own"]),
        clause={name: begins(source) for name, source in raw["clause"].items()},
        plans={name: begins(source) for name, source in plans.items() if name != "empty"},
        states={
            name: linear(source, flags)
            for name, source in {**raw["states"], "empty": plans["empty"]}.items()
        },
        ends=tuple(
            (linear(row["pattern"], flags), tuple(row["attributes"])) for row in raw["ends"]
        ),
        words=words,
        importance=raw["importance"],
        no_names=frozenset(raw["no_names"]["words"].split()),
    )


def _rules(rows: list[dict[str, Any]], begins: Any) -> list[Rule]:
    return [
        Rule(row["key"], row.get("only", "anybody"), tuple(begins(one) for one in row["patterns"]))
        for row in rows
    ]


def _filled(source: str, slots: Mapping[str, str | list[str]]) -> str:
    """Return a pattern with its slots put in."""

    def put_in(match: re.Match[str]) -> str:
        slot = slots[match["name"]]
        inner = _alternatives(slot) if isinstance(slot, list) else slot
        inner = _SLOT.sub(put_in, inner)
        return f"(?P<{match['group']}>{inner})" if match["group"] else f"(?:{inner})"

    return _SLOT.sub(put_in, source)


def _alternatives(words: Any) -> str:
    return "|".join(sorted(words, key=lambda word: (-len(word), word)))
