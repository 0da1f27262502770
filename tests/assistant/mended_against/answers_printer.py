"""What a printer and somebody in China told, and what they ask."""

from tests.assistant.asking import Case, Kept

ENGLISH_DAY = (
    Kept("2025-02-01", "auto", "I'm Viktor, I run a small print shop in Graz."),
    Kept("2025-02-01", "core", "My daughter Emilia (4) goes to the kindergarten on Annenstrasse."),
    Kept("2025-02-02", "core", "I'm vegetarian but I eat fish now and then."),
    Kept("2025-02-02", "core", "I love hiking, board games and old jazz records."),
    Kept("2025-02-03", "core", "My wife Sofia was born on 22 November 1986."),
    Kept("2025-03-01", "core", "My brother-in-law Pavel owes me 250 euros."),
    Kept("2025-03-10", "core", "I wear size 44 shoes."),
    Kept(
        "2025-05-05", "resource", "The warranty for the washing machine is in the hallway drawer."
    ),
    Kept("2025-08-08", "episodic", "Adopted a rabbit from the shelter, Emilia named it Knut."),
    Kept("2025-09-09", "core", "I go to the sauna every Sunday evening."),
    Kept("2025-11-20", "episodic", "Had the car serviced at Huber's, they replaced the brakes."),
    Kept("2026-01-03", "core", "I'm learning Slovenian with an app."),
    Kept("2026-02-14", "episodic", "Dinner with Sofia at Trattoria Lucio, the gnocchi were great."),
    Kept(
        "2026-03-01", "episodic", "Dr. Berger wants me to come back for a blood test on 20 March."
    ),
    Kept("2026-03-03", "episodic", "I lent my drill to our neighbour Mr. Kern."),
    Kept(
        "2026-03-07", "episodic", "Ordered 5,000 flyers for the client Alpenbad, due next Friday."
    ),
    Kept("2026-03-08", "auto", "Today I repaired Emilia's scooter and baked a plum cake."),
    Kept("2026-03-08", "procedural", "Printer jam: open flap B, pull the paper out, press reset."),
)

ENGLISH_CASES = (
    Case("whats my name again", ("Viktor",), ("Emilia (4)",)),
    Case("how old is emilia", ("(4)",)),
    Case("when was sofia born", ("22 November 1986",), ("noted on",)),
    Case("do i eat meat", ("vegetarian",), ("yes",), unknown=None),
    Case("whats my shoe size", ("44",)),
    Case("who has my drill", ("Kern",)),
    Case("who owes me money", ("Pavel",), ("Kern",)),
    Case("where's the washing machine warranty", ("hallway drawer",)),
    Case("do we have a pet?", ("rabbit",), unknown=None),
    Case("what's the rabbit called", ("Knut",)),
    Case("when was the last time the car was serviced", ("20 November 2025",)),
    Case("what hobbies do i have", ("hiking",), ("gnocchi",)),
    Case("which language am i learning", ("Slovenian",)),
    Case("where did i have dinner with sofia", ("Lucio",)),
    Case("when's my blood test", ("20 March",)),
    Case("what did i do yesterday", ("scooter",), ("vegetarian", "flyers")),
    Case("how do i fix a printer jam", ("flap B",)),
    Case("when are the flyers due", ("Friday", "13 March 2026")),
    Case("what's my wife's phone number", (), ("1986",), unknown=True),
    Case("and her birthday?", ("22 November",), history=("what's my wife's name?",)),
    Case("do I live in Vienna?", (), ("yes",), unknown=None),
    Case("what do i do on sundays", ("sauna",), unknown=None),
    Case("我女儿几岁了", ("(4)",)),
    Case("is my daughter in school?", ("kindergarten",), ("yes",), unknown=None),
)

CHINESE_DAY = (
    Kept("2025-02-01", "auto", "我是何静，在昆明开了一家花店。"),
    Kept("2025-02-01", "core", "我儿子壮壮（4岁）在翠湖幼儿园上学。"),
    Kept("2025-02-02", "core", "我吃素，偶尔吃点鱼。"),
    Kept("2025-02-02", "core", "我喜欢爬山、桌游和听爵士乐。"),
    Kept("2025-02-03", "core", "我老公赵磊的生日是11月22日。"),
    Kept("2025-03-01", "core", "表哥欠我两千五百块钱。"),
    Kept("2025-03-10", "core", "我穿38码的鞋。"),
    Kept("2025-05-05", "resource", "洗衣机的保修卡在玄关的抽屉里。"),
    Kept("2025-08-08", "episodic", "从救助站领养了一只兔子，壮壮给它取名叫雪球。"),
    Kept("2025-09-09", "core", "我每周日晚上去游泳。"),
    Kept("2025-11-20", "episodic", "把车送去保养，换了刹车片。"),
    Kept("2026-01-03", "core", "我正在用软件学泰语。"),
    Kept("2026-02-14", "episodic", "和老公在滇味楼吃了晚饭，汽锅鸡很好吃。"),
    Kept("2026-03-01", "episodic", "孙医生让我3月20日去复查血常规。"),
    Kept("2026-03-03", "episodic", "我把电钻借给了邻居老钟。"),
    Kept("2026-03-07", "episodic", "给客户云上酒店订了五百支玫瑰，下周五要交货。"),
    Kept("2026-03-08", "auto", "今天修好了壮壮的滑板车，还烤了蛋糕。"),
    Kept("2026-03-08", "procedural", "打印机卡纸：打开B盖，把纸抽出来，按重置键。"),
)

CHINESE_CASES = (
    Case("我叫啥来着", ("何静",), ("雪球",)),
    Case("壮壮多大", ("4岁",)),
    Case("赵磊生日哪天", ("11月22日",), ("记于",)),
    Case("我吃肉吗", ("吃素",), ("是的",), unknown=None),
    Case("我鞋码多少", ("38码",)),
    Case("电钻在谁那", ("老钟",)),
    Case("谁欠我钱", ("表哥",), ("老钟",)),
    Case("洗衣机保修卡放哪了", ("玄关",)),
    Case("我家有宠物吗", ("兔子",), unknown=None),
    Case("兔子叫什么", ("雪球",)),
    Case("上次保养车是什么时候", ("2025年11月20日",)),
    Case("我有啥爱好", ("爬山",), ("汽锅鸡",)),
    Case("我在学什么语言", ("泰语",)),
    Case("我跟老公在哪吃的晚饭", ("滇味楼",)),
    Case("什么时候复查", ("3月20日",)),
    Case("昨天干了啥", ("滑板车",), ("吃素", "玫瑰")),
    Case("打印机卡纸咋办", ("B盖",)),
    Case("玫瑰什么时候交货", ("下周五", "2026年3月13日")),
    Case("我老公的手机号是多少", (), ("11月22日",), unknown=True),
    Case("他生日呢", ("11月22日",), history=("我老公叫什么名字？",)),
    Case("我住在北京吗", (), ("是的",), unknown=None),
    Case("我周日一般做什么", ("游泳",), unknown=None),
    Case("how old is my son", ("4岁",)),
    Case("我儿子上小学了吗", ("幼儿园",), ("是的",), unknown=None),
)
