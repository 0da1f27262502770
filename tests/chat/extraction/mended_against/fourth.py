"""Turns that were written when the rules were mended twice, and what a reader takes from them.

How to read them stands in `reading.py`.
"""

from typing import Final

ENGLISH: Final = """
== small talk
U: Ugh, Mondays. Anyway, hi, I'm Theo, I just moved here from Winnipeg with my girlfriend Sana
  and our two huskies.
A: Hi Theo! Welcome. How do the huskies like it?
fact user.name = Theo
fact user.girlfriend.name = Sana
maybe user.origin = Winnipeg
maybe user.pet.dog = huskies

== small talk
U: I'm not really a coffee person, I drink green tea all day. My doctor would prefer water, haha.
A: Green tea is a good compromise.
maybe user.dislike.coffee = coffee
maybe user.like.green tea = green tea

== small talk
U: My uncle Ferdinand is a beekeeper. He lives on a tiny island in the Baltic and hates telephones.
A: He sounds like a character from a novel!
fact user.uncle.ferdinand.name = Ferdinand
maybe user.uncle.ferdinand.job = beekeeper
fact user.uncle.ferdinand.home = island
fact user.uncle.ferdinand.dislike.telephones = telephones

== small talk
U: You're the best! I could kiss you. What's your favourite colour?
A: Thank you! As a language model I don't see colours, but people often praise teal.

== small talk
U: Oh, and it's my birthday on the 12th of August! I'm turning 40 and I'm terrified.
A: Forty is a fine age. Any party plans?
fact user.birthday = 12th of August
maybe user.age = 40

== planning
U: Budget update: we're at 3,200 euros now instead of 2,800. Lena will design the flyers. Can you
  draft an invitation text?
A: Sure! "Dear neighbours, join us for our summer party in the courtyard." How is that?
known f1 project.budget = 2,800 euros
maybe project.budget = 3,200 euros

== planning
U: My flight leaves on 3 October at 6:40 from gate B12. I must not forget to order a taxi the
  evening before.
A: Got it: taxi on 2 October.
fact event.flight = 3 October at 6:40
loop order a taxi

== planning
U: Taxi is ordered. I haven't packed yet though.
A: There is still time!
loop-known l1 = user: I must not forget to order a taxi the evening before.
loop-known l2 = user: I need to pack my suitcase.
done l1

== planning
U: Would it be better to start with the kitchen or the bathroom? My brother-in-law says the kitchen.
A: The bathroom, because the plumber is only free in May.

== support
U: My printer, an Epson ET-2850, prints blank pages since I updated to Windows 11. I already
  cleaned the heads twice.
A: Thanks, that helps. Please reinstall the driver first.
fact user.device = Epson ET-2850
fact user.os = Windows 11

== support
U: That fixed it, thank you so much!
A: You're welcome! I'll close the ticket then.
loop-known l1 = user: My printer prints blank pages, what can I do?
loop-known l2 = assistant: I'll send you a shipping label.

== support
U: My e-mail is not working. I get error 0x800CCC0E when I send. My colleague Ada has the same
  problem on her Mac.
A: That code means the server refused the connection. Check the outgoing port.
maybe user.colleague.ada.name = Ada

== role-play
U(Juno): *Juno sprains her ankle on the wet stairs and leans on the wall.* "Captain, the airlock
  is sealed. We're trapped."
A(Captain Okoro): *Okoro enters the engine room with a plasma torch.* "I'm the captain of this
  wreck, and I will cut us a way out. Hold the flashlight."
fact juno.injury = ankle
fact captain okoro.title = captain of this wreck
fact captain okoro.location = engine room
loop airlock is sealed
maybe-loop cut us a way out

== role-play
U(Juno): "Do you think Ivy made it to the shuttle?" *Juno hands him the flashlight.*
A(Captain Okoro): "I don't know. But I'll find out, I swear." *Smoke fills the corridor.*
loop Ivy made it to the shuttle
loop find out
maybe flashlight.holder = Captain Okoro
"""

