"""Who says what in a turn: narration, quotes, asides and pasted texts are told from their own."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Final

from mnemic.chat.extraction.extraction import TurnText
from mnemic.chat.extraction.plain_reading.phrase_tables import table
from mnemic.chat.extraction.tags import without_tags
from mnemic.language.bounds import READ_OF_LINE
from mnemic.language.lexicon.concepts import word_set
from mnemic.language.tokens import is_cjk
from mnemic.records.conversation import Line
from mnemic.runtime.patterns import linear, opening

_MACHINES: Final = word_set(
    "assistant ai chatgpt gpt claude gemini copilot bot chatbot 助手 助理 智能助手 小助手 系统"
)
_NARRATORS: Final = word_set("narrator storyteller gm dm 旁白 叙述者 主持人") | {
    "game master",
    "dungeon master",
}
# Who says a quote stands so close to it, in characters.
_BESIDE: Final = 60
_LABELS: Final = {"user": "用户", "assistant": "助手", "char": "角色", "narrator": "旁白"}
# Who is somebody without a name.
_OWNERS: Final = {"user": "user", "char": "char"}

_ASIDE: Final = linear(
    r"\(\([^()]{0,2000}\)\)|\((?i:ooc)[:\s][^()]{0,2000}\)|\[(?i:ooc)[:\s][^\[\]]{0,2000}\]"
    r"|（（[^（）]{0,2000}））|[（(](?:场外|题外话|出戏)[:：]?[^（）()]{0,2000}[）)]"
    r"|^[^\S\n]*(?i:ooc|//)[: ][^\n]*",
    re.MULTILINE,
)
_NOT_TEXT: Final = linear(
    r"```(?:[^`]|(?!```)`)*(?:```)?|`[^`\n]*`|^[^\S\n]*>[^\n]*|\[[^\[\]\n]{0,400}\]|https?://[!-~]+",
    re.MULTILINE,
)
_LISTED: Final = linear(
    r"^[^\S\n]*(?:[-*•·]|\d{1,2}[.)、])[^\S\n][^\n]*|^[^\S\n]*\|[^\n]*|^#{1,6} [^\n]*", re.MULTILINE
)
_STAGED: Final = linear(
    r"\*(?P<star>[^*\n]{1,2000})\*|[\"“](?P<said>[^\"“”\n]{0,2000})[\"”]|「(?P<corner>[^「」\n]{0,2000})」"
)
_ACTION: Final = linear(r"(?<!\*)\*(?P<act>[^*\n]{3,400})\*(?!\*)")
_LABELLED: Final = linear(
    r"^[^\S\n]*(?:\*\*)?(?P<who>[A-Z][\w'’-]{0,20}(?: [A-Z][\w'’-]{0,20})?"
    r"|[\u4e00-\u9fff]{2,5})(?:\*\*)?[:：]",
    re.MULTILINE,
)
_SPEAKS: Final = (
    r"(?:says|said|asks|asked|replies|replied|whispers|whispered|mutters|muttered|shouts|shouted"
    r"|answers|answered|gasps|gasped|growls|growled|calls|called|cries|cried|adds|added|laughs"
    r"|laughed|murmurs|murmured|snaps|snapped|sighs|sighed|grins|grinned|declares|declared|hisses"
    r"|hissed|continues|continued|begins|began|admits|admitted)"
)
_AFTER: Final = opening(
    rf"[\s,*.]*(?:(?P<subject>(?:(?:the|a|an|my|his|her|their) )?[\w'’-]+(?: [\w'’-]+)?)"
    rf" {_SPEAKS}\b"
    rf"|{_SPEAKS} (?P<subject2>(?:the |a |an )?[\w'’-]+(?: [\w'’-]+)?))",
    re.IGNORECASE,
)
_BEFORE: Final = linear(
    rf"(?<![\w'-])(?P<subject>(?:(?:the|a|an|my|his|her|their) )?[\w'-]{{1,20}}) {_SPEAKS}"
    r"(?: \w{1,12}){0,2}$",
    re.IGNORECASE,
)
_TOLD: Final = "(?:说|道|问|喊|回答|答道|低语|笑道|叫道|嘟囔|喃喃)"
_AFTER_CHINESE: Final = opening(
    rf"[\s，,。*]*(?P<subject>[\u4e00-\u9fff]{{1,6}}?)(?:低声|轻声|大声|冷冷地?|笑着|小声)?{_TOLD}(?!道?[：:])"
)
_BEFORE_CHINESE: Final = linear(
    rf"(?P<subject>[\u4e00-\u9fff]{{1,6}}?)(?:低声|轻声|大声|冷冷地?|笑着|小声)?{_TOLD}$"
)
_SELF: Final = frozenset(["i", "we", "我", "我们"])
_THEY: Final = frozenset(["he", "she", "they", "it", "他", "她", "它"])
_AS_MACHINE: Final = linear(
    r"\bas an? (?:ai|language model|assistant)|\bi(?:'m| am) (?:just )?an? (?:ai|language model"
    r"|virtual|chat ?bot)|作为一?[个名款]?(?:人工智能|AI|语言模型|助手)"
    r"|我是一?[个名款]?(?:AI|人工智能|语言模型)",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Passage:
    """What one speaker says in their own words. `owner` is the subject that keys begin with, and
    `label` stands before what is kept as a sentence.
    """

    text: str
    owner: str
    label: str


def own_words(turn: TurnText) -> list[Passage]:
    """Return what the people and characters of a turn say of themselves, in order.

    Left out are what an assistant without a name writes, narration, asides, lists, code, quotes of
    somebody else, and texts that somebody is to work on.
    """
    play = any(_acts(line) or _quotes_itself(line) for line in turn.lines)
    said: list[Passage] = []
    at_work = False
    for line in turn.lines:
        text = _plain(line)
        if line.role == "user":
            at_work = _asks_for_work(text)
        owner = _owner(line)
        if not owner or at_work or _AS_MACHINE.search(text):
            continue
        whole = Passage(text, owner, _label(line))
        if play and (line.role != "user" or _acts(line) or line.name):
            said.extend(_staged(whole))
        else:
            said.extend(_spoken(whole, line, play=play))
    return [passage for passage in said if passage.text.strip()]


def in_chinese(text: str) -> bool:
    """Tell whether a text is to be read as Chinese."""
    return any(is_cjk(character) for character in text)


def _plain(line: Line) -> str:
    text = without_tags(line.content)[:READ_OF_LINE].replace("’", "'").replace("‘", "'")
    return _LISTED.sub("\n", _NOT_TEXT.sub(" ", _ASIDE.sub(" ", text)))


def _acts(line: Line) -> bool:
    acts = (match["act"] for match in _ACTION.finditer(line.content[:READ_OF_LINE]))
    return line.role not in ("system", "tool") and any(
        " " in act or in_chinese(act) for act in acts
    )


def _quotes_itself(line: Line) -> bool:
    """Tell whether a character speaks in quotes, as in a novel."""
    if line.role == "user" or not (line.name or line.role == "char"):
        return False
    return any(match["star"] is None for match in _STAGED.finditer(line.content[:READ_OF_LINE]))


def _asks_for_work(text: str) -> bool:
    return any(
        table(tongue).states["task"].search(text) is not None for tongue in ("english", "chinese")
    )


def _owner(line: Line) -> str:
    """Return the subject of what a line says of "I"; empty where it is nobody's."""
    name = " ".join((line.name or "").lower().replace(".", " ").split())[:40]
    if line.role in ("system", "tool", "narrator") or name in _NARRATORS:
        return ""
    if name in _MACHINES:
        return ""
    return name or _OWNERS.get(line.role, "")


