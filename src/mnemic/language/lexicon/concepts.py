"""The words by which a question and what answers it are read, in English and Chinese.

A concept has words that mean it, and after ">" cues: words of things that fall under it. A question
for a drink is answered by "tea"; a question for tea is not answered by "coffee". A word with "?"
before it asks for a concept, but does not show it: 火车 holds 车, and who went home need not live
there.
"""

from dataclasses import dataclass
from typing import Final, Literal

ConceptKind = Literal["person", "relation", "thing"]


@dataclass(frozen=True, slots=True)
class Concept:
    """One meaning: the words for it, and the words of what falls under it."""

    name: str
    kind: ConceptKind
    words: frozenset[str]
    cues: frozenset[str] = frozenset()
    asked: frozenset[str] = frozenset()


def word_set(table: str) -> frozenset[str]:
    """Return the words of a table."""
    return frozenset(table.split())


# People by what they are to somebody. Who falls under them stands behind ">".
_PEOPLE: Final = """
    sister: sister sisters sis 姐妹 > elder_sister younger_sister
    elder_sister: 姐姐 我姐 大姐 > sister
    younger_sister: 妹妹 我妹 小妹 > sister
    brother: brother brothers bro 兄弟 > elder_brother younger_brother
    elder_brother: 哥哥 我哥 大哥 > brother
    younger_brother: 弟弟 我弟 小弟 > brother
    sibling: sibling siblings 兄弟姐妹 > sister brother elder_sister younger_sister elder_brother
        younger_brother
    mother: mother mom mum mommy mama 妈妈 我妈 母亲 老妈
    father: father dad daddy papa 爸爸 我爸 父亲 老爸
    parent: parent parents 父母 爸妈 > mother father
    wife: wife 妻子 老婆 太太 媳妇
    husband: husband 丈夫 老公 先生
    partner: partner spouse fiance fiancee 爱人 配偶 伴侣 > wife husband girlfriend boyfriend
    girlfriend: girlfriend 女朋友 女友
    boyfriend: boyfriend 男朋友 男友
    son: son sons 儿子
    daughter: daughter daughters 女儿
    child: child children kid kids baby 孩子 小孩 宝宝 > son daughter
    grandmother: grandmother grandma granny gran nan nana 奶奶 外婆 姥姥 祖母
    grandfather: grandfather grandpa granddad grandad 爷爷 外公 姥爷 祖父
    grandparent: grandparent grandparents 祖父母 > grandmother grandfather
    aunt: aunt auntie 阿姨 姑姑 姨妈 舅妈 婶婶
    uncle: uncle 叔叔 舅舅 伯伯 姑父 姨父
    cousin: cousin cousins 表哥 表弟 表姐 表妹 堂哥 堂弟 堂姐 堂妹 表兄
    nephew: nephew 侄子 外甥
    niece: niece 侄女 外甥女
    friend: friend friends buddy 朋友 好友 闺蜜 哥们
    boss: boss manager supervisor 老板 上司 领导 主管
    colleague: colleague colleagues coworker coworkers teammate 同事
    roommate: roommate flatmate housemate 室友
    neighbour: neighbour neighbor neighbours 邻居
    classmate: classmate classmates 同学
    landlord: landlord landlady 房东
    family: family relatives 家人 家里人 亲戚 > sister brother mother father son daughter wife
        husband elder_sister younger_sister elder_brother younger_brother child parent
"""
MALE: Final = word_set(
    "brother elder_brother younger_brother father husband boyfriend son grandfather uncle nephew"
    " boss friend colleague roommate neighbour cousin classmate landlord"
)
FEMALE: Final = word_set(
    "sister elder_sister younger_sister mother wife girlfriend daughter grandmother aunt niece"
    " boss friend colleague roommate neighbour cousin classmate landlord"
)