CHINESE: Final = """
== small talk
U: 唉，又是周一。对了，我叫西奥，刚和女朋友萨娜从哈尔滨搬来，还带着两只哈士奇。
A: 欢迎你，西奥！哈士奇还习惯吗？
fact user.name = 西奥
maybe user.girlfriend.name = 萨娜
maybe user.origin = 哈尔滨
maybe user.pet.dog = 哈士奇

== small talk
U: 我不怎么喝咖啡，一天到晚喝绿茶。医生倒是希望我多喝水，哈哈。
A: 绿茶也不错。
maybe user.diet.咖啡 = 咖啡
maybe user.like.绿茶 = 绿茶

== small talk
U: 我舅舅是养蜂人，住在海边的一个小岛上，最讨厌打电话。
A: 听起来像小说里的人物！
maybe user.uncle.舅舅.job = 养蜂人
fact user.uncle.舅舅.home = 小岛
fact user.uncle.舅舅.dislike.打电话 = 打电话

== small talk
U: 你太棒了，爱死你了！你最喜欢什么颜色？
A: 谢谢！作为语言模型我看不到颜色，不过很多人喜欢青色。

== small talk
U: 对了，8月12日是我生日！马上四十岁了，好慌。
A: 四十岁正是好年纪，有什么庆祝计划吗？
fact user.birthday = 8月12日
maybe user.age = 四十

== planning
U: 预算有变：现在是3200元，不是2800元了。传单由丽娜设计。你能帮我写个邀请函吗？
A: 好的：“亲爱的邻居们，欢迎参加我们的夏日聚会。”你看怎么样？
known f1 project.budget = 2800元
fact project.budget = 3200元

== planning
U: 我的航班是10月3日早上6点40分，在B12登机口。我得前一天晚上叫好出租车，千万别忘了。
A: 好的：10月2日叫出租车。
fact event.flight = 10月3日早上6点40分
loop 叫好出租车

== planning
U: 出租车已经叫好了，不过行李还没收拾。
A: 还来得及！
loop-known l1 = 用户：我得前一天晚上叫好出租车。
loop-known l2 = 用户：我要收拾行李。
done l1

== planning
U: 先装修厨房好还是卫生间好？我姐夫说先弄厨房。
A: 先弄卫生间吧，因为水管工只有五月有空。

== support
U: 我的打印机是爱普生ET-2850，升级到Windows 11以后老是打印空白页，喷头已经清洗过两次了。
A: 谢谢，请先重装一下驱动。
maybe user.device = 爱普生ET-2850
fact user.os = Windows 11

== support
U: 问题解决了，太感谢了！
A: 不客气！那我就关闭工单了。
loop-known l1 = 用户：我的打印机打印空白页，怎么办？
loop-known l2 = 助手：我会给您寄一张退货标签。

== support
U: 我的邮箱用不了，发邮件时报错0x800CCC0E。我同事小艾的电脑也是一样的问题。
A: 这个代码说明服务器拒绝连接，请检查发件端口。
maybe user.colleague.小艾.name = 小艾

== role-play
U(朱诺): （朱诺在湿滑的楼梯上扭伤了脚踝，靠在墙上）“船长，气闸门被封住了，我们被困住了。”
A(奥科罗船长): （奥科罗拿着等离子焊枪走进驾驶舱）“我是这艘破船的船长，我一定会切出一条路来。
  拿好手电筒。”
fact 朱诺.injury = 脚踝
fact 奥科罗船长.title = 船长
fact 奥科罗船长.location = 驾驶舱
maybe 等离子焊枪.holder = 奥科罗船长
loop 气闸门被封住
maybe-loop 切出一条路

== role-play
U(朱诺): “你觉得艾薇赶上穿梭机了吗？”（朱诺把手电筒递给他）
A(奥科罗船长): “我不知道。不过我一定会查清楚，我发誓。”（浓烟弥漫在走廊里）
loop 艾薇赶上穿梭机
loop 查清楚
maybe 手电筒.holder = 奥科罗船长
"""
