"""Whether a newer text says what is so instead of what an older one says. Pure functions.

Three ways to tell: it denies just what the older one says; it names another value of what there is
one at a time, or says that it is another one now; or it names the old value beside the new one.
What is only near (another person, another place, one more thing) ends nothing.
"""

from collections.abc import Sequence
from itertools import product
from typing import Final, Literal

from mnemic.language.conflicts import NUMBER, with_digits
from mnemic.language.lexicon import change_words as lexicon
from mnemic.language.lexicon.concepts import PEOPLE_WORDS
from mnemic.language.lexicon.function_words import CHINESE_SURNAMES
from mnemic.language.updates.read_clauses import (
    PERSONS,
    ReadClause,
    ReadToken,
    between,
    clauses_of,
    entries,
)
from mnemic.runtime.patterns import linear

Update = Literal["contradicts", "another value", "names both"]

# What an end leaves unsaid of what it ends: "I stopped running" of "I run three times a week".
_UNSAID: Final = 6
_UNSAID_CHARACTERS: Final = 10
# "I drink my coffee black, no sugar" says one thing.
_REMARK: Final = 2
# A value is short; what is longer is a story.
_LONGEST_VALUE: Final = 6
_LONGEST_CHARACTERS: Final = 14
# Between two tellings of an age.
_YEARS: Final = 3


def update_of(newer: str, older: str) -> Update | None:
    """Return in which way a newer text ends what an older one says, or None."""
    news, olds = clauses_of(newer), clauses_of(older)
    if not news or not olds or any(map(_stands_alone, olds[1:])):
        return None
    old = olds[0]
    for new in news:
        if kind := _update(new, old):
            return kind
    return None


def _stands_alone(clause: ReadClause) -> bool:
    """Tell whether a clause says something of its own, which would go with the rest."""
    return len(clause.core) > _REMARK or any(token.sort == "frame" for token in clause.tokens)


def _update(new: ReadClause, old: ReadClause) -> Update | None:
    if old.ends or _speaks_of_others(new, old):
        return None
    if _contradicts(new, old):
        return "contradicts"
    if new.denies != old.denies:
        return None
    if _names_another_value(new, old):
        return "another value"
    return "names both" if _names_both(new, old) else None


def _speaks_of_others(new: ReadClause, old: ReadClause) -> bool:
    ours, theirs = _NEAR.get(new.person or "", new.person), _NEAR.get(old.person or "", old.person)
    return ours != theirs


def _contradicts(new: ReadClause, old: ReadClause) -> bool:
    """Tell whether one denies what the other says: the same words but for a "not"."""
    shared = new.core & old.core
    if new.denies == old.denies or not shared:
        return False
    added = new.core - old.core - (_LIGHT_OF_ENDS if new.ends else frozenset[str]())
    unsaid = old.core - new.core
    if added:
        # Who says "I eat fish on Fridays" no longer says "I eat no fish".
        return old.denies and not unsaid and _follow(new, added, shared)
    if new.changes:
        most = _UNSAID_CHARACTERS if any(map(_is_chinese, unsaid)) else _UNSAID
        return len(unsaid) <= most
    return not unsaid


def _follow(clause: ReadClause, words: frozenset[str], others: frozenset[str]) -> bool:
    """Tell whether words stand behind the first one of others."""
    forms = [token.form for token in clause.spoken]
    first = min(forms.index(word) for word in others)
    return words.isdisjoint(forms[:first])


def _names_another_value(new: ReadClause, old: ReadClause) -> bool:
    return (
        any(
            _is_another_value(new, here, old, there)
            for here, there in product(_frames(new), _frames(old))
        )
        or any(_made_of(new, here, old) for here in _frames(new))
        or _aligned(new, old)
    )


def _is_another_value(new: ReadClause, here: int, old: ReadClause, there: int) -> bool:
    ours, theirs = new.spoken[here], old.spoken[there]
    subject, other = _subject(new.spoken[:here]), _subject(old.spoken[:there])
    value, was = new.spoken[here + 1 :], old.spoken[there + 1 :]
    alike = ours.form == theirs.form
    if subject != other or not subject or not (alike or ours.makes):
        return False
    if not _differ(value, was, most=2.0 if alike and ours.makes else 1.0):
        return False
    if not ours.makes and _is_one_of_several(subject):
        return False
    if not alike or ours.form in ("be", "at", "named"):
        return _may_replace(new, subject, value, was)
    return ours.single or new.changes


