"""Words too common to tell one memory from another. They are indexed, but a query drops them."""

_ENGLISH = """
    a about above after again all also am an and any are aren't as at be because been before being
    below between both but by can can't cannot could couldn't d did didn't do does doesn't doing
    don't down during each else ever few for from further get gets getting give given go goes going
    got had hadn't has hasn't have haven't having he her here hers herself him himself his how i
    i'd i'll i'm i've if in into is isn't it it's its itself just kind let like ll m made make many
    may me might more most much must my myself no nor not now of off on once one only or other our
    ours ourselves out over own please quite rather re s same say says shall she should shouldn't
    so some such t tell than that that's the their theirs them themselves then there there's these
    they they're thing things this those through to too under until up upon us ve very was wasn't
    way we we're were weren't what what's when where which while who whom whose why will with won't
    would wouldn't yes yet you you'd you'll you're you've your yours yourself yourselves
"""

# Single characters and pairs that carry grammar, not content.
_CHINESE = """
    的 了 是 我 你 他 她 它 们 在 有 和 与 及 或 也 都 就 还 又 很 更 最 被 把 给 让 使 对 从 向
    到 于 以 为 因 所 而 且 但 却 若 如 则 之 其 此 这 那 哪 谁 吗 呢 吧 啊 呀 嘛 么 个 些 着 过
    得 地 等 能 会 要 想 去 来 做 说 请 问 什 怎 样 何 几 多 少 时 候 里 上 下 中 一 不 没 我们
    你们 他们 她们 它们 什么 怎么 怎样 为什 多少 哪里 哪个 哪些 哪儿 如何 是否 可以 这个 那个
    这些 那些 一个 一些 一下 因为 所以 但是 而且 或者 以及 如果 时候 是什 么样 请问 告诉 诉我
    我的 你的 他的 她的 有没 没有 的是 是我 了吗 是在 在哪 是谁 有什 的时 么时
"""


ENGLISH = frozenset(_ENGLISH.split())
CHINESE = frozenset(_CHINESE.split())
