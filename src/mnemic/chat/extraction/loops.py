"""What a turn leaves open: promises, plans, questions without an answer, hooks of a story."""

import re
from collections.abc import Iterator
from typing import Final

from mnemic.chat.extraction.facts.guarding import is_chinese, is_question, sentences_of
from mnemic.chat.extraction.facts.words_chinese import WHEN as WHEN_CHINESE
from mnemic.chat.extraction.resolving import content
from mnemic.chat.extraction.speakers import SpokenPassage
from mnemic.runtime.patterns import linear, opening, short

LONGEST_LOOP: Final = 200

_DOING: Final = (
    r"(?:send|e-?mail|mail|call|phone|ring|text|message|write|book|buy|order|bring|check|finish"
    r"|submit|pick"
    r"|meet|visit|return|pay|fix|ask|talk to|tell|find|get back|let you know|update|prepare"
    r"|review|schedule"
    r"|reschedule|cancel|sign|register|renew|apply|deliver|ship|follow up|look into|look for"
    r"|investigate"
    r"|contact|refund|replace|clean|pack|practi[sc]e|repair|complete|arrange|reserve|organi[sz]e"
    r"|plan|draft"
    r"|upload|forward|escalate|notify|remind|process|issue|print|collect|drop off|water|feed"
    r"|walk the|study"
    r"|research|compare|choose|decide|confirm|test|deploy|release|publish|install|set up|back up"
    r"|move|sell"
    r"|rent|hire|interview|come back|bake|cook|build|paint|rescue|save|avenge|reach|warn|escape"
    r"|destroy|defeat|protect|escort|hunt"
    r"|search"
    r"|repay|free|break the curse|deal with|take care of|take (?:the|my|your|her|him|it)"
    r"|get (?:the|a|my|some)"
    r"|make (?:a|an|the)|give|show you|invite|share|transfer|open a|file|prove|learn|travel|start"
    r"|see (?:a|the)"
    r"|go to|do (?:the|my)|hand in|wash|tidy|attend|join|lend|wait for you|change|measure"
    r"|proofread|present)"
)
_SOON: Final = (
    r"(?:(?:also|definitely|still|just|then|certainly|personally|first|really|gladly|now|soon"
    r"|try to|probably) )*"
)
_PROMISE: Final = linear(
    rf"\b(?:I|[Ww]e)(?:'ll| will| shall| am going to|'m going to|'re going to| are going to"
    rf"| promise to| swear to"
    rf"| vow to|'m gonna)(?: have to| need to)? {_SOON}{_DOING}\b"
    r"|\bI (?:promise|swear|vow|give you my word)(?: you)?(?: that)?,? (?:to|I'll|I will|we'll"
    r"|we will) \w+"
    rf"|\b(?:vows?|vowed|swears?|swore|promises|promised) (?:that )?(?:to|(?:I|he|she)(?:'ll"
    rf"| will)) {_SOON}{_DOING}\b",
)
_TO_DO: Final = short(
    rf"\b(?:I|[Ww]e) (?:still |really |also |just |then )*(?:need to|have to|must|should|ought to"
    rf"|gotta|have got to|plan to"
    rf"|am planning to|are planning to|want to|intend to|hope to|have yet to"
    rf"|haven't yet) {_SOON}{_DOING}\b"
    rf"|\b(?:I'm|[Ww]e're) planning (?:to|on) \w+"
    r"|(?:^|[,.;!:—]\s*|\b(?:please|and|could you|can you|then|just)\s+)[Rr]emind me (?:to|about"
    r"|that)\b"
    r"|\b(?:[Dd]on't let me forget|[Dd]on't forget to(?! (?:stay|enjoy|rest|have fun|take care"
    r"|smile"
    r"|breathe|be|love|keep|get enough|take time|relax|sleep|laugh|drink|eat))"
    r"|(?:must|should|can)(?:n't| not) forget to"
    r"|[Tt]o-?do:)(?!\w)"
    rf"|\b[Ll]et's {_SOON}(?:meet|talk|discuss|continue|revisit|decide|plan|book"
    rf"|catch up)\b.{0, 80}\b(?:tomorrow|later|next|on"
    r"|tonight|another time|again)\b",
)
_HOOK: Final = short(
    r"\b(?:the|this|that|an?|my|our|every|your) (?:[\w'-]+ ){1,5}?(?:is|was|remains|stays|are)"
    r" (?:still )?(?:locked|sealed|barred|shut tight|jammed)\b"
    r"|\b(?:is|are|went|has gone|have gone|goes|was|been) (?:still )?missing\b|\b(?:has"
    r"|have) (?:vanished|disappeared)\b"
    r"|\b(?:was|were|has been|have been) (?:kidnapped|abducted|captured|stolen|taken prisoner)\b"
    r"|\b(?:must|need to) (?:be )?(?:found|rescued|broken) before\b",
    re.I,
)
_SURELY: Final = (
    rf"一定|这就|待会儿?|稍后|回头|马上|之后|晚点|到时候?|也|就|都|会|{WHEN_CHINESE}|尽快|发誓|保证"
    r"|答应你?|[，,]|再|必须?|将|绝对|肯定|过两天|过几天|随后|帮您?你?|去|给您?你?|为您?你?|先"
)
_WITH_OR_IN: Final = r"(?:在.{1,8}?[内前]|把.{1,10}?|跟.{1,4}?|向.{1,6}?|和.{1,4}?)"
_PROMISE_CHINESE: Final = short(
    rf"(?:我们?|俺|在下|咱们?)(?:(?:{_SURELY}){{1,3}}(?:{_WITH_OR_IN})?|{_WITH_OR_IN})"
    rf"(?:{_SURELY}){{0,2}}"
    r"(?P<verb>提醒|叫[你您]|派|发|寄|补|退|联系|打电话|回复|回来|找|带|送|还给|买|订|预约|提交|准备|检查|查"
    r"|确认"
    r"|通知|安排|修|更新|处理|接|完成|写|交"
    r"|整理|告诉|给|救|调查|打听|跟进|核实|汇报|归还|打扫|浇|办|换|问|做|翻译|画|教|寻|报仇|护送"
    r"|守护)"
)
_SWORN_CHINESE: Final = linear(r"我们?(?:向你|对天)?(?:保证|发誓|答应|承诺)(?!过)[^。！？]{3,}")
_TO_DO_CHINESE: Final = short(
    rf"(?<![你您他她它])(?:我|我们|咱们)?(?:还|也|今天|{WHEN_CHINESE}|这周|下周|先"
    rf"|记得){{0,3}}(?:要|(?:^|(?<=[我们还也先就天晚点，,]))得|需要|必须|打算"
    rf"|计划|准备|(?<=[我们也还])想(?!想|起|到|必|法|了|着)"
    rf"|应该)(?:在)?(?:{WHEN_CHINESE}|[\u4e00-\u9fff]{{1,4}}(?=之前))?"
    r"(?:之?前|以前|尽快|再|先|去){0,2}(?:把.{1,10}?|给.{1,8}?|[跟和向].{1,6}?)?"
    r"(?:再|先|去|[跟和向给].{1,6}?)?"
    r"(?:订|买|交|写|完成|提交|预约|联系|打电话|取|寄|还(?!是|能|可以|有|要|好)|报名|申请|续|修"
    r"|复习|整理|打扫|换|办"
    r"|准备|付|缴|搬|学|参加|确认|通知|问|找"
    r"|退货|退|发|挑|选|核实|赶到|赶去|到达|阻止|警告|逃|救|体检|看牙|看医生|出差|旅行|旅游|面试"
    r"|练)"
    rf"|(?:我|我们|咱们)(?:{WHEN_CHINESE}|还|也|都|今年|最近){{0,3}}(?:打算"
    rf"|计划)(?!了)[\u4e00-\u9fff]{{2}}"
    r"|(?:记得|别忘了|不要忘记|不要忘了|别忘)(?:提醒我)?|提醒我|待办"
)
_HOOK_CHINESE: Final = short(
    r"[\u4e00-\u9fff](?:被|紧紧|还是?|已经|都|从外面)*(?:锁着|上了锁|锁住|封住|封死|封印"
    r"|打不开|堵住)"
    r"|失踪了?|不见了|被抓走|被绑架|下落不明|被偷走?了|被掳走|没有回来"
)
_NOT_OPEN: Final = linear(
    r"\b(?:if|unless|would|wish|imagine|suppose|don't have to|don't need to|won't|never|no need"
    r"|should have|had to"
    r"|(?:check|try) (?:it|them|that|those|this|these) out|give (?:it|that|this) a (?:go|try|shot)"
    r"|your advice|make a difference|do my best|something back|keep pushing|make (?:it|you) proud"
    r"|as an ai|used to|nothing|haven't decided|not going to)\b",
    re.I,
)
_NOT_OPEN_CHINESE: Final = linear(
    r"如果|要是|假如|的话|真希望|不需要|不用|不必|没必要|不想|不会|不打算|以前|本来|以为"
    r"|不要(?!忘)|想象|作为一?个?人工智能"
    r"|听说|他说|她说|不得不说|我想说|想问|请问|怎么"
)
_AT_ONCE: Final = linear(
    r"\b(?:right away|right now|now|below|here(?:'s| is| are)|step by step|:\s*$|happy to|glad to"
    r"|do my best|explain"
    r"|walk you through|as follows|let me know|keep that in mind)\b|如下|下面|以下|现在就"
    r"|为您介绍|尽力|随时",
    re.I,
)
_DEFERS: Final = linear(
    r"\b(?:let me (?:check|see|look|ask|find out|think)|i(?:'ll| will) (?:check|look|get back"
    r"|find out|ask|let you know"
    r"|have to|need to|confirm|see)|i (?:don't|do not) know|not sure|no idea|need to check"
    r"|can't say|cannot say|get back"
    r" to you|i'd have to|hard to say yet|not yet known|haven't decided|ask me (?:later|again)"
    r"|later\b.{0,20}\btell|don't have"
    r" (?:that|this) information|unable to (?:find|confirm)|we'll see)\b"
    r"|查一下|查一查|确认一下|核实|稍后|回头|不清楚|不知道|不太清楚|晚点|再告诉|再回复|回复你"
    r"|回复您|看看再|问一下|还没定|没想好"
    r"|说不准|暂时没有|等我|不确定|以后再说|改天",
    re.I,
)
_IDLE: Final = opening(
    r"^\W*(?:(?:hi|hey|hello|so|and|well|ok|okay|oh|wow)[\s,!]+)*(?:how are you|how's it going"
    r"|how is it going|what's up|how do you do"
    r"|you know|right|really|ok|okay|isn't it|is it|are you there|guess what|what|why|huh|who"
    r"|why not|what about you|and you"
    r"|how about you|don't you think|you there|see|make sense|is that (?:ok|okay|alright)"
    r"|can you believe (?:it|that)|who knows|who cares"
    r"|what can i say|are you (?:ok|okay|serious|kidding)|seriously)\W*$"
    r"|^\W*(?:(?:hi|hey|hello|so|and|well|ok|okay|oh|wow)[\s,!]+)*(?:do you (?:like|think so)"
    r"|how was your (?:day|weekend)|what if|imagine)"
    r"|^\W*(?:你好吗|在吗|在不在|对吧|是吧|是吗|真的吗|你呢|好吗|好不好|行吗|可以吗|对不对|怎么样"
    r"|吃了吗|什么|为什么|啊|哈|你知道吗|你猜"
    r"|谁知道呢|谁|你觉得呢|不是吗|最近好吗|最近怎么样|怎么了|干嘛|忙吗)\W*$|^\W*(?:你喜欢|假如|如果)",
    re.I,
)
_MOST_QUESTIONS: Final = 2
# A promise of so few telling words says that something will be done, not what.
_BARE: Final = 2
_ASKS_FOR: Final = linear(
    r"\b(?:can|could|will|would) you\b|\bplease\b|\bremind me\b|\bi need you to\b"
    r"|帮我|提醒我|麻烦你|麻烦您|请你|请您|能不能|可不可以|能否",
    re.I,
)


