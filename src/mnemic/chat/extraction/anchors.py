"""What a summary must not lose: names, numbers and dates, in English and Chinese."""

import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from typing import Final

from mnemic.language.lexicon.function_words import CHINESE_SURNAMES
from mnemic.language.lexicon.stopwords import CHINESE, ENGLISH
from mnemic.language.tokens import normalise
from mnemic.runtime.patterns import linear, short

_HAN: Final = "\u3400-\u4dbf\u4e00-\u9fff"
_LATIN_WORD: Final = linear(rf"[^\W\d_{_HAN}][^\W_{_HAN}]*(?:['’.\-][^\W_{_HAN}]+)*")
# A number with what it counts: "3 May" and "3 kg" are different things to remember.
_NUMBER: Final = linear(
    rf"(?<![A-Za-z\d])[$€£¥]?\d+(?:[.,:/\-]\d+)*(?:st|nd|rd|th)?"
    rf"(?:\s?(?:%|(?!(?:{'|'.join(sorted(ENGLISH))})\b)[^\W\d_{_HAN}]+|[{_HAN}]))?"
)
_MEASURES: Final = (
    "年|月|日|号|点|天|周|岁|元|块|万|小时|分钟|公里|公斤|斤|米|人|杯|瓶|台|套|楼|层|倍|成|折"
    "|星期|礼拜|个月|个星期|个小时"
)
_CHINESE_NUMBER: Final = short(
    rf"(?:第?[一二两三四五六七八九十百千万半几]+(?:{_MEASURES})"
    r"|[二两三四五六七八九十百千万]+[个次位名件张家条只本])"
)
_TIME: Final = linear(
    r"(?:上|下|这|本)?个?(?:周|星期|礼拜)[一二三四五六日天末]|[今明后昨前]天|[今明去前后]年"
    r"|[上下这本]个?(?:周|月|星期|礼拜)|(?:元旦|春节|中秋|端午|国庆)"
    r"|\b(?:today|tonight|tomorrow|yesterday|(?:next|last|this) (?:week|weekend|month|year|spring"
    r"|summer|autumn|fall|winter)|noon|midnight)\b",
    re.IGNORECASE,
)
_TITLED: Final = (
    "先生|女士|小姐|老师|医生|大夫|教授|经理|师傅|奶奶|爷爷|叔叔|阿姨|同学|律师|队长|老板|公主|王子"
)
# Two characters are enough to know a name by, because texts are quoted as they are.
_CHINESE_NAME: Final = linear(
    rf"[{_HAN}]{{1,2}}(?:{_TITLED})"
    rf"|[小老阿][{''.join(sorted(CHINESE_SURNAMES))}]"
    rf"|(?:(?<![{_HAN}])|(?<=[和与跟对给叫是找问让请被把]))"
    rf"[{''.join(sorted(CHINESE_SURNAMES))}][{_HAN}]"
)
# Words that begin like a name.
_NO_NAMES: Final = (
    " 高兴 高级 高度 高中 高铁 方便 方法 方面 方案 方向 任务 任何 白天 白色 马上 马路"
    " 金额 金色 黄色 黄金 常常 常见 文件 文化 文字 文章 万一 许多 周末 周围 周年 周期"
    " 周一 周二 周三 周四 周五 周六 周日 周天 石头 江边 余下 余额 叶子 康复 易于 武器"
    " 武术 毛病 毛衣 顾客 顾虑 谢谢 林子 程序 程度 于是 曾经 夏天 夏季 钟头 汤里 钱包"
    " 孔子 雷雨 龙虾 段时 胡同 胡子 何时 何处 何况 石油 田野 范围 贺卡 杜绝 "
)
_QUOTED: Final = linear(r"《[^》\n]{1,30}》|「[^」\n]{1,20}」")
_PLACE: Final = linear(
    "北京|上海|天津|重庆|广州|深圳|杭州|南京|苏州|成都|武汉|西安|长沙|郑州|青岛|厦门|大连|宁波|昆明|沈阳"
    "|哈尔滨|济南|合肥|福州|香港|澳门|台北|新疆|西藏|云南|四川|广东|浙江|江苏|山东|河南|湖南|湖北|福建"
    "|海南|中国|日本|韩国|美国|英国|法国|德国|意大利|西班牙|葡萄牙|俄罗斯|泰国|印度|澳大利亚|加拿大"
    "|东京|大阪|首尔|纽约|伦敦|巴黎|柏林|罗马|悉尼|新加坡"
    rf"|[{_HAN}]{{2}}(?:大学|医院|公司|机场|车站|公园|餐厅|酒店)"
    rf"|(?:搬[到去]|住在|来自|飞往|前往)[{_HAN}]{{2}}"
)
_ADDRESS: Final = linear(
    r"https?://[!-~]+|(?<![\w.+\-])[\w.+\-]+@[A-Za-z0-9.\-]+[A-Za-z0-9]", re.ASCII
)
_PATTERNS: Final = (_ADDRESS, _NUMBER, _CHINESE_NUMBER, _TIME, _CHINESE_NAME, _PLACE, _QUOTED)


@dataclass(frozen=True, slots=True)
class Anchor:
    """Where a name, number or date stands in a text; `key` is the same for the same one."""

    start: int
    end: int
    key: str


def anchors(text: str, *, plain: Collection[str] = ()) -> list[Anchor]:
    """Return the names, numbers and dates of a sentence, in order.

    A capital tells a name; at the start of the sentence only if the word is not in `plain`, the
    words that are written in lower case elsewhere.
    """
    found = [
        Anchor(match.start(), match.end(), normalise(match[0]))
        for pattern in _PATTERNS
        for match in pattern.finditer(text)
        if pattern is not _CHINESE_NAME or _is_name(match[0])
    ]
    found.extend(_names(text, plain))
    return sorted(found, key=lambda one: (one.start, one.end))


def plain_words(text: str) -> frozenset[str]:
    """Return the words that a text writes in lower case, so that they are no names."""
    return frozenset(match[0] for match in _LATIN_WORD.finditer(text) if match[0].islower())


def _is_name(word: str) -> bool:
    return f" {word} " not in _NO_NAMES and word[-1] not in CHINESE


def _names(text: str, plain: Collection[str]) -> Iterator[Anchor]:
    first = True
    for match in _LATIN_WORD.finditer(text):
        word = match[0]
        low = word.lower().replace("’", "'").removesuffix("'s")
        opening, first = first, False
        # A code such as b12 is known by its digit, a name by its capital.
        capital = word[0].isupper() and low not in ENGLISH and not (opening and low in plain)
        if capital or any(character.isdigit() for character in word):
            yield Anchor(match.start(), match.end(), low)
