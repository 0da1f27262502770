"""Turns that were written after the rules were built, and what a careful reader takes from them.

How to read them stands in `reading.py`.
"""

from typing import Final

ENGLISH: Final = """
== small talk
U: Long day! I teach chemistry at a secondary school in Leeds, and my husband Omar is a
  paramedic, so we hardly see each other.
A: That sounds exhausting. Do you at least get the weekends together?
fact user.job = chemistry
fact user.husband.name = Omar
fact user.husband.job = paramedic
maybe user.employer = secondary school
maybe user.workplace = Leeds

== small talk
U: My grandma used to say "I am the queen of this kitchen". She made the best dumplings.
A: What a character! I'd love to have tasted those dumplings.

== small talk
U: We adopted a rabbit yesterday! Her name is Clover. My son is five and he is over the moon.
A: Congratulations on the new family member!
fact user.pet.rabbit.name = Clover
fact user.son.age = five
maybe user.pet.rabbit = rabbit

== small talk
U: lol I could eat sushi every day. My roommate thinks I'm crazy.
A: Sushi is a fine obsession.

== small talk
U: I'm severely allergic to shellfish, and I don't drink alcohol. My favorite cuisine is Ethiopian.
A: Good to know, I'll keep that in mind.
fact user.allergy.shellfish = shellfish
fact user.diet.alcohol = alcohol
fact user.favorite.cuisine = Ethiopian

== small talk
U: Sad news: our cat Miso died on Sunday. I still can't believe it.
A: I'm so sorry for your loss.
known f1 user.pet.cat.name = Miso
known f2 user.home = Oslo
retired f1
maybe user.pet.cat.name = Miso

== planning
U: The wedding is on 21 June in Siena. We want to invite about eighty people, and the budget is
  around $15,000.
A: Lovely! I'd start with the venue.
fact event.wedding = 21 June
fact project.budget = 15,000
loop invite about eighty people

== planning
U: The team meeting got moved from Monday to Wednesday. I'll email everyone the new agenda tonight.
A: Sounds good.
known f1 event.team meeting = Monday 10:00
known f2 event.dentist = Monday 8 am
fact event.team meeting = Wednesday
loop email everyone the new agenda

== planning
U: What would you pack for a week in Iceland in October?
A: Layers, a waterproof shell, good boots and a swimsuit for the hot springs.

== planning
U: The agenda went out, I emailed everyone last night. What time does the library close on Sundays?
A: I don't know yet, I'll check and tell you tomorrow.
loop-known l1 = user: I'll email everyone the new agenda tonight.
loop-known l2 = user: I need to renew my passport.
done l1
loop library close
maybe-loop I'll check

== planning
U: I was thinking about the passport. If I had more time I would renew it this week.
A: It usually takes three weeks.
loop-known l1 = user: I need to renew my passport.

== support
U: Hello, I can't log in. My username is fern_42 and I'm running macOS Sonoma on a MacBook Air.
A: Thanks! As an AI assistant I can help you with that. Please try resetting your password first.
fact user.username = fern_42
fact user.os = macOS Sonoma
fact user.device = MacBook Air

== support
U: It's working now, the refund came through yesterday.
A: Wonderful! Is there anything else I can do for you?
loop-known l1 = assistant: We'll refund you within five days.
loop-known l2 = assistant: I'll forward your complaint to the manager.
done l1

== support
U: Is my order delayed? I ordered a desk two weeks ago.
A: I'm sorry for the wait. Your ticket number is T-88213, and I'll contact the carrier and get
  back to you by Friday.
fact ticket.number = T-88213
loop order delayed
loop contact the carrier

== support
U: I'm not using Windows, I'm on Ubuntu 22.04. And it's not the blue cable, it's the grey one.
A: Thanks for clarifying.
fact user.os = Ubuntu 22.04

== role-play
U(Ren): *Ren climbs the stairs of the lighthouse and lifts the brass lantern.* "Is anybody up here?"
A(Captain Vale): *An old woman turns around. Fog rolls in from the sea.* "I'm Captain Vale,
  keeper of this light. My ship vanished with all hands, and nobody believes me."
fact ren.location = lighthouse
fact brass lantern.holder = Ren
fact setting.weather = fog
fact captain vale.title = keeper of this light
maybe-loop My ship vanished

== role-play
U(Ren): "I believe you. I promise to search the reef at dawn." *Ren gives the brass lantern to
  Captain Vale.*
A(Captain Vale): *She takes it with shaking hands, blood seeping through a bandage on her
  forehead.* "Then take my map, boy."
known f1 brass lantern.holder = Ren
fact brass lantern.holder = Captain Vale
loop search the reef
maybe captain vale.injury = forehead

== role-play
U(Ren): *The chest is locked, but I use the rusty key and it opens.* "Empty! Someone was here
  before us."
A(Captain Vale): "If only I had come sooner," *she sighs.*
loop-known l1 = Captain Vale: The chest is locked.
done l1
maybe rusty key.holder = Ren
maybe-loop chest is locked
"""

