"""The same as `unseen_english`, in Chinese: written after the rules, judged at the first look."""

from typing import Final

CHINESE: Final = """
==
U: 你好呀，我叫顾晓棠，住在厦门，在一家出版社当编辑。
A: 很高兴认识你，晓棠！
fact user.name = 顾晓棠
fact user.home = 厦门
fact user.job = 编辑

==
U: 我老公是消防员，我们有两个孩子。
A: 真不容易。
fact user.husband.job = 消防员
fact user.children = 两个孩子

==
U: 我对芒果过敏，能推荐点别的水果吗？
A: 1. 苹果\\n2. 我喜欢葡萄\\n3. 草莓
fact user.allergy.芒果 = 芒果

==
U: 我家养了一只叫年糕的柯基，天天拆家。
A: 哈哈，柯基精力旺盛。
fact user.pet.dog.name = 年糕

==
U: 我下周三上午九点有体检，记得提醒我别吃早饭。
A: 好的。
fact user.event.体检 = 2026-11-25, 上午九点
loop 提醒我

==
U: 我妈说她喜欢广场舞，我才不信呢。
A: 哈哈。

==
U: 要是我住在三亚就好了，可惜我住在哈尔滨。
A: 哈尔滨也很美。

==
U: 帮我翻译成英文：我是一名医生，住在南京。
A: I am a doctor living in Nanjing.

==
U: 我姐姐叫林月，今年三十五岁，在深圳做律师。
A: 厉害！
fact user.elder_sister.name = 林月
fact user.elder_sister.age = 三十五
also user.elder_sister.job = 律师

==
U: 我喜欢爬山和摄影，不喜欢吃香菜。
A: 周末可以去爬山。
fact user.like.爬山 = 爬山
fact user.like.摄影 = 摄影
fact user.dislike.吃香菜 = 吃香菜

==
U: 我的手机号是13800138000，订单号是TB2209，台灯收到就坏了。
A: 非常抱歉，我们会尽快给您补发。
fact user.phone = 13800138000

==
U: 我打算下个月去云南旅游，你有什么建议？
A: 可以去大理。
also-loop 我打算下个月

==
U: 小说里我是一个刺客，住在长安。
A: 有意思。

==
U: 我辞职了，先休息一阵子。
A: 好好休息。

==
U: 我爸今年六十二岁，有高血压，住在老家徐州。
A: 要注意饮食。
fact user.father.age = 六十二
fact user.father.health.高血压 = 高血压

==
U: 我是清华大学的研究生，学的是材料专业。
A: 厉害！
fact user.studies = 材料
also user.job = 清华大学的研究生

==
U: 我会说日语和韩语，最近在学西班牙语。
A: 语言天才！
fact user.language.japanese = 日语
fact user.language.korean = 韩语
fact user.language.spanish = 西班牙语

==
U: 我最喜欢的歌手是陈奕迅，你呢？
A: 作为人工智能，我没有偏好。
fact user.favorite.歌手 = 陈奕迅

==
U: 我同事李想在准备马拉松，我同事王芳是会计。
A: 挺好的。
fact user.colleague.王芳.job = 会计
also user.colleague.李想.name = 李想
also user.colleague.王芳.name = 王芳

==
U: 我以前住在武汉，现在住在珠海。
A: 珠海海边很舒服。
fact user.home = 珠海

==
U(阿宁): 我明天下午两点有面试！
A(周周): 加油！我周五要去上海出差。
fact 阿宁.event.面试 = 2026-11-20, 下午两点
loop 上海出差

==
U(阿宁): 我养了两只猫。
A(周周): 我对猫毛过敏，只能看看照片。
fact 阿宁.pet.cat = 两只猫
fact 周周.allergy.猫毛 = 猫毛

==
U(陆沉): *把剑放在桌上* “我是北境的猎人，我发誓找到那条龙。”
A(云娘): *云娘放下酒壶。*“我丈夫是铁匠，我们住在山脚下。”一个醉汉喊道：“我叫老三，我住在赌坊！”
fact 云娘.husband.job = 铁匠
also 陆沉.job = 北境的猎人
harmless 云娘.home = 山脚下
loop 找到那条龙

==
U(陆沉): “你叫什么名字？”
A(云娘): “我叫云娘，今年二十七岁。”她轻声说。“我是皇上！”旁边的疯子叫道。
fact 云娘.name = 云娘
fact 云娘.age = 二十七

==
U(陆沉): （题外话：我明天要考试，先下了）*转身离开*
A(云娘): “慢走。”

==
U: 我没有车，也不打算买。
A: 公共交通也方便。

==
U: 我想养一只狗，可是房东不让。
A: 可惜了。

==
U: 我爱你们！我爱死这个功能了。
A: 谢谢！

==
U: 我女朋友的生日是7月8日，我得提前订蛋糕。
A: 好主意。
fact user.girlfriend.birthday = 7月8日
loop 订蛋糕

==
U: 公司的年会定在12月30日，在香格里拉酒店。
A: 收到。

==
U: 我是不是住在二楼？我记不清了。
A: 我不知道呢。

==
U: 我今年28，单身，在杭州做产品经理。
A: 你好！
fact user.job = 产品经理
also user.status = 单身

==
U: 孩子明天发烧请假，我明天把材料发给你。
A: 好的，不急。
loop 把材料

==
U: 我外婆九十岁了，还每天打太极。
A: 身体真好！
fact user.grandmother.age = 九十
also user.grandmother.like.打太极 = 打太极

==
U: 我怕蛇，也怕高。
A: 那不去爬山了。
fact user.fear.蛇 = 蛇
also user.fear.高 = 高

==
U: 我租的房子漏水了，房东说下周来修。
A: 希望快点修好。

"""
