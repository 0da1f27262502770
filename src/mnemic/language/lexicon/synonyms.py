"""Words that can be left out or exchanged without changing what a sentence says.

Words with one meaning stand together, first as they are compared; " / " parts the meanings. The
tables are short on purpose: a word that is missing costs a memory stored twice, a word too many
costs a memory.
"""

# Grammar, politeness and emphasis. "Only", "all", "almost" and "must" are missing: they matter.
ENGLISH_FILLERS = """
    a an the some any am is are was were be being been do does did has have had having there it its
    that which who whom and also too very really just so then actually still already again quite
    please kindly well oh hey hi hello okay ok simply currently now indeed totally certainly surely
    definitely exactly basically literally even rather pretty however but such truly overall
    meanwhile moreover furthermore additionally therefore thus hence of course obviously clearly mr
    mrs ms
"""
ENGLISH_SYNONYMS = """
    can could may might able / will would shall gonna / must / should ought / man men
    woman women lady ladies / child children kid kids / person people persons / someone somebody
    everyone everybody / foot feet / tooth teeth / mouse mice / knife knives / shelf shelves
    leaf leaves / wife wives / life lives / half halves / ride rode ridden / run ran
    sit sat seated / eat ate eaten / drive drove driven / write wrote written / break broke broken
    take took taken / give gave given / go went gone / come came / become became / see saw seen
    say said / tell told / make made / find found / hold held / stand stood
    throw threw thrown toss / catch caught / fall fell fallen / fly flew flown / swim swam swum
    sing sang sung / speak spoke spoken talk chat / wear wore worn / drink drank drunk
    know knew known / grow grew grown / draw drew drawn / show showed shown / blow blew blown
    freeze froze frozen / shake shook shaken / steal stole stolen / slide slid / shoot shot
    fight fought / bring brought / think thought / teach taught / send sent / spend spent
    lose lost / leave left / keep kept / feel felt / sleep slept asleep / meet met / lie lay lying
    hang hung / hit strike struck / win won / lead led / feed fed / sell sold / pay paid
    hear heard / mean meant / bend bent / bind bound / stick stuck / wind wound / spin spun
    tear tore torn / seek sought / buy bought purchase / build built construct
    begin began begun start commence / stop halt cease / finish complete / fix repair mend
    try tried attempt / get got obtain / use utilize employ / help assist aid / need require
    allow permit / grasp grab grip / choose chose chosen select / show display / happen occur
    cause trigger / check verify / ensure guarantee / avoid prevent / remove delete
    change alter modify / look gaze / jump leap hop / shout yell scream / cut slice chop
    rotate turn / lift raise / place put / carry transport / answer reply respond / ask inquire
    warn alert / kill slay / attack assault / predict forecast / announce declare / accuse blame
    gather collect / combine merge / connect attach / separate detach / examine inspect / sofa couch
    film movie / car automobile / photo photograph picture / bike bicycle / motorbike motorcycle
    road street / tv television / phone telephone / house home
    plane airplane aeroplane aircraft jet / ship boat vessel / fridge refrigerator
    rubbish garbage trash / store shop / stone rock / forest woods / sea ocean / lawyer attorney
    doctor physician / policeman cop / company firm / city town / error mistake / problem issue
    method technique / task job / goal target / result outcome / reason grounds / part component
    tool instrument / rug carpet / big large / huge enormous giant gigantic / small little tiny
    fast quick rapid swift / happy glad / sad unhappy / ill sick / near nearby
    below beneath underneath / toward towards / until till / while whilst / among amongst
    although though / perhaps maybe possibly / often frequently / always constantly
    usually normally typically / immediately instantly / suddenly abruptly / rarely seldom
    approximately roughly / easy simple / dangerous hazardous risky / silent quiet
    fragile breakable / slippery slick / damp moist / dirty filthy / rich wealthy / angry mad
    scared afraid / outdoors outside / indoors inside / alone solo / entire whole
    several multiple various / grey gray / metre meter / centre center / theatre theater
    litre liter / tyre tire / programme program / aluminium aluminum / usa america / uk britain
    percent pct / january jan / february feb / august aug / september sept / october oct
    november nov / december dec
"""
# Several words for one, tried before the words above.
ENGLISH_PHRASES = """
    because: due to / because of / owing to / since / as a result of / on account of
    to: in order to / so as to
    can: am able to / is able to / are able to / be able to
    must: has to / have to / had to / needs to / need to / is required to
    will: is going to / are going to / am going to
    many: a lot of / lots of / plenty of / a number of / a large number of
    much: a great deal of
    every time: each time / whenever / every single time
    beside: next to / close to / alongside
    ahead: in front of
    in: inside of / into / inside
    on: on top of / onto / upon / atop
    out: out of
    although: even though / in spite of the fact that / despite the fact that
    if: in case / provided that
    before: prior to / ahead of
    say: according to
    look: looking at / look at / looks at / looked at
    lift: picking up / pick up / picks up / picked up
    cut: cutting up / cut up / cuts up / slicing up / chopping up
    about: with regard to / regarding / concerning
    instead of: rather than / in place of
    cannot: can not / is unable to / are unable to / was unable to
    tv: television set
    :: a group of / group of / a bunch of / a piece of / a kind of / a sort of / a type of
    :: as well as / as well
    :: at the moment / right now / at present / of course / in fact / for example
    :: in addition / each other / one another / sort of / kind of
"""

