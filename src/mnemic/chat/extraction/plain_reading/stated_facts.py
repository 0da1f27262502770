"""The facts that people state of themselves and of those who are theirs."""

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from mnemic.chat.extraction.extraction import Fact
from mnemic.chat.extraction.plain_reading.asserted_clauses import Clause, asserted_clauses
from mnemic.chat.extraction.plain_reading.dating import (
    hour_in,
    named_days,
    names_relative_day,
)
from mnemic.chat.extraction.plain_reading.phrase_tables import PhraseTable, Rule
from mnemic.chat.extraction.plain_reading.speech import Passage
from mnemic.language.lexicon.concepts import word_set
from mnemic.runtime.budgets import check_time
from mnemic.runtime.patterns import linear

LONGEST_KEY: Final = 80
_LONGEST_VALUE: Final = 120
_MOST_WORDS: Final = 6
_USUAL: Final = 0.6
_OF_ANOTHER: Final = 0.7
# The date of an event stands close to it.
_NEAR: Final = 40

# Of these, people have many: they are told apart by their names, and nameless ones by nothing.
_MANY: Final = word_set(
    "friend colleague cousin aunt uncle neighbour nephew niece classmate teacher roommate"
)
# Of these, people have one, whatever the name.
_ONE: Final = word_set(
    "mother father wife husband partner girlfriend boyfriend boss landlord mother-in-law"
    " father-in-law grandmother grandfather baby child"
)
_JUNK: Final = linear(r"[^\w\s'&+#/@-]+")
_SPACE: Final = linear(r"\s+")
_LEAD: Final = linear(r"^(?:the|a|an|my|our|his|her|their|some|all|very|really)\s+", re.IGNORECASE)
_EDGE: Final = " \t\r\n,，.。;；:：!！?？、\"'“”‘’「」『』()（）*…~～-—_"


@dataclass(frozen=True, slots=True)
class _Subject:
    """Of whom a clause speaks, and what is left of it; `kind` tells which rules apply."""

    owner: str
    rest: str
    kind: str
    name: str = ""


def stated_facts(passage: Passage, said_at: datetime | None) -> Iterator[Fact]:
    """Yield what a passage states, with the speaker as the owner of what is said of "I"."""
    before: _Subject | None = None
    for clause in asserted_clauses(passage.text):
        check_time()
        subjects = list(_subjects(clause, passage.owner))
        if len(subjects) == 1 and not clause.first and before is not None:
            # A clause without a subject goes on about that of the one before.
            subjects = [_Subject(before.owner, clause.text, before.kind)]
        before = next((one for one in subjects if one.kind in ("self", "kin")), None)
        for subject in subjects:
            facts = list(_of_subject(clause.table, subject, said_at))
            if subject.name:
                facts += _fact(clause.table, subject.owner, "name", subject.name, said_at)
            yield from facts
            if facts:
                break


def _subjects(clause: Clause, speaker: str) -> Iterator[_Subject]:
    """Yield how a clause can be read: first as about a relative, then the speaker, then a name."""
    table, text = clause.table, clause.text
    for form in ("kin_own", "kin", "own", "self", "named_own"):
        match = table.clause[form].match(text)
        if match is None or (form == "named_own" and not _is_name(table, match["named"])):
            continue
        rest = text[match.end() :].lstrip()
        if form in ("own", "self"):
            yield _Subject(speaker, rest, form)
        elif form == "named_own":
            yield _Subject(thing(match["named"]), rest, form)
        elif relative := _relative(table, speaker, match.groupdict()):
            yield _Subject(relative[0], rest, form, relative[1])
    yield _Subject(speaker, text, "imperative")


def _relative(
    table: PhraseTable, speaker: str, parts: dict[str, str | None]
) -> tuple[str, str] | None:
    """Return under which subject a relative is kept, with the name that is told by the way."""
    kin = table.key_word("kin", parts.get("kin") or parts.get("kin2") or "")
    name = parts.get("named") or parts.get("named2") or ""
    if not name:
        return None if kin in _MANY else (f"{speaker}.{kin}", "")
    if not _is_name(table, name):
        return None
    return (f"{speaker}.{kin}" if kin in _ONE else f"{speaker}.{kin}.{thing(name)}"), name


