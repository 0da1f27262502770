"""How many tokens a text will cost a language model, near enough to keep a budget."""

from typing import Final

from mnemic.runtime.patterns import linear

# Han, kana, hangul and the full-width signs that stand among them: about one token each.
_WIDE: Final = linear(
    "[\u1100-\u11ff\u2e80-\u303e\u3041-\u33ff\u3400-\u4dbf\u4e00-\u9fff\ua960-\ua97f\uac00-\ud7ff"
    "\uf900-\ufaff\ufe30-\ufe4f\uff00-\uffef\U00020000-\U0003fffd]+"
)
_PER_TOKEN: Final = 4
# No other thread computes while a pattern is searched for, so a long text is read in pieces.
_PIECE: Final = 20_000


def token_estimate(text: str) -> int:
    """Return one token for each CJK character and one for four others, rounded up."""
    return -(-token_quarters(text) // _PER_TOKEN)


def token_quarters(text: str) -> int:
    """Return the same in quarters of a token, which leave nothing to round."""
    return len(text) + (_PER_TOKEN - 1) * _wide_characters(text)


def _wide_characters(text: str) -> int:
    if text.isascii():
        return 0
    pieces = (text[at : at + _PIECE] for at in range(0, len(text), _PIECE))
    return sum(len(run) for piece in pieces for run in _WIDE.findall(piece))
