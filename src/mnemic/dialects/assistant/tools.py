"""The assistant dialect: four tools, and what comes with the extended profile.

Each takes the parameters as they were sent and returns the data of the envelope. One function
wraps them all, so that Python, MCP and HTTP get the same answer.
"""

import logging
from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import UTC, tzinfo
from functools import cached_property, partial
from time import perf_counter
from typing import TYPE_CHECKING, Any, Final

from mnemic.dialects.assistant import answers, inputs, shapes
from mnemic.dialects.assistant.inputs import Params
from mnemic.dialects.assistant.messages import DONE, Locale, LocalizedText
from mnemic.dialects.assistant.parameters import check_names
from mnemic.dialects.assistant.refusals import Refused, refusal_of
from mnemic.engine.memory_verbs import Engine, Replier
from mnemic.errors import MnemicError, NotFoundError
from mnemic.language.memory_types import TYPES
from mnemic.memory.texts.context_words import RECOGNISED
from mnemic.records.filters import EVERYTHING, of_kinds
from mnemic.records.memory import (
    DEFAULT_USER,
    Chat,
    Context,
    Draft,
    Memory,
    MemoryStatus,
    Utterance,
    memory_name,
)
from mnemic.records.query import Query
from mnemic.runtime.time_zones import time_zone

if TYPE_CHECKING:
    from concurrent.futures import ThreadPoolExecutor

Envelope = dict[str, Any]

_LOG = logging.getLogger("mnemic.assistant_tools")
_TURNS_SHOWN: Final = 100
_CHATS_AT_ONCE: Final = 16
# So many more are looked at: the same statement in two types is listed once.
_SPARE: Final = 10

_NO_SUCH_MEMORY: Final = LocalizedText(
    "memory_id：没有这条记忆", "memory_id: this user has no such memory"
)
_ONE_OF_THREE: Final = LocalizedText(
    "memory_id、conversation_id、everything：请只给出其中一个",
    "give one of memory_id, conversation_id and everything, and no more",
)
_NO_SUCH_PAGE: Final = LocalizedText(
    "before：请用上一页的 next_before", "before: use next_before of a page"
)


