"""Turns with many traps, written when the rules were mended three times.

How to read them stands in `reading.py`.
"""

from typing import Final

ENGLISH: Final = """
== small talk
U: I have a lot of work and a terrible cold. I'm starving, too.
A: Get well soon!

== small talk
U: My phone died in the middle of the call, my car is in the garage and my boss is furious.
A: What a day.

== small talk
U: I'm a huge believer in naps. I am so done with this week, I'm off to bed.
A: Sleep well!

== small talk
U: I grew up in a small town in Bavaria but I've lived in Montreal for ten years now. I speak
  German, English and a bit of French.
A: That is quite a mix!
fact user.home = Montreal
fact user.language.german = German
fact user.language.english = English
fact user.language.french = French
maybe user.origin = Bavaria
maybe user.origin = small town

== small talk
U: My best friend Carla hates mushrooms. I quite like them.
A: More for you!
fact user.friend.carla.dislike.mushrooms = mushrooms
fact user.friend.carla.name = Carla

== small talk
U: My daughter Ines turned seven in March. She has asthma, so we always carry an inhaler.
A: Good that you're prepared.
fact user.daughter.name = Ines
fact user.daughter.age = seven
fact user.daughter.health.asthma = asthma

== small talk
U: As a vegetarian I find it hard to eat out here. Everyone in my family is a doctor except me.
A: That must be frustrating.
maybe user.diet = vegetarian

== planning
U: Let's say I retire at 60 and live in Portugal. How much would I need to save?
A: Roughly 600,000 euros, depending on rent.

== planning
U: The venue is the old town hall. Doors open at 7 pm, and the band starts at 8. We still need to
  find a caterer.
A: I can suggest three caterers nearby.
maybe project.venue = old town hall
loop find a caterer

== planning
U: I have a meeting with the landlord on Wednesday at 5 pm and a haircut on Thursday morning.
A: Noted both.
fact event.meeting = Wednesday at 5 pm
fact event.haircut = Thursday morning

== planning
U: The interview was rescheduled to 2 December. I should probably buy a new shirt.
A: Blue usually works well.
known f1 event.interview = 28 November
fact event.interview = 2 December
loop buy a new shirt

== planning
U: I'm thinking of getting a dog. A beagle maybe, or I adopt an older one. What do you think?
A: An older dog is calmer and often easier.

== support
U: Hi, I'm Marta. I bought a SoundBar 300 from you in May and it no longer turns on. Order #77120-B.
A: Hi Marta, sorry about that. We'll send a technician on Monday.
fact user.name = Marta
fact order.number = 77120-B
loop send a technician

== support
U: The technician came and replaced the power board. Everything works again.
A: Great to hear!
loop-known l1 = assistant: We'll send a technician on Monday.
loop-known l2 = user: When does my warranty end?
done l1

== support
U: I don't use Chrome, I only use Firefox. Your chat says "My name is Max, how can I help you?"
  and then freezes.
A: Thank you for the report. Which version of Firefox is it?
maybe user.browser = Firefox

== support
U: How long does the warranty last? And is it true that I have to register the device?
A: Two years. Registration is optional.

== role-play
U: *I walk up to the bar and sit down.* Hey there. I'm Dex, a bounty hunter.
A(Lyra): *Lyra slides a glass across the counter and grins.* I'm Lyra. I own this dump. My left
  knee is killing me tonight, so be quick.
fact user.name = Dex
maybe user.title = bounty hunter
maybe user.location = bar

== role-play
U: *I show her the wanted poster.* Have you seen this man? He stole my ship.
A(Lyra): *She pales.* I've never seen him. *Her hand moves toward the pistol under the counter.*

== role-play
U(Sir Bram): "My lady, the king is dead. I was with him." *Sir Bram gives her the royal seal.*
A(Lady Elin): *Lady Elin takes the royal seal and walks to the throne room.* "Then I am queen.
  Find my cousin Roderic before nightfall."
fact king.status = dead
fact royal seal.holder = Lady Elin
fact lady elin.location = throne room
fact lady elin.title = queen
fact lady elin.cousin.roderic.name = Roderic
maybe-loop Find my cousin

== role-play
U(Sir Bram): "If I were king, I would live in the south." *He laughs bitterly.* "They say Roderic
  is a wizard now."
A(Lady Elin): "Do not jest." *She turns to the window. It begins to snow.*
fact setting.weather = snow
"""

