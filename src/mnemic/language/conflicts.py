"""Which difference makes two almost equal texts two lessons.

"Grip with 9 N" and "grip with 11 N" share nearly every word and mean different things. A text's
fingerprint holds what must be equal before two texts may count as one.
"""

import re
import unicodedata
from collections import Counter
from dataclasses import dataclass
from typing import Literal

from mnemic.language.lexicon.categories import TRADITIONAL
from mnemic.runtime.patterns import linear

Difference = Literal["number", "unit", "negation", "outcome", "opposite"]


@dataclass(frozen=True, slots=True)
class Fingerprint:
    """What a text commits itself to; equal fingerprints never conflict."""

    numbers: tuple[str, ...]
    units: tuple[str, ...]
    negations: int
    succeeds: bool
    fails: bool
    # One entry per pair of opposites in the text: the pair's number and its sides in order.
    opposites: tuple[tuple[int, str], ...]


def conflict(a: str | Fingerprint, b: str | Fingerprint) -> Difference | None:
    """Return the difference that keeps two texts (or fingerprints) apart, or None."""
    return kind_of_conflict(
        a if isinstance(a, Fingerprint) else fingerprint(a),
        b if isinstance(b, Fingerprint) else fingerprint(b),
    )


def kind_of_conflict(one: Fingerprint, other: Fingerprint) -> Difference | None:
    """Return the first kind of difference between two fingerprints that matters, or None."""
    if one.numbers != other.numbers:
        return "number"
    if one.units != other.units and _replaced(one.units, other.units):
        return "unit"
    if _negated(one) != _negated(other):
        return "negation"
    if (one.succeeds, one.fails) != (other.succeeds, other.fails):
        return "outcome"
    if one.opposites != other.opposites and _reversed(one, other):
        return "opposite"
    return None


def fingerprint(text: str) -> Fingerprint:
    """Return what decides whether this text conflicts with another one."""
    plain = unicodedata.normalize("NFKC", text).lower().translate(TRADITIONAL).replace("’", "'")
    counted = with_digits(plain)
    chinese = [] if plain.isascii() else _chinese_words(plain)
    words = [*_WORD.findall(plain), *chinese]
    return Fingerprint(
        numbers=tuple(sorted(canonical_number(number) for number in NUMBER.findall(counted))),
        units=tuple(sorted(UNIT_NAMES[unit] for unit in UNIT.findall(counted))),
        negations=len(_NEGATION.findall(plain)) + sum(map(_CHINESE_NEGATION.__contains__, chinese)),
        succeeds=not _SUCCESS.isdisjoint(words),
        fails=not _FAILURE.isdisjoint(words),
        opposites=_opposites(words),
    )


def _replaced(ours: tuple[str, ...], theirs: tuple[str, ...]) -> bool:
    # "9" and "9 N" may be the same lesson, "9 mm" and "9 cm" are not.
    one, other = Counter(ours), Counter(theirs)
    return bool(one - other) and bool(other - one)


def _negated(one: Fingerprint) -> tuple[bool, bool]:
    # Two negations are not none: "never push, never pull" is far from "push, pull".
    return one.negations > 0, one.negations % 2 == 1


def _reversed(one: Fingerprint, other: Fingerprint) -> bool:
    theirs = dict(other.opposites)
    for pair, sides in one.opposites:
        other_sides = theirs.get(pair, "")
        more_left = sides.count("<") - other_sides.count("<")
        more_right = sides.count(">") - other_sides.count(">")
        swapped = more_left == more_right == 0 and sides != other_sides
        if swapped or more_left * more_right < 0:
            return True
    return False


def _opposites(words: list[str]) -> tuple[tuple[int, str], ...]:
    sides: dict[int, str] = {}
    for word in words:
        if side := _SIDES.get(word):
            pair, mark = side
            sides[pair] = sides.get(pair, "") + mark
    return tuple(sorted(sides.items()))


# --- Numbers and units ---------------------------------------------------------------------

