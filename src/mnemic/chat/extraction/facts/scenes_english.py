"""The state of a scene in English: who holds what, who is where, who is hurt, and the weather."""

import re
from collections.abc import Iterator
from typing import Final

from mnemic.chat.extraction.extraction import Fact
from mnemic.chat.extraction.facts.fact_keys import fact, thing
from mnemic.chat.extraction.facts.words_english import NAME
from mnemic.chat.extraction.speakers import SpokenPassage, alias
from mnemic.language.lexicon.concepts import word_set
from mnemic.runtime.patterns import linear, opening, short

_ITEMS: Final = (
    "sword|dagger|knife|blade|key|keys|map|lantern|torch|staff|wand|ring|amulet|book|tome|scroll"
    "|letter|bow|crossbow|shield|axe|gun|pistol|revolver|rifle|potion|flask|bag|satchel|purse|pouch"
    "|compass|necklace|locket|crown|gem|crystal|stone|cloak|hammer|spear|orb|medallion|rope|box|relic"
    "|phone|scepter|talisman|vial|journal|diary|parchment|candle|helmet|flute|lute|horn|mirror|coin"
    "|pendant|badge|seal|idol|chalice|goblet|bottle|briefcase|envelope|photo|photograph|note|rune"
    "|feather|mask|saber|sabre|bracelet|ticket|passport|tablet|keycard|shard|egg|seed|flashlight"
)
_ITEM: Final = rf"(?P<item>(?:[\w'-]+ ){{0,2}}?(?:{_ITEMS}))\b"
_PLACES: Final = (
    "crypt|tavern|inn|castle|tower|forest|woods|cave|cavern|village|town|city|market|temple|shrine"
    "|library|kitchen|bedroom|hall|chamber|dungeon|cellar|garden|courtyard|ship|deck|harbou?r|bridge"
    "|street|alley|camp|house|cabin|hut|palace|mines?|swamp|desert|mountains?|river|lake|beach|church"
    "|cathedral|graveyard|cemetery|office|station|lab|laboratory|throne room|great hall|stables?"
    "|barn|valley|ruins|monastery|abbey|vault|sewers?|docks?|square|arena|attic|basement|workshop|forge"
    "|archive|archives|observatory|greenhouse|lighthouse|study|cockpit|bar|caf[eé]|hospital|clearing"
    "|infirmary|room|tent|warehouse|catacombs|citadel|keep|fortress|airlock|med ?bay|engine room"
)
_PLACE: Final = (
    rf"(?P<place>(?:the |an? |my |his |her |their |an old )?(?:[\w'-]+ ){{0,2}}?(?:{_PLACES})\b"
    rf"(?: of (?:the )?[A-Z]\w+)?|{NAME})"
)
_HOLDS: Final = linear(
    rf"\b(?:draws?|drew|picks? up|picked up|takes?|took|grabs?|grabbed|holds?|holding|wields?"
    rf"|carr(?:y|ies)"
    rf"|pockets?|pocketed|unsheathes?|clutch(?:es|ing)?|pulls? out|pulled out|retrieves?"
    rf"|snatch(?:es|ed)?|steals?"
    rf"|stole|seizes?|raises?|raised|tucks?|lifts?|grips?|gripping|keeps?) (?:my|his|her|their"
    rf"|the|an?|your) {_ITEM}",
)
_GIVES: Final = short(
    rf"\b(?:hands?|handed|gives?|gave|pass(?:es|ed)?|toss(?:es|ed)?|slips?|slipped|lends?|lent"
    rf"|throws?|threw) "
    rf"(?:(?P<to>you|me|him|her|{NAME}) (?:my|his|her|their|the|an?|your) {_ITEM}"
    rf"|(?:my|his|her|their|the|an?|your) (?P<item2>(?:[\w'-]+ ){{0,2}}?(?:{_ITEMS}))"
    rf" (?:back |over )?to (?P<to2>you|me|him|her|{NAME}))"
)
_GOES: Final = short(
    rf"\b(?:(?:steps?|stepped|walks?|walked|strides?|strode|stumbles?|stumbled|sneaks?|sneaked"
    rf"|slips?|slipped|runs?|ran"
    rf"|climbs?|climbed|rides?|rode|sails?|sailed|wanders?|wandered|descends?|descended|creeps?"
    rf"|crept|limps?|limped|crawls?"
    rf"|march(?:es|ed)?|heads?|go|goes|went|returns?|returned|hurr(?:y|ies|ied)|rush(?:es|ed)?"
    rf"|flees?|fled|retreats?"
    rf"|arrives?|arrived|moves?|moved|drives?|leads? you)"
    rf" (?:back )?(?:into|inside|to|onto|at|in|down to|up to|up into|down into|aboard)|enters?"
    rf"|entered|reach(?:es|ed)?"
    rf"|boards?|boarded|climbs? the (?:stairs|steps|ladder) (?:of|to|into)) {_PLACE}"
)
_BODY: Final = (
    "arm|leg|hand|shoulder|head|chest|ankle|wrist|knee|ribs?|side|eye|foot|back|thigh|face|neck|wing"
    "|forearm|palm|temple|fingers?|jaw|nose"
)
_HURT: Final = (
    "broken|bleeding|wounded|injured|sprained|burned|burnt|bruised|shattered|fractured|bandaged"
    "|swollen|gashed|slashed|dislocated|in a sling|twisted|poisoned"
)
_INJURY: Final = linear(
    rf"\b(?P<whose>[Hh]is|[Hh]er|[Mm]y|[Yy]our|[A-Z]\w+'s) (?P<a>(?:left |right )?(?:{_BODY}))"
    rf" (?:is |are |was |hangs |still |badly )*(?P<how>{_HURT})"
    rf"|\b(?P<verb>sprain|break|broke|twist|injure|burn|cut|gash|fracture|dislocate|bruise)(?:s"
    rf"|es|ed|d)?"
    rf" (?P<whose2>his|her|my|your) (?P<b>(?:left |right )?(?:{_BODY}))"
    rf"|\b(?P<how3>broken|bleeding|wounded|injured|sprained|burned) (?P<c>(?:left "
    rf"|right )?(?:{_BODY}))\b"
)
_WEATHER: Final = linear(
    r"\b(?P<x>(?:heavy |light |cold |freezing )?(?:rain|snow|hail|sleet))"
    r" (?:begins|starts|falls|is falling|pours|lashes|drums|patters|beats|began|fell|hammers)\b"
    r"|\b[Ii]t(?:'s| is| starts| begins| began| started)(?: still)? (?P<verb>raining|snowing"
    r"|to rain|to snow|foggy|stormy)\b"
    r"|\b[Aa]? ?(?P<y>thunderstorm|storm|blizzard|fog|mist|sandstorm) (?:rolls|rages|breaks"
    r"|descends"
    r"|settles|howls|gathers|closes in|blankets|hangs|covers)\b"
    r"|\b[Tt]he (?P<z>rain|storm|snow|fog|blizzard) (?:stops|ends|clears|has stopped|lifts"
    r"|has cleared|has passed|stopped)\b",
    re.I,
)
_VERBAL: Final = {
    "raining": "rain",
    "to rain": "rain",
    "snowing": "snow",
    "to snow": "snow",
    "foggy": "fog",
}
_HOUR: Final = linear(
    r"\b(?:[Ii]t is|[Ii]t's|[Ii]t was) (?:almost |past |nearly )?(?P<x>midnight|dawn|dusk|night"
    r"|noon|sunset|sunrise)\b"
    r"|\b(?P<y>[Nn]ight|[Dd]usk|[Dd]awn|[Dd]arkness) (?:falls|fell|breaks|broke|has fallen"
    r"|settles)\b"
)
_TITLES: Final = (
    "captain|warden|king|queen|prince|princess|knight|lord|lady|commander|priest|priestess|mage|wizard"
    "|witch|heir|guardian|keeper|innkeeper|healer|ranger|thief|assassin|duke|duchess|baron|baroness|chief"
    "|apprentice|emissary|ambassador|general|sheriff|detective|sorceress|sorcerer|druid|paladin|oracle|smuggler"
    "|pilot|navigator|steward|regent|emperor|empress|squire|bard|monk|hunter|admiral|lieutenant|blacksmith|spy"
)
_TITLE: Final = short(
    rf"\bI(?: am|'m) (?:{NAME}, )?(?P<x>(?:the |an? )?(?:[\w'-]+ ){{0,3}}?(?:{_TITLES})"
    rf"(?: (?:of|to|in) (?:the )?[\w' -]+?)?)(?=$|[.,;!—]|\s+(?:and|but|who)\b)"
)
_DEAD: Final = short(
    rf"\b(?P<who>(?:[Tt]he (?:old )?[a-z]+|{NAME})) (?:is dead|has died|was killed|was murdered"
    rf"|is no more)\b"
)
_BOND: Final = linear(
    r"\b[Yy]ou(?:'re| are) (?:now )?my (?P<x>(?:sworn |old |new |dear |only )?(?:enemy|ally"
    r"|friend|apprentice"
    r"|master|prisoner|rival|mentor|liege|sister|brother|wife|husband|captain|guest|bodyguard))\b"
)
_WHO: Final = short(
    rf"\b(?P<i>I|[Mm]y)\b|\b(?P<you>[Yy]ou)\b|\b(?P<he>[Hh]e|[Ss]he|[Tt]hey)\b|(?P<name>{NAME})"
)
_SOMEBODY: Final = opening(
    r"\W*(?:[Tt]he (?P<the>[a-z]+)|(?:[Aa]n?|[Oo]ne|[Ss]ome|[Tt]wo|[Tt]hree|[Aa]nother|[Ss]omeone"
    r"|[Ss]omebody) )"
)
_NOT_NAMES: Final = word_set(
    "the a an with as then slowly suddenly outside inside behind after before when while rain snow"
    " her his their its in on at from without and but it this that there finally quietly still now"
    " you i one two across under over beyond above below"
)


