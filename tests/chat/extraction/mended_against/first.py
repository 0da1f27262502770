"""Turns that the rules were built with, and what a careful reader takes from them.

How to read them stands in `reading.py`.
"""

from typing import Final

ENGLISH: Final = """
== small talk
U: Hi! My name is Dana and I live in Porto. I'm 34 and I work as a nurse.
A: Nice to meet you, Dana! How is Porto these days?
fact user.name = Dana
fact user.home = Porto
fact user.age = 34
fact user.job = nurse

== small talk
U: My dog is called Biscuit. He's a beagle. I also have two cats, Salt and Pepper.
A: What a lovely trio! I'd love to hear more about them.
fact user.pet.dog.name = Biscuit
fact user.pet.cat.name = Salt and Pepper
maybe user.pet.dog.breed = beagle

== small talk
U: I don't have a dog, and I'm not a morning person. Do you like dogs?
A: As an AI, I don't have preferences, but I can help you with questions about dogs.

== small talk
U: If I were a doctor I'd live in Paris. I wish I had a boat!
A: That sounds dreamy.

== small talk
U: I love hiking and old jazz records, but I hate cilantro.
A: Cilantro divides people.
fact user.like.hiking = hiking
fact user.like.old jazz records = jazz
fact user.dislike.cilantro = cilantro

== small talk
U: Actually I moved to Hamburg last month. And please call me Dee.
A: Will do, Dee!
known f1 user.home = Porto
fact user.home = Hamburg
fact user.nickname = Dee

== planning
U: The project deadline is 14 March and our budget is 20,000 euros.
A: Understood. Shall we draft a schedule?
fact project.deadline = 14 March
fact project.budget = 20,000 euros

== planning
U: I have a dentist appointment on Tuesday at 3 pm. Remind me to bring the x-rays.
A: Noted.
fact event.dentist = Tuesday at 3 pm
loop bring the x-rays

== planning
U: Actually, it's Thursday, not Tuesday.
A: Thanks, I changed that.
known f1 event.dentist = Tuesday at 3 pm
fact event.dentist = Thursday

== planning
U: I need to book the flights before Friday. Should we fly to Rome or to Naples?
A: Let me check the prices and get back to you tomorrow.
loop book the flights
loop Rome or to Naples
maybe-loop check the prices

== planning
U: I booked the flights this morning.
A: Great, that's one thing less.
loop-known l1 = user: I need to book the flights before Friday.
loop-known l2 = user: Remind me to bring the x-rays.
done l1

== support
U: My order number is A-40912 and the lamp arrived broken.
A: I'm sorry to hear that. I'll send you a replacement within two days.
fact order.number = A-40912
loop send you a replacement

== support
U: The app crashes on my Pixel 7. I'm on Android 14.
A: Thanks for the details. Have you tried clearing the cache?
fact user.device = Pixel 7
fact user.os = Android 14

== support
U: How do I reset my password?
A: Open Settings, choose Account, and press Reset password.

== support
U: I still haven't received the replacement.
A: I apologise for the delay.
loop-known l1 = assistant: I'll send you a replacement within two days.

== role-play
U(Kael): *I draw my silver dagger and step into the crypt.* "Who is there?"
A(Mira): *Mira limps out of the shadows, her left arm broken.* "I am Mira, the last warden of
  Ashford. The iron gate is locked, and my brother Tobin is missing."
fact silver dagger.holder = Kael
fact kael.location = crypt
fact mira.injury = left arm
fact mira.title = last warden of Ashford
fact mira.brother.name = Tobin
loop gate is locked
loop Tobin is missing

== role-play
U(Kael): "I will find your brother, I swear it." *I hand Mira the silver dagger.*
A(Mira): *She tucks it into her belt. Rain begins to fall.*
known f1 silver dagger.holder = Kael
fact silver dagger.holder = Mira
fact setting.weather = rain
loop find your brother

== role-play
U(Kael): *I step back.* "What if the king were dead? Imagine I were king!"
A(Mira): "Hush. Walls have ears," *she whispers.*
"""

