"""Conversing: bring to mind what a message is about, let somebody reply, and keep the turn."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from mnemic.assistant.prompt import build_prompt
from mnemic.errors import ChatServiceError, NotFoundError, OutOfTimeError
from mnemic.language.bounds import READ_OF_MEMORY, READ_OF_QUESTION
from mnemic.language.memory_types import facts_about_the_speaker
from mnemic.language.secrets.recognising import secrets_in
from mnemic.language.tokens import is_mostly_cjk
from mnemic.memory.remember import hold_scopes, prepare, store
from mnemic.memory.revise import retire
from mnemic.memory.supersede.validity import end
from mnemic.memory.texts.context_words import CONVERSATION
from mnemic.memory.texts.derivation import check_aware, check_content, writable
from mnemic.memory.user_activity import note
from mnemic.memory.workspace import Workspace
from mnemic.providers.chat_models.chat_model import ChatModel
from mnemic.records.memory import (
    Answer,
    Chat,
    Conversation,
    Draft,
    Hit,
    MemoryKind,
    Message,
    Remembered,
    ReplyMode,
    Scope,
    Utterance,
)
from mnemic.storage.rows import conversation_rows

# So many turns are looked at again; a prompt has a budget of its own.
_TURNS_SEEN: Final = 20
_REPLACED: Final = "what was said later says what holds now"
_UNSEEN_EN: Final = "(The pictures were not looked at.)"
_UNSEEN_ZH: Final = "（图片没有被查看。）"


@dataclass(frozen=True, slots=True)
class _Reply:
    text: str
    mode: ReplyMode
    used: tuple[Hit, ...]
    fallback: bool = False
    is_order: bool = False


@dataclass(frozen=True, slots=True)
class _Statement:
    draft: Draft
    supersedes: tuple[int, ...] = ()


def converse(workspace: Workspace, chat: Chat, sampling: ChatModel | None = None) -> Answer:
    """Reply to a message from what is remembered, and keep the turn unless told not to.

    The configured model replies, else `sampling`, which is the client's own, else the memory
    itself. No transaction is open meanwhile. The turn, and what it tells about the user, are
    written together before this returns, or raises because reading it took too long.
    """
    check_content(chat.message.content, "message")
    with workspace.call():
        return _converse(workspace, chat, sampling)


def _converse(workspace: Workspace, chat: Chat, sampling: ChatModel | None) -> Answer:
    conversation_id = _which(workspace, chat)
    history = _history(workspace, chat.scope, conversation_id)
    late: OutOfTimeError | None = None
    try:
        said = _reply(workspace, chat, history, sampling)
    except OutOfTimeError as error:
        # An order that was carried out, and read too late, names what it changed.
        done = "memory_ids" in error.details
        late, said = error, _Reply(str(error), "extractive", (), is_order=done)
    answer = Answer(
        text=said.text,
        mode=said.mode,
        conversation_id=conversation_id or f"conv_{workspace.new_id()}",
        message_id=f"msg_{workspace.new_id()}",
        used=said.used,
        memorized=chat.memorizing,
        fallback=said.fallback,
    )
    if chat.memorizing:
        stated = None if said.is_order else _stated(chat, answer)
        _keep(workspace, chat, answer, _filed(workspace, chat, stated, said) if stated else [])
    if late is not None:
        raise late
    return answer


def list_conversations(
    workspace: Workspace, scope: Scope, *, limit: int = 50, offset: int = 0
) -> list[Conversation]:
    """Return a page of a user's conversations, the last used first."""
    scope_ids = workspace.scope_ids((scope,))
    if not scope_ids:
        return []
    return conversation_rows.listed(workspace.db, scope_ids[0], limit=limit, offset=offset)


def messages(
    workspace: Workspace, scope: Scope, conversation_id: str, *, first: int = 0, turns: int = 100
) -> list[Message]:
    """Return what was said in some turns of a conversation, from the first one on, in order."""
    scope_id = _existing(workspace, scope, conversation_id)
    return conversation_rows.messages(
        workspace.db, scope_id, conversation_id, first=first, turns=turns
    )


