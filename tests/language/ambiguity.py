"""Shows for a pattern that `re` needs time in proportion to the text, whatever the text is.

A backtracking matcher walks every path of the pattern's automaton through the text. The work is
linear unless some word leads over a number of paths that grows with its length. There are two ways
to that: a loop reads one word on two paths (exponential ambiguity), or two loops read the same word
and the first one leads into the second on it (polynomial ambiguity). The search for a place to
begin is such a loop over any text, in front of the pattern. What is not known of lookarounds only
ever adds paths.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import inf, prod
from typing import Final

from tests.language.automata import Automaton, State, automaton_of

LIMIT: Final = 2_000
"""How many paths may read one character because of repetitions that have a bound."""
ONCE: Final = 50_000
"""The same, for what is tried in one place of a text only."""


@dataclass(frozen=True)
class Finding:
    """Why a pattern is not shown to be linear, and a word that shows it when repeated."""

    reason: str
    word: str


@dataclass(frozen=True)
class _Cycle:
    states: frozenset[State]
    most: float
    ends: bool
    """Whether each way round it passes a state in which the pattern has matched."""


def finding(source: str, flags: int = 0, *, searched: bool = True) -> Finding | None:
    """Return what makes a pattern more than linear, or None when nothing does."""
    automaton, search = automaton_of(source, flags, searched=searched)
    if not automaton.loops:
        return None
    cycles = _cycles(automaton, (search, automaton.beginning))
    for cycle in cycles:
        if word := _read_on_two_paths(automaton, cycle):
            return Finding("one repetition reads it on two paths", word)
    return _chained(automaton, cycles, search)


def _chained(automaton: Automaton, cycles: list[_Cycle], search: int) -> Finding | None:
    """Find repetitions that read the same, of which one leads into the next."""
    costs: dict[int, float] = {}
    leading = _leading(automaton, cycles)
    for at in range(len(cycles)):  # the order is topological, the last cycle first
        cost = 1.0 if cycles[at].most == inf else cycles[at].most
        following = 1.0
        searching = any(node == search for node, _ in cycles[at].states)
        for later in range(at):
            if searching and cycles[later].ends:  # a search that comes here has found its match
                continue
            word = _leads_into(automaton, cycles[at], cycles[later], leading[later])
            if not word:
                continue
            if cycles[at].most == inf and cycles[later].most == inf:
                return Finding("one repetition leads into another on it", word)
            following = max(following, costs[later])
            if cost * following > (LIMIT if cycles[at].most == inf else ONCE):
                return Finding(f"bounded repetitions read it on {cost * following:.0f} paths", word)
        costs[at] = cost * following
    return None


def _cycles(automaton: Automaton, start: State) -> list[_Cycle]:
    """Return the strongly connected parts that a text can go round in, the last one first."""
    order: dict[State, int] = {start: 0}
    lowest: dict[State, int] = {start: 0}
    stack = [start]
    on_stack = {start}
    work = [(start, iter([target for _, target, _ in automaton.edges(start)]))]
    found: list[_Cycle] = []
    while work:
        state, targets = work[-1]
        for target in targets:
            if target not in order:
                order[target] = lowest[target] = len(order)
                stack.append(target)
                on_stack.add(target)
                work.append((target, iter([further for _, further, _ in automaton.edges(target)])))
                break
            if target in on_stack:
                lowest[state] = min(lowest[state], order[target])
        else:
            work.pop()
            if work:
                lowest[work[-1][0]] = min(lowest[work[-1][0]], lowest[state])
            if lowest[state] == order[state]:
                at = stack.index(state)
                part = frozenset(stack[at:])
                del stack[at:]
                on_stack -= part
                if len(part) > 1 or any(target == state for _, target, _ in automaton.edges(state)):
                    found.append(_Cycle(part, _most(automaton, part), _ends(automaton, part)))
    return found


def _most(automaton: Automaton, part: frozenset[State]) -> float:
    around = [
        loop.most
        for loop in automaton.loops
        if any(loop.first <= node < loop.last for node, _ in part)
    ]
    return prod(around) if around else inf


def _ends(automaton: Automaton, part: frozenset[State]) -> bool:
    """Return whether nothing goes round in a part without passing a state that has matched."""
    left = {state for state in part if not automaton.accepts(state[0])}
    removed = left
    while removed:
        removed = {
            state
            for state in left
            if not any(target in left for _, target, _ in automaton.edges(state))
        }
        left -= removed
    return not left


def _read_on_two_paths(automaton: Automaton, cycle: _Cycle) -> str:
    """Return a word that leads through a cycle on two paths, from one state to one state."""
    for state in cycle.states:
        for mask, target, count in automaton.edges(state):
            if count > 1 and target in cycle.states:
                return _letter(automaton, mask)
    within = (cycle.states, cycle.states)
    parted = _walk(automaton, [(state, state) for state in cycle.states], within)
    for pair, word in parted.items():
        if pair[0] != pair[1]:
            for end, rest in _walk(automaton, [pair], within).items():
                if end[0] == end[1]:
                    return word + rest
    return ""


def _leads_into(
    automaton: Automaton, first: _Cycle, second: _Cycle, leading: frozenset[State]
) -> str:
    """Return a word that both cycles read, and that leads from the first into the second."""
    if first.states.isdisjoint(leading):
        return ""
    within = (first.states, leading, second.states)

    starts = [(p, p, q) for p in first.states for q in second.states]
    ends = _walk(automaton, starts, within)
    if not any(mid in second.states and mid == last for _, mid, last in ends):
        return ""
    for start in starts:
        word = _walk(automaton, [start], within).get((start[0], start[2], start[2]))
        if word:
            return word
    return ""


def _leading(automaton: Automaton, cycles: list[_Cycle]) -> list[frozenset[State]]:
    """Return for each cycle the states from which it can be reached."""
    before: dict[State, list[State]] = {}
    for state in automaton.states():
        for _, target, _ in automaton.edges(state):
            before.setdefault(target, []).append(state)
    found: list[frozenset[State]] = []
    for cycle in cycles:
        reached = set(cycle.states)
        work = list(reached)
        while work:
            fresh = set(before.get(work.pop(), ())) - reached
            reached |= fresh
            work.extend(fresh)
        found.append(frozenset(reached))
    return found


def _together(
    automaton: Automaton, states: tuple[State, ...], within: tuple[frozenset[State], ...]
) -> list[tuple[int, tuple[State, ...]]]:
    """Return where several states lead by reading the same character."""
    steps: list[tuple[int, tuple[State, ...]]] = [(automaton.anything, ())]
    for state, allowed in zip(states, within, strict=True):
        steps = [
            (mask & read, (*targets, target))
            for mask, targets in steps
            for read, target, _ in automaton.edges(state)
            if mask & read and target in allowed
        ]
    return steps


def _walk(
    automaton: Automaton,
    starts: Sequence[tuple[State, ...]],
    within: tuple[frozenset[State], ...],
) -> dict[tuple[State, ...], str]:
    """Return what can be reached, each with a word that leads there."""
    reached: dict[tuple[State, ...], str] = {}
    work: list[tuple[tuple[State, ...], str]] = [(start, "") for start in starts]
    for place, word in work:
        for mask, target in _together(automaton, place, within):
            if target not in reached:
                reached[target] = word + _letter(automaton, mask)
                work.append((target, reached[target]))
    return reached


def _letter(automaton: Automaton, mask: int) -> str:
    return automaton.alphabet[(mask & -mask).bit_length() - 1]
