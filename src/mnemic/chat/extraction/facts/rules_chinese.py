"""Facts that Chinese sentences state about their speaker, and about people and pets of theirs."""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Final

from mnemic.chat.extraction.extraction import Fact
from mnemic.chat.extraction.facts.clauses_english import is_of_gender
from mnemic.chat.extraction.facts.fact_keys import KIN, MANY, PETS, any_of, fact, phrase, thing
from mnemic.chat.extraction.facts.words_chinese import (
    AGE,
    CITIES,
    FAVOURED,
    ILLNESS,
    JOB,
    LANGUAGES,
    ORGANISATION,
    PLACE,
    WHEN,
)
from mnemic.runtime.patterns import Opening, linear, opening

Told = Iterator[Fact | None]
Told_by = Callable[[str, re.Match[str]], Told]
Rule = tuple[Opening, Told_by]

_KIN: Final = any_of(KIN, chinese=True)
_PET: Final = any_of(PETS, chinese=True)
_GRAMMAR: Final = "的了不也都就还很在是有去来要想说和跟对这那我你他她它们得着吗呢吧啊个只"
NAME: Final = (
    rf"(?:[^\W\d_{_GRAMMAR}a-zA-Z]{{1,6}}(?:·[^\W\d_]{{1,8}})?|[A-Z][A-Za-z]+(?: [A-Z][a-z]+)?)"
)
_SURNAMES: Final = frozenset(
    "王李张刘陈杨黄赵吴周徐孙马朱胡郭何林罗郑梁谢宋唐许韩冯邓曹彭曾肖田董袁潘蔡蒋余于杜叶程苏魏吕丁任沈姚卢姜崔钟谭陆汪范石廖"
    "贾夏韦付方白邹孟熊秦邱江尹薛闫段雷侯龙史陶黎贺顾毛郝龚邵万钱严武戴莫孔向汤小阿老"
)
_NOT_NAMED: Final = linear(
    r"老家|老板|小学|小时|方面|方言|白天|江湖|小区|小名|石头|向来|万一|老公|老婆|夏天"
)
_LEAD: Final = linear(
    r"(?:其实|而且|另外|还有|对了|不过|但是?|因为|所以|那个|嗯|哦|啊|你好|您好|嗨|顺便说一?下"
    r"|话说|然后"
    r"|昨[天晚]|前天|今[天早]|上个?周|上个?月|去年|前几天|这周|刚才|前阵子|同时|当然|事实上"
    r"|说实话|好的?|谢谢你?|是的?|没错|目前|现在|如今|最近|平时|至于"
    r"|可是|只是|更正一下)"
    r"[\s，,：:、]*"
)
_SUBJECT: Final = linear(
    rf"(?:(?:我们?家?|咱家?|本人)的?(?:(?P<size>大|小|亲|好)?(?P<kin>{_KIN})(?!们))"
    rf"(?P<name>[^\W\d_{_GRAMMAR}a-zA-Z][^\W\d_{_GRAMMAR}a-zA-Z]{{1,2}}?(?=失踪|不见|是|在|住"
    rf"|今年|喜欢|受伤"
    rf"|去世|被|也|特别|很))?"
    rf"|(?:我们?家?|咱家?)的?(?:那[只条])?(?P<pet>{_PET})"
    rf"|(?P<me>我们?家?|本人|咱们?|俺)|(?P<pro>[他她它]))(?P<rest>.*)"
)
_MENTIONED: Final = linear(rf"我们?家?的?(?P<kin>{_KIN})(?!们)")
_ADVERBS: Final = linear(
    r"(?:现在|目前|平时|一直|特别|非常|很|也|还|都|就|真的?|其实|比较|超级|超|挺|已经|刚刚?"
    r"|上个?月|上周"
    r"|去年|最近|前不久|终于|从小|主要|总是|更|又|前几天|今年|是个|昨天|前天|今天|这个?月|这周|最"
    r"|[一二三四五六七八九十\d]{1,3}月份?)"
)
_SPLIT: Final = linear(r"[，,；;。！!：:\s]+")
_AND: Final = linear(r"、|和|以及|还有|跟|与|及|或者?")
_NOT_LIKED: Final = linear(
    r"[的你他她它这那我了上过着吗您自]|什么|怎么|一个人|别人|有人|人家|大家|谁"
)
_TELLS: Final = linear(r"[还却又就]|哈哈")
_LONGEST_LIKED: Final = 10


