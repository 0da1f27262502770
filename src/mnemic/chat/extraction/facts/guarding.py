"""Which sentences assert something: not a question, a wish, a condition, a quote or a joke."""

import re
from functools import lru_cache
from typing import Final

from mnemic.language.sentences import asks, sentences
from mnemic.runtime.patterns import linear, opening, short

# What somebody else says, or what happens in a story: nothing in the sentence holds.
_TOLD: Final = linear(
    r"\b(?:in (?:this|the|my|a|his|her) (?:story|novel|book|movie|film|game|play|song|show|scenario"
    r"|essay|sketch|poem|screenplay|chapter|dreams?)|lyrics?|(?:my|the|his|her) character"
    r"|once upon a time|for example|e\.g|according to|rumou?rs?|imagin(?:e|ing)|pretend(?:ing)?"
    r"|suppos(?:e|ing)|hypothetically|what if|let's say|say i|if only"
    r"|(?:tell|tells|told|telling|teach|taught|ask|asks|asked|said|says|saying|claims?|claimed"
    r"|insists?|insisted|swears|thinks|believes|heard|read|wrote|sang|sings|joked|jokes)"
    r" (?:that|me|us|him|her|them|i|i'm|he|she|they|it|my|about)"
    r"|(?:she|he|they|someone|somebody|everyone|everybody|people|(?-i:[A-Z][a-z]+))"
    r" (?:said|says|thinks|claims|told|keeps? saying|keeps? telling|calls)"
    r"|(?:they|people|everyone) say"
    r"|lied|lying|fake|dream(?:s|ed|t|ing)? (?:of|about|that|i))\b|/s\s*$",
    re.IGNORECASE,
)
_TOLD_CHINESE: Final = linear(
    r"想象|假装|梦见|梦到|梦里|做梦|据说|听说|传说|有人说|他们?说|她们?说|都说|说我|说他|说她"
    r"|说自己"
    r"|问我|问他|骗|撒谎|谎|比如|例如|譬如|故事里|小说里|电影里|游戏里|书里|剧里|歌词|剧本|台词"
    r"|角色|扮演|[爸妈哥姐弟妹友事板师生人]说|告诉我|假设|假如|老说|总说|常说"
)
# From here on a sentence tells what is not so, or not sure, or only then.
_UNREAL: Final = linear(
    r"\b(?:would|wouldn't|would've|could|i'd|we'd|might|maybe|perhaps|possibly|probably|wish"
    r"|as if|as though|used to|one day|someday|hopefully|unless|almost|nearly|supposedly"
    r"|apparently|allegedly|as a kid|as a child|back then|can't believe|not sure|doubt|i guess"
    r"|(?:i|we) (?:thought|assumed|figured|believed)|if|whether|in case|when i was|assuming|until"
    r"|(?:feels?|felt|looks?|sounds?|seems?|acting|act) (?:like|to|as)|can pass for|years ago i)\b",
    re.IGNORECASE,
)
_UNREAL_CHINESE: Final = linear(
    r"如果|要是|若是|倘若|万一|的话|好像|似乎|仿佛|也许|可能|或许"
    r"|大概(?![\d一二两三四五六七八九十百几])|说不定|希望|但愿|恨不得"
    r"|要不是|本来想|差点|以为|觉得自己|不确定|不知道|是不是|有没有|会不会|能不能|要不要|还是说"
    r"|总有一天|有朝一日|怀疑|假的|看起来|听起来|宛如|简直|除非|除了|只要我|等我|当我"
)
_PAST_CHINESE: Final = linear(r"以前|曾经|从前|当年|小时候|原来|过去|那时|年轻时")
_JOKE: Final = linear(
    r"\b(?:just kidding|i'm kidding|only kidding|just joking|i'm joking|jk|j/k|april fools?"
    r"|made that up|gotcha)\b|^not really\b|开玩笑|逗你|骗你的|瞎说|胡说|说着玩",
    re.IGNORECASE,
)
_NOT_TEXT: Final = linear(
    r"```(?:[^`]|(?!```)`)*(?:```)?|`[^`\n]*`|\[[^\[\]\n]*\]|^[^\S\n]*>(?s:.*)|https?://\S+", re.M
)
_QUOTED: Final = linear(r"[\"“「『]([^\"“”「」『』\n]{1,400})[\"”」』]")
_SINGLE_QUOTED: Final = linear(r"(?<!\w)'([^'\n]{2,400})'(?!\w)")
_NAME_LIKE: Final = 3
# Nobody says more in one breath; a longer one is a list, a log or a table that was pasted.
_LONGEST_SENTENCE: Final = 300
_MOST_SENTENCES: Final = 100
_PART: Final = short(r"\s*[;—]\s*|,\s+|\s+-\s+|\s+(?=(?:but|so|though|although|because)\b)")
_CHINESE_PART: Final = linear(r"[，,；;]")
_QUESTION_MARK: Final = linear(r"[?？][\"'”’」』)）*\s]*$")
_MOOD: Final = linear(r"呢[了啊]?[。.！!\s]*$")
_QUESTION_WORD: Final = linear(r"什么|怎么|怎样|谁|哪|几|多少|为何|如何|是否")
_ENDS: Final = linear(r"[.!…][\"'”’)*\s]*$")
_ASKED: Final = short(
    r"(?:,\s+(?:so |and |but )?|\s+(?:so|and|but)\s+)(?=(?:what|where|when|who|which|why|how|do"
    r"|does|did|is|are|was|can|could"
    r"|will|would|should|any|have|has|may|am)\b)|\s+-\s+|;\s+",
    re.IGNORECASE,
)
_WHETHER: Final = linear(
    r",\s*(?:right|correct|yes|no|ok|okay|yeah|huh|true|(?:is|are|do|does|did|am|have|has|was"
    r"|were|can|could|will|would)(?:n't)?"
    r" (?:i|it|you|he|she|they|that|we)(?: not)?)\?|(?:对|是|不是|没错|好)[吗吧]?？?$|对不对"
    r"|是不是|是吧|对吧|对吗|信吗"
    r"|信不信|知道吗",
    re.IGNORECASE,
)
_TELLS: Final = opening(
    r"\W*(?:(?:hi|hey|hello|so|well|ok|you see)[,!]?\s+)?(?:i|my|we|our|the)\b|.*(?:我|号是|号：)",
    re.I,
)
_ASKING: Final = linear(
    r"什么|怎么|怎样|谁|哪|多少|为何|如何|是否|吗|能不能|可不可以|\b(?:what|which|who|how|why"
    r"|where)\b",
    re.I,
)
_HAN: Final = linear(r"[\u4e00-\u9fff]")


