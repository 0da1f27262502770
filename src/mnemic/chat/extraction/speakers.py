"""Who says what in a turn: passages with their speaker, speech apart from what is narrated."""

import re
from dataclasses import dataclass, replace
from typing import Final

from mnemic.chat.extraction.extraction import TurnText
from mnemic.chat.extraction.facts.fact_keys import thing
from mnemic.chat.extraction.facts.guarding import is_chinese, plain_text, sentences_of
from mnemic.chat.extraction.tags import without_tags
from mnemic.language.lexicon.concepts import word_set
from mnemic.records.conversation import Line
from mnemic.runtime.patterns import linear, opening

# A message that is longer was pasted; its beginning tells what it is about.
_LONGEST: Final = 6000

_STAGED: Final = linear(
    r"(?<!\*)\*(?P<star>[^*\n]{3,600})\*(?!\*)|(?P<round>[（(][^（）()\n]{2,300}[）)])"
    r"|[\"“「](?P<said>[^\"“”「」\n]{1,600})[\"”」]"
)
_ACTION: Final = linear(
    r"(?<!\*)\*[^*\na-z\u4e00-\u9fff]*[a-z\u4e00-\u9fff][^*\n]*\*(?!\*)|^[^\S\n]*（[^（）\n]{2,300}）"
    r"|[”」]\s*（[^（）\n]{4,300}）",
    re.M,
)
_ACTION_WORD: Final = linear(
    r"\b(?:i|he|she|they|his|her|my|[a-z]+(?:s|ed))\b|[\u4e00-\u9fff]", re.I
)
_SPEAKS: Final = (
    r"(?:says|said|asks|asked|replies|replied|whispers|whispered|mutters|muttered|shouts|shouted"
    r"|gasps|gasped|growls|growled|calls|cries)"
)
_SAYS: Final = opening(
    rf"\W*(?P<after>[A-Z][a-z]+) {_SPEAKS}\b|\W*{_SPEAKS} (?P<name>[A-Z]\w+)"
    r"|(?P<zh>[\u4e00-\u9fff]{2,4}?)(?:喘息着|低声|大声|轻声|冷冷地|笑着)?(?:说|道|问|喊)"
)
_SAID: Final = linear(
    rf"(?P<name>[A-Z][a-z]+) {_SPEAKS}[,:]?\s*$"
    r"|(?P<zh>[\u4e00-\u9fff]{2,4}?)(?:低声|大声|轻声|冷冷地|笑着)?(?:说|道|问|喊"
    r"|回答)道?[：:,，]?\s*$"
)
_NARRATORS: Final = word_set(
    "narrator storyteller gm dm game master dungeon master 旁白 主持人 叙述者 系统"
) | {"game master", "dungeon master"}
_AS_AI: Final = linear(
    r"\bas an? (?:ai|language model|assistant|virtual)|\bi'm (?:just )?an? (?:ai|language model|"
    r"virtual|chat ?bot|assistant)|作为一?[个名款]?(?:人工智能|AI|语言模型|助手)|我是一?[个名款]?"
    r"(?:AI|人工智能|语言模型|智能助手|虚拟)",
    re.IGNORECASE,
)

# Work on a text: neither the text nor what comes of it tells of anybody here.
_TASK: Final = linear(
    r"\b(?:translate|proofread|re-?write|re-?phrase|paraphrase|summari[sz]e|role-?play)\b"
    r"|\b(?:correct|edit|improve|polish|check) (?:this|the|my|the following) (?:\w+ )?(?:text"
    r"|sentence"
    r"|grammar|paragraph|essay|letter|draft|spelling|cv|resume)\b"
    r"|\b(?:write|draft|compose|create|make up|generate|tell)(?: me| us)? (?:an?|the|some"
    r"|my) (?:[\w-]+ )"
    r"{0,3}?(?:letter|story|e-?mail|essay|poem|song|bio|biography|speech|introduction|post|article"
    r"|dialogue|script|blog|review|scene|joke|tale|monologue|profile|advert|caption|diary entry)\b"
    r"|\bhow (?:do|would) (?:you|i|we) say\b|\bmeeting notes\b|\btranscript\b"
    r"|翻译|润色|改写|校对|造句|改病句|会议记录|聊天记录|(?:总结|概括|修改)一?下?(?:这|以下|下面)"
    r"|写(?:一?[个篇份封首段则]|自我介绍)|编一?个|讲一?个",
    re.IGNORECASE,
)
_LETTER: Final = opening(r"\s*(?:Dear |Subject:|To whom|尊敬的|亲爱的|大家好，我叫|标题：)", re.I)
# Two or more labels before first persons are the lines of others.
_LABELLED: Final = linear(r"(?:^|[\s-])[A-Z][a-z]{1,14}: (?=I\b|I'|[Mm]y\b|[Ww]e\b)", re.M)


