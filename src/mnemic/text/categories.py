"""Which words put a lesson into which category, in English and in Chinese.

One phrase per line, or several with " / " between them. A phrase is a regular expression over
lower-case text with single spaces and ASCII punctuation, plus three signs: `^` in front means
the start of a sentence, `…` stands for a few words of the same sentence, and `<name>` for one of
`GROUPS`. English phrases match whole words. Chinese ones are written in simplified characters;
text in traditional ones is read through `TRADITIONAL`.

Triggers name a category outright. Hints are everyday wording that may also serve another
purpose ("always", "due to", 务必), so they count only in a text that holds no trigger at all:
"Lesson: always calibrate" is a postmortem, "Always calibrate" is a constraint.
"""

from dataclasses import dataclass

DEFAULT = "code"

# A wrong one of these never fades, so their phrases are kept narrower than the others'.
PROTECTED = frozenset({"constraint", "postmortem", "gotcha"})


@dataclass(frozen=True, slots=True)
class Wording:
    """How one category is said."""

    english: str
    chinese: str
    english_hints: str
    chinese_hints: str


# Sizes are missing among the better ones: "larger than 5" compares two values, not two ways.
GROUPS = {
    "better": "better|worse|faster|slower|safer|simpler|easier|harder|cheaper|cleaner|quicker"
    "|smarter|stronger|weaker|lighter|heavier|nicer|richer|smoother|tougher|wiser|leaner",
    "quality": "速度|精度|准确|延迟|吞吐|性能|成本|质量|安全|稳定|可靠|可用|一致|内存|空间|时间"
    "|效率|功耗|功能|灵活|简单|复杂|体积|存储|可读|鲁棒|力度|续航|价格|探索|利用",
    "更好": "更|[快好慢差强](?![速像])|要[快好慢强高低]|高效|便宜|简单|安全|可靠|重要|稳定|方便"
    "|灵活",
    "need": "need|importance|danger|risk|value|fragility|necessity|weakness|gap|lack|vulnerabilit"
    "|challenge|complexit|criticality|inadequa",
    "incident": "incident|outage|accident|disaster|crash|event|failure",
    "study": "experiments?|tests?|testing|results?|measurements?|benchmarks?|data|logs?|analysis"
    "|investigations?|experience|evidence|study|studies|we|i",
    "we": "we|i|team|they|robots?|users?|people|engineers?|operators?",
    "cause": "cause|break|corrupt|overwrite|lead to|result in|crash|deadlock|damage",
}

CONSTRAINT = Wording(
    english=r"""
        must(?! have been)(?! be (due|caused)) / never / forbid(s|den)? / prohibit(s|ed)
        (is|are|be|strictly) disallowed / not (allowed|permitted|acceptable) / not exceed
        mandatory / shall not / under no circumstances?
        ^(please )?(do not|don't)(?! forget| worry| hesitate| be surprised)
        only … (is|are) (allowed|permitted) / ^(hard )?(constraint|limit|rule):
    """,
    chinese=r"""
        (?<!不)必须(?!品) / (?<![舍巴恨由怪])不得(?!不|已|而知) / 禁止 / 严禁 / [切请]勿
        [仅只](允许|准) / 不(允许|准许|许可|容许) / (?<![杜隔拒断])绝不(?!对) / 永远?不
        千万[不别] / (?<!解)决不 / 从不(?![同一是断可良到]) / 绝对不[能要可得允]
        不[能可要应]该?(超过|超出|高于|低于|大于|小于) / ^请?(不要|别)(?![忘担的人说名致]) / ^约束:
    """,
    english_hints=r"""
        [,:] (do not|don't)(?! forget| worry| hesitate)
        (and|but|so|then|please) (do not|don't)(?! forget| worry| hesitate) / ^(please )?always
        (should|shall) always / [,:] always / should not / shouldn't
        can( ?not|'t) be (used|combined|changed|mixed|shared|empty|set|both|reused|nested)
        (can|may|should) only be / may not be / (is|are) (strictly )?required
        (has|have|needs?) to be / no (more|less|fewer|later) than / at all times
        it is (essential|critical|crucial|imperative) (that|to)
    """,
    chinese_hints=r"""
        务必 / 切记 / 一定[要不] / 不应(?!期) / 不要(?!求) / 只能 / 不超过 / 强制要求 / 不可以
        不可(?![用见变避达信预逆分靠读写知思能以或]) / 始终(要|应|保持) / 必需(?!品)
        不能(为|大|小|少|多|使用|写|放|用|在|同时|修改|包含|重复|有|直接|被|与|和|以|将|把)
        (?<![必无毋胡])须(?![知臾])
    """,
)

