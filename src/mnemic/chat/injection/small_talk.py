"""How much a message asks for: a block that small talk sets off costs nearly nothing."""

from typing import Final, Literal

from mnemic.chat.injection.weights import LEAST_BEST
from mnemic.language.lexicon.phatic_words import PHRASES, WORDS
from mnemic.language.lexicon.stopwords import CHINESE, ENGLISH
from mnemic.language.sentences import asks
from mnemic.language.tokens import is_cjk, tokens_of
from mnemic.runtime.patterns import literals

SMALL_TALK_TOKENS: Final = 60
"""The most that a block costs where little or nothing is asked for; pinned items come on top."""

AskedAmount = Literal["nothing", "little", "all"]

_EMPTY: Final = ENGLISH | WORDS
_SAID: Final = literals(PHRASES)
# Two characters of Chinese tell about as much as a word.
_CHARACTERS: Final = 2


def amount_asked(text: str, *, best: float) -> AskedAmount:
    """Return how much a message asks for, given how relevant the best is that was found.

    What names nothing asks for nothing. A single word that is no question, or that nothing comes
    close to, asks for little.
    """
    telling = telling_words(text)
    if not telling:
        return "nothing"
    if best < LEAST_BEST or (telling == 1 and not asks(text)):
        return "little"
    return "all"


def telling_words(text: str) -> int:
    """Return how many different words of a text say what it is about; none in small talk."""
    words: set[str] = set()
    characters: set[str] = set()
    for token in tokens_of(text):
        if is_cjk(token):
            left = _SAID.sub(" ", token)
            characters.update(one for one in left if one != " " and one not in CHINESE)
        elif (word := token.replace("’", "'").removesuffix("'s")) not in _EMPTY:
            words.add(word)
    return len(words) + -(-len(characters) // _CHARACTERS)
