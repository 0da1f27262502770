"""Which open loops a turn closes: by doing, answering or dropping what they speak of."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from mnemic.chat.extraction.extraction import KnownLoop, Resolution
from mnemic.chat.extraction.facts.guarding import is_chinese, is_question, sentences_of
from mnemic.chat.extraction.facts.words_chinese import TIME as TIME_CHINESE
from mnemic.chat.extraction.facts.words_english import DATE
from mnemic.chat.extraction.speakers import SpokenPassage
from mnemic.language.lexicon.concepts import word_set
from mnemic.language.tokens import is_stop_word, tokens_of, word_forms
from mnemic.runtime.patterns import linear, short

LONGEST_RESOLUTION: Final = 200
_ENOUGH: Final = 0.3
_ANSWERED: Final = 0.5

_PASTS: Final = """
    send:sent buy:bought find:found pay:paid write:wrote,written meet:met bring:brought
    get:got,gotten take:took,taken make:made tell:told speak:spoke,spoken go:went,gone see:saw,seen
    do:did,done give:gave,given sell:sold teach:taught build:built catch:caught feed:fed free:freed
    set:set come:came break:broke,broken run:ran lend:lent read:read choose:chose,chosen
    open:opened,unlocked,open call:called,rang,phoned book:booked,reserved leave:left
