import json
from datetime import UTC, datetime, timedelta, timezone

import pytest

from mnemic.errors import InvalidInputError
from mnemic.records.filters import (
    EVERYTHING,
    Condition,
    Filter,
    Near,
    distance,
    matches,
    of_kinds,
    parse_filter,
    parse_near,
)

NOON = datetime(2026, 3, 9, 12, tzinfo=UTC)


def passes(raw: dict[str, object], context: dict[str, object]) -> bool:
    return matches(parse_filter(raw), context, NOON)


def filter_error(raw: object) -> InvalidInputError:
    with pytest.raises(InvalidInputError) as caught:
        parse_filter(raw)  # pyright: ignore[reportArgumentType]
    assert caught.value.parameter == "context_filter"
    return caught.value


def near_error(raw: object) -> InvalidInputError:
    with pytest.raises(InvalidInputError) as caught:
        parse_near(raw)  # pyright: ignore[reportArgumentType]
    assert caught.value.parameter == "spatial_sort"
    return caught.value


@pytest.mark.parametrize("raw", [None, "", "  \n", "{}", {}])
def test_nothing_asked_is_no_filter_and_no_sorting(raw: str | dict[str, object] | None) -> None:
    assert parse_filter(raw) == Filter()
    assert parse_near(raw) is None
    assert matches(Filter(), {"any": "thing"}, NOON)


def test_a_filter_is_the_same_from_text_and_from_an_object() -> None:
    raw: dict[str, object] = {"task.success": True, "params.force.value": {"$gte": 10, "$lt": 20.5}}

    assert parse_filter(json.dumps(raw)) == parse_filter(raw)
    assert parse_filter(raw) == Filter(
        (
            Condition(("task", "success"), "eq", value=True),
            Condition(("params", "force", "value"), "gte", 10),
            Condition(("params", "force", "value"), "lt", 20.5),
        )
    )


def test_the_last_of_two_equal_keys_counts() -> None:
    assert parse_filter('{"a": 1, "a": 2}') == parse_filter({"a": 2})


@pytest.mark.parametrize(
    "raw",
    [
        "{",
        "task.success",
        '{"a": 1} trailing',
        '{"a": NaN}',
        '{"a": -Infinity}',
        '{"a": ' + "9" * 5_000 + "}",
        "[" * 100_000,
    ],
)
def test_broken_json_is_an_error(raw: str) -> None:
    assert "not valid JSON" in filter_error(raw).problem
    assert "not valid JSON" in near_error(raw).problem


@pytest.mark.parametrize("raw", ["[]", '[{"a": 1}]', "1", '"a"', "null", "true", [], 7, b"{}"])
def test_anything_but_an_object_is_an_error(raw: object) -> None:
    assert filter_error(raw).allowed == "a JSON object"
    assert near_error(raw).allowed == "a JSON object"


def test_an_unknown_operator_is_an_error_that_lists_the_known_ones() -> None:
    error = filter_error({"a": {"$regex": "x"}})

    assert "'$regex'" in error.problem
    assert "$gte" in error.allowed
    assert "unknown operator 'b'" in filter_error({"a": {"$gt": 1, "b": 2}}).problem


@pytest.mark.parametrize("value", [{}, {"b": 1}, {"b": {"$gt": 1}}])
def test_an_object_as_a_value_is_an_error_that_points_to_dot_paths(value: object) -> None:
    error = filter_error({"a": value})

    assert "without operators" in error.problem
    assert "dot-path" in error.allowed


def test_an_array_as_a_value_is_an_error_that_points_to_in_and_nin() -> None:
    assert "use $in" in filter_error({"a": [1, 2]}).allowed
    assert "use $in" in filter_error({"a": {"$eq": []}}).allowed
    assert "use $nin" in filter_error({"a": {"$ne": [1]}}).allowed


def test_ten_conditions_pass_and_an_eleventh_operator_is_one_too_many() -> None:
    raw: dict[str, object] = {f"k{index}": index for index in range(8)}
    ten = {**raw, "range": {"$gt": 1, "$lt": 2}}

    assert len(parse_filter(ten).conditions) == 10
    assert "more than 10" in filter_error({**ten, "one_more": 1}).problem
    assert "more than 10" in filter_error({**raw, "range": {"$gt": 1, "$lt": 2, "$ne": 3}}).problem


