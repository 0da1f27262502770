"""Read what a language model extracted from a turn: keep what can be used, and tell what not.

It imports pydantic, so it is imported only where a model is asked.
"""

from collections.abc import Container
from math import isfinite
from typing import Annotated, Any, Final, TypeVar, cast, get_args

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field, ValidationError

from mnemic.chat.extraction.extraction import (
    Extraction,
    Fact,
    FactScope,
    Known,
    Resolution,
    Retirement,
    TurnText,
    Update,
)
from mnemic.language.excerpts import ELLIPSIS
from mnemic.language.sentences import joined, sentences
from mnemic.language.tokens import normalise
from mnemic.memory.texts.derivation import writable
from mnemic.providers.chat_models.json_answers import UnusableAnswerError, object_in
from mnemic.records.json_numbers import as_float, is_number

FACTS_TAKEN: Final = 50
LOOPS_TAKEN: Final = 25
TEXT_CHARACTERS: Final = 2_000
KEY_CHARACTERS: Final = 200

_SCOPES: Final = frozenset(get_args(FactScope))
_FIELDS: Final = frozenset(
    {
        "micro_summary",
        "facts_to_add",
        "facts_to_update",
        "facts_to_deprecate",
        "open_loops_to_add",
        "open_loops_to_resolve",
    }
)
# Under which other names models give them; whether in camelCase does not matter.
_OTHER_NAMES: Final = {
    "summary": "micro_summary",
    "facts_add": "facts_to_add",
    "facts_update": "facts_to_update",
    "facts_deprecate": "facts_to_deprecate",
    "open_loops_add": "open_loops_to_add",
    "loops_add": "open_loops_to_add",
    "loops_to_add": "open_loops_to_add",
    "open_loops_resolve": "open_loops_to_resolve",
    "loops_resolve": "open_loops_to_resolve",
    "loops_to_resolve": "open_loops_to_resolve",
}
# The first sentences of a reply, where there is nothing better.
_SENTENCES: Final = 3
_SENTENCES_CHARACTERS: Final = 400
_NOTES: Final = 12
_QUOTED: Final = 40


def _as_text(value: object) -> object:
    # Models write an age as 42 rather than "42"; true and false say nothing without their key.
    return str(value) if is_number(value) and isfinite(as_float(value)) else value


def _cut(text: str) -> str:
    return text if len(text) <= TEXT_CHARACTERS else text[: TEXT_CHARACTERS - 1] + ELLIPSIS


_Text = Annotated[str, AfterValidator(writable), AfterValidator(_cut), Field(min_length=1)]
_Key = Annotated[
    str,
    AfterValidator(lambda key: " ".join(writable(key).lower().split())),
    Field(min_length=1, max_length=KEY_CHARACTERS),
]
_Why = Annotated[
    str,
    BeforeValidator(lambda why: "" if why is None else why),
    AfterValidator(writable),
    AfterValidator(_cut),
]


class _Shape(BaseModel):
    model_config = ConfigDict(strict=True, extra="ignore")


class _FactToAdd(_Shape):
    key: _Key
    value: Annotated[_Text, BeforeValidator(_as_text)]
    # An odd scope or importance does not spoil a fact, so these two are judged afterwards.
    scope: Any = None
    importance: Any = None


class _FactToUpdate(_Shape):
    id: str
    value: Annotated[_Text, BeforeValidator(_as_text)]


class _FactToDeprecate(_Shape):
    id: str
    reason: _Why = ""


class _LoopToAdd(_Shape):
    text: _Text


class _LoopToResolve(_Shape):
    id: str
    resolution: _Why = ""


_S = TypeVar("_S", bound=_Shape)
_Named = TypeVar("_Named", _FactToUpdate, _FactToDeprecate, _LoopToResolve)


def parse_extraction(text: str, turn: TurnText, known: Known, *, extractor: str) -> Extraction:
    """Return what a model's answer says about a turn, never with an id that is not in `known`.

    Entries that cannot be used are left out, and `note` tells which. Of two entries for one thing
    the last counts. Of an answer that cannot be used at all there is the summary that can be had
    without a model, marked as made by rules. Nothing is raised, whatever the text is.
    """
    try:
        found = object_in(text, fields=_FIELDS | _OTHER_NAMES.keys())
    except UnusableAnswerError as problem:
        return Extraction(
            summary=summary_without_a_model(turn),
            note=f"The model's answer was not used: {problem}",
        )
    reading = _Reading(found)
    updates = reading.named("facts_to_update", _FactToUpdate, {one.id for one in known.facts})
    retired = reading.named("facts_to_deprecate", _FactToDeprecate, {one.id for one in known.facts})
    resolved = reading.named("open_loops_to_resolve", _LoopToResolve, {o.id for o in known.loops})
    both = retired.keys() & updates.keys()
    if both:
        reading.notes.append(f"facts_to_deprecate: {len(both)} updated as well, so kept in use.")
    return Extraction(
        summary=reading.summary() or summary_without_a_model(turn),
        facts=reading.facts(),
        updates=tuple(Update(one.id, one.value) for one in updates.values()),
        retirements=tuple(
            Retirement(one.id, one.reason) for one in retired.values() if one.id not in both
        ),
        loops=reading.loops(),
        resolutions=tuple(Resolution(one.id, one.resolution) for one in resolved.values()),
        extractor=extractor,
        note=_told(reading.notes),
    )