CHINESE: Final = """
== small talk
U: 今天有一大堆工作，还感冒了，饿死我了。
A: 多休息，早日康复！

== small talk
U: 我手机打到一半没电了，车在修理厂，老板还发火了。
A: 真是倒霉的一天。

== small talk
U: 我是午睡的忠实拥护者。这周真是受够了，我去睡了。
A: 晚安！

== small talk
U: 我在桂林附近的小县城长大，不过已经在深圳住了十年了。我会说粤语、普通话，还会一点英语。
A: 语言能力真强！
fact user.home = 深圳
fact user.language.cantonese = 粤语
fact user.language.mandarin = 普通话
maybe user.language.english = 英语
maybe user.origin = 桂林

== small talk
U: 我闺蜜最讨厌蘑菇，我倒是挺喜欢的。
A: 那正好都归你了！
fact user.friend.dislike.蘑菇 = 蘑菇

== small talk
U: 我女儿叫伊娜，三月刚满七岁。她有哮喘，所以我们随身带着吸入器。
A: 做好准备总是对的。
fact user.daughter.name = 伊娜
fact user.daughter.age = 七
fact user.daughter.health.哮喘 = 哮喘

== small talk
U: 作为素食者，在这里下馆子挺难的。我们家除了我都是医生。
A: 确实不方便。
maybe user.diet = 素食

== planning
U: 假设我六十岁退休，住在大理，需要存多少钱？
A: 大约四百万元，要看房租。

== planning
U: 场地定在老市政厅，晚上七点入场，乐队八点开始。我们还得找一家餐饮公司。
A: 附近有三家可以推荐。
maybe project.venue = 老市政厅
loop 找一家餐饮公司

== planning
U: 我周三下午五点要跟房东开会，周四上午去理发。
A: 都记下了。
fact event.meeting = 周三下午五点
fact event.haircut = 周四上午

== planning
U: 面试改到12月2日了，我应该去买件新衬衫。
A: 蓝色的一般比较合适。
known f1 event.interview = 11月28日
fact event.interview = 12月2日
loop 买件新衬衫

== planning
U: 我在考虑养一只狗，柯基或者领养一只大一点的。你觉得呢？
A: 大一点的狗更稳重，也更好带。

== support
U: 你好，我是玛塔。五月份在你们这里买的音箱开不了机了，订单号77120B。
A: 玛塔您好，非常抱歉，我们周一会派技术员上门。
fact user.name = 玛塔
fact order.number = 77120B
loop 派技术员

== support
U: 技术员来过了，换了电源板，现在一切正常。
A: 太好了！
loop-known l1 = 助手：我们周一会派技术员上门。
loop-known l2 = 用户：保修期到什么时候？
done l1

== support
U: 我不用Chrome，只用火狐。你们的聊天窗口显示“我叫小智，请问有什么可以帮您”，然后就卡住了。
A: 感谢反馈，请问火狐是哪个版本？
maybe user.browser = 火狐

== support
U: 保修期多长？是不是一定要注册设备？
A: 两年，注册不是必须的。

== role-play
U: *我走到吧台前坐下。* 嘿，我叫德克斯，是个赏金猎人。
A(莱拉): *莱拉把一杯酒推过来，咧嘴一笑。* 我是莱拉，这破地方是我开的。今晚我左膝疼得要命，有话快说。
fact user.name = 德克斯
maybe user.title = 赏金猎人
maybe user.job = 赏金猎人
maybe 莱拉.injury = 左膝

== role-play
U: *我给她看通缉令。* 你见过这个人吗？他偷了我的飞船。
A(莱拉): *她脸色发白。* 从没见过。*她的手伸向柜台下面的手枪。*

== role-play
U(布拉姆): “夫人，国王死了，我当时就在他身边。”（布拉姆把王室印章交给她）
A(艾琳夫人): （艾琳夫人接过王室印章，走进大殿）“那么我就是女王。天黑前找到我表哥罗德里克。”
fact 国王.status = 死
fact 王室印章.holder = 艾琳夫人
fact 艾琳夫人.location = 大殿
maybe 艾琳夫人.title = 女王
maybe 艾琳夫人.cousin.表哥.name = 罗德里克
maybe-loop 找到我表哥

== role-play
U(布拉姆): “如果我是国王，我就住到南方去。”（他苦笑）“听说罗德里克现在是巫师了。”
A(艾琳夫人): “别开玩笑。”（她转向窗外，外面飘起了雪）
fact setting.weather = 雪
"""