class AssistantTools:
    """An assistant's view of one memory. Threads may share it."""

    def __init__(self, engine: Engine, *, locale: Locale = "zh", zone: tzinfo = UTC) -> None:
        self._engine = engine
        self._zone = zone
        self._locale: Locale = locale
        self._tools: dict[str, Callable[[Params, Replier | None], Mapping[str, Any]]] = {
            "memory_add": self._add,
            "memory_search": self._search,
            "memory_chat": self._chat,
            "memory_get_profile": self._profile,
            "memory_update": self._update,
            "memory_delete": self._delete,
            "memory_list": self._list,
            "conversation_list": self._conversations,
            "conversation_get": self._conversation,
            "conversation_delete": self._delete_conversation,
            "memory_erase": self._erase,
        }

    async def execute_tool(self, name: str, params: Params | None = None) -> Envelope:
        """Call a tool and return its envelope, a documented error as an envelope too.

        The work is done in a thread; chats, which may wait for a model, have threads of their
        own. A name that is no tool raises `NotFoundError`.
        """
        # Who awaits this has loaded it; nobody else should have to.
        import asyncio  # noqa: PLC0415

        if name != "memory_chat":
            return await asyncio.to_thread(self.call, name, params)
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self._chats, self.call, name, params)

    @cached_property
    def _chats(self) -> "ThreadPoolExecutor":
        from concurrent.futures import ThreadPoolExecutor  # noqa: PLC0415  as above

        return ThreadPoolExecutor(_CHATS_AT_ONCE, thread_name_prefix="mnemic-chat")

    def call(
        self, name: str, params: Params | None = None, *, sampling: Replier | None = None
    ) -> Envelope:
        """Call a tool and return its envelope. `sampling` replies where no model is configured."""
        tool = self._tools.get(name)
        if tool is None:
            known = ", ".join(self._tools)
            raise NotFoundError(f"There is no tool {name!r}; there are: {known}.", tool=name)
        started = perf_counter()
        try:
            data = tool({} if params is None else _object(params), sampling)
        except Refused as refused:
            return self.refused(refused)
        except MnemicError as error:
            return self.refused(refusal_of(error))
        return {
            "success": True,
            "data": data,
            "message": DONE[name].in_language(self._locale),
            "timestamp": shapes.moment(self._engine.now()),
            "execution_time": shapes.seconds(perf_counter() - started),
        }

    def refused(self, refused: Refused) -> Envelope:
        """Return the envelope of an error."""
        return shapes.refused(refused, locale=self._locale, at=self._engine.now())

    def failed(self, name: str) -> Envelope:
        """Return the envelope of a bug; call it where the exception is caught, to log it."""
        _LOG.exception("%s failed", name)
        told = LocalizedText("服务器日志中有更多信息", "The server's log says more.")
        return self.refused(Refused("INTERNAL_ERROR", told))

    def _add(self, params: Params, _sampling: Replier | None) -> Mapping[str, Any]:
        content = inputs.content(params)
        draft = Draft(
            content=content,
            kind=inputs.memory_type(params, content),
            context=inputs.context(params) or {},
            scope=inputs.user(params),
            dedup="exact",
            occurred_at=inputs.moment(params, "occurred_at", self._zone_of(params)),
            expires_at=inputs.end(params, self._zone_of(params), now=self._engine.now()),
        )
        check_names("memory_add", params)
        stored = self._engine.remember(draft)
        known = stored.memory
        if _was_marked(draft.context, known.context):
            # It was there before, and not secret: from now on it is.
            secret = {**known.context, "sensitivity": "high", RECOGNISED: False}
            revised = self._engine.revise(known.id, known.content, context=secret)
            stored = replace(stored, memory=revised.after)
        return shapes.added(stored)

    def _search(self, params: Params, _sampling: Replier | None) -> Mapping[str, Any]:
        text = inputs.text(params, "query", "INVALID_QUERY", most=inputs.QUERY_CHARACTERS)
        kinds = inputs.memory_types(params)
        limit = inputs.limit(params)
        query = Query(
            text=text,
            limit=limit + _SPARE,
            scopes=(inputs.user(params),),
            filter=EVERYTHING if kinds == TYPES else of_kinds(kinds),
            matching=True,
            as_of=inputs.moment(params, "as_of", self._zone_of(params), ends=True),
            time_zone=inputs.zone_named(params),
        )
        check_names("memory_search", params)
        return shapes.results(text, shapes.each_once(self._engine.recall(query), limit=limit))

    def _chat(self, params: Params, sampling: Replier | None) -> Mapping[str, Any]:
        started = perf_counter()
        message = inputs.text(params, "message", "INVALID_MESSAGE", most=inputs.MESSAGE_CHARACTERS)
        memorizing = inputs.flag(params, "memorizing", "INVALID_MEMORIZING", default=True)
        chat = Chat(
            message=Utterance("user", message, inputs.images(params)),
            memorizing=memorizing,
            scope=inputs.user(params),
            conversation_id=inputs.conversation(params),
            as_of=inputs.moment(params, "as_of", self._zone_of(params), ends=True),
            time_zone=inputs.zone_named(params),
        )
        check_names("memory_chat", params)
        answer = self._engine.converse(chat, sampling)
        return shapes.replied(answer, taken=perf_counter() - started)

    def _profile(self, params: Params, _sampling: Replier | None) -> Mapping[str, Any]:
        kinds = inputs.memory_types(params)
        scope = inputs.user(params)
        as_of = inputs.moment(params, "as_of", self._zone_of(params), ends=True)
        check_names("memory_get_profile", params)
        found = self._engine.profile(scope, as_of=as_of)
        if found is None and scope != DEFAULT_USER:
            told = LocalizedText(
                f"user_id：没有用户 {scope.name!r}；先用 memory_add 添加一条记忆",
                f"user_id: there is no user {scope.name!r}; add a memory with memory_add first",
            )
            raise Refused("PROFILE_NOT_FOUND", told)
        known = found or self._engine.empty_profile(scope)
        return shapes.profile(known, kinds, now=self._engine.now())

    def _update(self, params: Params, _sampling: Replier | None) -> Mapping[str, Any]:
        memory = self._own(params)
        content = inputs.content(params) if "content" in params else memory.content
        context = inputs.context(params)
        if "content" not in params and context is None:
            told = LocalizedText(
                "content：请给出新的 content 或 context", "content: give it or a context"
            )
            raise Refused("INVALID_CONTENT", told)
        check_names("memory_update", params)
        revised = self._engine.revise(memory.id, content, context=context)
        return shapes.kept(revised.after, reveal="content" in params)

    def _delete(self, params: Params, _sampling: Replier | None) -> Mapping[str, Any]:
        memory = self._own(params)
        check_names("memory_delete", params)
        self._engine.forget(memory.id, reason="deleted by its user")
        return answers.DeletedMemory(memory_id=memory_name(memory.id), deleted=True)

    def _list(self, params: Params, _sampling: Replier | None) -> Mapping[str, Any]:
        kinds = inputs.memory_types(params)
        limit = inputs.limit(params, default=50)
        before = inputs.memory_number(params, "before")
        if before is None and params.get("before") is not None:
            raise Refused("NOT_FOUND", _NO_SUCH_PAGE)
        reveal = inputs.flag(params, "reveal", "INVALID_PARAMETER", default=False)
        scope = inputs.user(params)
        as_of = inputs.moment(params, "as_of", self._zone_of(params), ends=True)
        check_names("memory_list", params)
        found = self._engine.browse(
            scope, filter=of_kinds(kinds), limit=limit + 1, before_id=before, as_of=as_of
        )
        shown = found[:limit]
        return answers.KeptList(
            memories=[shapes.kept(one, reveal=reveal) for one in shown],
            total=self._engine.count(scope, kinds=kinds, as_of=as_of),
            next_before=memory_name(shown[-1].id) if len(found) > limit else None,
        )

    def _conversations(self, params: Params, _sampling: Replier | None) -> Mapping[str, Any]:
        limit, offset = inputs.limit(params, default=50), inputs.offset(params)
        scope = inputs.user(params)
        check_names("conversation_list", params)
        found = self._engine.conversations(scope, limit=limit, offset=offset)
        return answers.ConversationList(conversations=[shapes.conversation(one) for one in found])

    def _conversation(self, params: Params, _sampling: Replier | None) -> Mapping[str, Any]:
        wanted = inputs.conversation(params, required=True) or ""
        first = inputs.offset(params)
        reveal = inputs.flag(params, "reveal", "INVALID_PARAMETER", default=False)
        scope = inputs.user(params)
        check_names("conversation_get", params)
        said = self._engine.messages(scope, wanted, first=first, turns=_TURNS_SHOWN + 1)
        shown = [one for one in said if one.turn < first + _TURNS_SHOWN]
        return answers.ConversationWhole(
            conversation_id=wanted,
            messages=[shapes.said(one, reveal=reveal) for one in shown],
            next_offset=first + _TURNS_SHOWN if len(shown) < len(said) else None,
        )

    def _delete_conversation(self, params: Params, _sampling: Replier | None) -> Mapping[str, Any]:
        wanted = inputs.conversation(params, required=True) or ""
        scope = inputs.user(params)
        check_names("conversation_delete", params)
        forgotten = self._engine.delete_conversation(scope, wanted)
        return answers.ConversationDeleted(
            conversation_id=wanted, deleted=True, forgotten_memories=forgotten
        )

    def _erase(self, params: Params, _sampling: Replier | None) -> Mapping[str, Any]:
        conversation = inputs.conversation(params)
        everything = inputs.flag(params, "everything", "INVALID_PARAMETER", default=False)
        dry_run = inputs.flag(params, "dry_run", "INVALID_PARAMETER", default=False)
        user = inputs.user(params)
        check_names("memory_erase", params)
        given = [params.get("memory_id") not in (None, ""), conversation is not None, everything]
        if given.count(True) != 1:
            raise Refused("INVALID_PARAMETER", _ONE_OF_THREE)
        erase = partial(self._engine.erase, user=user.name, dry_run=dry_run)
        if everything:
            receipt = erase("user", user.name)
        elif conversation is not None:
            receipt = erase("conversation", conversation)
        else:
            receipt = erase("memory", self._own(params, status=None).id)
        return answers.MemoryErased(
            receipt=receipt.id,
            erased=not dry_run,
            counts=dict(receipt.counts),
            finished=receipt.finished_at is not None,
        )

    def _zone_of(self, params: Params) -> tzinfo:
        """Return where the user is."""
        named = inputs.zone_named(params)
        return self._zone if named is None else time_zone(named)

    def _own(self, params: Params, status: MemoryStatus | None = "active") -> Memory:
        """Return a user's memory; another user's is as little there as one that never was."""
        number = inputs.memory_number(params)
        scope = inputs.user(params)
        if number is not None:
            try:
                memory = self._engine.get(number)
            except NotFoundError as error:
                raise Refused("NOT_FOUND", _NO_SUCH_MEMORY) from error
            over = memory.expires_at is not None and memory.expires_at <= self._engine.now()
            if memory.scope == scope and (status is None or (status == memory.status and not over)):
                return memory
        raise Refused("NOT_FOUND", _NO_SUCH_MEMORY)


def _was_marked(said: Context, known: Context) -> bool:
    """Tell whether a user marks a memory as sensitive that was not, or was only recognised so."""
    of_user = known.get("sensitivity") == "high" and not known.get(RECOGNISED)
    return said.get("sensitivity") == "high" and not of_user


def _object(params: object) -> Params:
    if not isinstance(params, Mapping):
        told = LocalizedText(
            "params：必须是对象", "params: it is not an object; allowed: an object"
        )
        raise Refused("INVALID_PARAMETER", told)
    return params  # pyright: ignore[reportUnknownVariableType]
