"""Facts that Chinese sentences state about things: dates, orders, devices, projects, wishes."""

from collections.abc import Iterator
from typing import Final

from mnemic.chat.extraction.extraction import Fact
from mnemic.chat.extraction.facts.fact_keys import EVENTS, KIN, any_of, fact, phrase
from mnemic.chat.extraction.facts.rules_chinese import NAME
from mnemic.chat.extraction.facts.words_chinese import DEVICE, LANGUAGES, SYSTEM, TIME, WHEN
from mnemic.runtime.patterns import linear, short

_NUMBERED: Final = short(
    r"(?P<what>订单|工单|快递|运单|航班|预订|预定|会员|账|发票|序列|保单|车次|案件"
    r"|受理)(?:编?号码?|编号)"
    r"(?:码)?\s*(?:是|为|：|:|改成了?)?\s*(?P<x>(?=[A-Za-z-]*\d)[A-Za-z0-9][A-Za-z0-9-]{3,})"
)
_KINDS: Final = {
    "订单": "order",
    "工单": "ticket",
    "快递": "tracking",
    "运单": "tracking",
    "航班": "flight",
    "预订": "booking",
    "预定": "booking",
    "会员": "membership",
    "账": "account",
    "发票": "invoice",
    "序列": "serial",
    "保单": "policy",
    "车次": "train",
    "案件": "case",
    "受理": "case",
}
_SET: Final = (
    r"(?:现在|目前|已经|又|被|大概|差不多|一共|总共|只有|最终|最后|暂时|就"
    r"|还){0,3}(?:从[^，]{1,8}?)?"
    r"(?:是|为|在|定在|定为|改到|改成|改为|延到|延长到|延期到|推迟到|提前到|增加到|增加了到|降到"
    r"|减到|有|调整到|调整为"
    r"|涨到|顺延到|设在|安排在|大概|大约|差不多|约|：|:)了?(?:大概|差不多|一共|大约)?"
)
_DEADLINE: Final = linear(
    rf"(?:截止日期|截止时间|截稿日期|交稿日期|最后期限|期限|截止日|deadline|DDL"
    rf"|ddl)\s*{_SET}(?P<x>{WHEN})"
)
_DUE: Final = linear(
    rf"(?P<what>项目|报告|论文|作业|方案|稿子|初稿)(?:要|得|必须"
    rf"|需要)?(?:在)?(?P<x>{WHEN})(?:之?前)?"
    r"(?:截止|到期|交付|上交|提交|要交|交$)"
)
_BUDGET: Final = linear(
    rf"预算{_SET}(?P<x>[\d一二两三四五六七八九十百千万.,]+(?:多|几)?(?:万|千|百|亿)?(?:人民币"
    rf"|块钱|美元|欧元|块|元|美金|日元)?)"
)
_VERSION: Final = linear(
    r"(?:版本号?|固件)(?:是|为|：|:|已经?是|升级到了?|更新到了?)?\s?[vV]?(?P<x>\d+(?:\.\d+)+)"
    r"|[vV](?P<y>\d+(?:\.\d+)+)版本?"
)
_NAMED_PART: Final = linear(
    rf"(?P<what>客户|项目代号|代号|项目经理|项目负责人|场地|供应商|甲方)(?:就)?(?:是|叫|定在"
    rf"|定的是)了?(?P<x>{NAME})$"
)
_PARTS: Final = {
    "客户": "client",
    "甲方": "client",
    "项目代号": "codename",
    "代号": "codename",
    "项目经理": "project manager",
    "项目负责人": "project manager",
    "场地": "venue",
    "供应商": "supplier",
}
_EVENT: Final = any_of(EVENTS, chinese=True)
_WORDS: Final = r"[\u4e00-\u9fff]{0,3}?"
_DOING: Final = "我们?|要|还|有|约了?|约好|预约了?|安排了?|去|参加|得|会|一?[个场次节]|做|的"
_HAVING: Final = short(
    rf"(?P<x>{WHEN})(?:{_DOING}){{0,3}}(?:(?:在[\u4e00-\u9fff]{{2,8}}?|[和跟][\u4e00-\u9fff]{{1,4}}?)"
    rf"(?:{_DOING}){{0,3}})?(?P<what>{_EVENT})"
)
_BEING: Final = linear(
    rf"(?P<what>{_EVENT})(?:时间|日期)?(?:现在|已经|又|被|临时|就|还是)*"
    r"(?:是|在|定在|约在|安排在|改到|改成|推迟到|提前到|延到|改期到|改在|订在|约的是|起飞时间是)了?"
    rf"(?P<x>{WHEN})"
)
_NICKNAME: Final = short(
    rf"^(?:你们?|您|请|可以|以后|就|都|直接|平时|那|朋友们都|大家都|也|还是)*(?:叫|喊"
    rf"|称呼)我(?:为)?(?P<x>{NAME}?)(?:就行|就好|吧"
    rf"|即可|好了|就可以|行了)?(?:了)?$"
)
_ANSWER_IN: Final = linear(
    rf"(?:用|说|讲|换成)(?P<x>{'|'.join(LANGUAGES)})(?:来|跟我|和我|给我)?(?:回答|回复|交流|说|聊"
    rf"|沟通|写)"
)
_STYLE: Final = linear(
    r"(?:回答|回复)(?:请|尽量|要|得|可以)*(?P<x>简短|简洁|详细|简单|正式)(?:一?点|一些)?"
)
_DEVICE_HERE: Final = short(
    rf"(?:我?用的?(?:手机|电脑|设备)?(?:是|的是)?|在用|手机是|电脑是|设备是|型号是|买了一?[台部]?"
    rf"|换了一?[台部]?|换成了?|我的)"
    rf"(?:一?[台部])?(?P<x>{DEVICE})"
)
_OF_OTHERS: Final = linear(rf"我们?的?(?:{any_of(KIN, chinese=True)})")
_SYSTEM_HERE: Final = linear(
    rf"(?:系统(?:版本)?(?:是|为|：|:)?|运行的是|升级到了?|更新到了?|用的是|装的是"
    rf"|刷了)(?P<x>{SYSTEM})"
)
_MINE: Final = (
    ("health.blood type", linear(r"血型是(?P<x>AB|A|B|O)型?")),
    ("username", linear(r"(?:用户名|账号名)(?:是|为|：|:)\s*(?P<x>[\w@.-]+)")),
)
_CLAUSE: Final = linear(r"[，,；;。！!\s]+")


