"""How people say that something is another way now: the words of change, ends and opposites.

" / " parts entries; in a line with ":" everything behind it is brought to what stands before it.
The tables are short on purpose: a word that is missing leaves two memories side by side, a word too
many hides one that is true.
"""

# What is not said to be so: questions, conditions, wishes, plans and what was before.
ENGLISH_UNSURE = """
    if / unless / whether / should / would / could / might / maybe / perhaps / want / wants
    wanted / wish / wishes / hope / hopes / hoping / plan to / plans to / planning / planned to
    thinking of / thinking about / considering / consider / used to / formerly / previously
    once / applied / dream / dreaming / one day / someday / suppose / imagine / try to / trying to
    will / gonna / going to be / almost / nearly / probably / had
"""
CHINESE_UNSURE = """
    如果 / 要是 / 假如 / 应该 / 可能 / 也许 / 或许 / 大概 / 打算 / 想要 / 希望 / 计划 / 准备
    考虑 / 以后
    将来 / 曾经 / 以前 / 之前 / 过去 / 原来 / 从前 / 要不要 / 是否 / 面试 / 差点 / 好像 / 假装
    梦见
"""

# That it is so now, and was not before. They say nothing by themselves.
ENGLISH_NOW = """
    now / currently / actually / nowadays / these days / at the moment / instead / new
    turns out that / it turned out that / turned out / in fact / since then
    as of today / from now on / any more / anymore / any longer
"""
CHINESE_NOW = """
    其实 / 实际上 / 现在 / 目前 / 如今 / 已经 / 已 / 从今天起 / 从现在起 / 结果 / 今年 / 改在
"""

# That it is so no more. "I don't" may always have been so, "no longer" was once.
ENGLISH_ENDS = """
    no longer / quit my job at / quit / stopped / gave up
    given up / cancelled / canceled / called off / got rid of / sold / resigned from
    dropped out of / broke up with / got divorced from / divorced from / unsubscribed from
"""
CHINESE_ENDS = """
    不再 / 放弃 / 戒掉 / 戒了 / 戒 / 取消 / 退掉 / 退订 / 辞职 / 离职 / 辞掉 / 卖掉 / 卖了 / 分手
    不想再 / 退了
"""

# "Not" in all its forms, brought to one.
ENGLISH_NEGATIONS = "not / never / cannot / without / none / nobody / neither"
CHINESE_NEGATIONS = "不是 / 没有 / 不 / 没 / 未 / 别 / 非"

# What excludes each other: the first words of a line are so, those behind "|" are not so.
OPPOSITES = """
    like likes love loves enjoy enjoys adore adores liked | hate hates dislike can_not_stand
    locked | unlocked
    online | offline
    wet damp | dry
    full | empty
    open opened | closed shut
    enabled switched_on turned_on | disabled switched_off turned_off
    working works work fixed repaired intact | broken defective
    present | absent
    available | unavailable occupied
    charged | discharged
    clean | dirty
    married engaged spouse | single divorced unmarried
    employed | unemployed jobless
    in_service | out_of_service
    together | alone
    calibrated | uncalibrated
    reachable | unreachable
    valid | invalid expired
    safe | unsafe dangerous
    healthy | ill sick
    喜欢 喜爱 爱 爱吃 | 讨厌 厌恶
    在线 | 离线
    湿 | 干
    满 | 空
    修好 没坏 完好 | 坏
    结婚 订婚 已婚 | 单身 离婚 未婚
    打开 开着 | 关闭 关着
    恢复使用 启用 | 停用
    正常 | 高 异常
    出院 | 住院
    干净 | 脏
    锁着 上锁 | 解锁
    能 可以 | 打不
    合租 | 一个人住
"""

# Verbs and phrases that say the same of somebody: what is so, then after "|" what makes it so. Of
# those before a "!" there is one at a time.
FRAMES = """
    live!: live in / lives in / living in / live at / lives at / reside in / resides in / based in
      | moved to / moves to / relocated to / moved in to / moved into
    work!: work at / works at / work for / works for / working for / working at / employed at
      / employed by | joined / started at / started working at / got a job at / work at now
    report!: report to / reports to
    drive!: drive / drives
    weigh!: weigh / weighs
    prefer: prefer / prefers
    married!: married to / engaged to
    take place!: takes place in / takes place on / takes place at / held in / held at / held on
    leave!: leaves at / departs at / starts at / begins at / ends at / opens at / closes at
    named!: named / called
    use: use / uses / using | switched to / changed to using
    be: is / are / am / be | moved to / changed to / postponed to / pushed back to / rescheduled to
      / upgraded to / downgraded to / ported to / went up to / went down to / increased to
      / decreased to / raised to / lowered to / shifted to / delayed to / brought forward to
      / switched to / became / promoted to / replaced by / set to / renamed to / migrated to
"""
CHINESE_FRAMES = """
    live!: 住在 / 家在 / 居住在 / 定居在 | 搬到 / 搬去 / 搬至 / 搬来 / 迁到
    work!: 就职于 / 任职于 | 跳槽到 / 跳槽去 / 入职 / 加入
    drive!: 开的是 / 开的车是 | 换车开
    from: 老家在 / 来自
    use: 用的是 / 使用 / 用 | 改用
    hold: 装的是 / 装
    at!: 在 / 定在 / 放在 / 停在 / 位于 / 存放在
    take off!: 点起飞
    named!: 名叫 / 叫做 / 叫
    be: 是
      | 改成 / 改为 / 改到 / 换成 / 换到 / 换为 / 变成 / 变为 / 移到 / 移至 / 推迟到 / 延期到
      / 延后到
      / 提前到 / 升级到 / 升为 / 升到 / 涨到 / 降到 / 降为 / 转到 / 转学到 / 调整到 / 调整为
      / 调到 / 改名为
      / 搬到 / 更新为
"""

