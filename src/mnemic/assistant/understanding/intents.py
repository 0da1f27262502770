"""What a message wants: an answer, to be kept, small talk, or something only a writer could do."""

import re
from typing import Final, Literal

from mnemic.language.lexicon.stopwords import ENGLISH
from mnemic.language.tokens import is_mostly_cjk
from mnemic.runtime.patterns import linear, opening, short

Intent = Literal[
    "greeting", "thanks", "agreement", "farewell", "about_me", "request", "question", "statement"
]

SMALL_TALK: Final = frozenset(("greeting", "thanks", "agreement", "farewell"))
"""What asks and tells nothing."""

_I: Final = re.IGNORECASE
_TRAILING: Final = linear(r"(?<![\s.!?。！？~～,，…])[\s.!?。！？~～,，…]+$")
_NAME: Final = r"(?:[\s,]+(?:there|mnemic|again|everyone|all|friend|buddy|my friend))?"
_GREETING: Final = linear(
    rf"(?:hi+|hello|hey|hiya|howdy|greetings|good (?:morning|afternoon|evening|day)){_NAME}"
    r"(?:[,.! ]+how are you(?: doing)?(?: today)?)?|how are you(?: doing)?(?: today)?|what'?s up"
    r"|(?:你|您|大家)好[呀啊]?(?:[,， ]*最近怎么样)?|嗨|哈[喽啰]|早上好|上午好|中午好|下午好"
    r"|晚上好|早安?|在吗|你好吗",
    _I,
)
_HELLO: Final = linear(
    r"^\s*(?:hi|hello|hey|good (?:morning|evening|afternoon))[,.! ]+|^\s*(?:你好|您好"
    r"|嗨)[,，！!。 ]+",
    _I,
)
_THANKS: Final = short(
    r"(?:ok(?:ay)?[, ]+)?(?:many )?(?:thanks?|thank you|thx|cheers)(?: you)?(?:[ ,]+(?:a lot"
    r"|so much|very much|again|that helps?|thanks?|thank you)){0,3}(?:[ ,]+for .{1,40})?"
    r"|(?:好的?[,， ]*)?(?:非常|太|十分)?(?:谢谢|感谢|多谢|谢了)[你您]?[了啦]?(?:的.{1,12})?",
    _I,
)
_AGREEMENT: Final = linear(
    r"(?:ok(?:ay)?|alright|all right|got it|i see|great|perfect|nice|cool|good|fine|sure|yes|no)"
    r"|好[的啊吧]?|知道了|明白了?|太好了|行|可以|嗯+|是的?|对的?|不用了?",
    _I,
)
_FAREWELL: Final = linear(
    r"(?:good ?)?bye(?: bye)?|good ?night|see you(?: (?:later|soon|tomorrow))?|talk to you later"
    r"|再见|拜拜|晚安|回头见|明天见|下次聊",
    _I,
)
_ABOUT_ME: Final = short(
    r"who am i\s*[?!.]*$|(?:what|anything|everything|how much).{0,20}\b(?:you|do you).{0,12}"
    r"\b(?:know|remember|learn(?:ed|t)?|stored?|memori[sz]ed|have|got)\b.{0,8}\b(?:about|on"
    r"|of) me\b"
    r"|\btell me (?:something |everything |all )?about (?:me|myself)\b|\bdescribe me\b"
    r"|\bsummari[sz]e (?:me|what you know about me)\b|\bdo you know me\b|\bmy profile\b"
    r"|^我是(?:谁|什么样的人|怎样的人)|你(?:都)?(?:知道|了解|记得|记住了?"
    r"|记了)(?:我(?:的)?(?:什么|哪些|多少|啥|吗)"
    r"|(?:哪些|什么|多少)(?:关于我|我的))|(?:关于我|对我)(?:的)?[,，]?你?(?:都)?(?:知道|了解|记得"
    r"|有什么|记住)"
    r"|(?:介绍|描述|说说|总结)(?:一下|下)?(?:我(?:自己|这个人)?|关于我的)[吧。!！]?$|你认识我吗"
    r"|你了解我吗",
    _I,
)
_REQUEST_VERBS: Final = (
    "write|compose|draft|translate|summari[sz]e|calculate|compute|recommend|suggest|generate"
    "|create|design|invent|brainstorm|rewrite|proofread|draw|sing|code|solve|convert|plan|book"
    "|order|send|call|delete|forget|erase|explain|teach|prove|imagine|pretend|act|ignore|play"
)
_REQUEST: Final = linear(
    r"^(?:please |now |ok(?:ay)?,? )*(?:can|could|would|will) you (?:please )?"
    rf"(?:help|{_REQUEST_VERBS})\b"
    rf"|^(?:please |now )*(?:{_REQUEST_VERBS})\b|^(?:please )?help me\b"
    r"|\b(?:any|some|your|got|give me (?:some |a few )?|have (?:any|some)) (?:suggestions?|advice"
    r"|recommendations?|ideas?|tips|opinions?)\b|\bgive me (?:a|an|some|advice|ideas|tips)\b"
    r"|^what (?:should|would you|can|could) (?:i|we|you)?\b(?!.*\b(?:bring|remember)\b)"
    r"|\bdo you (?:recommend|suggest|think)\b|^should i\b|^(?:can|could) you (?!tell|remember"
    r"|remind|show|list|find)",
    _I,
)
_REQUEST_CHINESE: Final = linear(
    r"^(?:请|麻烦|帮我|帮忙|给我|替我|你能|你可以|能不能|可以|能|现在)*(?:帮我|给我)?(?:写|翻译"
    r"|推荐|总结|生成|画|唱|计算"
    r"|算一?下|设计|编|创作|解释|润色|改写|规划|制定|删除|忘掉|忘记|发送|订|讲个|讲一个|扮演|忽略)"
    r"|^(?:给|为|帮|替).{1,12}?(?:写|画|编|作)[一个首篇封幅]"
    r"|(?:吃|做|穿|看|买|去|玩|喝)(?:什么|哪里?|啥)(?:比较)?好"
    r"|有(?:什么|没有|啥|哪些)?(?:好的?)?(?:建议|推荐|主意|办法吗|点子)|(?:给|提)(?:我)?(?:一?些"
    r"|点|几个|个)?(?:建议|意见)"
    r"|你(?:觉得|认为|建议|推荐|怎么看)|我(?:应该|该)(?:怎么|如何|吃|去|买|选|学|做|穿)"
    r"|怎么办[？?]?$|^帮我(?!记|查|找|看)"
)
_ENTERTAIN: Final = linear(r"\b(?:tell|give|sing|read) (?:me|us) an? |讲个|讲一个|唱首", _I)
_DELETE: Final = linear(
    r"^(?:please )?(?:forget|delete|erase|remove)\b|^(?:请|帮我|把)*(?:删除|删掉|忘掉|忘记)|删掉$",
    _I,
)
_COMMAND: Final = linear(
    r"^\s*(?:(?:please|hey|ok(?:ay)?|and|also)[, ]+)*(?:(?:can|could) you )?(?:please )?"
    r"(?:(?:remember|note|keep in mind|don'?t forget|save|store|make a note|memori[sz]e|write down)"
    r"(?: (?:this|down|for me))?(?: that\b|\s*[:,]| (?=(?:i|my|the|we|our|i'm|a|an|on|his"
    r"|her)\b)))\s*"
    r"|^\s*(?:请|麻烦|帮我|你要|你|一定要)*(?:记住|记下来?|记一下|记好|记得|别忘了|不要忘记"
    r"|帮我记|保存)"
    r"(?:一下|了|这件事|这个|，|,|：|:|\s)*",
    _I,
)
_ASKS_TO_SHOW: Final = linear(
    r"^(?:please |now )*(?:can you |could you )?(?:please )?(?:tell me|show me|list|find"
    r"|remind me|look up|search"
    r"|give me (?:my|the)|recall|what about|how about)\b"
    r"|^(?:请|麻烦|帮我|给我|你能|能不能)*(?:告诉我|列出|查一?下|查查|查找|找一?下|找找|说说"
    r"|提醒我|看一?下|讲讲|搜索|回忆)",
    _I,
)
_BEGINS_AS_QUESTION: Final = opening(
    r"(?:so|and|but|ok(?:ay)?|well|hey|hi|please|then|also)?[, ]*"
    r"(?:what|when|where|who|whom|whose|why|how|which|what's|where's|who's|when's|how's|am i|are"
    r"|is|was"
    r"|were|do|does|did|have i|has|had i|can|could|will|would|should|shall|may i|isn't|don't i"
    r"|didn't"
    r"|aren't|doesn't)\b(?! (?:a|an) )",
    _I,
)
_ASKS_CHINESE: Final = linear(
    r"什么(?!都|也)|啥|哪[里儿个些天年位种家]|哪[了呢]?$|在哪|谁|咋|怎么(?!都|也)|怎样|如何|为何"
    r"|几[点个岁号月时次天]|多少|多久|多大|多长|多高"
    r"|何时|是否|是不是|有没有|能不能|会不会|可不可以|[吗呢]$"
)
_FINITE: Final = linear(
    r"\b(?:i|i'm|i've|i'll|i'd|we|he|she|it|they|is|are|was|were|am|has|have|had|will|can|moved"
    r"|lives?"
    r"|works?|likes?|loves?|got|went|met|bought|wants?|needs?|started|stopped)\b",
    _I,
)
_FINITE_CHINESE: Final = linear("[是有在要会想去来吃喝住叫搬买爱说看做]|喜欢|讨厌|过敏|了")
# So many words without a verb name what is looked for: "warning signs of a stroke".
_MOST_KEYWORDS: Final = 8
_SPEAKS: Final = linear("我(?!的|家)")


