"""Under which key a fact is kept, and how much it matters: one scheme for both languages.

A key is `subject.attribute`, or `subject.attribute.thing` where several can hold at once. The words
of the scheme are English; names and things stay in the language in which they were said.
"""

import re
import unicodedata
from collections.abc import Iterator
from typing import Final

from mnemic.chat.extraction.extraction import Fact
from mnemic.language.lexicon.concepts import word_set
from mnemic.runtime.patterns import linear

LONGEST_KEY: Final = 80
LONGEST_VALUE: Final = 300
_MOST_WORDS: Final = 6

_IMPORTANCE: Final = {
    "name": 0.9,
    "allergy": 0.9,
    "health": 0.85,
    "diet": 0.8,
    "nickname": 0.8,
    "age": 0.8,
    "birthday": 0.8,
    "job": 0.8,
    "home": 0.8,
    "injury": 0.7,
    "title": 0.7,
    "deadline": 0.7,
    "budget": 0.7,
    "event": 0.7,
    "preference": 0.7,
    "number": 0.7,
    "status": 0.7,
    "employer": 0.7,
    "origin": 0.7,
    "weather": 0.5,
    "time": 0.5,
    "location": 0.5,
    "holder": 0.5,
}
_USUAL: Final = 0.6

_KIN: Final = """
    sister: sister sis 姐妹
    elder_sister: 姐姐 姐 大姐
    younger_sister: 妹妹 妹 小妹
    brother: brother bro 兄弟
    elder_brother: 哥哥 哥 大哥
    younger_brother: 弟弟 弟 小弟
    mother: mother mom mum mama 妈妈 妈 母亲 老妈
    father: father dad papa 爸爸 爸 父亲 老爸
    wife: wife 妻子 老婆 太太 媳妇
    husband: husband 丈夫 老公
    partner: partner spouse fiancé fiancée fiance fiancee 爱人 配偶 伴侣 未婚妻 未婚夫 对象
    girlfriend: girlfriend 女朋友 女友
    boyfriend: boyfriend 男朋友 男友
    son: son 儿子
    daughter: daughter 女儿 闺女
    child: child kid baby 孩子 小孩 宝宝
    grandmother: grandmother grandma granny nana 奶奶 外婆 姥姥 祖母
    grandfather: grandfather grandpa granddad 爷爷 外公 姥爷 祖父
    aunt: aunt auntie 阿姨 姑姑 姨妈 舅妈
    uncle: uncle 叔叔 舅舅 伯伯
    cousin: cousin 表哥 表弟 表姐 表妹 堂哥 堂弟 堂姐 堂妹
    nephew: nephew 侄子 外甥
    niece: niece 侄女 外甥女
    friend: friend 朋友 好友 闺蜜
    boss: boss manager supervisor 老板 上司 领导
    colleague: colleague coworker co-worker teammate 同事
    roommate: roommate flatmate housemate 室友 舍友
    neighbour: neighbour neighbor 邻居
    landlord: landlord landlady 房东
    teacher: teacher mentor 老师 师父 导师
    doctor: doctor therapist
    classmate: classmate 同学
    squire: squire apprentice 徒弟
"""
# Of these, people have many: each goes by name.
MANY: Final = word_set("friend colleague cousin aunt uncle neighbour nephew niece classmate")
_PETS: Final = """
    dog: dog puppy 狗 小狗 狗狗 柯基 金毛 哈士奇 泰迪 拉布拉多 边牧 beagle labrador poodle corgi
    cat: cat kitten kitty 猫 小猫 猫咪 橘猫 布偶猫 英短
    rabbit: rabbit bunny 兔子 小兔子
    hamster: hamster 仓鼠
    bird: bird budgie canary 鸟 小鸟
    parrot: parrot cockatiel 鹦鹉
    fish: goldfish 金鱼
    turtle: turtle tortoise 乌龟
    horse: horse pony mare 马
    snake: snake 蛇
    lizard: lizard gecko 蜥蜴
    falcon: falcon hawk 猎鹰
    guinea_pig: guinea-pig 豚鼠
    ferret: ferret 雪貂
"""
_EVENTS: Final = """
    dentist: dentist dental 牙医 看牙 拔牙 洗牙
    doctor: doctor doctor's gp 医生 看病 复诊
    vet: vet 兽医
    interview: interview 面试
    exam: exam test finals 考试 期末考试
    meeting: meeting 会议 开会 例会 周会
    wedding: wedding 婚礼
    flight: flight plane 航班 飞机
    train: train 火车 高铁
    party: party 派对 聚会
    concert: concert gig 演唱会 音乐会
    appointment: appointment 预约
    trip: trip holiday vacation 旅行 旅游
    conference: conference 大会
    presentation: presentation talk demo 演讲 汇报 答辩
    surgery: surgery operation 手术
    checkup: checkup check-up 体检
    haircut: haircut hairdresser 理发
    ceremony: ceremony graduation 毕业典礼
    match: match game 比赛
    reservation: reservation
    dinner: dinner 晚饭 晚餐
    lunch: lunch 午饭 午餐
    class: class lesson course 课 上课
    call: call 电话会议
    launch: launch release rollout 发布 上线
    delivery: delivery 送货
    rehearsal: rehearsal 排练
    anniversary: anniversary 纪念日
    festival: festival feast coronation 庆典 加冕礼
"""


