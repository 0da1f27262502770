"""Words that carry nothing by themselves, and the names of families, in English and Chinese."""

from typing import Final

from mnemic.language.lexicon.concepts import word_set

# A verb or a noun that only says that something is asked for: it carries nothing by itself.
ENGLISH_EMPTY: Final = word_set(
    "know known remember remembered recall tell told say said mean show find look remind think"
    " usually currently still exactly again ever actually today yesterday tomorrow tonight week"
    " month year day time date last next past ago name's right thing things stuff anything"
    " something"
    " everything someone anyone somebody anybody people person really need want going happen"
    " happened happens do did does done doing any detail details info information memory memories"
    " note notes noted mention mentioned hi hello hey ok okay please well so also too lately"
    " recently"
    " monday tuesday wednesday thursday friday saturday sunday weekend morning afternoon evening"
    " night"
    " often always sometimes long far thanks thank many much favor kind type sort use using used"
    " my mine"
    " me i"
    " get gets got give put let place number lot every each daily plan plans planned schedule"
    " scheduled agenda calendar take"
    " january february march april june july august september october november december"
)
CHINESE_EMPTY: Final = word_set(
    "我们 你们 他们 她们 我的 你的 他的 她的 我 你 您 他 她 它 的 了 吗 呢 吧 啊 呀 嘛 么 是 在"
    " 有 什么时候"
    " 什么 啥 哪里 哪儿 哪个 哪些 哪天 哪 谁 怎么样 怎么 怎样 如何 为什么 为何 为啥 多少 多久"
    " 几点 几 多"
    " 请问 请 告诉我 告诉 知道 记得 记住 还 也 都 和 跟 与 那么 那 这个 这些 这 个 些 要 会 能"
    " 可以 应该 想"
    " 去 到 过 时候 何时 一下 现在 目前 最近 平时 通常 一般 经常 今天 昨天 明天 前天 后天 今晚"
    " 昨晚 上周 下周"
    " 本周 这周 上个月 这个月 下个月 上月 今年 去年 明年 早上 上午 中午 下午 晚上 周末 星期 礼拜"
    " 周一 周二"
    " 周三 周四 周五 周六 周日 事情 事 东西 地方 时间 日期 做 干 发生 说过 说 讲 提到 提过 安排"
    " 有没有 没有 是否"
    " 是不是 给 把 被 对 从 一个 一名 一位 一些 叫做 就 又 很 最 不 没 之前 以前 曾经 关于 哪位"
    " 一位 位"
    " 一种 种 具体 详细 信息 内容 相关 情况 一次 上次 下次 哪一天 哪年 哪一年 几月 几号 多大的"
    " 谢谢 感谢 提醒我 提醒 多长"
    " 几个 找"
    " 看看 看 玩 查 列出 哪种 啦 着 自己 别的 其他 另外 更多 还有 并 但 而 或 于 需要 是在 每天"
    " 每周 每年 每月 每次 我家 星期几 周几 哪些人 一共 总共 多少钱"
)
CHINESE_SURNAMES: Final = frozenset(
    "王李张刘陈杨赵黄周吴徐孙胡朱高林何郭马罗梁宋郑谢韩唐冯于董萧程曹袁邓许傅沈曾彭吕苏卢蒋蔡贾丁魏"
    "薛叶阎余潘杜戴夏钟汪田任姜范方石姚谭廖邹熊金陆郝孔白崔康毛邱秦江史顾侯邵孟龙万段雷钱汤尹黎易常武"
    "乔贺赖龚文"
)