def delete_conversation(workspace: Workspace, scope: Scope, conversation_id: str) -> int:
    """Delete a conversation; return how many memories were made from it alone and go too."""
    _existing(workspace, scope, conversation_id)
    now = workspace.clock()

    def drop() -> int:
        scope_id = hold_scopes(workspace, [scope], now)[scope]
        made = conversation_rows.made_from(workspace.db, scope_id, conversation_id)
        remaining = [one for one in map(workspace.existing, made) if one.status == "active"]
        for memory in remaining:
            reason = "its conversation was deleted"
            retire(workspace, memory, "invalidated", "forgotten", reason=reason, now=now)
        conversation_rows.drop(workspace.db, scope_id, conversation_id)
        return len(remaining)

    return workspace.db.write(drop)


def _existing(workspace: Workspace, scope: Scope, conversation_id: str) -> int:
    scope_ids = workspace.scope_ids((scope,))
    if not scope_ids or conversation_rows.get(workspace.db, scope_ids[0], conversation_id) is None:
        raise NotFoundError(
            f"There is no conversation {conversation_id!r}.", conversation_id=conversation_id
        )
    return scope_ids[0]


def _which(workspace: Workspace, chat: Chat) -> str | None:
    """Return the conversation that goes on; None where none was begun."""
    if chat.conversation_id is not None:
        return chat.conversation_id
    scope_ids = workspace.scope_ids((chat.scope,))
    latest = conversation_rows.latest(workspace.db, scope_ids[0]) if scope_ids else None
    return latest.id if latest else None


def _history(
    workspace: Workspace, scope: Scope, conversation_id: str | None
) -> tuple[Utterance, ...]:
    scope_ids = workspace.scope_ids((scope,))
    if not scope_ids or conversation_id is None:
        return ()
    found = conversation_rows.get(workspace.db, scope_ids[0], conversation_id)
    if found is None:
        return ()
    first = max(0, found.turns - _TURNS_SEEN)
    said = conversation_rows.messages(
        workspace.db, scope_ids[0], conversation_id, first=first, turns=_TURNS_SEEN
    )
    return tuple(Utterance(one.role, one.content[:READ_OF_MEMORY]) for one in said)


def _reply(
    workspace: Workspace,
    chat: Chat,
    history: Sequence[Utterance],
    sampling: ChatModel | None,
) -> _Reply:
    # The rules of an answer take a tenth of a second to load, and only a chat needs them.
    from mnemic.assistant.answering.gathering import core_profile, gather  # noqa: PLC0415
    from mnemic.assistant.answering.reply import reply  # noqa: PLC0415
    from mnemic.assistant.carrying_out import carry_out  # noqa: PLC0415

    check_aware("as_of", chat.as_of)
    message = chat.message.content[:READ_OF_QUESTION]
    asking = workspace.seen_from(chat.as_of, chat.time_zone)
    ordered = carry_out(workspace, chat, history)
    if ordered is not None:
        return _Reply(ordered.text, "extractive", ordered.used, is_order=True)
    model = workspace.chat_model or sampling
    evidence = gather(asking, message, history, scope=chat.scope, wide=model is not None)
    fallback = False
    known = evidence.hits
    if model is not None:
        known = (*known, *core_profile(asking, chat.scope, known))
        if evidence.tells_a_secret:
            model = None
    if model is not None and workspace.chat_model is not None:
        try:
            return _by_model(workspace, model, "llm", chat, history, known)
        except ChatServiceError:
            if not workspace.settings.llm_fallback:
                raise
            fallback = True
    elif model is not None:
        return _by_model(workspace, model, "sampling", chat, history, known)
    pictures = len(chat.message.images)
    own = reply(
        asking,
        message,
        evidence,
        memorizing=chat.memorizing,
        pictures=pictures,
    )
    return _Reply(own.text, "extractive", _whole(workspace, own.used), fallback)


def _whole(workspace: Workspace, used: Sequence[Hit]) -> tuple[Hit, ...]:
    """Return hits with all of their texts; of long ones only the beginning was read."""
    return tuple(
        replace(hit, memory=workspace.existing(hit.memory.id))
        if len(hit.memory.content) == READ_OF_MEMORY
        else hit
        for hit in used
    )


