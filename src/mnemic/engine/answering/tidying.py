"""A message as it was meant: apostrophes that were left out, and words that only soften it."""

import re
from typing import Final

_I: Final = re.IGNORECASE
_SPELLINGS: Final = (
    (re.compile(r"\b(what|where|who|when|how)s(?= (?!of\b|and\b))", _I), r"\1's"),
    (re.compile(r"\b(do|does|did|is|are|was|were|have|has|had|ca|wo)nt\b", _I), r"\1n't"),
    (re.compile(r"\bim\b", _I), "I'm"),
    (re.compile("干[嘛吗]"), "干什么"),
    (re.compile("咋"), "怎么"),
    (re.compile("啥"), "什么"),
    (re.compile(r"\bive\b", _I), "I've"),
    (re.compile(r"\b(?:wat|wht|waht|whta)\b", _I), "what"),
    (re.compile(r"\b(?:wheer|whre|were(?= (?:do|does|did|is|are) ))\b", _I), "where"),
    (re.compile(r"\bu\b", _I), "you"),
    (re.compile(r"\bur\b", _I), "your"),
    (re.compile(r"\b(?:teh|hte)\b", _I), "the"),
    (re.compile(r"\b(?:abt|bout)\b", _I), "about"),
)
_SOFTENING: Final = re.compile(
    r"[, ]+(?:pls|plz|please|again|btw|thx|thanks|ty|lol|mate)(?=[\s?.!]*$)"
    r"|^(?:pls|plz|please|btw|um+|uh+|erm|hmm+|so|ok so)[, ]+"
    r"|(?:来着|啊|呀|哈|啦|哦|嘞|咧)(?=[\s？?。.!！]*$)|^(?:那个|嗯+|诶|哎|话说|对了)[，, ]*",
    _I,
)
_LISTS: Final = re.compile(r"^(?:can you |could you )?list (?:out )?(?=all\b|my\b|the\b)", _I)
# "Sorry, no: I moved" corrects; what it says stands without that.
_CORRECTION: Final = re.compile(
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
