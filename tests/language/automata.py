"""The automaton of a pattern: every path that a backtracking matcher can take through it."""

import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from importlib import import_module
from math import inf
from typing import Any, Final

_parser: Final[Any] = import_module("re._parser")
_compiler: Final[Any] = import_module("re._compiler")
_FLAGS: Final = re.I | re.M | re.S | re.A
_COPIED: Final = 3
"""A repetition of up to so many is written out; a longer one is a loop with a bound."""
_SAMPLES: Final = "aZ0_ \t\n\r\x00.-('\"éß中，。😀٣²ⅧſKİıµ\u3000\u2028\u00a0\u0300\x1c"
_CHARACTERS: Final = ("LITERAL", "NOT_LITERAL", "ANY", "IN")

State = tuple[int, int]
"""A node, and the characters of which the last one read was one."""
_Edges = list[tuple[int, State, int]]
_Closure = dict[tuple[int, int, int, int], int]


@dataclass(frozen=True)
class Loop:
    """The nodes of a repetition's body, and how often it can be repeated."""

    first: int
    last: int
    most: float


@dataclass
class Automaton:
    """Nodes, what leads on from them for nothing (under conditions), and by reading a character."""

    alphabet: str
    free: list[list[tuple[int, int, int]]] = field(default_factory=list[list[tuple[int, int, int]]])
    """For each node: what the last character is one of, what the next is one of, the next node."""
    reading: list[list[tuple[int, int]]] = field(default_factory=list[list[tuple[int, int]]])
    loops: list[Loop] = field(default_factory=list[Loop])
    end: int = -1
    asserted: set[int] = field(default_factory=set[int])
    """The nodes behind lookarounds and anchors: they may not be reached, whatever is known."""
    _edges: dict[State, list[tuple[int, State, int]]] = field(
        default_factory=dict[State, list[tuple[int, State, int]]]
    )
    _closures: dict[int, dict[tuple[int, int, int, int], int]] = field(
        default_factory=dict[int, dict[tuple[int, int, int, int], int]]
    )
    _parts: dict[int, list[int]] = field(default_factory=dict[int, list[int]])

    @property
    def beginning(self) -> int:
        """The bit of the place before the first character."""
        return 1 << len(self.alphabet)

    @property
    def anything(self) -> int:
        """Every character."""
        return self.beginning - 1

    def node(self) -> int:
        """Add a node."""
        self.free.append([])
        self.reading.append([])
        return len(self.free) - 1

    def edges(self, state: State) -> list[tuple[int, State, int]]:
        """Return what is read next, to which state it leads, and on how many paths."""
        if state not in self._edges:
            ways: dict[tuple[State, int], int] = {}
            for (last, following, read, target), count in self._closure(state[0]).items():
                if state[1] & last and read & following:
                    for part in self._parts_of(target):
                        if mask := read & following & part:
                            key = ((target, part), mask)
                            ways[key] = ways.get(key, 0) + count
            self._edges[state] = [(mask, target, count) for (target, mask), count in ways.items()]
        return self._edges[state]

    def states(self) -> list[State]:
        """Return the states whose edges were asked for: after a walk, all that can be reached."""
        return list(self._edges)

    def accepts(self, node: int) -> bool:
        """Return whether the pattern has matched at a node, whatever follows."""
        every = (self.beginning | self.anything, self.anything)
        work = [node]
        for place in work:
            for last, following, target in self.free[place]:
                certain = (last, following) == every and target not in self.asserted
                if certain and target not in work:
                    work.append(target)
        return self.end in work

    def _parts_of(self, node: int) -> list[int]:
        """Return the characters, parted by what a node's conditions ask of the last one."""
        if node not in self._parts:
            parts = [self.anything]
            for last, *_ in self._closure(node):
                parts = [cut for part in parts for cut in (part & last, part & ~last) if cut]
            self._parts[node] = parts
        return self._parts[node]

    def _closure(self, node: int) -> dict[tuple[int, int, int, int], int]:
        if node not in self._closures:
            found: dict[tuple[int, int, int, int], int] = {}
            every = self.beginning | self.anything
            self._follow(node, (every, self.anything), frozenset(), found)
            self._closures[node] = found
        return self._closures[node]

    def _follow(
        self,
        node: int,
        under: tuple[int, int],
        passed: frozenset[int],
        found: dict[tuple[int, int, int, int], int],
    ) -> None:
        for read, target in self.reading[node]:
            key = (*under, read, target)
            found[key] = found.get(key, 0) + 1
        for last, following, target in self.free[node]:
            both = (under[0] & last, under[1] & following)
            if target not in passed and both[0] and both[1]:
                self._follow(target, both, passed | {node}, found)