@dataclass(frozen=True, slots=True)
class SpokenPassage:
    """Something said or narrated. `me` and `you` are the subjects that keys begin with.

    `machine` says that nothing in it is about who speaks: it is work on a text, or the speaker
    calls itself a machine.
    """

    text: str
    me: str
    you: str
    role: str
    label: str
    narrated: bool = False
    play: bool = False
    machine: bool = False

    @property
    def actor(self) -> str:
        """Who acts where nobody is named: the speaker, unless they only tell the story."""
        return "" if self.me in _NARRATORS else self.me

    @property
    def by_person(self) -> bool:
        """Whether the words are those of somebody with a life: a user, or a character."""
        return self.role == "user" or self.play or self.me != "assistant"


def alias(name: str, passage: SpokenPassage) -> str:
    """Return the full name of a speaker who is called by a part of it, else the name itself."""
    for full in (passage.me, passage.you):
        if name and (
            name in full.split() or (not name.isascii() and len(name) > 1 and name in full)
        ):
            return full
    return name


def passages(turn: TurnText) -> list[SpokenPassage]:
    """Return what the user and the assistant said and narrated, in order."""
    spoken = [line for line in turn.lines if line.role in ("user", "assistant")]
    play = any(_is_played(line) for line in spoken)
    found: list[SpokenPassage] = []
    at_work = False
    for at, line in enumerate(spoken):
        text = without_tags(line.content)[:_LONGEST]
        you = _other(spoken, at, play=play)
        whole = SpokenPassage(text, _me(line, play=play), you, line.role, _label(line), play=play)
        if play:
            found.extend(_parts(whole))
            continue
        plain = _plain(whole)
        task = _TASK.search(plain.text) if line.role == "user" else None
        at_work = task is not None or (at_work and line.role == "assistant")
        found.extend(_before_and_in(plain, task) if task else [_at_work(plain, at_work=at_work)])
    return [one for one in found if one.text.strip()]


def _is_played(line: Line) -> bool:
    found = _ACTION.search(line.content)
    return found is not None and bool(line.name or _ACTION_WORD.search(found[0]))


def _me(line: Line, *, play: bool) -> str:
    name = thing(line.name or "")
    if line.role == "assistant":
        return name or "assistant"
    return name if play and name else "user"


def _label(line: Line) -> str:
    if line.name and line.name.strip():
        return line.name.strip()[:40]
    if is_chinese(line.content):
        return "用户" if line.role == "user" else "助手"
    return line.role


def _other(spoken: list[Line], at: int, *, play: bool) -> str:
    role = spoken[at].role
    other = next((line for line in spoken if line.role != role), None)
    if other is None:
        return "assistant" if role == "user" else "user"
    return _me(other, play=play)


def _plain(whole: SpokenPassage) -> SpokenPassage:
    text = plain_text(whole.text)
    machine = whole.role == "assistant" and _AS_AI.search(text) is not None
    return replace(whole, text=text, machine=machine)


def _at_work(plain: SpokenPassage, *, at_work: bool) -> SpokenPassage:
    composed = plain.role == "assistant" and _LETTER.match(plain.text) is not None
    others = len(_LABELLED.findall(plain.text)) > 1
    return replace(plain, machine=True) if at_work or composed or others else plain


def _before_and_in(plain: SpokenPassage, task: re.Match[str]) -> list[SpokenPassage]:
    """Split what is said where a sentence asks for work on a text."""
    start = 0
    for sentence in sentences_of(plain.text):
        at = plain.text.find(sentence, start)
        if at < 0 or at + len(sentence) > task.start():
            break
        start = at + len(sentence)
    head, tail = plain.text[:start], plain.text[start:]
    return [replace(plain, text=head), replace(plain, text=tail, machine=True)]


def _with(
    whole: SpokenPassage, text: str, *, narrated: bool, me: str | None = None
) -> SpokenPassage:
    return replace(
        whole,
        text=text,
        me=whole.me if me is None else me,
        label=me or whole.label,
        narrated=narrated,
    )


def _parts(whole: SpokenPassage) -> list[SpokenPassage]:
    """Split a line of a play. Where there are quotes, what stands outside of them is narrated."""
    text = whole.text.replace("’", "'").replace("‘", "'")
    quoted = any(match["said"] for match in _STAGED.finditer(text))
    found: list[SpokenPassage] = []
    at = 0
    for match in _STAGED.finditer(text):
        found.append(_with(whole, text[at : match.start()], narrated=quoted))
        if match["said"] is None:
            found.append(
                _with(whole, (match["star"] or match["round"]).strip("（）()"), narrated=True)
            )
        else:
            who = _attributed(text, match) or ("" if whole.me in _NARRATORS else None)
            found.append(_with(whole, match["said"], narrated=False, me=who))
        at = match.end()
    found.append(_with(whole, text[at:], narrated=quoted))
    return found


def _attributed(text: str, said: re.Match[str]) -> str | None:
    """Return whose words they are, where the text beside them names somebody.

    What a mere narrator quotes is nobody's, unless it says whose.
    """
    after = _SAYS.match(text[said.end() : said.end() + 40])
    before = _SAID.search(text[max(0, said.start() - 40) : said.start()])
    named = after["after"] or after["name"] or after["zh"] if after is not None else None
    if named is None and before is not None:
        named = before["name"] or before["zh"]
    if named is None or thing(named) in _PRONOUNS or named[0] in "他她我你它":
        return None
    return thing(named) or None


_PRONOUNS: Final = word_set("she he i they you it")
