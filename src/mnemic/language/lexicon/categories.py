"""Which wording puts a lesson into which category, in English and in Chinese.

"Lesson: always calibrate" is a postmortem, since a trigger counts before any hint; "Always
calibrate" is a constraint. Text in traditional characters is read through `TRADITIONAL`.
"""

from mnemic.language.lexicon.phrases import CategoryWording
from mnemic.language.lexicon.wording_events import (
    GOTCHA,
    OBSERVATION,
    PATTERN,
    POSTMORTEM,
    ROOT_CAUSE,
)
from mnemic.language.lexicon.wording_norms import (
    CONSTRAINT,
    DECISION,
    PREFERENCE,
    TRADEOFF,
    WORLDVIEW,
)

DEFAULT = "code"

# A wrong one of these never fades, so their phrases are kept narrower than the others'.
PROTECTED = frozenset({"constraint", "postmortem", "gotcha"})

# In the order that decides: of several matching categories the first one is the lesson's own.
CATEGORIES: dict[str, CategoryWording] = {
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

# The characters of the wordings that are written differently in traditional Chinese.
TRADITIONAL = str.maketrans(
    "須許絕對遠從決應該準請並為與於較強勝過優遜認權捨點價犧換來間訓復複盤總當選擇採棄轉發現觀"
    "測實顯結經驗據數試監檢錯誤險隱謹記會將導雙劍魚慮議薦傾願愛歡後個這種屢時無類鑒鑑學敗則卻"
    "際質穩靈貴雜簡單計畫劃備見覺處週開異緣禍靜確響啟區務嚴僅歸補樣風慣勵關鍵體積續雖儘盡遺頻"
    "規誌證調團隊設級編碼統節協機寫讀達變預麼們說問題報斷員標極"
    "飆漲劇線進讓歷損兩難廢閉構觸內誘談驚訝隨熱動丟競態產識別銷違約適減縮額帶長幾課彎刪鬆壞勢",
    "须许绝对远从决应该准请并为与于较强胜过优逊认权舍点价牺换来间训复复盘总当选择采弃转发现观"
    "测实显结经验据数试监检错误险隐谨记会将导双剑鱼虑议荐倾愿爱欢后个这种屡时无类鉴鉴学败则却"
    "际质稳灵贵杂简单计划划备见觉处周开异缘祸静确响启区务严仅归补样风惯励关键体积续虽尽尽遗频"
    "规志证调团队设级编码统节协机写读达变预么们说问题报断员标极"
    "飙涨剧线进让历损两难废闭构触内诱谈惊讶随热动丢竞态产识别销违约适减缩额带长几课弯删松坏势",
)
