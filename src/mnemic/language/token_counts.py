"""How many tokens a text will cost a language model, near enough to keep a budget."""

from typing import Final

from mnemic.runtime.patterns import linear

# Han, kana, hangul and the full-width signs that stand among them: about one token each.
_WIDE: Final = linear(
    "[\u1100-\u11ff\u2e80-\u303e\u3041-\u33ff\u3400-\u4dbf\u4e00-\u9fff\ua960-\ua97f\uac00-\ud7ff"
    "\uf900-\ufaff\ufe30-\ufe4f\uff00-\uffef\U00020000-\U0003fffd]"
)
_PER_TOKEN: Final = 4


def token_estimate(text: str) -> int:
    """Return one token for each CJK character and one for four others, rounded up."""
    wide = len(_WIDE.findall(text))
    return wide + -(-(len(text) - wide) // _PER_TOKEN)
