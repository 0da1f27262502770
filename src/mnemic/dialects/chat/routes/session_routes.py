"""`/sessions`: conversations, their branches and turns, and what to inject into them."""

from typing import Annotated, Final

from fastapi import Query
from starlette.convertors import StringConvertor, register_url_convertor

from mnemic.dialects.chat import answers, work_answers
from mnemic.dialects.chat.body_fields import PathId, to_moment
from mnemic.dialects.chat.described import Json, deleted
from mnemic.dialects.chat.queries import BranchList, SessionList, TurnList
from mnemic.dialects.chat.routing import MOST_BULK_BYTES, Endpoints, operation
from mnemic.dialects.chat.session_bodies import (
    BulkTurns,
    ContextRequest,
    NewBranch,
    NewSession,
    NewTurn,
    TurnChange,
)

# What is meant where a body is left out.
_SESSION: Final = NewSession()
_CONTEXT: Final = ContextRequest()

_RESERVED: Final = "floor_id"


class _FloorId(StringConvertor):
    """A turn's id in an address. The word that has an address of its own is none."""

    regex = "(?!bulk$)[^/]+"


register_url_convertor(_RESERVED, _FloorId())
_TURN: Final = f"/sessions/{{session_id}}/turns/{{floor_id:{_RESERVED}}}"


class SessionEndpoints(Endpoints):
    """The endpoints of conversations."""

    @operation("POST", "/sessions", work_answers.SessionAnswer, status=201, refuses=(409,))
    def create_session(self, body: NewSession = _SESSION) -> Json:
        """Begin a session, with its branch `main`. The body may be left out."""
        return work_answers.SessionJson.single(self.chat.create_session(body.id))

    @operation("GET", "/sessions", work_answers.SessionsAnswer, refuses=(400,))
    def list_sessions(self, query: Annotated[SessionList, Query()]) -> Json:
        """List sessions."""
        page = self.chat.sessions(
            sort=query.sort_by, order=query.sort_order, limit=query.limit, offset=query.offset
        )
        return work_answers.SessionJson.listed(page, query)

    @operation("GET", "/sessions/{session_id}", work_answers.SessionAnswer, refuses=(400, 404))
    def get_session(self, session_id: PathId) -> Json:
        """Get a session."""
        return work_answers.SessionJson.single(self.chat.session(session_id))

    @operation("DELETE", "/sessions/{session_id}", answers.DeletedAnswer, refuses=(400, 404))
    def delete_session(self, session_id: PathId) -> Json:
        """Delete a session with its turns, memory and jobs."""
        self.chat.delete_session(session_id)
        return deleted(session_id)

    @operation(
        "GET", "/sessions/{session_id}/branches", work_answers.BranchesAnswer, refuses=(400, 404)
    )
    def list_branches(self, session_id: PathId, query: Annotated[BranchList, Query()]) -> Json:
        """List the branches of a session."""
        page = self.chat.branches(
            session_id, order=query.sort_order, limit=query.limit, offset=query.offset
        )
        return work_answers.BranchJson.listed(page, query)

    @operation(
        "POST",
        "/sessions/{session_id}/branches",
        work_answers.BranchAnswer,
        status=201,
        refuses=(404, 409),
    )
    def create_branch(self, session_id: PathId, body: NewBranch) -> Json:
        """Fork a branch from another one.

        It sees the memory of what both share, and nothing of what comes after on the other one.
        """
        branch = self.chat.create_branch(
            session_id,
            body.branch_id,
            from_branch=body.from_branch,
            at_floor_no=body.at_floor_no,
        )
        return work_answers.BranchJson.single(branch)

    @operation(
        "DELETE",
        "/sessions/{session_id}/branches/{branch_id}",
        answers.DeletedAnswer,
        refuses=(400, 404, 409),
    )
    def delete_branch(self, session_id: PathId, branch_id: PathId) -> Json:
        """Delete a branch with its turns, memory and jobs; `main` stays."""
        self.chat.delete_branch(session_id, branch_id)
        return deleted(branch_id)

    @operation(
        "POST",
        "/sessions/{session_id}/turns",
        work_answers.AddedTurnAnswer,
        status=201,
        refuses=(404, 409, 502),
    )
    def add_turn(self, session_id: PathId, body: NewTurn) -> Json:
        """Add a turn at the end of a branch; its memory is made in the background, or at once."""
        floor, ingest = self.chat.add_turn(
            session_id,
            body.lines(),
            branch_id=body.branch_id,
            mode=body.mode,
            idempotency_key=body.idempotency_key,
            occurred_at=to_moment(body.occurred_at),
        )
        return work_answers.AddedTurn.single(floor, memory=work_answers.TurnMemory.of(ingest))

    @operation(
        "POST",
        "/sessions/{session_id}/turns/bulk",
        work_answers.BulkAnswer,
        status=201,
        refuses=(404, 409),
        most_bytes=MOST_BULK_BYTES,
    )
    def add_turns(self, session_id: PathId, body: BulkTurns) -> Json:
        """Add many turns at the end of a branch; their memory is made in the background.

        They are kept a hundred at a time. Where something goes wrong, the message tells how many
        are; sent again with the same keys, those are not added twice, and the rest follows.
        """
        added = self.chat.add_turns(session_id, body.drafts(), branch_id=body.branch_id)
        return work_answers.BulkAdded.answer(added)

    @operation("GET", "/sessions/{session_id}/turns", work_answers.TurnsAnswer, refuses=(400, 404))
    def list_turns(self, session_id: PathId, query: Annotated[TurnList, Query()]) -> Json:
        """List the turns along a branch, those that it shares included."""
        page = self.chat.turns(
            session_id,
            branch_id=query.branch_id,
            order=query.sort_order,
            limit=query.limit,
            offset=query.offset,
        )
        return work_answers.TurnJson.listed(page, query)

    @operation(
        "GET",
        _TURN,
        work_answers.TurnAnswer,
        refuses=(400, 404),
    )
    def get_turn(self, session_id: PathId, floor_id: PathId) -> Json:
        """Get a turn."""
        return work_answers.TurnJson.single(self.chat.turn(session_id, floor_id))

    @operation(
        "PUT",
        _TURN,
        work_answers.ChangedTurnAnswer,
        refuses=(404, 409, 502),
    )
    def change_turn(self, session_id: PathId, floor_id: PathId, body: TurnChange) -> Json:
        """Edit a turn, swipe to another answer, or return to a version.

        What the former version left in memory is taken back.
        """
        floor, ingest = self.chat.change_turn(
            session_id,
            floor_id,
            lines=body.lines(),
            version=body.version,
            mode=body.mode,
            occurred_at=to_moment(body.occurred_at),
        )
        return work_answers.ChangedTurn.single(floor, memory=work_answers.TurnMemory.of(ingest))

    @operation(
        "DELETE",
        _TURN,
        answers.DeletedAnswer,
        refuses=(400, 404, 409),
    )
    def delete_turn(self, session_id: PathId, floor_id: PathId) -> Json:
        """Delete a turn, and what it left in memory."""
        self.chat.delete_turn(session_id, floor_id)
        return deleted(floor_id)

    @operation(
        "POST",
        "/sessions/{session_id}/context",
        work_answers.ContextAnswer,
        refuses=(404,),
    )
    def get_context(self, session_id: PathId, body: ContextRequest = _CONTEXT) -> Json:
        """Choose what to inject before the next answer.

        Every item says why it was chosen, every dropped one why not.
        """
        return work_answers.Context.single(self.chat.context(body.asked(session_id)))
