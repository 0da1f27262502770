"""What a turn takes back: values that were wrong or have changed, and facts that no longer hold."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from mnemic.chat.extraction.extraction import Fact, Known, KnownFact, Retirement
from mnemic.chat.extraction.facts.fact_keys import KIN, PETS, fact, phrase
from mnemic.chat.extraction.facts.guarding import asserted, is_chinese, is_question, sentences_of
from mnemic.chat.extraction.facts.words_chinese import WHEN as WHEN_CHINESE
from mnemic.chat.extraction.facts.words_english import WHEN
from mnemic.chat.extraction.resolving import content
from mnemic.chat.extraction.speakers import SpokenPassage
from mnemic.runtime.patterns import linear, literals, short

_SHORT: Final = r"(?:the |an? |in |on |at )?[\w'./:-]+(?: [\w'./:-]+){0,3}"
_OLD_AND_NEW: Final = (
    short(
        rf"(?P<new>{_SHORT}?)(?: now)? (?:instead of|rather than) (?P<old>{_SHORT})\s*[.!]?$", re.I
    ),
    short(rf"(?P<new>{_SHORT}),? (?:and )?not (?P<old>{_SHORT})\s*[.!]?$", re.I),
    short(
        rf"\bnot (?P<old>{_SHORT}?)(?:,| but)(?: but| it's| it is"
        rf"| rather)? (?P<new>{_SHORT})\s*[.!]?$",
        re.I,
    ),
    short(
        r"\b(?:moved|changed|switched|rescheduled|pushed|postponed|renamed|updated|raised|cut"
        r"|reduced)\b"
        rf"[^.!?]{{0,30}}?\bfrom (?P<old>{_SHORT}?) to (?P<new>{_SHORT})",
        re.I,
    ),
    linear(r"不是(?P<old>[^，,。！]{1,12})[，,]?(?:而|应该)?是(?P<new>[^，,。！]{1,16})"),
    linear(r"(?<!不)是(?P<new>[^，,。！]{1,16})[，,](?:而)?不是(?P<old>[^，,。！]{1,12})"),
    linear(
        r"从(?P<old>[^，,。！]{1,12}?)(?:改|换|推迟|提前|调整|调|延期|延|降|涨|减|加|升|提高|缩减"
        r"|增加)(?:到|成"
        r"|为)了?(?P<new>[^，,。！]{1,16}?)(?:了|$"
        r"|[，,。！])"
    ),
)
# Most sentences correct nothing, and looking for what is corrected takes long.
_MAY_CORRECT: Final = linear(
    r"\b(?:not|instead of|rather than|from|actually|sorry|correction|wait|oops|i mean|i meant|make"
    r"|moved?|rescheduled|pushed|postponed|changed|brought)\b|不|从|其实|正|错|应该|改|推迟|提前"
    r"|延",
    re.I,
)
_ONLY_NEW: Final = (
    linear(
        r"\b(?:actually|sorry|correction|wait|oops|i meant|i mean"
        r"|(?<!n't )(?<!not )(?<!to )make (?:that|it)|moved"
        r"|rescheduled|pushed back|postponed"
        rf"|changed|brought forward)\b[^.!?]{{0,30}}?\b(?P<new>{WHEN})",
        re.I,
    ),
    linear(
        rf"(?:其实|更正|纠正|说错了|不对|应该|搞错了|记错了|改|推迟|提前"
        rf"|延)[^。！？]{{0,8}}?(?:是|到|成"
        rf"|在)了?(?P<new>{WHEN_CHINESE})"
    ),
)
_WEEKDAY: Final = linear(
    r"\b(?:mon|tues|wednes|thurs|fri|satur|sun)day\b|(?:下下|下|这|本)?个?(?:周|星期"
    r"|礼拜)[一二三四五六日天末]",
    re.I,
)
_CLOCK: Final = short(
    r"\b\d{1,2}(?::\d\d)? ?(?:am|pm|o'clock)\b|\b\d{1,2}:\d\d\b"
    r"|(?:早上|上午|中午|下午|晚上)?(?:\d{1,2}|[一二三四五六七八九十]+)点半?",
    re.I,
)
_LEADING: Final = linear(
    r"^(?:(?:it's|it is|that's|actually|sorry|no|wait|i meant|i mean|the|in|on|at|to|is|was"
    r"|correction|my \w+ is|i live in|i am"
    r"|i'm)[,:]?\s+)+",
    re.I,
)
_NO_LONGER: Final = linear(
    r"\b(?:I|[Ww]e)(?: am|'m| are|'re)? (?:no longer|not|don't|do not|stopped|quit|gave up"
    r"|have stopped|have quit|'ve stopped)"
    r"(?P<what> [^.,;!?]+)",
)
_ANY_MORE: Final = linear(
    r"\b(?:any ?more|after all|no longer|stopped|quit|gave up|these days)\b", re.I
)
_NO_LONGER_CHINESE: Final = linear(
    r"(?:不再|戒(?:掉)?了?|再也不)(?P<a>[^，,。！]{1,12})|(?:已经|现在)?(?<!要)不(?P<b>(?!是|过"
    r"|错|好|行"
    r"|对)[^，,。！是]{1,12})了(?=$|[，,。！])"
)
_ENDED: Final[tuple[tuple[re.Pattern[str], tuple[str, ...]], ...]] = (
    (
        linear(
            r"\b(?:quit|left|lost) my job\b|\bgot (?:fired|laid off)\b|\bwas laid off\b"
            r"|\bI (?:resigned|retired)\b"
            r"|辞职了|离职了|被裁了|失业了|辞掉了?工作|退休了"
        ),
        ("job", "employer", "workplace"),
    ),
    (
        linear(
            r"\b(?:we|I)(?:'ve| have)? (?:broke|broken|split) up\b|\bgot divorced\b|分手了|离婚了"
        ),
        ("girlfriend", "boyfriend", "partner", "wife", "husband", "status"),
    ),
    (
        linear(r"\bsold (?:my|our|the) (?:car|truck|bike|motorbike)\b|把车卖了|车卖了|车卖掉了"),
        ("car",),
    ),
    (
        linear(r"\b(?:has|have|is|are|fully|finally) healed\b|伤(?:口)?(?:已经)?(?:好了|痊愈)"),
        ("injury",),
    ),
)
_PET_GONE: Final = linear(
    r"\b(?:my|our|the) (?:\w+ )??(?P<pet>dog|cat|rabbit|hamster|parrot|horse|bird|turtle|goldfish"
    r"|snake|puppy|kitten)"
    r"(?: \w+)? (?:died|passed away|ran away|has died|has passed|is gone|was rehomed)"
    r"|\bgave (?:away )?(?:my|our) (?P<given>dog|cat|rabbit|hamster|parrot|horse|bird)\b"
    r"|(?P<zh>狗|猫|兔子|仓鼠|鹦鹉|鸟|乌龟|金鱼)(?:狗|咪)?[^，。]{0,6}?(?:去世|死|走丢|送人"
    r"|离开我|跑丢)了",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Correction:
    """A value that takes the place of another; without an old one, of what is of its kind."""

    new: str
    old: str
    words: frozenset[str]


@dataclass(frozen=True, slots=True)
class Ending:
    """Something that no longer holds of a subject: what it is called, or which attributes."""

    subject: str
    words: frozenset[str]
    attributes: tuple[str, ...]
    reason: str


def corrections_in(said: list[SpokenPassage]) -> tuple[Correction, ...]:
    """Return what the turn puts right."""
    found: list[Correction] = []
    for passage in said:
        if passage.machine or (passage.role != "user" and not passage.play):
            continue
        for sentence in sentences_of(passage.text):
            if not is_question(sentence):
                found.extend(_corrections(sentence))
    return tuple(found)


def _corrections(sentence: str) -> Iterator[Correction]:
    if not _MAY_CORRECT.search(sentence):
        return
    for pattern in _OLD_AND_NEW:
        if match := pattern.search(sentence):
            old, new = (
                phrase(_LEADING.sub("", match[part])).removesuffix("了") for part in ("old", "new")
            )
            if old and new:
                yield Correction(new, old, content(sentence))
                return
    for pattern in _ONLY_NEW:
        if match := pattern.search(sentence):
            yield Correction(phrase(match["new"]), "", content(sentence))
            return


def corrected(found: tuple[Correction, ...], facts: tuple[Fact, ...], known: Known) -> list[Fact]:
    """Return the facts that take over from known ones, as the turn corrects them."""
    told = {one.key for one in facts}
    result: list[Fact] = []
    for one in found:
        fitting = [
            (k, value) for k in known.facts if (value := _replaced(k.value, one)) is not None
        ]
        if not one.old:
            fitting = [(k, value) for k, value in fitting if _is_dated(k)]
        best = _best(fitting, one.words, certain=bool(one.old))
        if best is None or best[0].key in told:
            continue
        made = fact(best[0].key, best[1])
        if made is not None:
            told.add(made.key)
            result.append(made)
    return result


def _is_dated(known: KnownFact) -> bool:
    return known.key.startswith("event.") or known.key.endswith((".deadline", " date", ".kickoff"))


def _best(
    fitting: list[tuple[KnownFact, str]], words: frozenset[str], *, certain: bool
) -> tuple[KnownFact, str] | None:
    if len(fitting) == 1:
        return fitting[0]
    scored = [(len(words & content(k.key.replace(".", " "))), k, value) for k, value in fitting]
    most = max((score for score, _, _ in scored), default=0)
    top = [(k, value) for score, k, value in scored if score == most]
    return top[0] if top and (certain or (most and len(top) == 1)) else None


def _replaced(value: str, one: Correction) -> str | None:
    """Return a known value with the correction in it; None where it is not about that value."""
    if one.old:
        where = literals([one.old], re.I, whole=one.old[0].isascii()).search(value)
        return None if where is None else value[: where.start()] + one.new + value[where.end() :]
    for kind in (_WEEKDAY, _CLOCK):
        ours, theirs = kind.search(one.new), kind.search(value)
        if ours is not None and theirs is not None and len(one.new) <= len(ours[0]) + 3:
            return value[: theirs.start()] + ours[0] + value[theirs.end() :]
    return one.new


def endings_in(said: list[SpokenPassage]) -> tuple[Ending, ...]:
    """Return what the turn says no longer holds."""
    found: list[Ending] = []
    for passage in said:
        if passage.by_person and not passage.machine:
            for sentence in asserted(passage.text):
                found.extend(_endings(sentence, passage.me))
    return tuple(found)


def _endings(sentence: str, me: str) -> Iterator[Ending]:
    reason = " ".join(sentence.split())[:200]
    for pattern, attributes in _ENDED:
        if pattern.search(sentence):
            yield Ending(me, frozenset(), attributes, reason)
    if gone := _PET_GONE.search(sentence):
        kind = PETS[(gone["pet"] or gone["given"] or gone["zh"]).lower()]
        yield Ending(me, frozenset({kind}), (), reason)
    if is_chinese(sentence):
        for match in _NO_LONGER_CHINESE.finditer(sentence):
            yield Ending(me, _named(match["a"] or match["b"]), (), reason)
    elif (match := _NO_LONGER.search(sentence)) and _ANY_MORE.search(sentence):
        yield Ending(me, _named(match["what"]), (), reason)


def _named(text: str) -> frozenset[str]:
    """Return the words of what ended, with the key words for the pets and relatives among them."""
    translated = {key for word, key in (PETS | KIN).items() if not word.isascii() and word in text}
    return content(text) | translated


def without_ended(found: tuple[Ending, ...], facts: tuple[Fact, ...]) -> tuple[Fact, ...]:
    """Return the facts without those of a pet that the same turn says is gone."""
    gone = {f"{one.subject}.pet.{word}" for one in found for word in one.words}
    return tuple(one for one in facts if ".".join(one.key.split(".")[:3]) not in gone)


def retired(
    found: tuple[Ending, ...], facts: tuple[Fact, ...], known: Known
) -> tuple[Retirement, ...]:
    """Return the known facts that no longer hold after the turn, other than by a new value."""
    told = {one.key for one in facts}
    opposites = {opposite(key) for key in told} - {""}
    result: dict[str, Retirement] = {}
    for one in known.facts:
        if one.key in told:
            continue
        ending = next((end for end in found if _ends(end, one)), None)
        if ending is not None:
            result[one.id] = Retirement(one.id, ending.reason)
        elif one.key in opposites:
            result[one.id] = Retirement(
                one.id, next(f.value for f in facts if opposite(f.key) == one.key)
            )
    return tuple(result.values())


def opposite(key: str) -> str:
    """Return the key of a taste that another one rules out; empty for other keys."""
    subject, _, rest = key.partition(".")
    kind, _, what = rest.partition(".")
    other = {"like": "dislike", "dislike": "like"}.get(kind)
    return f"{subject}.{other}.{what}" if other and what else ""


def _ends(ending: Ending, known: KnownFact) -> bool:
    if not known.key.startswith(f"{ending.subject}."):
        return False
    parts = known.key.split(".")[1:]
    if ending.attributes:
        return parts[0] in ending.attributes
    if parts == ["name"]:
        return False
    last = parts[-2] if parts[-1] == "name" and len(parts) > 1 else parts[-1]
    named = content(last.replace("_", " ")) or frozenset({last})
    return any(bool(words) and words <= ending.words for words in (named, content(known.value)))