@pytest.mark.parametrize("op", ["$in", "$nin"])
@pytest.mark.parametrize(
    "operand", [1, "ab", None, {"a": 1}, [], [[1]], [{"a": 1}], [1, float("nan")], [0] * 1_001]
)
def test_lists_hold_one_to_a_thousand_scalars(op: str, operand: object) -> None:
    assert op in filter_error({"a": {op: operand}}).problem
    assert parse_filter({"a": {op: [0] * 1_000}})


@pytest.mark.parametrize("operand", [1, 0, None, "true", [True]])
def test_exists_takes_a_boolean_only(operand: object) -> None:
    assert filter_error({"a": {"$exists": operand}}).allowed == "true or false"


@pytest.mark.parametrize("op", ["$lt", "$lte", "$gt", "$gte"])
@pytest.mark.parametrize("operand", ["1", True, None, [1], {"$gt": 1}])
def test_a_range_takes_a_number_only(op: str, operand: object) -> None:
    error = filter_error({"a": {op: operand}})

    assert f"{op} of 'a'" in error.problem
    assert error.allowed == "a number"


@pytest.mark.parametrize("number", [float("inf"), float("-inf"), float("nan"), 10**400])
def test_a_number_must_be_finite(number: float) -> None:
    assert filter_error({"a": number}).allowed == "a finite number"
    assert filter_error({"a": {"$lt": number}}).allowed == "a finite number"
    assert near_error({"field": "a", "target": [number]}).allowed == "a finite number"
    assert near_error({"field": "a", "target": [1], "max_distance": number})
    assert filter_error('{"a": 1e400}').allowed == "a finite number"


@pytest.mark.parametrize("path", ["", ".", "a.", ".a", "a..b", ".".join("abcdefghijk"), "a\0b"])
def test_a_path_has_one_to_ten_named_segments(path: str) -> None:
    assert filter_error({path: 1})
    assert near_error({"field": path, "target": [1]})
    assert parse_filter({".".join("abcdefghij"): 1})


@pytest.mark.parametrize(
    "raw", ['{"\\ud800": 1}', '{"a": "\\ud800"}', '{"a": {"$in": ["\\udfff"]}}']
)
def test_half_a_surrogate_pair_is_an_error_that_can_be_printed(raw: str) -> None:
    error = filter_error(raw)

    assert "surrogate" in error.problem
    assert str(error).encode()


def test_what_json_cannot_hold_is_an_error() -> None:
    assert "a Python datetime" in filter_error({"a": NOON}).problem
    assert "a path is a number" in filter_error({1: "a"}).problem


def test_a_long_value_is_cut_in_the_message() -> None:
    assert len(str(filter_error({"a": {"$" + "x" * 9_999: 1}}))) < 300


def test_equality_is_that_of_json() -> None:
    assert passes({"a": 1}, {"a": 1.0})
    assert passes({"a": None}, {"a": None})
    assert passes({"a": "é"}, {"a": "é"})
    assert not passes({"a": 1}, {"a": True})
    assert not passes({"a": False}, {"a": 0})
    assert not passes({"a": 1}, {"a": "1"})
    assert not passes({"a": None}, {"a": 0})
    assert not passes({"a": "[]"}, {"a": []})


def test_a_missing_path_never_matches_even_with_ne() -> None:
    for wanted in ({"$ne": 1}, {"$nin": [1]}, None, {"$in": [None]}, {"$lt": 1}, {"$ne": None}):
        assert not passes({"a.b": wanted}, {})
        assert not passes({"a.b": wanted}, {"a": {}})
        assert not passes({"a.b": wanted}, {"a": "b"})


def test_ne_and_nin_match_a_present_value_of_another_type() -> None:
    assert passes({"a": {"$ne": 1}}, {"a": "1"})
    assert passes({"a": {"$ne": 1}}, {"a": True})
    assert passes({"a": {"$ne": "x"}}, {"a": None})
    assert passes({"a": {"$nin": [1, "x"]}}, {"a": [1]})
    assert not passes({"a": {"$nin": [1, "x"]}}, {"a": "x"})


