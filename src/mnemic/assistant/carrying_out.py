"""Carry out what a message orders about memory, and say plainly what became of it.

Everything goes through the verbs `forget`, `revise` and `undo`, so that the history tells it and
another undo takes it back.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from mnemic.assistant.answering.phrasing import CHINESE, ENGLISH, AnswerPhrases, wording_of
from mnemic.assistant.answering.quoting import Teller
from mnemic.assistant.answering.reply import ExtractiveReply
from mnemic.assistant.understanding.asking import Question
from mnemic.assistant.understanding.following import cited
from mnemic.assistant.understanding.intents import language_of
from mnemic.assistant.understanding.orders import Order, order_in
from mnemic.errors import StateError
from mnemic.language.tokens import is_stop_word, jaccard, word_set
from mnemic.memory.history import undo
from mnemic.memory.retrieval.matching import LEAST_FIT
from mnemic.memory.retrieval.recall import recall
from mnemic.memory.revise import forget, revise
from mnemic.memory.texts.sensitivity import covered
from mnemic.memory.workspace import Workspace
from mnemic.records.memory import Chat, Hit, Memory, Utterance
from mnemic.records.query import Query
from mnemic.storage.rows import memory_rows

_LOOKED_AT: Final = 8
# What says the same as the best is meant as well; what only comes as close is named, and stays.
_SAME: Final = 0.8
_AS_GOOD: Final = 0.8
_MOST_NAMED: Final = 3
# Without having been told just before, so well must what is corrected fit.
_CORRECTED: Final = 0.6


def carry_out(
    workspace: Workspace, chat: Chat, history: Sequence[Utterance]
) -> ExtractiveReply | None:
    """Do what a message orders, and return what is said of it; None where it orders nothing."""
    order = order_in(chat.message.content)
    if order is None:
        return None
    desk = _Orders(workspace, chat, history, order)
    if order.verb == "forget_all":
        return ExtractiveReply(desk.words.forget_all)
    if not chat.memorizing:
        return ExtractiveReply(desk.words.not_kept)
    if order.verb == "undo":
        return desk.undone()
    return desk.corrected() if order.verb == "correct" else desk.forgotten()


class _Orders:
    """One order, and the memories that it may mean."""

    def __init__(
        self, workspace: Workspace, chat: Chat, history: Sequence[Utterance], order: Order
    ) -> None:
        self._workspace = workspace
        self._chat = chat
        self._order = order
        self._history = history
        language = language_of(chat.message.content)
        self.words: AnswerPhrases = wording_of(language)
        self._teller = Teller(
            Question(order.text, language, "request"),
            now=workspace.seen_from(None, chat.time_zone).clock(),
        )

    def forgotten(self) -> ExtractiveReply:
        """Take out of use what is meant, where that is clear."""
        meant, close = self._meant()
        if not meant and close:
            lines = [self.words.which_one, *map(self._line, close)]
            return ExtractiveReply("\n".join(lines), tuple(close))
        if not meant:
            return ExtractiveReply(self.words.nothing_to_forget)
        for hit in meant:
            forget(self._workspace, hit.memory.id, reason="its user asked for it in a chat")
        lines = [self.words.forgotten, *map(self._line, meant), self.words.brings_back]
        if close:
            # Without their ids: an undo is for what was changed.
            told = [self._teller.quoted(covered(hit.memory).content) for hit in close]
            lines += [self.words.stays, *(f"- {quote}" for quote in told)]
        return ExtractiveReply("\n".join(lines), tuple(meant))

    def corrected(self) -> ExtractiveReply | None:
        """Give the memory that is meant its new wording; None where none is."""
        meant = self._wrong()
        if meant is None:
            return None
        revised = revise(self._workspace, meant.memory.id, self._order.text)
        lines = [
            self.words.corrected.format(old=self._teller.quoted(covered(revised.before).content)),
            self._line(replace(meant, memory=revised.after)),
            self.words.brings_back,
        ]
        return ExtractiveReply("\n".join(lines), (replace(meant, memory=revised.after),))

    def undone(self) -> ExtractiveReply | None:
        """Bring back what the last reply says was changed; None where it was no such reply."""
        replies = [said.content for said in self._history if said.role == "assistant"]
        offers = (ENGLISH.brings_back, CHINESE.brings_back)
        if not replies or not any(offer in replies[-1] for offer in offers):
            return None
        back: list[Hit] = []
        for number in sorted(cited(self._history, last=True)):
            try:
                back.append(Hit(undo(self._workspace, number), 1.0, fit=1.0))
            except StateError:
                # Somebody brought it back meanwhile.
                continue
        lines = [self.words.brought_back, *map(self._line, back)]
        return ExtractiveReply("\n".join(lines), tuple(back))

    def _meant(self) -> tuple[list[Hit], list[Hit]]:
        """Return what is to be forgotten, and what comes as close to it."""
        if not self._order.text:
            told = self._told_last()
            return (told, []) if len(told) == 1 else ([], told)
        hits = self._found()
        if not hits:
            return [], []
        best = word_set(hits[0].memory.content)
        meant = [hit for hit in hits if jaccard(best, word_set(hit.memory.content)) >= _SAME]
        close = [hit for hit in hits if hit not in meant and hit.fit >= _AS_GOOD * hits[0].fit]
        return meant, close[:_MOST_NAMED]

    def _wrong(self) -> Hit | None:
        """Return what is corrected: what was just told, or what comes close by itself."""
        right = _content_words(self._order.text)
        for hit in self._told_last():
            if right & _content_words(hit.memory.content):
                return hit
        hits = self._found()
        return hits[0] if hits and hits[0].fit >= _CORRECTED else None

    def _found(self) -> list[Hit]:
        query = Query(
            self._order.text,
            scopes=(self._chat.scope,),
            limit=_LOOKED_AT,
            matching=True,
            traceless=True,
        )
        hits = recall(self._workspace, query).hits
        return [hit for hit in hits if hit.fit >= LEAST_FIT and hit.memory.valid_until is None]

    def _told_last(self) -> list[Hit]:
        numbers = sorted(cited(self._history, last=True))
        rows = [memory_rows.get(self._workspace.db, number) for number in numbers]
        return [Hit(row, 1.0, fit=1.0) for row in rows if self._is_own(row) and row is not None]

    def _is_own(self, memory: Memory | None) -> bool:
        if memory is None:
            return False
        return memory.scope == self._chat.scope and memory.status == "active"

    def _line(self, hit: Hit) -> str:
        return self._teller.item(covered(hit.memory))


def _content_words(text: str) -> set[str]:
    return {word for word in word_set(text) if not is_stop_word(word)}