def _by_model(
    workspace: Workspace,
    model: ChatModel,
    mode: ReplyMode,
    chat: Chat,
    history: Sequence[Utterance],
    hits: Sequence[Hit],
) -> _Reply:
    prompt = build_prompt(hits, history, chat.message, now=workspace.clock())
    completion = model.complete(prompt.system, prompt.said)
    text = writable(completion.text)
    if not text:
        raise ChatServiceError("The model answered without a text. Try again.", retryable=True)
    if chat.message.images and not completion.saw_images:
        told = _UNSEEN_ZH if is_mostly_cjk(chat.message.content) else _UNSEEN_EN
        text = f"{text}\n\n{told}"
    return _Reply(text, mode, prompt.shown)


def _keep(workspace: Workspace, chat: Chat, answer: Answer, stated: Sequence[_Statement]) -> None:
    """Write a turn, and once what it states."""
    content = chat.message.content
    prepared = prepare(workspace, [one.draft for one in stated])
    turn_id = f"turn_{workspace.new_id()}"
    said = [
        (f"msg_{workspace.new_id()}", Utterance("user", content)),
        (answer.message_id, Utterance("assistant", answer.text)),
    ]
    now = workspace.clock()

    def write() -> None:
        held = hold_scopes(workspace, [chat.scope], now)
        scope_id = held[chat.scope]
        conversation_rows.add_turn(
            workspace.db,
            turn_id,
            said,
            scope_id=scope_id,
            conversation_id=answer.conversation_id,
            now=now,
        )
        stored = store(workspace, prepared, held, now)
        for one, kept in zip(stated, stored, strict=True):
            older = [workspace.existing(number) for number in one.supersedes]
            end(workspace, kept.memory, older, reason=_REPLACED, now=now)
        conversation_rows.add_sources(workspace.db, turn_id, _made_here(workspace, stored))
        first = stored[0].memory if stored else None
        note(
            workspace,
            "chat",
            chat.scope,
            scope_id=scope_id,
            now=now,
            kind=first.kind if first else None,
            memory_id=first.id if first else None,
        )

    workspace.db.write(write)
    for one in prepared:
        if one.late is not None:
            raise one.late


def _stated(chat: Chat, answer: Answer) -> Draft | None:
    """Return what a message states: questions, greetings, thanks and commands are no memories."""
    # The rules take a tenth of a second to load, and only a chat needs them.
    from mnemic.assistant.understanding.asking import statement_in  # noqa: PLC0415

    content = chat.message.content
    stated = statement_in(content[:READ_OF_QUESTION])
    if not stated:
        return None
    if len(content) > READ_OF_QUESTION:
        stated = content
    kind: MemoryKind = "core" if facts_about_the_speaker(stated[:READ_OF_QUESTION]) else "episodic"
    said_in = {CONVERSATION: answer.conversation_id}
    return Draft(stated, chat.scope, kind=kind, context=said_in, dedup="exact")


def _filed(workspace: Workspace, chat: Chat, draft: Draft, said: _Reply) -> list[_Statement]:
    """Return what a model that replied makes of a statement, or the statement as it is.

    A statement that tells a secret is not shown to it.
    """
    verbatim = [_Statement(draft)]
    if workspace.chat_model is None or said.mode != "llm":
        return verbatim
    # Only who has a model needs what reads its answers.
    from mnemic.assistant.remembering import file_statement  # noqa: PLC0415

    if secrets_in(draft.content):
        return verbatim
    here = workspace.seen_from(None, chat.time_zone)
    made = file_statement(
        workspace.chat_model, draft.content, said.used, now=here.clock(), zone=here.settings.zone
    )
    return [
        _Statement(
            replace(draft, content=one.text, kind=one.kind, occurred_at=one.occurred_at),
            one.supersedes,
        )
        for one in made
    ] or verbatim


def _made_here(workspace: Workspace, stored: Sequence[Remembered]) -> list[int]:
    """Return what came from a conversation: not what the user had told the memory before."""
    return [
        one.memory.id
        for one in stored
        if one.duplicate is None or conversation_rows.is_from_a_turn(workspace.db, one.memory.id)
    ]
