"""The signs in which the wording of the categories is written.

One phrase per line, or several with " / " between them. A phrase is a regular expression over
lower-case text with single spaces and ASCII punctuation, plus three signs: `^` in front means
the start of a sentence, `…` stands for a few words of the same sentence, and `<name>` for one of
`GROUPS`. English phrases match whole words. Chinese ones are written in simplified characters.
"""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class CategoryWording:
    """How one category is said, from the plainest words to the faintest.

    Triggers (`english`, `chinese`) name the category outright. Hints are everyday wording that
    may also serve another purpose ("always", "due to", 务必): they count only in a text that holds
    no trigger at all. Cues say little by themselves ("usually", "no longer", 通常): they count only
    where there is neither a trigger nor a hint.
    """

    english: str
    chinese: str
    english_hints: str
    chinese_hints: str
    english_cues: str
    chinese_cues: str


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
    "change": "added|removed|changed|dropped|renamed|replaced|switched|moved|migrated|decreased"
    "|increased|reduced|introduced|deprecated|bumped|disabled|enabled|reverted|restored|merged",
    "changed": "移除|废弃|弃用|取消|引入|新增|增加|推行|调整|上线|下线|升级|重构|拆分|合并|切换"
    "|关闭|停用|改造|统一",
    "extent": "more|less|higher|lower|larger|smaller|longer",
    "cost": "overhead|latency|complexity|costs?|burden|maintenance|memory|compute",
    "代价": "影响|降低|下降|开销|复杂|成本|增加|消耗|占用|损失|损耗|失去|变慢|更慢|牺牲|麻烦",
    "outage": "incident|outage|disruption|blackout|downtime|breach|data loss",
}
