"""Which memories of an episode say the same, and which one of them stays. Pure functions."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import ceil
from typing import Final

from mnemic.records import Memory
from mnemic.text.classify import PROTECTED
from mnemic.text.conflicts import kind_of_conflict
from mnemic.text.differences import Reading, same
from mnemic.text.tokens import jaccard, word_set

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
    reading: Reading


def groups_of(memories: Iterable[Memory]) -> list[Group]:
    """Return groups of two and more in which every pair is alike and none conflict."""
    mergeable = [memory for memory in memories if _is_mergeable(memory)]
    if len(mergeable) < LEAST_MEMORIES:
        return []
    members = [
        _Member(memory, word_set(memory.content), Reading(memory.content))
        for memory in sorted(mergeable, key=_precedence)
    ]
    alike = _alike_pairs(members)
    grouped: list[list[int]] = []
    for at in range(len(members)):
        home = next((group for group in grouped if all((one, at) in alike for one in group)), None)
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
    looked at.
    """
    commonness = Counter(word for member in members for word in member.words)
    holders: defaultdict[str, list[int]] = defaultdict(list)
    alike: dict[tuple[int, int], float] = {}
    for at, member in enumerate(members):
        rarest = sorted(member.words, key=lambda word: (commonness[word], word))
        telling = rarest[: len(rarest) - ceil(JACCARD_OVER * len(rarest)) + 1]
        for other in sorted({one for word in telling for one in holders[word]}):
            similarity = jaccard(members[other].words, member.words)
            if similarity > JACCARD_OVER and _agree(members[other], member):
                alike[other, at] = similarity
        for word in telling:
            holders[word].append(at)
    return alike


def _agree(one: _Member, other: _Member) -> bool:
    return (
        one.memory.category == other.memory.category
        and _outcome(one.memory) == _outcome(other.memory)
        and _say_alike(one.reading, other.reading)
    )


def _say_alike(one: Reading, other: Reading) -> bool:
    """Tell whether two lessons may be merged though their words differ a little.

    What somebody reported stays as it was said, unless they said it twice.
    """
    if one.reports or other.reports:
        return same(one, other)
    return kind_of_conflict(one.mark, other.mark) is None


def _outcome(memory: Memory) -> object:
    task = memory.context.get("task")
    return task.get("success") if isinstance(task, dict) else None  # pyright: ignore[reportUnknownVariableType, reportUnknownMemberType]