_I: Final = linear(r"\bI\b")
_OWNER: Final = linear(r"^(?:my|his|her|their)\b")
_OWNED: Final = opening(r"(?:I|[A-Z]\w+'s)\b")


def scene_of(sentence: str, passage: SpokenPassage) -> Iterator[Fact]:
    """Return what a sentence of a role-play changes in its scene."""
    for one in [*_possession(sentence, passage), *_bodies(sentence, passage), *_setting(sentence)]:
        if one is not None:
            yield one
    if not passage.narrated:
        yield from (one for one in _standing(sentence, passage) if one is not None)


def _subject(text: str, at: int, passage: SpokenPassage) -> str:
    """Return who acts at a place of a sentence: whoever was named last before it."""
    who = passage.actor
    if other := _SOMEBODY.match(text):
        who = thing(other["the"] or "")
    for match in _WHO.finditer(text, 0, at):
        if match["i"] or match["he"]:
            who = passage.me if match["i"] else who
        elif match["you"]:
            who = passage.you
        elif thing(match["name"]) and thing(match["name"]) not in _NOT_NAMES:
            who = alias(thing(match["name"]), passage)
    return who


def _receiver(word: str, giver: str, passage: SpokenPassage) -> str:
    if word == "me":
        return passage.me
    if word in ("you", "him", "her"):
        return passage.you if giver != passage.you else passage.me
    return alias(thing(word), passage)


