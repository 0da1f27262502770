"""A message as it was meant: apostrophes that were left out, and words that only soften it."""

import re
from typing import Final

from mnemic.runtime.patterns import linear, short

_I: Final = re.IGNORECASE
_SPELLINGS: Final = (
    (linear(r"\b(what|where|who|when|how)s(?= (?!of\b|and\b))", _I), r"\1's"),
    (linear(r"\b(do|does|did|is|are|was|were|have|has|had|ca|wo)nt\b", _I), r"\1n't"),
    (linear(r"\bim\b", _I), "I'm"),
    (linear("干[嘛吗]"), "干什么"),
    (linear("咋"), "怎么"),
    (linear("啥"), "什么"),
    (linear(r"\bive\b", _I), "I've"),
    (linear(r"\b(?:wat|wht|waht|whta)\b", _I), "what"),
    (linear(r"\b(?:wheer|whre|were(?= (?:do|does|did|is|are) ))\b", _I), "where"),
    (linear(r"\bu\b", _I), "you"),
    (linear(r"\bur\b", _I), "your"),
    (linear(r"\b(?:teh|hte)\b", _I), "the"),
    (linear(r"\b(?:abt|bout)\b", _I), "about"),
)
_SOFTENING: Final = short(
    r"[, ]+(?:pls|plz|please|again|btw|thx|thanks|ty|lol|mate)(?=[\s?.!]*$)"
    r"|^(?:pls|plz|please|btw|um+|uh+|erm|hmm+|so|ok so)[, ]+"
    r"|(?:来着|啊|呀|哈|啦|哦|嘞|咧)(?=[\s？?。.!！]*$)|^(?:那个|嗯+|诶|哎|话说|对了)[，, ]*",
    _I,
)
_LISTS: Final = linear(r"^(?:can you |could you )?list (?:out )?(?=all\b|my\b|the\b)", _I)
# "Sorry, no: I moved" corrects; what it says stands without that.
_CORRECTION: Final = linear(
    r"^\s*(?:(?:no|nope|nah|actually|wait|sorry|well|correction|oops|i mean)\b[,.:;!… ]+)+"
    r"(?=(?:i|i'm|i've|my|we|our|the|he|she|it|they)\b)"
    r"|^\s*(?:(?:不对|不是的?|不|错了|更正|其实|抱歉|说错了|等等)[，,。.:：！! ]+)+(?=\S)",
    _I,
)
_LONGEST: Final = 300


def tidied(message: str) -> str:
    """Return a short message in the spelling in which it is read; a long one stays as it is."""
    text = " ".join(message.replace("’", "'").replace("‘", "'").split())
    if len(text) > _LONGEST:
        return text
    for pattern, right in _SPELLINGS:
        text = pattern.sub(right, text)
    text = _SOFTENING.sub("", text).strip() or text
    return _LISTS.sub("what are ", text)


def without_correction(text: str) -> str:
    """Return what a correction says, without the words that only say that it is one."""
    match = _CORRECTION.match(text[:_LONGEST])
    if match is None:
        return text
    rest = text[match.end() :]
    return rest[:1].upper() + rest[1:]
