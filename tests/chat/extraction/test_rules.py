"""What the extractor without a language model promises, turn by turn."""

import pytest

from mnemic.chat.extraction.extraction import (
    RULES,
    Extraction,
    Fact,
    Known,
    KnownFact,
    KnownLoop,
    TurnText,
)
from mnemic.chat.extraction.rules import extract, read
from mnemic.records.conversation import Line


def said(*texts: str, known: Known | None = None) -> Extraction:
    roles = ("user", "assistant")
    lines = tuple(Line(roles[at % 2], text) for at, text in enumerate(texts))
    return extract(TurnText(lines), known or Known())


def facts(*texts: str, known: Known | None = None) -> dict[str, str]:
    return {fact.key: fact.value for fact in said(*texts, known=known).facts}


@pytest.mark.parametrize(
    ("english", "chinese", "key"),
    [
        ("My name is Ming.", "我叫小明。", "user.name"),
        ("Please call me Ace.", "叫我阿杰就行。", "user.nickname"),
        ("I live in Hangzhou.", "我住在杭州。", "user.home"),
        ("I am 31 years old.", "我今年31岁。", "user.age"),
        ("I work as a baker.", "我是一名面包师。", "user.job"),
        ("My cat is called Momo.", "我家的猫叫毛毛。", "user.pet.cat.name"),
        ("My daughter is called Lin.", "我女儿叫小林。", "user.daughter.name"),
        ("My birthday is 3 May.", "我的生日是5月3日。", "user.birthday"),
        ("My favourite movie is Alien.", "我最喜欢的电影是《活着》。", "user.favorite.movie"),
        ("I speak French.", "我会说法语。", "user.language.french"),
        ("Please answer in German.", "请用德语回答。", "user.preference.language"),
        ("I have an interview on Friday.", "我周五有面试。", "event.interview"),
        ("The deadline is 3 May.", "截止日期是5月3日。", "project.deadline"),
        ("My order number is B7710.", "我的订单号是B7710。", "order.number"),
        ("I'm using an iPhone 14.", "我用的是iPhone 14。", "user.device"),
    ],
)
def test_both_languages_meet_under_one_key(english: str, chinese: str, key: str) -> None:
    assert list(facts(english)) == [key]
    assert list(facts(chinese)) == [key]


@pytest.mark.parametrize(
    "text",
    [
        "I don't have a dog.",
        "If I had a dog, I'd call it Rex.",
        "I wish I lived in Rome.",
        "Do I live in Rome?",
        "I live in Rome, right?",
        'She said "I live in Rome".',
        "My brother says I'm a doctor.",
        "I'm a pirate! Just kidding.",
        "Imagine I'm a doctor.",
        "I used to work as a waiter.",
        "In my novel I am a detective.",
        "I thought I was allergic to nuts.",
        "Maybe I'm allergic to nuts.",
        "I love it!",
        "I like your idea.",
        "I'm a bit tired.",
        "我没有狗。",
        "如果我有一只狗，就叫它旺财。",
        "真希望我住在罗马。",
        "我住在罗马吗？",
        "我住在罗马，对吧？",
        "她说“我住在罗马”。",
        "我哥说我是医生。",
        "我是海盗！开玩笑的。",
        "想象一下我是医生。",
        "我以前是服务员。",
        "小说里我是一名侦探。",
        "我以为我对坚果过敏。",
        "我可能对坚果过敏。",
        "我喜欢你的主意。",
        "我有点累。",
        "我叫了外卖。",
    ],
)
def test_what_is_not_asserted_is_no_fact(text: str) -> None:
    assert facts(text) == {}


@pytest.mark.parametrize(
    "reply",
    [
        "I can help you with that!",
        "As an AI, I don't have feelings, but I love helping people.",
        "I'm happy to help. I like your plan.",
        "我可以帮您。",
        "作为人工智能，我没有名字，也没有宠物。",
        "我很喜欢您的想法！",
    ],
)
def test_the_politeness_of_an_assistant_leaves_nothing(reply: str) -> None:
    result = said("Hello", reply)
    assert (result.facts, result.loops) == ((), ())


@pytest.mark.parametrize(
    ("asked", "answered"),
    [
        ("Translate: I am allergic to peanuts.", "Ich bin allergisch gegen Erdnüsse."),
        ("Please proofread: Hello, my name is Sven. I work as a plumber.", "Looks good!"),
        ("Write me a cover letter.", "My name is Jane Doe. I live in Chicago. I'll call you soon."),
        ("Summarise 'I live in Boston. My name is Al.'", "Somebody called Al lives in Boston."),
        ("Here it is:\nBob: I live in Rome.\nSue: My name is Sue.", "Thanks."),
        ("帮我写一份自我介绍", "大家好，我叫李华，今年25岁，来自成都。"),
        ("把下面这句翻译成英语：我对花生过敏。", "I am allergic to peanuts."),
    ],
)
def test_work_on_a_text_is_about_nobody_here(asked: str, answered: str) -> None:
    result = said(asked, answered)
    assert (result.facts, result.loops) == ((), ())


