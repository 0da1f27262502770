"""The words that the English rules know: jobs, illnesses, times, devices."""

import re
from typing import Final

from mnemic.runtime.patterns import linear

_JOBS: Final = """
    accountant actor actress administrator advisor analyst apprentice architect assistant attorney
    author baker banker barber barista bartender biologist blacksmith bookkeeper botanist butcher
    captain caregiver caretaker carpenter cashier chef chemist coach coder composer consultant
    contractor cook coordinator copywriter courier curator dancer dealer dentist designer
    detective developer dietitian diplomat director dj doctor driver economist editor electrician
    engineer entrepreneur farmer firefighter fisherman florist founder freelancer gardener
    geologist guard guide hairdresser herbalist historian housekeeper illustrator instructor
    interpreter investigator janitor jeweller journalist judge knight lawyer lecturer librarian
    lifeguard linguist locksmith machinist manager marketer mason mathematician mayor mechanic
    medic merchant midwife miner model musician nanny novelist nurse nutritionist officer optician
    paralegal paramedic pastor pediatrician pharmacist photographer physician physicist
    physiotherapist pianist pilot plumber poet police policeman politician postman potter
    principal producer professor programmer proofreader psychiatrist psychologist publisher
    radiographer ranger realtor receptionist recruiter reporter researcher sailor salesman
    salesperson scientist sculptor secretary sheriff singer smith sniper soldier solicitor
    specialist statistician stewardess student superintendent surgeon surveyor tailor teacher
    technician tester therapist trader trainer translator tutor undertaker vet veterinarian
    violinist waiter waitress watchmaker welder writer zookeeper
"""
JOBS: Final = frozenset(_JOBS.split())

_ILLNESSES: Final = (
    r"(?:type [12] )?diabetes|asthma|migraines?|epilepsy|arthritis|adhd|autism|anxiety|depression"
    r"|insomnia|celiac disease|coeliac disease|crohn's(?: disease)?|high blood pressure"
    r"|hypertension"
    r"|tinnitus|eczema|dyslexia|ibs|sleep apn(?:o)?ea|a heart condition|a pacemaker|chronic pain"
    r"|anemia|anaemia|cancer|a bad (?:back|knee|shoulder)|scoliosis|lupus|psoriasis|vertigo"
)
ILLNESS: Final = _ILLNESSES
CONDITIONS: Final = (
    r"diabetic|asthmatic|lactose[- ]intolerant|gluten[- ]intolerant|pregnant|colou?r[- ]?blind|deaf"
    r"|dyslexic|epileptic|autistic|hard of hearing|left[- ]handed|near-?sighted|anaemic|anemic"
)
DIETS: Final = (
    r"vegan|vegetarian|pescatarian|pescetarian|keto|on a (?:keto|gluten[- ]free|low[- ]carb|vegan)"
    r" diet|gluten[- ]free|halal|kosher|dairy[- ]free"
)
LANGUAGES: Final = (
    r"english|french|german|spanish|chinese|mandarin|cantonese|japanese|italian|portuguese|russian"
    r"|arabic|korean|dutch|polish|turkish|greek|hindi|swedish|norwegian|danish|finnish|czech|hebrew"
    r"|vietnamese|thai|ukrainian|hungarian|romanian|urdu|bengali|tamil|swahili|esperanto|welsh"
)
PLAYED: Final = (
    r"guitar|piano|violin|cello|drums|flute|saxophone|trumpet|bass|ukulele|harp|tennis|football"
    r"|soccer|basketball|volleyball|badminton|chess|golf|hockey|rugby|cricket|handball|baseball"
    r"|table tennis|squash|video games|the organ|clarinet|banjo|poker|bridge"
)
HOMES: Final = (
    r"house|flat|apartment|village|town|city|farm|cottage|countryside|suburbs?|dorm|studio|cabin"
    r"|houseboat|tower|castle|island|van|mountains|coast"
)

