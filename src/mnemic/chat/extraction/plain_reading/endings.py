"""Which known facts a turn ends: what is over, and what is now liked or disliked instead."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from mnemic.chat.extraction.extraction import Fact, KnownFact, Retirement
from mnemic.chat.extraction.plain_reading.content_words import content_words
from mnemic.chat.extraction.plain_reading.phrase_tables import table
from mnemic.chat.extraction.plain_reading.speech import Passage, in_chinese
from mnemic.language.sentences import asks, sentences

_OPPOSITE = {"like": "dislike", "dislike": "like"}


@dataclass(frozen=True, slots=True)
class EndedMatter:
    """A sentence that says that something is over for its speaker: of these attributes, or what
    it names.
    """

    owner: str
    text: str
    words: frozenset[str]
    attributes: tuple[str, ...]


def endings(passages: Iterable[Passage]) -> Iterator[EndedMatter]:
    """Yield what the speakers of a turn say to be over."""
    for passage in passages:
        for sentence in sentences(passage.text):
            known = table("chinese" if in_chinese(sentence) else "english")
            states = known.states
            if asks(sentence) or states["told"].search(sentence) or states["joke"].search(sentence):
                continue
            if states["over"].search(sentence):
                named = [names for over, names in known.ends if over.search(sentence)]
                attributes = tuple(name for names in named for name in names)
                yield EndedMatter(passage.owner, sentence, content_words(sentence), attributes)


def retired(
    ended: Iterable[EndedMatter], told: Iterable[Fact], known: Iterable[KnownFact]
) -> tuple[Retirement, ...]:
    """Return the known facts that no longer hold, each with the sentence that says so."""
    now = {fact.key for fact in told}
    over = list(ended)
    found: dict[str, Retirement] = {}
    for fact in known:
        if fact.key in now:
            continue
        reason = next((one.text for one in over if _ends(one, fact)), None)
        if reason is None and opposite(fact.key) in now:
            reason = opposite(fact.key)
        if reason is not None:
            found[fact.id] = Retirement(fact.id, " ".join(reason.split())[:200])
    return tuple(found.values())


def opposite(key: str) -> str:
    """Return the key of a taste that another one rules out; empty for other keys."""
    before, _, what = key.rpartition(".")
    owner, _, attribute = before.rpartition(".")
    other = _OPPOSITE.get(attribute)
    return f"{owner}.{other}.{what}" if other else ""


def _ends(ended: EndedMatter, fact: KnownFact) -> bool:
    owner, _, attribute = fact.key.partition(".")
    if owner != ended.owner:
        return False
    if attribute in ended.attributes or attribute.split(".")[0] in ended.attributes:
        return True
    value = content_words(fact.value)
    kind = attribute.split(".")
    names_pet = kind[0] == "pet" and len(kind) > 1 and kind[1] in ended.words
    return names_pet or (bool(value) and value <= ended.words and not ended.attributes)
