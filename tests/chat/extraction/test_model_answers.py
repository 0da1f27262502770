"""Reading a model's answer: what is good in it stays, what is not is left out and told."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mnemic.chat.extraction.extraction import (
    Extraction,
    Fact,
    Known,
    KnownFact,
    KnownLoop,
    TurnText,
)
from mnemic.chat.extraction.model_answers import parse_extraction
from mnemic.records.conversation import Line
from tests.chat.extraction.model_turns import KNOWN, TURN

FIELDS = {
    "facts_to_add": {"key": "k", "value": "v"},
    "facts_to_update": {"id": "fact-city", "value": "v"},
    "facts_to_deprecate": {"id": "fact-job", "reason": "r"},
    "open_loops_to_add": {"text": "t"},
    "open_loops_to_resolve": {"id": "loop-b", "resolution": "r"},
}
NOT_TEXTS: tuple[object, ...] = (True, [], ["t"], {}, {"text": "t"})


def parsed(answer: object) -> Extraction:
    return parse_extraction(json.dumps(answer), TURN, KNOWN, extractor="model:m")


def counts(got: Extraction) -> tuple[int, ...]:
    found = (got.facts, got.updates, got.retirements, got.loops, got.resolutions)
    return tuple(len(one) for one in found)


def note_of(got: Extraction) -> str:
    assert got.note is not None
    return got.note


@pytest.mark.parametrize("field", FIELDS)
def test_a_bad_entry_is_left_out_and_told_and_the_good_one_beside_it_stays(field: str) -> None:
    good = FIELDS[field]
    needed = [name for name in good if name not in ("reason", "resolution")]
    bad: list[object] = [None, 3, True, [], [good]]
    bad += [{name: good[name] for name in good if name != missing} for missing in needed]
    bad += [good | {name: wrong} for name in good for wrong in NOT_TEXTS]
    if field != "open_loops_to_add":
        bad.append("a text")
    for entry in bad:
        got = parsed({"micro_summary": "s", field: [entry, good, entry]})

        assert sum(counts(got)) == 1, entry
        assert f"{field}.0: " in note_of(got)
        assert f"{field}.2: " in note_of(got)
        assert got.extractor == "model:m"


@pytest.mark.parametrize("field", FIELDS)
@pytest.mark.parametrize("wrong", ["a text", 3, True, {"0": FIELDS["facts_to_add"]}])
def test_a_field_that_is_no_list_is_left_out_and_told(field: str, wrong: object) -> None:
    got = parsed({"micro_summary": "s", field: wrong})

    assert sum(counts(got)) == 0
    assert note_of(got) == f"{field}: not a list, left out."


@pytest.mark.parametrize("field", FIELDS)
@pytest.mark.parametrize("nothing", [None, ()])
def test_a_field_that_is_null_or_empty_needs_no_word(field: str, nothing: object) -> None:
    got = parsed({"micro_summary": "s", field: nothing})

    assert (sum(counts(got)), got.note) == (0, None)


@pytest.mark.parametrize(
    ("importance", "taken"),
    [
        (0, 0.0),
        (1, 1.0),
        (0.25, 0.25),
        (7, 1.0),
        (-0.1, 0.0),
        (10**400, 1.0),
        ("high", 0.6),
        ("0.9", 0.6),
        (True, 0.6),
        ([], 0.6),
        (None, 0.6),
        (float("nan"), 0.6),
    ],
)
def test_an_odd_importance_does_not_spoil_a_fact(importance: object, taken: float) -> None:
    entry = {"key": "k", "value": "v", "importance": importance}

    assert parsed({"facts_to_add": [entry]}).facts == (Fact("k", "v", importance=taken),)


@pytest.mark.parametrize(
    ("scope", "taken"),
    [
        ("global", "global"),
        (" Chat ", "chat"),
        ("floor", "floor"),
        ("user", "branch"),
        ("", "branch"),
        (None, "branch"),
        (5, "branch"),
        (["chat"], "branch"),
        ({"chat": 1}, "branch"),
    ],
)
def test_an_unknown_scope_is_the_branch(scope: object, taken: str) -> None:
    (fact,) = parsed({"facts_to_add": [{"key": "k", "value": "v", "scope": scope}]}).facts

    assert fact.scope == taken


def test_what_was_made_fit_is_told() -> None:
    got = parsed({"facts_to_add": [{"key": "k", "value": "v", "scope": "us", "importance": 3}]})

    assert "scope" in note_of(got)
    assert "importance" in note_of(got)


def test_a_number_is_a_value_too() -> None:
    got = parsed(
        {
            "facts_to_add": [{"key": "age", "value": 42}, {"key": "height", "value": 1.7}],
            "facts_to_update": [{"id": "fact-city", "value": 7}],
        }
    )

    assert [one.value for one in got.facts] == ["42", "1.7"]
    assert [one.value for one in got.updates] == ["7"]


def test_a_reason_and_a_resolution_may_be_left_out() -> None:
    got = parsed(
        {
            "facts_to_deprecate": [{"id": "fact-job"}],
            "open_loops_to_resolve": [{"id": "loop-b", "resolution": None}],
        }
    )

    assert [one.reason for one in got.retirements] == [""]
    assert [one.text for one in got.resolutions] == [""]


def test_a_huge_answer_is_kept_to_its_limits() -> None:
    long = "x" * 5_000
    got = parsed(
        {
            "micro_summary": long,
            "facts_to_add": [{"key": f"k{at}", "value": "v"} for at in range(500)],
            "facts_to_update": [{"id": "fact-city", "value": long}],
            "facts_to_deprecate": [{"id": "fact-job", "reason": long}],
            "open_loops_to_add": [long, *(f"loop {at}" for at in range(500))],
            "open_loops_to_resolve": [{"id": "loop-b", "resolution": long}] * 10,
        }
    )

    assert counts(got) == (50, 1, 1, 25, 1)
    assert got.facts[-1].key == "k49"
    cut = "x" * 1_999 + "…"
    assert got.summary == got.updates[0].value == got.retirements[0].reason == cut
    assert got.loops[0] == got.resolutions[0].text == cut
    assert "facts_to_add: 450 beyond the limit of 50." in note_of(got)
    assert "open_loops_to_add: 476 beyond the limit of 25." in note_of(got)


def test_an_answer_that_never_ends_is_not_read() -> None:
    got = parsed({"micro_summary": "x" * 600_000})

    assert "longer than 500,000 characters" in note_of(got)


def test_a_note_stays_short_however_much_is_wrong() -> None:
    wrong: list[dict[str, Any]] = [{"key": "k" * 300, "value": "v"}, {"id": "x" * 900}] * 30
    got = parsed(dict.fromkeys(FIELDS, wrong))

    assert len(note_of(got)) < 2_000
    assert note_of(got).endswith("more.")


def test_what_no_database_can_hold_is_taken_out() -> None:
    got = parsed(
        {
            "micro_summary": "a\x00b\ud800",
            "facts_to_add": [{"key": "k\x00", "value": "\ud800 v"}, {"key": "\x00", "value": "v"}],
            "open_loops_to_add": ["\x00", "t\x00"],
            "facts_to_update": [{"id": "\x00\ud800", "value": "v"}],
        }
    )

    assert (got.summary, got.loops) == ("ab?", ("t",))
    assert [(one.key, one.value) for one in got.facts] == [("k", "? v")]
    note_of(got).encode("utf-8")


def test_chinese_is_read_like_english() -> None:
    got = parsed(
        {
            "微": 1,
            "microSummary": "安搬到了波尔图。",
            "factsToAdd": [{"key": "安.城市", "value": "波尔图", "scope": "global"}],
            "openLoopsToAdd": ["安喜欢波尔图吗？"],
        }
    )

    assert got == Extraction(
        summary="安搬到了波尔图。",
        facts=(Fact("安.城市", "波尔图", "global"),),
        loops=("安喜欢波尔图吗？",),
        extractor="model:m",
    )


IDS = st.sampled_from(["fact-city", "fact-job", "loop-b", "loop-tickets", "nobody", ""])
LEAVES = st.one_of(st.none(), st.booleans(), st.integers(), st.floats(), st.text(max_size=8), IDS)
JSON = st.recursive(
    LEAVES,
    lambda inner: st.one_of(
        st.lists(inner, max_size=3), st.dictionaries(st.text(max_size=4), inner, max_size=3)
    ),
    max_leaves=6,
)
NAMES = st.sampled_from(
    ["id", "key", "value", "scope", "importance", "reason", "text", "resolution", "Id"]
)
ENTRIES = st.one_of(JSON, st.dictionaries(NAMES, st.one_of(IDS, JSON), max_size=5))
TOP = st.sampled_from(["micro_summary", "microSummary", "factsToUpdate", "other", *FIELDS])
ANSWERS = st.one_of(
    JSON,
    st.dictionaries(TOP, st.one_of(st.lists(ENTRIES, max_size=4), JSON), max_size=6),
)
SAID = st.lists(st.text(max_size=30), max_size=3)


@given(
    ANSWERS.map(json.dumps),
    st.tuples(st.text("`{}\n json", max_size=12), st.text("`{} \n", max_size=12)),
    st.integers(0, 40),
    SAID,
    SAID,
)
def test_whatever_the_answer_is_nothing_is_raised_and_no_strange_id_is_named(
    answer: str, around: tuple[str, str], cut: int, said: list[str], tagged: list[str]
) -> None:
    turn = TurnText(tuple(Line("assistant", text) for text in said), tuple(tagged))
    for text in (answer, around[0] + answer + around[1], answer[: len(answer) - cut]):
        check(parse_extraction(text, turn, KNOWN, extractor="model:m"))


@given(st.text())
def test_whatever_the_text_is_nothing_is_raised(text: str) -> None:
    check(parse_extraction(text, TURN, KNOWN, extractor="model:m"))


@given(st.sets(IDS), st.sets(IDS))
def test_an_id_can_be_named_exactly_if_it_was_shown(facts: set[str], loops: set[str]) -> None:
    known = Known(
        tuple(KnownFact(one, "k", "v") for one in facts),
        tuple(KnownLoop(one, "t") for one in loops),
    )
    named = ["fact-city", "loop-b", "nobody", ""]
    answer = {
        "facts_to_update": [{"id": one, "value": "v"} for one in named],
        "open_loops_to_resolve": [{"id": one, "resolution": "r"} for one in named],
    }

    got = parse_extraction(json.dumps(answer), TURN, known, extractor="model:m")

    assert [one.id for one in got.updates] == [one for one in named if one in facts]
    assert [one.id for one in got.resolutions] == [one for one in named if one in loops]


def check(got: Extraction) -> None:
    """Assert what holds of every extraction."""
    facts = {one.id for one in KNOWN.facts}
    assert {one.id for one in got.updates} <= facts
    assert {one.id for one in got.retirements} <= facts
    assert {one.id for one in got.resolutions} <= {one.id for one in KNOWN.loops}
    for fact in got.facts:
        assert 0 <= fact.importance <= 1
        assert fact.key == fact.key.strip().lower() != ""
        assert fact.scope in ("global", "chat", "branch", "floor")
    texts = [got.summary, got.note or "", *got.loops]
    texts += [text for fact in got.facts for text in (fact.key, fact.value)]
    assert "\x00" not in "".join(texts)
    assert "".join(texts).encode("utf-8").decode("utf-8") == "".join(texts)
