"""Ordinary sentences that look like facts and are none."""

from typing import Final

import pytest

from mnemic.chat.extraction.extraction import Known, TurnText
from mnemic.chat.extraction.rules import extract
from mnemic.records.conversation import Line

_ENGLISH: Final = """
    I'm from the future, just like in that movie.
    I have a dog-eared copy of that book.
    I work for peanuts these days.
    I live in hope.
    I live in my car when I travel.
    My name is mud after that meeting.
    I am the one who called yesterday.
    I'm a little bit late.
    I'm a fast learner.
    I am a member of the club.
    I was a teacher for ten years.
    I have a question about my order.
    My order hasn't arrived.
    My order number starts with A-1.
    I have no allergies.
    I'm not allergic to anything.
    I like where this is going.
    I love you.
    I love the new design!
    I hate this app.
    I hate when it rains.
    We have two meetings on Monday.
    The meeting on Monday was boring.
    My meeting yesterday went well.
    My appointment was on Tuesday.
    I had a dentist appointment last Friday.
    I'm 5 minutes away.
    I'm 100% sure.
    I turned 180 degrees.
    My dad is 6 feet tall.
    My cat is sick.
    My cat is called by everyone.
    I moved to the next step.
    I moved to the left.
    I'm moving to Berlin next month.
    I come from a family of musicians.
    I was born to run.
    I play it safe.
    I play the lottery.
    I drive a hard bargain.
    I drive a lot.
    I speak my mind.
    I study a lot.
    I prefer not to say.
    I prefer it this way.
    I'm single-handedly doing everything.
    I'm married to my job.
    I'm engaged in a project.
    My boss is a pain.
    My boss is an idiot.
    My brother is the best.
    My friend is a great cook.
    I want an iPhone 15.
    My friend has an iPhone 15.
    I don't have an iPhone 15.
    It also happens on Windows 10 at my friend's place.
    The deadline is tight.
    The deadline is not 4 May.
    Our budget is limited.
    The budget is over.
    Version 2 is better.
    Call me tomorrow.
    Call me Ishmael is a famous first line.
    Call me when you arrive.
    My favorite part is the ending.
    My birthday is coming up.
    My birthday was yesterday.
    My email is full.
    My number is up.
    My username is not working.
    I eat meat.
    I can't eat right now.
    I don't drink that much.
    I have diabetes in my family.
    I have a cold.
    My wife's name escapes me.
    I'm an American citizen living in Spain.
    You live in Rome.
    He is a doctor.
    She lives in Paris.
    Nobody lives in that house.
    Thanks Anna, my name is on the list.
    I'm in Rome right now.
    I'm Italian.
    I'm Batman.
    We need more time.
"""
_CHINESE: Final = """
    我有个问题。
    我住院了。
    我住在酒店。
    我是来问问题的。
    我是说明天。
    我是新用户。
    我是第一次来。
    我是认真的。
    我叫他别来了。
    我叫了一辆车。
    我爱你。
    我爱上了一个人。
    我喜欢这个颜色。
    我喜欢你。
    我不喜欢这样。
    我讨厌下雨天出门还忘带伞。
    我对你很失望。
    我对这个不感兴趣。
    我没有过敏。
    我不过敏。
    我今年很忙。
    我三岁就会游泳了。
    我二十岁的时候去过北京。
    我女儿三岁的时候学会了游泳。
    我来自火星哈哈。
    我在想这件事。
    我在路上。
    我在北京出差。
    我在家工作。
    我在公司加班。
    我妈在医院。
    我妈妈做饭很好吃。
    我爸是个好人。
    我哥是个笨蛋。
    我同学的妈妈是老师。
    我的猫生病了。
    我的猫很可爱。
    我想养一只猫。
    我准备养狗。
    我不吃了。
    我不吃早饭。
    我吃素鸡。
    我会说话。
    我会说的。
    我会开车。
    我开车上班。
    我开的是玩笑。
    我学的是你。
    我结婚那天下雨了。
    我快结婚了。
    我想结婚。
    我的生日快到了。
    我的生日过了。
    周五的会议取消了。
    上周的会议很无聊。
    昨天考试考砸了。
    我不想参加周五的面试。
    预算不够。
    预算有限。
    截止日期快到了。
    截止日期不是5月3日。
    我的手机坏了。
    我想买iPhone 15。
    我朋友用的是iPhone 15。
    别叫我老师。
    我妈叫我回家吃饭。
    我老公叫我起床。
    他住在上海。
    她是护士。
    你叫小明。
    我搬到二楼了。
    我搬家很累。
    我不再相信他了。
    我最喜欢的是你。
    我最喜欢的歌还没出。
    我是中国人。
    我做的是红烧肉。
    我当时在场。
    我当然知道。
    我当妈妈了。
    我教你。
    我教孩子写作业。
"""


@pytest.mark.parametrize(
    "text", [row.strip() for row in (_ENGLISH + _CHINESE).splitlines() if row.strip()]
)
def test_what_only_looks_like_a_fact_is_left_alone(text: str) -> None:
    assert extract(TurnText((Line("user", text),)), Known()).facts == ()