def _made_of(new: ReadClause, here: int, old: ReadClause) -> bool:
    """Tell the same where the older one only names a thing and its value: "rent 900 a month"."""
    subject = _subject(new.spoken[:here])
    bare = _bare(old.spoken)
    if not new.spoken[here].makes or len(subject) < 2 or _frames(old):
        return False
    if tuple(token.form for token in bare[: len(subject)]) != subject:
        return False
    value, was = new.spoken[here + 1 :], bare[len(subject) :]
    return _differ(value, was) and _may_replace(new, subject, value, was)


def _may_replace(
    new: ReadClause, subject: tuple[str, ...], value: Sequence[ReadToken], was: Sequence[ReadToken]
) -> bool:
    """Tell whether something that is one thing is another thing now."""
    sort, other = _sort(value), _sort(was)
    if "degree" in (sort, other) or (sort == "place") != (other == "place"):
        return False
    if _is_favourite(subject):
        return True
    if sort != other and not (_makes(new) and {sort, other} <= _THINGS_SORTS):
        return False
    head = _head(subject)
    if head in _PEOPLE:
        return all(_is_name(one) for one in (value, was))
    if head in _THINGS:
        return True
    is_person = subject[-1] in _PERSONS or head in PEOPLE_WORDS or head in _SEVERAL
    if sort == "age":
        return _grows(value, was)
    if sort in ("day", "place"):
        return new.changes or not is_person
    if sort == "one":
        return new.changes and _is_occupation(value) and _is_occupation(was)
    return new.changes and not is_person and (sort != "word" or _makes(new))


def _aligned(new: ReadClause, old: ReadClause) -> bool:
    """Tell whether two clauses differ in one stretch, and the newer one says that this changed."""
    ours, theirs = _bare(new.spoken), _bare(old.spoken)
    before = _shared(ours, theirs)
    behind = _shared(ours[before:][::-1], theirs[before:][::-1])
    value, was = ours[before : len(ours) - behind], theirs[before : len(theirs) - behind]
    head, tail = ours[:before], ours[len(ours) - behind :] if behind else []
    if not head or not value or not was or max(map(_length, (value, was))) > 1.0:
        return False
    if any(token.form in PERSONS or token.sort == "frame" for token in (*value, *was)):
        return False
    subject = tuple(token.form for token in head)
    if _is_one_of_several(subject):
        return False
    if _ends_in_age(tail):
        return len(value) == len(was) == 1 and _grows(value, was)
    enough = 3 if head[0].is_chinese else 2
    if (
        not new.changes
        or sum(token.text != ":" for token in head) < enough
        or _sort(value) != _sort(was)
    ):
        return False
    is_plain = not any(token.form not in _EMPTY for token in tail)
    if is_plain and any(token.text.lower() in _MANY for token in head):
        return False
    if is_plain and any("".join(t.text for t in head).endswith(word) for word in _MANY_CHINESE):
        return False
    return not (is_plain and head[-1].form == "be" and _sort(value) == "word")


def _names_both(new: ReadClause, old: ReadClause) -> bool:
    """Tell whether the newer one names what the older one says, as what it was before."""
    at = next((at for at, t in enumerate(new.tokens) if t.text.lower() in _SWITCHED), None)
    named: tuple[ReadToken, ...] = ()
    before: Sequence[ReadToken] = ()
    if at is not None:
        rest = new.tokens[at + 1 :]
        word = new.tokens[at].text.lower()
        named = (
            _until(rest, ("with", "by", "for"))
            if word in ("replaced", "swapped")
            else between(rest, "from", "to")
        )
        from_at = next((i for i, t in enumerate(rest) if t.text.lower() == "from"), 0)
        before = (*new.tokens[:at], *(rest[:from_at] if named else ()))
    elif found := _switch(new):
        before, named = found
    wanted = {token.form for token in named if token.sort == "word" and token.form not in _EMPTY}
    about = ReadClause(tuple(before)).core
    return bool(wanted) and wanted <= _forms(old) and about <= _forms(old)