_PARTICLES: Final = linear(r"(?<![了呢啊呀哦的吧])[了呢啊呀哦的吧]+$")
_NOT_A_NAME: Final = opening(
    r"外卖|滴滴|快递|救护车|出租车|车|人|大家|客服|停|苦|好|醒|板|做|什么.*|.*起来|.*声"
)
_PLACE_ENDING: Final = linear(r"(?:这边|那边|生活|工作|定居|上学|读书)$")
_NOT_A_PLACE: Final = linear(
    r"[的着得了过进满]|一起|这|那|哪|院|酒店|隔壁|楼上|楼下|外面|校|.楼|新家|别"
)
_ONE_OF: Final = linear(r"^一[家个所间]")
_CITY: Final = linear(CITIES)
_JOB: Final = linear(JOB)


def _as(attribute: str, check: Callable[[str], bool] = bool) -> Told_by:
    def told(subject: str, match: re.Match[str]) -> Told:
        if check(match["x"]):
            yield fact(f"{subject}.{attribute}", match["x"])

    return told


def _each(attribute: str, lead: str = "") -> Told_by:
    def told(subject: str, match: re.Match[str]) -> Told:
        for one in _AND.split(match["x"]):
            item = phrase(_PARTICLES.sub("", one))
            if (
                not item
                or _NOT_LIKED.match(item)
                or len(item) > _LONGEST_LIKED
                or _TELLS.search(item)
            ):
                return
            yield fact(f"{subject}.{attribute}.{thing(item)}", f"{lead}{item}")

    return told


def _name(subject: str, match: re.Match[str]) -> Told:
    name = match["x"]
    if not _NOT_A_NAME.fullmatch(name):
        yield fact(f"{subject}.name", name)


def _home(subject: str, match: re.Match[str]) -> Told:
    place = _PLACE_ENDING.sub("", match["x"])
    if not _NOT_A_PLACE.match(place) and len(place) > 1:
        yield fact(f"{subject}.home", place)


def _works_at(subject: str, match: re.Match[str]) -> Told:
    where = _ONE_OF.sub("", match["where"])
    if ORGANISATION.search(where):
        yield fact(f"{subject}.employer", where)
    elif _CITY.match(where):
        yield fact(f"{subject}.workplace", where)
    if "job" in match.re.groupindex and match["job"]:
        yield fact(f"{subject}.job", match["job"])


def _teaches(subject: str, match: re.Match[str]) -> Told:
    yield fact(f"{subject}.job", f"教{match['job']}")
    if match["where"] and ORGANISATION.search(match["where"]):
        yield fact(f"{subject}.employer", _ONE_OF.sub("", match["where"]))


def _speaks(subject: str, match: re.Match[str]) -> Told:
    for one, english in LANGUAGES.items():
        if one in match["x"]:
            yield fact(f"{subject}.language.{english}", one)


def _favourite(subject: str, match: re.Match[str]) -> Told:
    yield fact(f"{subject}.favorite.{FAVOURED.get(match['what'], match['what'])}", match["x"])


def _has_pet(subject: str, match: re.Match[str]) -> Told:
    kind = f"{subject}.pet.{PETS[match['pet']]}"
    if match["name"]:
        yield fact(f"{kind}.name", match["name"])
    else:
        yield fact(kind, match["whole"])


def _has_kin(subject: str, match: re.Match[str]) -> Told:
    if match["name"]:
        yield fact(f"{_of_kin(subject, match['kin'], match['name'])}.name", match["name"])
    elif KIN[match["kin"]] not in MANY:
        yield fact(_of_kin(subject, match["kin"], ""), match["whole"])


