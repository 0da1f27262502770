"""Whether a memory answers a question: by the words that carry it, by whom it speaks of, and,
where the default embedder compared them, by its meaning.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Literal

from mnemic.assistant.answering.passages import QuotablePassage, passages
from mnemic.assistant.answering.polarity import is_habit, likes
from mnemic.assistant.answering.subjects import (
    aliases,
    is_of_self_alone,
    speaks_of_others,
    tells_age,
    tells_name,
    tells_work,
)
from mnemic.assistant.answering.turning import without_quotes
from mnemic.assistant.understanding.asking import Question
from mnemic.assistant.understanding.intents import language_of
from mnemic.assistant.understanding.time_spans import overlaps
from mnemic.assistant.understanding.units import (
    CUE,
    NormalizedText,
    Unit,
    broader,
    cover,
    read,
    terms_of,
    weights,
)
from mnemic.language.lexicon import concepts, function_words
from mnemic.records.memory import Hit
from mnemic.runtime.patterns import linear, opening

Verdict = Literal["answers", "near", "no"]

# A thing counts as shown from this part of it on, a relation from that.
_THINGS: Final = 0.6
_RELATIONS: Final = 0.5
# From these cosines on, meaning stands in for a relation that no word shows, for a thing that is
# only partly shown, and for all words.
_FOR_RELATION: Final = 0.6
_FOR_THING: Final = 0.5
_BEYOND_DOUBT: Final = 0.62
_NEAR: Final = 0.4
_NEAR_REQUEST: Final = 0.3
# Of two that say the same, the one in the language of the question reads better.
_OWN_LANGUAGE: Final = 0.1
_NUMBER: Final = linear(
    r"\d|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|twenty|thirty|half"
    r"|dozen"
    r"|both|no|none)\b|[一二两三四五六七八九十百千万半]",
    re.IGNORECASE,
)
_PLACE: Final = linear(
    r"\b(?:in|at|to|near|on|from|by|under|behind|inside|address)\b|[在到去于住往]|地址|家"
)
# A colour may be part of a name, as in green tea: it counts where it is asked of a thing.
_COLOUR: Final = linear(
    r"\b(?:red|blue|green|yellow|purple|black|white|orange|pink|gr[ae]y|brown|silver|gold(?:en)?"
    r"|beige|turquoise)\b"
)
_HAS: Final = linear(r"\b(?:have|has|had|having)\b")
_HAD: Final = frozenset(("eat", "drink"))
# What is taken so many times a day is a medicine.
_TAKES: Final = linear(
    r"\btak(?:e|es|ing) [\w-]+ (?:once|twice|daily|every|each|\w+ times)\b"
    r"|(?:每天|每晚|每日|早晚)[^，。]{0,6}(?:吃|服)[^，。]{0,3}[次片粒颗]"
)
_FIRST: Final = linear(r"\b(?:i|i'm|my)\b|我", re.IGNORECASE)
_START: Final = opening(r"[\u3400-\u9fff]{1,7}|\W*(?:\w+(?:['’]\w+)?\W+){0,3}\w+")
_DIRECT: Final = 0.2
# What has no place in it says less well where something is, and instructions tell what to do, not
# what is so.
_BEHIND_THE_POINT: Final = 0.3
_INSTRUCTS: Final = linear(r"(?:how )?to [a-z]+\b|.{0,12}(?:步骤|方法)", re.IGNORECASE)
# A relation that only the note about a memory shows counts less.
_BY_NOTE: Final = 0.4
# What somebody does every day they may be taken to like.
_BY_HABIT: Final = 0.85
_SELF_NAME: Final = concepts.BY_NAME["name"].words | concepts.BY_NAME["name"].asked
_LIKING: Final = concepts.BY_NAME["like"].words | concepts.BY_NAME["dislike"].words
_PREFERS: Final = frozenset(("like", "dislike"))


@dataclass(frozen=True, slots=True)
class JudgedHit:
    """A hit, how it stands to the question, how well, and what of it to show."""

    hit: Hit
    verdict: Verdict
    score: float
    shown: str


class Judge:
    """Compares memories with one question. `shares` says how common its terms are."""

    def __init__(
        self, asked: Question, hits: Sequence[Hit], shares: Mapping[str, float], *, by_meaning: bool
    ) -> None:
        self._asked = asked
        self._weights = weights(asked.units, shares)
        self._by_meaning = by_meaning
        self._named = frozenset(word for unit in asked.units for word in _words_of(unit))
        self._of_things = sum(unit.kind == "thing" for unit in asked.units) > 1
        self._broader = [Unit("thing", one.name, one) for one in map(broader, asked.units) if one]
        self._aliases = aliases([hit.memory.content for hit in hits])

    def judge(self, hit: Hit) -> JudgedHit | None:
        """Return how a memory stands to the question; None where it holds nothing to quote."""
        found = passages(hit.memory)
        if not found:
            return None
        judged = [self._passage(one, hit) for one in found]
        best = max(range(len(found)), key=lambda at: (_ORDER[judged[at][0]], judged[at][1], -at))
        verdict, score = judged[best]
        return JudgedHit(hit, verdict, score, self._shown(found, judged, best, hit.memory.content))

    def _shown(
        self,
        found: tuple[QuotablePassage, ...],
        judged: list[tuple[Verdict, float]],
        best: int,
        content: str,
    ) -> str:
        """Return what to quote: the passage that answers, with others that answer as well; of
        instructions, everything.
        """
        if self._asked.followed.kind == "how" and judged[best][0] == "answers":
            return _cut(content.strip(), _LONG)
        chosen = [
            at
            for at, (verdict, score) in enumerate(judged)
            if at == best
            or (verdict == "answers" == judged[best][0] and score > judged[best][1] - 0.2)
        ][:3]
        texts = [found[at].shown for at in chosen]
        alone = [one for one in texts if not any(one != other and one in other for other in texts)]
        joint = "" if alone and alone[0][-1:] in "。！？" else " "
        return _cut(joint.join(dict.fromkeys(alone)), _SHORT)

    def _passage(self, passage: QuotablePassage, hit: Hit) -> tuple[Verdict, float]:
        asked = self._asked
        text = read(passage.judged)
        covers = [self._cover(unit, text, passage) for unit in asked.units]
        score = self._directness(passage)
        total = sum(self._weights) or 1.0
        covered = sum(w * c for w, c in zip(self._weights, covers, strict=True)) / total
        cosine = (hit.cosine or 0.0) if self._by_meaning else 0.0
        score += covered + 0.3 * cosine
        if language_of(passage.shown) == asked.language:
            score += _OWN_LANGUAGE
        if asked.followed.kind == "where" and not _PLACE.search(passage.shown.casefold()):
            score -= _BEHIND_THE_POINT
        if asked.followed.kind != "how" and _INSTRUCTS.match(passage.shown):
            score -= _BEHIND_THE_POINT
        others = speaks_of_others(passage.shown, asked)
        answers = (
            not others
            and self._of_the_right_one(covers)
            and self._enough(covers, text, cosine)
            and self._of_the_right_sort(passage, text)
            and (not asked.windows or overlaps(hit.memory, asked.windows))
        )
        if answers:
            return "answers", score
        near = self._is_near(covers, covered, text, others=others)
        score += _DIRECT if self._begins_with_who(passage) else 0.0
        return ("near" if near else "no"), score - (0.3 if others else 0.0)

    def _begins_with_who(self, passage: QuotablePassage) -> bool:
        who = [unit for unit in self._asked.units if unit.is_who]
        return bool(who) and any(cover(unit, _start_of(passage)) for unit in who)

    def _is_near(
        self, covers: list[float], covered: float, text: NormalizedText, *, others: bool
    ) -> bool:
        """Tell whether a passage is about the same, though it does not answer: about the one who
        is named, else about the thing, else it says the same of the speaker.
        """
        asked = self._asked
        if asked.intent == "request":
            return covered >= _NEAR_REQUEST
        pairs = list(zip(asked.units, covers, strict=True))
        if who := [c for unit, c in pairs if unit.is_who]:
            return min(who) > 0
        if others:
            return False
        if asked.closed and any(cover(unit, text) for unit in self._broader):
            # Who asks for a dog may want to hear of the cats.
            return True
        things = [c for unit, c in pairs if unit.kind == "thing"]
        if not asked.open:
            relations = [c for unit, c in pairs if unit.kind == "relation"]
            return covered >= _NEAR or min(relations, default=0.0) >= CUE or 1.0 in things
        return covered >= _NEAR and (not things or max(things) >= _THINGS)

    def _cover(self, unit: Unit, text: NormalizedText, passage: QuotablePassage) -> float:
        if unit.text in _SELF_NAME and is_of_self_alone(self._asked):
            return float(tells_name(passage.shown, self._asked))
        found = cover(unit, text, without=self._named)
        if not found:
            return self._cover_otherwise(unit, text, passage)
        if unit.kind == "relation":
            own = cover(unit, read(passage.shown), without=self._named)
            if not own:
                return found * _BY_NOTE
            if own == CUE and self._asked.of_self and not self._is_own(passage, unit):
                return 0.0
        return found

    def _cover_otherwise(self, unit: Unit, text: NormalizedText, passage: QuotablePassage) -> float:
        """Return how much of a unit is shown by the form of a text, or by another name."""
        if unit.kind == "name":
            kin = self._aliases.get(unit.text)
            return cover(Unit("person", kin, concepts.BY_NAME[kin]), text) if kin else 0.0
        if unit.concept is None:
            return 0.0
        if unit.kind == "person":
            known = {name for name, kin in self._aliases.items() if kin == unit.concept.name}
            return float(any(cover(Unit("name", name), text) for name in known))
        if unit.concept.name == "like":
            return self._liked(unit, text)
        return self._cover_by_form(unit.concept.name, text, passage.shown)

    def _liked(self, unit: Unit, text: NormalizedText) -> float:
        if self._asked.negated:
            return cover(Unit("relation", "dislike", concepts.BY_NAME["dislike"]), text)
        doing = [one for one in self._asked.units if one.kind == "relation" and one is not unit]
        return _BY_HABIT if doing and is_habit(text, doing) else 0.0

    def _is_had(self, asked: str, text: NormalizedText) -> bool:
        """Tell whether what is asked for is had: who has porridge for breakfast eats it."""
        cues = concepts.BY_NAME[asked].cues
        things = [unit for unit in self._asked.units if unit.kind == "thing" or unit.text in cues]
        return bool(things) and _HAS.search(text.plain) is not None

    def _cover_by_form(self, asked: str, text: NormalizedText, shown: str) -> float:
        if asked == "name":
            return float(tells_name(shown, self._asked))
        # Where something is says where it is kept.
        is_kept = asked == "keep" and self._asked.followed.kind == "where"
        found = (
            (asked in _HAD and self._is_had(asked, text))
            or (asked == "age" and tells_age(shown))
            or (asked == "work" and tells_work(shown))
            or (asked == "colour" and self._of_things and _COLOUR.search(text.plain))
            or (asked == "medicine" and _TAKES.search(text.plain))
            or (is_kept and _PLACE.search(text.plain))
        )
        return CUE if found else 0.0

    def _is_own(self, passage: QuotablePassage, unit: Unit) -> bool:
        """Tell whether a cue is said of the speaker: behind "I", or in a note without a subject
        that begins with what is asked.
        """
        if any(one.kind != "relation" for one in self._asked.units):
            return True
        return _first_before(passage.shown, unit) or self._directness(passage) > 0

    def _directness(self, passage: QuotablePassage) -> float:
        """Return more for a passage that begins with what is asked: "I work as a nurse" tells of
        somebody's work, "I moved for the new job" mentions it.
        """
        start = _start_of(passage)
        wanted = [unit for unit in self._asked.units if unit.kind == "relation"]
        return _DIRECT if any(cover(unit, start) == 1.0 for unit in wanted) else 0.0

    def _of_the_right_one(self, covers: list[float]) -> bool:
        units = self._asked.units
        return all(c > 0.9 for unit, c in zip(units, covers, strict=True) if unit.is_who)

    def _enough(self, covers: list[float], text: NormalizedText, cosine: float) -> bool:
        units = self._asked.units
        if not units:
            return bool(self._asked.windows) or cosine >= _FOR_THING
        things, relations = self._share("thing", covers), self._relations(covers, text)
        if things >= _THINGS and relations >= _RELATIONS:
            return True
        if things >= _THINGS:
            return cosine >= _FOR_RELATION
        lacks = any(
            unit.kind == "thing" and unit.concept is not None and not c
            for unit, c in zip(units, covers, strict=True)
        )
        if lacks or not self._asked.open:
            # A dog is no cat, however near, and yes or no hangs on the very thing that is asked.
            return False
        if relations >= _RELATIONS and things >= _THINGS / 2:
            return cosine >= _FOR_THING
        return cosine >= _BEYOND_DOUBT

    def _share(self, kind: str, covers: list[float]) -> float:
        found = [
            (weight, c)
            for unit, weight, c in zip(self._asked.units, self._weights, covers, strict=True)
            if unit.kind == kind
        ]
        total = sum(weight for weight, _ in found)
        return sum(weight * c for weight, c in found) / total if total else 1.0

    def _relations(self, covers: list[float], text: NormalizedText) -> float:
        """Return how much of what is asked is shown. A taste is shown by a word of liking, or by
        the very word that was asked for: that coffee was had once says nothing about it.
        """
        share = self._share("relation", covers)
        related = {
            unit.concept.name: c
            for unit, c in zip(self._asked.units, covers, strict=True)
            if unit.concept is not None and unit.kind == "relation"
        }
        rest = [c for name, c in related.items() if name not in _PREFERS]
        literal = any(
            cover(Unit("thing", unit.text), text) == 1.0
            for unit in self._asked.units
            if unit.kind == "relation" and unit.text not in _LIKING
        )
        if len(rest) == len(related) or not rest:
            return share
        liked = any(related[name] for name in _PREFERS & related.keys())
        return share if literal or (liked and max(rest)) else share / 2

    def _of_the_right_sort(self, passage: QuotablePassage, text: NormalizedText) -> bool:
        asked = self._asked
        kind = asked.followed.kind
        if kind == "count" and not _NUMBER.search(passage.shown):
            return False
        if kind == "why" and not _gives_reason(text):
            return False
        wants = {unit.concept.name for unit in asked.units if unit.concept is not None}
        if asked.open and kind != "why" and (asked.negated or wants & _PREFERS):
            return likes(text, wanted=not (asked.negated or "dislike" in wants))
        return True


_ORDER: Final[Mapping[Verdict, int]] = {"no": 0, "near": 1, "answers": 2}
_SHORT: Final = 320
_LONG: Final = 900


def _start_of(passage: QuotablePassage) -> NormalizedText:
    match = _START.match(passage.shown)
    return read(match[0] if match else "")


def _words_of(unit: Unit) -> frozenset[str]:
    if unit.concept is None:
        return frozenset((unit.text,))
    return unit.concept.words | {unit.text} if unit.kind != "relation" else frozenset()


def _first_before(shown: str, unit: Unit) -> bool:
    """Tell whether the speaker is named before the first cue of a unit."""
    shown = without_quotes(shown)
    first = _FIRST.search(shown)
    if first is None or unit.concept is None:
        return False
    if cover(unit, read(shown)) == 0.0:
        return False
    return cover(unit, read(shown[: first.start()])) == 0.0


def asked_terms(asked: Question) -> list[str]:
    """Return the terms whose commonness tells how much each unit counts."""
    return [term for unit in asked.units for term in terms_of(unit)]


def _gives_reason(text: NormalizedText) -> bool:
    return bool(function_words.CAUSES_ENGLISH & set(text.plain.split())) or any(
        word in text.plain for word in function_words.CAUSES_CHINESE
    )


def _cut(text: str, longest: int) -> str:
    if len(text) <= longest:
        return text
    shorter = text[:longest]
    space = shorter.rfind(" ", longest // 2)
    return shorter[: space if space > 0 else longest].rstrip() + " …"