PREFERENCE = Wording(
    english=r"""
        prefer(s|red|able|ably|ring)? / recommend(s|ed|ing)? / (our|the|my|general) recommendation
        favou?r(s|ed|ing)? … over / (is|it's|are|be|usually|often|generally) (best|better) to
        (is|are|strongly|highly|well) (advised|advisable|encouraged)
        (we|i|would) (suggest|advise|encourage) / (it is|it's|is) suggested / (good|best) practice
        would rather / favou?rite / ^preference:
    """,
    chinese=r"""
        优先(?!级|队列|权|调度|股|编码) / 推荐(?!系统|算法|引擎|模型|服务|人) / (?<!的)建议(?!书)
        首选 / 偏好(?!设置|文件) / 偏爱 / 更(喜欢|倾向|愿意) / 宁[可愿] / 尽量 / 最佳实践 / 提倡
    """,
    english_hints=r"""
        ideally / suggest(s|ed)? / ^(please )?(avoid|consider|favou?r|try)
        (should|to) (avoid|consider|favou?r) / consider using / good idea to
        (wherever|whenever|where|when|if) possible / ^use … (over|rather than|instead)
        (you|we|users|one) should(?! see| now| get| be able| hear| have)
        (likes?|loves?|enjoys?|dislikes?|hates?) (to|the|it|his|her|their|my|when|[a-z]+ing)
        (good|best|great|ideal|sensible) (choice|option|default|candidate)
        (we|i) (tend|try|aim) to (use|keep|avoid|stick) / rule of thumb
        you (may|might|will|probably|likely) (want|wish) to
    """,
    chinese_hints=r"""
        最好(?![的地]) / (?<!不)喜欢 / 倾向 / 尽可能 / (应|应该|应当|需要|要)避免 / ^避免
        应[该当] / 鼓励 / 不妨 / 可以考虑 / 习惯(用|使用|先|从|把) / 比较(合适|适合) / ^[多少]用
    """,
)

WORLDVIEW = Wording(
    english=r"""
        from now on / <better> than / <better> … than / matters? more
        (more|less) (?!than)[a-z-]+ ([a-z-]+ ){0,3}than
        (much|far|significantly|considerably|generally|usually|often|always) [a-z]+er than
        outperform(s|ed|ing)? / (superior|inferior|preferable) to / beats / trumps / outweighs?
        no (substitute|replacement) for / (i|we) (firmly |strongly )?believe
    """,
    chinese=r"""
        (?<![对相百占正反同环无性])比(?![如例较率值特赛重对比分])[^,。;:!?]{1,30}?<更好>
        [优胜好强快慢劣逊差]于(?!是|此|\d) / 胜过 / 不如(?![果此]) / (相比|相较|比起|较之)…更
        从(今|此|现在)(天|以|往|之)?[后起开] / 从此(?![处类时]) / (?<![免止])今后
        往后(?![移退走]) / 以后都 / (我们?|笔者)(认为|相信|坚信)
    """,
    english_hints=r"""
        (?<!is )(?<!are )(?<!be )compared (to|with)
        (is|are|was|were) [a-z]+(?<!oth)(?<!rath)er than(?! \d)
        (is|are) (by far |often |usually )?the (best|fastest|safest|simplest|easiest|most)
        the (secret|best way) to / in (my|our) (opinion|view) / (i|we) think / unlike
        (just|not|nearly|almost) as [a-z]+ as / (works?|performs?|scales?) better / better suited
    """,
    chinese_hints=r"""
        更加?(好|快|高效|强|安全|可靠|简单|稳定|重要|适合|优|佳|灵活|便宜|准确|容易|合理)
        相[比较](?!较) / 比起 / 最(重要|关键|快|简单|安全|可靠|高效)的 / 本质
    """,
)

