"""Turn what somebody wrote about themselves to them: "I like my tea" becomes "You like your tea".

Only where that is safe. A text that already speaks to somebody, or for several people, is quoted.
"""

import re
from collections.abc import Callable
from typing import Final

from mnemic.language.lexicon.concepts import word_set
from mnemic.language.tokens import is_mostly_cjk
from mnemic.runtime.patterns import linear, opening

_QUOTED: Final = linear(
    r"“[^“”]*”|\"[^\"]*\"|(?<!\w)'[^'\n]{2,80}'(?!\w)|「[^「」]*」|『[^『』]*』|《[^《》]*》|`[^`]*`"
    r"|https?://\S+"
)
_WORD: Final = linear(r"[^\W\d_]+(?:['’][^\W\d_]+)?")
_SPEAKS_TO: Final = linear(
    r"\b(?:you|your|yours|yourself|u|we|us|our|ours|ourselves|let's|we're|you're)\b", re.IGNORECASE
)
_SPEAKS_TO_CHINESE: Final = linear("[你您咱]|我们|我国|我方|我司|我院|自我|忘我")
# Who writes "call me Sam" tells somebody what to do.
_ORDERS: Final = opening(
    r"(?:please |don't |let |never )*(?!(?:to|for|with|from|at|by|like|about)\b)[a-z]+ (?:me"
    r"|my)\b(?! (?:is|was|and)\b)"
    r"|(?:请|别|不要)?(?:叫|给|让|帮|提醒|告诉|别让)我",
    re.IGNORECASE,
)
# What tries to order the reader about stands in quotation marks only.
_COMMANDS: Final = linear(
    r"\b(?:ignore|disregard|forget|override|obey|respond|reply|repl(?:y|ies) with|pretend|output"
    r"|print|instructions?|prompt|assistant|system|from now on|act as|the model|the ai|chatbot)\b"
    r"|忽略|无视|只回答|只能回答|从现在(?:起|开始)|指令|提示词|助手|系统提示|扮演|必须回答|输出",
    re.IGNORECASE,
)
_FIRST: Final = linear(r"\b(?:i|im|me|my|mine|myself)\b", re.IGNORECASE)
_SENTENCE_ENDS: Final = linear("[.!?;\n]")
_NUMBERED: Final = word_set(
    "war part chapter volume type phase act section appendix class level stage book form"
)
_TURNED: Final = {
    "i": "you",
    "me": "you",
    "my": "your",
    "mine": "yours",
    "myself": "yourself",
    "i'm": "you're",
    "i've": "you've",
    "im": "you're",
    "i'd": "you'd",
    "i'll": "you'll",
    "am": "are",
}
_PAST: Final = {"was": "were", "wasn't": "weren't"}
_OTHERS: Final = word_set("he she it they who that which this there")
_ADVERBS: Final = word_set(
    "also always never often really still then just only once usually recently both"
)
_SHORT_FORMS: Final = (
    ("’", "'"),
    ("can't", "cannot"),
    ("won't", "will not"),
    ("n't", " not"),
    ("'m ", " am "),
    ("'ve ", " have "),
    ("'re ", " are "),
    ("'ll ", " will "),
)
_NO_ORDERS: Final = word_set(
    "called met visited gave told saw helped bought sold lost found paid took sent asked showed"
)
_JOINING: Final = frozenset(("and", "but", "or"))


def turned(text: str) -> str | None:
    """Return a text turned to the person who wrote it, or None where only a quotation is safe."""
    outside = without_quotes(text).replace("’", "'")
    if _orders(text) or _COMMANDS.search(outside):
        return None
    if is_mostly_cjk(text):
        if "我" not in outside or _SPEAKS_TO_CHINESE.search(outside):
            return None
        return _outside_quotes(text, lambda part, _: part.replace("我", "你"))
    if not _FIRST.search(outside) or _SPEAKS_TO.search(outside):
        return None
    return _outside_quotes(text, _english)


def without_quotes(text: str) -> str:
    """Return a text without what it quotes, and without titles and addresses."""
    return _QUOTED.sub(" ", text)


def _orders(text: str) -> bool:
    """Tell whether a text begins as an order, with a verb in its plain form before "me"."""
    match = _ORDERS.match(text)
    return match is not None and match[0].split()[-2:][0].casefold() not in _NO_ORDERS


def spelled_out(text: str) -> str:
    """Return a text without contractions, so that "I'm" and "I am" are the same."""
    for contraction, full in _SHORT_FORMS:
        text = text.replace(contraction, full)
    return text


def _outside_quotes(text: str, change: Callable[[str, bool], str]) -> str:
    parts: list[str] = []
    at = 0
    for match in _QUOTED.finditer(text):
        parts += [change(text[at : match.start()], not at), match[0]]
        at = match.end()
    return "".join([*parts, change(text[at:], not at)])


def _english(text: str, begins: bool) -> str:  # noqa: FBT001  # passed along by position
    parts: list[str] = []
    at = 0
    subject, before = "", ""
    for match in _WORD.finditer(text):
        gap = text[at : match.start()]
        if _SENTENCE_ENDS.search(gap):
            subject, before, begins = "", "", True
        word = match[0]
        plain = word.casefold().replace("’", "'")
        new = _new(word, plain, before=before, gap=gap, subject=subject)
        parts += [gap, _capital(new) if begins and new != word else new]
        at, begins = match.end(), False
        if plain in ("i", "i'm", "i've", "i'd") or plain in _OTHERS:
            subject = plain[0] if plain[0] == "i" and plain != "it" else plain
        before = plain
    return "".join([*parts, text[at:]])


def _new(word: str, plain: str, *, before: str, gap: str, subject: str) -> str:
    """Return what a word becomes, given the word before it and the last subject."""
    if plain in _PAST:
        mine = before == "i" or (subject == "i" and before in _ADVERBS | _JOINING)
        return _PAST[plain] if mine else word
    if plain == "am" and (before in ("", "pm") or gap.strip() or _is_time(gap, before)):
        return word
    if plain == "i" and before in _NUMBERED:
        return word
    return _TURNED.get(plain, word)


def _is_time(gap: str, before: str) -> bool:
    return not gap or gap[0].isdigit() or before.isdigit()


def _capital(word: str) -> str:
    return word[:1].upper() + word[1:]