CHINESE: Final = """
== small talk
U: 今天好累啊！我在一所中学教化学，我老公是急诊科医生，我们俩平时都见不着面。
A: 听起来真辛苦，周末能一起休息吗？
fact user.job = 化学
fact user.husband.job = 医生
maybe user.employer = 中学

== small talk
U: 我奶奶以前常说“我是这个厨房的女王”，她包的饺子特别好吃。
A: 真是个有意思的老人家。

== small talk
U: 昨天我们领养了一只兔子，名字叫棉花。我儿子五岁，高兴坏了。
A: 恭喜家里添了新成员！
fact user.pet.rabbit.name = 棉花
fact user.son.age = 五

== small talk
U: 哈哈，我可以天天吃火锅，室友觉得我疯了。
A: 火锅确实让人上瘾。

== small talk
U: 我对海鲜严重过敏，平时也不喝酒。我最喜欢的电影是《千与千寻》。
A: 好的，我会记住的。
fact user.allergy.海鲜 = 海鲜
fact user.diet.酒 = 酒
fact user.favorite.movie = 千与千寻

== small talk
U: 唉，我家的猫上周去世了，心里很难受。
A: 节哀，它一定知道你很爱它。
known f1 user.pet.cat.name = 年糕
known f2 user.home = 杭州
retired f1

== planning
U: 婚礼定在6月21日，预算大概十五万，我们打算请八十个人。
A: 恭喜！建议先把场地定下来。
fact event.wedding = 6月21日
fact project.budget = 十五万
loop 请八十个人

== planning
U: 周会从周一改到周三了。今晚我会把新的议程发给大家。
A: 好的。
known f1 event.meeting = 周一上午十点
known f2 event.dentist = 周一早上八点
fact event.meeting = 周三
loop 议程发给大家

== planning
U: 十月去冰岛玩一周该带些什么？
A: 建议带防水外套、保暖内衣、登山鞋，还有泡温泉的泳衣。

== planning
U: 议程昨晚已经发给大家了。图书馆周日几点关门？
A: 我也不清楚，明天查了再告诉你。
loop-known l1 = 用户：今晚我会把新的议程发给大家。
loop-known l2 = 用户：我得去续护照。
done l1
loop 图书馆周日几点关门
maybe-loop 查了再告诉你

== planning
U: 我在想护照的事，要是有时间我这周就去续了。
A: 一般需要三周左右。
loop-known l1 = 用户：我得去续护照。

== support
U: 你好，我登录不了。我的用户名是fern42，电脑是MacBook Air，系统是macOS Sonoma。
A: 您好！作为人工智能助手，我可以帮您解决。请先尝试重置密码。
fact user.username = fern42
fact user.device = MacBook Air
fact user.os = macOS Sonoma

== support
U: 现在好了，退款昨天到账了。
A: 太好了！还有什么可以帮您的吗？
loop-known l1 = 助手：我们会在五天内给您退款。
loop-known l2 = 助手：我会把您的投诉转给经理。
done l1

== support
U: 我的订单是不是延误了？两周前买的书桌。
A: 抱歉让您久等。您的工单号是T88213，我会联系快递公司，周五之前给您答复。
fact ticket.number = T88213
loop 联系快递公司
maybe-loop 订单是不是延误了

== support
U: 我没用Windows，用的是Ubuntu 22.04。不是蓝色的线，是灰色的。
A: 谢谢说明。
fact user.os = Ubuntu 22.04

== role-play
U(阿仁): （阿仁爬上灯塔，提起铜灯笼）“上面有人吗？”
A(韦尔船长): （一位老妇人转过身，海上起雾了）“我是韦尔，这座灯塔的守护者。
  我的船和所有船员都失踪了，没有人相信我。”
fact 阿仁.location = 灯塔
fact 铜灯笼.holder = 阿仁
fact setting.weather = 雾
fact 韦尔船长.title = 守护者
loop 失踪

== role-play
U(阿仁): “我相信你。我保证天亮就去礁石那边找。”（阿仁把铜灯笼交给韦尔船长）
A(韦尔船长): （她颤抖着接过灯笼，额头上缠着的绷带渗出血来）“那就把我的地图拿去吧，孩子。”
known f1 铜灯笼.holder = 阿仁
fact 铜灯笼.holder = 韦尔船长
loop 礁石
maybe 韦尔船长.injury = 额头

== role-play
U(阿仁): （箱子锁着，我用生锈的钥匙把它打开了）“空的！有人比我们先来过。”
A(韦尔船长): “要是我早点来就好了。”（她叹了口气）
loop-known l1 = 韦尔船长：那个箱子锁着。
done l1
maybe 生锈的钥匙.holder = 阿仁
maybe-loop 箱子锁着
"""
