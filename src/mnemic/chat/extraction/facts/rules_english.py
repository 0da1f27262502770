"""Facts that English sentences state about their speaker, and about people and pets of theirs."""

import re
from collections.abc import Callable, Iterator
from typing import Final

from mnemic.chat.extraction.extraction import Fact
from mnemic.chat.extraction.facts.clauses_english import (
    KIN_WORD,
    PET_WORD,
    Clause,
    EnglishReferents,
    clauses,
    kin_subject,
    note_mentioned,
)
from mnemic.chat.extraction.facts.fact_keys import KIN, MANY, PETS, fact, phrase, thing
from mnemic.chat.extraction.facts.words_english import (
    CONDITIONS,
    DATE,
    DIETS,
    HOMES,
    ILLNESS,
    LANGUAGES,
    NAME,
    NUMBER_WORD,
    PLAYED,
    is_job,
)
from mnemic.language.lexicon.concepts import word_set
from mnemic.runtime.patterns import Opening, bounded, linear, opening, short

Told = Iterator[Fact | None]
Rule = tuple[Opening, Callable[[str, re.Match[str]], Told]]

_ADVERBS: Final = (
    r"(?:(?:also|really|absolutely|just|do|still|totally|currently|now|truly|always|especially"
    r"|actually|both|particularly|quite|only|simply|kind of|so|definitely|recently|finally|have"
    r"|usually|mostly|mainly|normally|officially|already|been|never)\s+)*"
)
_END: Final = (
    r"(?=$|[,.;!?]|\s+(?:and|but|with|since|for|because|who|which|now|so|near|at|in|on)\b)"
)
_NOT_LIKED: Final = linear(
    r"(?:it|that|this|those|these|you|your|yours|him|her|his|their|them|how|what|when|where|who|why"
    r"|being|the (?:idea|way|fact|part|sound|look|thought|suggestion|first|second|last|one|plan)"
    r"|my|our|everything|anything|something|nothing|all|to (?:know|hear|see|say|think|ask|thank"
    r"|be|have|get|add|make sure|point)|helping|hearing|seeing|talking (?:to|with)|having|getting"
    r"|going (?:there|back|to)|not|as|too|at|in|on|if|more|so|a lot|much|very|there|here|such|one"
    r"|another|myself|when|each|every|us|me|doing|its|both|either|some)\b",
    re.IGNORECASE,
)
_TAIL: Final = short(
    r"\s+(?:so much|a lot|very much|the most|too|as well|more than|most of all|especially"
    r"|in general"
    r"|on (?:weekends|sundays|saturdays|the weekend)|every|these days|lately|because|since|when|if"
    r"|during|while|at all|anymore|any more|after|before|for (?:breakfast|lunch|dinner)|though"
    r"|over|rather than|instead|to death|right now|even|either|or anything|now|again|already|anyway"
    r"|honestly|actually|nowadays|lol|haha|tbh)\b(?s:.*)",
    re.IGNORECASE,
)
_STOP: Final = linear(r"[.!?;(\[]\s|[.!?]$")
# What points at something that was spoken of, or is too vague to be liked by itself.
_POINTS: Final = linear(
    r"\b(?:that|this|these|those|it|them|you|your|his|their|her|its|how|what)\b"
    r"|^\s*(?:to )?the (?!sea\b|ocean|beach|mountains|outdoors|rain|cold|heat|snow|theatre"
    r"|theater|(?-i:[A-Z]))[a-z]"
    r"|\b(?:up|in|out|of|for|on|with|to|into|from)$|\bto [a-z]+ [a-z]",
    re.IGNORECASE,
)
_AND: Final = short(r"\s*,\s*(?:and\s+|or\s+)?|\s+(?:and|or|as well as)\s+(?:also\s+)?", re.I)
_LONGEST_LIKED: Final = 5


_NAMED: Final = linear(r"\b[A-Z]\w")
_HOME: Final = linear(rf"^(?:a|an|the)\b.*\b(?:{HOMES})\b")
_DETERMINER: Final = linear(r"(?:a|an|the|my|this|that)\b")
_LANGUAGE: Final = linear(LANGUAGES, re.I)
_YEAR: Final = linear(r"\b(?:19|20)\d\d\b")


def _rule(pattern: str, told: Callable[[str, re.Match[str]], Told]) -> Rule:
    return opening(bounded(_ADVERBS + pattern)), told


def _as(
    attribute: str, check: Callable[[str], bool] = bool
) -> Callable[[str, re.Match[str]], Told]:
    def told(subject: str, match: re.Match[str]) -> Told:
        value = phrase(match["x"])
        if check(value):
            yield fact(f"{subject}.{attribute}", value)

    return told


