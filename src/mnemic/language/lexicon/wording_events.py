"""How people say what happened: causes, habits, lessons, pitfalls and findings.

The signs are those of `mnemic.language.lexicon.phrases`.
"""

from mnemic.language.lexicon.phrases import CategoryWording

ROOT_CAUSE = CategoryWording(
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
        the (problem|issue|fault|bug|error) (was|is|lay|lies) (in|with|that) / blamed? (on|for)
        (was|were) responsible for / triggered (by|an?|the) / reasons? (is|was|for|why|that)
        consequence of / causes / (took|brought|knocked|bring|brings) down / absence of / lack of
        (bug|defect|flaw|leak|typo|misconfiguration|race condition) (in|caused|created|that|which)
        made (it|them|this) (im)?possible / (is|was) to blame / (is|was|are|were) (a|the) result of
        explained by / made the … (stop|fail|crash|hang|impossible)
        since (the|it|they|we|there|this|its) [a-z]+ ([a-z]+ )?(had|has|is|was|are|were|does|did)
        (error|problem|issue|failure|bug|delay|crash|noise)s? (comes?|came) from
        the (problem|issue|fault|bug|error) (is|was) (likely|probably|usually) / reasons
    """,
    chinese_hints=r"""
        由于 / 原因 / 致使 / (?<![会能将])导致 / (?<![会能将])造成 / 引发了 / 得益于 / 是因
        (?<![会能将])引起 / 因[^,。;:!?此而素子]{2,15}(而|失败|无法|报错|中断)
        (表|内|外|诱|成|主|副|病)因(?!此|素|子|为|而) / 症结 / 导火索 / 祸根
        太[短小大少多长低高]了 / 所(触发|引起|导致|造成|引发) / (?<![会能将可])引发 / 来自(错误|于)
    """,
    english_cues=r"""
        results? in / consequently / which (means|meant|made|is why|prevent(s|ed)) / preventing
        meant / hence / thereby / therefore / prone to / thus / (broke|broken by) (the|our|all|it)?
        comes? from / leaving (the|it|all|users)
    """,
    chinese_cues=r"""
        因此 / 从而 / 因而 / 以致 / 所以(?!说|然|谓) / 使得 / 不兼容 / 于是
    """,
)

PATTERN = CategoryWording(
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
        intermittent(ly)? / (happens?|occurs?|fails?|appears?) (when|if|only|after|during|on)
        as soon as / every (day|night|morning|hour|week|month|other|few|\d+) / more likely
        trends? / in (most|many|all) cases / in every case / (on|after|at) (each|every) [a-z]+
        periodically / constantly / continually / invariably / routinely / rarely / seldom
        (with|for|in) each (call|run|time|request|iteration|step|frame)
        (happen|occur)s? (again|every)
        (many|most) (users|people|developers|teams|projects|[a-z]+ users)
        (is|are) (more |less |most |very )?(likely|prone) to
        (grow|increase|decrease|drop|rise|slow|degrade)s? (as|with|when) (the|more|each|every)
        (general|common|usual|typical) pattern
    """,
    chinese_hints=r"""
        经常 / 时常 / 多次 / 规律 / 一旦 / 频繁 / 每[隔天日周月] / 每(小时|分钟|秒|\d)
        (?<!不是)(?<!并非)每[^,。;]{1,12}都 / 越来越 / 必然(?!性) / 一定会(?!议) / 越是…越
        大多数?情况 / 多半会 / 随着[^。]{2,20}?(会|逐渐|不断|越)
        (增大|增加|达到|超过|升高|上升)[^,。]{0,8}时,?[^。]{0,12}?[会就]
        (?<![正异日平非通照反恒])常(卡|出|报|丢|断|掉|被) / ^随着
        一[断变到开关启停动碰热冷][^,。]{0,8}?就
    """,
    english_cues=r"""
        will typically / typical (thing|approach|setup|use|pattern) / always / typically / usually
        often / normally / commonly / frequently / regularly / generally / mostly / occasionally
        sometimes
    """,
    chinese_cues=r"""
        都会 / 不断 / 持续(?!集成|时间|部署|交付) / 当…时,?…[会就] / 常见 / 通常 / 一般(?![性化])
        偶尔 / 有时
    """,
)

