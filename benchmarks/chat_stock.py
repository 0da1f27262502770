"""A chat's made-up items, all in one branch, and what is then created, sought and asked."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from itertools import count, islice
from pathlib import Path
from random import Random
from typing import Any, Final

import mnemic
from mnemic import opening
from mnemic.engine import cards
from mnemic.engine.names import name_of
from mnemic.engine.workspace import Workspace
from mnemic.items import Item, ItemType
from mnemic.sessions import MAIN, branch_scope
from mnemic.storage.items import Card
from mnemic.text.token_counts import token_estimate
from sentences import Writer
from standin import WordMeans

SESSION: Final = "bench"
SCOPE: Final = branch_scope(SESSION, MAIN)
_BATCH: Final = 2_000
_BEGAN: Final = datetime(2026, 1, 1, tzinfo=UTC)
_APART: Final = timedelta(seconds=20)
_TYPES: Final[tuple[ItemType, ...]] = ("fact", "summary", "open_loop")
_SEARCHES: Final = 200
_WORD: Final = re.compile(r"[a-z]{4,}")


@dataclass(frozen=True, slots=True)
class Search:
    """One word of an item, or two characters of Chinese, and the beginning of that item."""

    word: str
    asked: str


def fill(database: Path, size: int, *, seed: int, embedder: str) -> list[str]:
    """Store items in bulk, each with its vector; return their ids.

    With the default embedder the vectors are means of those of words, under its name: to embed
    the texts would take far longer, and what is searched through costs the same.
    """
    texts = Writer(seed).texts(size)
    numbered = enumerate(texts)
    ids: list[str] = []
    if embedder == "default":
        opening.choose_embedder = _choose_stand_in
    try:
        with mnemic.open(database, embedder=embedder, durability="off") as memory:
            memory.chat.create_session(SESSION)
            while batch := list(islice(numbered, _BATCH)):
                items = [_item(at, text) for at, text in batch]
                _store(memory._workspace, items)
                memory.embed_missing()
                ids += [item.id for item in items]
    finally:
        opening.choose_embedder = _CHOOSE
    return ids


_CHOOSE: Final = opening.choose_embedder


def _choose_stand_in(spec: str, **options: Any) -> object:
    source = _CHOOSE(spec, **options)
    return source and replace(source, load=_StandIn)


class _StandIn(WordMeans):
    """Means of words under the name of the default embedder."""

    def __init__(self) -> None:
        super().__init__()
        self.name = self._encoder.name


def _store(workspace: Workspace, items: list[Item]) -> None:
    def write() -> None:
        holder = cards.hold(workspace, [SCOPE], now=items[-1].created_at)
        cards.add(workspace, holder, [Card(item=item, doc=0, scope_id=0) for item in items])

    workspace.db.write(write)


def _item(at: int, text: str) -> Item:
    made = _BEGAN + at * _APART
    type_ = _TYPES[at % len(_TYPES)]
    return Item(
        id=name_of("bench", str(at)),
        memory_id=0,
        scope=SCOPE,
        type=type_,
        tier="micro" if type_ == "summary" else None,
        fact_key=f"thing {at}.state" if type_ == "fact" else None,
        content=text,
        importance=0.3 + at % 8 / 10,
        tokens=token_estimate(text),
        created_at=made,
        updated_at=made,
    )


def new_texts(seed: int) -> Iterator[str]:
    """Return texts that no store was filled with, without an end."""
    for part in count(1):
        yield from Writer(seed + 1_000_003 * part).texts(1_000)


def searches(seed: int) -> list[Search]:
    """Return what users look for, English and Chinese in turn."""
    rng = Random(seed)
    texts = list(Writer(seed).texts(1_000))
    english = [text for text in texts if text.isascii() and _WORD.search(text)]
    chinese = [text for text in texts if not text.isascii()]
    found: list[Search] = []
    for at in range(_SEARCHES):
        text = rng.choice(chinese if at % 2 else english)
        start = rng.randrange(len(text) - 2)
        word = text[start : start + 2] if at % 2 else rng.choice(_WORD.findall(text))
        found.append(Search(word, text[:60]))
    return found
