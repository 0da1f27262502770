"""What a sentence speaks of, so that two sentences about the same thing are known by it."""

from functools import lru_cache
from typing import Final

from mnemic.chat.extraction.plain_reading.dating import without_days
from mnemic.chat.extraction.plain_reading.phrase_tables import table
from mnemic.language.lexicon.concepts import word_set
from mnemic.language.tokens import is_cjk, is_stop_word, tokens_of, word_forms
from mnemic.runtime.patterns import linear

_EMPTY: Final = word_set(
    "user assistant need have must should will going go want plan remind forget remember"
    " promis swear vow still also let's know back thing someth soon later before after about"
    " would could i'll we'll i'm you'll let within done please turn new first next"
    " gonna gotta"
)
_GRAMMAR: Final = linear(
    "[的了是我你您他她它们在有和与及或也都就还又很被把给让对从向到于以为因所而且但却这那哪谁吗呢吧啊个些着过得"
    "会要想来说请问好完已经前后之内再将去]+"
)


@lru_cache(maxsize=4096)
def content_words(text: str) -> frozenset[str]:
    """Return the stems of a text without grammar and days, and of Chinese the pairs."""
    words: set[str] = set()
    for word in tokens_of(without_days(text)):
        if is_cjk(word[0]):
            for run in _GRAMMAR.split(word):
                words.update([run[at : at + 2] for at in range(len(run) - 1)] or [run])
        elif not is_stop_word(word):
            words.add(word_forms(table("english").key_word("past", word))[0])
    return frozenset(words - _EMPTY - {""})
