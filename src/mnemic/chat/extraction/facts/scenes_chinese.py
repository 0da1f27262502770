"""The state of a scene in Chinese: who holds what, who is where, who is hurt, and the weather."""

from collections.abc import Iterator
from typing import Final

from mnemic.chat.extraction.extraction import Fact
from mnemic.chat.extraction.facts.fact_keys import fact
from mnemic.chat.extraction.speakers import SpokenPassage, alias
from mnemic.runtime.patterns import linear, literals

_HAN: Final = r"[\u4e00-\u9fff]"
_ITEMS: Final = (
    "匕首|手电筒|手电|焊枪|长剑|短剑|宝剑|剑|弯刀|短刀|刀|钥匙|地图|灯笼|火把|法杖|魔杖|手杖|戒指|护身符|卷轴|信封|信|弓箭|弓|盾牌|盾"
    "|斧头|斧|手枪|步枪|枪|药水|药瓶|解药|钱袋|袋子|罗盘|项链|王冠|宝石|水晶|斗篷|锤子|长矛|宝珠|徽章|绳子|盒子"
    "|木盒|手机|令牌|玉佩|油灯|笛子|铃铛|面具|酒壶|怀表|日记|照片|名片|古书|秘籍|手札|硬币|圣杯|头盔|印章|羽毛|种子"
)
_ITEM: Final = rf"(?P<item>(?:(?![的了把给这那一])[\u4e00-\u9fff]){{0,4}}?(?:{_ITEMS}))"
_COUNT: Final = (
    r"(?:[一这那]?[把枚张本柄个串支只封块瓶盏件颗条面]"
    r"|我的|他的|她的|自己的|腰间的|那|这|(?:(?![了着把给])[\u4e00-\u9fff]){1,4}的){0,2}"
)
_PLACES: Final = (
    "地窖|酒馆|客栈|城堡|高塔|塔楼|塔|森林|树林|山洞|洞穴|村庄|村子|村|小镇|镇|城|集市|神庙|神殿|庙|图书馆|厨房"
    "|房间|大厅|密室|地牢|花园|庭院|院子|船舱|船|甲板|港口|桥|街|小巷|巷子|营地|小屋|木屋|屋|宫殿|皇宫|矿井|矿洞|沼泽"
    "|沙漠|山顶|湖边|河边|海滩|教堂|墓地|墓穴|办公室|车站|实验室|大殿|阁楼|楼顶|王府|府|山谷|岛|酒吧|咖啡馆|医院|学校|教室"
    "|书房|卧室|地下室|仓库|废墟|要塞|帐篷|铁匠铺|药铺|马厩|广场|竞技场|驾驶舱|医务室|档案室|码头|茶馆"
)
_PLACE: Final = rf"(?P<place>(?:(?![的了着])[\u4e00-\u9fff]){{0,5}}?(?:{_PLACES}))"
_HOLDS: Final = linear(
    r"(?:拔出|拿起|握着|握住|紧握|举起|抽出|捡起|掏出|拿着|取出|背着|带着|收起|接过|拿到|夺过"
    r"|攥着|提着|拾起|偷走|取下|提起|抓起|抱着|捧着|戴上|拎起|拎着)了?"
    rf"{_COUNT}{_ITEM}"
)
_GIVES: Final = linear(
    rf"(?:把|将){_COUNT}{_ITEM}(?:递给|交给|还给|送给|给了?|扔给|塞给|借给|抛给|赠给"
    rf"|交到)了?(?P<to>你|我|他|她|{_HAN}{{2,4}})"
)
_TUCKS: Final = linear(rf"(?:把|将){_COUNT}{_ITEM}(?:收进|收入|收好|揣进|藏进|别在|挂在|收起)")
_GOES: Final = linear(
    r"(?:走进|进入|来到|回到|冲进|跑进|潜入|躲进|踏入|踏进|爬上|登上|抵达|到达|走入|逃进|住进"
    r"|闯进|溜进|赶到|推门走进|返回)了?"
    rf"{_PLACE}"
)
_BODY: Final = (
    "手臂|胳膊|左臂|右臂|臂|左腿|右腿|腿|左手|右手|手腕|手|肩膀|左肩|右肩|肩"
    "|头|胸口|脚踝|膝盖|肋骨|腰|眼睛|左眼|右眼|脚|背|脸|翅膀|腹部"
)
_INJURY: Final = linear(
    rf"(?P<who>{_HAN}{{2,4}}?的|我的?|你的?|[他她]的?)?(?P<part>[左右]?(?:{_BODY}))(?:上)?(?:还"
    rf"|已经|也|又)?"
    r"(?P<how>受了?重?伤|流着?血|骨折|断了|中了?[一]?箭|被.{1,4}伤|扭伤|烧伤|中了一[刀剑枪]"
    r"|血流不止|肿了?|脱臼)"
    rf"|(?P<verb>扭伤|弄伤|划伤|摔断|摔伤|刺伤|割伤|烫伤)了(?P<part2>[左右]?(?:{_BODY}))"
)
_WEATHER: Final = linear(
    r"(?:下起|下着|飘起|落下|飘着|在下)了?(?P<x>[大小暴细鹅毛倾盆]{0,3}[雨雪])"
    r"|(?P<z>[雨雪])(?:终于|渐渐|已经)?停了"
    r"|(?P<y>起雾|刮起了?[大狂]?风|暴风雨|大雾|雷声|狂风)(?:了|来了|来临|弥漫|笼罩|大作)"
)
_HOUR: Final = linear(
    r"(?P<x>夜幕降临|天黑了|天亮了|太阳下山了|太阳升起|黎明时分|午夜时分|黄昏时分|夜深了|深夜"
    r"|已是(?:黄昏|深夜|午夜|黎明))"
)
_TITLES: Final = (
    "守卫|队长|国王|女王|王子|公主|骑士|领主|夫人|指挥官|祭司|法师|巫师|女巫|继承人|守护者|看守|掌柜|老板娘|治疗师|游侠"
    "|盗贼|刺客|公爵|伯爵|酋长|学徒|使者|大使|将军|警长|侦探|船长|掌门|弟子|长老|圣女|皇帝|太子|侍卫|统领|猎人|药师|店主"
    "|舰长|教主|剑客|捕快|族长|城主|密探"
)
_TITLE: Final = linear(
    rf"我是(?:{_HAN}{{2,4}}[，,])?(?:一[名个位])?(?P<x>{_HAN}{{0,10}}?(?:{_TITLES}))(?=$"
    rf"|[，,。！!])"
)
_DEAD: Final = linear(
    rf"(?P<who>{_HAN}{{2,4}}?)(?:已经|早就|早已)?(?:死了|驾崩了|遇害了|牺牲了|去世了|被杀了)"
)
_BOND: Final = linear(
    r"你(?:现在|从此|就)?是我的?(?P<x>敌人|盟友|朋友|徒弟|师父|师傅|囚犯|对手|主人|妹妹|姐姐|哥哥"
    r"|弟弟|妻子|丈夫|护卫)"
)
_SOMEBODY: Final = linear(r"(?:[一两三几]|其中|有人|那)[个位名]?")
_ACTOR: Final = linear(rf"({_HAN}{{2,4}}?)(?:缓缓|慢慢|突然|转身|一瘸一拐地|悄悄|快步)?")
_NOT_WHO: Final = linear(r"[我你他她的了着在和]|不|没|都|也|已|如|然后|外面|突然")


