"""The robot dialect: seven tools, and what comes with the extended profile.

The same methods are the Python SDK, the MCP tools and the CLI verbs.
"""

from collections.abc import Mapping, Sequence
from datetime import UTC, tzinfo
from typing import Any, cast

from mnemic.dialects.robot import answers, inputs, shapes
from mnemic.dialects.robot.inputs import JsonInput
from mnemic.engine.memory_verbs import Engine
from mnemic.errors import InvalidInputError, NotFoundError
from mnemic.records.filters import parse_filter, parse_near
from mnemic.records.memory import Draft
from mnemic.records.query import Query

# One of the tools is called `list`, which hides the type of that name inside the class.
LearnedList = list[answers.Learned]
RecordList = list[answers.Record]
ChangeList = list[answers.HistoryEntry]


class RobotTools:
    """A robot's view of one memory: what it learned, sensed and did."""

    def __init__(self, engine: Engine, *, zone: tzinfo = UTC) -> None:
        self._engine = engine
        self._zone = zone

    def learn(
        self,
        insight: str,
        context: JsonInput = "",
        collection: str = "default",
        session_id: str | None = None,
        *,
        occurred_at: str | None = None,
    ) -> answers.Learned:
        """Keep one lesson that should change what is done next time: a fact, a strategy, a mistake.

        Numbers and outcomes go into context. What is known is answered with `duplicate`.
        """
        draft, truncated, warning = self._draft(
            insight, context, collection, session_id, occurred_at
        )
        [remembered] = self._engine.remember_many([draft])
        return shapes.learned(remembered, truncated=truncated, warning=warning)

    def learn_many(
        self,
        insights: Sequence[str | Mapping[str, Any]],
        collection: str = "default",
        session_id: str | None = None,
    ) -> LearnedList:
        """Record many lessons in one step: all of them, or none where one is refused.

        Each is a text, or an object with `insight` and, where wanted, `context`, `collection`,
        `session_id` and `occurred_at`.
        """
        lessons = [_lesson(at, insight) for at, insight in enumerate(_listed(insights))]
        # First, for they are of the call, not of one of its lessons.
        shared = {
            "collection": inputs.collection_scope(collection).name,
            "session_id": inputs.session(session_id),
        }
        drafts = [
            self._draft_of_many(at, {**shared, **lesson}) for at, lesson in enumerate(lessons)
        ]
        results = self._engine.remember_many([draft for draft, _, _ in drafts])
        return [
            shapes.learned(result, truncated=truncated, warning=warning)
            for result, (_, truncated, warning) in zip(results, drafts, strict=True)
        ]

    def recall(
        self,
        query: str,
        collection: str = "default",
        n: int = 5,
        min_confidence: float = 0.3,
        session_id: str | None = None,
        context_filter: JsonInput = None,
        spatial_sort: JsonInput = None,
        *,
        min_relevance: float = 0.0,
        explain: bool = False,
        as_of: str | None = None,
    ) -> answers.Recollection:
        """Find past experience that resembles a situation, best first.

        Call it before acting, with the task in plain words. No result: nothing like it was tried.
        """
        wanted = Query(
            text=inputs.text("query", query, at_most=inputs.QUERY_CHARACTERS),
            scopes=(inputs.collection_scope(collection),),
            limit=inputs.whole_number("n", n, low=1, high=inputs.MAX_HITS),
            min_confidence=inputs.share("min_confidence", min_confidence),
            episode_id=inputs.session(session_id),
            filter=parse_filter(context_filter),
            near=parse_near(spatial_sort),
            min_relevance=inputs.share("min_relevance", min_relevance),
            explain=inputs.flag("explain", explain),
            as_of=inputs.moment("as_of", as_of, self._zone, ends=True),
        )
        return shapes.recollection(
            self._engine.recall(wanted),
            asked=wanted.text,
            spatial=wanted.near is not None,
            relevance=wanted.explain or wanted.min_relevance > 0,
        )

    def save_perception(
        self,
        description: str,
        perception_type: str = "visual",
        data: JsonInput = None,
        metadata: JsonInput = None,
        collection: str = "default",
        session_id: str | None = None,
        *,
        occurred_at: str | None = None,
    ) -> answers.Perceived:
        """Keep what a sensor delivered: a scene, a force reading, a trajectory.

        Recall finds it by its description. Said twice, it is kept twice.
        """
        scope = inputs.collection_scope(collection)
        kind = inputs.perception_type(perception_type)
        result = self._engine.remember(
            Draft(
                content=inputs.text(
                    "description", description, at_least=inputs.DESCRIPTION_CHARACTERS
                ),
                scope=scope,
                kind="perception",
                confidence=0.9,
                episode_id=inputs.session(session_id),
                perception_type=kind,
                payload=inputs.payload(data, metadata),
                dedup=False,
                occurred_at=inputs.moment("occurred_at", occurred_at, self._zone),
            )
        )
        return answers.Perceived(
            memory_id=result.memory.id,
            perception_type=kind,
            collection=scope.name,
            has_embedding=result.has_vector,
        )

    def forget(self, memory_id: int, reason: str) -> answers.Forgotten:
        """Take a wrong memory out of use. It stays in the history; erase removes it."""
        number = self._own(memory_id)
        memory = self._engine.forget(number, reason=inputs.text("reason", reason))
        return answers.Forgotten(
            status="forgotten",
            memory_id=memory.id,
            content=memory.content,
            reason=memory.status_reason or "",
        )

    def update(self, memory_id: int, new_content: str, context: JsonInput = "") -> answers.Updated:
        """Correct a memory's text and, where given, its context; the old version stays in the
        history.
        """
        number = self._own(memory_id)
        content, truncated = inputs.trimmed_insight("new_content", new_content)
        replaced, warning = inputs.lenient_context(context)
        keep = context is None or context == ""
        revised = self._engine.revise(number, content, context=None if keep else replaced)
        answer = answers.Updated(
            status="updated",
            memory_id=number,
            old_content=revised.before.content,
            new_content=revised.after.content,
            auto_inferred=shapes.judged(revised.after),
        )
        if truncated:
            answer["truncated"] = True
        if warning:
            answer["warning"] = warning
        return answer

    def start_session(
        self, collection: str = "default", context: JsonInput = None
    ) -> answers.SessionStarted:
        """Begin a run and get its id, to be given along with what is learned and sensed in it."""
        described, warning = inputs.lenient_context(context)
        scope = inputs.collection_scope(collection)
        episode, active = self._engine.start_episode(scope, context=described)
        answer = answers.SessionStarted(
            session_id=episode.id, collection=scope.name, active_memories_count=active
        )
        if warning:
            answer["warning"] = warning
        return answer

    def end_session(
        self, session_id: str, outcome_score: float | None = None
    ) -> answers.SessionEnded:
        """End a run: merge what it said twice, age unused memories, and answer with what other runs
        learned about the same.
        """
        score = None if outcome_score is None else inputs.share("outcome_score", outcome_score)
        named = cast("str", inputs.session(session_id, required=True))
        return shapes.session_ended(self._engine.end_episode(named, outcome_score=score))

    def get(self, memory_id: int, *, reveal: bool = False) -> answers.Record:
        """Return one memory in full, whatever its status, with its sensor data as given."""
        number = self._own(memory_id)
        return shapes.record(
            self._engine.get(number),
            payload=self._engine.payload(number),
            reveal=inputs.flag("reveal", reveal),
        )

    def list(
        self,
        collection: str = "default",
        status: str = "active",
        category: str | None = None,
        context_filter: JsonInput = None,
        n: int = 20,
        before_id: int | None = None,
        as_of: str | None = None,
        *,
        reveal: bool = False,
    ) -> RecordList:
        """List memories, newest first; for the next page give the last id as `before_id`."""
        shows = inputs.flag("reveal", reveal)
        memories = self._engine.browse(
            inputs.collection_scope(collection),
            status=inputs.status(status),
            category=None if category is None else inputs.text("category", category, at_most=100),
            filter=parse_filter(context_filter),
            limit=inputs.whole_number("n", n, low=1, high=inputs.MAX_HITS),
            before_id=None
            if before_id is None
            else inputs.memory_number(before_id, parameter="before_id"),
            as_of=inputs.moment("as_of", as_of, self._zone, ends=True),
        )
        return [shapes.record(memory, reveal=shows) for memory in memories]

    def history(self, memory_id: int, *, reveal: bool = False) -> ChangeList:
        """Tell everything that happened to a memory, oldest first."""
        number = self._own(memory_id)
        shows = inputs.flag("reveal", reveal)
        return [shapes.change(event, reveal=shows) for event in self._engine.history(number)]

    def undo(self, memory_id: int) -> answers.Record:
        """Bring back a forgotten, merged or overwritten memory; again goes one change further."""
        return shapes.record(self._engine.undo(self._own(memory_id)))

    def erase(
        self,
        memory_id: int | None = None,
        collection: str | None = None,
        dry_run: bool = False,  # noqa: FBT001, FBT002  a tool's arguments have names
    ) -> answers.Erased:
        """Remove a memory, or a whole collection, with all that follows from it, for ever.

        Nothing brings it back. Give one of the two; dry_run counts what would go.
        """
        looks = inputs.flag("dry_run", dry_run)
        if (memory_id is None) == (collection is None):
            problem = "one of memory_id and collection is needed, and not both"
            raise InvalidInputError("memory_id", problem, "a memory's number, or no memory_id")
        receipt = (
            self._engine.erase("memory", self._own(memory_id), dry_run=looks)
            if collection is None
            else self._engine.erase(
                "collection", inputs.collection_scope(collection).name, dry_run=looks
            )
        )
        return answers.Erased(
            status="would_erase" if looks else "erased",
            receipt=receipt.id,
            counts=dict(receipt.counts),
            finished=receipt.finished_at is not None,
        )

    def _own(self, memory_id: object) -> int:
        """Return the number of one of the robots' memories: a user's is not there for them."""
        number = inputs.memory_number(memory_id)
        if self._engine.get(number).scope.kind != "collection":
            raise NotFoundError(f"There is no memory {number}.", memory_id=number)
        return number

    def _draft(
        self,
        insight: object,
        context: object,
        collection: object,
        session_id: object,
        occurred_at: object,
    ) -> tuple[Draft, bool, str | None]:
        content, truncated = inputs.trimmed_insight("insight", insight)
        kept, warning = inputs.lenient_context(context)
        draft = Draft(
            content=content,
            scope=inputs.collection_scope(collection),
            context=kept,
            episode_id=inputs.session(session_id),
            occurred_at=inputs.moment("occurred_at", occurred_at, self._zone),
        )
        return draft, truncated, warning

    def _draft_of_many(self, at: int, lesson: Mapping[str, Any]) -> tuple[Draft, bool, str | None]:
        """Return the draft of one lesson; where it is refused, say of which."""
        try:
            return self._draft(
                lesson["insight"],
                lesson.get("context", ""),
                lesson["collection"],
                lesson["session_id"],
                lesson.get("occurred_at"),
            )
        except InvalidInputError as error:
            place = f"insights.{at}.{error.parameter}"
            raise InvalidInputError(place, error.problem, error.allowed) from error


def _listed(insights: object) -> Sequence[object]:
    if not isinstance(insights, Sequence) or isinstance(insights, str | bytes):
        raise InvalidInputError("insights", "it is not a list", "a list of texts or objects")
    lessons = cast("Sequence[object]", insights)
    if len(lessons) > inputs.MAX_BATCH:
        problem = f"it has {len(lessons)} entries"
        raise InvalidInputError("insights", problem, f"at most {inputs.MAX_BATCH}")
    return lessons


def _lesson(at: int, lesson: object) -> Mapping[str, Any]:
    if isinstance(lesson, Mapping) and "insight" in lesson:
        return cast("Mapping[str, Any]", lesson)
    if isinstance(lesson, str):
        return {"insight": lesson}
    raise InvalidInputError(
        f"insights.{at}", "it has no insight", "a text, or an object with the key insight"
    )
