"""Promises about secrets: what is recognised, and what only looks so."""

import pytest

from mnemic.language.secrets.checksums import is_card, is_chinese_id, is_iban
from mnemic.language.secrets.recognising import MASK, kinds_named, masked, secrets_in

TOLD = [
    ("My wifi password is plum-badger-12.", "plum-badger-12", "password"),
    ("bank PIN: 4711", "4711", "pin"),
    ("The alarm code is 4711", "4711", "pin"),
    ("4711 is the PIN of my card", "4711", "pin"),
    ("my api key is " + "a8f3k2l9" * 3, "a8f3k2l9" * 3, "token"),
    ("use sk-" + "a1B2" * 8, "sk-" + "a1B2" * 8, "token"),
    ("postgres://bob:s3cr3t@db/x", "s3cr3t", "password"),
    ("card 4111 1111 1111 1111 exp 12/27", "4111 1111 1111 1111", "card"),
    ("My SSN is 078-05-1120", "078-05-1120", "id"),
    ("身份证号是11010519491231002X", "11010519491231002X", "id"),
    ("门锁密码是3390#", "3390#", "password"),
    ("支付密码改成了 908172", "908172", "password"),
    ("护照号E12345678", "E12345678", "id"),
]


@pytest.mark.parametrize(("text", "secret", "kind"), TOLD)
def test_a_secret_is_found_where_it_stands_and_masked(text: str, secret: str, kind: str) -> None:
    [found] = secrets_in(text)

    assert (text[found.first : found.last], found.kind) == (secret, kind)
    assert masked(text) == text.replace(secret, MASK)


@pytest.mark.parametrize(
    "text",
    [
        "The password is too short",
        "My password is wrong",
        "The password must have at least 12 characters",
        "Insert pin 1024 into the hole",
        "error code 500 for the gate service",
        "Order 4111111111111112 has left",
        "The token limit is 128000 per request",
        "密码至少要8位",
        "我忘了密码",
        "快递单号SF1234567890123",
    ],
)
def test_what_only_speaks_of_secrets_is_left_alone(text: str) -> None:
    assert secrets_in(text) == ()
    assert masked(text) == text


def test_checksums_decide_about_numbers() -> None:
    assert is_card("4111 1111 1111 1111")
    assert not is_card("4111 1111 1111 1112")
    assert is_chinese_id("11010519491231002X")
    assert not is_chinese_id("110105194912310021")
    assert not is_chinese_id("11010519491331002X")
    assert is_iban("DE89 3704 0044 0532 0130 00")
    assert not is_iban("DE88 3704 0044 0532 0130 00")
    assert not any(holds("no number") for holds in (is_card, is_chinese_id, is_iban))


def test_a_question_names_the_kind_that_it_asks_for() -> None:
    assert "password" in kinds_named("What's the wifi password?")
    assert "pin" in kinds_named("门锁密码是多少？")
    assert "id" in kinds_named("我的身份证号是多少")
    assert kinds_named("What do I like to eat?") == frozenset()
