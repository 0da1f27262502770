"""English sentences, taken apart: clauses, each with whom it is about."""

import re
from dataclasses import dataclass
from typing import Final

from mnemic.chat.extraction.facts.fact_keys import KIN, MANY, PETS, any_of, thing
from mnemic.chat.extraction.facts.words_english import NAME
from mnemic.language.lexicon.concepts import FEMALE, MALE, word_set
from mnemic.runtime.patterns import linear, opening, short

_SHORT: Final = (
    (linear(r"\bi(?= |'m|'ve)"), "I"),
    (linear(r"\b(I)'m\b"), r"\1 am"),
    (linear(r"\b([Ww]e|[Tt]hey|[Yy]ou)'re\b"), r"\1 are"),
    (linear(r"\b(I|[Ww]e|[Tt]hey|[Yy]ou)'ve\b"), r"\1 have"),
    (linear(r"\b([Hh]e|[Ss]he|[Ii]t|[Tt]hat|[Ww]ho|name|birthday)'s\b"), r"\1 is"),
    (linear(r"\b(?:can't|cannot)\b"), "can not"),
    (linear(r"\bwon't\b"), "will not"),
    (linear(r"\b(do|does|did|is|are|was|were|have|has|had)n't\b"), r"\1 not"),
    (linear(r"\b(?:im|Im)\b"), "I am"),
    (linear(r"\bI have got\b"), "I have"),
)
_STARTS: Final = (
    r"(?:i|my|we|our|he|she|his|her|it|please|the|this|there|that|who|you|your|both|they|one)"
)
_BREAK: Final = short(
    rf"\s*[;:—]\s+|[!?.]+\s+(?=[a-z])|\s+-\s+|\s*,?\s+(?=(?:but|so|because|while|although|though"
    rf"|since|except|whereas)"
    rf"\s)|,\s+(?=(?:and\s+)?{_STARTS}\b)|\s+and\s+(?={_STARTS}\b)",
    re.IGNORECASE,
)
_VERBS: Final = (
    r"(?:live|work|love|like|hate|enjoy|have|am|study|speak|drive|play|own|do not|can not|teach|use"
    r"|prefer|moved|grew|lives|works|loves|likes|hates|enjoys|has|is|studies|speaks|drives|plays"
    r"|owns|does not|teaches|uses|prefers|was|adore|dislike|come|comes)"
)
_CARRY: Final = short(
    rf"(?:,\s*|\s+)(?:and|but)\s+(?=(?:also |now |currently |really |just |recently )?{_VERBS}\b)"
    rf"|,?\s+(?P<who>who)\s+(?={_VERBS}\b)",
    re.I,
)
_LEAD: Final = opening(
    r"(?:(?:and|but|so|because|since|while|although|though|also|oh|well|hi|hey|hello|actually|btw"
    r"|by the way|anyway|yes|no|yeah|yep|nope|ok|okay|currently|now|these days|nowadays|just|fyi"
    r"|sorry|thanks|thank you|please note|as you know|in fact|honestly|today|plus|great|right"
    r"|correction|for context|for the record|one more thing|sure|hmm|um|good morning|good evening"
    r"|at the moment|first of all|recently|except|whereas|personally|there)\b"
    r"[\s,:!.…-]*)+",
    re.IGNORECASE,
)
_ADVERBIAL: Final = opening(
    r"(?:starting|since|as of|from|after|in|on|at|last|this|every|by|during|outside|apart from"
    r"|back in|for)\s+"
    r"(?:[\w'-]+,?\s+){1,4}?(?=(?:I|we|my|our)\s)",
    re.IGNORECASE,
)
_SIZE: Final = (
    r"(?:(?P<size>older|elder|big|younger|little|baby|twin|best|new|only|eldest|oldest|youngest"
    r"|dear|old|sweet|good|beloved|lovely|\w+-year-old)\s+)?"
)
KIN_WORD: Final = rf"{_SIZE}(?P<kin>{any_of(KIN, chinese=False)})"
PET_WORD: Final = (
    rf"(?:(?!name|favou?rite)[a-z-]+\s+){{0,2}}?(?P<pet>{any_of(PETS, chinese=False)})"
)
_SUBJECT: Final = opening(
    rf"(?:(?P<me>I|[Ww]e)|(?P<pro>[Hh]e|[Ss]he)|(?P<one>who)|(?:[Hh]is|[Hh]er"
    rf"|[Ii]ts)(?P<its> name)"
    rf"|[Mm]y {KIN_WORD}(?P<their>'s name)?(?P<name>,? {NAME})?,?"
    rf"|(?:[Mm]y|[Oo]ur) {PET_WORD}(?P<his>'s name)?(?P<petname>,? {NAME})?,?"
    rf"|(?P<who>{NAME}))\s+(?P<rest>\S.*)"
)
_KINDS: Final = frozenset(word.rpartition("_")[2] for word in KIN.values())
_MALE: Final = MALE - FEMALE
_FEMALE: Final = FEMALE - MALE
_ELDER: Final = word_set("older elder big eldest oldest")
_YOUNGER: Final = word_set("younger little baby youngest")


