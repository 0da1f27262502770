"""How people say what should be: rules, wishes, views, trade-offs and decisions.

The signs are those of `mnemic.language.lexicon.phrases`.
"""

from mnemic.language.lexicon.phrases import CategoryWording

CONSTRAINT = CategoryWording(
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
        不[能可要应]该?(超过|超出|高于|低于|大于|小于) / ^请?(不要|别)(?![忘担的人说名致]|以为)
        ^约束: / 【强制】
    """,
    english_hints=r"""
        [,:] (do not|don't)(?! forget| worry| hesitate)
        (and|but|so|then|please) (do not|don't)(?! forget| worry| hesitate) / ^(please )?always
        (should|shall) always / [,:] always / should not / shouldn't
        can( ?not|'t) be (used|combined|changed|mixed|shared|empty|set|both|reused|nested)
        (can|may|should) only be / may not be [a-z]+ed / (is|are) (strictly )?required
        (has|have|needs?) to be / no (more|less|fewer|later) than / at all times
        it is (essential|critical|crucial|imperative) (that|to)
        ^(please |also |always |then ){0,3}(ensure|make sure)
        ^only (use|run|call|set|enable|change)
        shall (?!we)[a-z]+ / may only
        can( ?not|'t) be (performed|modified|removed|done|deleted|called)
        should (therefore |always |only )*be (restricted|limited|kept|unique|identical|at least)
        needs? to … (otherwise|or (else )?(the|it|you)) / (is|are) limited to
        not (designed|intended|meant) to
        can( ?not|'t) (contain|exceed|include|start with|mix|share)
        only (one|a single|two) … (can|may) / ^at most / (hold|have|be|take) at most
    """,
    chinese_hints=r"""
        务必 / 切记 / 一定(要(?!注意|小心|当心)|不[能要可得]) / 不应(?!期) / 不要(?!求|以为) / 只能
        不超过 / 强制要求 / 不可以 / 不可(?![用见变避达信预逆分靠读写知思能以或])
        始终(要|应|保持) / 必需(?!品)
        不能([为大小少多写放用在有与和以将把]|使用|同时|修改|包含|重复|直接|被(?!很好|完全|有效))
        (?<![必无毋胡])须(?![知臾]) / 一律(?!平等) / 只有…才[能可会]
        不能(再|共存|超|跨|删|改|设|加|省|随意|并) / 至少要?(需要|达到|大于) / ^确保 / 请确保
        应[该当]?(保证|确保)
    """,
    english_cues=r"""
        (you|we|they|users?) (will |would )?have to / it is important (that|to)
        it's important (that|to) / (you|we|they|users) will need to
        only (available|supported|allowed|valid) (on|for|in|with|when) / not possible to
    """,
    chinese_cues=r"""
        要求(每|所有|必|至少|一个) / 应始终 / 需?要保证 / [仅只]支持
    """,
)

PREFERENCE = CategoryWording(
    english=r"""
        prefer(s|red|able|ably|ring)? / recommend(s|ed|ing)? / (our|the|my|general) recommendation
        favou?r(s|ed|ing)? … over / (is|it's|are|be|usually|often|generally) (best|better) to
        (is|are|strongly|highly|well) (advised|advisable|encouraged)
        (we|i|would) (suggest|advise|encourage) / (it is|it's|is) suggested / (good|best) practice
        would rather / favou?rite / ^preference:
        (significant|strong|clear|personal|user) preference
    """,
    chinese=r"""
        优先(?!级|队列|权|调度|股|编码) / 推荐(?!系统|算法|引擎|模型|服务|人)
        (?<!的)建议(?!书|以及|和|与|值|稿) / 首选 / 偏好(?!设置|文件) / 偏爱 / 更(喜欢|倾向|愿意)
        宁[可愿] / 尽量 / 提倡
    """,
    english_hints=r"""
        ideally / suggest(s|ed)? / ^(please )?(avoid|consider|favou?r|try)
        (should|to) (avoid|consider|favou?r) / consider using / good idea to
        (wherever|whenever|where|when|if) possible / ^use … (over|rather than|instead)
        (you|we|users|one) should(?! see| now| get| be able| hear| have)
        (likes|loves|enjoys|dislikes|hates) (to|the|it|his|her|their|my|when|[a-z]+ing)
        (i|we|they|users|people|customers|operators) (really )?(like|love|enjoy|dislike|hate)
        (good|best|great|ideal|sensible) (choice|option|default|candidate)
        (we|i) (tend|try|aim) to (use|keep|avoid|stick) / rule of thumb
        you (may|might|will|probably|likely) (want|wish) to / recommendation
        (we|i|would) (therefore|strongly|also|usually|generally) (suggest|advise)
        as (short|small|simple|low|close|few|little|tight|far|clean|flat) as possible
        (it|that)('s| is| makes| may be| might be) (worth|wise|sense|sensible|safer to|easier to)
        better off / (stick|sticking) (to|with) / you can also consider
        better (way|approach|option|choice|idea|solution) (is|would be|might be)
        for (the )?best (results|performance|accuracy) / ^best to / it (usually |often )?helps to
        (as a|general) rule(?! of) / (user|developer|operator|pilot|caller)s? should
    """,
    chinese_hints=r"""
        最好(?![的地]) / (?<!不)喜欢 / 倾向 / 尽可能 / (应|应该|应当|需要|要)避免 / ^避免
        应[该当](?!在\d|在?[毫微]|是|会|有|能|可以|不会) / 鼓励 / 不妨 / 可以考虑
        习惯(用|使用|先|从|把) / 比较(合适|适合) / ^[多少]用
        应(使用|采用|选用|选择|优先|先|存储|放在)
        (不错|很好|合适|理想|明智|更好)的(选择|做法|方案)
        (?<!为了)(?<!以)(?<!可以)避免(使用|直接|在|出现|频繁|过|对|回) / 如果可能
        更?适合(用|使用|采用) / 最佳实践 / 酌情 / 适当(调|放|增|减|加|提|降|缩)
        宜(采用|使用|用|先|在)
    """,
    english_cues=r"""
        ^(keep|start with|focus on|leave|limit|minimi[sz]e|prioriti[sz]e|definitely)
        should (therefore |generally |usually |ideally |also )*be (?!able)[a-z]+ed
        good (start|fit) / (thing|things) to try / ^when in doubt
        (may|might|could) be (worth|useful|helpful|beneficial) / try [a-z]+ing
        (may|might) be (more|easier|better|safer) / if you (have|need|want) … , use
    """,
    chinese_cues=r"""
        ,避免 / (?<![回反响对适效供相呼感])应(尽|由|在|与|设|放|存|将|把|避免|根据|按)
    """,
)

WORLDVIEW = CategoryWording(
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
        从(今|此|现在)(天|以|往|之)?[后起开] / 从此(?![处类时]) / (?<![免止在的])今后(?!的)
        往后(?![移退走]) / 以后都 / (我们?|笔者)(认为|相信|坚信)
    """,
    english_hints=r"""
        (?<!is )(?<!are )(?<!be )compared (to|with)
        (is|are|was|were) [a-z]+(?<!oth)(?<!rath)er than(?! \d)
        (is|are) (by far |often |usually )?the (best|fastest|safest|simplest|easiest|most)
        the (secret|best way) to / in (my|our) (opinion|view) / (i|we) think / unlike
        (just|not|nearly|almost) as [a-z]+ as / (works?|performs?|scales?) better / better suited
        (much|far|significantly|considerably|vastly|substantially) (more|less|<better>)
        best (way|method|approach|tool|defen[cs]e|remedy) / more important(ly)? / opinion
        (vastly|far|easily) exceeds? / (worth|not worth) the / on par / (is|are|isn't|not) superior
        better results
    """,
    chinese_hints=r"""
        更加?(好|快|高效|强|安全|可靠|简单|稳定|重要|适合|优|佳|灵活|便宜|准确|容易|合理)
        相[比较](?!较) / 比起 / 最(重要|关键|快|简单|安全|可靠|高效)的 / 本质 / 更(有|具|占)优势
        最[好佳]的?(方法|办法|方式|途径|手段|工具|答案) / 归根[结到]底 / 说到底 / 算不上 / 谈不上
        更(为|加)?(高效|经济|合适|实惠|划算|易于|容易|直观|自然) / [度率能性]最[高低好强快]
        与[^,。]{1,10}不同, / 性第一
        (性能|速度|效率|精度|延迟|成本|可靠性|质量)[^,。]{0,6}?[高低]于
    """,
    english_cues=r"""
        by far / fundamentally / the (key|real|true) (to|is|value|point|problem)
        (is|are|looks?) (especially |particularly |really )*(good|great|excellent|ideal|perfect) for
        the most (important|valuable) / comes first / the only (version|way|option|tool|one)
    """,
    chinese_cues=r"""
        最(快|强|方便|合适|简单|可靠|安全|划算|低) / 才是 / 不在于…而在于
        的关键(?!字|词|帧|节点|路径)
    """,
)

TRADEOFF = CategoryWording(
    english=r"""
        trade[ -]?offs? / trad(e|es|ed|ing) … for / pros and cons / vs(?! code) / versus
        at the (expense|cost|price) of / in exchange for / sacrific(e|es|ed|ing)
        (comes?|came) (at|with) (a|an|the|some|its) ([a-z]+ )?(cost|price|penalty|overhead)
        (balances?|balancing|compromise) between / (strikes?|striking|right) (a |the )?balance
        (downside|upside)s? / (?<!and )drawbacks? / disadvantages? / the flip side / double-edged
        price (we|you|to) pay / <better>,? but / (give|gives|giving) up … for
        (increases?|improves?|raises?|boosts?) … but … (reduc|decreas|lower|slow|hurt|cost)[a-z]*
        (reduces?|decreases?|lowers?|saves?) … but … (increas|rais|slow|hurt|cost)[a-z]*
    """,
    chinese=r"""
        权衡 / 取舍 / 折[中衷] / 妥协 / 利弊 / 得失 / 优缺点 / 优点.{1,60}?缺点 / 好处…坏处
        代价(?!过|太|很|较|高|巨) / 牺牲 / 换[取来](?!的是)
        (空间|时间|精度|速度|性能|内存|质量)换(?![算成]) / 平衡点 / 之间…平衡 / 双刃剑
        鱼[与和]熊掌 / <quality>[性率度]? ?[与和跟及] ?<quality>[性率度]? ?(:|之间)
        (牺牲|削弱|放弃|损失|降低)…[以来换](减少|提高|提升|换|保证|获得) / 得不偿失 / 扬长避短
        更(快|好|高|强|简单|方便|灵活|省|准|安全)[^。;]{0,6}?,?(但|却|不过) / 有得必有失
    """,
    english_hints=r"""
        advantages? / (performance|runtime|memory|speed|latency) (penalty|overhead|cost)
        on the other hand / weigh(s|ed|ing)? … against / compromises? / diminishing returns
        but (also )?(at|with|uses|costs|takes|requires|needs|adds) (a )?(more|higher|extra|less)
        (while|although|though) … (slower|less|more memory|harder|costs?)
        (more|less|higher|lower|larger|smaller) … (but|however) / <better> … but / on one hand
        (adds?|extra|additional|increased?) (latency|overhead|complexity|costs?)
        the <extent> … the (<extent>|<better>) / (drawbacks|benefits) / (the|a|right|good) balance
        balanc(e|es|ing) (the|costs?|between) / learning curve / worth it / opportunity cost
        computational(ly)? (burden|expensive)
        (adds?|extra|additional|more|higher|lower|too much) ([a-z]+ ){0,2}<cost>
        without (breaking|sacrificing|losing|compromising|hurting) / less … but
        however … (costs?|slower|overhead|memory|complexity|expensive|increases|compute)
        (simpler|easier|faster|quick|powerful|flexible|cheap|convenient|high) … , but
        , but … overhead / ^(while|although|though) [^.!?]{5,90}, (it|this|they|the|there|you|we)
        means (lower|higher|slower|less|worse|fewer) / gain … lose
        (flexible|simple|simpler|fast|faster|powerful|easy|cheap|convenient|accurate),? yet
    """,
    chinese_hints=r"""
        兼顾 / (虽然|尽管)…(但|却|不过) / 但(是|也|同时)?[会要将]?(增加|降低|消耗|占用|损失|失去)
        缺点 / 优势 / 一方面…另一方面 / (?<!不是)越(?!来)[^,。;]{1,8}越 / 对比 / 平衡 / 开销
        副作用 / 弊端 / 坏处 / 劣势 / 矛盾体 / 损耗 / 两难 / 各有(优|利|千秋) / 代价
        但是?[^,。]{0,12}?<代价> / 较[大高多长]的?[^。]{1,20}?较[小低少短]
        (但|却)也?(引入|带来)了?额外 / 越[^,。;]{1,8},[^。;]{0,10}越[慢大高低差难贵复] / 有利有弊
        局限性 / 性能(成本|损失|开销|代价)
        (提高|提升|加快|增加|减少|降低|灵活|方便|简单|强大)了?[^。]{0,10}?(却|但)
        消耗(性能|资源|内存)
    """,
    english_cues=r"""
        ^(while|although|though|despite|whilst) / , (though|although) / but still / on the downside
        (increases?|reduces?) … (which|and) (may|might) (require|need) / too (expensive|costly)
    """,
    chinese_cues=r"""
        (好处|优点)[^。]{0,20}?但 / 虽然 / 尽管 / 无法接受 / 不过(?!是|如)
    """,
)

DECISION = CategoryWording(
    english=r"""
        chose / (have|has|had|was|were|been|is|are) (been )?chosen / decid(ed|es)
        (the|a|our|this|made|design) decision(?! tree| mak) / instead of / in favou?r of
        (opted|opts|opting) (for|to) / settled (on|for) / went with / going with / ruled out
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
        (switched|migrated) (over )?(to|from) / (?<!you )(?<!to )choos(e|ing) (to|not) / by design
        (design|deliberate|conscious) choice / intentionally / deliberately
        (we|i) (choose|pick|select|reject|defer|veto|accept|abandon) / ^<change>
        (we|i) (have |also |then |now )?<change> / the default (has been|is now|was|became)
        (was|were|been) (now )?(removed|deprecated|renamed|introduced|superseded|dropped)
        we (will|'ll|are going to|plan to|intend to) / alternatives considered
        no longer (uses?|needs?|supports?) / now (uses?|supports?|requires?|defaults?|runs?)
    """,
    chinese_hints=r"""
        代替 / 替代 / 取代 / 采用 / 选择(使用|用|以|将|把|不|在) / [换改][成为] / (切换|迁移)到
        替换[为成] / 放弃 / 定为 / 我们(使用|用|将|把|引入|打算|计划|准备) / 计划(使用|采用|将|在)
        设计[上时成] / (出于|考虑到|基于)…考虑 / 考虑到
        不再(使用|支持|需要|依赖|采用|提供|导入|维护) / <changed>了
        做了(限制|调整|优化|改造|取舍) / 我们(后来|最后|现在|目前|生产|选|定|的做法) / 无需再
        不用再 / 用[^,。]{1,12}来?代替 / 为了[^。]{2,20}?,我们 / 最终(选择|采用|使用|确定)
        [选挑]中了 / (?<!被)(废弃|弃用)(?!物) / 用[^,。]{1,12}(替换|取代)
    """,
    english_cues=r"""
        no longer / switched / engineers (restored|added|removed|deployed|replaced)
    """,
    chinese_cues=r"""
        直接(使用|采用) / 做法是 / 解决方案 / 新增 / 所以(开始|只|才|选) / 专门(针对|为)
    """,
)