TRADEOFF = Wording(
    english=r"""
        trade[ -]?offs? / trad(e|es|ed|ing) … for / pros and cons / vs(?! code) / versus
        at the (expense|cost|price) of / in exchange for / sacrific(e|es|ed|ing)
        (comes?|came) (at|with) (a|an|the|some|its) ([a-z]+ )?(cost|price|penalty|overhead)
        (balances?|balancing|compromise) between / (strikes?|striking|right) (a |the )?balance
        (downside|upside)s? / drawbacks? / disadvantages? / the flip side / double-edged
        price (we|you|to) pay / <better>,? but / giv(e|es|ing) up … for
        (increases?|improves?|raises?|boosts?) … but … (reduc|decreas|lower|slow|hurt|cost)[a-z]*
        (reduces?|decreases?|lowers?|saves?) … but … (increas|rais|slow|hurt|cost)[a-z]*
    """,
    chinese=r"""
        权衡 / 取舍 / 折[中衷] / 妥协 / 利弊 / 得失 / 优缺点 / 优点…缺点 / 好处…坏处 / 代价 / 牺牲
        换[取来](?!的是) / (空间|时间|精度|速度|性能|内存|质量)换(?![算成]) / 平衡点 / 之间…平衡
        双刃剑 / 鱼[与和]熊掌 / <quality>[性率度]? ?[与和跟及] ?<quality>[性率度]? ?(:|之间)
    """,
    english_hints=r"""
        advantages? / (performance|runtime|memory|speed|latency) (penalty|overhead|cost)
        on the other hand / weigh(s|ed|ing)? … against / compromises? / diminishing returns
        but (also )?(at|with|uses|costs|takes|requires|needs|adds) (a )?(more|higher|extra|less)
        (while|although|though) … (slower|less|more memory|harder|costs?)
        (more|less|higher|lower|larger|smaller) … (but|however) / <better> … but / on one hand
        (adds?|extra|additional|increased?) (latency|overhead|complexity|costs?)
        the (more|higher|lower|larger|smaller) … the (more|less|higher|lower|larger|smaller)
    """,
    chinese_hints=r"""
        兼顾 / (虽然|尽管)…(但|却|不过) / 但(是|也|同时)?[会要将]?(增加|降低|消耗|占用|损失|失去)
        缺点 / 优势 / 一方面…另一方面 / 越(?!来)[^,。;]{1,8}越 / 对比 / 平衡 / 开销
    """,
)

ROOT_CAUSE = Wording(
    english=r"""
        caused by / because / root[- ]causes?(?! fix| analys| investigat) / culprit
        (the|main|primary|underlying|likely|real|actual) cause
        (the|main|primary|underlying|real|one|this) reasons? (for|why|is|was|behind|that|this)
        (is|was|are|were|be|been|being|mainly|probably|likely|partly|largely|mostly) due to
        stem(s|med|ming)? from / result(s|ed|ing)? from / aris(es?|ing) from
        originat(es?|ed|ing) (from|in|with) / (attributed|attributable) to / traced (back )?to
        (boils|boiled|comes) down to / (this|that|which) is why / that's why
        (was|were|been) triggered (by|when) / ^cause: / cause of
    """,
    chinese=r"""
        因为 / (根本|主要|真正|直接|具体|故障|失败|问题)的?原因 / 根因 / 根源 / 起因 / 之所以
        原因(是|在于|为|有|很简单|如下|主要|就|可能|通常|:) / (?<![递回])归[因咎结]
        (?<![来资])[源缘][于自](?!码)
        (?<![自理路经])由(?!于)[^,。;:!?]{1,25}?(引起|导致|造成|所致|引发)
        由于…(引起|导致|造成|所致|引发) / (是|主要|多半|可能)由于 / 问题就?出在 / 罪魁 / 元凶
    """,
    english_hints=r"""
        due to / owing to / thanks to / as a result of / (led|leads|leading) to / result(ed|ing) in
        caus(ed|ing) / ^since(?! v?\d| version| then| the release) / for this reason
        , (since|as) (it|they|the|this|we|you|there|each|its|that)
        the (problem|issue|fault|bug|error) (was|is|lay|lies) (in|with|that)
        (blamed?|responsible) (on|for) / triggered (by|an?|the) / reasons? (is|was|for|why|that)
        consequence of
    """,
    chinese_hints=r"""
        由于 / 原因 / 致使 / (?<![会能将])导致 / (?<![会能将])造成 / 引发了 / 得益于 / 是因
        (?<![会能将])引起 / 因[^,。;:!?此而素子]{2,15}(而|失败|无法|报错|中断)
    """,
)