def _of_kin(me: str, kin: str, name: str) -> str:
    word = KIN[kin]
    if word in ("cousin", "aunt", "uncle", "nephew", "niece"):
        return f"{me}.{word}.{kin}"
    return f"{me}.{word}.{thing(name)}" if word in MANY and name else f"{me}.{word}"


def _age(subject: str, match: re.Match[str]) -> Told:
    yield fact(f"{subject}.age", match["x"])


def _rule(pattern: str, told: Told_by) -> Rule:
    return opening(pattern), told


_COUNT: Final = r"(?:[一二两三四五\d]+[只条个匹头]|[只条个])"
_CALLED: Final = rf"(?:[,，]?(?:名字)?(?:叫做?|名叫)(?P<name>{NAME}))?$"
_NAMED: Final = _rule(
    rf"(?:的?(?:名字|大名|全名|真名|姓名)(?:是|叫)|叫做?|名叫|名为)(?P<x>{NAME})$", _name
)
_AGED: Final = _rule(rf"(?:今年|才|刚满|已经|满|有)?{AGE}岁(?:了|半|多)?$", _age)
_PERSON: Final[tuple[Rule, ...]] = (
    _NAMED,
    _AGED,
    _rule(
        r"是(?P<x>[小阿][\u4e00-\u9fff]{1,2})$",
        _as(
            "name",
            lambda it: (
                it[:2] not in {"小学", "小偷", "小孩", "小时", "小人", "小组", "小说", "小白"}
                and not _JOB.search(it)
            ),
        ),
    ),
    _rule(rf"(?:住在?|家住在?|家在|定居(?:在|于)?)(?P<x>{PLACE})$", _home),
    _rule(
        rf"搬家?(?:到|去|来|回)了?(?P<x>(?:{CITIES})[\u4e00-\u9fff]{{0,6}}?"
        rf"|[\u4e00-\u9fff]{{2,8}}?)(?:了"
        rf"|来了|去了|住了?)?$",
        _home,
    ),
    _rule(
        rf"(?:来自|老家(?:是|在)|出生(?:在|于)"
        rf"|是土生土长的)(?P<x>(?:{CITIES})[\u4e00-\u9fff]{{0,4}}?"
        rf"|[\u4e00-\u9fff]{{2,6}}?)[人的]?$",
        _as("origin", lambda it: not it[0].isdigit() and "哈" not in it[2:]),
    ),
    _rule(rf"是(?P<x>(?:{CITIES})|[\u4e00-\u9fff]{{1,4}}[省市县州])人$", _as("origin")),
    _rule(
        rf"在(?P<where>[^，,]{{2,14}}?)(?:当|做|担任|是)(?:一?[名个位])?(?P<job>{JOB})$", _works_at
    ),
    _rule(r"在(?P<x>[^，,]{2,12}?)(?:住|生活|定居)了.{1,4}[年月天]了?$", _home),
    _rule(
        r"(?:在(?P<where>[^，,在]{2,14}?))?教(?P<job>(?!我|你|他|她|过|会|了"
        r"|育)[\u4e00-\u9fff]{2,4})(?:的|课)?$",
        _teaches,
    ),
    _rule(
        r"在(?P<where>[^，,]{2,14}?)(?:工作|上班|任职|就职|实习)(?:了?.{0,5}[年月天])?了?$",
        _works_at,
    ),
    _rule(rf"(?:是|当|做|担任|成为)了?(?:一?[名个位])?(?P<x>{JOB})(?:了)?$", _as("job")),
    _rule(r"是?(?:做|搞|干|从事)(?P<x>[\u4e00-\u9fffA-Za-z]{2,8}?)(?:的|行业|工作)+$", _as("job")),
    _rule(rf"的?(?:职业|工作)是(?:一?[名个位])?(?P<x>{JOB}|[\u4e00-\u9fff]{{2,6}}师)$", _as("job")),
    _rule(r"(?P<x>退休|失业)了$", _as("job")),
    _rule(r"对(?P<x>[^，,]{1,16}?)(?:严重|特别|有点|会|都|非常)*过敏", _each("allergy")),
    _rule(r"(?:有)?(?P<x>[^，,不没会对]{1,6}?)过敏$", _each("allergy")),
    _rule(
        r"(?:是)?(?:一?[名个位])?(?P<x>吃素|素食者|素食主义者|纯素食者|吃纯素)(?:的|了)?$",
        _as("diet"),
    ),
    _rule(
        r"(?:从来|再也|已经|从)?不(?:再|能)?(?P<verb>吃|喝)(?P<x>(?!了|饭|早|晚|午|这|那|亏|不|药"
        r"|东西|完|下|上|醋|点)"
        r"[\u4e00-\u9fff]{1,6}?)(?:的|了)?$",
        lambda subject, match: _avoids(subject, match),
    ),
    _rule(rf"(?:有|患有|得了|确诊了?|患了)(?:[轻重]度)?(?P<x>{ILLNESS})", _each("health")),
    _rule(rf"(?P<x>怀孕|乳糖不耐受?|色盲|{ILLNESS})(?:了|患者|.个月了?)?$", _each("health")),
    _rule(r"喜欢的(?P<what>[\u4e00-\u9fff]{1,4})(?:就)?是(?P<x>[^，,]{1,16})$", _favourite),
    _rule(
        r"(?:不(?:太|怎么|大|是很|再)?(?:喜欢|爱)|(?:很|最|特别)?讨厌|受不了"
        r"|反感)(?P<x>[^，,]{1,20})$",
        _each("dislike"),
    ),
    _rule(
        r"(?:喜欢(?!的)|热爱|酷爱|迷上了?|的?爱好(?:是|有)|的?兴趣(?:是|爱好是)"
        r"|爱(?=[吃喝看听玩唱画跑读打逛养]))"
        r"(?P<x>[^，,]{1,20})$",
        _each("like"),
    ),
    _rule(
        rf"(?:家里?)?(?:有|养了?|养着|领养了|收养了"
        rf"|又养了)(?P<whole>{_COUNT}?[\u4e00-\u9fff]{{0,3}}?(?P<pet>{_PET})){_CALLED}",
        _has_pet,
    ),
    _rule(
        rf"(?:家里?)?(?:有|养了?|养着|领养了|收养了|又养了)(?P<whole>{_COUNT}?)(?:名字?)?叫做?"
        rf"(?P<name>[\u4e00-\u9fffA-Za-z]{{1,8}}?)的[\u4e00-\u9fff]{{0,3}}?(?P<pet>{_PET})$",
        _has_pet,
    ),
    _rule(
        rf"(?:家里?)?有(?P<whole>(?:[一二两三四\d]?个)?(?:双胞胎)?(?P<kin>{_KIN})){_CALLED}",
        _has_kin,
    ),
    _rule(r"(?:会|能)(?:说|讲)(?P<x>[^，,]{2,16})$", _speaks),
    _rule(r"的?母语是(?P<x>[^，,]{2,6})$", _as("language.native")),
    _rule(r"(?P<x>结婚|已婚|单身|离婚|离异|订婚)(?:了|人士|.{0,3}年了?)?$", _as("status")),
    _rule(rf"的?生日(?:是|在)?(?P<x>{WHEN})$", _as("birthday")),
    _rule(
        r"(?:出生于|出生在|是)?(?P<x>(?:19|20)?\d\d年(?:\d{1,2}月(?:\d{1,2}[日号])?)?)(?:出生"
        r"|生)的?$",
        _as("birthday"),
    ),
    _rule(r"的?(?:电子)?邮箱(?:地址)?(?:是|为|：|:)\s*(?P<x>\S+@[\w.-]+)", _as("email")),
    _rule(
        r"的?(?:联系)?(?:电话|手机号)(?:号?码?|号)?(?:是|为|：|:)\s*(?P<x>\+?[\d-]{7,})",
        _as("phone"),
    ),
    _rule(
        r"开(?:的是|着?一?辆)(?P<x>[\u4e00-\u9fffA-Za-z0-9 ]{2,12})$",
        _as("car", lambda it: it not in ("出租车", "货车", "玩笑")),
    ),
    _rule(
        r"(?:的?专业是|(?:读|学|念)的(?:是|专业是))(?P<x>[\u4e00-\u9fffA-Za-z]{2,10}?)(?:专业)?$",
        _as("study"),
    ),
    _rule(r"在(?P<x>[\u4e00-\u9fff]{2,10}(?:大学|学院|中学|高中))(?:读|上|念|学)", _as("school")),
    _rule(r"(?:会|在学)?弹(?P<x>钢琴|吉他|琵琶|古筝)", _each("hobby", "弹")),
)
# A machine that talks has no life to tell of; what it likes to do is a way of being polite.
_POLITE: Final = frozenset({"like", "dislike", "allergy", "status", "employer", "hobby", "diet"})


