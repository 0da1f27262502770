"""Orders about memory that a message may give: forget this, that was wrong, bring it back."""

import re
from dataclasses import dataclass
from typing import Final, Literal

from mnemic.assistant.understanding.intents import is_question
from mnemic.runtime.patterns import linear, opening, short

_I: Final = re.IGNORECASE
_LONGEST: Final = 300
_FORGET: Final = opening(
    r"\s*(?:(?:please|ok(?:ay)?|and|now|then)[, ]+){0,3}(?:(?:can|could|would|will) you )?"
    r"(?:please )?(?:forget|delete|erase|remove)(?! to\b| it's\b)\b[ ,:]{0,4}"
    r"(?:(?:about|that|what i (?:said|told you) about|what you know about|the fact that"
    r"|(?:the |your |my )?memor(?:y|ies) (?:of|about|that))\b[ ,:]{0,4})?(?P<what>.*)",
    _I | re.DOTALL,
)
_FORGET_CHINESE: Final = opening(
    r"\s*(?:请|麻烦|帮我|你|可以|能不能|现在){0,3}"
    r"(?:不要再记得?|别再记得?|别记得?|忘记|忘掉|忘了|删除|删掉|抹掉)(?:一下|掉|关于|有关)?(?P<what>.*)"
    r"|\s*(?:请|麻烦|帮我|你){0,3}把(?P<moved>.{1,200}?)(?:都|给)?"
    r"(?:忘记|忘掉|忘了|删除|删掉|抹掉)(?:吧|掉|了)?[。!！]?$",
    re.DOTALL,
)
_WRONG: Final = opening(
    r"\s*(?:no[,.! ]+|actually[,.! ]+|sorry[,.! ]+)?"
    r"(?:that(?:['’]s| is| was)?|this is|it(?:['’]s| is)|you(?:['’]re| are))"
    r" (?:all |completely |totally |just |actually )?"
    r"(?:wrong|not (?:right|true|correct)|incorrect|outdated|a mistake|mistaken)\b"
    r"[\s,.:;!–—-]{1,6}(?P<right>.+)"
    r"|\s*(?:correction|i made a mistake|i was wrong|i misspoke)[\s,.:;!–—-]{1,6}(?P<also>.+)"
    r"|\s*(?:不对|错了|不是这样的?|说错了|我说错了|你(?:记|说)错了|记错了|那是错的|更正一?下?|纠正一下)[了吧啊]?"
    r"[\s，,。.:：！!、]{1,4}(?P<zh>.+)",
    _I | re.DOTALL,
)
_UNDO: Final = short(
    r"(?:please )?(?:undo(?: that| it| this)?|bring (?:it|that|them) back|restore (?:it|that|them)"
    r"|(?:撤销|恢复|撤回|还原)(?:一下|它|吧|刚才的)?)[.!。！]*",
    _I,
)
_EVERYTHING: Final = short(
    r"(?:everything|all|it all|all (?:of )?(?:it|that|my memories|memories|about me)"
    r"|everything (?:about me|you know(?: about me)?|i (?:said|told you))|me"
    r"|所有|一切|全部|全都|关于我的一切|我的一切|所有(?:的)?(?:记忆|内容|事情)?|我)[.!。！]*",
    _I,
)
_THAT: Final = short(
    r"(?:it|that|this|them|those|that one|这个|那个|这条|那条|它|这些|那些)?[.!。！]*", _I
)
_END: Final = linear(r"(?<![\s.!。！吧])[\s.!。！吧]+$")


@dataclass(frozen=True, slots=True)
class Order:
    """What is to be done, and about what: `text` is empty where it is what was told last."""

    verb: Literal["forget", "forget_all", "correct", "undo"]
    text: str = ""


def order_in(message: str) -> Order | None:
    """Return the order that a message gives about what is remembered, if it gives one."""
    if len(message) > _LONGEST:
        return None
    bare = message.replace("’", "'").strip()
    if _UNDO.fullmatch(bare):
        return Order("undo")
    if match := _WRONG.match(bare):
        right = (match["right"] or match["also"] or match["zh"]).strip()
        return None if is_question(right) else Order("correct", right[:1].upper() + right[1:])
    if bare.endswith(("?", "？")) and not bare.lower().startswith(
        ("can", "could", "would", "will")
    ):
        return None
    match = _FORGET.match(bare) or _FORGET_CHINESE.match(bare)
    if match is None:
        return None
    found = match.groupdict()
    what = _END.sub("", (found.get("what") or found.get("moved") or "").strip(" ?？"))
    if _EVERYTHING.fullmatch(what):
        return Order("forget_all")
    return Order("forget", "" if _THAT.fullmatch(what) else what)
