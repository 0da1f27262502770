"""What a memory's context adds to its text: words to find it by, and a text to embed."""

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final, cast

from mnemic.language.bounds import READ_OF_MEMORY
from mnemic.language.dates import moment_of
from mnemic.language.tokens import is_stop_word
from mnemic.records.memory import Context
from mnemic.runtime.patterns import linear
from mnemic.search.index_queries import Trait
from mnemic.storage.rows.document_rows import Traits

# Under these a context says who spoke and when; they are traits of a memory, not its matter.
_SPEAKER: Final = "speaker"
_TIMES: Final = ("ts", "timestamp", "datetime", "date", "time")
_ABOUT_THE_TEXT: Final = frozenset((_SPEAKER, "session", *_TIMES))
# What the author wrote about a memory counts as its text, however long; how secret it is, where it
# was said and where it came from do not.
NOTE: Final = "note"
SENSITIVITY: Final = "sensitivity"
RECOGNISED: Final = "recognised_secret"
CONVERSATION: Final = "conversation_id"
ORIGIN: Final = "imported_from"
_NO_WORDS: Final = frozenset((NOTE, SENSITIVITY, RECOGNISED, CONVERSATION, ORIGIN))

# Enough for what a person or a robot notes; a log in a context must not drown its text.
_MOST_WORDS: Final = 60
_LONGEST: Final = 200
_LONGEST_NOTE: Final = 10_000

_HUMP: Final = linear(r"(?<=[a-z0-9])(?=[A-Z])")
_SENTENCE: Final = linear(r"[^.!?。！？\n]*[.!?。！？\n]*")
_QUESTION: Final = linear(r"[?？]")
_NOTE: Final = linear(r"(?<!\s)\s*[\[(（【][^\[(（【\])）】]*[\])）】]\s*$")
_FIRST_PERSON: Final = linear(r"\b(?:i|my|me|mine|we|our|us)\b|[我咱]")
_DIGIT: Final = linear(r"\d")
_MARKUP: Final = linear(r"[{}<>=\\|`^~#$&*@_/+;]")
# One such character in fifty is more than talk has.
_MOST_MARKUP: Final = 0.02
_ASSISTANT: Final = "assistant"


@dataclass(frozen=True, slots=True)
class PriorUtterance:
    """What was said in a run just before a text: the words, and by whom."""

    content: str
    speaker: str | None


def speaker_of(context: Context) -> str | None:
    """Return who speaks, in lower case, where the context says so."""
    speaker = context.get(_SPEAKER)
    return speaker.strip().casefold() or None if isinstance(speaker, str) else None


def words_in(context: Context) -> str:
    """Return the words of a context, so that a memory is found by where, when and what it was."""
    return " ".join([*_words(_without_note(context)), _note(context)]).strip()


def embedding_text(content: str, context: Context, before: PriorUtterance | None) -> str:
    """Return the text whose meaning is the memory's: with the question that it answers, and with
    what its context says it is about.
    """
    asked = ""
    if before is not None and before.speaker and before.speaker != speaker_of(context):
        asked = " ".join(_questions(before.content))
    kept = _without_note(context).items()
    matter = {key: value for key, value in kept if key not in _ABOUT_THE_TEXT}
    about = " ".join(word for word in _words(matter) if not _DIGIT.search(word))
    noted = " ".join(_note(context).split()[:_MOST_WORDS])[:_LONGEST]
    about = f"{noted} {about}".strip()
    return " ".join(part for part in (asked, content, about) if part)


def traits_of(content: str, context: Context, own: Collection[str], *, now: datetime) -> Traits:
    """Return what search keeps of a memory besides its words; `own` are the terms of its text."""
    env: Any = context.get("env")
    real = isinstance(env, Mapping) and cast("Context", env).get("sim_or_real") == "real"
    traits = Trait.REAL if real else Trait(0)
    if _NOTE.sub("", content[-READ_OF_MEMORY:]).rstrip().endswith(("?", "？")):
        traits |= Trait.ASKS
    if _FIRST_PERSON.search(content[:READ_OF_MEMORY].casefold()):
        traits |= Trait.FIRST_PERSON
    seen = content[:READ_OF_MEMORY]
    if sum(1 for _ in _MARKUP.finditer(seen)) > _MOST_MARKUP * len(seen):
        traits |= Trait.MARKUP
    speaker = speaker_of(context)
    if speaker == _ASSISTANT:
        traits |= Trait.ASSISTANT
    return Traits(
        speaker=speaker.split()[0] if speaker else None,
        said_at=_said_at(context) or now,
        traits=traits,
        telling=sum(not is_stop_word(term) for term in own),
        own_terms=len(own),
    )


def _without_note(context: Context) -> dict[str, Any]:
    return {key: value for key, value in context.items() if key not in _NO_WORDS}


def _note(context: Context) -> str:
    """Return what the author wrote about a memory, as one text."""
    note = context.get(NOTE)
    if isinstance(note, str):
        return note[:_LONGEST_NOTE]
    return " ".join(_words(cast("Context", note))) if isinstance(note, Mapping) else ""


def _said_at(context: Context) -> datetime | None:
    for key in _TIMES:
        stamp = context.get(key)
        if isinstance(stamp, str) and len(stamp) <= _LONGEST and (moment := moment_of(stamp)):
            return moment
    return None


def _words(context: Mapping[str, Any]) -> list[str]:
    words: list[str] = []
    for text in _texts(context):
        words += _HUMP.sub(" ", text.replace("_", " ")).split()
        if len(words) >= _MOST_WORDS:
            break
    return words[:_MOST_WORDS]


def _texts(value: object) -> Iterator[str]:
    if isinstance(value, str) and len(value) <= _LONGEST:
        yield value
    elif isinstance(value, Mapping):
        for inner in value.values():  # pyright: ignore[reportUnknownVariableType]
            yield from _texts(inner)  # pyright: ignore[reportUnknownArgumentType]
    elif isinstance(value, list | tuple):
        for inner in value:  # pyright: ignore[reportUnknownVariableType]
            yield from _texts(inner)  # pyright: ignore[reportUnknownArgumentType]


def _questions(text: str) -> list[str]:
    return [one.strip() for one in _SENTENCE.findall(text) if _QUESTION.search(one)]
