"""The words that the Chinese rules know: jobs, places, times, devices."""

from typing import Final

from mnemic.runtime.patterns import linear

_JOBS: Final = """
    工程师 老师 教师 医生 大夫 护士 律师 会计 会计师 设计师 程序员 司机 厨师 记者 学生 研究生
    大学生 高中生 博士生 教授 经理 警察 公务员 销售 顾问 作家 画家 演员 歌手 导演 编辑 翻译 摄影师
    理发师 建筑师 分析师 科学家 研究员 飞行员 空姐 消防员 军人 士兵 农民 工人 服务员 收银员 快递员
    外卖员 店主 老板 创业者 自由职业者 自由职业 心理咨询师 药剂师 牙医 兽医 教练 导游 秘书 主管
    总监 产品经理 项目经理 架构师 运维 前端 后端 测试 人事 客服 主播 博主 插画师 音乐家 钢琴家
    裁缝 木匠 铁匠 电工 水管工 保安 保洁员 营养师 策划 文员 出纳 采购 法官 检察官 侦探 船长 骑士
    守卫 猎人 商人 药师 厨子 调酒师 咖啡师 面包师 花艺师 园丁 图书管理员 幼师 讲师 班主任 校长
    院长 队长 家庭主妇 全职妈妈
"""
_ANY_JOB: Final = "|".join(sorted(_JOBS.split(), key=lambda one: (-len(one), one)))
JOB: Final = rf"[\u4e00-\u9fffA-Za-z]{{0,8}}?(?:{_ANY_JOB})"

CITIES: Final = (
    r"北京|上海|广州|深圳|成都|杭州|武汉|西安|南京|重庆|天津|苏州|长沙|郑州|青岛|大连|厦门|宁波"
    r"|昆明"
    r"|合肥|福州|济南|沈阳|哈尔滨|长春|石家庄|太原|南昌|南宁|贵阳|兰州|海口|三亚|拉萨|乌鲁木齐|银川"
    r"|西宁|呼和浩特|无锡|佛山|东莞|珠海|温州|烟台|桂林|洛阳|扬州|绍兴|嘉兴|泉州|徐州|常州|香港"
    r"|澳门"
    r"|台北|高雄|四川|湖南|湖北|广东|广西|江苏|浙江|山东|山西|河南|河北|陕西|安徽|福建|江西|云南"
    r"|贵州"
    r"|辽宁|吉林|黑龙江|甘肃|青海|内蒙古|新疆|西藏|海南|台湾|东北|日本|美国|英国|法国|德国|韩国"
    r"|加拿大"
    r"|澳大利亚|新加坡|意大利|西班牙|俄罗斯|印度|巴西|荷兰|瑞士|泰国|越南|马来西亚"
)
PLACE: Final = rf"(?:{CITIES})[\u4e00-\u9fff]{{0,6}}|[\u4e00-\u9fff]{{2,10}}|[A-Z][A-Za-z ]{{1,20}}"
ORGANISATION: Final = linear(
    r"公司|医院|学校|大学|学院|银行|中学|小学|高中|幼儿园|工厂|集团|事务所|研究所|研究院|机关"
    r"|政府|法院"
    r"|报社|出版社|电视台|餐厅|饭店|酒店|商店|超市|书店|咖啡店|咖啡馆|诊所|药店|工作室|律所|国企"
    r"|外企"
    r"|腾讯|阿里|百度|字节|华为|小米|京东|美团|网易|大厂|机构|中心|店|厂|局|所|院|[A-Za-z]"
)
ILLNESS: Final = (
    r"[12一二]型糖尿病|糖尿病|哮喘|高血压|低血糖|心脏病|偏头痛|癫痫|关节炎|抑郁症|焦虑症|失眠症?"
    r"|鼻炎"
    r"|胃病|胃炎|湿疹|贫血|痛风|甲亢|甲减|颈椎病|腰椎间盘突出|乳糖不耐受?|色盲|多动症|自闭症"
    r"|脂肪肝|癌症"
)
LANGUAGES: Final = {
    "中文": "chinese",
    "汉语": "chinese",
    "普通话": "mandarin",
    "英语": "english",
    "英文": "english",
    "日语": "japanese",
    "法语": "french",
    "德语": "german",
    "西班牙语": "spanish",
    "韩语": "korean",
    "俄语": "russian",
    "意大利语": "italian",
    "葡萄牙语": "portuguese",
    "粤语": "cantonese",
    "泰语": "thai",
    "阿拉伯语": "arabic",
}
FAVOURED: Final = {
    "颜色": "color",
    "电影": "movie",
    "食物": "food",
    "歌": "song",
    "书": "book",
    "季节": "season",
    "水果": "fruit",
    "菜": "dish",
    "歌手": "singer",
    "动物": "animal",
    "运动": "sport",
    "城市": "city",
    "作家": "author",
    "游戏": "game",
    "饮料": "drink",
    "花": "flower",
    "演员": "actor",
    "乐队": "band",
}