def open_loops(said: list[SpokenPassage]) -> tuple[str, ...]:
    """Return what the turn leaves open, with who left it."""
    found: dict[str, None] = {}
    for passage in said:
        for sentence in sentences_of(passage.text):
            if not is_question(sentence) and _is_open(sentence, passage) and content(sentence):
                whose, what = _meant(said, passage, sentence)
                found[_told(whose, what)] = None
    for passage, question in _unanswered(said):
        found[_told(passage, question)] = None
    return tuple(found)


def _meant(
    said: list[SpokenPassage], passage: SpokenPassage, sentence: str
) -> tuple[SpokenPassage, str]:
    """Return what a promise is about: where it only says that something will be done, what was
    asked for just before.
    """
    if passage.by_person or len(content(sentence)) > _BARE:
        return passage, sentence
    for before in reversed(said[: said.index(passage)]):
        for asked in reversed(sentences_of(before.text)):
            if before.by_person and _ASKS_FOR.search(asked):
                return before, asked
    return passage, sentence


def _is_open(sentence: str, passage: SpokenPassage) -> bool:
    if passage.machine:
        return False
    if is_chinese(sentence):
        if passage.play and _HOOK_CHINESE.search(sentence):
            return not _NOT_OPEN_CHINESE.search(sentence)
        if _NOT_OPEN_CHINESE.search(sentence) or passage.narrated:
            return False
        promised = bool(_PROMISE_CHINESE.search(sentence) or _SWORN_CHINESE.search(sentence))
        to_do = _TO_DO_CHINESE.search(sentence) is not None
    else:
        if passage.play and _HOOK.search(sentence):
            return not _NOT_OPEN.search(sentence)
        if _NOT_OPEN.search(sentence):
            return False
        promised = _PROMISE.search(sentence) is not None
        to_do = _TO_DO.search(sentence) is not None
    if passage.by_person:
        return promised or to_do
    return promised and not _AT_ONCE.search(sentence)


def _unanswered(said: list[SpokenPassage]) -> Iterator[tuple[SpokenPassage, str]]:
    """Return the questions of the user that nobody answered before the turn ended."""
    last = max((at for at, one in enumerate(said) if one.role == "user"), default=-1)
    if last < 0:
        return
    answers = " ".join(one.text for one in said[last + 1 :] if one.role == "assistant")
    if answers.strip() and not _DEFERS.search(answers):
        return
    first = last
    while first > 0 and said[first - 1].role == "user":
        first -= 1
    asked = [
        (passage, sentence)
        for passage in said[first : last + 1]
        if not passage.narrated
        for sentence in sentences_of(passage.text)
        if is_question(sentence) and not _IDLE.match(sentence) and content(sentence)
    ]
    yield from asked[-_MOST_QUESTIONS:]


def _told(passage: SpokenPassage, sentence: str) -> str:
    colon = "：" if is_chinese(sentence) else ": "
    text = " ".join(sentence.split()).strip("*（）() ")
    return f"{passage.label}{colon}{text}"[:LONGEST_LOOP].strip()
