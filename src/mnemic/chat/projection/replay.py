"""Making the store say what the turns of a branch say, after some of them changed."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from mnemic.chat.item_writes import Holder
from mnemic.chat.projection.arranging import Arrangement
from mnemic.chat.projection.branch_reading import BranchChange, BranchReading
from mnemic.chat.projection.projecting import Projection
from mnemic.chat.projection.settle import relate, settle, withdraw
from mnemic.chat.projection.tracks import Track
from mnemic.chat.projection.windows import is_window
from mnemic.memory.unlocked_work import derive
from mnemic.memory.workspace import Workspace
from mnemic.storage.chat_rows import item_rows, scope_state_rows, session_rows
from mnemic.storage.chat_rows.session_rows import TurnOnPath
from mnemic.storage.rows import scope_rows


@dataclass(frozen=True)
class _Question:
    """What a branch remembers after a change, asked at one revision of it."""

    workspace: Workspace = field(compare=False)
    track: Track
    revision: int
    change: BranchChange = field(compare=False)
    told: str


def follow(
    workspace: Workspace,
    holder: Holder,
    track: Track,
    change: BranchChange,
    *,
    job_id: str | None = None,
) -> Projection:
    """Make the memory of a branch what its turns say after a change that this transaction makes.

    Call it where `unlocked_work.write` writes: what follows from the change is worked out while
    nothing is locked, from what is stored without it.
    """
    scope_id = holder.number(track.scope)
    revision = scope_state_rows.standing(workspace.db, scope_id).revision
    question = _Question(workspace, track, revision, change, change.key)
    [projection] = derive("projection", _answers, [question])
    _write(workspace, holder, track, projection, job_id)
    last = session_rows.last_read(workspace.db, track.session, track.branch_id)
    scope_state_rows.grow(workspace.db, scope_id, now=holder.now)
    scope_state_rows.processed(workspace.db, scope_id, last, now=holder.now)
    return projection


def step_at(workspace: Workspace, track: Track, number: int) -> TurnOnPath | None:
    """Return a turn of a branch as it stands now."""
    there = session_rows.path(
        workspace.db, track.session, track.branch_id, first=number, last=number
    )
    return there[0] if there else None


def _answers(questions: Sequence[_Question]) -> list[Projection]:
    return [_answer(one) for one in questions]


def _answer(question: _Question) -> Projection:
    workspace, track, change = question.workspace, question.track, question.change
    scope_id = workspace.db.read(lambda: scope_rows.find(workspace.db, track.scope))
    projection = Projection(BranchReading(workspace, track, scope_id, change))
    projection.run(change.turns, by_hand=change.by_hand)
    return projection


def _write(
    workspace: Workspace,
    holder: Holder,
    track: Track,
    projection: Projection,
    job_id: str | None,
) -> None:
    changed = list(projection.changed())
    ends = {uid for one, other, _ in projection.links for uid in (one, other)}
    ids = {*projection.gone(), *(one.uid for one in changed), *projection.retold, *ends}
    cards = item_rows.get(workspace.db, sorted(ids))
    scope_id = holder.number(track.scope)
    # What a person moved to another scope is no longer the turns'.
    own = {uid: card for uid, card in cards.items() if card.scope_id == scope_id}
    changed = [one for one in changed if one.uid in own or one.uid not in cards]
    gone = [own[uid] for uid in projection.gone() if uid in own]
    withdraw(workspace, holder, gone)
    there = {uid: card for uid, card in own.items() if card not in gone}
    after = settle(workspace, holder, track.scope, changed, there, job_id=job_id)
    relate(workspace, projection.links, after, now=holder.now, instead_of=projection.retold)
    broken = {card.displaced_by or "" for card in gone if is_window(card.displaced_by)}
    Arrangement(workspace, holder, track).arrange(projection.floors, broken)
