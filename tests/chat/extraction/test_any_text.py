"""What holds for the extractor whatever was said."""

from hypothesis import given, settings
from hypothesis import strategies as st

from mnemic.chat.extraction.extraction import Known, KnownFact, KnownLoop, TurnText
from mnemic.chat.extraction.plain_reading.dating import names_relative_day
from mnemic.chat.extraction.rules import extract, read
from mnemic.records.conversation import ChatRole, Line
from tests.chat.extraction.reading import THURSDAY, cases
from tests.chat.extraction.unseen_chinese import CHINESE
from tests.chat.extraction.unseen_english import ENGLISH

_LINES = [
    line.content for table in (ENGLISH, CHINESE) for case in cases(table) for line in case.lines
]
_PIECES = sorted({piece for text in _LINES for piece in text.replace("，", " ").split()})
_ROLES: tuple[ChatRole, ...] = ("user", "assistant", "system", "tool")
_TEXTS = st.one_of(
    st.text(max_size=200),
    st.lists(st.sampled_from(_PIECES), max_size=30).map(" ".join),
    st.lists(st.sampled_from(_LINES), max_size=3).map("\n".join),
)
_NAMES = st.one_of(st.none(), st.text(max_size=20), st.sampled_from(["Mira", "米拉", "Narrator"]))
_TURNS = st.builds(
    TurnText,
    st.lists(st.builds(Line, st.sampled_from(_ROLES), _TEXTS, _NAMES), max_size=4).map(tuple),
    st.lists(st.text(max_size=40), max_size=2).map(tuple),
    st.sampled_from([None, THURSDAY]),
)
_KNOWN = Known(
    facts=(
        KnownFact("f1", "user.home", "Berlin"),
        KnownFact("f2", "event.dentist", "Tuesday at 3 pm"),
        KnownFact("f3", "user.pet.cat.name", "豆豆"),
        KnownFact("f4", "user.like.香菜", "香菜"),
        KnownFact("f5", "银匕首.holder", "凯尔"),
    ),
    loops=(
        KnownLoop("l1", "user: I need to book the flights before Friday."),
        KnownLoop("l2", "用户：我要在周五之前订好机票。"),
        KnownLoop("l3", ""),
    ),
)


@settings(max_examples=300, deadline=None)
@given(_TURNS)
def test_any_turn_gives_sound_facts_and_names_only_what_it_was_shown(turn: TurnText) -> None:
    result = extract(turn, _KNOWN)

    for fact in result.facts:
        assert fact.key == fact.key.lower() == fact.key.strip()
        assert 0 < len(fact.key) <= 80
        assert 0 < len(fact.value.strip()) <= 300
        assert 0 < fact.importance <= 1
        assert not names_relative_day(fact.value)
    assert len({fact.key for fact in result.facts}) == len(result.facts)
    assert {one.id for one in result.retirements} <= {one.id for one in _KNOWN.facts}
    assert {one.id for one in result.resolutions} <= {one.id for one in _KNOWN.loops}
    assert all(loop.strip() for loop in result.loops)
    has_text = any(line.content.strip() for line in turn.lines)
    assert bool(result.summary) or not has_text


@settings(max_examples=100, deadline=None)
@given(_TURNS)
def test_the_same_turn_gives_the_same_each_time(turn: TurnText) -> None:
    first = extract(turn, _KNOWN)
    read.cache_clear()
    assert extract(turn, _KNOWN) == first