def _switch(new: ReadClause) -> tuple[Sequence[ReadToken], tuple[ReadToken, ...]] | None:
    """Return what stands before 从, and what between it and 转到 or the like."""
    forms = [token.text for token in new.tokens]
    if "从" not in forms:
        return None
    start = forms.index("从")
    end = next((at for at in range(start, len(forms)) if forms[at] in _CHINESE_SWITCHES), None)
    return None if end is None else (new.tokens[:start], new.tokens[start + 1 : end])


def _until(tokens: Sequence[ReadToken], words: Sequence[str]) -> tuple[ReadToken, ...]:
    at = next((i for i, t in enumerate(tokens) if t.text.lower() in words), None)
    return () if at is None else tuple(tokens[:at])


def _forms(clause: ReadClause) -> set[str]:
    return {token.form for token in clause.tokens}


def _frames(clause: ReadClause) -> list[int]:
    return [at for at, token in enumerate(clause.spoken) if token.sort == "frame"][:3]


def _subject(tokens: Sequence[ReadToken]) -> tuple[str, ...]:
    """Return of what something is said: without articles, and the frames that only join."""
    forms = [PERSONS.get(t.form, t.form) for t in tokens if t.form not in _JOINING]
    while forms and forms[-1] in _AUXILIARY:
        forms.pop()
    return tuple(forms)


def _head(subject: tuple[str, ...]) -> str:
    """Return the word that says what the subject is: "deadline" in "the deadline for it"."""
    if any(map(_is_chinese, subject)):
        text = "".join(subject)
        return max((w for w in _HEADS if text.endswith(w)), key=len, default="")
    end = next((at for at, word in enumerate(subject) if at and word in _OF), len(subject))
    return subject[end - 1]


def _is_one_of_several(subject: tuple[str, ...]) -> bool:
    text = "".join(subject)
    return not _SEVERAL.isdisjoint(subject) or any(word in text for word in _SEVERAL_CHINESE)


def _is_name(value: Sequence[ReadToken]) -> bool:
    """Tell whether a value names somebody, as opposed to what they do or are."""
    if not value or not value[0].is_chinese:
        return _sort(value) == "name"
    text = "".join(token.text for token in value).rstrip("了")
    rest = text[1:]
    if text[0] in "小老阿" and len(text) == 2:
        return True
    named = rest in _TITLES or (0 < len(rest) <= 2 and rest[-1] not in _TRADES)
    return text[0] in CHINESE_SURNAMES and named


def _grows(value: Sequence[ReadToken], was: Sequence[ReadToken]) -> bool:
    """Tell whether an age is what another one has become."""
    ages = [_number(one) for one in (value, was)]
    return None not in ages and 0 < (ages[0] or 0) - (ages[1] or 0) <= _YEARS


def _number(tokens: Sequence[ReadToken]) -> float | None:
    found = (NUMBER.fullmatch(with_digits(token.text.lower())) for token in tokens)
    return next((float(match[0]) for match in found if match), None)


def _is_favourite(subject: tuple[str, ...]) -> bool:
    text = " ".join(subject)
    return any(word in text or word in text.replace(" ", "") for word in _FAVOURITES)


def _sort(value: Sequence[ReadToken]) -> str:
    """Return what sort of value something is: two of different sorts can both be true."""
    words = [token.text.lower() for token in value if token.text.lower() != "the"]
    if not words:
        return ""
    if words[0] in _DEGREES:
        return "degree"
    if _ends_in_age(value):
        return "age"
    if any(word in _TIMES or _CLOCK.fullmatch(word) for word in words):
        return "day"
    if words[0] in _PLACES:
        return "place"
    if any(_NUMBER.fullmatch(word) for word in words):
        return "number"
    if words[0] in ("a", "an"):
        return "one"
    if value[0].is_chinese:
        return "character"
    return "name" if any(t.text[0].isupper() for t in value[:2]) else "word"


def _is_occupation(value: Sequence[ReadToken]) -> bool:
    word = value[-1].text.lower()
    return bool(_OCCUPATION.search(word)) and word not in _KIN


def _ends_in_age(tokens: Sequence[ReadToken]) -> bool:
    text = " ".join(token.text.lower() for token in tokens[-2:])
    return any(text.endswith(word) for word in _AGES)