def language_of(text: str) -> Literal["en", "zh"]:
    """Return the language in which to answer."""
    return "zh" if is_mostly_cjk(text) else "en"


def intent_of(message: str) -> Intent:
    """Return what a message wants."""
    text = " ".join(message.replace("’", "'").split())
    bare = _TRAILING.sub("", text)
    small: tuple[tuple[Intent, re.Pattern[str]], ...] = (
        ("greeting", _GREETING),
        ("thanks", _THANKS),
        ("agreement", _AGREEMENT),
        ("farewell", _FAREWELL),
    )
    for intent, pattern in small:
        if pattern.fullmatch(bare):
            return intent
    if _ABOUT_ME.search(text):
        return "about_me"
    if without_command(text) != text:
        return "statement"
    if _ENTERTAIN.search(text):
        return "request"
    if not _ASKS_TO_SHOW.search(text) and (_REQUEST.search(text) or _REQUEST_CHINESE.search(text)):
        return "request"
    return "question" if is_question(text) or _is_keywords(bare) else "statement"


def is_question(text: str) -> bool:
    """Tell whether a sentence asks for something, with or without a question mark."""
    text = " ".join(text.replace("’", "'").split())
    if text.endswith((":", "：")):
        return False
    if text.rstrip('"”’)） ').endswith(("?", "？")) or _ASKS_TO_SHOW.search(text):
        return True
    if is_mostly_cjk(text):
        return bool(_ASKS_CHINESE.search(_TRAILING.sub("", text)))
    return bool(_BEGINS_AS_QUESTION.match(text)) and not text.endswith((".", "!"))


def without_command(text: str) -> str:
    """Return what is to be remembered, without the words that ask for it."""
    match = _COMMAND.match(text)
    if match is None or is_question(text) or not text[match.end() :].strip():
        return text
    rest = text[match.end() :]
    return rest if is_mostly_cjk(rest) else rest[:1].upper() + rest[1:]


def asks_to_delete(message: str) -> bool:
    """Tell whether a message wants a memory to be gone."""
    return _DELETE.search(message.strip()) is not None


def without_greeting(text: str) -> str:
    """Return a text without the greeting before it."""
    return _HELLO.sub("", text) or text


def _is_keywords(bare: str) -> bool:
    """Tell whether a message only names something: a few words without a verb."""
    if is_mostly_cjk(bare):
        speaks = _SPEAKS.match(bare) is not None
        return len(bare) <= 8 and not speaks and not _FINITE_CHINESE.search(bare)
    found = bare.split()
    telling = [word for word in found if word.casefold() not in ENGLISH]
    is_brief = len(found) <= _MOST_KEYWORDS and not any(word[:1].isdigit() for word in found)
    return is_brief and bool(telling) and not _FINITE.search(bare)
