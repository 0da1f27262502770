"""Numbers that tell by their checksum what they are."""

import re
from collections.abc import Callable
from datetime import date
from typing import Final, Literal

from mnemic.runtime.patterns import linear

SecretKind = Literal["password", "pin", "token", "card", "id"]

_WEIGHTS: Final = (7, 9, 10, 5, 8, 4, 2, 1, 6, 3, 7, 9, 10, 5, 8, 4, 2)
_CHECKS: Final = "10X98765432"
_CARD: Final = linear(r"(?<![\d.,-])[2-6]\d{3}(?:[ -]?\d){9,15}(?![\d-])")
_CHINESE_ID: Final = linear(r"(?<![\dA-Za-z])[1-9]\d{16}[\dXx](?![\dA-Za-z])")
_IBAN: Final = linear(
    r"(?<![A-Za-z\d])[A-Z]{2}\d{2}(?:[A-Z\d]{11,30}|(?: [A-Z\d]{4}){2,7}(?: [A-Z\d]{1,3})?)"
    r"(?![A-Za-z\d])"
)
_CARD_LENGTHS: Final = frozenset({13, 14, 15, 16, 19})
_IBAN_REST: Final = 1
_IBAN_MODULUS: Final = 97
_OLDEST: Final = 1900


def checked_numbers(text: str) -> list[tuple[int, int, SecretKind]]:
    """Return where a text holds numbers of cards, accounts and Chinese identity cards."""
    return [
        (match.start(), match.end(), kind)
        for pattern, holds, kind in _NUMBERS
        for match in pattern.finditer(text)
        if holds(match[0])
    ]


def is_card(written: str) -> bool:
    """Tell whether a number may be that of a payment card: by its length and Luhn's sum."""
    digits = [int(character) for character in written if character.isdigit()]
    if len(digits) not in _CARD_LENGTHS or len(set(digits)) == 1:
        return False
    doubled = [
        digit if at % 2 == 0 else sum(divmod(2 * digit, 10))
        for at, digit in enumerate(reversed(digits))
    ]
    return sum(doubled) % 10 == 0


def is_chinese_id(written: str) -> bool:
    """Tell whether a number is that of a Chinese identity card: by its date and its last sign."""
    if not _CHINESE_ID.fullmatch(written):
        return False
    total = sum(int(digit) * weight for digit, weight in zip(written, _WEIGHTS, strict=False))
    if _CHECKS[total % len(_CHECKS)] != written[-1].upper():
        return False
    try:
        born = date(int(written[6:10]), int(written[10:12]), int(written[12:14]))
    except ValueError:
        return False
    return born.year >= _OLDEST


def is_iban(written: str) -> bool:
    """Tell whether a number is that of a bank account, by its sum."""
    if not _IBAN.fullmatch(written):
        return False
    bare = written.replace(" ", "")
    turned = bare[4:] + bare[:4]
    return int("".join(str(int(sign, 36)) for sign in turned)) % _IBAN_MODULUS == _IBAN_REST


_NUMBERS: Final[tuple[tuple[re.Pattern[str], Callable[[str], bool], SecretKind], ...]] = (
    (_CARD, is_card, "card"),
    (_CHINESE_ID, is_chinese_id, "id"),
    (_IBAN, is_iban, "card"),
)