def summary_without_a_model(turn: TurnText) -> str:
    """Return the summaries that the turn itself brings, else the first sentences of the reply, else
    of all that was said; empty only where nothing was said.
    """
    tagged = writable("\n".join(turn.summaries))
    if tagged:
        return _cut(tagged)
    replies = [line.content for line in turn.lines if line.role in ("assistant", "char")]
    reply = next((one for one in reversed(replies) if writable(one)), None)
    return _beginning(reply or "\n".join(line.content for line in turn.lines))


class _Reading:
    """Reads one answer field by field, and notes what cannot be used."""

    def __init__(self, answer: dict[str, Any]) -> None:
        self._answer = dict(answer)
        self.notes: list[str] = []
        for other, name in _OTHER_NAMES.items():
            if other in answer and name not in self._answer:
                self._answer[name] = answer[other]
                self.notes.append(f"{other} was taken as {name}.")

    def summary(self) -> str:
        """Return the summary; empty where there is none."""
        said = self._answer.get("micro_summary")
        text = writable(said) if isinstance(said, str) else ""
        if not text:
            self.notes.append("micro_summary: there is no text, so the turn's own words stand in.")
        return _cut(text)

    def facts(self) -> tuple[Fact, ...]:
        """Return the facts to add, one for each key and scope."""
        found: dict[tuple[str, str], Fact] = {}
        for entry in self._entries("facts_to_add", _FactToAdd, most=FACTS_TAKEN):
            scope = self._scope(entry)
            found[entry.key, scope] = Fact(entry.key, entry.value, scope, **self._importance(entry))
        return tuple(found.values())

    def loops(self) -> tuple[str, ...]:
        """Return the texts of the loops to add, each once."""
        entries = self._entries("open_loops_to_add", _LoopToAdd, most=LOOPS_TAKEN)
        return tuple({normalise(entry.text): entry.text for entry in entries}.values())

    def named(self, field: str, shape: type[_Named], shown: Container[str]) -> dict[str, _Named]:
        """Return the entries of a field by the ids that they name, which are all shown ones."""
        found: dict[str, _Named] = {}
        strange: list[str] = []
        entries = self._entries(field, shape)
        for entry in entries:
            if entry.id in shown:
                found[entry.id] = entry
            else:
                strange.append(writable(entry.id)[:_QUOTED])
        if strange:
            quoted = ", ".join(map(repr, strange[:3])) + (", …" if len(strange) > 3 else "")
            self.notes.append(
                f"{field}: {len(strange)} not shown to the model, left out: {quoted}."
            )
        twice = len(entries) - len(strange) - len(found)
        if twice:
            self.notes.append(f"{field}: {twice} named again, the last counts.")
        return found

    def _entries(self, field: str, shape: type[_S], *, most: int | None = None) -> list[_S]:
        given = self._answer.get(field)
        if not isinstance(given, list):
            if given is not None:
                self.notes.append(f"{field}: not a list, left out.")
            return []
        found: list[_S] = []
        listed = cast("list[Any]", given)
        for at, entry in enumerate(listed):
            if most is not None and len(found) == most:
                self.notes.append(f"{field}: {len(listed) - at} beyond the limit of {most}.")
                break
            try:
                found.append(_validated(entry, shape))
            except ValidationError as problem:
                self.notes.append(f"{field}.{at}: {_first(problem)}, left out.")
        return found

    def _scope(self, entry: _FactToAdd) -> FactScope:
        said = entry.scope.strip().lower() if isinstance(entry.scope, str) else entry.scope
        if isinstance(said, str) and said in _SCOPES:
            return cast("FactScope", said)
        if said is not None:
            self.notes.append("facts_to_add: a scope is none of the four, taken as branch.")
        return "branch"

    def _importance(self, entry: _FactToAdd) -> dict[str, float]:
        """Return the importance of a fact by its name, or nothing where the default applies."""
        said = entry.importance
        if said is None:
            return {}
        if not is_number(said):
            self.notes.append("facts_to_add: an importance is no number, taken as the usual one.")
            return {}
        within = min(1.0, max(0.0, as_float(said)))
        if within != said:
            self.notes.append(
                "facts_to_add: an importance is not from 0 to 1, taken as the nearer."
            )
        return {"importance": within}


def _validated(entry: object, shape: type[_S]) -> _S:
    # A loop may be given as its text alone.
    bare = shape is _LoopToAdd and isinstance(entry, str)
    return shape.model_validate({"text": entry} if bare else entry)


def _first(problem: ValidationError) -> str:
    """Return the first thing that is wrong, without quoting what was there."""
    error = problem.errors(include_url=False, include_input=False, include_context=False)[0]
    where = ".".join(map(str, error["loc"]))
    return f"{where}: {error['msg']}" if where else error["msg"]


def _told(notes: list[str]) -> str | None:
    different = list(dict.fromkeys(notes))
    more = len(different) - _NOTES
    return " ".join(different[:_NOTES] + [f"And {more} more."] * (more > 0)) or None


def _beginning(text: str) -> str:
    room = _SENTENCES_CHARACTERS
    first = sentences(writable(text[: 10 * room]))[:_SENTENCES]
    while len(first) > 1 and len(joined(first)) > room:
        first.pop()
    kept = joined(first)
    return kept if len(kept) <= room else kept[: room - 1] + ELLIPSIS
