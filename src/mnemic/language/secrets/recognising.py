"""Find the secrets in a text: by their look, by their checksum, or where they are told as such."""

import re
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Final, get_args

from mnemic.language.bounds import READ_OF_TURN
from mnemic.language.secrets.checksums import SecretKind, checked_numbers
from mnemic.runtime.patterns import Opening, linear, opening

MASK: Final = "••••••"
_TABLE: Final = Path(__file__).with_name("secrets.toml")
# So far from its word a value may stand.
_AFTER: Final = 100
_BEFORE: Final = 80
_FEWEST_DIGITS: Final[dict[SecretKind, int]] = {
    "password": 3,
    "pin": 3,
    "token": 4,
    "card": 6,
    "id": 5,
}
_SHORTEST: Final = 3
_TOKEN_CHARACTERS: Final = 12
_ID_CHARACTERS: Final = 8
_GROUPS: Final = r"(?P<groups>\d{1,6}(?:[ -]\d{1,6}){1,7})(?![\w-])"
# What is printed of ASCII, without what parts or encloses words.
_WORD: Final = r"(?P<word>[!#-&*+\-./0-9:=?@A-Z\\^_a-z{|}~]{2,200})"
_VALUE: Final = rf"[\"'“”‘’「」『』`*<(\[]{{0,3}}(?:{_GROUPS}|{_WORD})"
_QUOTED: Final = r"[\"“'‘「『`](?P<quoted>[^\"”'’」』`\n]{3,120})[\"”'’」』`]"
_FILLERS: Final = r"(?:(?:now|just|still|always|simply|actually)[ \t])?"
# Between a word and the link to its value, as in "the password for the guest network is".
_ASIDE: Final = (
    r"(?:(?:[ \t]*[(（][^)）\n]{0,40}[)）])"
    r"|[ \t]{1,3}(?!(?:is|was|are|isn['’]?t|and|or|but|that|which|because|so|if|must|should)\b)"
    r"[\w'’./&-]{1,24}){0,7}"
)


@dataclass(frozen=True, slots=True)
class Secret:
    """Where in a text a secret stands, and of which kind it is."""

    first: int
    last: int
    kind: SecretKind


@dataclass(frozen=True, slots=True)
class SecretWords:
    """What is known of secrets, as patterns."""

    asked: tuple[tuple[SecretKind, re.Pattern[str]], ...]
    formats: tuple[tuple[SecretKind, re.Pattern[str]], ...]
    called: tuple[tuple[SecretKind, re.Pattern[str]], ...]
    part: re.Pattern[str]
    parts_of: re.Pattern[str]
    told: Opening
    bare: Opening
    told_before: re.Pattern[str]
    no_value: Opening
    unit: Opening


@cache
def secret_words() -> SecretWords:
    """Return what is known of secrets; its patterns are registered, and compiled when used."""
    raw: dict[str, Any] = tomllib.loads(_TABLE.read_text(encoding="utf-8"))
    kinds: tuple[SecretKind, ...] = get_args(SecretKind)
    pin = raw["english"]["pin"]
    links = "|".join(raw["links"]["english"])
    chinese_links = "|".join(raw["links"]["chinese"])

    def called(kind: SecretKind) -> re.Pattern[str]:
        english = "|".join(raw["english"][kind]["words"])
        chinese = "|".join(raw["chinese"][kind]["words"])
        return linear(rf"{chinese}|(?<![A-Za-z])(?:{english})(?![A-Za-z])", re.IGNORECASE)

    return SecretWords(
        asked=tuple(
            (kind, linear(rf"\b(?:{'|'.join(words)})\b", re.IGNORECASE))
            for kind, words in raw["asked"].items()
        ),
        formats=tuple(
            (kind, linear("|".join(raw["formats"][kind])))
            for kind in kinds
            if kind in raw["formats"]
        ),
        called=tuple((kind, called(kind)) for kind in kinds),
        part=linear(rf"\b(?:{'|'.join(pin['parts'])})\b", re.IGNORECASE),
        parts_of=linear(rf"\b(?:{'|'.join(pin['of'])})\b", re.IGNORECASE),
        told=opening(
            rf"{_ASIDE}[\"'”’]?[ \t]{{0,3}}(?:(?:{links})(?![A-Za-z])"
            rf"|[?,]? ?it['’]s|[^\s，。,.；;]{{0,10}}?(?:{chinese_links}))"
            rf"[ \t]{{0,3}}{_FILLERS}(?:{_QUOTED}|{_VALUE})",
            re.IGNORECASE,
        ),
        bare=opening(rf"[ \t:：]{{0,3}}(?:number |no\.? |is )?(?:{_QUOTED}|{_VALUE})"),
        told_before=linear(
            r"(?P<value>[^\s，。,;]{3,60})[\"'”’]? (?:is|was|as|for)"
            r" (?:the|my|our|his|her|their|your)(?: [\w'’.-]{1,20}){0,3} ?\Z"
            r"|(?P<zh>[A-Za-z\d#*@!._-]{3,60})(?:就是|是|为)[^\s，。]{0,10}\Z"
        ),
        no_value=opening(rf"(?:{'|'.join(raw['no_values']['english'])})\Z", re.IGNORECASE),
        unit=opening(rf"[ -]?(?:{'|'.join(raw['no_values']['units'])})(?![A-Za-z])", re.IGNORECASE),
    )


