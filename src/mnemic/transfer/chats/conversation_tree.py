"""From a tree of messages to the turns of a session: versions where only the last answer differs,
branches where both go on.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from typing import Final

from mnemic.records.conversation import MAIN, ChatRole, Line, TurnDraft, VersionDraft

_MOST_LINES: Final = 100
_ASKING: Final = ("user", "system")

TurnNodes = tuple["MessageNode", ...]


@dataclass(frozen=True, slots=True)
class MessageNode:
    """One message, and the one that it follows. One without a text only holds others together."""

    id: str
    parent: str | None
    role: ChatRole
    text: str
    name: str | None = None
    at: datetime | None = None


@dataclass(frozen=True)
class ForeignChat:
    """One conversation of a file: its messages in the order of the file, and the last message of
    the line that the app shows.
    """

    id: str
    nodes: Mapping[str, MessageNode]
    current: str

    @cached_property
    def order(self) -> dict[str, int]:
        """Where each message stands in the file."""
        return {name: at for at, name in enumerate(self.nodes)}

    def turns_to(self, leaf: str) -> list[TurnNodes]:
        """Return the turns of the line that ends with a message."""
        line: list[MessageNode] = []
        seen: set[str] = set()
        node = self.nodes.get(leaf)
        while node is not None and node.id not in seen:
            seen.add(node.id)
            if node.text.strip():
                line.append(node)
            node = self.nodes.get(node.parent or "")
        return list(_turns(line[::-1]))

    def leaves(self) -> list[str]:
        """Return the messages that nothing follows."""
        followed = {node.parent for node in self.nodes.values()}
        return [name for name in self.nodes if name not in followed]


@dataclass(frozen=True, slots=True)
class BranchPlan:
    """The turns of one line: `turns` behind the `shared` ones, which are those of its parent.
    `root` is the line without a parent that it comes from.
    """

    name: str
    root: str
    parent: str | None
    shared: int
    turns: tuple[TurnDraft, ...]


@dataclass(slots=True)
class _Track:
    name: str
    root: str
    parent: str | None
    shared: int
    turns: list[TurnNodes]


def plan(chat: ForeignChat) -> list[BranchPlan]:
    """Return the branches of a conversation, `main` first, each after the one it left. A line that
    differs from the first turn on has no parent.
    """
    tracks = [_Track(MAIN, MAIN, None, 0, chat.turns_to(chat.current))]
    others: dict[tuple[str, int], list[TurnNodes]] = {}
    for leaf in chat.leaves():
        turns = chat.turns_to(leaf)
        track = max(tracks, key=lambda one: _shared(one.turns, turns))
        shared = _shared(track.turns, turns)
        own = turns[shared:]
        if not own:
            continue
        if shared < len(track.turns) and len(own) == 1:
            owner = _owner(tracks, track, shared)
            versions = others.setdefault((owner.name, shared), [])
            if own[0] not in versions:
                versions.append(own[0])
        elif track.name == MAIN and shared == len(track.turns):
            # The app shows a line up to somewhere in its middle.
            track.turns += own
        else:
            name = f"branch-{own[0][-1].id[:40]}"
            root, parent = (track.root, track.name) if shared else (name, None)
            tracks.append(_Track(name, root, parent, shared, turns))
    return [_planned(chat, track, others) for track in tracks]


def _planned(
    chat: ForeignChat, track: _Track, others: Mapping[tuple[str, int], list[TurnNodes]]
) -> BranchPlan:
    drafts = tuple(
        _draft(chat, track.name, at, turn, others.get((track.name, at), []))
        for at, turn in enumerate(track.turns)
        if at >= track.shared
    )
    return BranchPlan(track.name, track.root, track.parent, track.shared, drafts)


def _owner(tracks: Sequence[_Track], track: _Track, at: int) -> _Track:
    """Return the line that a turn along a track belongs to."""
    while at < track.shared:
        track = next(one for one in tracks if one.name == track.parent)
    return track


def _draft(
    chat: ForeignChat, branch: str, at: int, turn: TurnNodes, others: Sequence[TurnNodes]
) -> TurnDraft:
    versions = sorted([turn, *others], key=lambda nodes: [chat.order[one.id] for one in nodes])
    return TurnDraft(
        versions=tuple(_version(nodes) for nodes in versions),
        active=versions.index(turn),
        idempotency_key=f"import:{branch}:{at}",
    )


def _version(nodes: TurnNodes) -> VersionDraft:
    lines = tuple(Line(node.role, node.text, node.name) for node in nodes)
    return VersionDraft(lines, next((node.at for node in nodes if node.at is not None), None))


def _turns(line: Sequence[MessageNode]) -> Iterator[TurnNodes]:
    """Return a line of messages in turns: what somebody says, and what is answered to that."""
    turn: list[MessageNode] = []
    for node in line:
        is_answered = any(one.role not in _ASKING for one in turn)
        if turn and ((is_answered and node.role in _ASKING) or len(turn) == _MOST_LINES):
            yield tuple(turn)
            turn = []
        turn.append(node)
    if turn:
        yield tuple(turn)


def _shared(one: Sequence[TurnNodes], other: Sequence[TurnNodes]) -> int:
    """Return with how many equal turns two lines begin."""
    count = 0
    for left, right in zip(one, other, strict=False):
        if left != right:
            break
        count += 1
    return count
