"""What a tram driver and somebody in China told. No rule knows what who drives a tram works as."""

from tests.assistant.asking import CHAT, Case, Kept

ENGLISH_DAY = (
    Kept("2025-03-03", "auto", "I am Mateo, 52, and I drive a tram in Lisbon."),
    Kept("2025-03-03", "core", "My ex-wife Carla and I share custody of our son Rui."),
    Kept("2025-03-04", "core", "Rui is 14 and plays handball for Benfica juniors."),
    Kept("2025-03-05", "core", "I have type 2 diabetes and take metformin twice a day."),
    Kept("2025-04-04", "core", "My favourite dish is bacalhau à Brás."),
    Kept("2025-05-05", "core", "I support Sporting, not Benfica."),
    Kept("2025-07-07", "core", "My landlady is Dona Amélia, rent is 780 euros."),
    Kept("2025-09-01", "resource", "Rui's school calendar: https://example.org/calendario"),
    Kept("2025-10-30", "episodic", "Lost my umbrella on tram 28, of all places."),
    Kept("2026-01-31", "episodic", "Rui broke his wrist at handball practice."),
    Kept(
        "2026-02-22", "episodic", "Had lunch with my cousin Ines, she is expecting twins in June."
    ),
    Kept("2026-03-03", "episodic", "My shift on Saturday was swapped with Joao."),
    Kept("2026-03-06", "episodic", "I'm selling the old scooter for 600 euros", CHAT),
    Kept("2026-03-07", "episodic", "the heating guy comes on wednesday between 8 and 10", CHAT),
    Kept("2026-03-08", "episodic", "Watched Sporting win 3-1 with Joao at Cafe Tejo."),
)

ENGLISH_CASES = (
    Case("how old am i", ("52",), ("14",)),
    Case("how old is my son", ("14",), ("52",)),
    Case("which sport does rui play", ("handball",)),
    Case("what meds do i take", ("metformin",)),
    Case("do i have diabetes", ("yes", "diabetes")),
    Case("do i support benfica", ("not Benfica",), ("yes",), unknown=None),
    Case("whats my favorite food", ("bacalhau",)),
    Case("how much is my rent", ("780",), ("600",)),
    Case("who's my landlady", ("Amélia",)),
    Case("where did i lose my umbrella", ("tram 28",)),
    Case("when did rui break his wrist", ("31 January 2026",)),
    Case("when is ines having her babies", ("June",), unknown=None),
    Case("who did i swap my shift with", ("Joao",)),
    Case("when does the heating guy come", ("wednesday", "11 March 2026")),
    Case("how much do i want for the scooter", ("600",), ("780",)),
    Case("what did i do yesterday", ("Sporting win",), ("metformin", "scooter")),
    Case("do i have a daughter", (), ("yes",), unknown=None),
    Case("where does carla live", (), ("Lisbon",), unknown=True),
    Case("and what does she do?", (), ("tram",), unknown=True, history=("who is Carla?",)),
)

CHINESE_DAY = (
    Kept("2025-03-03", "auto", "我是老马，52岁，在大连开有轨电车。"),
    Kept("2025-03-03", "core", "我和前妻一起抚养儿子小睿。"),
    Kept("2025-03-04", "core", "小睿14岁，在校队打手球。"),
    Kept("2025-03-05", "core", "我有二型糖尿病，每天吃两次二甲双胍。"),
    Kept("2025-04-04", "core", "我最喜欢的菜是锅包肉。"),
    Kept("2025-05-05", "core", "我支持大连队，不支持山东队。"),
    Kept("2025-07-07", "core", "房东是刘阿姨，房租每月2800元。"),
    Kept("2025-09-01", "resource", "小睿的校历：https://example.org/xiaoli"),
    Kept("2025-10-30", "episodic", "把雨伞丢在了201路电车上。"),
    Kept("2026-01-31", "episodic", "小睿训练的时候摔断了手腕。"),
    Kept("2026-02-22", "episodic", "和表妹小英吃了午饭，她六月要生双胞胎。"),
    Kept("2026-03-03", "episodic", "跟老秦换了周六的班。"),
    Kept("2026-03-06", "episodic", "我打算把旧摩托车六千块卖掉", CHAT),
    Kept("2026-03-07", "episodic", "修暖气的师傅周三八点到十点来", CHAT),
    Kept("2026-03-08", "episodic", "和老秦在星海酒吧看球，大连队3比1赢了。"),
)

CHINESE_CASES = (
    Case("我多大", ("52岁",), ("14岁",)),
    Case("我儿子几岁", ("14岁",), ("52岁",)),
    Case("小睿玩什么运动", ("手球",)),
    Case("我吃啥药", ("二甲双胍",)),
    Case("我有糖尿病吗", ("是的", "糖尿病")),
    Case("我支持山东队吗", ("不支持山东队",), ("是的",), unknown=None),
    Case("我最爱吃啥", ("锅包肉",)),
    Case("房租多少", ("2800",), ("六千",)),
    Case("房东是谁", ("刘阿姨",)),
    Case("雨伞丢哪了", ("201路",)),
    Case("小睿啥时候摔断手腕的", ("2026年1月31日",)),
    Case("小英什么时候生", ("六月",), unknown=None),
    Case("我跟谁换的班", ("老秦",)),
    Case("修暖气的啥时候来", ("周三", "2026年3月11日")),
    Case("摩托车卖多少钱", ("六千",), ("2800",)),
    Case("昨天我干嘛了", ("看球",), ("二甲双胍", "摩托")),
    Case("我有女儿吗", (), ("是的",), unknown=None),
    Case("我前妻住哪", (), ("大连",), unknown=True),
    Case("我的wifi密码", (), ("mem_",), unknown=True),
)