def _words(table: str) -> dict[str, str]:
    rows = (row.split(":", 1) for row in table.strip().splitlines())
    return {word: name.strip() for name, words in rows for word in words.split()}


KIN: Final = _words(_KIN)
PETS: Final = _words(_PETS)
EVENTS: Final = _words(_EVENTS)

_JUNK: Final = linear(r"[^\w\s'&+#/-]+")
_SPACE: Final = linear(r"\s+")
_LEAD: Final = linear(r"(?:the|a|an|my|our|his|her|their|some|all|very|really)\s+", re.I)
_EDGE: Final = " \t\r\n,，.。;；:：!！?？、\"'“”‘’「」『』()（）*…~～-—_"


def any_of(words: Iterator[str] | dict[str, str], *, chinese: bool) -> str:
    """Return a pattern for any of the words of one language, the longest first."""
    fitting = {word for word in words if word[0].isascii() != chinese}
    return "|".join(re.escape(word) for word in sorted(fitting, key=lambda one: (-len(one), one)))


def thing(text: str) -> str:
    """Return the form in which a name or a thing stands in a key; empty where it cannot."""
    plain = unicodedata.normalize("NFKC", text).lower().replace(".", " ").replace("_", " ")
    plain = _SPACE.sub(" ", _JUNK.sub(" ", plain)).strip(_EDGE)
    while (lead := _LEAD.match(plain)) is not None:
        plain = plain[lead.end() :]
    return plain if len(plain.split()) <= _MOST_WORDS and len(plain) <= LONGEST_KEY // 2 else ""


def phrase(text: str) -> str:
    """Return a value without the signs around it."""
    return _SPACE.sub(" ", text).strip(_EDGE)


def fact(key: str, value: str) -> Fact | None:
    """Return the fact, or None where nothing is left of its key or value, or it is too long."""
    key = _SPACE.sub(" ", key.strip(" .").lower())
    value = phrase(value)
    parts = key.split(".")
    if not value or len(value) > LONGEST_VALUE or len(key) > LONGEST_KEY:
        return None
    if len(parts) < 2 or not all(part.strip() for part in parts):
        return None
    return Fact(key=key, value=value, importance=_importance(parts))


def _importance(parts: list[str]) -> float:
    """Return how much a fact matters: by what it says, and less where it is about another."""
    if parts[0] == "event":
        return _IMPORTANCE["event"]
    first = _IMPORTANCE.get(parts[1], _USUAL)
    last = _IMPORTANCE.get(parts[-1], _USUAL)
    if parts[-1] in ("injury", "holder", "location", "weather", "time", "title", "number"):
        return last
    return first if len(parts) == 2 or parts[1] in _IMPORTANCE else min(max(first, last), 0.7)