# Where they stand alone they change the tone or the grammar, not the matter.
CHINESE_FILLERS = """
    请问 请 麻烦 您好 你好 谢谢 谢谢您 谢谢你 帮我 给我 帮忙 帮 吗 呢 啊 呀 哦 吧 嘛 么 麽 啦 哟 噢
    哈 嗯 唉 喔 咯 诶 勒 咧 哇 呐 滴 嘞 的 了 地 得 着 一下 一下子 一个 一只 一张 一条 一位 一名
    一种 一件 一款 一些 一首 一部 一家 一台 一本 一段 一点 一点儿 个 就 都 也 又 还 很 非常 特别
    真的 真是 真 十分 挺 超级 到底 究竟 其实 那么 这么 的话 我想问 想问 我想知道 想知道 问下 问一下
    话说 大家知道 大家 各位 谁知道 有谁知道 有人知道 你知道 你们知道 告诉我 我要 我想 正在 在 会 把
    将 且 并 并且 和 与 以及 及 于 关于 对于 儿 已经 已 现在 目前 当前 如今 亲 实在 简直 确实 的确
    当然 总之 另外 此外 然后 接着 随后
"""
# Words that hold a filler and are no fillers.
CHINESE_WHOLE = """
    还款 还钱 还清 还贷 归还 退还 偿还 会议 会员 会计 机会 社会 首都 都市 和平 和谐 和田 真空 真实
    真正 得到 取得 获得 地方 地址 地板 地图 地面 地点 地区 地铁 地上 地下 土地 目的 着火 着急 着陆
    个人 个性 就业 成就 将军 存在 所在 在线 内在 太阳 太太 超过 超市 超时 女儿 儿子 儿童 儿歌 幼儿
    与其 并联 合并 属于 大于 小于 高于 低于 等于 由于 终于 位于 把手 把握 火把 了解 为了 参与 已知
    自己 帮助 请求 申请 邀请 请假 亲人 亲戚 父亲 母亲 母亲节 父亲节 亲自 又名 也门 呀呀 温和 饱和
    暖和 普及 及格 及时 以及 很久 那么 什么 怎么 这么 要么 多么 为什么 怎么样 什么样 没什么
"""
CHINESE_SYNONYMS = """
    怎么 怎样 如何 咋 咋样 怎么样 怎么样才能 怎样可以 如何可以 如何能 怎样能 要怎么 应该怎么 该怎么
    怎么 怎么才能 怎样才能 如何才能 怎么可以 怎么能 要如何 该如何
    怎么 怎么去 如何去 怎样去 怎么来 怎么做才能
    什么 啥 甚么 哪些 有什么 是什么 有啥 是啥 有哪些 是哪些 指什么 是指什么
    为什么 为何 为啥 怎么会 是什么原因 什么原因 怎么回事 是怎么回事 咋回事
    哪里 哪儿 什么地方 何处 在哪 在哪里 在哪儿 在什么地方 / 哪个 哪家 哪一个 哪款 哪种 哪
    什么时候 何时 啥时候 什么时间 几时 多会儿 / 多久 多长时间 多少时间 / 怎么办 咋办 咋整
    能 可以 能够 能否 可否 能不能 可不可以 是否可以 是否能 是否能够
    不能 不可以 无法 没法 没办法 不了 / 是 是否 是不是 算 / 有 有没有 / 没有 没 木有 / 不要 别
    需要 需 要 / 应该 应当 / 必须 务必 一定要 / 你 您 / 他 她 它 / 我们 咱们 咱 / 喜欢 喜爱
    妈妈 妈 母亲 / 爸爸 爸 父亲 / 老婆 妻子 / 老公 丈夫 / 电脑 计算机 / 账号 帐号 账户 帐户
    账单 帐单 / 登录 登陆 / 其他 其它 / 照片 相片 / 英语 英文 / 汉语 中文 / 歌曲 歌 / 品牌 牌子
    付款 支付 付钱 / 记录 纪录 / 验证 校验 / 价格 价钱 价位 / 多少钱 价格多少 什么价
    方法 办法 方式 / 意思 含义 涵义 / 区别 差别 不同 / 名字 名称 / 叫 叫做 称为 / 打开 开启
    关闭 关掉 / 取消 撤销 / 修改 更改 改 / 更换 换 / 查询 查 查看 查找 / 使用 用 / 购买 买 / 办理 办
    设置 设定 / 删除 删掉 删 / 导致 造成 引起 / 因为 由于 / 如果 假如 要是 倘若
    但是 但 可是 不过 然而 / 所以 因此 因而 / 时 时候 的时候 之时 / 每次 每当 每回 / 好看 漂亮 美丽
    去世 逝世 / 提高 提升 / 杯子 杯 / 抓取 抓 抓住 / 机器人 机械人 / 男人 男子 / 女人 女子
    孩子 小孩 / 自行车 单车 / 最近 近来 近期 / 让 使 / 中 里 里面 中间 / 找 求 寻找 / 看 看看 观看
    听 听听 / 说 说说 讲 讲讲 / 聊 聊聊 / 试 试试 / 想 想想 想要 / 之前 以前 / 之后 以后 / 左边 左侧
    右边 右侧 / 上面 上方 / 下面 下方 / 大约 大概 / 马上 立刻 立即 立马 / 经常 常常 时常
    一直 始终 总是 / 可能 也许 或许 / 全部 所有 / 一起 一同 / 检查 检验 / 速度 速率 / 缓慢 慢慢
    滑 打滑 / 非 并非 / 表示 称 / 举行 举办 / 帮助 协助 / 开始 起始 / 结束 完结 / 增加 增大 加大
    减少 减小 / 位置 方位 / 物体 物件 / 桌子 桌 / 椅子 椅 / 盘子 盘 / 瓶子 瓶 / 箱子 箱 / 盒子 盒
    玩 玩耍 / 吃饭 用餐 / 汽车 轿车 / 飞机 客机 / 医生 大夫 / 警察 民警 / 学习 学 / 居住 住
    担任 出任 / 移居 迁居 / 成立 创立 创办 / 包括 包含 / 建造 修建 / 赢得 获得 / 治疗 医治
    减肥 瘦身 / 快递 速递
"""
# The characters that `categories.TRADITIONAL` does not need.
MORE_TRADITIONAL = str.maketrans(
    "紅綠藍黃銀銅鐵鋼車輛輪門燈電腦網頁線紙筆書畫圖長寬輕張給讓幫買賣錢帳號碼話聽聲語詞誰兒媽爺孫"
    "國東臺灣華萬億兩塊條隻雞鴨鳥貓馬龍蝦貝葉樹麥飯麵湯鹹鹽藥醫護療傷熱溫濕乾淨髒壞滿裡邊側頭臉腳"
    "頂層樓廠場廳廚櫃櫥籃盤鍋鑰鎖絲釘繩帶裝運進還沒嗎動緊鬆軟斷損漲縮減遲彎轉衝擊壓氣驅齒軸軌導輸"
    "傳訊鏡視頻錄製體資庫檔儲業產賬單貸銷費稅額夾",
    "红绿蓝黄银铜铁钢车辆轮门灯电脑网页线纸笔书画图长宽轻张给让帮买卖钱帐号码话听声语词谁儿妈爷孙"
    "国东台湾华万亿两块条只鸡鸭鸟猫马龙虾贝叶树麦饭面汤咸盐药医护疗伤热温湿干净脏坏满里边侧头脸脚"
    "顶层楼厂场厅厨柜橱篮盘锅钥锁丝钉绳带装运进还没吗动紧松软断损涨缩减迟弯转冲击压气驱齿轴轨导输"
    "传讯镜视频录制体资库档储业产账单贷销费税额夹",
)