DECISION = Wording(
    english=r"""
        chose / (have|has|had|was|were|been|is|are) (been )?chosen / decid(ed|es)
        (the|a|our|this|made|design) decision(?! tree| mak) / instead of / in favou?r of
        opt(ed|s|ing) (for|to) / settled (on|for) / went with / going with / ruled out
        (we|i|team) (will |shall |just |now )*(adopt|switch|migrate|standardi[sz]e) (to|on|the|an?)
        (we|i|team) (have |just |now |all )*(switched|migrated|selected|picked|replaced|dropped)
        (we|i|team) will (adopt|stick|keep|no longer) / adopted / agreed (to|on|that|upon)
        ended up (using|with|going|choosing) / going forward / standardi[sz](ed|ing) on
        (was|were|been) (selected|picked|rejected|replaced) / ^decision: / chosen option
    """,
    chinese=r"""
        (?<![取所])决定(?!于|性|因素|权|了(?![用使采把将改不选要在先])) / 而(不是|非(?!常))
        选择了 / 选择…(而|放弃) / 选[定用](?!户) / 选型 / 采用了 / 改用 / 转而 / 敲定 / 拍板
        (我们?|团队|最终|最后|因此|所以|于是)[就便都才会]?[选采][择用取定] / 确定[使采]用 / 弃用了
        放弃了?(使用|采用|原)
    """,
    english_hints=r"""
        rather than / instead / decision / replaced / plan(s|ned|ning)? to / opt for
        (we|i) (used|are using|kept|stick|introduced|removed|changed|will use) / we'll use
        (switched|migrated) (over )?(to|from) / choos(e|ing) (to|not) / by design
        (design|deliberate|conscious) choice / intentionally / deliberately
    """,
    chinese_hints=r"""
        代替 / 替代 / 取代 / 采用 / 选择(使用|用|以|将|把|不|在) / [换改][成为] / (切换|迁移)到
        替换[为成] / 放弃 / 定为 / 我们(使用|用|将|把|引入|打算|计划|准备) / 计划(使用|采用|将|在)
        设计[上时成] / (出于|考虑到|基于)…考虑 / 考虑到
    """,
)

PATTERN = Wording(
    english=r"""
        (every|each) (single )?time / (whenever|when ever)(?! possible)
        (?<!at )(anytime|any time) / recur(s|red|ring|rent)? / tend(s|ed)? to / repeatedly
        consistently / (over and over|again and again|time and again) / most of the time
        without exception / ^pattern:
        keeps? (happening|failing|coming|occurring|crashing|dropping|losing|getting)
    """,
    chinese=r"""
        每[当逢] / 每[到回](?![答收调归]) / (?<!不是)(?<!并非)每一?次 / 总[是会] / 往往 / 反复
        重复(出现|发生) / 周期性[的地] / 屡[次屡] / 凡是 / 只要…[就都便] / 时不时 / 常常
        (?<![第唯统之不任某])一(?![些个般定样致直种])[^,。;:!?旦次]{1,10}就[会要能]
    """,
    english_hints=r"""
        always / typically / usually / often / normally / commonly / frequently / regularly
        generally / mostly / intermittent(ly)? / occasionally / sometimes
        (happens?|occurs?|fails?|appears?) (when|if|only|after|during|on) / as soon as
        every (day|night|morning|hour|week|month|other|few|\d+) / more likely / trends?
        in (most|many|all) cases / in every case / (on|after|at) (each|every) [a-z]+
    """,
    chinese_hints=r"""
        经常 / 通常 / 一般(?![性化]) / 时常 / 多次 / 规律 / 一旦 / 频繁 / 偶尔 / 有时
        每[隔天日周月] / 每(小时|分钟|秒|\d) / (?<!不是)(?<!并非)每[^,。;]{1,12}都 / 越来越
    """,
)