def _each(attribute: str, lead: str = "") -> Callable[[str, re.Match[str]], Told]:
    def told(subject: str, match: re.Match[str]) -> Told:
        for one in listed(match["x"]):
            yield fact(f"{subject}.{attribute}.{thing(one)}", f"{lead}{one}")

    return told


def listed(text: str) -> list[str]:
    """Return the things of a list that can be liked or not, without what only points at one."""
    found: list[str] = []
    for one in _AND.split(_STOP.split(text)[0]):
        item = phrase(_TAIL.sub("", one)).removeprefix("to ")
        if not item or _NOT_LIKED.match(one.strip()) or not thing(item):
            break
        if _POINTS.search(one):
            return []
        if len(item.split()) > _LONGEST_LIKED:
            break
        found.append(item)
    return found


def _age(subject: str, match: re.Match[str]) -> Told:
    if not match["x"].isdecimal() or 0 < int(match["x"]) <= 120:
        yield fact(f"{subject}.age", match["x"])


# A great cook need not work as one.
_PRAISE: Final = linear(
    r"(?:great|good|bad|terrible|amazing|talented|wonderful|excellent|natural|born|real|true|lousy"
    r"|fantastic|brilliant|awful|better|decent|horrible|passionate|keen|slow|fast)\b",
    re.IGNORECASE,
)


def _job(subject: str, match: re.Match[str]) -> Told:
    words = phrase(match["x"])
    if is_job(words) and not _PRAISE.match(words):
        yield fact(f"{subject}.job", words)


def _home(subject: str, match: re.Match[str]) -> Told:
    place = phrase(match["x"])
    named = _NAMED.search(place) is not None
    if named or _HOME.search(place):
        yield fact(f"{subject}.home", place)


def _work_in(subject: str, match: re.Match[str]) -> Told:
    place = phrase(match["x"])
    if place[:1].isupper() and not place.isupper():
        yield fact(f"{subject}.workplace", place)
    elif len(place.split()) <= 3 and not _DETERMINER.match(place):
        yield fact(f"{subject}.job", f"in {place}")


def _has_pet(subject: str, match: re.Match[str]) -> Told:
    kind = PETS[match["pet"].lower()]
    if match["names"] or match["lower"]:
        yield fact(f"{subject}.pet.{kind}.name", match["names"] or match["lower"])
    else:
        yield fact(f"{subject}.pet.{kind}", match["whole"])


def _has_kin(subject: str, match: re.Match[str]) -> Told:
    word = KIN[match["kin"].lower()]
    name = phrase(match["names"] or match["lower"] or "")
    if name:
        whom = kin_subject(subject, match["size"], match["kin"], name)
        yield fact(f"{whom}.name", name)
    elif word not in MANY and word not in ("boss", "teacher", "doctor"):
        yield fact(kin_subject(subject, match["size"], match["kin"], ""), match["whole"])


def _speaks(subject: str, match: re.Match[str]) -> Told:
    for one in _LANGUAGE.findall(match["x"]):
        yield fact(f"{subject}.language.{one}", one)


def _born(subject: str, match: re.Match[str]) -> Told:
    if DATE.search(match["x"]) or _YEAR.search(match["x"]):
        yield fact(f"{subject}.birthday", match["x"])
    elif match["x"][:1].isupper():
        yield fact(f"{subject}.origin", match["x"])


def _prefers(subject: str, match: re.Match[str]) -> Told:
    what = match["x"].removeprefix("to ")
    if (
        not _NOT_LIKED.match(what)
        and not _POINTS.search(what)
        and len(what.split()) <= _LONGEST_LIKED
    ):
        other = f" {match['over']}" if match["over"] else ""
        yield fact(f"{subject}.preference.{thing(what)}", f"prefers {match['x']}{other}")


_COUNT: Final = r"(?:a|an|one|two|three|four|five|\d+|some)"


def _called(pattern: str, told: Callable[[str, re.Match[str]], Told]) -> Rule:
    names = (
        r"(?:\s*,?\s*(?:named|called|whose names? (?:is|are))\s+(?P<lower>[a-z]{2,14})(?=$|[,.!])"
        r"|(?:\s*,?\s*(?:named|called|whose names? (?:is|are))|,)\s+"
        rf"(?P<names>{NAME}(?:(?:,? and|,) {NAME}){{0,3}}))"
    )
    return _rule(
        rf"(?:have|has|own|owns|adopted|got)\s+(?P<whole>{_COUNT}\s+{pattern}s?)"
        rf"(?:{names}|(?=$|[,.;!]|\s+(?:and|at home|but|too|who|now|yesterday|today|last|this"
        rf"|recently|from|together)\b))",
        told,
    )


def _is_place(name: str) -> bool:
    return name not in _DEPARTMENTS and name.upper() != name