_ONES = """
    zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen
    sixteen seventeen eighteen nineteen
"""
_TENS = "twenty thirty forty fifty sixty seventy eighty ninety"
_ORDINALS = "third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth"
_VALUES = {
    **{word: value for value, word in enumerate(_ONES.split())},
    **{word: 10 * tens for tens, word in enumerate(_TENS.split(), start=2)},
    # "First" and "second" are left out: they also mean "to begin with" and a unit of time.
    **{word: value for value, word in enumerate(_ORDINALS.split(), start=3)},
}
_SCALES = {"hundred": 100, "thousand": 1_000, "million": 1_000_000}
_COUNTING = "|".join([*_VALUES, *_SCALES])
_NUMBER_WORDS = linear(
    rf"(?<![a-z])(?:{_COUNTING})(?:[ -](?:and )?(?:{_COUNTING})){{0,12}}(?![a-z])"
)
# These ones count nothing.
_PRONOUN = linear(
    r"(?<![a-z])(?:(?:this|that|the|which|each|every|no|another|any) one|one of)(?![a-z])"
)

_CHINESE_DIGITS = {char: value for value, char in enumerate("零一二三四五六七八九")} | {"两": 2}
_CHINESE_SCALES = {"十": 10, "百": 100, "千": 1_000, "万": 10_000, "亿": 100_000_000}
# 一个 and 一种 mean "a"; 万一, 千万 and 十分 are no numbers at all.
_CHINESE_NUMBER = linear(
    r"(?!万一|千万|十分(?![钟之米])|百分之)(?:[零一二两三四五六七八九十百千万亿]{2,32}"
    r"|[二两三四五六七八九十]|(?<=第)一|一(?=[次秒米牛度号轮档倍步台层级遍天年月日周]|毫|厘|小时|分钟))"
)
# 3万 is 30000.
_SCALED = linear(r"(?<![0-9.])([0-9]{1,9}(?:\.[0-9]{1,4})?)([万亿])")
_PERCENT = linear(r"百分之([0-9.]+)")

NUMBER = linear(
    r"(?:(?<![\w.)-])[-−])?(?:(?:[0-9]{1,3}(?:,[0-9]{3}){1,8}(?![0-9])|[0-9]+)(?:\.[0-9]+)?"
    r"|(?<![\w.])\.[0-9]+)(?:e[-+]?[0-9]+)?"
)

# Every line is one unit, first as it is compared.
_UNITS = """
    n newton newtons 牛 牛顿
    nm n·m 牛米
    mm millimeter millimeters millimetre millimetres 毫米
    cm centimeter centimeters centimetre centimetres 厘米 公分
    m meter meters metre metres 米
    km kilometer kilometers kilometre kilometres 公里 千米
    um μm micron microns 微米
    inch inches 英寸
    ft foot feet 英尺
    s sec secs second seconds 秒 秒钟
    ms msec millisecond milliseconds 毫秒
    us μs microsecond microseconds 微秒
    min mins minute minutes 分钟
    h hr hrs hour hours 小时
    day days 天
    week weeks 周 星期
    month months 个月
    year years 年
    hz hertz 赫兹
    khz kilohertz 千赫
    mhz megahertz 兆赫
    ghz gigahertz
    kg kilogram kilograms kilo kilos 公斤 千克
    g gram grams 克
    mg milligram milligrams 毫克
    lb lbs pound pounds 磅
    % percent 百分比
    deg ° °c degree degrees celsius 度 摄氏度
    °f fahrenheit 华氏度
    rad radian radians 弧度
    v volt volts 伏 伏特
    mv millivolt millivolts 毫伏
    amp amps ampere amperes 安 安培
    ma milliamp milliamps 毫安
    w watt watts 瓦 瓦特
    kw kilowatt kilowatts 千瓦
    pa pascal pascals 帕
    kpa 千帕
    mpa 兆帕
    bar bars 巴
    m/s 米/秒 米每秒
    mm/s 毫米/秒 毫米每秒
    rad/s 弧度/秒
    deg/s °/s 度/秒 度每秒
    rpm 转
    fps 帧
    px pixel pixels 像素
    kb
    mb
    gb
    tb
    x times 倍
"""
UNIT_NAMES = {
    name: line.split()[0] for line in _UNITS.strip().splitlines() for name in line.split()
}
_LONGEST_FIRST = "|".join(re.escape(name) for name in sorted(UNIT_NAMES, key=len, reverse=True))
UNIT = linear(rf"(?<=[0-9])[ -]?({_LONGEST_FIRST})(?![a-z])")


