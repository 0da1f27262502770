"""Let a session say what an app sent: find where it stands, and add, swipe, edit or fork turns."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from hashlib import sha256
from threading import Lock
from typing import Final

from mnemic.chat.conversations import BEFORE_ALL
from mnemic.dialects.openai.alignment import Alignment, align
from mnemic.dialects.openai.completion_request import CompletionRequest
from mnemic.dialects.openai.steps import Step, step_of
from mnemic.engine.chat_verbs import ChatMemory
from mnemic.errors import ConflictError, NotFoundError
from mnemic.records.conversation import MAIN, Branch, ContextQuery, Line, Turn

# An app goes on with one of the branches that it made last.
_MOST_BRANCHES: Final = 32
_MOST_SESSIONS: Final = 50
_ALL: Final = 1_000_000
# Requests of one session are taken in one after the other, in this process.
_LOCKS: Final = tuple(Lock() for _ in range(256))


@dataclass(frozen=True, slots=True)
class _Place:
    """Where a request stands: along the last turns of a branch, or along all of them."""

    branch_id: str
    turns: Sequence[Turn]
    alignment: Alignment


class SessionRecorder:
    """Takes in one request of an app, and the answer to it. Give it one request only."""

    def __init__(self, chat: ChatMemory, request: CompletionRequest) -> None:
        self._chat = chat
        self._request = request

    @property
    def session_id(self) -> str:
        """The session that the request belongs to."""
        return self._request.session_id

    def take_in(self) -> str:
        """Let the session say what was said before; return the block for what is said now."""
        with self._lock():
            self._find_session()
        with self._lock():
            place = self._arranged(self._placed())
        turns, alignment = place.turns, place.alignment
        window = min(alignment.window, alignment.end)
        block = self._chat.context(
            ContextQuery(
                session_id=self.session_id,
                branch_id=place.branch_id,
                text=self._request.query,
                window_start=turns[window].number if window < len(turns) else _after(turns),
            )
        )
        return block.text

    def keep(self, text: str, *, is_cut_short: bool) -> None:
        """Keep what was said now and the answer to it. Others may have changed the session since
        the request came.
        """
        request = self._request
        step = request.last.answered_with(
            text, continues=request.continues, is_cut_short=is_cut_short
        )
        if not step.lines:
            return
        with self._lock():
            place = self._arranged(self._placed())
            turns, end = place.turns, place.alignment.end
            if place.alignment.forks:
                self._add(self._fork(place, end), turns[:end], [step])
            elif end == len(turns):
                self._add(place.branch_id, turns, [step])
            elif not _says(turns[end], step):
                self._chat.change_turn(self.session_id, turns[end].id, lines=step.lines)

    def _lock(self) -> Lock:
        return _LOCKS[hash(self.session_id) % len(_LOCKS)]

    def _find_session(self) -> None:
        """Make the session where there is none. An app that no longer shows how a conversation
        began is looked for among the last sessions with the same instructions.
        """
        request = self._request
        try:
            self._chat.session(request.session_id)
        except NotFoundError:
            if not (request.names_itself and request.before and self._finds_another()):
                self._begin()

    def _finds_another(self) -> bool:
        asked = self._request
        for session in self._chat.sessions(sort="updated_at", limit=_MOST_SESSIONS).rows:
            if session.id.startswith(asked.family):
                self._request = replace(asked, session_id=session.id, family="")
                place = self._placed()
                if place.alignment.is_whole(len(asked.before)):
                    return True
        self._request = asked
        return False

    def _begin(self) -> None:
        try:
            self._chat.create_session(self.session_id)
        except ConflictError:
            # Another request of the same app was quicker.
            self._chat.session(self.session_id)

    def _placed(self) -> _Place:
        """Return where the request stands best: on the branch of which the most is shown, rather
        at its end, rather on a newer one.
        """
        known = self._chat.branches(self.session_id, order="desc", limit=_ALL).rows
        branches = [*known[:_MOST_BRANCHES], *(one for one in known[_MOST_BRANCHES:] if _main(one))]
        steps, names_itself = len(self._request.before), self._request.names_itself
        for branch in branches:
            # One that is named by how it began is shown from its start.
            if not names_itself or branch.floors <= steps + 2:
                place = self._on(branch, steps + 2)
                if place.alignment.is_whole(steps) and (steps or not names_itself):
                    return place
        return max((self._on(branch) for branch in branches), key=_standing)

    def _on(self, branch: Branch, most: int | None = None) -> _Place:
        limit = branch.floors if most is None else most
        latest = self._chat.turns(
            self.session_id, branch_id=branch.id, order="desc", limit=max(limit, 1)
        )
        turns = latest.rows[::-1]
        request = self._request
        alignment = align(
            request.before,
            request.last,
            [step_of(turn.lines) for turn in turns],
            from_start=request.names_itself,
        )
        return _Place(branch.id, turns, alignment)

    def _arranged(self, place: _Place) -> _Place:
        """Let a branch say what was said before; what goes another way gets a branch of its own."""
        before, alignment = self._request.before, place.alignment
        for step, turn in alignment.edits:
            self._change(place.turns[turn], before[step])
        missing = before[alignment.missing :]
        if not missing:
            return place
        if not alignment.forks:
            self._add(place.branch_id, place.turns, missing)
            return self._placed()
        at = alignment.end - len(missing)
        self._add(self._fork(place, at), place.turns[:at], missing)
        return self._placed()

    def _fork(self, place: _Place, at: int) -> str:
        """Begin a branch with the turns before a place; return its name."""
        number = place.turns[at - 1].number if at > 0 else BEFORE_ALL
        known = self._chat.session(self.session_id).branches
        while True:
            try:
                return self._chat.create_branch(
                    self.session_id,
                    f"fork-{known}",
                    from_branch=place.branch_id,
                    at_floor_no=number,
                ).id
            except ConflictError:
                # Another branch was deleted, and the count is too small.
                known += 1

    def _add(self, branch_id: str, turns: Sequence[Turn], steps: Sequence[Step]) -> None:
        after = turns[-1].id if turns else ""
        for step in steps:
            # Two servers that got the same request add its turn once.
            key = sha256(repr((branch_id, after, _said(step.lines))).encode()).hexdigest()
            if step.lines:
                turn, _ = self._chat.add_turn(
                    self.session_id, step.lines, branch_id=branch_id, idempotency_key=key
                )
                after = turn.id

    def _change(self, turn: Turn, step: Step) -> None:
        """Give a turn the text that an app shows, or make the version active that says it."""
        if not step.lines:
            return
        versions = [step_of(lines) for lines in self._chat.turn_versions(self.session_id, turn.id)]
        for number, version in enumerate(versions):
            if step.repeats(version):
                self._chat.change_turn(self.session_id, turn.id, version=number)
                return
        self._chat.change_turn(self.session_id, turn.id, lines=step.lines)


def _standing(place: _Place) -> tuple[int, bool]:
    return place.alignment.agreeing + len(place.alignment.edits), not place.alignment.forks


def _main(branch: Branch) -> bool:
    return branch.id == MAIN


def _after(turns: Sequence[Turn]) -> int:
    return turns[-1].number + 1 if turns else 0


def _said(lines: Sequence[Line]) -> list[tuple[str, str | None, str]]:
    return [(line.role, line.name, line.content) for line in lines]


def _says(turn: Turn, step: Step) -> bool:
    kept = step_of(turn.lines)
    sides = (kept.asked, kept.answered, kept.is_cut_short)
    return sides == (step.asked, step.answered, step.is_cut_short)