# What can be said of somebody or something: mostly verbs.
_RELATIONS: Final = """
    live: live lives living lived reside residence ?home hometown address move moved moving
        relocated based 住 居住 住址 地址 家在 搬 定居 住处 > flat apartment house 公寓 房子 我家
    work: work works working worked job profession occupation career employer employed 工作 职业
        上班 任职 职位 就职 供职 从事 岗位 > engineer nurse teacher vet paramedic doctor
        manager designer developer programmer lawyer accountant student professor scientist
        consultant writer chef architect journalist freelance company office promoted hired firm
        runs owns teaches leads
        manages bakery shop hospital school retired unemployed 工程师 退休 经营 开店 开了一家
        开了家 医院 学校 护士 老师 教师 医生 经理 设计师 程序员 公司 律师 会计 学生 教授 科学家
        顾问 研究员 记者 厨师 建筑师 自由职业 升职 入职
    name: name names named ?called nickname 叫 名字 姓名 名叫 小名
    birth: born birthday birthdays birth 生日 出生
    age: age aged ?old 岁 年龄 ?多大 几岁 > born birthday birth turned turns 出生 生日
    like: like likes liked love loves loved enjoy enjoys favourite favorite prefer prefers
        preferred fond fan adore 喜欢 最爱 偏好 喜爱 热爱 爱喝 爱吃 爱看 爱听 爱好 偏爱
    dislike: dislike dislikes hate hates hated avoid stand 讨厌 不喜欢 不爱 反感 受不了
    allergy: allergy allergies allergic intolerant intolerance 过敏 不耐受
    drink: drink drinks drinking drank beverage beverages 喝 饮料 饮品 > tea coffee espresso latte
        cappuccino water juice milk beer wine cocoa soda lemonade smoothie cola whisky 茶 咖啡
        拿铁 果汁 牛奶 啤酒 红酒 豆浆 可乐 美式 白酒
    eat: eat eats eating ate food foods meal dish dishes cuisine snack 吃 食物 饮食 菜 口味 美食 >
        sushi pizza pasta noodles rice bread soup salad curry ramen cheese chocolate fruit
        vegetables vegetarian vegan steak fish breakfast lunch dinner dessert cake dumplings 火锅
        面条 米饭 饺子 包子 寿司 披萨 水果 蔬菜 素食 牛排 鱼 早餐 午餐 晚餐 甜点 蛋糕 巧克力 拉面
        烧烤 川菜 粤菜
    meet: meet meets met 见面 见到 见了 认识 遇见 遇到 碰到 碰见 会面
    appointment: appointment appointments booked booking 预约 约了 约好 约的
    travel: travel travels travelling trip trips flight flights fly flew holiday vacation journey
        旅行 旅游 出差 航班 机票 飞往 度假 出游 行程 > train plane airport 火车 高铁 飞机 机场
    study: study studies studied learn learning learnt course school university college degree
        major 学习 在学 学的 课程 上学 读书 念书 毕业 大学 专业 攻读 > graduated phd thesis 博士
        硕士 论文
    hobby: hobby hobbies interests pastime sport sports exercise 爱好 兴趣 运动 锻炼 > run running
        jog swim swimming hike hiking climb climbing guitar piano paint painting reading cycling
        yoga tennis football basketball photography chess gardening gym marathon handball volleyball
        badminton baseball cricket rugby hockey golf skiing surfing boxing judo
        karate 手球 排球 乒乓球 棒球 橄榄球 高尔夫 滑雪 冲浪 拳击 跑步 游泳 爬山 徒步
        吉他 钢琴 画画 阅读 骑行 瑜伽 网球 足球 篮球 羽毛球 摄影 下棋 健身 马拉松
    speak: speak speaks language languages 语言 会说 > english french german spanish chinese
        mandarin japanese italian portuguese russian arabic korean dutch polish turkish greek hindi
        swedish norwegian danish finnish czech hungarian slovenian croatian thai vietnamese hebrew
        cantonese latin luganda swahili 泰语 韩语 俄语 葡萄牙语 意大利语 阿拉伯语 越南语
        荷兰语 英语 法语 德语 西班牙语 中文 日语 粤语
    pay: cost costs price pay pays paid spend spent fee 价格 费用 花了 付了 花费 > euros euro
        pounds dollars yuan € $ £ 元 块钱
    buy: buy bought purchase purchased order ordered 买 购买 购入 下单 订购
    marry: married marry wedding anniversary 结婚 婚礼 纪念日 > husband wife spouse 老公 丈夫 老婆
        妻子 太太
    read: read reads reading 读 看书 阅读
    watch: watch watches watching watched 看了 观看
    listen: listen listens listening 听
    finish: finish finished done complete completed 完成 做完 结束
    leave: leave leaving depart departs departure 出发 离开 动身
    arrive: arrive arrival 到达 抵达
    deadline: deadline due 截止 到期 交付
    park: park parked parking 停车 停在 停放
    keep: keep kept store stored hide hid put 放 放在 存放 收在
    start: start starts started begin began 开始
    todo: todo to-do todos task tasks chore chores errand errands 待办 待办事项 任务 > need must
        需要 别忘了 记得
    wake: wake getup 起床 醒
    sleep: sleep bed 睡觉 睡 入睡
"""
_THINGS: Final = """
    dog: dog dogs puppy 狗 小狗 > beagle labrador poodle corgi terrier spaniel dachshund retriever
        collie bulldog pug whippet greyhound husky
        柯基 金毛 哈士奇 泰迪 拉布拉多 柴犬 比熊 博美 边牧
    cat: cat cats kitten kitty 猫 小猫 > tabby siamese 橘猫 布偶 狸花 英短 美短
    pet: pet pets 宠物 > dog dogs puppy cat cats kitten hamster rabbit parrot goldfish turtle beagle
        labrador poodle corgi terrier collie bulldog pug whippet greyhound husky bird birds
        狗 猫 仓鼠 兔子 鹦鹉 柯基 金毛 哈士奇 泰迪 布偶 金鱼 乌龟
    car: car cars vehicle automobile drive drives drove driving 汽车 ?车 车子 开车 > 一辆
    colour: colour color colours colors 颜色 > 灰色 银色 棕色 金色 红色 蓝色
        绿色 黄色 紫色 黑色 白色 橙色 粉色
    instrument: instrument instruments 乐器 > cello violin piano guitar drums flute clarinet
        trumpet saxophone ukulele 钢琴 吉他 小提琴 大提琴 鼓 笛子 二胡 古筝
    salary: salary salaries wage wages income 工资 月薪 薪水 年薪 收入 薪资
    rent: rent 房租 租金
    dentist: dentist dental teeth tooth 牙医 牙科 看牙 牙齿 洗牙
    doctor: doctor physician gp 医生 大夫
    hospital: hospital clinic 医院 诊所
    gift: gift gifts present presents 礼物 礼品
    phone: phone telephone mobile 电话 手机 号码
    email: email mail 邮箱 邮件
    password: password passcode passphrase pin 密码 口令
    wifi: wifi wi-fi wlan wireless 无线 无线网
    meeting: meeting meetings standup 会议 开会 例会 周会
    project: project projects 项目
    film: film films movie movies series 电影 影片 电视剧 ?片 片子 > documentary documentaries
        thriller comedy comedies horror sitcom 纪录片 恐怖片 喜剧片 动作片 科幻片 爱情片 动画片
    book: book books novel ?书 书籍 小说
    music: music song songs band 音乐 ?歌 歌曲 乐队
    key: key keys 钥匙
    passport: passport 护照
    money: money budget cash 钱 预算 > euro euros pounds dollars yuan € $ £ 元 块 块钱
    exam: exam exams test 考试
    blood: blood 血型
    size: size shoe 尺码 鞋码 码
    gym: gym 健身房
    hotel: hotel hostel 酒店 宾馆
    restaurant: restaurant 餐厅 饭店 餐馆
    insurance: insurance 保险
    bank: bank 银行
    train: train 火车 高铁
    bike: bike bicycle 自行车 单车
    tea: tea 茶
    coffee: coffee 咖啡
    peanut: peanut peanuts nuts 花生 坚果
    nut: nut nuts > peanut peanuts almond walnut
    link: link url website site page 链接 网址 网站 > http https www
    document: document docs documentation doc 文档 资料
    medicine: medicine medicines medication medications drug meds prescription 药 药物 药品 > pill
        pills tablet tablets capsules antibiotics aspirin insulin vitamins inhaler mg dose 毫克 剂
        药片 胶囊 维生素 胰岛素
    server: server 服务器
    laptop: laptop computer macbook 电脑
    weight: weight weigh 体重
    height: height tall 身高
    code: code 代码 编号
    outdoors: outdoor outdoors 户外 > hike hiking climb climbing camping cycling sailing 爬山 徒步
        露营 骑行 登山 攀岩 野营
    programming: programming programming_language programming_languages coding 编程 编程语言 >
        python java javascript typescript rust golang sql kotlin developer programmer 脚本 程序员
"""