def _shown(subject: str) -> str:
    return (
        subject.title() if subject.isascii() and subject not in ("user", "assistant") else subject
    )


def _possession(text: str, passage: SpokenPassage) -> Iterator[Fact | None]:
    given: list[tuple[int, int]] = []
    for match in _GIVES.finditer(text):
        giver = _subject(text, match.start(), passage)
        to = _receiver(match["to"] or match["to2"], giver, passage)
        given.append(match.span())
        if not passage.narrated and not _I.search(text[: match.start()]):
            continue
        yield fact(f"{thing(match['item'] or match['item2'])}.holder", _shown(to))
    if not passage.narrated:
        return
    for match in _HOLDS.finditer(text):
        if not any(start <= match.start() < end for start, end in given):
            who = _subject(text, match.start(), passage)
            yield fact(f"{thing(match['item'])}.holder", _shown(who))
    for match in _GOES.finditer(text):
        place = _OWNER.sub("the", match["place"])
        if not _OWNED.match(place):
            yield fact(f"{_subject(text, match.start(), passage)}.location", place)


def _bodies(text: str, passage: SpokenPassage) -> Iterator[Fact | None]:
    for match in _INJURY.finditer(text):
        whose = (match["whose"] or match["whose2"] or "").lower()
        if whose == "my":
            who = passage.me
        elif whose == "your":
            who = passage.you
        elif whose.endswith("'s"):
            who = thing(whose[:-2])
        else:
            who = _subject(text, match.start(), passage)
        part = match["a"] or match["b"] or match["c"]
        how = match["how"] or match["how3"] or f"hurt ({match['verb']})"
        yield fact(f"{who}.injury", f"{part} {how}")


def _setting(text: str) -> Iterator[Fact | None]:
    if match := _WEATHER.search(text):
        now = (match["x"] or match["y"] or "").lower() or _VERBAL.get(
            match["verb"] or "", match["verb"] or ""
        )
        yield fact("setting.weather", now or f"{match['z']} has stopped")
    if match := _HOUR.search(text):
        yield fact("setting.time", (match["x"] or match["y"]).lower())


def _standing(text: str, passage: SpokenPassage) -> Iterator[Fact | None]:
    if match := _TITLE.search(text):
        yield fact(f"{passage.me}.title", match["x"])
    if match := _BOND.search(text):
        yield fact(f"{passage.me}.relation.{passage.you}", match["x"])
    if match := _DEAD.search(text):
        yield fact(f"{thing(match['who'])}.status", "dead")