def with_digits(plain: str) -> str:
    """Return the text with its number words, English and Chinese, written as digits."""
    counted = plain
    if not plain.isascii():
        counted = _CHINESE_NUMBER.sub(lambda found: _chinese_value(found[0]), counted)
        counted = _SCALED.sub(lambda found: _scaled_value(found[1], found[2]), counted)
        counted = _PERCENT.sub(r"\1%", counted)
    if not _VALUES.keys().isdisjoint(_WORD.findall(plain)) or "hundred" in plain:
        counted = _PRONOUN.sub(" ", counted)
        counted = _NUMBER_WORDS.sub(lambda found: _english_value(found[0]), counted)
    return counted


def _scaled_value(digits: str, scale: str) -> str:
    return f"{round(float(digits) * _CHINESE_SCALES[scale], 4):f}"


def _english_value(words: str) -> str:
    total, current = 0, 0
    for word in words.replace("-", " ").split(" "):
        if word in _SCALES:
            current = max(current, 1) * _SCALES[word]
            if _SCALES[word] > 100:
                total, current = total + current, 0
        else:
            current += _VALUES.get(word, 0)
    return str(total + current)


def _chinese_value(numerals: str) -> str:
    if _CHINESE_SCALES.keys().isdisjoint(numerals):
        return "".join(str(_CHINESE_DIGITS[numeral]) for numeral in numerals)
    total, section, digit = 0, 0, 0
    for numeral in numerals:
        scale = _CHINESE_SCALES.get(numeral, 0)
        if scale >= 10_000:
            total, section, digit = (total + section + digit) * scale, 0, 0
        elif scale:
            section, digit = section + max(digit, 1) * scale, 0
        else:
            digit = _CHINESE_DIGITS[numeral]
    return str(total + section + digit)


def canonical_number(number: str) -> str:
    """Return the one spelling of a number: 1,000 is 1000 and 9.0 is 9."""
    number = number.replace(",", "").replace("−", "-")
    sign, digits = ("-", number[1:]) if number.startswith("-") else ("", number)
    if "." in digits and "e" not in digits:
        digits = digits.rstrip("0").rstrip(".")
    return sign + (digits.lstrip("0") or "0")


# --- Words that turn a lesson round ---------------------------------------------------------

_WORD = linear("[a-z]+")
_NEGATION = linear(
    r"(?<![a-z])(?:not(?! only)|never|no(?!\.? ?[0-9])|none|nothing|nobody|neither|nor|without"
    r"|cannot|(?:do|does|did|is|are|was|were|ca|wo|could|would|should|has|have)nt)(?![a-z])"
    r"|n't(?![a-z])"
)
_CHINESE_NEGATION = frozenset("不没未无别勿非否莫")