_NUMBER: Final = r"(?:\d{1,2}|[一二三四五六七八九十两]{1,3})"
_DAY: Final = (
    r"(?:(?:下下|下|这|本|上)?个?(?:周|星期|礼拜)[一二三四五六日天末]"
    rf"|(?:(?:20\d\d|今|明)年)?{_NUMBER}月(?:{_NUMBER}[日号]|底|初|中旬)?|(?:下个月|这个月|本月)?"
    rf"{_NUMBER}[号日](?![线楼])|大后天|今[天晚]|明[天晚早]|后[天晚]|下个?月|下周|这周|年底|月底"
    rf"|下个?学期"
    r"|周末|除夕|春节|国庆|中秋|元旦|圣诞节?|五一|明年|今年年底)"
)
_PART_OF_DAY: Final = r"(?:早上|早晨|上午|中午|下午|晚上|凌晨|傍晚|半夜|午夜|晚)"
_CLOCK: Final = rf"(?:{_NUMBER}点(?:半|一刻|三刻|钟|整|{_NUMBER}分?|\d{{2}})?|\d{{1,2}}[:：]\d\d)"
WHEN: Final = (
    rf"(?:{_DAY}的?{_PART_OF_DAY}?{_CLOCK}?(?:之?前|以前)?|{_PART_OF_DAY}{_CLOCK}|{_CLOCK})"
)
TIME: Final = linear(WHEN)
AGE: Final = r"(?P<x>\d{1,3}|[一二三四五六七八九十]{1,3})"

DEVICE: Final = (
    r"(?:(?:爱普生|小米|红米|华为|荣耀|苹果|三星|魅族|一加|联想|戴尔|惠普|华硕|索尼|佳能|尼康"
    r"|大疆|vivo"
    r"|VIVO"
    r"|OPPO|oppo|realme|iQOO|iPhone|iphone|iPad|MacBook|Macbook|Kindle|Switch|PS5|Redmi|Mate"
    r"|ThinkPad"
    r"|Galaxy|Pixel|Surface|Xbox)"
    r"(?:的?\s?(?:iPhone|iPad|MacBook|Redmi|手机|平板|笔记本|电脑|Mate|Pro|pro|Max|Plus|Ultra|Air"
    r"|mini|Note"
    r"|Find|Reno|Nova|nova|P"
    r"|X|K|S|Galaxy|XPS|小新|拯救者|[A-Z]?\d[A-Za-z0-9]{0,12}(?![A-Za-z0-9]))){0,3})"
)
SYSTEM: Final = (
    r"(?:(?:Windows|windows|Win|win)\s?(?:\d+|XP|xp)|mac\s?OS(?:\s?[A-Za-z]+)?(?:\s?\d[\d.]*)?"
    r"|iOS\s?\d[\d.]*|(?:安卓|Android|android)\s?\d[\d.]*|鸿蒙(?:系统|OS)?\s?\d?[\d.]*|MIUI\s?\d+"
    r"|Ubuntu\s?[\d.]*|Linux|linux|HarmonyOS\s?[\d.]*|澎湃OS\s?\d?)"
)