@dataclass(frozen=True, slots=True)
class Clause:
    """A clause, the subject that its facts belong to, and what is said of it."""

    text: str
    subject: str = ""
    rest: str = ""
    name: str = ""


@dataclass(slots=True)
class EnglishReferents:
    """Whom a text speaks of, so that "she" and "its name" are known."""

    me: str
    person: str = ""
    last: str = ""
    named: frozenset[str] = frozenset()


def clauses(sentence: str, thread: EnglishReferents) -> list[Clause]:
    """Return the clauses of a sentence; one without a subject has that of the one before."""
    for contraction, full in _SHORT:
        sentence = contraction.sub(full, sentence)
    found: list[Clause] = []
    for part in _BREAK.split(sentence):
        subject = ""
        for text, of_other in _carried(part):
            clause = _clause(_without_lead(text), thread, "" if of_other else subject)
            subject = clause.subject
            found.append(clause)
    return found


_MENTIONED: Final = linear(
    rf"\b(?:[Mm]y|have an?|has an?) {KIN_WORD}\b(?!-)|\b(?P<plain>Dad|Mum|Mom|Grandma|Grandpa)\b"
)


def note_mentioned(sentence: str, thread: EnglishReferents) -> None:
    """Keep the relative that a sentence mentions, where it is one and no more: the next may be
    about them.
    """
    found = {
        kin_subject(thread.me, match["size"], match["kin"] or match["plain"], "")
        for match in _MENTIONED.finditer(sentence)
    }
    if len(found) == 1 and not thread.person.startswith(next(iter(found))):
        thread.person = found.pop()


def is_of_gender(subject: str, *, male: bool) -> bool:
    """Tell whether a relative may be called "he", or "she"."""
    kin = next((part for part in subject.split(".") if part.rpartition("_")[2] in _KINDS), "")
    return bool(kin) and kin not in (_FEMALE if male else _MALE)


def _without_lead(text: str) -> str:
    text = text.strip()
    for pattern in (_LEAD, _ADVERBIAL):
        lead = pattern.match(text)
        text = text[lead.end() :] if lead is not None else text
    return text


def _carried(part: str) -> list[tuple[str, bool]]:
    """Return the pieces of a part that share its subject; "who" stands for somebody else."""
    pieces: list[tuple[str, bool]] = []
    at, of_other = 0, False
    for match in _CARRY.finditer(part):
        pieces.append((part[at : match.start()], of_other))
        at, of_other = match.end(), bool(match["who"])
    pieces.append((part[at:], of_other))
    return [((f"who {text}" if other else text), other) for text, other in pieces]


def _clause(text: str, thread: EnglishReferents, carried: str) -> Clause:
    text = text.strip(" .!?,…")
    match = _SUBJECT.match(text)
    if match is None:
        return Clause(text, carried, text) if carried else Clause(text)
    rest = match["rest"]
    if match["me"]:
        return Clause(text, thread.me, rest)
    if match["pro"]:
        known = is_of_gender(thread.person, male=match["pro"].lower() == "he")
        return Clause(text, thread.person, rest) if known else Clause(text)
    if match["one"]:
        return Clause(text, thread.person, rest) if thread.person else Clause(text)
    if match["its"]:
        return Clause(text, thread.last, f"name {rest}") if thread.last else Clause(text)
    if match["who"]:
        known = thing(match["who"])
        return Clause(text, known, rest) if known in thread.named else Clause(text, carried, text)
    if match["kin"]:
        return _of_kin(text, match, thread)
    subject = f"{thread.me}.pet.{PETS[match['pet'].lower()]}"
    name = (match["petname"] or "").strip(" ,")
    thread.last = subject
    return Clause(text, subject, f"name {rest}" if match["his"] else rest, name)


def _of_kin(text: str, match: re.Match[str], thread: EnglishReferents) -> Clause:
    name = (match["name"] or "").strip(" ,")
    subject = kin_subject(thread.me, match["size"], match["kin"], name)
    rest = f"name {match['rest']}" if match["their"] else match["rest"]
    thread.person = thread.last = subject
    return Clause(text, subject, rest, name)


def kin_subject(me: str, size: str | None, kin: str, name: str) -> str:
    """Return what the keys of somebody's relative begin with."""
    word = KIN[kin.lower()]
    age = (size or "").lower()
    if word in ("sister", "brother"):
        prefix = "elder_" if age in _ELDER else "younger_" if age in _YOUNGER else ""
        return f"{me}.{prefix}{word}"
    if word in MANY and name:
        return f"{me}.{word}.{thing(name)}"
    return f"{me}.{word}"
