"""Which memories of an episode say the same, and which one of them stays. Pure functions."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import ceil
from typing import Final

from mnemic.language.bounds import COMPARED
from mnemic.language.classify import PROTECTED
from mnemic.language.conflicts import kind_of_conflict
from mnemic.language.differences import ComparedText, same
from mnemic.language.tokens import jaccard, word_set
from mnemic.records.measurements import measurement_of
from mnemic.records.memory import Memory
from mnemic.runtime.budgets import check_time

JACCARD_OVER: Final = 0.50
CONFIDENCE_BELOW: Final = 0.95
LEAST_MEMORIES: Final = 3


@dataclass(frozen=True, slots=True)
class Group:
    """Memories that say the same: the first stays, the others are superseded by it."""

    members: tuple[Memory, ...]
    similarities: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class _Member:
    memory: Memory
    words: frozenset[str]
    reading: ComparedText
    measurement: bytes


def groups_of(memories: Iterable[Memory]) -> list[Group]:
    """Return groups of two and more in which every pair is alike and none conflict."""
    check_time()
    mergeable = [memory for memory in memories if _is_mergeable(memory)]
    if len(mergeable) < LEAST_MEMORIES:
        return []
    members = [
        _Member(
            memory=memory,
            words=word_set(memory.content),
            reading=ComparedText(memory.content),
            measurement=measurement_of(memory.context),
        )
        for memory in sorted(mergeable, key=_precedence)
    ]
    alike = _alike_pairs(members)
    grouped: list[list[int]] = []
    for at in range(len(members)):
        home = next(
            (group for group in grouped if all((member, at) in alike for member in group)), None
        )
        if home is None:
            grouped.append([at])
        else:
            home.append(at)
    return [
        Group(
            members=tuple(members[at].memory for at in group),
            similarities=tuple(alike[pair] for pair in combinations(group, 2)),
        )
        for group in grouped
        if len(group) > 1
    ]


def _is_mergeable(memory: Memory) -> bool:
    return (
        memory.status == "active"
        and memory.kind == "fact"
        and memory.category not in PROTECTED
        and memory.confidence < CONFIDENCE_BELOW
        and len(memory.content) <= COMPARED
    )


def _precedence(memory: Memory) -> tuple[float, int, float, int]:
    """Order by who stays: the surest, then the most used, then the newest."""
    return (
        -memory.confidence,
        -memory.access_count,
        -memory.created_at.timestamp(),
        -memory.id,
    )


def _alike_pairs(members: Sequence[_Member]) -> dict[tuple[int, int], float]:
    """Return the similarity of every pair that may be merged, without comparing all pairs.

    Two texts that share most words share one of the rarest few of each: only such pairs are
    looked at, of one category and with the same measurement.
    """
    commonness = Counter(word for member in members for word in member.words)
    holders: defaultdict[tuple[str, bytes, str], list[int]] = defaultdict(list)
    alike: dict[tuple[int, int], float] = {}
    for at, member in enumerate(members):
        check_time()
        rarest = sorted(member.words, key=lambda word: (commonness[word], word))
        telling = rarest[: len(rarest) - ceil(JACCARD_OVER * len(rarest)) + 1]
        keys = [(member.memory.category, member.measurement, word) for word in telling]
        for other in sorted({holder for key in keys for holder in holders[key]}):
            similarity = jaccard(members[other].words, member.words)
            if similarity > JACCARD_OVER and _say_alike(members[other].reading, member.reading):
                alike[other, at] = similarity
        for key in keys:
            holders[key].append(at)
    return alike


def _say_alike(one: ComparedText, other: ComparedText) -> bool:
    """Tell whether two lessons may be merged though their words differ a little.

    What somebody reported stays as it was said, unless they said it twice.
    """
    if one.reports or other.reports:
        return same(one, other)
    return kind_of_conflict(one.mark, other.mark) is None