"""
_IRREGULAR: Final = {
    past: base
    for base, pasts in (row.split(":") for row in _PASTS.split())
    for past in pasts.split(",")
}
_EMPTY: Final = word_set(
    "user assistant need have must should will going go want plan remind forget remember promis"
    " swear vow still also let's know back thing someth soon later today tomorrow tonight week"
    " before after about would could i'll we'll i'm you'll let within day done finish please turn"
    " new first next"
)
_DONE: Final = linear(
    r"\b(?:done|finished|completed|sorted|solved|resolved|fixed|taken care of|received|arrived"
    r"|all set|settled|handled|ticked off"
    r"|delivered|got|found|submitted|made it|came back|is back|returned|rescued|unlocked|opens"
    r"|opened|works now|picked up)\b",
    re.I,
)
_DROPPED: Final = linear(
    r"\b(?:cancel+ed|called off|no longer (?:need|have to|want)|not going (?:to|after all)"
    r"|changed my mind|don't need to|never ?mind"
    r"|forget (?:about|it)|gave up|decided (?:not to|against)|won't be (?:going|needed)"
    r"|no need to)\b"
    r"|取消了?|不去了|算了|不用.{0,10}了|不需要.{0,10}了|放弃了?|不打算.{0,8}了|作罢",
    re.I,
)
_DECIDED: Final = linear(
    r"\b(?:decided on|decided to|let's go with|we'll take|chose|going with|settled on|go for"
    r"|i'll take|the answer is)\b|决定|就选|选了|定了|答案是",
    re.I,
)
_NOT_YET: Final = linear(
    r"\b(?:haven't|hasn't|have not|has not|didn't|did not|not yet|yet to|never|still (?:need|have"
    r"|haven't|hasn't|waiting|looking|missing|locked|must)"
    r"|need to|have to|should|must|will|'ll|going to|want to|if|would|hope|try(?:ing)? to"
    r"|about to|remind|wonder|not sure|don't know"
    r"|planning|plan to|almost|nearly|can't|cannot|couldn't|wasn't|isn't|when i|once i|after i"
    r"|before i|wish|forgot|not)\b"
    r"|还没|没有|尚未|未能|没(?!事|问题|错)|要是|如果|打算|准备|正要|马上|希望|不知道|不确定|还在"
    r"|记得|提醒|想要|需要|忘了|等我|差点|快要|再说|不到",
    re.I,
)
_DONE_CHINESE: Final = linear(
    r"搞定|完成了|做完|办好|办完|办妥|解决了|修好了|找到了|收到了|到货了|弄好了|救出来?了"
    r"|救回来了|回来了|打开了|解开了|处理好了|没问题了|结束了"
)
_ACTED_CHINESE: Final = linear(
    r"(?P<verb>[\u4e00-\u9fff])(?:好|完|到|出去?|过|掉|上|回来?|下来?|给[\u4e00-\u9fff]{1,4}|齐)?了"
    r"|已经(?P<done>[\u4e00-\u9fff]{1,3})"
)
_FOLLOWS: Final = (
    (
        linear(r"\bmissing|vanished|disappeared|kidnapped|captured|失踪|不见了|下落不明|被抓|绑架"),
        linear(r"\bfound|returned|is back|came back|rescued|freed|safe\b|找到|回来了|救出|获救"),
    ),
    (
        linear(r"\blocked|sealed|barred|jammed|锁|封住|打不开"),
        linear(r"\bunlock|opens?\b|opened|swings open|broke|broken|打开|解开|推开|撬开|开了"),
    ),
    (
        linear(r"\b(?:send|ship|deliver|mail|replacement|refund)\b|补发|寄|发给|退款|派|上门"),
        linear(r"\b(?:arrived|received|came|got|here(?:'s| is| are))\b|收到|到了|到账|来过|来了"),
    ),
    (
        linear(r"\b(?:buy|get|pick up|order)\b|买|取"),
        linear(r"\b(?:bought|got|picked up|ordered)\b|买到|买好|买了|取了|到手"),
    ),
    (
        linear(r"\b(?:send|show|share|write|draft|give)\b|发给|写|给你"),
        linear(r"\bhere(?:'s| is| are)\b|^给你|这是|请查收|已发"),
    ),
)
_SPLIT: Final = linear(
    r"[的了是我你您他她它们在有和与及或也都就还又很被把给让对从向到于以为因所而且但却这那哪谁吗呢吧啊个些着过得会要想来说请问好完已经前后之内再将去]+"
)
_CONTRAST: Final = short(
    r",?\s+(?=(?:but|though|although|however)\b)|[，,；;](?=不过|但|可是|只是|然后|而)"
)
_LABEL: Final = linear(r"^[^:：]{1,40}[:：]\s*")


_IT: Final = linear(r"\b(?:it|them)\b")


@dataclass(frozen=True, slots=True)
class ClosingSentence:
    """A sentence that may close a loop, and what it speaks of."""

    text: str
    role: str
    words: frozenset[str]


@lru_cache(maxsize=4096)
def content(text: str) -> frozenset[str]:
    """Return what a text speaks of: stems without grammar and times, and pairs of Chinese."""
    text = TIME_CHINESE.sub(" ", text) if is_chinese(text) else DATE.sub(" ", text)
    found: set[str] = set()
    for word in tokens_of(text):
        if is_chinese(word):
            for run in _SPLIT.split(word):
                found.update([run[at : at + 2] for at in range(len(run) - 1)] or [run])
        elif not is_stop_word(word):
            found.add(word_forms(_IRREGULAR.get(word, word))[0])
    return frozenset(found - _EMPTY - {""})


def statements(said: list[SpokenPassage]) -> tuple[ClosingSentence, ...]:
    """Return the sentences of a turn that may report that something is done or answered."""
    return tuple(
        ClosingSentence(sentence, passage.role, content(sentence))
        for passage in said
        for whole in sentences_of(passage.text)
        if not is_question(whole)
        for sentence in _CONTRAST.split(whole)
        if sentence.strip()
    )


def resolutions(
    said: Iterable[ClosingSentence], loops: tuple[KnownLoop, ...]
) -> tuple[Resolution, ...]:
    """Return the loops that some sentence closes; a sentence closes at most one."""
    found: dict[str, Resolution] = {}
    topics = [(loop, content(_LABEL.sub("", loop.text))) for loop in loops]
    for one in said:
        best: tuple[float, KnownLoop] | None = None
        for loop, words in topics:
            fit = _fit(one, loop, words, alone=len(loops) == 1)
            if fit and loop.id not in found and (best is None or fit > best[0]):
                best = (fit, loop)
        if best is not None:
            text = " ".join(one.text.split())[:LONGEST_RESOLUTION]
            found[best[1].id] = Resolution(best[1].id, text)
    return tuple(found.values())


def _fit(one: ClosingSentence, loop: KnownLoop, words: frozenset[str], *, alone: bool) -> float:
    """Return how surely a sentence closes a loop; 0 where it only speaks of the same."""
    if not words or not one.words:
        return 0.0
    shared = words & one.words
    share = len(shared) / min(len(words), 6)
    if share < _ENOUGH:
        return 0.0
    if _DROPPED.search(one.text):
        return share
    if _NOT_YET.search(one.text):
        return 0.0
    asked = is_question(_LABEL.sub("", loop.text))
    if asked and shared:
        decided = _DECIDED.search(one.text) is not None
        answered = one.role == "assistant" or decided
        return share if answered and share >= (_ENOUGH if decided else _ANSWERED) else 0.0
    if _acted(one, loop, words) and _names_it(shared, alone=alone, text=one.text):
        return share
    return 0.0


def _names_it(shared: frozenset[str], *, alone: bool, text: str) -> bool:
    """Tell whether more than the verb is shared, or the only loop is meant by "it"."""
    return len(shared) > 1 or bool(shared - _VERBS) or (alone and bool(_IT.search(text)))


_VERBS: Final = frozenset(_IRREGULAR.values())


def _acted(one: ClosingSentence, loop: KnownLoop, words: frozenset[str]) -> bool:
    """Tell whether a sentence reports a deed, and that of the loop."""
    if any(opened.search(loop.text) and closes.search(one.text) for opened, closes in _FOLLOWS):
        return True
    if is_chinese(one.text):
        if _DONE_CHINESE.search(one.text):
            return True
        topic = set(loop.text)
        verbs = [match["verb"] or match["done"] for match in _ACTED_CHINESE.finditer(one.text)]
        return any(topic.intersection(verb) for verb in verbs)
    if _DONE.search(one.text):
        return True
    pasts = [word for word in tokens_of(one.text) if word in _IRREGULAR or word.endswith("ed")]
    return any(word_forms(_IRREGULAR.get(word, word))[0] in words for word in pasts)
