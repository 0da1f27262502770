"""By which names somebody knows their people: "my sister Hannah", "Ben, my brother", 我弟陆远帆."""

from collections.abc import Iterable, Mapping
from typing import Final

from mnemic.language.lexicon import concepts, function_words
from mnemic.runtime.patterns import linear

# A relation and a name stand close together, mostly where somebody is introduced.
_READ: Final = 500
_ENGLISH: Final = linear(
    r"\b(?:[Mm]y|[Oo]ur|have|two|three|four)\s+(?:\w+\s+)??(?P<kin>[a-z]+)(?:['’]s name)?[,:]?\s+"
    r"(?:is\s+|are\s+)?(?:called\s+|named\s+)?(?:(?:Mr|Mrs|Ms|Dr|Prof)\.?\s+)?"
    r"(?P<name>[A-Z][a-z]+)\b"
    r"|\b(?P<first>[A-Z][a-z]+)(?:,| is)\s+my\s+(?:\w+\s+)?(?P<as>[a-z]+)\b"
)
_KIN_CHINESE: Final = "|".join(
    sorted((one for one in concepts.PEOPLE_WORDS if not one.isascii()), key=len, reverse=True)
)
_CHINESE: Final = linear(
    rf"(?P<kin>{_KIN_CHINESE})"
    r"(?:的?名字)?(?:叫做?|是)?(?P<name>[A-Z][a-z]+|[小老阿]?[\u4e00-\u9fff]{1,3}?)"
    r"(?=在|住|是|喜欢|说|去|今年|现在|刚|和|的|也|[\d，。,.、（(]|$)"
)
_FULL_NAME: Final = 3


def kin_names(texts: Iterable[str]) -> Mapping[str, frozenset[str]]:
    """Return names, in lower case, by the concept of the person who has them.

    Of a full Chinese name the given name is one, too: 陆远帆 is also 远帆.
    """
    found: dict[str, set[str]] = {}
    for text in texts:
        for match in _ENGLISH.finditer(text[:_READ]):
            kin, name = match["kin"] or match["as"], match["name"] or match["first"]
            _add(found, kin, name.casefold())
        for match in _CHINESE.finditer(text[:_READ]):
            name = match["name"]
            if name.isascii() or _is_chinese_name(name):
                _add(found, match["kin"], name.casefold())
                if len(name) == _FULL_NAME and name[0] in function_words.CHINESE_SURNAMES:
                    _add(found, match["kin"], name[1:])
    return {concept: frozenset(names) for concept, names in found.items()}


def _add(found: dict[str, set[str]], kin: str, name: str) -> None:
    concept = concepts.BY_WORD.get(kin)
    if concept is not None and concept.kind == "person":
        found.setdefault(concept.name, set()).add(name)


def _is_chinese_name(text: str) -> bool:
    is_doubled = len(text) > 1 and text[0] == text[1]
    return is_doubled or text[0] in "小老阿" or text[0] in function_words.CHINESE_SURNAMES