def test_in_matches_any_member_by_json_equality() -> None:
    assert passes({"a": {"$in": ["x", 1]}}, {"a": 1.0})
    assert passes({"a": {"$in": ["x", None]}}, {"a": None})
    assert not passes({"a": {"$in": [0, 1]}}, {"a": True})


def test_exists_counts_null_as_present() -> None:
    assert passes({"a": {"$exists": True}}, {"a": None})
    assert not passes({"a": {"$exists": False}}, {"a": None})
    assert passes({"a.b": {"$exists": False}}, {"a": 1})
    assert not passes({"a.b": {"$exists": True}}, {"a": 1})


@pytest.mark.parametrize("stored", [True, "5", None, [5], {"value": 5}])
def test_a_range_matches_stored_numbers_only(stored: object) -> None:
    assert passes({"a": {"$gt": -1, "$lte": 5}}, {"a": 5})
    for op in ("$lt", "$lte", "$gt", "$gte"):
        assert not passes({"a": {op: 1}}, {"a": stored})
        assert not passes({"a": {op: -9e99}}, {"a": stored})


def test_a_path_walks_objects_and_never_arrays() -> None:
    assert passes({"a.0": 5}, {"a": {"0": 5}})
    assert not passes({"a.0": 5}, {"a": [5]})
    assert not passes({"a.b": 5}, {"a.b": 5})


def test_integers_beyond_64_bits_compare_as_floats() -> None:
    assert passes({"a": 2**64}, {"a": 2**64 + 1})
    assert not passes({"a": 2**63 - 1}, {"a": 2**63 - 2})
    assert passes({"a": {"$gt": 2**70}}, {"a": 10**400})
    assert passes({"a": {"$lt": 0}}, {"a": -(10**400)})


def test_all_conditions_must_hold() -> None:
    context: dict[str, object] = {"task": {"success": True}, "robot": {"type": "UR5e"}}

    assert passes({"task.success": True, "robot.type": "UR5e"}, context)
    assert not passes({"task.success": True, "robot.type": "Panda"}, context)


@pytest.mark.parametrize(
    ("written", "moment"),
    [
        ("2026-03-09", datetime(2026, 3, 9, tzinfo=UTC)),
        ("2026-03-09T10:30:00", datetime(2026, 3, 9, 10, 30, tzinfo=UTC)),
        ("2026-03-09T10:30:00.000001Z", datetime(2026, 3, 9, 10, 30, 0, 1, tzinfo=UTC)),
        ("2026-03-09 10:30+08:00", datetime(2026, 3, 9, 2, 30, tzinfo=UTC)),
    ],
)
def test_a_time_is_kept_in_utc_and_a_naive_one_is_taken_as_utc(
    written: str, moment: datetime
) -> None:
    (condition,) = parse_filter({"created_at": {"$gte": written}}).conditions

    assert condition == Condition(("created_at",), "gte", moment)
    assert isinstance(condition.value, datetime)
    assert condition.value.tzinfo is UTC


@pytest.mark.parametrize(
    "wanted",
    [
        "yesterday",
        "",
        5,
        None,
        {"$gt": True},
        {"$in": ["2026-03-09"]},
        {"$exists": True},
        "0001-01-01T00:00:00+14:00",
    ],
)
def test_created_at_takes_comparisons_with_iso_times_only(wanted: object) -> None:
    assert "created_at" in filter_error({"created_at": wanted}).problem


def test_created_at_is_the_time_of_the_memory_and_not_a_key_of_its_context() -> None:
    in_context: dict[str, object] = {"created_at": "2020-01-01", "x": {"created_at": "then"}}

    assert passes({"created_at": {"$gte": "2026-03-09", "$lt": "2026-03-10"}}, in_context)
    assert passes({"created_at": "2026-03-09T12:00:00Z"}, in_context)
    assert not passes({"created_at": {"$ne": "2026-03-09T12:00:00Z"}}, in_context)
    assert not passes({"created_at": {"$lte": "2026-03-09T11:59:59.999999Z"}}, in_context)
    assert passes({"x.created_at": "then"}, in_context)
    zone = timezone(timedelta(hours=8))
    assert matches(
        parse_filter({"created_at": {"$lte": NOON.isoformat()}}), {}, NOON.astimezone(zone)
    )