_MONTHS: Final = (
    r"jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?"
    r"|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?"
)
_ONE_TIME: Final = (
    r"(?:(?:mon|tues?|wednes|thurs?|fri|satur|sun)days?(?: (?:morning|afternoon|evening|night))?"
    rf"|(?:{_MONTHS})\.? \d{{1,2}}(?:st|nd|rd|th)?(?:,? 20\d\d)?"
    rf"|(?:the )?\d{{1,2}}(?:st|nd|rd|th)?(?: of)? (?:{_MONTHS})(?:,? 20\d\d)?"
    rf"|(?:{_MONTHS})(?: 20\d\d)?\b"
    r"|\d{1,2}(?::\d\d)? ?(?:am|pm|a\.m\.|p\.m\.|o'clock)|\d{1,2}:\d\d|\d{4}-\d\d-\d\d"
    r"|the \d{1,2}(?:st|nd|rd|th)|\d{1,2}/\d{1,2}(?:/\d{2,4})?|tomorrow|tonight|noon|midnight|today"
    r"|(?:in|this|next|the) (?:the )?(?:morning|afternoon|evening|weekend|week|month|spring|summer"
    r"|autumn|fall|winter)|next year|half past \w+|christmas|easter|new year's(?: eve| day)?"
    r"|(?:at|around) (?:\d{1,2}|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve))"
)
WHEN: Final = (
    r"(?:(?:on|at|by|for|in|from|this|next|the|around|this coming|the end of|end of)\s+){0,3}"
    rf"{_ONE_TIME}"
    rf"(?:(?:,|\s+(?:at|on|from|to|until|around|the|this|next|in|of|and)|\s*[-–]){{0,2}}"
    rf"\s*{_ONE_TIME}){{0,3}}"
)
TIME: Final = linear(rf"(?<![\w-]){WHEN}(?![\w-])", re.I)
DATE: Final = linear(rf"(?<![\w-]){_ONE_TIME}(?![\w-])", re.I)

NUMBER_WORD: Final = (
    r"(?:(?:twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety)(?:[- ](?:one|two|three|four"
    r"|five|six"
    r"|seven|eight|nine))?|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen"
    r"|fourteen"
    r"|fifteen|sixteen|seventeen|eighteen|nineteen)"
)
NAME: Final = r"(?:(?:Mr|Mrs|Ms|Dr|Prof)\.? )?[A-Z][\w'-]*(?: [A-Z][\w'-]+){0,2}"
DEVICE: Final = (
    r"(?:(?:google |samsung |apple )?(?:pixel|galaxy|iphone|ipad|macbook|imac|mac mini|thinkpad"
    r"|xps|surface (?:pro|go|laptop|book)|oneplus|xperia|kindle|playstation|ps5|ps4|xbox"
    r"|nintendo switch|steam deck|redmi"
    r"|huawei|xiaomi|oppo|moto|lenovo|dell|hp|asus|acer|chromebook|airpods|apple watch|fitbit|sonos"
    r"|roomba|echo dot|epson|nikon)"
    r"(?:[ -]?(?:[a-z]{0,3}-?\d[\w-]{0,12}(?![\w-])|pro|max|mini|air|plus|ultra|note|series|go"
    r"|laptop|se|yoga|inspiron|elitebook|book|fold|flip|one|carbon|nano)){0,3})"
)
SYSTEM: Final = (
    r"(?:windows (?:\d+|xp|vista|server \d+)(?: home| pro)?|mac ?os(?: [A-Za-z]+)?(?: \d[\d.]*)?"
    r"|os x [\d.]+|i(?:pad)?os \d[\d.]*|android \d[\d.]*|ubuntu(?: \d[\d.]*)?|debian(?: \d+)?"
    r"|fedora(?: \d+)?|linux mint(?: [\d.]+)?|arch linux|linux)"
)


def is_job(words: str) -> bool:
    """Tell whether a noun phrase names what somebody does for a living."""
    head = words.lower().split()[-1] if words.split() else ""
    return head in JOBS or head.endswith(("ologist", "ographer", "engineer", "therapist"))