def scene_of(sentence: str, passage: SpokenPassage) -> Iterator[Fact]:
    """Return what a sentence of a role-play changes in its scene."""
    for one in [*_possession(sentence, passage), *_bodies(sentence, passage), *_setting(sentence)]:
        if one is not None:
            yield one
    if not passage.narrated:
        yield from (one for one in _standing(sentence, passage) if one is not None)


def _subject(text: str, at: int, passage: SpokenPassage) -> str:
    """Return who acts at a place of a sentence: whoever was named last before it."""
    who = "" if _SOMEBODY.match(text) else passage.actor
    people = ["我", "你", *filter(None, (passage.me, passage.you))]
    for match in literals(people).finditer(text, 0, at):
        if match[0] in ("我", passage.me):
            who = passage.me
        elif match[0] in ("你", passage.you):
            who = passage.you
    named = _ACTOR.fullmatch(text, 0, at)
    if named is not None and who == passage.actor and not _NOT_WHO.search(named[1]):
        return alias(named[1], passage)
    return who


def _receiver(word: str, giver: str, passage: SpokenPassage) -> str:
    if word.startswith("我"):
        return passage.me
    if word[0] in "你他她":
        return passage.you if giver != passage.you else passage.me
    return passage.you if word.startswith(passage.you) else alias(word, passage)


def _possession(text: str, passage: SpokenPassage) -> Iterator[Fact | None]:
    for match in _GIVES.finditer(text):
        if not passage.narrated and "我" not in text[: match.start()]:
            continue
        giver = _subject(text, match.start(), passage)
        yield fact(f"{match['item']}.holder", _receiver(match["to"], giver, passage))
    if not passage.narrated:
        return
    for pattern in (_HOLDS, _TUCKS):
        for match in pattern.finditer(text):
            yield fact(f"{match['item']}.holder", _subject(text, match.start(), passage))
    for match in _GOES.finditer(text):
        yield fact(f"{_subject(text, match.start(), passage)}.location", match["place"])


def _bodies(text: str, passage: SpokenPassage) -> Iterator[Fact | None]:
    for match in _INJURY.finditer(text):
        whose = (match["who"] or "").removesuffix("的")
        if whose in ("我", "你"):
            who = passage.me if whose == "我" else passage.you
        elif whose and whose not in "他她" and not _NOT_WHO.search(whose):
            who = whose
        else:
            who = _subject(text, match.start(), passage)
        yield fact(
            f"{who}.injury", f"{match['part'] or match['part2']}{match['how'] or match['verb']}"
        )


def _setting(text: str) -> Iterator[Fact | None]:
    if match := _WEATHER.search(text):
        yield fact("setting.weather", match["x"] or match["y"] or f"{match['z']}停了")
    if match := _HOUR.search(text):
        yield fact("setting.time", match["x"])


def _standing(text: str, passage: SpokenPassage) -> Iterator[Fact | None]:
    if match := _TITLE.search(text):
        yield fact(f"{passage.me}.title", match["x"])
    if match := _BOND.search(text):
        yield fact(f"{passage.me}.relation.{passage.you}", match["x"])
    if (match := _DEAD.search(text)) and not _NOT_WHO.search(match["who"]):
        yield fact(f"{match['who']}.status", "死亡")
