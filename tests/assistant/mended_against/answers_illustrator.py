"""What an illustrator and somebody in China told, and what they ask."""

from tests.assistant.asking import CHAT, Case, Kept

ENGLISH_DAY = (
    Kept("2025-06-01", "core", "I'm a freelance illustrator based in Ghent."),
    Kept("2025-06-01", "core", "My partner Wout is a music teacher."),
    Kept("2025-06-02", "core", "I have one sister, Lotte, who lives in Antwerp."),
    Kept("2025-06-02", "core", "I usually have porridge with berries for breakfast."),
    Kept("2025-06-03", "core", "I don't eat pork."),
    Kept("2025-06-04", "core", "My phone is a Pixel 8, the PIN is in the vault."),
    Kept("2025-07-04", "core", "Our dog Bobbie is afraid of thunder."),
    Kept("2025-08-12", "episodic", "Visited Lotte and saw her new kitchen."),
    Kept(
        "2026-01-09", "episodic", "I signed up for a life drawing course that starts on 14 April."
    ),
    Kept("2026-02-25", "episodic", "The accountant Mr. Peeters needs my receipts by 31 March."),
    Kept("2026-03-06", "episodic", "I finished the cover for the bee book.", CHAT),
    Kept("2026-03-08", "episodic", "Wout's concert is on Thursday at 8 pm.", CHAT),
)

ENGLISH_CASES = (
    Case("whats my job", ("illustrator",), ("music",)),
    Case("where am i based", ("Ghent",), ("Antwerp",)),
    Case("what does wout do", ("music teacher",), ("illustrator",)),
    Case("do i have a sister", ("yes", "Lotte")),
    Case("do i have a brother", (), ("yes",), unknown=None),
    Case("wheres lotte living", ("Antwerp",), ("Ghent",)),
    Case("what do i eat for breakfast", ("porridge",)),
    Case("do i eat pork", ("pork",), ("yes",)),
    Case("what phone do i have", ("Pixel",)),
    Case("whats our dogs name", ("Bobbie",)),
    Case("what is bobbie scared of", ("thunder",), unknown=None),
    Case("when did i last visit lotte", ("12 August 2025",)),
    Case("when does my drawing course start", ("14 April",)),
    Case("who needs my receipts", ("Peeters",)),
    Case("by when?", ("31 March",), history=("who needs my receipts?",), unknown=None),
    Case("when is wout's concert", ("Thursday", "12 March 2026")),
    Case("did i finish the bee book cover", ("bee book",)),
    Case("what did i do on friday", ("bee book",), ("concert", "Bobbie")),
    Case("what's my sister's job", (), ("illustrator", "music"), unknown=True),
    Case("what do u know about wout", ("music teacher",)),
)

CHINESE_DAY = (
    Kept("2025-06-01", "core", "我是自由插画师，住在苏州。"),
    Kept("2025-06-01", "core", "我男朋友小韩是音乐老师。"),
    Kept("2025-06-02", "core", "我有一个姐姐，住在无锡。"),
    Kept("2025-06-02", "core", "我早餐一般吃燕麦粥。"),
    Kept("2025-06-03", "core", "我不吃猪肉。"),
    Kept("2025-06-04", "core", "我的手机是小米14。"),
    Kept("2025-07-04", "core", "我家的狗叫波比，它怕打雷。"),
    Kept("2025-08-12", "episodic", "去看了姐姐的新厨房。"),
    Kept("2026-01-09", "episodic", "我报了一个素描班，4月14日开课。"),
    Kept("2026-02-25", "episodic", "会计彭先生要我3月31日前交发票。"),
    Kept("2026-03-06", "episodic", "我画完了蜜蜂绘本的封面", CHAT),
    Kept("2026-03-08", "episodic", "小韩的音乐会在周四晚上八点", CHAT),
)

CHINESE_CASES = (
    Case("我做什么工作", ("插画师",), ("音乐老师",)),
    Case("我住在哪", ("苏州",), ("无锡",)),
    Case("小韩是干什么的", ("音乐老师",), ("插画",)),
    Case("我有姐姐吗", ("是的", "姐姐")),
    Case("我有弟弟吗", (), ("是的",), unknown=None),
    Case("我姐住哪里啊", ("无锡",), ("苏州",)),
    Case("我早餐吃什么", ("燕麦粥",)),
    Case("我吃猪肉吗", ("不吃猪肉",), ("是的",)),
    Case("我用的什么手机", ("小米14",)),
    Case("我家狗叫啥", ("波比",)),
    Case("波比怕什么", ("打雷",)),
    Case("我上次去看姐姐是什么时候", ("2025年8月12日",)),
    Case("素描班哪天开课", ("4月14日",)),
    Case("谁要我的发票", ("彭先生",)),
    Case("什么时候之前要交", ("3月31日",), history=("谁要我的发票",), unknown=None),
    Case("小韩的音乐会几点", ("八点",)),
    Case("蜜蜂绘本的封面画完了吗", ("蜜蜂",)),
    Case("周五我干了什么", ("蜜蜂",), ("音乐会", "波比")),
    Case("我姐姐是做什么的", (), ("插画", "音乐"), unknown=True),
    Case("说说小韩", ("音乐老师",)),
)