_DEPARTMENTS: Final = word_set(
    "Sales Marketing Accounting Support Finance Legal Engineering Monday"
)
_TAUGHT: Final = word_set(
    "me you him her them us people kids children classes class students lessons everyone this that"
    " it a the my"
)
_PERSON: Final[tuple[Rule, ...]] = (
    _rule(rf"(?:am|are|is) (?:called|named) (?P<x>{NAME})", _as("name")),
    _rule(rf"name (?:is|was) (?P<x>{NAME})", _as("name")),
    _rule(rf"go(?:es)? by (?P<x>{NAME})", _as("nickname")),
    _rule(
        rf"(?:am|are|is) (?:about )?(?P<x>\d{{1,3}}|{NUMBER_WORD})(?: (?:years?|yrs?)(?: old"
        rf"|-old)?)?"
        rf"(?=$|[,.;!]|\s+(?:and|but|now|years old|today)\b)",
        _age,
    ),
    _rule(rf"(?:turned|turns) (?P<x>\d{{1,3}}|{NUMBER_WORD})(?=$|[,.;!]|\s)", _age),
    _rule(r"(?:am|are|is) (?:\w+ly )?allergic to (?P<x>.+)", _each("allergy")),
    _rule(
        r"(?:have|has) (?:a|an) (?:(?:severe|bad|mild|serious|strong) )?(?P<x>[a-z]+(?: [a-z]+)?)"
        r" allergy",
        _each("allergy"),
    ),
    _rule(
        rf"(?:am|are|is|went|became|eat|eats) (?:an? )?(?:strict |lifelong "
        rf"|committed )?(?P<x>{DIETS})"
        rf"(?=$|[,.;!]|\s+(?:and|but|now|since|for|so|because)\b)",
        _as("diet"),
    ),
    _rule(
        r"(?:(?:do|does|can) not|no longer) (?:eat|drink) (?P<x>(?!much|another|any|that|this|it\b"
        r"|now|yet|here|right|breakfast|lunch|dinner|a\b|the\b|enough|well|out|properly|before|at"
        r"|after|on)[a-z]+(?: [a-z]+)?)(?=$|[,.;!]|\s+(?:and|or|anymore|any|but|because|at all"
        r"|for)\b)",
        _each("diet", "no "),
    ),
    _rule(
        rf"(?:have|has|was diagnosed with|suffers? from"
        rf"|were diagnosed with) (?:\w+ )?(?P<x>{ILLNESS})"
        r"\b(?! in (?:my|our|the|his|her) famil)",
        _each("health"),
    ),
    _rule(rf"(?:am|is) (?:\w+ly )?(?P<x>{CONDITIONS})\b", _each("health")),
    _rule(
        rf"(?:works?|working|am working|is working|start(?:s|ed|ing)?(?: working)?"
        rf"|got a job) as (?:an?|the) "
        rf"(?P<x>[\w' -]+?){_END}",
        _as("job"),
    ),
    _rule(rf"(?:am|is|became) (?:an?|the) (?P<x>(?:[\w'-]+ ){{0,3}}?[\w'-]+?){_END}", _job),
    _rule(rf"(?:am|is) (?P<x>retired|unemployed|self-employed){_END}", _as("job")),
    _rule(
        rf"teach(?:es)? (?P<x>[a-z]+(?: [a-z]+)?){_END}",
        _as("job", lambda it: it.split()[0] not in _TAUGHT),
    ),
    _rule(
        r"(?:works?|am working|is working|am employed|start(?:s|ed|ing)?(?: working)?"
        r"|got a (?:new )?job)"
        r"(?: nights| days| shifts| part-time| full-time| mostly)?"
        r" (?:at|for) (?P<x>(?:[A-Z]|an? |the )[\w&'. -]+?)"
        r"(?=$|[,;!]|\s+(?:and|but|as|in|since|now|on|so|because)\b)",
        _as("employer"),
    ),
    _rule(rf"(?:works?|am working|is working) in (?P<x>[\w' -]+?){_END}", _work_in),
    _rule(
        r"(?:live|lives|living|am living|is living|reside|resides|(?:am|is|are) based|settled"
        r"|(?:have|has) (?:lived|been living))"
        r" (?:in|near|on|outside) (?P<x>[\w'., -]+?)(?=$|[;!]|,\s[a-z]|\s+(?:with|for|since|and"
        r"|but|because"
        r"|now|right|at|so|where)\b)",
        _home,
    ),
    _rule(
        rf"(?:moved|relocated|just moved) (?:back |out |over )?to (?P<x>{NAME}(?:, {NAME})?)",
        _as("home"),
    ),
    _rule(
        rf"(?:(?:am|is|are) (?:originally )?|(?:come|comes) )from (?P<x>{NAME})",
        _as("origin", _is_place),
    ),
    _rule(rf"(?:grew up|was raised) in (?P<x>{NAME})", _as("origin")),
    _rule(r"was born (?:in|on) (?P<x>[\w ,]+?)(?=$|[.;!]|\s+(?:and|but)\b)", _born),
    _called(PET_WORD, _has_pet),
    _called(KIN_WORD, _has_kin),
    _rule(
        r"(?:loves?|likes?|enjoys?|adores?|(?:am|is) (?:really )?into|(?:am|is) (?:an? )?(?:big "
        r"|huge )?"
        r"(?:fan of|fond of|crazy about|obsessed with)) (?P<x>.+)",
        _each("like"),
    ),
    _rule(
        r"(?:hates?|dislikes?|despises?|can not stand|(?:do|does) not (?:really )?(?:like|enjoy"
        r"|care for)|"
        r"(?:am|is) not (?:a |really )?(?:big |much of )?(?:a )?(?:fan of|into|fond of)) (?P<x>.+)",
        _each("dislike"),
    ),
    _rule(
        rf"(?:speaks?|am fluent in|is fluent in) (?:fluent |some |a little |a bit of )?"
        rf"(?P<x>(?i:(?:{LANGUAGES})\b.*))",
        _speaks,
    ),
    _rule(
        rf"(?:study|studies|am studying|is studying|majors? in|am majoring in) (?P<x>(?!hard|for"
        rf"|at|in|a\b"
        rf"|every|the|tonight|together)[A-Za-z]+(?: [a-z]+)?){_END}",
        _as("study"),
    ),
    _rule(
        r"(?:am|are|is|got|was) (?:\w+ly )?(?P<x>married|engaged|divorced|single|widowed)"
        r"(?=$|[,.;!]|\s+(?:to (?!my|the)|and|with|for|now|last|since|in (?:\d|[A-Z]))\b)",
        _as("status"),
    ),
    _rule(
        r"drives? (?:an?|my) (?:\w+ )?(?P<x>(?:[a-z]+ )?[A-Z][\w-]*(?: [A-Z0-9][\w-]*)*)",
        _as("car"),
    ),
    _rule(rf"plays? (?:the )?(?P<x>{PLAYED})\b", _each("hobby", "plays ")),
    _rule(
        r"prefers? (?P<x>[\w' -]+?)(?: (?P<over>(?:to|over|rather than) [\w' -]+?))?"
        r"(?=$|[,.;!]|\s+(?:and|but|because|when|for)\b)",
        _prefers,
    ),
)
# A machine that talks has no life to tell of; what it likes to do is a way of being polite.
_POLITE: Final = frozenset(
    {"like", "dislike", "preference", "allergy", "status", "employer", "hobby"}
)