# Of these there is one at a time. What "favourite" and 最喜欢的 lead is, too.
SINGLE_THINGS = """
    address number email password passcode code pin name nickname age height weight size salary rent
    income deadline capital phone laptop price colour color major status location venue
    title position dose budget timezone version time
    地址 电话 号码 手机号 手机 电脑 邮箱 密码 名字 年龄 身高 体重 工资 房租 截止日期 截止时间 职位
    专业 价格
    预算 版本 时间 地点 状态 职业 学历
"""
SINGLE_PEOPLE = """
    boss manager supervisor landlord landlady doctor physician dentist wife husband spouse partner
    girlfriend boyfriend fiance fiancee maintainer owner ceo captain coach principal president
    mentor
    老板 上司 经理 房东 主治医生 家庭医生 牙医 妻子 丈夫 老婆 老公 维护者 负责人 导师 班主任 教练
"""
FAVOURITES = "favourite / favorite / default / 最喜欢 / 最爱 / 默认"
# People of whom one has several: another age, or another number, may be another one's.
SEVERAL_PEOPLE = """
    friend colleague coworker neighbour neighbor cousin classmate uncle aunt niece nephew student
    client customer teammate roommate employee guest
    同事 下属 朋友 同学 邻居 室友 表哥 表弟 表姐 表妹 堂哥 堂弟 堂姐 堂妹 叔叔 舅舅 伯伯 阿姨 姑姑
    姨妈 舅妈
    婶婶 侄子 侄女 外甥 客户 学生 队友 员工 亲戚
"""
# How a Chinese person is named by surname and title; with these ends it is what somebody does.
TITLES = "总 先生 女士 小姐 医生 教授 老师 阿姨 师傅 大夫 经理 律师 校长 教练"
TRADES = "员 师 手 家 人 的"

# After these, more than one may be so: "I like tea" leaves the coffee alone.
MANY = """
    like likes love loves enjoy enjoys have has own owns know knows speak speaks learn learning read
    reads eat eats drink drinks play plays visit visited saw see bought buy ate drank went met want
    hate hates need needs can went did got make makes made found heard watched tried
    喜欢 爱 有 会 学 吃 喝 看 买 去 玩 养 讨厌 需要 认识 见 做 读 想 参加
"""
# What tells nothing of what is so by itself.
ENGLISH_LIGHT = """
    a an the some any this that these those is are am be been being was were do does did has have
    having own go goes going get gets got just so very really also too to of for in on at with by
    it there out up as about because any more each every today whole my your our his her their its
    i we you he she they me us mr ms mrs dr can back quite usually always often mostly
"""
# What tells nothing of a value.
EMPTY_IN_VALUES = """
    a an the in on at to of for be it is and with mr ms mrs dr professor prof ,
    的 了 着 在 是 里 上 下
"""
# What goes with an end: the trip that is cancelled is the going there.
ENGLISH_LIGHT_OF_ENDS = "trip subscription membership plan booking job lessons hobby habit diet"
CHINESE_LIGHT = "的了着在是我家们把都也就会要能来去上下得地过很吧呢啊个这那,"

# By these a value is told to be a day or a time, an age, or how somebody is.
TIMES = """
    monday tuesday wednesday thursday friday saturday sunday january february march april may june
    july
    august september october november december am pm noon midnight
"""
AGES = "years old / 岁"
DEGREES = "very / really / so / too / quite / pretty / 很 / 非常 / 太 / 挺"
PLACES = "in on at under behind beside near above below inside next level"
OCCUPATIONS = r"(?:er|or|ist|ian|eer|nurse|pilot|chef|cook|clerk|intern|student)$"
KIN = "father mother brother sister daughter neighbour neighbor partner lover member"

# "Switched from X to Y", "replaced X with Y".
SWITCHED = """
    switched / changed / moved / migrated / converted / transferred / went / swapped / replaced
"""
CHINESE_SWITCHES = """
    转到 / 转成 / 换到 / 改到 / 改成 / 换成 / 变成 / 搬到 / 搬去 / 跳到 / 跳槽到 / 改为
"""

# What asks how it was; "before" and 之前 behind a day or an hour are a deadline.
ASKS_BEFORE = (
    r"\b(?:used to|originally|previously|formerly|former|in the past|back then|beforehand"
    r"|in those days|prior to (?:that|this|the move))\b"
    r"|\bbefore(?=\W*$| (?:that|then|this|now|it|i|we|he|she|they|the move|moving)\b)"
    r"|(?<![周期天日月号点年分底末])(?:之前|以前)|原来|原先|从前|曾经|过去|最初|起初|当初"
)
# What asks whether, when or how it became another.
ASKS_CHANGE = (
    r"\b(?:chang(?:e|es|ed|ing)|switch(?:ed|es)?|moved?|replac(?:e|ed)|still|any ?more|no longer"
    r"|any longer|instead of|history of|over time|since when|different now|update[sd]?)\b"
    r"|变化|变了|变成|改成|改了|改过|换成|换了|换过|搬家|搬过|搬到|还[在是有]|什么时候开始|不再|历史"
)
