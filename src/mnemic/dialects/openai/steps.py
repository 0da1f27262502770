"""A conversation as an app sends it to a model: step by step, what was asked and what answered."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from mnemic.dialects.openai.loose_json import objects_in
from mnemic.language.bounds import LONGEST_TEXT
from mnemic.memory.texts.derivation import writable
from mnemic.records.conversation import ChatRole, Line
from mnemic.runtime.thoughts import without_thoughts

CUT_SHORT: Final = Line("system", "The answer was cut short.")
"""Stands at the end of a turn whose answer did not arrive whole."""

INSTRUCTIONS: Final = frozenset({"system", "developer"})
"""The roles of what is told to a model, and never said in the conversation."""

# One place is left for the mark of an answer that was cut short.
_MOST_LINES: Final = 99
_LONGEST_NAME: Final = 200
_SIDES: Final[tuple[ChatRole, ...]] = ("user", "assistant")


@dataclass(frozen=True, slots=True)
class Step:
    """What was said to a model, and what it answered. Both sides are told apart from others without
    their white space: apps trim it.
    """

    lines: tuple[Line, ...]
    asked: str
    answered: str

    @property
    def is_cut_short(self) -> bool:
        """Whether its answer did not arrive whole."""
        return self.lines[-1:] == (CUT_SHORT,)

    def repeats(self, kept: "Step") -> bool:
        """Tell whether this is what was kept: of an answer that was cut short, an app may have got
        less.
        """
        if self.asked != kept.asked:
            return False
        if self.answered == kept.answered:
            return True
        return kept.is_cut_short and bool(self.answered) and kept.answered.startswith(self.answered)

    def shares_a_side(self, kept: "Step") -> bool:
        """Tell whether only one side of what was kept is another one now."""
        asked = bool(self.asked) and self.asked == kept.asked
        return asked or (bool(self.answered) and self.answered == kept.answered)

    def answered_with(self, text: str, *, continues: bool, is_cut_short: bool) -> "Step":
        """Return the step with a model's answer; one that continues is the rest of what stands
        there.
        """
        lines = list(self.lines)
        if continues and lines and lines[-1].role == "assistant":
            text = lines.pop().content + text
        lines += _line("assistant", text)
        return step_of([*_fitting(lines), *([CUT_SHORT] if is_cut_short else [])])


def step_of(lines: Iterable[Line]) -> Step:
    """Return the messages of a turn as a step."""
    # As it is read from the store, the mark has an id.
    said = tuple(
        CUT_SHORT if line.role == "system" and line.content == CUT_SHORT.content else line
        for line in lines
    )
    return Step(
        said,
        asked=_bare(line for line in said if line.role == "user"),
        answered=_bare(line for line in said if line.role not in ("user", "system", "tool")),
    )


def steps_of(messages: Sequence[Mapping[str, Any]]) -> list[Step]:
    """Return what was said, in steps that begin where a user speaks after an answer. What tools
    were called with and what they returned was said by nobody.
    """
    steps: list[list[Line]] = []
    is_answered = True
    for message in messages:
        role = message["role"]
        if role in INSTRUCTIONS:
            continue
        if not steps or (role == "user" and is_answered):
            steps.append([])
        is_answered = role != "user"
        if role in ("user", "assistant"):
            steps[-1] += _line(role, text_of(message), name=message.get("name"))
    return [step_of(_fitting(lines)) for lines in steps]


def text_of(message: Mapping[str, Any]) -> str:
    """Return the text of a message; a picture or a sound is only named."""
    content = message.get("content")
    if isinstance(content, list):
        return "\n".join(_part(part) for part in objects_in(message["content"]))
    said = content if isinstance(content, str) else message.get("refusal")
    return said if isinstance(said, str) else ""


def _part(part: Mapping[str, Any]) -> str:
    text = part.get("text", part.get("refusal"))
    return text if isinstance(text, str) else f"[{part.get('type')}]"


def _line(role: Any, text: str, *, name: object = None) -> list[Line]:
    content = writable(without_thoughts(text) if role == "assistant" else text)
    speaker = writable(name)[:_LONGEST_NAME] if isinstance(name, str) else ""
    return [Line(role, content, speaker or None)] if content else []


def _fitting(lines: Sequence[Line]) -> list[Line]:
    """Return lines that one turn may hold; what is beyond the longest text is left out."""
    if len(lines) > _MOST_LINES:
        lines = [line for role in _SIDES for line in _joined(lines, role)]
    left = LONGEST_TEXT - len(CUT_SHORT.content)
    fitting: list[Line] = []
    for line in lines:
        content = line.content[:left].strip()
        left -= len(content)
        fitting += [replace(line, content=content)] if content else []
    return fitting


def _joined(lines: Sequence[Line], role: ChatRole) -> list[Line]:
    said = [line.content for line in lines if line.role == role]
    return [Line(role, "\n\n".join(said))] if said else []


def _bare(lines: Iterable[Line]) -> str:
    return "".join(part for line in lines for part in line.content.split())