_NOT_DUE: Final = linear(r"没有?|不用|不去|取消|想|能否|可以|[了过]吗")
_REFUSED: Final = linear(r"不要|别|他们")
_BIRTHDAY: Final = linear(r"(?P<x>\d{1,2}月\d{1,2}[日号])(?:就)?是我的?生日")


def matters_of(sentence: str, me: str, *, by_user: bool) -> Iterator[Fact]:
    """Return what a sentence states about dates, orders and projects; where the user says it, also
    about what they own and how they want to be answered.
    """
    found = [*_numbers(sentence)]
    for clause in _CLAUSE.split(sentence):
        found += _dates(clause)
        if by_user:
            found += _wishes(clause, me)
    if by_user:
        found += _possessions(sentence, me)
    yield from (one for one in found if one is not None)


def _numbers(text: str) -> Iterator[Fact | None]:
    for match in _NUMBERED.finditer(text):
        yield fact(f"{_KINDS[match['what']]}.number", match["x"])
    if match := _VERSION.search(text):
        yield fact("project.version", match["x"] or match["y"])


def _dates(clause: str) -> Iterator[Fact | None]:
    if match := _DEADLINE.search(clause):
        yield fact("project.deadline", match["x"])
        return
    if match := _DUE.search(clause):
        yield fact("project.deadline", match["x"])
        return
    if match := _BUDGET.search(clause):
        yield fact("project.budget", match["x"])
    if match := _NAMED_PART.search(clause):
        yield fact(f"project.{_PARTS[match['what']]}", match["x"])
    if _NOT_DUE.search(clause):
        return
    match = _BEING.search(clause) or _HAVING.search(clause)
    if match is not None:
        yield fact(f"event.{EVENTS[match['what']]}", match["x"])


def _wishes(clause: str, me: str) -> Iterator[Fact | None]:
    match = _NICKNAME.search(clause)
    if match is not None and not _REFUSED.search(clause):
        yield fact(f"{me}.nickname", match["x"])
    if match := _ANSWER_IN.search(clause):
        yield fact(f"{me}.preference.language", match["x"])
    if match := _STYLE.search(clause):
        yield fact(f"{me}.preference.style", f"回答{phrase(match['x'])}")


def _possessions(text: str, me: str) -> Iterator[Fact | None]:
    if match := _BIRTHDAY.search(text):
        yield fact(f"{me}.birthday", match["x"])
    if _OF_OTHERS.search(text):
        return
    if match := _DEVICE_HERE.search(text):
        yield fact(f"{me}.device", match["x"])
    if match := _SYSTEM_HERE.search(text):
        yield fact(f"{me}.os", match["x"])
    for attribute, pattern in _MINE:
        if match := pattern.search(text):
            yield fact(f"{me}.{attribute}", match["x"])


def times_in(text: str) -> list[str]:
    """Return the times that a text names."""
    return [match[0] for match in TIME.finditer(text)]
