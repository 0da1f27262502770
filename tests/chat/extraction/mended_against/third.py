"""Turns that were written when the rules were mended once, and what a reader takes from them.

How to read them stands in `reading.py`.
"""

from typing import Final

ENGLISH: Final = """
== small talk
U: Evening! So, I finally did it: I quit my job at the bank. Starting Monday I'm a full-time potter.
A: Wow, congratulations on the leap! How are you feeling?
known f1 user.employer = the bank
known f2 user.like.tea = tea
fact user.job = potter
retired f1

== small talk
U: my sister just had twins lol. I'm an uncle now!! she lives in Tromsø so I won't see them until
  spring
A: Congratulations, uncle! Twins will keep everyone busy.
fact user.sister.home = Tromsø

== small talk
U: People say I look like a young Bowie. My boss calls me Sparky, which I can't stand.
A: Ha! Nicknames at work can be a mixed blessing.

== small talk
U: Can you recommend a book? I like slow detective novels, nothing too bloody. I read mostly on a
  Kindle.
A: Try Magdalen Nabb's Marshal Guarnaccia series. They are gentle and full of Florence.
fact user.like.slow detective novels = detective novels
fact user.device = Kindle

== planning
U: OK here's the plan. Version 2.4 ships on 9 May, Priya handles the docs, and I'll write the
  release notes by Thursday.
A: Great. I'll remind you on Wednesday evening.
maybe project.version = 2.4
maybe event.launch = 9 May
loop release notes
maybe-loop I'll remind you

== planning
U: We no longer need the van, Jonas is lending us his. Also, the picnic is on Saturday at noon
  now, not Sunday.
A: Perfect, I'll cross out the van.
loop-known l1 = user: I have to rent a van for the picnic.
loop-known l2 = user: We should buy plates.
known f1 event.picnic = Sunday at noon
done l1
fact event.picnic = Saturday

== planning
U: If the weather holds, we might hike to the hut on Friday. Otherwise I'd rather stay home.
A: The forecast says light clouds on Friday.

== planning
U: My exam is next Thursday at 9, and I still have to register for the lab course.
A: Good luck! Would a study plan help?
fact event.exam = next Thursday at 9
loop register for the lab course

== support
U: Booking reference is KX7T2P. I want to change my flight to the 18th, is that possible?
A: Thanks! Let me check availability; I'll get back to you within the hour.
fact booking.number = KX7T2P
loop change my flight
maybe-loop get back to you within the hour

== support
U: Never mind, I changed the flight myself on the website.
A: Glad that worked out!
loop-known l1 = user: I want to change my flight to the 18th, is that possible?
done l1

== support
U: The manual says "I am the main switch, press me first". I pressed it and nothing happened. Do
  I need a new fuse?
A: Quite possibly. A 3-amp fuse fits this model.

== role-play
U(Isolde): *Isolde kneels beside the wounded knight and takes the sealed letter from his hand.*
  "Who did this to you?"
A(Narrator): *The knight coughs.* "The Duke's men," he gasps. "They took my daughter to Blackmere
  Keep." *Night falls over the valley.*
fact sealed letter.holder = Isolde
fact setting.time = night
maybe-loop They took my daughter

== role-play
U(Isolde): *Isolde rides to Blackmere Keep through the storm.* "I shall free your daughter, sir
  knight, or die trying."
A(Narrator): *Two guards bar her way. One of them raises a crossbow.*
fact isolde.location = Blackmere Keep
loop free your daughter
maybe crossbow.holder = guard
"""

CHINESE: Final = """
== small talk
U: 晚上好！我终于从银行辞职了，下周一开始就是全职陶艺师了。
A: 哇，恭喜你迈出这一步！
known f1 user.employer = 银行
known f2 user.like.茶 = 茶
retired f1
maybe user.job = 陶艺师

== small talk
U: 我姐刚生了双胞胎，哈哈，我当舅舅啦！她住在哈尔滨，我得春天才能去看她们。
A: 恭喜恭喜！
fact user.elder_sister.home = 哈尔滨
maybe-loop 去看她们

== small talk
U: 大家都说我长得像周杰伦。老板老叫我小胖，我可受不了。
A: 哈哈，这外号确实有点过分。

== small talk
U: 能推荐本书吗？我喜欢慢节奏的推理小说，太血腥的不行。我一般用Kindle看书。
A: 可以试试松本清张的《点与线》，节奏沉稳，没有血腥描写。
fact user.like.慢节奏的推理小说 = 推理小说
fact user.device = Kindle

== planning
U: 计划是这样：2.4版本5月9日上线，文档由小普负责，我周四之前把发布说明写好。
A: 好的，我周三晚上提醒你。
maybe project.version = 2.4
maybe event.launch = 5月9日
loop 发布说明
maybe-loop 提醒你

== planning
U: 面包车不用租了，老周把他的借给我们。还有，野餐改到周六中午了，不是周日。
A: 好，我把租车那项划掉。
loop-known l1 = 用户：我得去租一辆面包车。
loop-known l2 = 用户：我们要买一次性盘子。
known f1 event.野餐 = 周日中午
done l1
fact event.野餐 = 周六

== planning
U: 要是天气好，我们周五可能去爬山，不然我宁愿待在家里。
A: 天气预报说周五多云。

== planning
U: 我下周四上午九点考试，还得去报名实验课。
A: 加油！需要我帮你列个复习计划吗？
fact event.exam = 下周四上午九点
loop 报名实验课

== support
U: 预订号是KX7T2P，我想把航班改到18号，可以吗？
A: 好的，我查一下余票，一小时内回复您。
fact booking.number = KX7T2P
loop 航班改到18号
maybe-loop 查一下余票

== support
U: 不用了，航班我自己在网上改好了。
A: 那就好！
loop-known l1 = 用户：我想把航班改到18号，可以吗？
done l1

== support
U: 说明书上写着“我是总开关，请先按我”。我按了没反应，是不是要换保险丝？
A: 很有可能，这个型号用3安的保险丝。

== role-play
U(伊索德): （伊索德跪在受伤的骑士身边，从他手里接过密封的信）“是谁干的？”
A(旁白): （骑士咳了几声）“公爵的人……”他喘息着说，“他们把我女儿抓到黑湖堡去了。”（夜幕降临）
fact 信.holder = 伊索德
fact setting.time = 夜幕降临
maybe-loop 把我女儿抓到

== role-play
U(伊索德): （伊索德冒着暴风雨来到黑湖城堡）“我一定会救出你的女儿，骑士先生，我发誓。”
A(旁白): （两个卫兵拦住去路，其中一个举起了弩）
fact 伊索德.location = 黑湖城堡
loop 救出你的女儿
maybe 弩.holder = 卫兵
"""