def _avoids(subject: str, match: re.Match[str]) -> Told:
    yield fact(f"{subject}.diet.{thing(match['x'])}", f"不{match['verb']}{match['x']}")


@dataclass(slots=True)
class ChineseReferents:
    """Whom a text speaks of: the person, and what was named last and may get its name next."""

    me: str
    play: bool = False
    person: str = ""
    named: str = ""


def facts_of(sentence: str, thread: ChineseReferents, *, lives: bool) -> Iterator[Fact]:
    """Return what a sentence states. `lives` says that the speaker is no mere machine."""
    thread.named = ""
    subject = ""
    mentioned = {_of_kin(thread.me, match["kin"], "") for match in _MENTIONED.finditer(sentence)}
    if len(mentioned) == 1:
        thread.person = mentioned.pop()
    for text in _SPLIT.split(sentence):
        subject, rest, name = _subject(_without_lead(text), thread, subject)
        if not subject:
            continue
        if name:
            yield from _known_only(fact(f"{subject}.name", name))
        for one in _told(subject, rest, thread):
            if lives or one.key.split(".")[1] not in _POLITE:
                yield one


def _without_lead(text: str) -> str:
    while (lead := _LEAD.match(text)) is not None:
        text = text[lead.end() :]
    return text


def _known_only(one: Fact | None) -> Iterator[Fact]:
    if one is not None:
        yield one


