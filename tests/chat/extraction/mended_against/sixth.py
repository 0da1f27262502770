"""The last turns that were written, for a look at rules that were mended on all the others.

How to read them stands in `reading.py`.
"""

from typing import Final

ENGLISH: Final = """
== small talk
U: Good evening! My wife Nadia and I are celebrating our tenth anniversary this weekend. We met
  in Lisbon.
A: Happy anniversary to you both!
fact user.wife.name = Nadia

== small talk
U: honestly i'm just tired. i work nights at a hospital and my kid won't sleep during the day
A: That is a brutal schedule. Can anybody take the kid for a few hours?
fact user.employer = hospital

== small talk
U: Do you remember my dog? The vet thinks he might have arthritis. I hope not.
A: I hope it's nothing serious.

== small talk
U: I love rainy Sundays, strong coffee and Agatha Christie. I can't stand crowds.
A: Sounds like a perfect cosy weekend.
fact user.like.rainy sundays = Sundays
fact user.like.strong coffee = coffee
fact user.like.agatha christie = Christie
fact user.dislike.crowds = crowds

== small talk
U: My neighbour asked me whether I'm a spy. I told him I'm a retired circus clown. He believed me!
A: Brilliant answer.

== small talk
U: We're vegetarians, except my son Leo, who would live on sausages if we let him. By the way,
  you can call me Jo.
A: Nice to meet you properly, Jo.
fact user.nickname = Jo
maybe user.diet = vegetarian
fact user.son.name = Leo

== planning
U: Kick-off is on 4 September, the client is Nordwind, and our budget was cut from 50k to 42k.
A: Then we should trim the scope.
known f1 project.budget = 50k
fact project.client = Nordwind
fact project.budget = 42k
maybe project.kick-off = 4 September

== planning
U: I promised Mum I'd drive her to the eye clinic on Friday. I also have to return the library
  books.
A: Shall I put both on your list?
loop return the library books
maybe-loop drive her to the eye clinic

== planning
U: Library books are back where they belong, finally returned them. When should we leave for the
  airport?
A: Three hours before departure should be fine.
loop-known l1 = user: I also have to return the library books.
loop-known l2 = user: I need to wash the car.
done l1

== planning
U: My plane lands at 17:05 on Tuesday, so dinner on Tuesday at 8 pm works. Actually, make it 8:30
  pm.
A: 8:30 it is.
maybe event.flight = 17:05
maybe event.dinner = 8
known f1 user.age = 33

== planning
U: I'd like to go to Japan one day. Maybe in spring. Is April too late for the cherry blossoms?
A: Early April is usually the best time in Tokyo.

== support
U: Name: Harriet Boone. My account number is 5539-2201. I no longer have the phone that I
  registered with.
A: Thank you, Harriet. I will send a verification link to your e-mail address.
fact account.number = 5539-2201
maybe user.name = Harriet Boone
loop verification link

== support
U: Got the link, thanks, but it says "I'm sorry, this link has expired".
A: Apologies! Let me issue a new one right away.
loop-known l1 = assistant: I will send a verification link to your e-mail address.
maybe-done l1

== support
U: My washing machine shows E18. It's a Bosch, about six years old. Should I call somebody?
A: E18 means a blocked pump. Clean the filter at the bottom first.

== role-play
U(Tam): *Tam pulls out the bone flute and plays softly.* "My mother Orla taught me this song. I
  was born in the marshes."
A(Grix): *The troll lowers his club.* "Orla? I knew her. I am Grix, guardian of the bridge. She
  saved my life once."
fact bone flute.holder = Tam
fact tam.mother.name = Orla
fact grix.title = guardian of the bridge

== role-play
U(Tam): "Then let me pass, Grix. I must reach the Silver City before the eclipse."
A(Grix): *Grix hands Tam a copper coin and steps aside.* "Take this to the ferryman. He will ask
  for it."
fact copper coin.holder = Tam
loop reach the Silver City
"""

CHINESE: Final = """
== small talk
U: 晚上好！这周末是我和老婆的结婚十周年纪念日，我们是在厦门认识的。
A: 祝二位十周年快乐！
maybe event.anniversary = 周末

== small talk
U: 说真的就是累。我在医院上夜班，孩子白天又不睡觉。
A: 这作息太折磨人了，有人能帮忙带几个小时吗？
maybe user.employer = 医院

== small talk
U: 你还记得我的狗吗？兽医说它可能有关节炎，希望不是。
A: 希望没有大碍。

== small talk
U: 我喜欢下雨的周末、浓咖啡和推理小说，最受不了人多的地方。
A: 听起来就是完美的宅家周末。
fact user.like.下雨的周末 = 周末
fact user.like.浓咖啡 = 咖啡
fact user.like.推理小说 = 推理小说
fact user.dislike.人多的地方 = 人多

== small talk
U: 邻居问我是不是间谍，我告诉他我是退休的小丑，他居然信了！
A: 哈哈，回答得妙。

== small talk
U: 我们一家都吃素，就我儿子例外。对了，你可以叫我小乔。
A: 好的，小乔。
fact user.nickname = 小乔
maybe user.diet = 吃素

== planning
U: 项目9月4日启动，客户是北风公司，预算从五十万降到了四十二万。
A: 那我们得缩小范围。
known f1 project.budget = 五十万
fact project.client = 北风公司
fact project.budget = 四十二万

== planning
U: 我答应周五开车送我妈去眼科医院，还得去还图书馆的书。
A: 要我都加到清单里吗？
loop 还图书馆的书
maybe-loop 送我妈去眼科医院

== planning
U: 图书馆的书终于还了。我们几点出发去机场合适？
A: 提前三个小时比较稳妥。
loop-known l1 = 用户：我还得去还图书馆的书。
loop-known l2 = 用户：我要洗车。
done l1

== planning
U: 我的飞机周二下午五点到，晚饭就定在周二晚上八点吧。
A: 好的，周二晚上八点。
fact event.dinner = 周二晚上八点
maybe event.flight = 周二下午五点

== planning
U: 真想有一天去日本看看，也许春天去。四月看樱花会不会太晚？
A: 东京一般四月初最合适。

== support
U: 我的会员号是55392201，注册时用的手机已经不用了。
A: 谢谢，我会把验证链接发到您的邮箱。
fact membership.number = 55392201
loop 验证链接

== support
U: 链接收到了，不过显示“很抱歉，该链接已过期”。
A: 抱歉！我马上重新生成一个。
loop-known l1 = 助手：我会把验证链接发到您的邮箱。
maybe-done l1

== support
U: 我家洗衣机显示E18，是博世的，用了大概六年了，需要找人来修吗？
A: E18表示排水泵堵塞，请先清理底部的过滤网。

== role-play
U(塔姆): （塔姆掏出骨笛，轻轻吹了起来）“这首歌是我妈妈奥拉教我的，我出生在沼泽地。”
A(格里克斯): （巨魔放下了棍子）“奥拉？我认识她。我是格里克斯，这座桥的守护者。她救过我的命。”
maybe 骨笛.holder = 塔姆
maybe 塔姆.mother.name = 奥拉
maybe 塔姆.origin = 沼泽
fact 格里克斯.title = 守护者

== role-play
U(塔姆): “那就让我过去吧，格里克斯。我必须在日食之前赶到银城。”
A(格里克斯): （格里克斯把一枚铜币交给塔姆，让开了路）“把这个交给摆渡人，他会跟你要的。”
maybe 铜币.holder = 塔姆
loop 赶到银城
"""