def test_a_kind_is_that_of_the_memory_and_not_a_key_of_its_context() -> None:
    wanted = of_kinds(["core", "fact"])

    assert matches(wanted, {"kind": "semantic"}, NOON, "core")
    assert matches(wanted, {}, NOON, "fact")
    assert not matches(wanted, {"kind": "core", "": {"kind": "core"}}, NOON, "semantic")
    assert matches(parse_filter({"kind": "core"}), {"kind": "core"}, NOON, "semantic")
    assert not matches(of_kinds([]), {}, NOON, "fact")


def test_joined_filters_ask_for_all_that_each_of_them_does() -> None:
    joined = of_kinds(["core"]) & parse_filter({"a": 1})

    assert matches(joined, {"a": 1}, NOON, "core")
    assert not matches(joined, {"a": 2}, NOON, "core")
    assert not matches(joined, {"a": 1}, NOON, "fact")
    assert joined & EVERYTHING == joined


def test_a_spatial_sort_is_the_same_from_text_and_from_an_object() -> None:
    raw: dict[str, object] = {"field": "spatial.at", "target": [1, 0.5], "max_distance": 0}

    assert parse_near(raw) == parse_near(json.dumps(raw))
    assert parse_near(raw) == Near(("spatial", "at"), (1.0, 0.5), 0.0)
    assert parse_near({"field": "at", "target": [2**70]}) == Near(("at",), (float(2**70),), None)
    assert parse_near({"field": "at", "target": [1], "max_distance": None}) == Near(("at",), (1.0,))


@pytest.mark.parametrize(
    ("raw", "named"),
    [
        ({"target": [1]}, "field"),
        ({"field": "a"}, "target"),
        ({"field": 5, "target": [1]}, "field"),
        ({"field": None, "target": [1]}, "field"),
        ({"field": "a", "target": []}, "target"),
        ({"field": "a", "target": [0] * 17}, "target"),
        ({"field": "a", "target": "1,2"}, "target"),
        ({"field": "a", "target": {"x": 1}}, "target"),
        ({"field": "a", "target": [1, "2"]}, "target"),
        ({"field": "a", "target": [1, True]}, "target"),
        ({"field": "a", "target": [1, None]}, "target"),
        ({"field": "a", "target": [1], "max_distance": -0.1}, "max_distance"),
        ({"field": "a", "target": [1], "max_distance": "1"}, "max_distance"),
        ({"field": "a", "target": [1], "max_distance": True}, "max_distance"),
        ({"field": "a", "target": [1], "limit": 1}, "limit"),
    ],
)
def test_a_wrong_spatial_sort_is_an_error_that_names_the_key(raw: object, named: str) -> None:
    assert named in near_error(raw).problem


def test_distance_is_euclidean_whatever_the_limit() -> None:
    near = Near(("spatial", "at"), (1.0, 2.0), max_distance=0.5)

    assert distance(near, {"spatial": {"at": [4, 6.0]}}) == 5.0
    assert distance(near, {"spatial": {"at": [1, 2]}}) == 0.0


@pytest.mark.parametrize(
    "stored",
    [None, 1, "1,2", {}, [], [1], [1, 2, 3], [1, "2"], [1, True], [1, None], [1, [2]], [1, 1e999]],
)
def test_a_stored_point_that_cannot_be_measured_has_no_distance(stored: object) -> None:
    near = Near(("at",), (1.0, 2.0))

    assert distance(near, {"at": stored}) is None
    assert distance(near, {}) is None


def test_a_distance_beyond_all_numbers_is_none() -> None:
    assert distance(Near(("at",), (0.0,)), {"at": [10**400]}) is None
    assert distance(Near(("at",), (-1e300,)), {"at": [1e300]}) is None