def _subject(text: str, thread: ChineseReferents, before: str) -> tuple[str, str, str]:
    """Return whom a clause is about, what it says, and the name that it gives them in passing."""
    match = _SUBJECT.match(text)
    if match is None:
        return before, text, ""
    if match["kin"]:
        name = match["name"] or ""
        rest = match["rest"]
        if name and not thread.play and (name[0] not in _SURNAMES or _NOT_NAMED.match(name)):
            name, rest = "", name + rest
        thread.person = _of_kin(thread.me, match["kin"], name)
        return thread.person, rest, name
    if match["pet"]:
        return f"{thread.me}.pet.{PETS[match['pet']]}", match["rest"], ""
    if match["pro"]:
        known = is_of_gender(thread.person, male=match["pro"] == "他")
        return (thread.person if known else ""), match["rest"], ""
    return thread.me, match["rest"], ""


def _told(subject: str, rest: str, thread: ChineseReferents) -> Iterator[Fact]:
    plain = rest
    while (adverb := _ADVERBS.match(plain)) is not None and adverb.end() < len(plain):
        plain = plain[adverb.end() :]
    if thread.named and (match := _NAMED[0].match(plain)):
        yield from (one for one in _name(thread.named, match) if one is not None)
        return
    rules = (_NAMED, _AGED) if ".pet." in subject else _PERSON
    for pattern, told in rules:
        match = pattern.match(plain) or pattern.match(rest)
        if match is None:
            continue
        found = [one for one in told(subject, match) if one is not None]
        if found:
            _remember(subject, found[0], match, thread)
            yield from found
            return


def _remember(subject: str, found: Fact, match: re.Match[str], thread: ChineseReferents) -> None:
    """Keep the pet or relative that was named, since its name may follow."""
    groups = match.re.groupindex
    if "pet" in groups:
        thread.named = f"{subject}.pet.{PETS[match['pet']]}"
    elif "kin" in groups:
        thread.named = thread.person = found.key.removesuffix(".name")