def _entries(table: str) -> list[str]:
    lines = table.replace(" / ", "\n    ").splitlines()
    joined: list[str] = []
    for line in lines:
        if not line.strip():
            continue
        if ":" in line:
            joined.append(line.strip())
        else:
            joined[-1] += " " + line.strip()
    return joined


def _concepts(table: str, kind: ConceptKind) -> list[Concept]:
    found: list[Concept] = []
    for entry in _entries(table):
        name, _, rest = entry.partition(":")
        words, _, cues = rest.partition(">")
        asking = {word for word in words.split() if word.startswith("?")}
        found.append(
            Concept(
                name,
                kind,
                frozenset(words.split()) - asking,
                frozenset(cues.split()),
                frozenset(word.removeprefix("?") for word in asking),
            )
        )
    return found


def _people() -> list[Concept]:
    """Return the people; who falls under them is named by its own words."""
    named = {one.name: one for one in _concepts(_PEOPLE, "person")}
    return [
        Concept(
            one.name,
            "person",
            one.words,
            frozenset(word for under in one.cues for word in named[under].words),
        )
        for one in named.values()
    ]


CONCEPTS: Final = tuple(_people() + _concepts(_THINGS, "thing") + _concepts(_RELATIONS, "relation"))
BY_NAME: Final = {one.name: one for one in CONCEPTS}


def _first_by_word() -> dict[str, Concept]:
    found: dict[str, Concept] = {}
    for concept in CONCEPTS:
        for word in concept.words | concept.asked:
            found.setdefault(word, concept)
    return found


BY_WORD: Final = _first_by_word()
"""The concept that a word means; where it may mean two, the person or thing, not the verb."""
PEOPLE_WORDS: Final = frozenset(
    word for one in CONCEPTS if one.kind == "person" for word in one.words
)