def automaton_of(source: str, flags: int, *, searched: bool) -> tuple[Automaton, int]:
    """Return a pattern's automaton and the node of the search for its beginning."""
    parsed = _parser.parse(source, flags)
    flags = parsed.state.flags & int(_FLAGS)
    ignoring = bool(flags & re.I) or "(?i" in source
    alphabet = "".join(sorted({*_SAMPLES, *_named(parsed, ignoring=ignoring)}))
    automaton = Automaton(alphabet)
    search = automaton.node()
    if searched:
        automaton.reading[search].append((automaton.anything, search))
    start = automaton.node()
    automaton.free[search].append(
        (automaton.beginning | automaton.anything, automaton.anything, start)
    )
    automaton.end = _Builder(automaton, parsed.state).sequence(parsed, start, flags)
    return automaton, search


def _named(items: Any, *, ignoring: bool) -> Iterator[str]:
    """Yield the characters at which the sets of a pattern can differ."""
    for op, value in items:
        name = str(op)
        if name in ("LITERAL", "NOT_LITERAL"):
            yield from _variants(value, ignoring=ignoring)
        elif name == "RANGE":
            for code in (value[0] - 1, value[0], value[1], value[1] + 1):
                yield from _variants(code, ignoring=ignoring)
        for part in _parts(name, value):
            yield from _named(part, ignoring=ignoring)


def _parts(name: str, value: Any) -> list[Any]:
    if name in ("IN", "ATOMIC_GROUP"):
        return [value]
    if name == "BRANCH":
        return value[1]
    nested = name.endswith("REPEAT") or name in ("SUBPATTERN", "ASSERT", "ASSERT_NOT")
    return [value[-1]] if nested else []


def _variants(code: int, *, ignoring: bool) -> Iterator[str]:
    if not 0 <= code <= sys.maxunicode:
        return
    character = chr(code)
    yield character
    if ignoring:
        yield from (form for form in (character.lower(), character.upper()) if len(form) == 1)