def facts_of(sentence: str, thread: EnglishReferents, *, lives: bool) -> Iterator[Fact]:
    """Return what a sentence states. `lives` says that the speaker is no mere machine."""
    note_mentioned(sentence, thread)
    for clause in clauses(sentence, thread):
        for one in _told(clause, thread):
            if one is not None and (lives or one.key.split(".")[1] not in _POLITE):
                yield one


def _told(clause: Clause, thread: EnglishReferents) -> Told:
    if not clause.subject:
        return
    if clause.name:
        yield fact(f"{clause.subject}.name", clause.name)
    for pattern, told in _PERSON:
        match = pattern.match(clause.rest)
        if match is None or (".pet." in clause.subject and told not in _OF_PETS):
            continue
        found = [one for one in told(clause.subject, match) if one is not None]
        if found:
            _remember(found, clause, thread)
            yield from found
            yield from _employer(clause, match, found[0])
            return


def _remember(found: list[Fact], clause: Clause, thread: EnglishReferents) -> None:
    """Keep who was named last, so that "she" is known in the next clause."""
    if clause.subject != thread.me:
        return
    for one in found:
        parts = one.key.split(".")
        if len(parts) > 2 and parts[1] == "pet":
            thread.last = ".".join(parts[:3])
        elif len(parts) > 1 and parts[1] in _KIN_NAMES:
            thread.person = thread.last = ".".join(parts[:-1] if parts[-1] == "name" else parts)


_KIN_NAMES: Final = frozenset(KIN.values()) | {
    f"{age}_{word}" for age in ("elder", "younger") for word in ("sister", "brother")
}
_OF_PETS: Final = frozenset({_PERSON[0][1], _PERSON[1][1], _age})
_AT: Final = short(
    r"\s+(?:at (?:an? |the )?|for (?=[A-Z]))(?P<x>[\w&'. -]+?)(?=$|[,;!]|\s+(?:and|but|in|since)\b)"
)


def _employer(clause: Clause, match: re.Match[str], found: Fact) -> Told:
    """Return where somebody works, when it follows on what they do there."""
    if found.key.endswith(".job") and (where := _AT.match(clause.rest, match.end())):
        yield fact(f"{clause.subject}.employer", where["x"])