POSTMORTEM = CategoryWording(
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
        (prevent|avoid|eliminat)[a-z]{0,8} ([a-z]{1,20} ){0,4}(recurrence|occurrences)
        (prevent|avoid|stop)[a-z]* … from happening again
        same (problem|thing|issue) happening again
        <outage> (showed|revealed|exposed|taught|demonstrated)
        (after|following) (the|this|that|an?) ([a-z]+ )?(incident|outage|accident|disaster)
    """,
    chinese=r"""
        教训 / 复盘 / 反思 / 引以为[戒鉴] / 前车之鉴 / 吃一堑 / [吸汲]取…经验 / 重蹈 / 亡羊补牢
        痛定思痛 / 事后(分析|总结|看|回顾|检讨|报告) / (事故|故障)(总结|报告|回顾) / 早知道 / 早该
        本(该|来应|来该|应该) / 当初应 / 下[次回](要|应|一定|记得|先|务必|不|得|必)
        (避免|防止|杜绝)(今后|以后|将来)?(再次|再犯|类似|此类|同样|重演)
        (改进|整改|补救|纠正)措施 / 敲响 / 警钟 / 启示 / (我们?|团队|让人|从中)(学到|学会)
        经验(是|:|告诉) / (事故|故障)(之?后|过后),?(我们|团队|公司)
    """,
    english_hints=r"""
        since (the|this|that) ([a-z]+ )?(incident|outage|accident|disaster) / in response
        as a result, (we|they|the (team|company)) / to avoid (this|a repeat|repeating)
        action items? / remediation
        (incident|outage) (was|lasted|began|started|affected|shows?|showed|occurred)
        (we|i|team|they|engineers) (forgot|failed|neglected|overlooked|underestimated)
        learn(s|ed|ing)? from (our|this|every|each|these|past|the|them|mistakes) / post-incident
        (was|were) not (detected|caught|noticed|covered|reviewed|monitored)
        (no one|nobody) [a-z]+ed / (did not|didn't|failed to) (detect|catch|notice|alert|verify)
        recurrence / (the same|our|these|repeat) mistakes? / recommendations (include|are|were)
        experienced (an?|the|significant|widespread|major) ([a-z]+ )?<outage>s?
        future (plans|improvements|work) (include|involve)s?
        (had|was|were) no (rollback|backup|plan|alerts?|monitoring|runbook|tests?) / happen again
        improvements include
    """,
    chinese_hints=r"""
        血泪 / 事后 / 回头看 / 回顾 / 翻车 / 失误 / 这次(事故|故障|失败) / 上了一课 / 弯路 / 疏于
        (没有|未能?)及时 / 误(删|操作|把|将|改) / 松懈 / 让我(明白|意识|懂)
        (生产|严重|线上|重大|这起|一起|一次)(事故|故障)
        暴露[出了][^,。]{0,8}?(问题|隐患|不足|缺陷) / (需要?|有待|亟需)(进一步)?(加强|完善|改进)
        在今后 / (事故|故障)[^,。]{0,4}?(揭示|暴露|说明) / 重犯 / [低高]估了 / 忽视了
        (当时|事前)没有
    """,
    english_cues=r"""
        (the|this|an?|every|each|during|of) ([a-z]+ )?<outage>s?(?! angle| light| ray| wave)
        remediat(ed|ion|ing) / rolled back / follow-?ups / mitigated
    """,
    chinese_cues=r"""
        事故 / 大故障 / 不完善 / 那次 / 难免 / 学到
    """,
)

GOTCHA = CategoryWording(
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
        (may|might|could) (also |easily |then |still )?<cause> / be advised
    """,
    chinese=r"""
        陷阱 / [踩避有的个是大巨天深填掉入这些隐][了过到进]?的?[个大深巨]?坑(?![洼道里]) / ^坑
        坑[点爹:了人] / (?<!不)小心 / 当心 / 谨[防慎] / 慎用 / 警惕 / 误区 / 隐患 / 雷区 / 埋雷
        (需要?|要|请|特别|应|应该|必|值得|尤其)注意(?![到力]) / ^注意(?![到力])
        容易被?(忽略|忽视|出错|混淆|误|踩|忘|遗漏|搞错|弄错|引起|导致|造成) / 易错
        忘[记了](?!密码) / 出[乎人]意料 / 反直觉 / 误以为 / 常见的?错误 / 静默(失败|丢|忽略)
        [掉踩陷落跌][到进入]?[^,。]{0,15}坑 / 违反直觉 / 可能会?(导致|造成|引发|引起)
        可能会?(出现|发生)(?![在于])
    """,
    english_hints=r"""
        ^(warning|caution|attention) / (keep|bear) in mind / surpris(ing|ingly|es?) / unless
        unexpected(ly)? / confusing / misleading / undefined behaviou?r / accidentally
        inadvertently / mistakenly / unintentionally / subtl[ey] / dangerous
        note that … (not|fails?|breaks?|overwrit[a-z]+|lost|ignored|only)
        (isn't|is not|aren't|are not|doesn't|does not) (actually|necessarily|automatically)
        (will|may|might|would|could) (not work|fail|break|crash|hang|be lost|be overwritten)
        (won't|doesn't|does not|not) work / risk(s|y)? / limitations? / breaking changes?
        known (issue|limitation|bug|problem)s? / (don't|do not) forget / even though
        can (also |easily )?<cause>
        (may|might|could) be (blocked|lost|overwritten|ignored|stale|wrong|corrupted|delayed)
        (can|may|might|could) (also |then |still )*(grow|confuse|distort|mislead|leak|slow|lose)
        not (intuitive|inherently|guaranteed|safe|thread-safe|equivalent|idempotent|enough)
        (not|doesn't|don't|won't) (help|prevent|guarantee|mean|imply|protect|be able to|detect)
        unfortunately / unbounded / deadlocks? / race conditions? / tempting / this is not the case
        important (aspect )?to note / (serious|negative|severe|adverse) impact / be sure
        problematic / (won't|will not) be (updated|able|loaded|applied|called)
        will be (ignored|lost|overwritten) / (another|one) problem (with|is) / the problem with
        hard to (debug|find|notice|reproduce|spot)
        [,;.:] otherwise,? (the|it|you|your|they|this|nothing|we) / (has|have|had) no effect
        remember to / easy to (mix|confuse|break|get) / modif(y|ies) … in place / (the|a) danger
        danger (in|of|is|that) / may (not|suddenly) [a-z]+
    """,
    chinese_hints=r"""
        注意(?![到力]) / 不是越[^,。]{1,4}越好 / 否则(?!,?就?返回|为|使用|输出) / 意外 / 诡异
        奇怪 / 看似 / 以为 / 不(等于|意味着|代表) / 千万 / 风险 / 并不(是|会|能|意味|代表|等于)
        警告 / 失效 / 不生效 / 却 / 反而 / 实际上 / 不会(自动|被|报错|生效)
        [会将](导致|造成|引发|引起) / 不小心 / 危险(?!品) / 误导 / 混淆 / 有可能 / 很可能 / 并不?能
        (不能|无法|不)保证 / 不一定 / 并非 / 不会再 / 是不会 / 竞态 / 易(产生|出|导致|被)
        容易(产生|被|丢|失|触) / 丢失 / 违反(?!约束的)
        可能会?(丢|出现|产生|被|返回|遇|变|错|触发|失) / 不要以为 / 就会(产生|出|报) / 没有意义
        无法(取消|恢复|识别|回滚|撤销) / [搞弄]混 / 更糟 / [上中下]无效 / 不起作用 / 没有效果
    """,
    english_cues=r"""
        note that / however, (if|this|the|when) / even if / only works? / not properly / seemingly
        (silently )?ignores / (may|might|could) (easily |also )?be [a-z]+ed / will be disabled
        (will not|won't) be [a-z]+ed / difficult (for|to)
        (does not|doesn't|do not|don't) have enough / carefully
    """,
    chinese_cues=r"""
        不支持 / 甚至 / 可能(?![的性取值]) / 有问题
    """,
)

OBSERVATION = CategoryWording(
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
        察觉 / (可以|能|能够|可|会)(清楚地?|明显)?看[到出见] / 实测 / 测得 / 得知 / [查检监]测到
        (结果|实验|测试|数据|研究|经验|日志|事实|实践|监控|调查)[也均都]?(显示|表明|证明|说明)
        [由从][^,。]{1,12}?可见
    """,
    english_hints=r"""
        (appear|seem|look)(s|ed)? (to|that|like|as if) / it (appears|seems) / apparently / saw
        measured / spotted / reali[sz]ed / experienced / found (it|the|an?|this|some|no)
        in practice / works? (well|best|fine|better|great|reliably) / optimal / sufficient
        (is|was|were|are) (quite |rather |already |way )?(too|roughly|approximately|around)
        as expected / on average / empirically / users? report(ed)?
        (has|have) been (proven|validated|tested|shown|confirmed|verified|reported|measured)
        can be (observed|seen) / (seem|appear)(s|ed)? / still [a-z]+(s|ed) / very few
        typical values / (i|we) (tried|tested|got|ran|compared|increased|lowered) / produced the
        prov(ed|en) to / (was|were|took|reached|averaged) (about |around |only |up to )*\d[\d.,]*
        (increased|decreased|dropped|rose|fell|improved|grew) (by|from|to) (about )?\d[\d.,]*
    """,
    chinese_hints=r"""
        意识到 / 可见 / 看来 / 看起来 / 看上去 / 似乎 / 好像 / 竟然 / 居然 / 表明 / 定位到
        最[佳优] / 效果[最很更较不] / 平均 / 大约 / 约为 / 看出 / 证实
        经(过|查|测)?(测试|排查|分析|观察|实验|验证) / 结果(发现|是|却) / 看到
        (情况|现象|数据|监控|日志|结果|表现)[上中]?来?看 / 存在(明显|大量|较) / 很少有 / 令人惊讶
        (发生|出现)了?(显著|明显|剧烈|急剧) / 飙升 / 暴涨 / 下滑 / 劣化 / 高达 / 接近 ?\d
        (\d|几)[^,。]{0,6}左右 / 证明 / 根据…(经验|数据|统计) / (故障|测试|实验|高峰)期间
        已经(比较|消除|恢复|接近) / [以据按从]我?[^,。]{0,8}经验
        (提升|下降|减少|增加|降低|提高|缩短|[降升][到至])了? ?\d / 实际测试 / 测试中
    """,
    english_cues=r"""
        (between|around|about|roughly|approximately|over|up to|only|nearly) \d[\d.,]*
        in the past \d+ / (will|should) ([a-z]+ly )?takes? (about |around |up to )?~?\d[\d.,]*
        (helped|improved|degraded|worked|crashed|performed|experienced) / correlation
    """,
    chinese_cues=r"""
        \d ?(倍|毫秒|分钟|小时) / 目前 / 明显 / 个小时 / (减少|下降|上升|提升|变[慢快大小高低])了
        突然
    """,
)
