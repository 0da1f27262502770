"""Where along the turns of a branch the messages stand that an app sent. Nothing changes here."""

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Literal

from mnemic.dialects.openai.steps import Step

# So many of the last steps decide where the others stand.
_TELLING: Final = 64

_Kind = Literal["same", "edit", "other", "missing", "new"]


@dataclass(frozen=True, slots=True)
class Alignment:
    """Where sent steps stand along kept turns, all by their places in these two lists."""

    end: int
    """The place along the turns of the step that is answered now."""

    window: int
    """The first turn that the app still shows to the model."""

    edits: tuple[tuple[int, int], ...]
    """Steps that give turns another text: which step, which turn."""

    missing: int
    """The first step before the last that is not kept, or how many there are."""

    forks: bool
    """Whether what is missing is another way to go on than the one that is kept."""

    agreeing: int
    """How many steps say what is kept."""

    def is_whole(self, steps: int) -> bool:
        """Tell whether all steps before the last are kept as they were sent."""
        return self.agreeing == steps and not self.forks


def align(
    before: Sequence[Step], last: Step, turns: Sequence[Step], *, from_start: bool
) -> Alignment:
    """Return where steps stand: those before the last have their answers, and the last waits for
    its own. `from_start` says that the first of them begins the conversation, if nothing else
    tells.

    An edit is a step of which one side is kept, or both neighbours are, at the end of a branch.
    Everything else that differs after a step that is kept is another way to go on.
    """
    start = _start(before, last, turns, from_start=from_start)
    end, there = start + len(before), len(turns)
    kinds = [_kind(before, turns, start, at) for at in range(len(before))]
    stands_at_end = end >= there or (end == there - 1 and last.asked == turns[end].asked)
    known = [at for at, kind in enumerate(kinds) if kind in ("same", "edit")]
    first = known[0] if known else 0
    differing = [at for at in range(first, len(before)) if kinds[at] in ("edit", "other")]
    if differing and not (stands_at_end and all(kinds[at] == "edit" for at in differing)):
        missing, forks, differing = differing[0], True, []
    else:
        missing = kinds.index("new") if "new" in kinds else len(before)
        forks = missing == len(before) and end < there - 1
    return Alignment(
        end=end,
        window=max(0, min(start + first if known else end, there)),
        edits=tuple((at, start + at) for at in differing),
        missing=missing,
        forks=forks,
        agreeing=kinds.count("same"),
    )


def _start(before: Sequence[Step], last: Step, turns: Sequence[Step], *, from_start: bool) -> int:
    """Return where the first step stands: there, where most sides of the steps are kept."""
    if not before and not from_start:
        asks_again = bool(turns) and bool(last.asked) and turns[-1].asked == last.asked
        return len(turns) - asks_again
    places: dict[str, defaultdict[str, list[int]]] = {
        side: defaultdict(list) for side in ("asked", "answered")
    }
    for place, turn in enumerate(turns):
        for side, found in places.items():
            found[getattr(turn, side)].append(place)
    votes: Counter[int] = Counter()
    for at, step in list(enumerate(before))[-_TELLING:]:
        for side, found in places.items():
            if text := getattr(step, side):
                votes.update(place - at for place in found.get(text, ()))
    if votes:
        # What is said twice stands at the start, if that is shown, else as late as it can.
        return max(votes, key=lambda start: (votes[start], from_start and start == 0, start))
    return 0 if from_start else len(turns)


def _kind(before: Sequence[Step], turns: Sequence[Step], start: int, at: int) -> _Kind:
    place = start + at
    if place < 0:
        return "missing"
    if place >= len(turns):
        return "new"
    if before[at].repeats(turns[place]):
        return "same"
    if before[at].shares_a_side(turns[place]):
        return "edit"
    led = at == place == 0 or (min(at, place) > 0 and before[at - 1].repeats(turns[place - 1]))
    followed = (
        at + 1 < len(before) and place + 1 < len(turns) and before[at + 1].repeats(turns[place + 1])
    )
    return "edit" if led and followed else "other"