class _Builder:
    """Writes the parts of a parsed pattern into an automaton."""

    def __init__(self, automaton: Automaton, state: Any) -> None:
        self._automaton = automaton
        self._state = state
        self._groups: dict[int, Any] = {}
        self._masks: dict[tuple[str, int], int] = {}

    def sequence(self, items: Any, node: int, flags: int) -> int:
        """Write one part after the other; return the node behind the last."""
        for op, value in items:
            node = self._one(op, value, node, flags)
        return node

    def _one(self, op: Any, value: Any, node: int, flags: int) -> int:
        name = str(op)
        if name in _CHARACTERS:
            after = self._automaton.node()
            self._automaton.reading[node].append((self._mask(op, value, flags), after))
            return after
        if name.endswith("REPEAT"):
            return self._repeat(name, value, node, flags)
        if name == "BRANCH":
            return self._branch(value[1], node, flags)
        if name == "SUBPATTERN":
            group, added, removed, body = value
            if group is not None:
                self._groups[group] = body
            return self.sequence(body, node, (flags | added) & ~removed)
        if name == "ATOMIC_GROUP":
            return self.sequence(value, node, flags)
        if name == "GROUPREF":
            return self.sequence(self._groups[value], node, flags)
        if name in ("ASSERT", "ASSERT_NOT"):
            return self._asserted(self._look(name, value, node, flags))
        if name == "AT":
            return self._asserted(self._at(str(value), node, flags))
        raise NotImplementedError(name)

    def _asserted(self, node: int) -> int:
        self._automaton.asserted.add(node)
        return node

    def _mask(self, op: Any, value: Any, flags: int) -> int:
        key = (f"{op}{value}", flags)
        if key not in self._masks:
            one = _parser.SubPattern(self._state, [(op, value)])
            matches = _compiler.compile(one, flags).fullmatch
            bits = (1 << at for at, char in enumerate(self._automaton.alphabet) if matches(char))
            self._masks[key] = sum(bits)
        return self._masks[key]

    def _link(
        self, node: int, target: int, *, last: int | None = None, following: int | None = None
    ) -> None:
        automaton = self._automaton
        before = automaton.beginning | automaton.anything if last is None else last
        behind = automaton.anything if following is None else following
        automaton.free[node].append((before, behind, target))

    def _repeat(self, name: str, value: Any, node: int, flags: int) -> int:
        least, most, body = value
        if most <= _COPIED:
            behind = self._automaton.node()
            for copy in range(int(most)):
                if copy >= least:
                    self._link(node, behind)
                node = self.sequence(body, node, flags)
            self._link(node, behind)
            return behind
        first = self._automaton.node()
        self._link(node, first)
        last = self.sequence(body, first, flags)
        endless = most == _parser.MAXREPEAT
        self._automaton.loops.append(
            Loop(first, len(self._automaton.free), inf if endless else float(int(most)))
        )
        self._link(last, first)
        behind = self._automaton.node()
        leaving = None
        if name.startswith("POSSESSIVE") and endless:
            leaving = self._automaton.anything & ~self._alone(body, flags)
        self._link(last, behind, following=leaving)
        if not least:
            self._link(node, behind, following=leaving)
        return behind

    def _branch(self, branches: Any, node: int, flags: int) -> int:
        behind = self._automaton.node()
        for branch in branches:
            first = self._automaton.node()
            self._link(node, first)
            self._link(self.sequence(branch, first, flags), behind)
        return behind

    def _look(self, name: str, value: Any, node: int, flags: int) -> int:
        """Read ahead on a path that ends there; of what it asks, one character is held."""
        direction, body = value
        every = self._automaton.beginning | self._automaton.anything
        behind = self._automaton.node()
        if name == "ASSERT_NOT":
            mask = every & ~self._alone(body, flags)
        else:
            mask = self._first(body, flags) if direction > 0 else self._alone(body, flags) or every
        if direction < 0:
            self._link(node, behind, last=mask)
        else:
            aside = self._automaton.node()
            self._link(node, aside)
            self.sequence(body, aside, flags)
            self._link(node, behind, following=mask & self._automaton.anything)
        return behind

    def _first(self, items: Any, flags: int) -> int:
        """Return the characters with which something that matches can begin; all, if not known."""
        every = self._automaton.beginning | self._automaton.anything
        if not len(items):
            return every
        op, value = items[0]
        name = str(op)
        if name in _CHARACTERS:
            return self._mask(op, value, flags)
        if name == "SUBPATTERN":
            return self._first(value[-1], (flags | value[1]) & ~value[2])
        if name == "BRANCH":
            union = 0
            for branch in value[1]:
                union |= self._first(branch, flags)
            return union
        return every

    def _alone(self, items: Any, flags: int) -> int:
        """Return the characters that are all it takes to match."""
        if len(items) != 1:
            return 0
        op, value = items[0]
        name = str(op)
        if name in _CHARACTERS:
            return self._mask(op, value, flags)
        if name == "SUBPATTERN":
            return self._alone(value[-1], (flags | value[1]) & ~value[2])
        if name == "BRANCH":
            union = 0
            for branch in value[1]:
                union |= self._alone(branch, flags)
            return union
        return 0

    def _at(self, place: str, node: int, flags: int) -> int:
        automaton = self._automaton
        behind = automaton.node()
        newline = 1 << automaton.alphabet.index("\n")
        if place in ("AT_BEGINNING", "AT_BEGINNING_STRING"):
            lines = newline if flags & re.M and place == "AT_BEGINNING" else 0
            self._link(node, behind, last=automaton.beginning | lines)
        elif place == "AT_END":
            self._link(node, behind, following=newline)
        elif place == "AT_BOUNDARY":
            word = self._alone(_parser.parse(r"\w"), flags)
            other = automaton.anything & ~word
            self._link(node, behind, last=word, following=other)
            self._link(node, behind, last=other | automaton.beginning, following=word)
        elif place == "AT_NON_BOUNDARY":
            self._link(node, behind)
        return behind