def _label(line: Line) -> str:
    return " ".join((line.name or "").split())[:30] or role_label(line)


def role_label(line: Line) -> str:
    """Return what a line's speaker is called who has no name, in the language of the line."""
    return _LABELS.get(line.role, "助手") if in_chinese(line.content) else line.role


def _spoken(whole: Passage, line: Line, *, play: bool) -> Iterator[Passage]:
    """Return what is said outside of a play: quotes are of others, and so are labelled lines."""
    text = _STAGED.sub(lambda match: _unquoted(match, play=play), whole.text)
    labels = [*_LABELLED.finditer(text)]
    own = (line.name or "").split(" ")[0].lower()
    if any(match["who"].lower().split(" ")[0] != own for match in labels):
        # What stands before the first label of another is still the speaker's.
        first = next(m for m in labels if m["who"].lower().split(" ")[0] != own)
        text = text[: first.start()]
    yield replace(whole, text=_LABELLED.sub(" ", text) if own else text)


def _unquoted(match: re.Match[str], *, play: bool) -> str:
    """Return what stands for a quote: a name or a title stays, a sentence of another does not."""
    if match["star"] is not None:
        return "\n" if play else f" {match['star']} "
    words = match["said"] or match["corner"] or ""
    short = len(words.split()) <= 3 if words.isascii() else len(words) <= 4
    return words if short and words[-1:] not in ".!?,。！？，…" else " … "


def _staged(whole: Passage) -> Iterator[Passage]:
    """Split a line of a play: narration is nobody's, a quote is of whom the text beside it names.

    A line without quotes is speech outside of its actions.
    """
    text = whole.text
    quoted = any(match["star"] is None for match in _STAGED.finditer(text))
    at = 0
    for match in _STAGED.finditer(text):
        if not quoted:
            yield from _unlabelled(replace(whole, text=text[at : match.start()]))
        elif match["star"] is None:
            beside = (
                text[max(0, at, match.start() - 60) : match.start()],
                text[match.end() :][:60],
            )
            if _is_of_speaker(whole, *beside):
                yield replace(whole, text=match["said"] or match["corner"] or "")
        at = match.end()
    if not quoted:
        yield from _unlabelled(replace(whole, text=text[at:]))


def _unlabelled(said: Passage) -> Iterator[Passage]:
    """Return what is said up to a line of somebody else."""
    own = said.owner.split(" ")[0]
    for match in _LABELLED.finditer(said.text):
        if match["who"].lower().split(" ")[0] != own:
            yield replace(said, text=said.text[: match.start()])
            return
    yield replace(said, text=_LABELLED.sub(" ", said.text))


def _is_of_speaker(whole: Passage, before: str, after: str) -> bool:
    """Tell whether a quote is of the one whose line it stands in: where nobody else is named.

    A pronoun means the speaker only where the line speaks of nobody else.
    """
    if labels := [*_LABELLED.finditer(before)]:
        return labels[-1]["who"].lower().split(" ")[0] in whole.owner.split(" ")
    match = _AFTER.match(after) or _AFTER_CHINESE.match(after)
    introducing = before.rstrip(" *,:：，\n")
    match = match or _BEFORE.search(introducing) or _BEFORE_CHINESE.search(introducing)
    if match is None:
        return True
    groups = match.groupdict()
    who = (groups.get("subject") or groups.get("subject2") or "").lower()
    first = who.split(" ")[0]
    if first in _SELF or any(part in who.split(" ") for part in whole.owner.split(" ")):
        return True
    if not who.isascii():
        return whole.owner in who or who.endswith(("她", "他", "我"))
    return first in _THEY
