"""Which numbers things get when they are imported: their own, where these are free."""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import islice
from typing import Any, Final

from mnemic.storage.tables import MEMORIES
from mnemic.transfer.cells import read_time
from mnemic.transfer.moving.side import Numbered, Side

Told = dict[str, Any]

# So many memories of a file, from its beginning to its end, are looked for in the store, to find
# out whether it was imported before.
_SAMPLE: Final = 200
_BATCH: Final = 500
# Of so many moments at once memories are read: what is learned together has one time.
_TIMES: Final = 10
KNOWN: Final = replace(MEMORIES, columns=("id", "scope_id", "kind", "created_at", "content"))
_BY_TIME: Final = replace(MEMORIES, columns=("created_at", "id", "scope_id", "kind", "content"))


@dataclass(slots=True)
class Span:
    """The numbers that things of one kind have in a file."""

    first: int = 0
    last: int = 0

    def take_in(self, number: int) -> None:
        """Reach to this number, too."""
        self.first = min(self.first or number, number)
        self.last = max(self.last, number)

    @property
    def size(self) -> int:
        """How many numbers there may be."""
        return self.last - self.first + 1


class Numbers:
    """The numbers of things that only memories refer to: kept if all are free, else all shifted.
    It is decided when the first one is wanted.
    """

    def __init__(self, side: Side, what: Numbered, span: Span) -> None:
        self._side = side
        self._what: Numbered = what
        self._span = span
        self._shift: int | None = None

    def of(self, number: int) -> int:
        """Return what a number of the file is in the store."""
        if self._shift is None:
            span = self._span
            if self._side.is_free(self._what, span.first, span.last):
                self._side.pass_number(self._what, span.last)
                self._shift = 0
            else:
                self._shift = self._side.reserve(self._what, span.size) - span.first
        return number + self._shift


@dataclass(frozen=True, slots=True)
class Numbering:
    """What the numbers of memories become: up to `known` by one shift, beyond by another one."""

    shift: int
    known: int
    beyond: int

    def of(self, number: int) -> int:
        """Return what a memory of the file is in the store."""
        return number + (self.shift if number <= self.known else self.beyond)

    @property
    def keeps(self) -> bool:
        """Whether every memory keeps its number."""
        return self.shift == self.beyond == 0


@dataclass(slots=True)
class _Compared:
    """What a store holds under the numbers of a file, shifted."""

    same: int = 0
    changed: int = 0
    last_known: int = 0
    first_other: int | None = None

    @property
    def fits(self) -> bool:
        """Whether these are the memories of the file, as far as there are any."""
        is_apart = self.first_other is None or self.first_other > self.last_known
        return is_apart and 0 < self.same >= self.changed


def choose(
    side: Side,
    memories: Callable[[], Iterator[Told]],
    span: Span,
    scopes: Mapping[tuple[str, str], int],
) -> Numbering:
    """Return the numbers of a file's memories in a store.

    A file that was imported before, or an earlier state of it, is recognised by its memories:
    number, scope, kind and time are the same, and mostly the text. Then what is new goes beyond.
    """
    if not span.size or not span.last:
        return Numbering(0, 0, 0)
    names = {number: scope for scope, number in scopes.items()}
    shifts = _shifts(side, memories, span, names) if side.count(MEMORIES) else []
    for shift in shifts:
        compared = _compare(side, memories, names, shift)
        if compared.fits:
            known = compared.last_known
            if compared.first_other is None:
                side.pass_number("memory", span.last + shift)
                return Numbering(shift, known, shift)
            rest = Span(known + 1, span.last)
            return Numbering(shift, known, side.reserve("memory", rest.size) - rest.first)
    if side.is_free("memory", span.first, span.last):
        side.pass_number("memory", span.last)
        return Numbering(0, 0, 0)
    fresh = side.reserve("memory", span.size) - span.first
    return Numbering(fresh, 0, fresh)


def is_memory(told: Told) -> bool:
    """Tell whether a line says of a memory what is needed to recognise it."""
    scope, created_at = told.get("scope"), told.get("created_at")
    if not isinstance(scope, dict) or not {"kind", "name"} <= scope.keys():
        return False
    if not all(isinstance(told.get(name), str) for name in ("type", "content", "created_at")):
        return False
    try:
        read_time(str(created_at))
    except ValueError:
        return False
    return True


def batched(things: Iterable[Any], size: int = _BATCH) -> Iterator[list[Any]]:
    """Return things, some at a time."""
    remaining = iter(things)
    while batch := list(islice(remaining, size)):
        yield batch


def _shifts(
    side: Side,
    memories: Callable[[], Iterator[Told]],
    span: Span,
    names: Mapping[int, tuple[str, str]],
) -> list[int]:
    """Return by how much the numbers may have been shifted when this was imported before."""
    sample = list(islice(memories(), 0, None, max(1, span.size // _SAMPLE)))
    wanted: defaultdict[tuple[Any, ...], list[int]] = defaultdict(list)
    for memory in sample:
        wanted[_looks(memory)].append(memory["id"])
    shifts: Counter[int] = Counter()
    for times in batched(sorted({looks[2] for looks in wanted}), _TIMES):
        for created_at, number, scope_id, kind, content in side.at(
            _BY_TIME, [(moment,) for moment in times]
        ):
            looks = (names.get(scope_id), kind, created_at, content)
            shifts.update(number - told for told in wanted.get(looks, ()))
    return [shift for shift, _ in shifts.most_common(3)]


def _compare(
    side: Side,
    memories: Callable[[], Iterator[Told]],
    names: Mapping[int, tuple[str, str]],
    shift: int,
) -> _Compared:
    compared = _Compared()
    for batch in batched(memories()):
        numbers = [memory["id"] + shift for memory in batch]
        there = {row[0]: row[1:] for row in side.at(KNOWN, [(number,) for number in numbers])}
        strange = side.strangers(numbers)
        for memory, number in zip(batch, numbers, strict=True):
            stored = there.get(number)
            if stored is None:
                is_other = number in strange
            else:
                scope_id, kind, created_at, content = stored
                *looks, text = _looks(memory)
                is_other = [names.get(scope_id), kind, created_at] != looks
                compared.same += not is_other and content == text
                compared.changed += not is_other and content != text
                if not is_other:
                    compared.last_known = max(compared.last_known, memory["id"])
            if is_other:
                first = compared.first_other
                compared.first_other = memory["id"] if first is None else min(first, memory["id"])
    return compared


def _looks(told: Told) -> tuple[Any, ...]:
    """Return what tells a memory from others, besides its number."""
    scope = (told["scope"]["kind"], told["scope"]["name"])
    return scope, told["type"], read_time(told["created_at"]), told["content"]