def test_what_is_said_before_asking_for_work_on_a_text_counts() -> None:
    assert facts("I work as a nurse. Write a poem about it.", "I am a star.") == {
        "user.job": "nurse"
    }


def test_things_that_can_hold_at_once_have_a_key_each() -> None:
    assert set(facts("I'm allergic to peanuts and shellfish.")) == {
        "user.allergy.peanuts",
        "user.allergy.shellfish",
    }
    assert set(facts("我喜欢游泳、爬山和下棋。")) == {
        "user.like.游泳",
        "user.like.爬山",
        "user.like.下棋",
    }


def test_what_is_told_before_a_question_counts() -> None:
    assert facts("I'm allergic to nuts, what can I eat?") == {"user.allergy.nuts": "nuts"}
    assert facts("我对坚果过敏，能吃什么？") == {"user.allergy.坚果": "坚果"}


def test_first_person_is_about_who_speaks() -> None:
    companion = TurnText((Line("user", "Hi"), Line("assistant", "I live in Lyon.", "Luna")))
    assert [one.key for one in extract(companion, Known()).facts] == ["luna.home"]
    played = TurnText((Line("user", '*I enter the tavern.* "I am 20."', "Kael"),))
    assert {one.key for one in extract(played, Known()).facts} == {"kael.location", "kael.age"}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("I called my dad. He is 70.", {"user.father.age": "70"}),
        ("I told my wife about Tom. He is a doctor.", {}),
        ("I have a brother who lives in Leeds.", {"user.brother.home": "Leeds"}),
        ("我给我爸打了电话。他70岁了。", {"user.father.age": "70"}),
        ("我跟我妈聊了小王的事。他是医生。", {}),
    ],
)
def test_he_and_she_are_those_spoken_of_where_they_can_be(
    text: str, expected: dict[str, str]
) -> None:
    assert expected.items() <= facts(text).items()
    assert bool(expected) == bool(facts(text))


def test_health_matters_more_than_taste_and_taste_more_than_the_weather() -> None:
    def importance(text: str, name: str | None = None) -> float:
        (one,) = extract(TurnText((Line("user", text, name),)), Known()).facts
        return one.importance

    assert importance("I'm allergic to nuts.") > importance("I love hiking.")
    assert importance("I love hiking.") > importance("*It is raining.*", "Kael")


@pytest.mark.parametrize(
    ("text", "key", "old", "new"),
    [
        ("Actually, it's Thursday.", "event.dentist", "Tuesday at 3 pm", "Thursday at 3 pm"),
        ("Not Berlin, Hamburg.", "user.home", "Berlin", "Hamburg"),
        ("其实是周四。", "event.dentist", "周二下午三点", "周四下午三点"),
        ("不是柏林，是汉堡。", "user.home", "柏林", "汉堡"),
        ("我搬到上海了。", "user.home", "成都", "上海"),
        ("I moved to Ghent.", "user.home", "Berlin", "Ghent"),
    ],
)
def test_a_correction_takes_over_the_key_of_what_it_corrects(
    text: str, key: str, old: str, new: str
) -> None:
    known = Known(facts=(KnownFact("f1", key, old), KnownFact("f2", "user.age", "31")))
    assert facts(text, known=known) == {key: new}


@pytest.mark.parametrize(
    ("text", "key", "value"),
    [
        ("I no longer eat meat.", "user.like.meat", "meat"),
        ("I don't work at Siemens anymore.", "user.employer", "Siemens"),
        ("My cat died last week.", "user.pet.cat.name", "Momo"),
        ("I hate coffee now.", "user.like.coffee", "coffee"),
        ("不再养猫了。", "user.pet.cat.name", "毛毛"),
        ("我辞职了。", "user.employer", "华为"),
        ("我不喜欢咖啡。", "user.like.咖啡", "咖啡"),
    ],
)
def test_what_no_longer_holds_is_retired_and_nothing_else(text: str, key: str, value: str) -> None:
    known = Known(facts=(KnownFact("f1", key, value), KnownFact("f2", "user.age", "31")))
    assert [one.id for one in said(text, known=known).retirements] == ["f1"]


def test_a_question_is_open_until_it_is_answered() -> None:
    asked = "When does the ferry leave?"
    assert said(asked).loops == (f"user: {asked}",)
    assert said(asked, "At nine, from pier 4.").loops == ()
    assert f"user: {asked}" in said(asked, "Let me check and get back to you.").loops
    assert said("渡轮几点开？", "九点，四号码头。").loops == ()
    assert "用户：渡轮几点开？" in said("渡轮几点开？", "我查一下再告诉你。").loops