# "~" stands for the English endings.
_SUCCEEDING = "succeed~ success~ successful~ work~ pass~ achieve~ 成功 通过 正常 有效 可行 奏效"
_FAILING = """
    fail~ failure~ unsuccessful~ crash~ error~ wrong~ incorrect~ break breaks breaking broke broken
    失败 出错 错误 报错 崩溃 故障 异常 失效 无效 坏了 失灵
"""
# Both sides of a line exclude each other. A lesson turns round when one gives way to the other.
_OPPOSITES = """
    left | right
    up upward upwards | down downward downwards
    high~ upper | low~
    open~ | close~ shut
    increase~ raise~ grow~ | decrease~ reduce~ drop~
    before | after
    above | below
    over | under
    more most | less fewer least
    min minimum minimal | max maximum maximal
    enable~ | disable~
    true | false
    on | off
    start~ begin~ | stop~
    fast~ quick~ | slow~
    forward~ | backward~
    push~ | pull~
    top | bottom
    front | back rear
    inside | outside
    near nearer nearest | far farther further
    hot hotter warm~ | cold~ cool~
    wet wetter | dry drier
    full | empty
    heavy heavier | light lighter
    big bigger large~ | small~
    long~ | short~
    tight~ | loose~
    hard harder | soft~
    strong~ | weak~
    good better best | bad worse worst
    first | last
    early earlier | late later
    always | sometimes
    allow~ permit~ | deny denied forbid forbidden
    accept~ | reject~
    add~ | remove~
    connect~ | disconnect~
    lock~ | unlock~
    valid | invalid
    safe~ | unsafe dangerous
    same | different
    clockwise | counterclockwise anticlockwise
    horizontal~ | vertical~
    positive~ | negative~
    开 打开 开启 | 关 关闭
    增 增加 增大 提高 升高 加大 | 减 减少 减小 降低
    前 之前 以前 先 | 后 之后 以后
    内 里 | 外
    早 早上 | 晚 晚上
    进 入 | 出
    启用 | 禁用 停用
    允许 | 禁止
    顺时针 | 逆时针
    安全 | 危险
    好 | 坏 差
"""
_CHINESE_OPPOSITES = (
    "左右 上下 高低 多少 快慢 大小 长短 远近 干湿 冷热 轻重 松紧 硬软 强弱 推拉 真假"
)
# Words in which the characters above mean something else, or both sides at once.
_HARMLESS = """
    不仅 不但 不过 不断 不少 不错 不久 不管 不论 不然 不锈钢 差不多 对不起 不得不 不妨 无论 无线
    无人 无限 未来 没关系 别人 别的 区别 分别 特别 级别 类别 识别 性别 鉴别 辨别 别名 非常 是非
    除非 是否 能否 否则 有没有 大学 大家 大概 大约 大量 大多 大部分 小时 小心 小组 小明 小红 小李
    小王 大小 左右 上下 多少 高低 快慢 开关 前后 进出 内外 长短 关于 关节 关键 相关 有关 关系 关注
    开始 开发 展开 离开 公开 上述 上海 一下 多次 多个 许多 多种 高兴 目前 前提 当前 然后 后来 最后
    最近 附近 近期 重要 重新 重复 重试 严重 重点 重启 长度 长期 里程 这里 那里 哪里 进行 进程 改进
    先进 出现 提出 指出 突出 干净 干扰 此外 另外 例外 内容 真的 认真 真实 好像 好的 最好 强制 快递
    尽快 轻松 推荐 推理 短信 远程 永远 差异 误差 偏差 早就
"""


def _forms(words: str) -> list[str]:
    """Return the words, those with "~" in every form; forms that do not exist do no harm."""
    forms: list[str] = []
    for word in words.split():
        stem = word.removesuffix("~")
        forms.append(stem)
        if stem != word:
            forms += [stem + ending for ending in _ENDINGS]
            forms += [stem[:-1] + "ing", stem + stem[-1] + "ed", stem + stem[-1] + "ing"]
    return forms


_ENDINGS = ("s", "es", "d", "r", "ed", "ing", "er", "st", "est", "ly")
_SUCCESS = frozenset(_forms(_SUCCEEDING))
_FAILURE = frozenset(_forms(_FAILING))
_PAIRS = [
    *(line.split("|") for line in _OPPOSITES.strip().splitlines()),
    *(list(pair) for pair in _CHINESE_OPPOSITES.split()),
]
_SIDES = {
    word: (number, mark)
    for number, pair in enumerate(_PAIRS)
    for mark, side in zip("<>", pair, strict=True)
    for word in _forms(side)
}
_CHINESE_WORDS = {
    word
    for word in (*_SIDES, *_SUCCESS, *_FAILURE, *_HARMLESS.split(), *_CHINESE_NEGATION)
    if not word.isascii()
}
_BEGINNING = linear(f"[{''.join(sorted({word[0] for word in _CHINESE_WORDS}))}]")
_LENGTHS = sorted({len(word) for word in _CHINESE_WORDS}, reverse=True)
# 好不好 asks, it does not deny.
_ASKING = linear(r"([一-鿿])[不没]\1")


def _chinese_words(plain: str) -> list[str]:
    """Return the words of the tables above in the order of the text, the longest at each place."""
    text = _ASKING.sub(" ", plain)
    words: list[str] = []
    end = 0
    # One alternation of all the words would be slower.
    for beginning in _BEGINNING.finditer(text):
        start = beginning.start()
        for length in _LENGTHS if start >= end else ():
            word = text[start : start + length]
            if word in _CHINESE_WORDS:
                words.append(word)
                end = start + length
                break
    return words