def without_code(text: str) -> str:
    """Return a text without code, citations, addresses and what stands in square brackets."""
    return _NOT_TEXT.sub(" ", text)


def plain_text(text: str) -> str:
    """Return what somebody says in their own words: without code, citations and quotes.

    A name in quotes is kept.
    """
    text = without_code(text).replace("’", "'").replace("‘", "'")
    return _SINGLE_QUOTED.sub(_unquoted, _QUOTED.sub(_unquoted, text))


def _unquoted(match: re.Match[str]) -> str:
    words = match[1]
    if words[0].isascii():
        is_name = len(words.split()) <= _NAME_LIKE
    else:
        is_name = len(words) <= _NAME_LIKE + 1
    return words if is_name and words[-1] not in ".!?,。！？，…" else " … "


def is_chinese(text: str) -> bool:
    """Tell whether a sentence is to be read as Chinese."""
    return _HAN.search(text) is not None


def sentences_of(text: str) -> list[str]:
    """Return the sentences of a text that are worth reading, none longer than people speak."""
    return [one[:_LONGEST_SENTENCE] for one in sentences(text)[:_MOST_SENTENCES]]


def is_question(sentence: str) -> bool:
    """Tell whether a sentence asks, and does not merely begin or end like one that does: "Can't
    wait!" and 我在上班呢。 do not.
    """
    if not asks(sentence) or _QUESTION_MARK.search(sentence):
        return asks(sentence)
    if is_chinese(sentence):
        return not _MOOD.search(sentence) or _QUESTION_WORD.search(sentence) is not None
    return not _ENDS.search(sentence)


@lru_cache(maxsize=512)
def asserted(text: str) -> tuple[str, ...]:
    """Return the sentences that say that something is so, each up to where it gets unsure.

    What is taken back as a joke takes everything said before it along.
    """
    found: list[str] = []
    for sentence in sentences_of(text):
        if _JOKE.search(sentence):
            found.clear()
            continue
        kept = _certain(_told_first(sentence) if is_question(sentence) else sentence)
        if kept:
            found.append(kept)
    return tuple(found)


def _told_first(question: str) -> str:
    """Return what somebody says of themselves before they ask; nothing where they ask whether just
    that is so.
    """
    if _WHETHER.search(question):
        return ""
    parts = _CHINESE_PART.split(question) if is_chinese(question) else _ASKED.split(question)
    kept: list[str] = []
    for part in parts[:-1]:
        if not _TELLS.match(part) or _ASKING.search(part):
            break
        kept.append(part)
    return ("，" if is_chinese(question) else ", ").join(kept)


def _certain(sentence: str) -> str:
    if is_chinese(sentence):
        if _TOLD_CHINESE.search(sentence):
            return ""
        return _certain_chinese(sentence)
    if _TOLD.search(sentence):
        return ""
    unreal = _UNREAL.search(sentence)
    if unreal is None:
        return sentence
    # The part in which it gets unsure is unsure from its beginning.
    starts = [match.end() for match in _PART.finditer(sentence, 0, unreal.start())]
    return sentence[: starts[-1]].strip(" ,;—-") if starts else ""


def _certain_chinese(sentence: str) -> str:
    kept: list[str] = []
    for part in _CHINESE_PART.split(sentence):
        if _UNREAL_CHINESE.search(part):
            break
        if not _PAST_CHINESE.search(part):
            kept.append(part)
        elif "现在" not in sentence:
            break
    return "，".join(kept)