POSTMORTEM = Wording(
    english=r"""
        lessons? / post[ -]?mortems? / hindsight / retrospectives? / in retrospect / the hard way
        (we|i|team) (have |also |all )?(learned|learnt) / taught us / take-?aways? / blameless
        (we|i|they|team) should(n't| not)? have [a-z]+ / should have been
        (could|would|might) have (been )?(prevented|avoided|caught|detected|stopped|saved)
        (underscor|highlight|emphasi[sz]|reinforc)(es|ed|s) (the |a |our )*([a-z]+ )?<need>[a-z]*
        (demonstrat|illustrat|expos|reveal|stress)(es|ed|s) (the |a |our )*([a-z]+ )?<need>[a-z]*
        prevent(ing|s)? (a |any |its |such |similar |future |further )*(reoccurrence|recurrence)s?
        prevent(ing|s)? (similar|future|such|another|further|repeat) ([a-z]+ )?<incident>s?
        (corrective|preventive|preventative|remedial) (actions?|measures?|steps?)
        <incident> (led to (the|an?|new) (implem|creat|adopt|introd|develop|chang|improv)|prompted)
        (not|from|never|won't) happen(ing)? again / what went (wrong|well) / cautionary tale
        wake-?up call / (our|my) mistake
        next time,? (we|i|you|do|use|check|start|make|always|first|try)
    """,
    chinese=r"""
        教训 / 复盘 / 反思 / 引以为[戒鉴] / 前车之鉴 / 吃一堑 / [吸汲]取…经验 / 重蹈 / 亡羊补牢
        痛定思痛 / 事后(分析|总结|看|回顾|检讨|报告) / (事故|故障)(总结|报告|回顾) / 早知道 / 早该
        本(该|来应|来该|应该) / 当初应 / 下[次回](要|应|一定|记得|先|务必|不|得|必)
        (避免|防止|杜绝)(今后|以后|将来)?(再次|再犯|类似|此类|同样|重演)
        (改进|整改|补救|纠正)措施 / 敲响 / 警钟 / 启示 / (我们?|团队|让人|从中)(学到|学会)
        经验(是|:|告诉)
    """,
    english_hints=r"""
        (after|following|since) (the|this|that|an?) ([a-z]+ )?(incident|outage|accident|disaster)
        in response / as a result, (we|they|the (team|company))
        to avoid (this|a repeat|repeating) / action items? / remediation
        (incident|outage) (was|lasted|began|started|affected|shows?|showed|occurred)
        (we|i) (forgot|failed|neglected|overlooked|underestimated)
    """,
    chinese_hints=r"""
        血泪 / 事后 / 回头看 / 回顾 / 翻车 / 失误 / 这次(事故|故障|失败)
    """,
)

GOTCHA = Wording(
    english=r"""
        gotchas? / (pitfall|pit-fall)s? / traps? / caveats? / beware / (watch|look) out(?! of)
        be (very |extra |especially |particularly )?(careful|cautious|wary|mindful|aware)
        careful (with|when|to|about|not|of) / take (special |extra |great )?care
        (with|use|exercise) (extreme )?caution / foot-?guns? / counter-?intuitive(ly)? / silently
        (easy|tempting) to (forget|miss|overlook|confuse|get wrong|mistake)
        (often|easily) (overlooked|forgotten|misunderstood|missed|confused) / common mistakes?
        if (you|we|one) (forget|accidentally|mistakenly) / forgetting to / trick(y|ier|iest)
        bitten (by|us|me) / bites (you|us|me) / quirks? / not what (you|one) (would )?(expect|want)
        contrary to (what|expectation|intuition) / at your own risk / not obvious
        (may|might|could) (also |easily |then |still )?<cause>
    """,
    chinese=r"""
        陷阱 / [踩避有的个是大巨天深填掉入这些隐][了过到进]?的?[个大深巨]?坑(?![洼道里]) / ^坑
        坑[点爹:了人] / (?<!不)小心 / 当心 / 谨[防慎] / 慎用 / 警惕 / 误区 / 隐患 / 雷区 / 埋雷
        (需要?|要|请|特别|应|应该|必|值得|尤其)注意(?![到力]) / ^注意(?![到力])
        容易被?(忽略|忽视|出错|混淆|误|踩|忘|遗漏|搞错|弄错|引起|导致|造成) / 易错
        忘[记了](?!密码) / 出[乎人]意料 / 反直觉 / 误以为 / 常见的?错误 / 静默(失败|丢|忽略)
        不小心 / 可能会?(导致|造成|引发|引起)
    """,
    english_hints=r"""
        ^(warning|caution|attention) / (keep|bear) in mind / surpris(ing|ingly|es?) / unless
        unexpected(ly)? / confusing / misleading / otherwise / undefined behaviou?r / accidentally
        inadvertently / mistakenly / unintentionally / subtl[ey] / dangerous
        note that … (not|fails?|breaks?|overwrit[a-z]+|lost|ignored|only)
        (isn't|is not|aren't|are not|doesn't|does not) (actually|necessarily|automatically)
        (will|may|might|would|could) (not work|fail|break|crash|hang|be lost|be overwritten)
        (won't|doesn't|does not|not) work / risk(s|y)? / limitations? / breaking changes?
        known (issue|limitation|bug|problem)s? / (don't|do not) forget / even though
        can (also |easily )?<cause>
    """,
    chinese_hints=r"""
        注意(?![到力]) / 否则 / 意外 / 诡异 / 奇怪 / 看似 / 以为 / 不(等于|意味着|代表) / 千万
        风险 / 并不(是|会|能|意味|代表|等于) / 警告 / 失效 / 不生效 / 却 / 反而 / 实际上
        不会(自动|被|报错|生效) / [会将](导致|造成|引发|引起)
    """,
)