def _of_subject(table: PhraseTable, subject: _Subject, said_at: datetime | None) -> Iterator[Fact]:
    has = subject.kind in ("own", "kin_own", "named_own")
    for rule in table.has if has else table.says:
        if not _applies(rule, subject.kind):
            continue
        for pattern in rule.patterns:
            if match := pattern.match(subject.rest):
                yield from _of_match(table, rule, subject.owner, match, said_at)
                return
    if subject.kind != "imperative":
        yield from _event(table, subject, said_at)


def _applies(rule: Rule, kind: str) -> bool:
    if rule.applies == "self":
        return kind in ("self", "own")
    if rule.applies == "named":
        return kind in ("named_own", "kin_own")
    return (rule.applies == "imperative") == (kind == "imperative")


def _of_match(
    table: PhraseTable, rule: Rule, owner: str, match: re.Match[str], said_at: datetime | None
) -> Iterator[Fact]:
    parts = match.groupdict()
    values = [parts[name] for name in ("value", "value2", "value3") if parts.get(name)]
    for value in filter(None, values):
        key = rule.key
        for kind in ("pet", "kin", "what"):
            if (word := parts.get(kind)) is not None:
                key = key.replace(f"{{{kind}}}", _named(table, kind, word))
        if "{thing}" in key:
            key = key.replace("{thing}", _named(table, "language", value))
        if rule.key.endswith("name") and not _is_name(table, value):
            continue
        if parts.get("kin") and _named(table, "kin", parts["kin"] or "") in _MANY:
            # One of many is only told by name.
            if rule.key != "{kin}.name":
                continue
            key = key.replace(".name", f".{thing(value)}.name")
        yield from _fact(table, owner, key, value, said_at)


def _named(table: PhraseTable, kind: str, word: str) -> str:
    name = table.key_word(kind, word)
    return thing(word) if name == word.lower() else name


def _event(table: PhraseTable, subject: _Subject, said_at: datetime | None) -> Iterator[Fact]:
    own = subject.kind in ("own", "kin_own", "named_own")
    for pattern in table.own_events if own else table.events:
        match = pattern.match(subject.rest)
        if match is None:
            continue
        told = match.groupdict().get("date") or subject.rest[match.end() :]
        when = _when(told, said_at)
        if when:
            what = thing(match["what"])
            yield from _fact(table, subject.owner, f"event.{what}", when, None)
            return


def _when(text: str, said_at: datetime | None) -> str:
    """Return the day that a text names near its beginning, with its hour; empty where none is."""
    day = next(iter(named_days(text, said_at)), None)
    if day is None or not day.date or day.start > _NEAR:
        return ""
    hour = hour_in(text[: day.end + _NEAR], day)
    return f"{day.date}, {hour}" if hour else day.date


def _fact(
    table: PhraseTable, owner: str, attribute: str, value: str, said_at: datetime | None
) -> Iterator[Fact]:
    """Yield the fact; nothing where its key is incomplete or its value no value by itself."""
    key = _SPACE.sub(" ", f"{owner}.{attribute}").lower()
    value = _SPACE.sub(" ", value).strip(_EDGE)
    if names_relative_day(value) and not attribute.startswith("event."):
        value = _when(value, said_at)
    if not value or len(value) > _LONGEST_VALUE or len(key) > LONGEST_KEY:
        return
    if not all(part.strip() for part in key.split(".")):
        return
    first = attribute.split(".")[0]
    importance = table.importance.get(first, _USUAL)
    if "." in owner:
        importance = min(importance, _OF_ANOTHER)
    yield Fact(key, value, importance=importance)


def thing(text: str) -> str:
    """Return the form in which a name or a thing stands in a key; empty where it cannot."""
    plain = unicodedata.normalize("NFKC", text).lower().replace(".", " ").replace("_", " ")
    plain = _SPACE.sub(" ", _JUNK.sub(" ", plain)).strip(_EDGE)
    while (lead := _LEAD.match(plain)) is not None:
        plain = plain[lead.end() :]
    return plain if len(plain.split()) <= _MOST_WORDS and len(plain) <= LONGEST_KEY // 2 else ""


def _is_name(table: PhraseTable, text: str) -> bool:
    return bool(text) and table.no_names.isdisjoint(text.lower().split())