def secrets_in(text: str) -> tuple[Secret, ...]:
    """Return the secrets of a text in their order, none over another one."""
    text = text[:READ_OF_TURN]
    found = [Secret(*place) for place in (*_by_look(text), *checked_numbers(text))]
    found += _told(text)
    kept: list[Secret] = []
    for secret in sorted(found, key=lambda one: (one.first, -one.last)):
        if not kept or secret.first >= kept[-1].last:
            kept.append(secret)
    return tuple(kept)


def masked(text: str) -> str:
    """Return a text with a mask in the place of each secret."""
    parts: list[str] = []
    at = 0
    for secret in secrets_in(text):
        parts += (text[at : secret.first], MASK)
        at = secret.last
    return "".join((*parts, text[at:]))


def kinds_named(text: str) -> frozenset[SecretKind]:
    """Return which kinds of secrets a text speaks of: what a question asks for by name."""
    words = secret_words()
    named: set[SecretKind] = {
        kind for kind, pattern in (*words.called, *words.asked) if pattern.search(text)
    }
    if any(True for _ in _parts(text)):
        named.add("pin")
    # People call all of these a password, and a code what is a number.
    if named & {"password", "pin"}:
        named |= {"password", "pin"}
    return frozenset(named)


def _by_look(text: str) -> Iterator[tuple[int, int, SecretKind]]:
    for kind, pattern in secret_words().formats:
        for match in pattern.finditer(text):
            group = 1 if match.re.groups else 0
            yield match.start(group), match.end(group), kind


def _told(text: str) -> Iterator[Secret]:
    for kind, pattern in secret_words().called:
        for word in pattern.finditer(text):
            yield from _beside(text, word.start(), word.end(), kind)
    for first, last in _parts(text):
        yield from _beside(text, first, last, "pin")


def _parts(text: str) -> Iterator[tuple[int, int]]:
    """Yield where a code is named together with what it opens."""
    words = secret_words()
    for part in words.part.finditer(text):
        before = text[max(0, part.start() - 20) : part.start()]
        after = text[part.end() : part.end() + 40].partition(".")[0]
        behind = after if after.lstrip().startswith(("for", "of", "to", "on")) else ""
        if words.parts_of.search(before.split(",")[-1]) or words.parts_of.search(behind):
            yield part.start(), part.end()


def _beside(text: str, first: int, last: int, kind: SecretKind) -> Iterator[Secret]:
    """Yield the value that is told of a secret which is called by its name at a place."""
    words = secret_words()
    after = text[last : last + _AFTER]
    for pattern, is_linked in ((words.told, True), (words.bare, False)):
        match = pattern.match(after)
        if match is None:
            continue
        name = match.lastgroup or "word"
        value = match[name].rstrip(".:?…*")
        rest = after[match.start(name) + len(value) :]
        if _is_value(value, kind, rest, is_linked=is_linked, is_quoted=name == "quoted"):
            start = last + match.start(name)
            yield Secret(start, start + len(value), kind)
            return
    begin = max(0, first - _BEFORE)
    told = words.told_before.search(text[begin:first])
    if told is not None:
        name = "value" if told["value"] else "zh"
        if _is_value(told[name], kind, "", is_linked=False, is_quoted=False):
            yield Secret(begin + told.start(name), begin + told.end(name), kind)


def _is_value(value: str, kind: SecretKind, rest: str, *, is_linked: bool, is_quoted: bool) -> bool:
    words = secret_words()
    digits = sum(character.isdigit() for character in value)
    if len(value) < _SHORTEST or words.unit.match(rest) or words.no_value.match(value):
        return False
    if kind in ("card", "id"):
        enough = digits >= _FEWEST_DIGITS[kind] or (
            value.isupper() and digits > 1 and len(value) >= _ID_CHARACTERS
        )
        return enough and value.isascii()
    if is_quoted and is_linked and kind != "token":
        return True
    if not value.isascii():
        return False
    if kind == "pin":
        return digits >= _FEWEST_DIGITS[kind]
    if kind == "token":
        return digits >= _FEWEST_DIGITS[kind] and len(value) >= _TOKEN_CHARACTERS
    return _is_password(value, digits, rest, is_linked=is_linked)


def _is_password(value: str, digits: int, rest: str, *, is_linked: bool) -> bool:
    """Tell whether a word reads like a password: not like a word of a sentence that goes on."""
    if value.isdigit():
        return digits + is_linked > _FEWEST_DIGITS["password"]
    odd = any(character in "!@#$%^&*_+=~|\\?" for character in value)
    inside = value[1:] != value[1:].lower() and not value.isupper()
    if digits or odd or (inside and not value.istitle()):
        return len(value) > _SHORTEST
    behind = rest.lstrip("\"'”’) ")
    ends = not behind.strip(" .!…*") or behind.startswith((".", ",", ";"))
    verbal = value.lower().endswith(("ed", "ing", "able", "ful"))
    return is_linked and ends and not verbal