OBSERVATION = Wording(
    english=r"""
        (found|finds|finding) (out )?that / discover(ed|s) / notic(ed|es) / observed
        <we> (have |also |often |had )?(found|observe|saw|see|seen|measured|noted|reali[sz]ed)
        we've (also )?(found|observed|seen|measured|noted|reali[sz]ed) / ^(observation|finding):
        (was|were|been) (found|observed|seen|noted|measured) / is observed / turn(ed|s) out
        <study> (have |has |also )?(show|reveal|indicate|suggest|confirm|demonstrate)(s|ed|d|n)?
        (reveal|indicat|show)(s|ed|es) that / interestingly / (we|you|one) can (clearly )?see
        (in|from) (our|my) (tests?|testing|experience|experiments?|measurements?)
    """,
    chinese=r"""
        (?<!服务)(?<!自动)(?<!节点)(?<!设备)发现(?!机制|协议|服务|器) / 观[察测](?![者性]) / 注意到
        察觉 / (可以|能|能够|可|会)(清楚地?|明显)?看[到出见] / 看到 / 实测 / 测得 / 得知
        [查检监]测到
        (结果|实验|测试|数据|研究|经验|日志|事实|实践|监控|调查)[也均都]?(显示|表明|证明|说明)
    """,
    english_hints=r"""
        (appear|seem|look)(s|ed)? (to|that|like|as if) / it (appears|seems) / apparently / saw
        measured / spotted / reali[sz]ed / experienced / found (it|the|an?|this|some|no)
        in practice / works? (well|best|fine|better|great|reliably) / optimal / sufficient
        (is|was|were|are) (quite |rather |already |way )?(too|roughly|approximately|around)
        as expected / on average / empirically / users? report(ed)?
    """,
    chinese_hints=r"""
        意识到 / 可见 / 看来 / 看起来 / 看上去 / 似乎 / 好像 / 竟然 / 居然 / 表明 / 定位到
        最[佳优] / 效果[最很更较不] / 平均 / 大约 / 约为 / 看出 / 证实
        经(过|查|测)?(测试|排查|分析|观察|实验|验证) / 结果(发现|是|却)
    """,
)

# In the order that decides: of several matching categories the first one is the lesson's own.
CATEGORIES: dict[str, Wording] = {
    "constraint": CONSTRAINT,
    "preference": PREFERENCE,
    "worldview": WORLDVIEW,
    "tradeoff": TRADEOFF,
    "root_cause": ROOT_CAUSE,
    "decision": DECISION,
    "pattern": PATTERN,
    "postmortem": POSTMORTEM,
    "gotcha": GOTCHA,
    "observation": OBSERVATION,
}

# The characters above that are written differently in traditional Chinese.
TRADITIONAL = str.maketrans(
    "須許絕對遠從決應該準請並為與於較強勝過優遜認權捨點價犧換來間訓復複盤總當選擇採棄轉發現觀"
    "測實顯結經驗據數試監檢錯誤險隱謹記會將導雙劍魚慮議薦傾願愛歡後個這種屢時無類鑒鑑學敗則卻"
    "際質穩靈貴雜簡單計畫劃備見覺處週開異緣禍靜確響啟區務嚴僅歸補樣風慣勵關鍵體積續雖儘盡遺頻"
    "規誌證調團隊設級編碼統節協機寫讀達變預麼們說問題報斷員標極",
    "须许绝对远从决应该准请并为与于较强胜过优逊认权舍点价牺换来间训复复盘总当选择采弃转发现观"
    "测实显结经验据数试监检错误险隐谨记会将导双剑鱼虑议荐倾愿爱欢后个这种屡时无类鉴鉴学败则却"
    "际质稳灵贵杂简单计划划备见觉处周开异缘祸静确响启区务严仅归补样风惯励关键体积续虽尽尽遗频"
    "规志证调团队设级编码统节协机写读达变预么们说问题报断员标极",
)
