"""What people say to be with each other: it names nothing that could be remembered."""

_WORDS = """
    absolutely actually afk agree ah aha already alright amazing anytime anyway appreciate aw
    awesome aww back bit bless brb bro btw busy bye cheers continue cool correct crazy cute damn day
    dear definitely doing dude enjoy evening exactly excellent fair fantastic feel feeling feels
    fine fun funny glad god going gonna good goodbye goodnight gotcha great gtg guess ha haha hahaha
    happy hear hehe hello help helpful hey hi hilarious hiya hm hmm hmmm hope idk indeed interesting
    keep later little lmao lmfao lol long lot lovely mate maybe mean mhm mind minute moment morning
    nah new nice night nope oh ok okay omg ooc ooh oops ouch perfect pls pretty probably ready real
    really right rofl sad sec second see sense seriously sleep sleepy soon sorry sound sounds still
    suck super sure sweet take tbh thank thanks think though thought thx tired today tonight totally
    true try ttyl tysm ugh uh uhh um understand understood wait wanna want weekend weird welcome
    well whatever whoa wild wonder wonderful worries worry wow xd yay yeah yep yup
"""

# Chinese has no spaces: phrases are taken out where they stand, the longest first.
_PHRASES = """
    哈哈 哈 呵呵 嘿嘿 嘻嘻 早上好 早安 晚上好 晚安 下午好 中午好 你好 您好 在吗 在不在 谢谢 多谢
    感谢 辛苦 再见 拜拜 好的 好吧 好呀 好啊 嗯 哦 噢 喔 哎呀 哎 唉 哇 真的 当然 没事 没关系
    没问题 不客气 不用谢 对不起 抱歉 不好意思 知道了 明白 了解 收到 懂了 继续 然后 是的 对的
    是吗 厉害 真棒 太棒 不错 有意思 好笑 好玩 今天怎么样 过得怎么样 还好 好累 累了 困了 睡觉了
    睡了吗 睡得好 吃了吗 吃饭了吗 吃饭没 吃个饭 吃饭 在干嘛 干嘛呢 在忙吗 忙吗 加油 回来了 等等
    等一下 等会 一会儿 马上 稍等 可能吧 也许 随便 天啊 天哪 我的天 我去 呜呜 亲爱的 宝贝 有道理
    同意 最近怎么样 心情 太好了 真好 好开心 开心 算了 都行 今天 行吧
"""

WORDS = frozenset(_WORDS.split())
PHRASES = frozenset(_PHRASES.split())
