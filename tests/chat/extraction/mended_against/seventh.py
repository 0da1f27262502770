"""The seventh set of turns, with what a careful reader takes from them.

How to read them stands in `reading.py`.
"""

from typing import Final

ENGLISH: Final = """
== small talk
U: hey, quick update from me: I got the job! I start as a lab technician at Roche on the first of
  June.
A: Congratulations! What will you be working on?
fact user.job = lab technician
fact user.employer = Roche

== small talk
U: I'm trying to learn Portuguese because my mother-in-law doesn't speak any English. It's hard!
A: Keep going, ten minutes a day is enough.
maybe-loop learn Portuguese

== small talk
U: We live in a village near Graz, with three hens and a donkey called Pepe. The neighbours hate
  us, probably.
A: Donkeys do have strong voices.
fact user.home = village near Graz

== small talk
U: Is it normal that I am always tired in the afternoon? I sleep eight hours and I don't drink
  coffee.
A: Quite normal. Try a short walk after lunch.
fact user.diet.coffee = coffee

== planning
U: Let's move the demo to Tuesday, 11 March at 10:00. Ravi can't make it on Monday.
A: Done. I'll let everyone know about the new slot.
known f1 event.demo = Monday, 10 March at 10:00
maybe event.presentation = 11 March
maybe event.demo = 11 March
maybe-loop let everyone know

== planning
U: I still have to pick a restaurant for Dad's 70th. He loves fish but he's allergic to shellfish.
A: How about a lake restaurant that serves trout?
fact user.father.like.fish = fish
fact user.father.allergy.shellfish = shellfish
loop pick a restaurant

== planning
U: The restaurant for Dad is sorted, I booked a table at the Seehof.
A: Lovely choice!
loop-known l1 = user: I still have to pick a restaurant for Dad's 70th.
loop-known l2 = user: I need to order the cake.
done l1

== support
U: Serial number SN-48-2291, firmware 3.0.2. The scanner makes a grinding noise. I'm not near it
  right now.
A: Thank you. Could you send a short video of the noise?
fact serial.number = SN-48-2291
maybe project.version = 3.0.2

== support
U: My laptop is a Lenovo Yoga 7 with Windows 11 Pro. Since yesterday the touchpad doesn't react.
  Is the warranty still valid?
A: I'm not sure yet, I'll check with the warranty team and e-mail you.
fact user.device = Lenovo Yoga 7
fact user.os = Windows 11
loop warranty still valid
loop check with the warranty team

== support
U: The e-mail from the warranty team never arrived.
A: I'm sorry, I will ask them again today.
loop-known l1 = assistant: I'll check with the warranty team and e-mail you.
loop ask them again

== role-play
U(Wren): *Wren slips into the archive, her lantern shaking.* "The vault is sealed with wax. I
  can't open it without the ring."
A(Odo): "My ring? I gave it to my daughter Sile years ago," *Odo mutters, rubbing his bandaged
  hand.*
fact wren.location = archive
fact odo.daughter.name = Sile
loop vault is sealed
maybe odo.injury = hand

== role-play
U(Wren): "I'd give anything for a horse." *Wren laughs.* "Where is Sile now?"
A(Odo): "She lives in Harrow, above the bakery." *Dawn breaks.*
fact setting.time = dawn
maybe odo.daughter.home = Harrow
"""

CHINESE: Final = """
== small talk
U: 跟你说个好消息，我找到工作了！六月一号开始去药明康德做实验员。
A: 恭喜！具体负责什么？
maybe user.job = 实验员
maybe user.employer = 药明康德

== small talk
U: 我在学葡萄牙语，因为婆婆一句中文都不会说，好难啊！
A: 坚持住，每天十分钟就够了。

== small talk
U: 我们住在莫干山脚下的村子里，养了三只母鸡，还有一头叫佩佩的驴，邻居估计烦死我们了。
A: 驴的嗓门确实不小。
fact user.home = 莫干山

== small talk
U: 我一到下午就犯困正常吗？我每天睡八个小时，也不喝咖啡。
A: 很正常，午饭后可以散散步。
fact user.diet.咖啡 = 咖啡

== planning
U: 演示改到3月11日周二上午十点吧，小拉周一来不了。
A: 好的，我会通知大家新的时间。
known f1 event.演示 = 3月10日周一上午十点
maybe event.演示 = 3月11日
maybe-loop 通知大家

== planning
U: 我还得给我爸的七十大寿挑家餐厅。他爱吃鱼，但是对贝类过敏。
A: 湖边有家做鳟鱼的餐厅不错。
fact user.father.like.吃鱼 = 鱼
fact user.father.allergy.贝类 = 贝类
loop 挑家餐厅

== planning
U: 我爸的餐厅搞定了，在湖景楼订好了位子。
A: 选得好！
loop-known l1 = 用户：我还得给我爸的七十大寿挑家餐厅。
loop-known l2 = 用户：我要订蛋糕。
done l1

== support
U: 序列号是SN482291，固件3.0.2，扫描仪有摩擦声，我现在不在旁边。
A: 谢谢，方便发一段视频吗？
fact serial.number = SN482291
maybe project.version = 3.0.2

== support
U: 我的电脑是联想小新14，系统是Windows 11，昨天开始触摸板没反应了。还在保修期内吗？
A: 暂时不确定，我向保修部门核实后给您发邮件。
fact user.device = 联想小新14
fact user.os = Windows 11
loop 保修期内吗
loop 核实

== support
U: 保修部门的邮件一直没有收到。
A: 抱歉，我今天再问一下他们。
loop-known l1 = 助手：我向保修部门核实后给您发邮件。
loop 再问一下

== role-play
U(雷恩): （雷恩溜进档案室，手里的灯笼微微发抖）“密室被蜡封住了，没有戒指我打不开。”
A(奥多): “我的戒指？多年前我送给我女儿希尔了。”（奥多搓着缠着绷带的手）
fact 雷恩.location = 档案室
maybe 奥多.daughter.name = 希尔
loop 密室被蜡封住

== role-play
U(雷恩): “现在要是有匹马就好了。”（雷恩笑了笑）“希尔现在在哪里？”
A(奥多): “她住在哈罗镇，在面包店楼上。”（天亮了）
fact setting.time = 天亮
"""