@pytest.mark.parametrize(
    "text",
    [
        "I'll send you the file tomorrow.",
        "I need to renew my passport.",
        "Remind me to call grandma.",
        "我明天把文件发给你。",
        "我得去续护照。",
        "记得提醒我给奶奶打电话。",
    ],
)
def test_promises_and_plans_stay_open(text: str) -> None:
    (loop,) = said(text).loops
    assert text in loop


@pytest.mark.parametrize(
    ("loop", "done", "mentioned"),
    [
        ("user: I'll send you the file tomorrow.", "I sent you the file.", "The file is large."),
        ("user: I need to renew my passport.", "I renewed my passport.", "My passport is red."),
        ("user: I have to buy a tent.", "I bought the tent today.", "I still need a tent."),
        ("user: I need to book a hotel.", "We cancelled the hotel.", "The hotel has a pool."),
        ("user: Which museum is free?", "", "I wonder which museum is free."),
        ("用户：我明天把文件发给你。", "文件已经发给你了。", "文件有点大。"),
        ("用户：我得去续护照。", "护照续好了。", "护照还没续。"),
        ("用户：我要买帐篷。", "帐篷买到了。", "帐篷好贵。"),
        ("用户：我要订酒店。", "酒店不用订了。", "那家酒店有泳池。"),
    ],
)
def test_a_loop_closes_when_it_is_done_not_when_it_is_mentioned(
    loop: str, done: str, mentioned: str
) -> None:
    known = Known(loops=(KnownLoop("l1", loop), KnownLoop("l2", "user: I must water the ferns.")))
    assert said(mentioned, known=known).resolutions == ()
    if done:
        (closed,) = said(done, known=known).resolutions
        assert (closed.id, closed.text) == ("l1", done)


def test_an_answer_of_the_assistant_closes_a_question() -> None:
    known = Known(loops=(KnownLoop("l1", "user: When does the ferry to Capri leave?"),))
    (closed,) = said("Hi", "The ferry to Capri leaves at nine.", known=known).resolutions
    assert closed.id == "l1"


def test_a_loop_that_stands_is_not_opened_again() -> None:
    known = Known(loops=(KnownLoop("l1", "user: I need to renew my passport."),))
    assert said("I need to renew my passport!", known=known).loops == ()


def test_a_thing_that_changes_hands_has_one_holder() -> None:
    known = Known(facts=(KnownFact("f1", "silver dagger.holder", "Kael"),))
    turn = TurnText((Line("assistant", "*She picks up the dagger.*", "Mira"),))
    assert [(one.key, one.value) for one in extract(turn, known).facts] == [
        ("silver dagger.holder", "Mira")
    ]


def test_a_bare_promise_is_kept_as_what_was_asked_for() -> None:
    english = said("Can you remind me to book the vet tomorrow?", "Sure, I'll remind you.")
    assert english.loops == ("user: Can you remind me to book the vet tomorrow?",)
    [chinese] = said("麻烦你明天提醒我交房租。", "好的，我会提醒您。").loops
    assert chinese == "用户：麻烦你明天提醒我交房租。"


def test_a_pet_has_its_name_wherever_that_stands() -> None:
    assert facts("我养了一只叫豆豆的猫。") == facts("我养了一只猫，叫豆豆。")
    assert facts("我养了一只叫豆豆的猫。")["user.pet.cat.name"] == "豆豆"


def test_a_short_turn_is_kept_whole() -> None:
    summary = said("I have a dog. His vet is in Bonn.", "Bonn is nice.").summary
    assert summary == "user: I have a dog. His vet is in Bonn. assistant: Bonn is nice."


def test_the_summary_is_that_of_the_tags_where_there_is_one() -> None:
    turn = TurnText((Line("user", "Hi"),), summaries=("They met.", "It rained."))
    assert extract(turn, Known()).summary == "They met. It rained."


def test_text_in_tags_is_not_searched_for_facts() -> None:
    assert facts("<memo>I live in Rome.</memo> Hello.") == {}


def test_the_summary_tells_who_said_what_and_stays_short() -> None:
    result = said("Hi! I adopted a dog called Rex yesterday. " * 20, "Congratulations! " * 40)
    assert "Rex" in result.summary
    assert result.summary.startswith("user: ")
    assert len(result.summary) <= 320
    assert len(said("我昨天领养了一只狗，叫旺财。" * 30, "恭喜你！" * 60).summary) <= 120


@pytest.mark.parametrize("text", ["ok", "!!!", "好", "👍", "```x = 1```"])
def test_a_turn_with_text_has_a_summary(text: str) -> None:
    assert said(text).summary


def test_every_extraction_says_who_made_it_and_a_turn_is_read_once() -> None:
    turn = TurnText((Line("user", "I live in Rome."),))
    assert extract(turn, Known()).extractor == RULES
    assert read(turn) is read(turn)
    assert extract(turn, Known()).facts == (Fact("user.home", "Rome", importance=0.8),)