CHINESE: Final = """
== small talk
U: 你好，我叫小明，今年28岁，住在成都。
A: 小明你好，很高兴认识你！
fact user.name = 小明
fact user.age = 28
fact user.home = 成都

== small talk
U: 我家养了一只猫，叫豆豆。我妹妹叫小雨，在上海当老师。
A: 豆豆真可爱的名字！
fact user.pet.cat.name = 豆豆
fact user.younger_sister.name = 小雨
fact user.younger_sister.job = 老师
maybe user.younger_sister.workplace = 上海

== small talk
U: 我没有养狗，也不是医生。你喜欢狗吗？
A: 作为一个人工智能，我没有个人喜好，不过可以帮你了解狗的品种。

== small talk
U: 如果我是医生，我就住在北京。真希望我有一艘船。
A: 听起来不错。

== small talk
U: 我喜欢爬山和摄影，不喜欢香菜。
A: 香菜确实见仁见智。
fact user.like.爬山 = 爬山
fact user.like.摄影 = 摄影
fact user.dislike.香菜 = 香菜

== small talk
U: 我上个月搬到上海了，以后叫我阿明就行。
A: 好的，阿明。
known f1 user.home = 成都
fact user.home = 上海
fact user.nickname = 阿明

== planning
U: 这个项目的截止日期是3月14日，预算是五万元。
A: 明白了，要不要先列个计划？
fact project.deadline = 3月14日
fact project.budget = 五万元

== planning
U: 我周二下午三点约了牙医，记得提醒我带上病历。
A: 好的，记下了。
fact event.dentist = 周二下午三点
loop 带上病历

== planning
U: 其实是周四，不是周二。
A: 好的，已经改过来了。
known f1 event.dentist = 周二下午三点
fact event.dentist = 周四

== planning
U: 我要在周五之前订好机票。我们去罗马还是去那不勒斯好？
A: 我查一下价格，明天回复你。
loop 订好机票
loop 去罗马还是去那不勒斯
maybe-loop 查一下价格

== planning
U: 机票我今天早上订好了。
A: 太好了。
loop-known l1 = 用户：我要在周五之前订好机票。
loop-known l2 = 用户：记得提醒我带上病历。
done l1

== support
U: 我的订单号是A40912，台灯到的时候就是坏的。
A: 非常抱歉，我们会在两天内给您补发一个。
fact order.number = A40912
loop 补发

== support
U: 我用的是小米13，系统是安卓14，应用一打开就闪退。
A: 感谢反馈，请问您清除过缓存吗？
fact user.device = 小米13
fact user.os = 安卓14

== support
U: 怎么重置密码？
A: 打开设置，选择账户，然后点击重置密码。

== support
U: 我还没收到补发的台灯。
A: 抱歉让您久等了。
loop-known l1 = 助手：我们会在两天内给您补发一个台灯。

== role-play
U(凯尔): （我拔出银匕首，走进地窖）“谁在那里？”
A(米拉): （米拉一瘸一拐地走出阴影，左臂受了伤）“我是米拉，灰堡最后的守卫。铁门锁着，
  我弟弟托宾失踪了。”
fact 银匕首.holder = 凯尔
fact 凯尔.location = 地窖
fact 米拉.injury = 左臂
fact 米拉.title = 灰堡最后的守卫
fact 米拉.younger_brother.name = 托宾
loop 铁门锁着
loop 托宾失踪

== role-play
U(凯尔): “我发誓一定会找到你弟弟。”（我把银匕首递给米拉）
A(米拉): （她把匕首收进腰带。外面下起了雨）
known f1 银匕首.holder = 凯尔
fact 银匕首.holder = 米拉
fact setting.weather = 雨
loop 找到你弟弟

== role-play
U(凯尔): （后退一步）“假如国王死了呢？想象一下我是国王！”
A(米拉): “嘘，隔墙有耳。”
"""