def _differ(value: Sequence[ReadToken], was: Sequence[ReadToken], *, most: float = 1.0) -> bool:
    """Tell whether two values exclude each other: neither only says more of the other."""
    ours = {t.form for t in value if t.form not in _EMPTY}
    theirs = {t.form for t in was if t.form not in _EMPTY}
    is_short = _length(value) <= most and _length(was) <= most
    if not ours or not theirs or not is_short or ours <= theirs or theirs <= ours:
        return False
    # "In Leeds with Jo" and "in Leeds by the river" are the same place.
    first, second = (_beginning(one) for one in (value, was))
    return first != second or _sort(value) in ("number", "day", "age")


def _beginning(value: Sequence[ReadToken]) -> list[str]:
    """Return the word that a value begins with; a single Chinese character is no word yet."""
    told = [token for token in value if token.form not in _EMPTY]
    return [token.form for token in told[: 1 + told[0].is_chinese]]


def _length(value: Sequence[ReadToken]) -> float:
    longest = _LONGEST_CHARACTERS if value and value[0].is_chinese else _LONGEST_VALUE
    return len(value) / longest


def _bare(tokens: Sequence[ReadToken]) -> list[ReadToken]:
    return [token for token in tokens if token.form not in _JOINING]


def _shared(one: Sequence[ReadToken], other: Sequence[ReadToken]) -> int:
    at = 0
    while at < min(len(one), len(other)) and one[at].form == other[at].form:
        at += 1
    return at


def _makes(clause: ReadClause) -> bool:
    return any(token.makes for token in clause.tokens)


def _is_chinese(word: str) -> bool:
    return word > "\u2e80"


_PERSONS: Final = frozenset(PERSONS.values())
# "I have" and "my": the one speaks of the other.
_NEAR: Final = {"mine": "me"}
_JOINING: Final = frozenset(["a", "an", "the", "的", "了", "着", "就", "也", "都", "家", "已"])
_AUXILIARY: Final = frozenset(["be", "was", "were", "has", "have", "been", "get", "got"])
_EMPTY: Final = frozenset(lexicon.EMPTY_IN_VALUES.split())
_OF: Final = ("of", "for", "at", "in")
_LIGHT_OF_ENDS: Final = frozenset(lexicon.ENGLISH_LIGHT_OF_ENDS.split())
_THINGS: Final = frozenset(lexicon.SINGLE_THINGS.split())
_PEOPLE: Final = frozenset(lexicon.SINGLE_PEOPLE.split())
_SEVERAL: Final = frozenset(lexicon.SEVERAL_PEOPLE.split())
_HEADS: Final = tuple(w for w in (*_THINGS, *_PEOPLE, *PEOPLE_WORDS, *_SEVERAL) if _is_chinese(w))
_SEVERAL_CHINESE: Final = tuple(word for word in _SEVERAL if _is_chinese(word))
_TITLES: Final = frozenset(lexicon.TITLES.split())
_TRADES: Final = frozenset(lexicon.TRADES.split())
_MANY: Final = frozenset(lexicon.MANY.split())
_MANY_CHINESE: Final = tuple(word for word in _MANY if _is_chinese(word))
_FAVOURITES: Final = tuple(entries(lexicon.FAVOURITES))
_DEGREES: Final = frozenset(entries(lexicon.DEGREES))
_AGES: Final = tuple(entries(lexicon.AGES))
_THINGS_SORTS: Final = frozenset({"word", "name", "number", "character"})
_TIMES: Final = frozenset(lexicon.TIMES.split())
_PLACES: Final = frozenset(lexicon.PLACES.split())
_KIN: Final = frozenset(lexicon.KIN.split())
_SWITCHED: Final = frozenset(entries(lexicon.SWITCHED))
_CHINESE_SWITCHES: Final = frozenset(entries(lexicon.CHINESE_SWITCHES))
_OCCUPATION: Final = linear(lexicon.OCCUPATIONS)
_CLOCK: Final = linear(r"[0-9]{1,2}(?::[0-9]{2}|st|nd|rd|th)")
_NUMBER: Final = linear(r"[0-9]+(?:[.:][0-9]+)*[a-z]{0,2}|[一二三四五六七八九十百千万两]+")
